import { Bug } from './assert.ts'
import type { Image, Snapshot } from './snapshot.ts'
import { widened } from './widened.ts'

const NONE = -1

/**
 * Monotone entity numbers over recycled slots (design.md, decision 6). Numbers start at 1 and are never reused;
 * slots are private. Numbers live in a ring that spans the oldest to the newest live number.
 */
export class SlotIndex implements Snapshot {
  /** The next number to be given out. */
  nextNumber = 1
  /** Slots ever used; a column set must hold this many rows. */
  slotCount = 0
  live = 0
  private oldestNumber = 1
  private ring: Int32Array
  private free: Int32Array
  private freeCount = 0

  constructor(capacity = 1024) {
    this.ring = new Int32Array(capacity).fill(NONE)
    this.free = new Int32Array(capacity)
  }

  /** Takes a slot for the number `nextNumber`, which then advances. Read the number from `lastNumber`. */
  allocate(): number {
    const number = this.nextNumber++
    if (number - this.oldestNumber >= this.ring.length) this.widen()
    const slot = this.freeCount > 0 ? this.free[--this.freeCount]! : this.slotCount++
    this.ring[number & (this.ring.length - 1)] = slot
    this.live++
    return slot
  }

  get lastNumber(): number {
    return this.nextNumber - 1
  }

  /** The slot of a number, or −1 when it was never given out or has been released. */
  slotOf(number: number): number {
    if (!(number >= this.oldestNumber && number < this.nextNumber) || !Number.isSafeInteger(number)) return NONE
    return this.ring[number & (this.ring.length - 1)]!
  }

  /** Gives a number's slot back. */
  release(number: number): void {
    const slot = this.slotOf(number)
    if (slot === NONE) throw new Bug(`entity ${number} is not live`)
    const mask = this.ring.length - 1
    this.ring[number & mask] = NONE
    if (this.freeCount === this.free.length) {
      this.free = widened(this.free)
    }
    this.free[this.freeCount++] = slot
    this.live--
    while (this.oldestNumber < this.nextNumber && this.ring[this.oldestNumber & mask] === NONE) this.oldestNumber++
  }

  private widen(): void {
    const wider = new Int32Array(this.ring.length * 2).fill(NONE)
    const mask = this.ring.length - 1
    for (let n = this.oldestNumber; n < this.nextNumber - 1; n++) wider[n & (wider.length - 1)] = this.ring[n & mask]!
    this.ring = wider
  }

  snapshot(): Image {
    return {
      nextNumber: this.nextNumber,
      slotCount: this.slotCount,
      live: this.live,
      oldestNumber: this.oldestNumber,
      ring: this.ring.slice(),
      free: this.free.slice(),
      freeCount: this.freeCount,
    }
  }

  restore(image: Image): void {
    const from = image as unknown as {
      nextNumber: number; slotCount: number; live: number; oldestNumber: number
      ring: Int32Array; free: Int32Array; freeCount: number
    }
    this.nextNumber = from.nextNumber
    this.slotCount = from.slotCount
    this.live = from.live
    this.oldestNumber = from.oldestNumber
    this.ring = from.ring.slice()
    this.free = from.free.slice()
    this.freeCount = from.freeCount
  }
}
