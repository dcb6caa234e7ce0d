import { assert } from '../unit/assert.ts'
import type { Image, Snapshot } from '../unit/snapshot.ts'
import { NEVER_US } from '../unit/time.ts'
import { widened } from '../unit/widened.ts'

/** Ranks are below this number. */
const RANKS = 8
const RANK_SPAN = 2 ** 44
/** Where the earliest entry is, beside the lanes of the ranks. */
const HEAP = RANKS
const NOWHERE = -1

/**
 * The deadlines of a venue, ordered by (time, rank, entity number). The order at equal instants depends on what is due and
 * never on when it was scheduled. Entries are not removed when their object is gone: at the pulse the venue finds that
 * nothing is left to do.
 *
 * Most windows have a constant length, so that deadlines of a rank are mostly scheduled in order. They wait in the rank's
 * lane, first in first out. Only an entry that would come before the lane's last entry goes into a heap.
 */
export class Deadlines implements Snapshot {
  private readonly lanes: readonly Lane[] = Array.from({ length: RANKS }, () => new Lane())
  private declare readonly heap: Heap
  /** Time of the entry in front of each lane and of the heap, NEVER_US when there is none. */
  private readonly headsUs = new Float64Array(RANKS + 1).fill(NEVER_US)
  private first = NOWHERE
  /** Where the earliest entry is. */
  private firstUs: number = NEVER_US
  /** The earliest time in front anywhere else. Until then one lane is emptied without looking at the others. */
  private othersUs: number = NEVER_US

  constructor(capacity = 64) {
    this.heap = new Heap(capacity)
  }

  get count(): number {
    return this.lanes.reduce((sum, lane) => sum + lane.count, this.heap.size)
  }

  get isEmpty(): boolean {
    return this.first === NOWHERE
  }

  /** The earliest instant, or NEVER_US. */
  nextUs(): number {
    return this.firstUs
  }

  /** Rank of the entry that `pop` removes next. Precondition: there is one. */
  get rank(): number {
    return this.first === HEAP ? Math.floor(this.heap.keys[0]! / RANK_SPAN) : this.first
  }

  /** Entity number of the entry that `pop` removes next. Precondition: there is one. */
  get number(): number {
    return this.first === HEAP ? this.heap.keys[0]! % RANK_SPAN : this.lanes[this.first]!.headNumber
  }

  /** Schedules entity `number` (< 2⁴⁴) of `rank` (< 8) at `atUs`, the first instant at which the thing is over. */
  push(atUs: number, rank: number, number: number): void {
    assert(atUs < NEVER_US, 'a deadline that is never due')
    const lane = this.lanes[rank]!
    if (lane.takes(atUs, number)) {
      lane.append(atUs, number)
      // The lane's other entries come before this one, and so does its first.
      if (lane.count > 1) return
      this.headsUs[rank] = atUs
    } else {
      this.heap.push(atUs, rank * RANK_SPAN + number)
      this.headsUs[HEAP] = this.heap.times[0]!
    }
    this.findFirst()
  }

  /** Removes the earliest entry. Precondition: there is one. */
  pop(): void {
    const { first, heap, headsUs } = this
    assert(first !== NOWHERE, 'no deadline to remove')
    if (first === HEAP) {
      heap.pop()
      headsUs[HEAP] = heap.size > 0 ? heap.times[0]! : NEVER_US
    } else {
      const lane = this.lanes[first]!
      lane.shift()
      const headUs = lane.count > 0 ? lane.headUs : NEVER_US
      headsUs[first] = headUs
      if (headUs < this.othersUs) {
        this.firstUs = headUs
        return
      }
    }
    this.findFirst()
  }

  private findFirst(): void {
    const { headsUs } = this
    let first = NOWHERE
    let firstUs: number = NEVER_US
    let othersUs: number = NEVER_US
    for (let rank = 0; rank < RANKS; rank++) {
      const atUs = headsUs[rank]!
      if (atUs >= othersUs) continue
      if (atUs < firstUs) {
        othersUs = firstUs
        first = rank
        firstUs = atUs
      } else othersUs = atUs
    }
    const heapUs = headsUs[HEAP]!
    if (this.heap.size > 0 && (heapUs < firstUs || (heapUs === firstUs && this.heap.keys[0]! < first * RANK_SPAN + this.lanes[first]!.headNumber))) {
      othersUs = firstUs
      first = HEAP
      firstUs = heapUs
    } else if (heapUs < othersUs) othersUs = heapUs
    this.first = first
    this.firstUs = firstUs
    this.othersUs = othersUs
  }

