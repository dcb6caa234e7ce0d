import type { Image } from './snapshot.ts'
import { isTypedColumn } from './snapshot.ts'

/**
 * Four independent 32-bit multiply-rotate lanes: a fast fingerprint of canonical numbers, not a cryptographic
 * one. `record` chains it under SHA-256; venues use it for `stateHash` (design.md, decision 13).
 */
export class LaneHash {
  readonly lanes = new Int32Array(4)
  private turn = 0

  constructor() {
    this.reset()
  }

  reset(): void {
    this.lanes[0] = 0x243f6a88
    this.lanes[1] = 0x85a308d3
    this.lanes[2] = 0x13198a2e
    this.lanes[3] = 0x03707344
    this.turn = 0
  }

  /** Mixes one 32-bit word into the next lane. */
  word(value: number): void {
    const lane = this.turn++ & 3
    let x = this.lanes[lane]! ^ value
    x = Math.imul(x, 0x9e3779b1)
    x = ((x << 15) | (x >>> 17)) + 0x7f4a7c15
    this.lanes[lane] = Math.imul(x ^ (x >>> 15), 0x85ebca6b)
  }

  /** Mixes `count` words of a view, starting at `from`. */
  words(view: Int32Array, from: number, count: number): void {
    for (let i = from; i < from + count; i++) this.word(view[i]!)
  }

  text(value: string): void {
    this.word(value.length)
    for (let i = 0; i < value.length; i++) this.word(value.charCodeAt(i))
  }

  /** The four lanes and the word count as 40 hex digits. */
  hex(): string {
    const parts = [...this.lanes, this.turn]
    return parts.map((lane) => (lane >>> 0).toString(16).padStart(8, '0')).join('')
  }
}

const scratch = new Float64Array(1)
const scratchWords = new Int32Array(scratch.buffer)

/** Mixes an image in, name by name in alphabetical order, so that equal images give equal hashes. */
export function hashImage(hash: LaneHash, image: Image): void {
  if (typeof image === 'number') {
    scratch[0] = image
    hash.word(scratchWords[0]!)
    hash.word(scratchWords[1]!)
  } else if (typeof image === 'string') hash.text(image)
  else if (typeof image === 'boolean') hash.word(image ? 1 : 2)
  else if (image === null) hash.word(3)
  else if (isTypedColumn(image)) {
    hash.word(image.length)
    for (let i = 0; i < image.length; i++) {
      scratch[0] = image[i]!
      hash.word(scratchWords[0]!)
      hash.word(scratchWords[1]!)
    }
  } else if (Array.isArray(image)) {
    hash.word(image.length)
    for (const item of image) hashImage(hash, item)
  } else {
    const tree = image as { readonly [name: string]: Image }
    const names = Object.keys(tree).sort()
    hash.word(names.length)
    for (const name of names) {
      hash.text(name)
      hashImage(hash, tree[name]!)
    }
  }
}
