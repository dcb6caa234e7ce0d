import * as fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { closingValues, lastPrices, tickSpans } from '../../src/market/marketFolds.ts'
import { MarketValues } from '../../src/market/marketValue.ts'
import { PriceBoard } from '../../src/market/priceBoard.ts'
import { PriceMoves } from '../../src/market/priceMoves.ts'
import { Side } from '../../src/market/sides.ts'
import type { Ticks } from '../../src/market/ticks.ts'
import { chunkOfTick, Recent, sourceOf, TickCursor } from '../../src/market/tickSource.ts'
import { sourceBefore, sourceUnless, ticksBetween, ticksUnless } from '../../src/market/tickWindow.ts'
import { NEVER_US } from '../../src/unit/time.ts'
import { chunkedTicks } from './chunkedTicks.ts'
import { wholeTicks } from './wholeTicks.ts'

const MARKETS = 3
const SIZES = [1, 2, 7, 1000]

type Row = readonly [atUs: number, market: number, bid: number, ask: number, last: number]
const price = fc.oneof(fc.constant(-1), fc.integer({ min: 1, max: 9 }).map((cents) => cents * 10_000))
const history: fc.Arbitrary<Ticks> = fc.array(fc.tuple(fc.integer({ min: 0, max: 25 }), fc.integer({ min: 0, max: MARKETS - 1 }), price, price, price), { maxLength: 40 })
  .map((rows) => ticksOf(rows.toSorted((a, b) => a[0] - b[0])))

function ticksOf(rows: readonly Row[]): Ticks {
  const column = (of: (row: Row, i: number) => number): Int32Array => Int32Array.from(rows, of)
  return {
    count: rows.length, atUs: Float64Array.from(rows, ([atUs]) => atUs), market: column((row) => row[1]), bidE6: column((row) => row[2]), askE6: column((row) => row[3]),
    bidSize: column((_, i) => i), askSize: column((_, i) => i + 1000), lastE6: column((row) => row[4]),
  }
}

const cellsOf = (board: PriceBoard): unknown => [[...board.cells], Array.from({ length: MARKETS }, (_, m) => board.stampUs(m)), board.applied]

