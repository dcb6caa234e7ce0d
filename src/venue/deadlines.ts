import type { Image, Snapshot } from '../unit/snapshot.ts'
import { NEVER_US } from '../unit/time.ts'

const RANK_SPAN = 2 ** 44

/**
 * The deadlines of a venue: a 4-ary heap over typed arrays, ordered by (time, rank, entity number). The order of
 * equal instants thus follows from what is due and never from when it was scheduled. Entries are not removed when
 * they lose their object: the venue finds at the pulse that nothing is left to do.
 */
export class Deadlines implements Snapshot {
  private times: Float64Array
  private keys: Float64Array
  private size = 0

  constructor(capacity = 1024) {
    this.times = new Float64Array(capacity)
    this.keys = new Float64Array(capacity)
  }

  get count(): number {
    return this.size
  }

  /** The earliest instant, or NEVER_US. */
  nextUs(): number {
    return this.size === 0 ? NEVER_US : this.times[0]!
  }

  /** Rank of the entry that `pop` removes next. */
  get rank(): number {
    return Math.floor(this.keys[0]! / RANK_SPAN)
  }

  /** Entity number of the entry that `pop` removes next. */
  get number(): number {
    const key = this.keys[0]!
    return key - Math.floor(key / RANK_SPAN) * RANK_SPAN
  }

  /** Schedules entity `number` (< 2⁴⁴) at `atUs`, the first instant at which the thing is over. */
  push(atUs: number, rank: number, number: number): void {
    if (this.size === this.times.length) {
      this.times = doubled(this.times)
      this.keys = doubled(this.keys)
    }
    const { times, keys } = this
    const key = rank * RANK_SPAN + number
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

  snapshot(): Image {
    return { times: this.times.slice(0, this.size), keys: this.keys.slice(0, this.size), size: this.size }
  }

  restore(image: Image): void {
    const from = image as unknown as { times: Float64Array; keys: Float64Array; size: number }
    const capacity = Math.max(1024, from.size)
    this.times = new Float64Array(capacity)
    this.keys = new Float64Array(capacity)
    this.times.set(from.times)
    this.keys.set(from.keys)
    this.size = from.size
  }
}

function doubled(column: Float64Array): Float64Array<ArrayBuffer> {
  const wider = new Float64Array(column.length * 2)
  wider.set(column)
  return wider
}
