import { assert } from '../unit/assert.ts'
import type { Image } from '../unit/snapshot.ts'
import * as timeModule from '../unit/time.ts'
import { type EventQueue, type EventQueueImage, eventQueueImage, refusePush } from './eventQueue.ts'
import { widened } from '../unit/widened.ts'

// Bound in this module, where V8 folds them into the code; an import is read anew at every use (docs/performance.md).
const { NEVER_US } = timeModule

const LEVELS = 7
const BUCKETS = LEVELS * 256
const NONE = -1
const TWO_32 = 2 ** 32
const TO_HIGH = 2 ** -32

/** Offsets in a node of four int32: the low and the high word of its time, its payload, the next node of its list. */
const LOW = 0
const HIGH = 1
const PAYLOAD = 2
const NEXT = 3

/**
 * A hierarchical timing wheel with base-256 digits of the integer time. An event lies on the level of the highest digit
 * in which its time differs from the base, in the bucket of that digit; a bucket is a list in order of arrival. Popping
 * from a level above the lowest moves the base to the bucket's earliest time and deals the list out to lower levels in
 * its order. Equal times thus share a bucket at all times, which makes them first in, first out without a sequence.
 *
 * The base moves in `pop` alone, and only to the time popped: every later push is at or after it.
 */
export class TimingWheel implements EventQueue {
  size = 0
  poppedUs = 0
  private nodes: Int32Array
  /** Nodes ever used; a free one is taken first. */
  private nodeCount = 0
  private freeNode = NONE
  private baseLow = 0
  private baseHigh = 0
  private readonly heads = new Int32Array(BUCKETS).fill(NONE)
  private readonly tails = new Int32Array(BUCKETS)
  /** Earliest time of a bucket that is not empty. Exact, since buckets above the lowest level empty only at once. */
  private readonly earliestUs = new Float64Array(BUCKETS)
  /** A bit per bucket, a bit per word of these, a bit per level: set where something lies. */
  private readonly bucketBits = new Int32Array(BUCKETS >> 5)
  private readonly wordBits = new Int32Array(LEVELS)
  private levelBits = 0
  /** The bucket that holds the earliest event, and its time: NEVER_US when the queue is empty. */
  private firstBucket = 0
  private firstUs: number = NEVER_US

  constructor(capacity = 1024) {
    assert(capacity >= 1, 'a queue holds at least one event')
    this.nodes = new Int32Array(capacity * 4)
  }

  nextUs(): number {
    return this.firstUs
  }

  push(atUs: number, payload: number): void {
    const low = atUs | 0
    const high = (atUs * TO_HIGH) | 0
    if (!(atUs >= this.poppedUs && atUs < NEVER_US && high * TWO_32 + (low >>> 0) === atUs)) refusePush(atUs, this.poppedUs)
    let node = this.freeNode
    if (node !== NONE) this.freeNode = this.nodes[node + NEXT]!
    else {
      node = this.nodeCount
      if (node === this.nodes.length) this.grow()
      this.nodeCount = node + 4
    }
    const nodes = this.nodes
    nodes[node + LOW] = low
    nodes[node + HIGH] = high
    nodes[node + PAYLOAD] = payload
    this.size++
    const bucket = this.place(node, low, high, atUs)
    if (atUs >= this.firstUs) return
    this.firstBucket = bucket
    this.firstUs = atUs
  }

  pop(): number {
    assert(this.size > 0, 'pop from an empty queue')
    const nodes = this.nodes
    let bucket = this.firstBucket
    const atUs = this.firstUs
    let node = this.heads[bucket]!
    if (bucket > 255) {
      this.baseLow = atUs | 0
      this.baseHigh = (atUs * TO_HIGH) | 0
      if (nodes[node + NEXT] !== NONE) {
        this.dealOut(bucket)
        bucket = this.baseLow & 255
        node = this.heads[bucket]!
      }
    }
    const next = nodes[node + NEXT]!
    this.heads[bucket] = next
    if (next === NONE) this.clearBit(bucket)
    // What is left of a bucket of the lowest level is due at the same time.
    if (next === NONE || bucket > 255) this.findFirst()
    else this.firstBucket = bucket
    nodes[node + NEXT] = this.freeNode
    this.freeNode = node
    this.size--
    this.poppedUs = atUs
    return nodes[node + PAYLOAD]!
  }

