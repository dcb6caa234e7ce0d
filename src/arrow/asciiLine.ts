const BILLION = 1_000_000_000
const ZERO = 48
const MINUS = 45

/** The bytes of an ASCII text. */
export function asciiBytes(text: string): Uint8Array {
  return Uint8Array.from(text, (character) => character.charCodeAt(0))
}

/**
 * A line of ASCII text for `TableWriter.ascii`, built byte by byte without strings. V8 caches the text of each number long enough for it
 * to reach the old generation and wait there for a full collection (docs/performance.md).
 */
export class AsciiLine {
  bytes = new Uint8Array(256)
  length = 0

  clear(): void {
    this.length = 0
  }

  byte(code: number): void {
    this.ensure(1)
    this.bytes[this.length++] = code
  }

  word(word: Uint8Array): void {
    this.ensure(word.length)
    for (let i = 0; i < word.length; i++) this.bytes[this.length++] = word[i]!
  }

  /** The number as `String` writes it. */
  number(value: number): void {
    if (!Number.isSafeInteger(value)) return this.word(asciiBytes(String(value)))
    this.ensure(17)
    if (value < 0) this.bytes[this.length++] = MINUS
    const size = Math.abs(value)
    const high = Math.floor(size / BILLION)
    if (high > 0) this.digits(high, 1)
    this.digits(size - high * BILLION, high > 0 ? 9 : 1)
  }

  /** Writes `value` < 2³¹ with leading zeros to `least` digits, 1 or 9. */
  private digits(value: number, least: number): void {
    const { bytes } = this
    let count = least
    for (let bound = least === 1 ? 10 : BILLION; value >= bound; bound *= 10) count++
    let rest = value
    for (let at = this.length + count - 1; at >= this.length; at--) {
      const tens = (rest / 10) | 0
      bytes[at] = ZERO + rest - tens * 10
      rest = tens
    }
    this.length += count
  }

  private ensure(more: number): void {
    if (this.length + more <= this.bytes.length) return
    const wider = new Uint8Array((this.length + more) * 2)
    wider.set(this.bytes)
    this.bytes = wider
  }
}