  /** The entries in order. Equal deadlines give equal images, however they were scheduled. */
  snapshot(): Image {
    const entries: [atUs: number, key: number][] = this.heap.entries()
    for (let rank = 0; rank < RANKS; rank++) {
      for (const [atUs, number] of this.lanes[rank]!.entries()) entries.push([atUs, rank * RANK_SPAN + number])
    }
    entries.sort((a, b) => a[0] - b[0] || a[1] - b[1])
    return {
      times: Float64Array.from(entries, ([atUs]) => atUs), keys: Float64Array.from(entries, ([, key]) => key), size: entries.length,
    }
  }

  restore(image: Image): void {
    const { times, keys, size } = image as unknown as { times: Float64Array; keys: Float64Array; size: number }
    for (const lane of this.lanes) lane.clear()
    this.heap.size = 0
    this.headsUs.fill(NEVER_US)
    this.findFirst()
    for (let i = 0; i < size; i++) this.push(times[i]!, Math.floor(keys[i]! / RANK_SPAN), keys[i]! % RANK_SPAN)
  }
}

/** The deadlines of one rank that were scheduled in order: a ring of (time, number) pairs. */
class Lane {
  count = 0
  private pairs = new Float64Array(128)
  /** Index of the pair in front, and of the pair after the last. */
  private head = 0
  private tail = 0

  /** Time of the entry in front. Precondition: there is one. */
  get headUs(): number {
    return this.pairs[this.head]!
  }

  /** Number of the entry in front. Precondition: there is one. */
  get headNumber(): number {
    return this.pairs[this.head | 1]!
  }

  /** Whether an entry comes after all that wait here. */
  takes(atUs: number, number: number): boolean {
    if (this.count === 0) return true
    const last = (this.tail - 2) & (this.pairs.length - 1)
    const lastUs = this.pairs[last]!
    return atUs > lastUs || (atUs === lastUs && number >= this.pairs[last | 1]!)
  }

  append(atUs: number, number: number): void {
    if (this.count * 2 === this.pairs.length) this.widen()
    const { pairs, tail } = this
    pairs[tail] = atUs
    pairs[tail | 1] = number
    this.tail = (tail + 2) & (pairs.length - 1)
    this.count++
  }

  /** Removes the entry in front. Precondition: there is one. */
  shift(): void {
    this.head = (this.head + 2) & (this.pairs.length - 1)
    this.count--
  }

  clear(): void {
    this.head = this.tail = this.count = 0
  }

  entries(): [atUs: number, number: number][] {
    const { pairs, head } = this
    const mask = pairs.length - 1
    return Array.from({ length: this.count }, (_, i) => [pairs[(head + 2 * i) & mask]!, pairs[(head + 2 * i + 1) & mask]!])
  }

  private widen(): void {
    const wider = new Float64Array(this.pairs.length * 2)
    wider.set(this.entries().flat())
    this.pairs = wider
    this.head = 0
    this.tail = this.count * 2
  }
}

/** A 4-ary heap over typed arrays, ordered by (time, key). */
class Heap {
  size = 0
  declare times: Float64Array
  declare keys: Float64Array

  constructor(capacity: number) {
    this.times = new Float64Array(capacity)
    this.keys = new Float64Array(capacity)
  }

  push(atUs: number, key: number): void {
    if (this.size === this.times.length) {
      this.times = widened(this.times)
      this.keys = widened(this.keys)
    }
    const { times, keys } = this
    let i = this.size++
    while (i > 0) {
      const parent = (i - 1) >> 2
      if (times[parent]! < atUs || (times[parent] === atUs && keys[parent]! <= key)) break
      times[i] = times[parent]!
      keys[i] = keys[parent]!
      i = parent
    }
    times[i] = atUs
    keys[i] = key
  }

  /** Removes the earliest entry. Precondition: there is one. */
  pop(): void {
    const { times, keys } = this
    const size = --this.size
    const time = times[size]!
    const key = keys[size]!
    let i = 0
    for (;;) {
      const first = 4 * i + 1
      if (first >= size) break
      let least = first
      const last = Math.min(first + 4, size)
      for (let c = first + 1; c < last; c++) {
        if (times[c]! < times[least]! || (times[c] === times[least] && keys[c]! < keys[least]!)) least = c
      }
      if (time < times[least]! || (time === times[least] && key <= keys[least]!)) break
      times[i] = times[least]!
      keys[i] = keys[least]!
      i = least
    }
    times[i] = time
    keys[i] = key
  }

  entries(): [atUs: number, key: number][] {
    return Array.from({ length: this.size }, (_, i) => [this.times[i]!, this.keys[i]!])
  }
}
