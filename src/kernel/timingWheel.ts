import { assert } from '../unit/assert.ts'
import type { Image } from '../unit/snapshot.ts'
import { NEVER_US } from '../unit/time.ts'
import { type EventQueue, type EventQueueImage, eventQueueImage, refusePush } from './eventQueue.ts'

/** A digit has ten bits. 32 words of 32 bits say which buckets of a level are in use, and one more word says which of these words are not 0. */
const DIGIT_BITS = 10
const LEVELS = 6
const DIGITS = 1 << DIGIT_BITS
const BUCKETS = LEVELS * DIGITS
/** A time is kept as two numbers: its three lower digits and its three upper digits. */
const LOW_LEVELS = 3
const SPLIT = 2 ** 30
const LOW_MASK = SPLIT - 1
const TO_HIGH = 1 / SPLIT
const DIGIT_MASK = DIGITS - 1

/**
 * The layout of the one array of cells: bucket rows, a bit per bucket, a bit per word of these, nodes. Rows and nodes
 * begin at multiples of four, so that `|` finds their cells. Unlike `+`, it needs no check for overflow.
 */
const WORDS = BUCKETS * 4
const SUMMARIES = WORDS + (BUCKETS >> 5)
const NODES = SUMMARIES + 8

/** Offsets in the row of a bucket that is not empty: its first and its last node, and its earliest time. */
const HEAD = 0
const TAIL = 1
const EARLIEST_LOW = 2
const EARLIEST_HIGH = 3

/** Offsets in a node: both halves of its time, its payload, the next node of its list. The last node's `NEXT` has no meaning. */
const LOW = 0
const HIGH = 1
const PAYLOAD = 2
const NEXT = 3
/** Names no node. */
const NONE = 0

/** Bit 0 of a word. Bits count from the top, so that clz32 alone finds the first. */
const TOP_BIT = 1 << 31

/**
 * A hierarchical timing wheel with base-1024 digits of the integer time. An event lies on the level of the highest digit
 * in which its time differs from the base, in the bucket of that digit. A bucket is a list in order of arrival. Popping
 * moves the base to the popped time. A list of several events above the lowest level is then dealt out to lower levels, in its order.
 * Equal times thus always share a bucket, so that they leave first in, first out without a sequence number.
 *
 * The base moves in `pop` alone, so that every later push is at or after the base.
 */
export class TimingWheel implements EventQueue {
  size = 0
  poppedUs = 0
  /** One array for everything, so that a push or a pop loads one address and one length. */
  private declare cells: Int32Array
  private freeNode = NONE
  private baseLow = 0
  private baseHigh = 0
  private levelBits = 0
  /** The bucket that holds the earliest event, and its time: NEVER_US when the queue is empty. */
  private firstBucket = 0
  private firstUs: number = NEVER_US

  constructor(capacity = 1024) {
    assert(capacity >= 1, 'a queue holds at least one event')
    this.cells = new Int32Array(NODES + capacity * 4)
    this.freeFrom(NODES)
  }

  nextUs(): number {
    return this.firstUs
  }

  push(atUs: number, payload: number): void {
    if (!(atUs >= this.poppedUs && atUs < NEVER_US && Math.floor(atUs) === atUs)) refusePush(atUs, this.poppedUs)
    if (this.freeNode === NONE) this.grow()
    const { cells } = this
    const node = this.freeNode
    this.freeNode = cells[node | NEXT]!
    const low = atUs & LOW_MASK
    const high = (atUs * TO_HIGH) | 0
    cells[node | LOW] = low
    cells[node | HIGH] = high
    cells[node | PAYLOAD] = payload
    this.size++
    const bucket = this.place(cells, node, low, high)
    if (atUs >= this.firstUs) return
    this.firstBucket = bucket
    this.firstUs = atUs
  }

  pop(): number {
    assert(this.size > 0, 'pop from an empty queue')
    const { cells } = this
    const bucket = this.firstBucket
    const row = bucket << 2
    this.baseLow = cells[row | EARLIEST_LOW]!
    this.baseHigh = cells[row | EARLIEST_HIGH]!
    this.poppedUs = this.firstUs
    let node = cells[row | HEAD]!
    if (node === cells[row | TAIL]) {
      this.clearBit(cells, bucket)
      this.findFirst(cells)
    } else if (bucket > DIGIT_MASK) {
      node = this.dealOut(cells, bucket)
      this.findFirst(cells)
    } else cells[row | HEAD] = cells[node | NEXT]! // In a bucket of the lowest level all events are due at the same time.
    cells[node | NEXT] = this.freeNode
    this.freeNode = node
    this.size--
    return cells[node | PAYLOAD]!
  }

