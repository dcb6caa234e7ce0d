import { Bug } from './assert.ts'
import { NONE } from './none.ts'
import { NumberTable } from './numberTable.ts'
import type { Image, Snapshot } from './snapshot.ts'
import { widened } from './widened.ts'

/** The ring grows no more when it has more cells than this for each live number. */
const SPARSE = 8

/**
 * Monotone entity numbers over recycled slots (design.md, decision 6). Numbers start at 1 and are never reused. Slots are
 * private. The latest numbers live in a ring. When the ring is nearly empty, the oldest live numbers move to a table, so
 * that memory follows from how many numbers are live, however long any of them lives.
 */
export class SlotIndex implements Snapshot {
  /** The next number to be given out. */
  nextNumber = 1
  /** Slots ever used. A column set must hold this many rows. */
  slotCount = 0
  live = 0
  /** The ring spans from this number to the newest. Live numbers before it are in the table. */
  private oldestNumber = 1
  private declare ring: Int32Array
  private readonly outlived = new NumberTable()
  private declare free: Int32Array
  private freeCount = 0

  constructor(capacity = 1024) {
    this.ring = new Int32Array(capacity).fill(NONE)
    this.free = new Int32Array(capacity)
  }

  /** Takes a slot for the number `nextNumber`, which then advances. Read the number from `lastNumber`. */
  allocate(): number {
    const number = this.nextNumber
    if (number - this.oldestNumber >= this.ring.length) this.makeRoom()
    const slot = this.freeCount > 0 ? this.free[--this.freeCount]! : this.slotCount++
    this.ring[number & (this.ring.length - 1)] = slot
    this.nextNumber = number + 1
    this.live++
    return slot
  }

  get lastNumber(): number {
    return this.nextNumber - 1
  }

  /** The slot of a number, or −1 when the number was never given out or has been released. */
  slotOf(number: number): number {
    if (number >= this.oldestNumber && number < this.nextNumber && Math.floor(number) === number) {
      return this.ring[number & (this.ring.length - 1)]!
    }
    return this.outlived.count === 0 ? NONE : this.outlived.get(number)
  }

  /** Gives a number's slot back. */
  release(number: number): void {
    if (number < this.oldestNumber) return this.releaseOutlived(number)
    const { ring, nextNumber } = this
    const mask = ring.length - 1
    const slot = ring[number & mask]!
    if (slot === NONE || number >= nextNumber) refuseRelease(number)
    ring[number & mask] = NONE
    this.giveBack(slot)
    let oldest = this.oldestNumber
    while (oldest < nextNumber && ring[oldest & mask] === NONE) oldest++
    this.oldestNumber = oldest
  }

  private releaseOutlived(number: number): void {
    const slot = this.outlived.get(number)
    if (slot === NONE) refuseRelease(number)
    this.outlived.delete(number)
    this.giveBack(slot)
  }

  private giveBack(slot: number): void {
    if (this.freeCount === this.free.length) this.free = widened(this.free)
    this.free[this.freeCount++] = slot
    this.live--
  }

  /** Doubles the ring, or moves its older half into the table when the ring is nearly empty. */
  private makeRoom(): void {
    const { ring, nextNumber } = this
    const mask = ring.length - 1
    if (this.live * SPARSE > ring.length) {
      this.ring = new Int32Array(ring.length * 2).fill(NONE)
      for (let n = this.oldestNumber; n < nextNumber; n++) this.ring[n & (this.ring.length - 1)] = ring[n & mask]!
      return
    }
    const from = nextNumber - (ring.length >> 1)
    for (let n = this.oldestNumber; n < from; n++) {
      if (ring[n & mask] !== NONE) this.outlived.set(n, ring[n & mask]!)
      ring[n & mask] = NONE
    }
    this.oldestNumber = from
  }

  /** The live numbers, ascending, with their slots, and the free slots in the order in which they were given back. */
  snapshot(): Image {
    const numbers = new Float64Array(this.live)
    numbers.set(this.outlived.numbers())
    let count = this.outlived.count
    for (let n = this.oldestNumber; n < this.nextNumber; n++) if (this.slotOf(n) !== NONE) numbers[count++] = n
    return {
      nextNumber: this.nextNumber, slotCount: this.slotCount, numbers,
      slots: Int32Array.from(numbers, (number) => this.slotOf(number)), free: this.free.slice(0, this.freeCount),
    }
  }

  restore(image: Image): void {
    const { nextNumber, slotCount, numbers, slots, free } = image as unknown as {
      nextNumber: number; slotCount: number; numbers: Float64Array; slots: Int32Array; free: Int32Array
    }
    this.nextNumber = nextNumber
    this.slotCount = slotCount
    this.live = numbers.length
    let length = this.ring.length
    while (length < this.live * SPARSE && length < nextNumber - numbers[0]!) length *= 2
    this.ring = new Int32Array(length).fill(NONE)
    this.oldestNumber = Math.max(1, nextNumber - length)
    this.outlived.clear()
    for (let i = 0; i < numbers.length; i++) {
      if (numbers[i]! < this.oldestNumber) this.outlived.set(numbers[i]!, slots[i]!)
      else this.ring[numbers[i]! & (length - 1)] = slots[i]!
    }
    this.free = widened(free, Math.max(1024, free.length))
    this.freeCount = free.length
  }
}

/** A function of its own, so that `release` builds no message unless it fails. */
function refuseRelease(number: number): never {
  throw new Bug(`entity ${number} is not live`)
}
