import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { legPrice, Price, PRICE_STRIDE, PriceBoard, productPrice } from '../../src/market/priceBoard.ts'
import { firstTickAt, ticksBetween, ticksUnless } from '../../src/market/tickWindow.ts'
import type { Ticks } from '../../src/market/ticks.ts'

type Row = readonly [atUs: number, market: number, bid: number, ask: number, last: number]

/** Sizes are the tick's index, so that a mixed-up row shows. */
function ticksOf(rows: readonly Row[]): Ticks {
  return {
    count: rows.length,
    atUs: Float64Array.from(rows, (row) => row[0]),
    market: Int32Array.from(rows, (row) => row[1]),
    bidE6: Int32Array.from(rows, (row) => row[2]),
    askE6: Int32Array.from(rows, (row) => row[3]),
    bidSize: Int32Array.from(rows, (_, i) => i),
    askSize: Int32Array.from(rows, (_, i) => i + 1000),
    lastE6: Int32Array.from(rows, (row) => row[4]),
  }
}

const YES = 1
const NO = 0
const marketsOf = (board: PriceBoard): number[] => Array.from({ length: board.cells.length / PRICE_STRIDE }, (_, market) => market)
const column = (board: PriceBoard, field: number): number[] => marketsOf(board).map((market) => board.cells[market * PRICE_STRIDE + field]!)
const stamps = (board: PriceBoard): number[] => marketsOf(board).map((market) => board.stampUs(market))
const see = (board: PriceBoard): unknown => [...Object.values(Price).map((field) => column(board, field)), stamps(board)]

describe('a board in time', () => {
  const rows: Row[] = [[100, 0, 400_000, 420_000, -1], [100, 1, -1, -1, 300_000], [200, 0, 500_000, 520_000, 510_000]]

  test('a tick is visible from its stamp plus the lag on, not a microsecond before', () => {
    const board = new PriceBoard(ticksOf(rows), 2, 50)
    board.advance(149)
    expect(stamps(board)).toEqual([-1, -1])
    board.advance(150)
    expect(column(board, Price.bidE6)).toEqual([400_000, -1])
    expect(column(board, Price.lastE6)).toEqual([-1, 300_000])
    expect(stamps(board)).toEqual([100, 100])
    expect(column(board, Price.askSize)).toEqual([1000, 1001])
    board.advance(249)
    expect(column(board, Price.bidE6)[0]).toBe(400_000)
    board.advance(250)
    expect(column(board, Price.bidE6)[0]).toBe(500_000)
    expect(board.applied).toBe(3)
  })

  test('an earlier instant than before changes nothing', () => {
    const board = new PriceBoard(ticksOf(rows), 2, 0)
    board.advance(200)
    const seen = see(board)
    board.advance(100)
    expect(see(board)).toEqual(seen)
  })

  test('a negative lag sees that far ahead and no further', () => {
    const oracle = new PriceBoard(ticksOf(rows), 2, -60)
    oracle.advance(139)
    expect(column(oracle, Price.bidE6)[0]).toBe(400_000)
    oracle.advance(140)
    expect(column(oracle, Price.bidE6)[0]).toBe(500_000)
  })

  test('an image brings a board back, and the board then goes on as before', () => {
    const ticks = ticksOf(rows)
    const board = new PriceBoard(ticks, 2, 0)
    board.advance(100)
    const image = board.snapshot()
    board.advance(300)
    const other = new PriceBoard(ticks, 2, 0)
    other.restore(image)
    expect(column(other, Price.bidE6)[0]).toBe(400_000)
    other.advance(300)
    expect(see(other)).toEqual(see(board))
  })
})

describe('the price of a leg', () => {
  const board = new PriceBoard(ticksOf([
    [1000, 0, 400_000, 430_000, 100_000], // both sides
    [1000, 1, 400_000, -1, 390_000], // nobody sells
    [1000, 2, -1, -1, 250_000], // only ever a last price
    [900, 3, 400_000, 430_000, 410_000], [1000, 3, -1, -1, 410_000], // an emptied book
    [1000, 4, 0, 1_000_000, -1], // the widest book
  ]), 6, 0)
  board.advance(1000)
  const price = (market: number, side: number, how: 'bid' | 'ask' | 'mid', now = 1000, maxAge = 100): number =>
    legPrice(board, market, side, how, now, maxAge)

  test('both sides: NO mirrors YES', () => {
    expect(price(0, YES, 'ask')).toBe(0.43)
    expect(price(0, YES, 'bid')).toBe(0.4)
    expect(price(0, YES, 'mid')).toBe(0.415)
    expect(price(0, NO, 'ask')).toBe(0.6)
    expect(price(0, NO, 'bid')).toBe(0.57)
    expect(price(0, NO, 'mid')).toBe(0.585)
  })

  test('one side: the other cannot be traded, the middle is the last price', () => {
    expect(price(1, YES, 'bid')).toBe(0.4)
    expect(price(1, YES, 'ask')).toBeNaN()
    expect(price(1, NO, 'ask')).toBe(0.6)
    expect(price(1, NO, 'bid')).toBeNaN()
    expect(price(1, YES, 'mid')).toBe(0.39)
    expect(price(1, NO, 'mid')).toBe(0.61)
  })

  test('a market that never showed a book: all three are the last price', () => {
    for (const how of ['bid', 'ask', 'mid'] as const) {
      expect(price(2, YES, how)).toBe(0.25)
      expect(price(2, NO, how)).toBe(0.75)
    }
  })

  test('an emptied book: only the middle has a price', () => {
    expect(price(3, YES, 'ask')).toBeNaN()
    expect(price(3, NO, 'bid')).toBeNaN()
    expect(price(3, YES, 'mid')).toBe(0.41)
  })

  test('prices of 0 and 1 are prices', () => {
    expect(price(4, YES, 'bid')).toBe(0)
    expect(price(4, YES, 'ask')).toBe(1)
    expect(price(4, NO, 'ask')).toBe(1)
  })

  test('age: exactly the limit is young enough, one microsecond more is not; never seen is unknown', () => {
    expect(price(0, YES, 'mid', 1100, 100)).toBe(0.415)
    expect(price(0, YES, 'mid', 1101, 100)).toBeNaN()
    expect(price(0, YES, 'mid', Infinity, Infinity)).toBe(0.415)
    expect(price(5, YES, 'mid', 1000, Infinity)).toBeNaN()
  })

  test('a product of legs; one unknown leg makes it unknown', () => {
    const markets = Int32Array.of(9, 0, 2, 1)
    const sides = Uint8Array.of(9, YES, NO, YES)
    expect(productPrice(board, markets, sides, 1, 2, 'ask', 1000, 100)).toBe(0.43 * 0.75)
    expect(productPrice(board, markets, sides, 1, 3, 'ask', 1000, 100)).toBeNaN()
    expect(productPrice(board, markets, sides, 1, 0, 'ask', 1000, 100)).toBe(1)
  })
})