describe('chunks of any size', () => {
  test('show boards the same at every instant, whatever their lag, and after a snapshot', () => {
    fc.assert(fc.property(history, fc.constantFrom(...SIZES), fc.integer({ min: -9, max: 9 }), fc.array(fc.integer({ min: 0, max: 40 }), { maxLength: 8 }), (ticks, size, lagUs, steps) => {
      const source = chunkedTicks(ticks, size)
      let board = new PriceBoard(source, MARKETS, lagUs)
      const whole = new PriceBoard(ticks, MARKETS, lagUs)
      for (const step of [...steps, Infinity]) {
        board.advance(step)
        whole.advance(step)
        expect(cellsOf(board)).toEqual(cellsOf(whole))
        const image = board.snapshot()
        expect(image).toEqual(whole.snapshot())
        board = new PriceBoard(source, MARKETS, lagUs)
        board.restore(image)
      }
    }))
  })

  test('have the same next move of a price', () => {
    const question = fc.record({ nowUs: fc.integer({ min: -1, max: 30 }), lagUs: fc.integer({ min: -4, max: 4 }), untilUs: fc.oneof(fc.constant(NEVER_US), fc.integer({ min: 0, max: 30 })), how: fc.constantFrom('bid', 'ask', 'mid'), side: fc.constantFrom(Side.yes, Side.no), by: fc.integer({ min: 1, max: 100_000 }) })
    fc.assert(fc.property(history, fc.constantFrom(...SIZES), fc.array(question, { minLength: 1, maxLength: 4 }), (ticks, size, questions) => {
      const [moves, whole] = [new PriceMoves(chunkedTicks(ticks, size), MARKETS), new PriceMoves(ticks, MARKETS)]
      for (const { nowUs, lagUs, untilUs, how, side, by } of questions) {
        const board = new PriceBoard(ticks, MARKETS, lagUs)
        board.advance(nowUs)
        const ask = (of: PriceMoves): number => of.firstMoveUs(board, [0, 1], [side, side], 0, 2, how, by, untilUs)
        expect(ask(moves)).toBe(ask(whole))
      }
    }), { numRuns: 3000 })
  })

  test('have the same values, spans, last prices and closes, with digests and without', () => {
    const bounds = fc.array(fc.oneof(fc.constant(Infinity), fc.integer({ min: 0, max: 30 })), { minLength: 2 * MARKETS, maxLength: 2 * MARKETS })
    fc.assert(fc.property(history, fc.constantFrom(...SIZES), fc.integer({ min: 0, max: 3 }), bounds, fc.integer({ min: -1, max: 30 }), fc.integer({ min: -1, max: 30 }), (ticks, size, digests, at, fromUs, toUs) => {
      const source = chunkedTicks(ticks, size, { digests })
      const [settledUs, tradedUntilUs] = [Float64Array.from(at.slice(0, MARKETS)), Float64Array.from(at.slice(MARKETS))]
      const values = new MarketValues(source, settledUs, tradedUntilUs)
      const whole = new MarketValues(ticks, settledUs, tradedUntilUs)
      for (const us of [fromUs, toUs, Infinity]) {
        values.advance(us)
        whole.advance(us)
        expect(values.yes).toEqual(whole.yes)
      }
      expect(closingValues(source, { settledUs, tradedUntilUs })).toEqual(whole.yes)
      const wanted = Uint8Array.of(1, 0, 1)
      expect(closingValues(source, { settledUs, tradedUntilUs, wanted })).toEqual(whole.yes.map((yes, m) => (wanted[m] === 1 ? yes : NaN)))
      expect(tickSpans(MARKETS, source, fromUs, toUs)).toEqual(tickSpans(MARKETS, sourceOf(ticks), fromUs, toUs))
      expect(lastPrices(MARKETS, source, toUs)).toEqual(lastPrices(MARKETS, sourceOf(ticks), toUs))
    }), { numRuns: 500 })
  })

  test('are the same ticks before an instant, and without those of marked markets', () => {
    fc.assert(fc.property(history, fc.constantFrom(...SIZES), fc.integer({ min: -1, max: 30 }), (ticks, size, us) => {
      const source = chunkedTicks(ticks, size)
      const before = sourceBefore(source, us)
      expect(wholeTicks(before)).toEqual(wholeTicks(ticksBetween(ticks, -Infinity, us)))
      expect(before.startOf(before.chunkCount)).toBe(before.count)
      if (before.chunkCount > 0) expect([before.firstUs(0), before.lastUs(before.chunkCount - 1)]).toEqual([ticks.atUs[0], ticks.atUs[before.count - 1]])
      const marked = Uint8Array.of(0, 1, 0)
      expect(wholeTicks(sourceUnless(marked, source, us))).toEqual(wholeTicks(ticksUnless(marked, ticks, us)))
    }))
  })
})

/** Each with a tick of market 0 but the last, which is of market 1. */
const FIVE = ticksOf([[10, 0, 10_000, 20_000, -1], [20, 0, 20_000, 30_000, -1], [30, 0, 30_000, 40_000, -1], [40, 0, 40_000, 50_000, -1], [50, 1, 50_000, 60_000, -1]])

it.each([
  ['moved, and the chunk after it is of another instant', [[10, 0, -1, 20_000, -1], [10, 1, 1, 1, 1], [20, 0, -1, 90_000, -1]], 10],
  ['did not move, and a later chunk does', [[10, 0, 10_000, -1, -1], [10, 1, 1, 1, 1], [20, 0, -1, 90_000, -1]], 20],
  ['moved, and is replaced at its instant two chunks later', [[10, 0, -1, 20_000, -1], [10, 1, 1, 1, 1], [10, 0, 10_000, -1, -1], [20, 0, -1, 90_000, -1]], 20],
] as const)('the last tick of a chunk whose instant goes on %s', (_, rows, expected) => {
  expect(new PriceMoves(chunkedTicks(ticksOf(rows), 1), 2).firstMoveUs(new PriceBoard(ticksOf([]), 2, 0), [0], [Side.yes], 0, 1, 'ask', 2, NEVER_US)).toBe(expected)
})

