import * as fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { foldedHistory } from '../../../src/feed/history/foldedHistory.ts'
import { StoreSource } from '../../../src/feed/history/storeSource.ts'
import { closingValues } from '../../../src/market/marketFolds.ts'
import { MarketValues } from '../../../src/market/marketValue.ts'
import { PriceBoard } from '../../../src/market/priceBoard.ts'
import type { Ticks } from '../../../src/market/ticks.ts'
import { sourceBefore } from '../../../src/market/tickWindow.ts'
import { wholeTicks } from '../../market/wholeTicks.ts'
import { madeStore } from './madeStore.ts'

const MARKETS = 3
type Row = readonly [atUs: number, market: number, bid: number, ask: number, last: number]
const price = fc.oneof(fc.constant(-1), fc.integer({ min: 1, max: 9 }).map((cents) => cents * 10_000))
const rowsOf = fc.array(fc.tuple(fc.integer({ min: 0, max: 60 }), fc.integer({ min: 0, max: MARKETS - 1 }), price, price, price), { maxLength: 30 })
  .map((rows): Row[] => rows.toSorted((a, b) => a[0] - b[0]))
const imports = fc.array(rowsOf, { minLength: 1, maxLength: 3 })
const shape = fc.record({ partUs: fc.constantFrom(7, 20, 100), rows: fc.constantFrom(1, 3, 100) })

function ticksOf(rows: readonly Row[]): Ticks {
  const column = (of: (row: Row, i: number) => number): Int32Array => Int32Array.from(rows, of)
  return {
    count: rows.length, atUs: Float64Array.from(rows, ([atUs]) => atUs), market: column((row) => row[1]), bidE6: column((row) => row[2]), askE6: column((row) => row[3]),
    bidSize: column((_, i) => i), askSize: column((_, i) => i + 1000), lastE6: column((row) => row[4]),
  }
}

const catalogueOf = (count: number) => ({ markets: Array.from({ length: count }) }) as never
const sourceOfImports = (lists: readonly (readonly Row[])[], how: { partUs: number; rows: number; read?: (part: string, batch: number) => void }): StoreSource =>
  new StoreSource(madeStore(catalogueOf(MARKETS), lists.map(ticksOf), how))
/** All rows by time, then import, then row. */
const merged = (lists: readonly (readonly Row[])[]): Row[] => lists.flat().toSorted((a, b) => a[0] - b[0])
const seen = (board: PriceBoard): unknown => [[...board.cells], Array.from({ length: MARKETS }, (_, m) => board.stampUs(m))]

describe('the parts of a store', () => {
  test('are one history, whatever overlaps, with true stamps and numbers', () => {
    fc.assert(fc.property(imports, shape, (lists, how) => {
      const source = sourceOfImports(lists, how)
      const { atUs, market, bidE6 } = wholeTicks(source)
      expect(Array.from(atUs, (us, i) => [us, market[i], bidE6[i]])).toEqual(merged(lists).map(([us, m, bid]) => [us, m, bid]))
      expect([source.count, source.startOf(source.chunkCount)]).toEqual([atUs.length, atUs.length])
      for (let chunk = 0, start = 0; chunk < source.chunkCount; chunk++) {
        const ticks = source.chunk(chunk)
        expect(source.startOf(chunk)).toBe(start)
        start += ticks.count
        for (let i = 0; i < ticks.count; i++) expect(source.firstUs(chunk) <= ticks.atUs[i]! && ticks.atUs[i]! <= source.lastUs(chunk)).toBe(true)
        if (chunk > 0) expect(source.firstUs(chunk)).toBeGreaterThanOrEqual(source.lastUs(chunk - 1))
        for (let m = 0; m < MARKETS; m++) if (ticks.market.includes(m)) expect(source.has(chunk, m)).toBe(true)
      }
    }))
  })

  test('folded at an instant show boards and values the same from then on, whatever lag there is', () => {
    fc.assert(fc.property(imports, shape, fc.integer({ min: 0, max: 60 }), fc.integer({ min: 0, max: 9 }), fc.array(fc.oneof(fc.constant(Infinity), fc.integer({ min: 0, max: 70 })), { minLength: MARKETS, maxLength: MARKETS }), (lists, how, us, lagUs, bounds) => {
      const source = sourceOfImports(lists, how)
      const folded = foldedHistory(source, MARKETS, us - lagUs)
      if (folded === null) return
      const [board, whole] = [new PriceBoard(folded.ticks, MARKETS, lagUs), new PriceBoard(source, MARKETS, lagUs)]
      const tradedUntilUs = Float64Array.from(bounds)
      const settledUs = new Float64Array(MARKETS).fill(Infinity)
      const opening = { stateTicks: folded.stateTicks, yes: closingValues(sourceBefore(source, folded.fromUs), { settledUs, tradedUntilUs }) }
      const [values, all] = [new MarketValues(folded.ticks, settledUs, tradedUntilUs, opening), new MarketValues(source, settledUs, tradedUntilUs)]
      for (let nowUs = us; nowUs <= 75; nowUs++) {
        board.advance(nowUs)
        whole.advance(nowUs)
        expect(seen(board)).toEqual(seen(whole))
        values.advance(nowUs)
        all.advance(nowUs)
        expect(values.yes).toEqual(all.yes)
      }
      expect(folded.ticks.startOf(folded.ticks.chunkCount)).toBe(folded.ticks.count)
    }), { numRuns: 1000 })
  })
})