const MARKETS = 4
const history = fc.array(
  fc.tuple(fc.integer({ min: 0, max: 60 }), fc.integer({ min: 0, max: MARKETS - 1 }), fc.integer({ min: -1, max: 9 }),
    fc.integer({ min: -1, max: 9 }), fc.integer({ min: -1, max: 9 })),
  { maxLength: 40 },
).map((rows) => [...rows].sort((a, b) => a[0] - b[0]))

/** The board read off the definition: for each market the last tick whose visible time has come. */
function naive(rows: readonly Row[], lagUs: number, nowUs: number): unknown {
  const markets = Array.from({ length: MARKETS }, (_, m) => {
    const seen = rows.map((row, i) => ({ row, i })).filter(({ row }) => row[1] === m && row[0] + lagUs <= nowUs)
    return { latest: seen.at(-1), booked: seen.some(({ row }) => row[2] >= 0 || row[3] >= 0) }
  })
  return [
    markets.map((m) => m.latest?.row[2] ?? -1), markets.map((m) => m.latest?.row[3] ?? -1),
    markets.map((m) => m.latest?.i ?? -1), markets.map((m) => (m.latest === undefined ? -1 : m.latest.i + 1000)),
    markets.map((m) => m.latest?.row[4] ?? -1), markets.map((m) => (m.booked ? 1 : 0)),
    markets.map((m) => m.latest?.row[0] ?? -1),
  ]
}

test('however it is advanced, a board equals the naive replay', () => {
  fc.assert(fc.property(history, fc.integer({ min: -9, max: 9 }), fc.array(fc.integer({ min: 0, max: 75 })), (rows, lagUs, steps) => {
    const board = new PriceBoard(ticksOf(rows), MARKETS, lagUs)
    let nowUs = -Infinity
    for (const step of steps) {
      nowUs = Math.max(nowUs, step)
      board.advance(step)
      expect(see(board)).toEqual(naive(rows, lagUs, nowUs))
    }
  }))
})

test('no look-ahead: changing every tick after t changes nothing that a board shows up to t', () => {
  fc.assert(fc.property(history, history, fc.integer({ min: 0, max: 60 }), fc.integer({ min: 0, max: 9 }), (rows, others, t, lagUs) => {
    const changed = [...rows.filter((row) => row[0] <= t), ...others.filter((row) => row[0] > t)]
    const [a, b] = [new PriceBoard(ticksOf(rows), MARKETS, lagUs), new PriceBoard(ticksOf(changed), MARKETS, lagUs)]
    for (let nowUs = 0; nowUs <= t; nowUs++) {
      a.advance(nowUs)
      b.advance(nowUs)
      expect(see(a)).toEqual(see(b))
    }
  }))
})

test('a stretch of history takes its first instant and leaves its last', () => {
  const ticks = ticksOf([[5, 0, 1, 2, 3], [5, 1, 1, 2, 3], [7, 2, 1, 2, 3], [9, 3, 1, 2, 3]])
  expect(firstTickAt(ticks, 5)).toBe(0)
  expect(firstTickAt(ticks, 6)).toBe(2)
  expect(firstTickAt(ticks, 10)).toBe(4)
  expect([...ticksBetween(ticks, 5, 9).market]).toEqual([0, 1, 2])
  expect(ticksBetween(ticks, 5, 9).count).toBe(3)
  expect(ticksBetween(ticks, 9, 5).count).toBe(0)
})

test('ticks of marked markets are left out from an instant on', () => {
  const ticks = ticksOf([[1, 0, 1, 2, -1], [1, 1, 3, 4, -1], [5, 0, 5, 6, -1], [5, 1, 7, 8, -1], [6, 2, 9, 10, -1], [6, 1, 11, 12, -1]])
  const rest = ticksUnless(Uint8Array.of(0, 1, 0), ticks, 5)
  expect(rest.count).toBe(4)
  expect([...rest.atUs]).toEqual([1, 1, 5, 6])
  expect([...rest.market]).toEqual([0, 1, 0, 2])
  expect([...rest.bidE6]).toEqual([1, 3, 5, 9])
  // Sizes count ticks: 1000 and the index.
  expect([...rest.askSize]).toEqual([1000, 1001, 1002, 1004])
  // There is nothing to leave out, so the columns are the same.
  expect(ticksUnless(Uint8Array.of(0, 1, 0), ticks, 7)).toBe(ticks)
  expect(ticksUnless(Uint8Array.of(0, 0, 0), ticks, 1)).toBe(ticks)
})
