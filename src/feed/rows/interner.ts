const EMPTY = -1
const FNV_OFFSET = 0x811c9dc5
const FNV_PRIME = 0x01000193

/** Gives each different text a code, from 0, in order of appearance. Texts that lie in bytes are found without making a string. */
export class Interner {
  readonly texts: string[] = []
  private readonly codes = new Map<string, number>()
  /** Codes by hash of bytes; open addressing. */
  private slots = new Int32Array(1 << 8).fill(EMPTY)
  /** By code: the hash of its bytes, and where they lie in `bytes`; nowhere for a text that never lay in bytes. */
  private hashes = new Int32Array(1 << 7)
  private starts = new Int32Array(1 << 7).fill(EMPTY)
  private ends = new Int32Array(1 << 7)
  private bytes = new Uint8Array(1 << 11)
  private used = 0
  private filled = 0
  private lastText = ''
  private lastCode = EMPTY

  codeOf(text: string): number {
    if (this.lastCode !== EMPTY && text === this.lastText) return this.lastCode
    let code = this.codes.get(text)
    if (code === undefined) {
      code = this.texts.length
      this.texts.push(text)
      this.codes.set(text, code)
    }
    this.lastText = text
    this.lastCode = code
    return code
  }

  /** The code of a text that has come before, −1 for any other. */
  knownText(text: string): number {
    return this.lastCode !== EMPTY && text === this.lastText ? this.lastCode : this.codes.get(text) ?? EMPTY
  }

  /** The code of a text that has lain in bytes before, −1 for any other. */
  knownCode(data: Uint8Array, start: number, end: number): number {
    const { slots, hashes, starts, ends, bytes } = this
    const hash = hashOf(data, start, end)
    const mask = slots.length - 1
    for (let slot = (hash ^ (hash >>> 15)) & mask; ; slot = (slot + 1) & mask) {
      const code = slots[slot]!
      if (code === EMPTY) return EMPTY
      if (hashes[code] !== hash) continue
      let at = starts[code]!
      if (ends[code]! - at !== end - start) continue
      let from = start
      while (from < end && bytes[at] === data[from]) {
        at += 1
        from += 1
      }
      if (from === end) return code
    }
  }

  /** `textOf` makes the text of bytes that are seen for the first time. */
  codeOfBytes(data: Uint8Array, start: number, end: number, textOf: () => string): number {
    const known = this.knownCode(data, start, end)
    if (known !== EMPTY) return known
    const code = this.codeOf(textOf())
    // Two encodings of one text share its code: the second is found through its text each time.
    if (code >= this.starts.length || this.starts[code] === EMPTY) this.keep(code, data, start, end)
    return code
  }

  private keep(code: number, data: Uint8Array, start: number, end: number): void {
    if (code >= this.starts.length) this.widen(code)
    if (this.used + end - start > this.bytes.length) {
      const longer = new Uint8Array(Math.max(this.bytes.length * 2, this.used + end - start))
      longer.set(this.bytes)
      this.bytes = longer
    }
    this.bytes.set(data.subarray(start, end), this.used)
    this.starts[code] = this.used
    this.used = this.ends[code] = this.used + end - start
    this.hashes[code] = hashOf(data, start, end)
    this.filled += 1
    if (this.filled * 2 > this.slots.length) this.slots = new Int32Array(this.slots.length * 2).fill(EMPTY)
    else return this.enter(code)
    this.starts.forEach((at, one) => { if (at !== EMPTY) this.enter(one) })
  }

  private enter(code: number): void {
    const mask = this.slots.length - 1
    const hash = this.hashes[code]!
    let slot = (hash ^ (hash >>> 15)) & mask
    while (this.slots[slot] !== EMPTY) slot = (slot + 1) & mask
    this.slots[slot] = code
  }

  private widen(code: number): void {
    const wider = (column: Int32Array): Int32Array<ArrayBuffer> => {
      const longer = new Int32Array(Math.max(column.length * 2, code + 1)).fill(EMPTY)
      longer.set(column)
      return longer
    }
    this.hashes = wider(this.hashes)
    this.starts = wider(this.starts)
    this.ends = wider(this.ends)
  }
}

function hashOf(data: Uint8Array, start: number, end: number): number {
  let hash = FNV_OFFSET | 0
  for (let at = start; at < end; at += 1) hash = Math.imul(hash ^ data[at]!, FNV_PRIME)
  return hash
}