  /** Appends a node to the bucket that its time has under the present base, and returns the bucket. */
  private place(node: number, low: number, high: number, atUs: number): number {
    const above = high ^ this.baseHigh
    let bucket: number
    if (above === 0) {
      const level = (31 - Math.clz32((low ^ this.baseLow) | 1)) >> 3
      bucket = (level << 8) | ((low >>> (level << 3)) & 255)
    } else {
      const level = (31 - Math.clz32(above)) >> 3
      bucket = ((level + 4) << 8) | ((high >>> (level << 3)) & 255)
    }
    const nodes = this.nodes
    nodes[node + NEXT] = NONE
    if (this.heads[bucket] === NONE) {
      this.heads[bucket] = node
      this.earliestUs[bucket] = atUs
      const word = bucket >> 5
      const level = bucket >> 8
      this.bucketBits[word]! |= 1 << (bucket & 31)
      this.wordBits[level]! |= 1 << (word & 7)
      this.levelBits |= 1 << level
    } else {
      nodes[this.tails[bucket]! + NEXT] = node
      if (atUs < this.earliestUs[bucket]!) this.earliestUs[bucket] = atUs
    }
    this.tails[bucket] = node
    return bucket
  }

  /** Places the nodes of a bucket anew, in their order, after the base has moved into it. */
  private dealOut(bucket: number): void {
    const nodes = this.nodes
    let node = this.heads[bucket]!
    this.heads[bucket] = NONE
    this.clearBit(bucket)
    while (node !== NONE) {
      const next = nodes[node + NEXT]!
      const low = nodes[node + LOW]!
      const high = nodes[node + HIGH]!
      this.place(node, low, high, high * TWO_32 + (low >>> 0))
      node = next
    }
  }

  private findFirst(): void {
    if (this.levelBits === 0) {
      this.firstUs = NEVER_US
      return
    }
    const level = lowestBit(this.levelBits)
    const word = (level << 3) | lowestBit(this.wordBits[level]!)
    const bucket = (word << 5) | lowestBit(this.bucketBits[word]!)
    this.firstBucket = bucket
    this.firstUs = this.earliestUs[bucket]!
  }

  private clearBit(bucket: number): void {
    const word = bucket >> 5
    const level = bucket >> 8
    if ((this.bucketBits[word]! &= ~(1 << (bucket & 31))) !== 0) return
    if ((this.wordBits[level]! &= ~(1 << (word & 7))) === 0) this.levelBits &= ~(1 << level)
  }

  private grow(): void {
    this.nodes = widened(this.nodes)
  }

  snapshot(): Image {
    const timesUs = new Float64Array(this.size)
    const payloads = new Int32Array(this.size)
    const order = new Float64Array(this.size)
    let row = 0
    for (let bucket = 0; bucket < BUCKETS; bucket++) {
      for (let node = this.heads[bucket]!; node !== NONE; node = this.nodes[node + NEXT]!) {
        timesUs[row] = this.nodes[node + HIGH]! * TWO_32 + (this.nodes[node + LOW]! >>> 0)
        payloads[row] = this.nodes[node + PAYLOAD]!
        order[row] = row
        row++
      }
    }
    return eventQueueImage(this.poppedUs, timesUs, payloads, order)
  }

  restore(image: Image): void {
    const from = image as EventQueueImage
    this.size = 0
    this.nodeCount = 0
    this.freeNode = NONE
    this.heads.fill(NONE)
    this.bucketBits.fill(0)
    this.wordBits.fill(0)
    this.levelBits = 0
    this.firstUs = NEVER_US
    this.poppedUs = from.poppedUs
    this.baseLow = from.poppedUs | 0
    this.baseHigh = (from.poppedUs * TO_HIGH) | 0
    for (let i = 0; i < from.timesUs.length; i++) this.push(from.timesUs[i]!, from.payloads[i]!)
  }
}

const lowestBit = (bits: number): number => 31 - Math.clz32(bits & -bits)
