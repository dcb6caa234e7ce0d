import type { Ticks } from './ticks.ts'

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
