import { NONE } from './none.ts'

/** 2³² over the golden ratio: its multiples spread neighbouring numbers evenly. */
const GOLDEN = 0x9e3779b1 | 0

/** A map from numbers to small integers, with open addressing. At least half of its places are empty, and its size follows from how many numbers it holds. */
export class NumberTable {
  count = 0
  /** NaN marks an empty place, because it equals no number that is asked for. */
  private keys = new Float64Array(16).fill(NaN)
  private values = new Int32Array(16)
  /** The shift that leaves the highest bits of a 32-bit product: a place in the table. */
  private shift = 28

  /** The value of a number, or −1. */
  get(number: number): number {
    const { keys } = this
    const mask = keys.length - 1
    let at = Math.imul(number, GOLDEN) >>> this.shift
    for (let key = keys[at]!; key === key; key = keys[at]!) {
      if (key === number) return this.values[at]!
      at = (at + 1) & mask
    }
    return NONE
  }

  set(number: number, value: number): void {
    if (this.count * 2 >= this.keys.length) this.widen()
    const { keys } = this
    const mask = keys.length - 1
    let at = Math.imul(number, GOLDEN) >>> this.shift
    for (let key = keys[at]!; key === key && key !== number; key = keys[at]!) at = (at + 1) & mask
    if (keys[at] !== number) this.count++
    keys[at] = number
    this.values[at] = value
  }

  delete(number: number): void {
    const { keys, values, shift } = this
    const mask = keys.length - 1
    let hole = Math.imul(number, GOLDEN) >>> shift
    for (let key = keys[hole]!; key !== number; key = keys[hole]!) {
      if (key !== key) return
      hole = (hole + 1) & mask
    }
    this.count--
    // A later number whose search passed over the hole moves into it, so that a search may stop at an empty place.
    let at = (hole + 1) & mask
    for (let key = keys[at]!; key === key; key = keys[at]!) {
      const home = Math.imul(key, GOLDEN) >>> shift
      if (((at - home) & mask) >= ((at - hole) & mask)) {
        keys[hole] = key
        values[hole] = values[at]!
        hole = at
      }
      at = (at + 1) & mask
    }
    keys[hole] = NaN
  }

  clear(): void {
    this.keys.fill(NaN)
    this.count = 0
  }

  /** The numbers in the table, ascending. */
  numbers(): Float64Array {
    return this.keys.filter((key) => key === key).sort((a, b) => a - b)
  }

  private widen(): void {
    const { keys, values } = this
    this.keys = new Float64Array(keys.length * 2).fill(NaN)
    this.values = new Int32Array(keys.length * 2)
    this.shift--
    this.count = 0
    for (let i = 0; i < keys.length; i++) if (keys[i] === keys[i]) this.set(keys[i]!, values[i]!)
  }
}
