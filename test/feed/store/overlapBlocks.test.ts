import fc from 'fast-check'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { Origins } from '../../../src/feed/store/origins.ts'
import { Overlap, type OverlapRule } from '../../../src/feed/store/overlap.ts'
import { readStore } from '../../../src/feed/store/readStore.ts'
import { RunBuffer } from '../../../src/feed/store/runColumns.ts'
import { madeFolder } from './made.ts'
import { DAY, draftOf, type Row, rowsOf, writeRows } from './rows.ts'

/** A row of an import: its instant, its market, its file and its bid. */
type Brought = readonly [atUs: number, market: number, file: number, bidE6: number]

/** What is left of rows that come in blocks, and how many of them an earlier file had or contradicts. */
function left(rows: readonly Brought[], rule: OverlapRule, blockRows: readonly number[]): { readonly rows: Brought[]; readonly twice: number; readonly different: number } {
  const origins = { fileOf: (origin: number) => origin, follows: () => false, of: () => null } as unknown as Origins
  const out: Brought[] = []
  const overlap = new Overlap({ store: null, parts: [], numberOf: new Int32Array(9).fill(-1), origins, rule }, ({ atUs, market, origin, bidE6 }, from, to) => {
    for (let at = from; at < to; at++) out.push([atUs[at]!, market[at]!, origin[at]!, bidE6[at]!])
  })
  for (let from = 0, block = 0; from < rows.length; block++) {
    const part = rows.slice(from, from + blockRows[block % blockRows.length]!)
    const columns = new RunBuffer(part.length)
    part.forEach(([atUs, market, file, bidE6], i) => {
      columns.atUs[i] = atUs
      columns.market[i] = market
      columns.origin[i] = file
      columns.bidE6[i] = bidE6
    })
    overlap.take(columns, 0, part.length)
    from += part.length
  }
  overlap.end()
  return { rows: out, twice: overlap.twice, different: overlap.different }
}

it('compares instants by themselves, wherever blocks of rows end', () => {
  const row = fc.tuple(fc.nat(6), fc.nat(2), fc.integer({ min: 1, max: 2 }), fc.nat(2))
  const sorted = fc.array(row, { maxLength: 30 }).map((rows): Brought[] => rows.toSorted(([a], [b]) => a - b))
  fc.assert(fc.property(sorted, fc.constantFrom<OverlapRule>('refuse', 'first', 'last'), fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1, maxLength: 4 }), (rows, rule, blocks) => {
    expect(left(rows, rule, blocks)).toEqual(left(rows, rule, [rows.length + 1]))
  }), { numRuns: 500 })
})

it('finds nothing twice in two files that share no instant', () => {
  const rows = Array.from({ length: 40 }, (_, i): Brought[] => [[i, 0, 1 + i % 2, i % 3], [i, 1, 1 + i % 2, i % 3], [i, 2, 1 + i % 2, i % 3]]).flat()
  for (const blockRows of [1, 2, 4, 7, 64]) expect(left(rows, 'refuse', [blockRows])).toEqual({ rows, twice: 0, different: 0 })
})

it.each([65, 200, 5000])('adds to a store what it does not have, with %i rows sorted at once', async (runRows) => {
  const path = join(madeFolder(), 'store')
  const markets = ['a', 'b', 'c'].map((name) => draftOf(name))
  const rows = Array.from({ length: 200 }, (_, i): Row[] => markets.map((_market, market): Row => [DAY + i * 1000, market, i % 7 + market, 20, 1, 1, 5])).flat()
  await writeRows(path, markets, rows)
  const more: Row = [DAY + 200_000, 0, 3, 20, 1, 1, 5]
  await writeRows(path, markets, [...rows, more], { isAdded: true, runRows })
  expect(rowsOf(readStore(path).ticks)).toEqual([...rows, more])
})