  /** Appends a node to the bucket of its time under the present base, and returns the bucket. */
  private place(cells: Int32Array, node: number, low: number, high: number): number {
    let digits = low
    let apart = low ^ this.baseLow
    let level = 0
    if (high !== this.baseHigh) {
      digits = high
      apart = high ^ this.baseHigh
      level = LOW_LEVELS
    }
    // The place of the highest bit, divided by ten.
    const digit = ((31 - Math.clz32(apart | 1)) * 103) >> 10
    level += digit
    const bucket = level * DIGITS + ((digits >>> (digit * DIGIT_BITS)) & DIGIT_MASK)
    const row = bucket << 2
    const word = WORDS + (bucket >> 5)
    const bits = cells[word]!
    const bit = TOP_BIT >>> (bucket & 31)
    if ((bits & bit) === 0) {
      cells[word] = bits | bit
      cells[SUMMARIES + level]! |= TOP_BIT >>> ((bucket >> 5) & 31)
      this.levelBits |= TOP_BIT >>> level
      cells[row | HEAD] = node
      cells[row | EARLIEST_LOW] = low
      cells[row | EARLIEST_HIGH] = high
    } else {
      cells[cells[row | TAIL]! | NEXT] = node
      const earliestHigh = cells[row | EARLIEST_HIGH]!
      if (high < earliestHigh || (high === earliestHigh && low < cells[row | EARLIEST_LOW]!)) {
        cells[row | EARLIEST_LOW] = low
        cells[row | EARLIEST_HIGH] = high
      }
    }
    cells[row | TAIL] = node
    return bucket
  }

  /** Places the nodes of a bucket anew, in their order. The first node at the base is not placed but returned. */
  private dealOut(cells: Int32Array, bucket: number): number {
    const row = bucket << 2
    const tail = cells[row | TAIL]!
    let node = cells[row | HEAD]!
    let due = NONE
    this.clearBit(cells, bucket)
    for (;;) {
      const next = cells[node | NEXT]!
      const low = cells[node | LOW]!
      const high = cells[node | HIGH]!
      if (due === NONE && low === this.baseLow && high === this.baseHigh) due = node
      else this.place(cells, node, low, high)
      if (node === tail) return due
      node = next
    }
  }

  private findFirst(cells: Int32Array): void {
    if (this.levelBits === 0) {
      this.firstUs = NEVER_US
      return
    }
    const level = Math.clz32(this.levelBits)
    const word = level * 32 + Math.clz32(cells[SUMMARIES + level]!)
    const bucket = word * 32 + Math.clz32(cells[WORDS + word]!)
    const row = bucket << 2
    this.firstBucket = bucket
    this.firstUs = cells[row | EARLIEST_HIGH]! * SPLIT + cells[row | EARLIEST_LOW]!
  }

  private clearBit(cells: Int32Array, bucket: number): void {
    const word = bucket >> 5
    const level = bucket >> DIGIT_BITS
    if ((cells[WORDS + word]! &= ~(TOP_BIT >>> (bucket & 31))) !== 0) return
    if ((cells[SUMMARIES + level]! &= ~(TOP_BIT >>> (word & 31))) === 0) this.levelBits &= ~(TOP_BIT >>> level)
  }

  /** Doubles the nodes, all of which are in use. */
  private grow(): void {
    const { cells } = this
    this.cells = new Int32Array(NODES + (cells.length - NODES) * 2)
    this.cells.set(cells)
    this.freeFrom(cells.length)
  }

  /** Makes the list of free nodes of all nodes from `first` on. */
  private freeFrom(first: number): void {
    const { cells } = this
    for (let node = first; node < cells.length; node += 4) cells[node | NEXT] = node + 4
    cells[cells.length - 4 + NEXT] = NONE
    this.freeNode = first
  }

  snapshot(): Image {
    const { cells } = this
    const timesUs = new Float64Array(this.size)
    const payloads = new Int32Array(this.size)
    const order = new Float64Array(this.size)
    let i = 0
    for (let bucket = 0; bucket < BUCKETS; bucket++) {
      if ((cells[WORDS + (bucket >> 5)]! & (TOP_BIT >>> (bucket & 31))) === 0) continue
      const row = bucket << 2
      for (let node = cells[row | HEAD]!; ; node = cells[node | NEXT]!) {
        timesUs[i] = cells[node | HIGH]! * SPLIT + cells[node | LOW]!
        payloads[i] = cells[node | PAYLOAD]!
        order[i] = i
        i++
        if (node === cells[row | TAIL]) break
      }
    }
    return eventQueueImage(this.poppedUs, timesUs, payloads, order)
  }

  restore(image: Image): void {
    const from = image as EventQueueImage
    this.size = 0
    this.cells.fill(0, WORDS, NODES)
    this.levelBits = 0
    this.freeFrom(NODES)
    this.firstUs = NEVER_US
    this.poppedUs = from.poppedUs
    this.baseLow = from.poppedUs & LOW_MASK
    this.baseHigh = (from.poppedUs * TO_HIGH) | 0
    for (let i = 0; i < from.timesUs.length; i++) this.push(from.timesUs[i]!, from.payloads[i]!)
  }
}
