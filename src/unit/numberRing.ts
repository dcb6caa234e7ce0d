import type { Image, Snapshot } from './snapshot.ts'

const NONE = -1

/**
 * A map from monotone entity numbers to small integers, for keys that live in a moving window: a ring indexed by the
 * low bits of the number, doubled when two live keys meet.
 */
export class NumberRing implements Snapshot {
  private keys: Float64Array
  private values: Int32Array

  constructor(capacity = 1024) {
    this.keys = new Float64Array(capacity).fill(NONE)
    this.values = new Int32Array(capacity)
  }

  /** The value of a number, or −1; a negative number has none. */
  get(number: number): number {
    if (number < 0) return NONE
    const at = number & (this.keys.length - 1)
    return this.keys[at] === number ? this.values[at]! : NONE
  }

  /** Precondition: number ≥ 0. */
  set(number: number, value: number): void {
    let at = number & (this.keys.length - 1)
    while (this.keys[at] !== NONE && this.keys[at] !== number) {
      this.widen()
      at = number & (this.keys.length - 1)
    }
    this.keys[at] = number
    this.values[at] = value
  }

  delete(number: number): void {
    const at = number & (this.keys.length - 1)
    if (this.keys[at] === number) this.keys[at] = NONE
  }

  private widen(): void {
    const { keys, values } = this
    this.keys = new Float64Array(keys.length * 2).fill(NONE)
    this.values = new Int32Array(keys.length * 2)
    for (let i = 0; i < keys.length; i++) {
      if (keys[i] === NONE) continue
      const at = keys[i]! & (this.keys.length - 1)
      this.keys[at] = keys[i]!
      this.values[at] = values[i]!
    }
  }

  snapshot(): Image {
    return { keys: this.keys.slice(), values: this.values.slice() }
  }

  restore(image: Image): void {
    const from = image as unknown as { keys: Float64Array; values: Int32Array }
    this.keys = from.keys.slice()
    this.values = from.values.slice()
  }
}
