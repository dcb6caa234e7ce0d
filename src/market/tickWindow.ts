import type { Ticks } from './ticks.ts'

/** Index of the first tick stamped at or after `us`, or `count` when there is none. */
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

/** The ticks without those of markets marked with 1, from an instant on. */
export function ticksUnless(marked: Uint8Array, ticks: Ticks, fromUs: number): Ticks {
  const from = firstTickAt(ticks, fromUs)
  const kept: number[] = []
  let isWhole = true
  for (let i = from; i < ticks.count; i++) {
    if (marked[ticks.market[i]!] === 1) isWhole = false
    else kept.push(i)
  }
  if (isWhole) return ticks
  const count = from + kept.length
  const pick = <A extends Float64Array | Int32Array>(column: A): A => {
    const picked = column.slice(0, count) as A
    for (const [k, i] of kept.entries()) picked[from + k] = column[i]!
    return picked
  }
  return {
    count, atUs: pick(ticks.atUs), market: pick(ticks.market), bidE6: pick(ticks.bidE6), askE6: pick(ticks.askE6),
    bidSize: pick(ticks.bidSize), askSize: pick(ticks.askSize), lastE6: pick(ticks.lastE6),
  }
}