it('what lies before the parts of a window is not read, nor what lies behind them', () => {
  const rows = Array.from({ length: 60 }, (_, i): Row => [i, i % MARKETS, 10_000 * (1 + (i % 9)), -1, -1])
  const read: string[] = []
  const source = sourceOfImports([rows], { partUs: 10, rows: 5, read: (part, batch) => read.push(`${part} ${batch}`) })
  const { ticks } = foldedHistory(sourceBefore(source, 33), MARKETS, 25)!
  expect(read).toEqual(['parts/30.0.arrow 0'])
  const board = new PriceBoard(ticks, MARKETS, 0)
  board.advance(24)
  expect(read).toEqual(['parts/30.0.arrow 0', 'parts/20.0.arrow 0'])
  board.advance(1000)
  expect(read).toEqual(['parts/30.0.arrow 0', 'parts/20.0.arrow 0', 'parts/20.0.arrow 1'])
  expect(Array.from({ length: MARKETS }, (_, m) => board.stampUs(m))).toEqual([30, 31, 32])
})

it('a price of the state that came before the last one that counts is not taken for the value', () => {
  // Trading ended at 2. The last price up to then is 0.02; that of the last book came before, and the last price after it.
  const rows: Row[] = [[1, 0, 10_000, 10_000, -1], [2, 0, -1, -1, 20_000], [3, 0, -1, -1, 30_000], [20, 1, 1, 1, 1]]
  const source = sourceOfImports([rows], { partUs: 10, rows: 100 })
  const folded = foldedHistory(source, MARKETS, 20)!
  const [settledUs, tradedUntilUs] = [new Float64Array(MARKETS).fill(Infinity), Float64Array.of(2, Infinity, Infinity)]
  const values = new MarketValues(folded.ticks, settledUs, tradedUntilUs, { stateTicks: folded.stateTicks, yes: closingValues(sourceBefore(source, folded.fromUs), { settledUs, tradedUntilUs }) })
  values.advance(30)
  expect(values.yes[0]).toBe(0.02)
})

it('keeps a state of at most three ticks a market, with their own stamps', () => {
  const rows: Row[] = [[1, 0, 10_000, 20_000, -1], [2, 0, -1, -1, 50_000], [3, 0, -1, -1, -1], [4, 1, 30_000, -1, -1], [20, 0, 1, 1, 1]]
  const { ticks, fromUs } = foldedHistory(sourceOfImports([rows], { partUs: 10, rows: 100 }), MARKETS, 20)!
  const state = ticks.chunk(0)
  // Of market 1 one tick is the last of all three kinds.
  expect(Array.from(state.atUs, (us, i) => [us, state.market[i]])).toEqual([[1, 0], [2, 0], [3, 0], [4, 1], [4, 1], [4, 1]])
  expect(fromUs).toBe(20)
})
