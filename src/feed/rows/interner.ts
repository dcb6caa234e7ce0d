const EMPTY = -1
const FNV_OFFSET = 0x811c9dc5
const FNV_PRIME = 0x01000193

/** Gives each different text a code, from 0, in order of appearance. Texts that lie in bytes are found without making a string. */
export class Interner {
  readonly texts: string[] = []
  private readonly codes = new Map<string, number>()
  /** Codes by hash of bytes; open addressing. */
  private slots = new Int32Array(1 << 8).fill(EMPTY)
  private readonly bytes: (Uint8Array | undefined)[] = []
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

  /** `textOf` makes the text of bytes that are seen for the first time. */
  codeOfBytes(data: Uint8Array, start: number, end: number, textOf: () => string): number {
    let hash = FNV_OFFSET
    for (let i = start; i < end; i += 1) hash = Math.imul(hash ^ data[i]!, FNV_PRIME)
    const mask = this.slots.length - 1
    let slot = (hash ^ (hash >>> 15)) & mask
    for (;;) {
      const code = this.slots[slot]!
      if (code === EMPTY) break
      if (isSame(this.bytes[code]!, data, start, end)) return code
      slot = (slot + 1) & mask
    }
    const code = this.codeOf(textOf())
    // Two encodings of one text share its code: the second is found through its text each time.
    if (this.bytes[code] === undefined) {
      this.bytes[code] = data.slice(start, end)
      this.slots[slot] = code
      this.filled += 1
      if (this.filled * 2 > this.slots.length) this.grow()
    }
    return code
  }

  private grow(): void {
    const mask = this.slots.length * 2 - 1
    this.slots = new Int32Array(mask + 1).fill(EMPTY)
    this.bytes.forEach((bytes, code) => {
      if (bytes === undefined) return
      let hash = FNV_OFFSET
      for (const byte of bytes) hash = Math.imul(hash ^ byte, FNV_PRIME)
      let slot = (hash ^ (hash >>> 15)) & mask
      while (this.slots[slot] !== EMPTY) slot = (slot + 1) & mask
      this.slots[slot] = code
    })
  }
}

function isSame(bytes: Uint8Array, data: Uint8Array, start: number, end: number): boolean {
  if (bytes.length !== end - start) return false
  for (let i = 0; i < bytes.length; i += 1) if (bytes[i] !== data[start + i]) return false
  return true
}