describe('chunks are loaded', () => {
  it('when a tick of theirs is due, and not before', () => {
    const loaded: number[] = []
    const board = new PriceBoard(chunkedTicks(FIVE, 1, { loaded: (chunk) => loaded.push(chunk) }), 2, 5)
    board.advance(14)
    expect(loaded).toEqual([])
    board.advance(15)
    expect(loaded).toEqual([0])
    board.advance(35)
    expect(loaded).toEqual([0, 1, 2])
  })

  it('only once for one who looks ahead again and again, where the market is not in them', () => {
    const loaded: number[] = []
    const moves = new PriceMoves(chunkedTicks(FIVE, 1, { loaded: (chunk) => loaded.push(chunk) }), 2)
    const board = new PriceBoard(FIVE, 2, 0)
    board.advance(5)
    const ask = (): number => moves.firstMoveUs(board, [1], [Side.yes], 0, 1, 'ask', 2, NEVER_US)
    expect([ask(), ask()]).toEqual([50, 50])
    // Those of the other market are passed over the second time. The fifth is read for its index, and for its ticks each time.
    expect(loaded).toEqual([0, 1, 2, 3, 4, 4, 4])
  })

  it('never for spans that digests tell, and of the rest those alone that the end lies in', () => {
    const loaded: number[] = []
    const source = chunkedTicks(FIVE, 1, { digests: 2, loaded: (chunk) => loaded.push(chunk) })
    expect([...tickSpans(2, source, 0, 41).lastUs]).toEqual([40, -1])
    expect(loaded).toEqual([])
    expect([...tickSpans(2, source, 0, 40).lastUs]).toEqual([30, -1])
    expect(loaded).toEqual([2])
    expect([...lastPrices(2, source, 41).price]).toEqual([0.045, -1])
    expect(loaded).toEqual([2])
  })

  it('for a close only where the digest has a later price', () => {
    const loaded: number[] = []
    const source = chunkedTicks(FIVE, 1, { digests: 2, loaded: (chunk) => loaded.push(chunk) })
    const close = (us: number): number => closingValues(source, { settledUs: Float64Array.of(us, Infinity), tradedUntilUs: null, wanted: Uint8Array.of(1, 0) })[0]!
    expect(close(41)).toBe(0.045)
    expect(close(30)).toBe(0.025)
    expect(loaded).toEqual([])
    expect(close(40)).toBe(0.035)
    expect(loaded).toEqual([2, 3])
  })
})

it('a cursor stands at the begin of a chunk without loading it, and finds every place', () => {
  const loaded: number[] = []
  const cursor = new TickCursor(chunkedTicks(FIVE, 2, { loaded: (chunk) => loaded.push(chunk) }))
  cursor.seek(2)
  expect([cursor.passed, cursor.nextUs, loaded.length]).toEqual([2, 30, 0])
  cursor.seek(3)
  expect([cursor.passed, cursor.nextUs, cursor.isDue(39), cursor.isDue(40)]).toEqual([3, 40, false, true])
  cursor.seek(5)
  expect([cursor.passed, cursor.nextUs, cursor.isDue(Infinity)]).toEqual([5, Infinity, false])
  expect(loaded).toEqual([1])
})

it('a tick belongs to the chunk in which it is', () => {
  const source = chunkedTicks(FIVE, 2)
  expect([0, 1, 2, 4, 5].map((tick) => chunkOfTick(source, tick))).toEqual([0, 0, 1, 2, 3])
  expect(sourceOf(ticksBetween(FIVE, 0, 0)).chunkCount).toBe(0)
})

it('the few that were used last are kept', () => {
  const made: number[] = []
  const recent = new Recent(2, (key) => {
    made.push(key)
    return key * 10
  })
  expect([1, 2, 1, 3, 1, 2].map((key) => recent.of(key))).toEqual([10, 20, 10, 30, 10, 20])
  expect(made).toEqual([1, 2, 3, 2])
})
