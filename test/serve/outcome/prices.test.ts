import { describe, expect, it } from 'vitest'
import { MarketPrices } from '../../../src/serve/outcome/prices.ts'
import type { Ticks } from '../../../src/market/ticks.ts'

const MINUTE_US = 60_000_000

/** Bids and asks in millionths of a dollar, −1 for none. */
function ticksOf(rows: readonly (readonly [atUs: number, market: number, bidE6: number, askE6: number])[]): Ticks {
  const column = (index: 0 | 1 | 2 | 3) => Int32Array.from(rows, (row) => row[index])
  const none = new Int32Array(rows.length).fill(-1)
  return { count: rows.length, atUs: Float64Array.from(rows, ([atUs]) => atUs), market: column(1), bidE6: column(2), askE6: column(3), bidSize: none, askSize: none, lastE6: none }
}

describe('prices of a market', () => {
  it('OM-049 a bid is rounded down and an ask up, and a side without a price has none', () => {
    const prices = new MarketPrices(ticksOf([[10, 0, 400_199, 420_101], [20, 0, -1, 430_000], [30, 0, 400_000, -1]]), 1)
    expect([9, 10, 20, 30].map((nowUs) => prices.at(0, nowUs))).toEqual([
      null, { bidE4: 4001, askE4: 4202, atUs: 10 }, { bidE4: -1, askE4: 4300, atUs: 20 }, { bidE4: 4000, askE4: -1, atUs: 30 },
    ])
  })

  it('OM-106 a minute is told once it is over, with its last price, and other markets have their own', () => {
    const prices = new MarketPrices(ticksOf([[0, 0, 100_000, 120_000], [5, 1, 700_000, 720_000], [MINUTE_US - 1, 0, 200_000, 220_000], [MINUTE_US, 0, 300_000, -1]]), 2)
    const first = { bidE4: 2000, askE4: 2200, atUs: MINUTE_US }
    expect([MINUTE_US - 1, MINUTE_US, 2 * MINUTE_US - 1, 2 * MINUTE_US].map((nowUs) => prices.history(0, nowUs)))
      .toEqual([[], [first], [first], [first, { bidE4: 3000, askE4: -1, atUs: 2 * MINUTE_US }]])
    expect(prices.history(1, MINUTE_US)).toEqual([{ bidE4: 7000, askE4: 7200, atUs: MINUTE_US }])
  })
})
