import { NEVER_US } from '../unit/time.ts'
import type { Ticks } from './ticks.ts'

/** Walks a tick history without reading prices: for a loop that merges ticks with other events, or only counts them. */
export class TickCursor {
  /** Ticks passed so far. */
  passed = 0
  private readonly ticks: Ticks

  constructor(ticks: Ticks) {
    this.ticks = ticks
  }

  /** Stamp of the next tick; NEVER_US after the last. */
  get nextUs(): number {
    return this.passed < this.ticks.count ? this.ticks.atUs[this.passed]! : NEVER_US
  }

  /** Passes every tick stamped at or before `nowUs` and returns how many these were. */
  advance(nowUs: number): number {
    const { atUs, count } = this.ticks
    const before = this.passed
    let i = before
    while (i < count && atUs[i]! <= nowUs) i++
    this.passed = i
    return i - before
  }
}

/** Index of the first tick stamped at or after `us`; `count` when there is none. */
export function firstTickAt(ticks: Ticks, us: number): number {
  let low = 0
  let high = ticks.count
  while (low < high) {
    const middle = (low + high) >>> 1
    if (ticks.atUs[middle]! < us) low = middle + 1
    else high = middle
  }
  return low
}

/** The ticks from one instant up to, not including, another: views of the same columns. */
export function ticksBetween(ticks: Ticks, fromUs: number, untilUs: number): Ticks {
  const from = firstTickAt(ticks, fromUs)
  const until = Math.max(from, firstTickAt(ticks, untilUs))
  return {
    count: until - from,
    atUs: ticks.atUs.subarray(from, until),
    market: ticks.market.subarray(from, until),
    bidE6: ticks.bidE6.subarray(from, until),
    askE6: ticks.askE6.subarray(from, until),
    bidSize: ticks.bidSize.subarray(from, until),
    askSize: ticks.askSize.subarray(from, until),
    lastE6: ticks.lastE6.subarray(from, until),
  }
}
