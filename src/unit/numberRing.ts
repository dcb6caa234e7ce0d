import { NONE } from './none.ts'
import { NumberTable } from './numberTable.ts'
import type { Image, Snapshot } from './snapshot.ts'

/** The ring grows no more when it has more cells than this for each live number. */
const SPARSE = 8

/**
 * A map from monotone entity numbers to small integers, for keys that live in a moving window. It is a ring, indexed by
 * the low bits of the number. Where two live numbers meet, the ring doubles. When the ring is nearly empty, the older number
 * has outlived the window and moves to a table. Memory thus follows from how many numbers are live, however long any lives.
 */
export class NumberRing implements Snapshot {
  /** NaN marks an empty cell, because it equals no number that is asked for. */
  private declare keys: Float64Array
  private declare values: Int32Array
  private count = 0
  private readonly outlived = new NumberTable()

  constructor(capacity = 1024) {
    this.keys = new Float64Array(capacity).fill(NaN)
    this.values = new Int32Array(capacity)
  }

  /** The value of a number, or −1. A negative number has no value. */
  get(number: number): number {
    const at = number & (this.keys.length - 1)
    if (this.keys[at] === number) return this.values[at]!
    return this.outlived.count === 0 ? NONE : this.outlived.get(number)
  }

  /** Precondition: number ≥ 0. */
  set(number: number, value: number): void {
    const at = number & (this.keys.length - 1)
    const key = this.keys[at]!
    if (key !== number) {
      if (key === key || this.outlived.count > 0) return this.setAmongOthers(number, value)
      this.keys[at] = number
      this.count++
    }
    this.values[at] = value
  }

  delete(number: number): void {
    const at = number & (this.keys.length - 1)
    if (this.keys[at] === number) {
      this.keys[at] = NaN
      this.count--
    } else if (this.outlived.count > 0) this.outlived.delete(number)
  }

  /** Sets a number that is not in the ring: it may be in the table, or its place is taken. */
  private setAmongOthers(number: number, value: number): void {
    const { keys, outlived } = this
    const at = number & (keys.length - 1)
    const key = keys[at]!
    if (outlived.get(number) !== NONE || (key > number && this.isSparse)) outlived.set(number, value)
    else if (key === key && !this.isSparse) {
      this.widen()
      this.set(number, value)
    } else {
      if (key === key) outlived.set(key, this.values[at]!)
      else this.count++
      keys[at] = number
      this.values[at] = value
    }
  }

  private get isSparse(): boolean {
    return this.count * SPARSE <= this.keys.length
  }

  private widen(): void {
    const { keys, values } = this
    this.keys = new Float64Array(keys.length * 2).fill(NaN)
    this.values = new Int32Array(keys.length * 2)
    for (let i = 0; i < keys.length; i++) {
      const at = keys[i]! & (this.keys.length - 1)
      if (keys[i] !== keys[i]) continue
      this.keys[at] = keys[i]!
      this.values[at] = values[i]!
    }
  }

  /** The entries by ascending number. Rings of equal content give equal images, whatever was done to them before. */
  snapshot(): Image {
    const inRing = this.keys.filter((key) => key === key)
    const numbers = new Float64Array(inRing.length + this.outlived.count)
    numbers.set(inRing)
    numbers.set(this.outlived.numbers(), inRing.length)
    numbers.sort((a, b) => a - b)
    return { numbers, values: Int32Array.from(numbers, (number) => this.get(number)) }
  }

  restore(image: Image): void {
    const { numbers, values } = image as unknown as { numbers: Float64Array; values: Int32Array }
    this.keys.fill(NaN)
    this.count = 0
    this.outlived.clear()
    for (let i = 0; i < numbers.length; i++) this.set(numbers[i]!, values[i]!)
  }
}
