import { expect, test } from 'vitest'
import { Reference } from '../../src/engine/reference.ts'
import { NO_PRICE, type Ticks } from '../../src/market/ticks.ts'

const [NO, YES] = [0, 1] as const

/** [atUs, market, bid, ask, last] in cents, −1 for none. */
function ticksOf(...rows: readonly (readonly [number, number, number, number, number])[]): Ticks {
  const e6 = (k: 2 | 3 | 4) => Int32Array.from(rows, (row) => (row[k] < 0 ? NO_PRICE : row[k] * 10_000))
  return {
    count: rows.length, atUs: Float64Array.from(rows, ([atUs]) => atUs), market: Int32Array.from(rows, ([, market]) => market),
    bidE6: e6(2), askE6: e6(3), lastE6: e6(4), bidSize: new Int32Array(rows.length), askSize: new Int32Array(rows.length),
  }
}

/** Market 0 is YES at 50, market 1 NO at 60, market 2 void at 70; trading in market 0 ended at 40. */
const OUTCOMES = { value: Float64Array.of(1, 0, NaN), atUs: Float64Array.of(50, 60, 70) }
const TRADED = Float64Array.of(40, Infinity, Infinity)
const TICKS = ticksOf(
  [10, 0, 40, 50, -1], [10, 1, 20, 30, -1], [12, 2, -1, -1, 70],
  [20, 0, 60, -1, -1], [25, 1, -1, 40, 33],
  [40, 0, 70, 80, -1], [41, 0, 99, 100, -1], [45, 2, -1, -1, -1], [59, 1, 10, 14, -1], [60, 1, 0, 1, -1],
)
const reference = () => new Reference(TICKS, 3, OUTCOMES, { tradedUntilUs: TRADED })
const touch = (how: 'bid' | 'ask', atUs: number, market: number, side: number) => reference().touchValue(how, atUs, 1, [market], [side], 0)

test.each<[string, 'bid' | 'ask', number, number, number, number]>([
  ['the ask of YES', 'ask', 10, 0, YES, 0.5],
  ['the bid of YES', 'bid', 10, 0, YES, 0.4],
  ['the ask of NO, the mirror of the bid', 'ask', 10, 0, NO, 0.6],
  ['an empty side of asks costs the whole payout', 'ask', 20, 0, YES, 1],
  ['an empty side of asks is an empty side of bids for NO', 'bid', 20, 0, NO, 0],
  ['a market without a book has its last price', 'ask', 12, 2, YES, 0.7],
  ['a settled leg has its result', 'ask', 50, 0, YES, 1],
  ['a settled leg has its result, whatever the book', 'ask', 60, 1, YES, 0],
])('at the touch: %s', (_, how, atUs, market, side, value) => {
  expect(touch(how, atUs, market, side)).toBeCloseTo(value, 12)
})

test('at the touch a parlay is the product of its legs, and unknown with one that has no price', () => {
  expect(reference().touchValue('ask', 10, 2, [9, 0, 1], [9, YES, NO], 1)).toBeCloseTo(0.5 * 0.8, 12)
  expect(touch('ask', 11, 2, YES)).toBeNaN()
})

test.each<[string, number[], number[], number]>([
  ['up to the end of trading, with the tick at it', [0], [YES], 0.75],
  ['before the result, where history knows no end of trading', [1], [YES], 0.12],
  ['of NO the mirror', [1], [NO], 0.88],
  ['the last one that had a price', [2], [YES], 0.7],
  ['the product of the legs', [0, 1], [YES, NO], 0.75 * 0.88],
])('at the close: %s', (_, markets, sides, value) => {
  expect(reference().closingValue(markets.length, markets, sides, 0)).toBeCloseTo(value, 12)
})

test('the close is the same before and after everything else was asked, and unknown of a market without a price', () => {
  const late = reference()
  late.parlayValue(1000, 1, [0], [YES], 0)
  expect(late.closingValue(1, [0], [YES], 0)).toBeCloseTo(0.75, 12)
  expect(new Reference(TICKS, 4, { value: Float64Array.of(1, 0, NaN, 1), atUs: Float64Array.of(50, 60, 70, 80) }).closingValue(1, [3], [YES], 0)).toBeNaN()
  // Without an end of trading that of market 0 is the last price before its result.
  expect(new Reference(TICKS, 3, OUTCOMES).closingValue(1, [0], [YES], 0)).toBeCloseTo(0.995, 12)
})

test('at the close a one-sided book counts, with its empty side at the end of the scale, and no trade of long ago', () => {
  const ticks = ticksOf([10, 0, 70, 80, 75], [20, 0, 99, -1, 75], [10, 1, 40, 50, 50], [20, 1, -1, 1, 50], [10, 2, 40, 50, -1], [20, 2, -1, -1, 33])
  const closes = new Reference(ticks, 3, { value: Float64Array.of(1, 0, 0), atUs: Float64Array.of(30, 30, 30) })
  expect([0, 1, 2].map((m) => closes.closingValue(1, [m], [YES], 0))).toEqual([0.995, 0.005, 0.33])
})

test.each<[string, number, number, number, number]>([
  ['the middle of its book', 10, 0, YES, 0.45],
  ['of NO the mirror', 10, 0, NO, 0.55],
  ['an empty side of asks at the end of the scale', 20, 0, YES, 0.8],
  ['an empty side of bids at the end of the scale, whatever the last trade', 25, 1, YES, 0.2],
  ['the last trade without a book', 12, 2, YES, 0.7],
  ['what it was before a tick that has no price', 45, 2, YES, 0.7],
  ['its close from the end of trading on, whatever the book', 41, 0, NO, 0.25],
  ['its result from then on', 50, 0, YES, 1],
  ['1 where it is void', 70, 2, NO, 1],
])('at an instant a market is worth %s', (_, atUs, market, side, value) => {
  expect(reference().parlayValue(atUs, 1, [market], [side], 0)).toBeCloseTo(value, 12)
})

test('at an instant a parlay is the product of its legs, unknown before one has a price', () => {
  expect(reference().parlayValue(10, 2, [9, 0, 1], [9, YES, NO], 1)).toBeCloseTo(0.45 * 0.75, 12)
  expect(reference().parlayValue(11, 2, [0, 2], [YES, YES], 0)).toBeNaN()
})
