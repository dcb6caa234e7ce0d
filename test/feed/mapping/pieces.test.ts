import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parquetWriteBuffer } from 'hyparquet-writer'
import { afterAll, describe, expect, it } from 'vitest'
import type { ImportResult } from '../../../src/feed/importer.ts'
import { mappedImporter } from '../../../src/feed/mapping/importMapped.ts'
import { importStore } from '../../../src/feed/store/importStore.ts'
import { ImportThreads } from '../../../src/feed/threads/importThreads.ts'
import { mappingOfText } from '../../../src/scenario/mappingFile.ts'
import { temporaryFolder } from '../recordedData.ts'
import { importMapped, lines, mapped, refusal, shown, T0, troubles, written } from './mapped.ts'

const QUOTES = `
files:
  - { kind: quotes, match: "q*", market: m, time: { column: t, unit: us }, bid: b, ask: a, where: { keep: "y" } }
`
const MAPPING = mappingOfText('mapping.yaml', QUOTES)
const HEAD = 'm,t,b,a,keep,note'

/** Rows of a recorder with all that pieces may cut: quotes over several lines, rows that stand twice, instants that stay, and damaged lines. */
function csv(rows: number): string {
  const lines = [HEAD]
  for (let i = 0; i < rows; i += 1) {
    const at = T0 + Math.floor(i / 4) * 1000
    const market = `M${i % 3}`
    const row = `${market},${at},0.${40 + (i % 5)},0.5,${i % 11 === 5 ? 'n' : 'y'}`
    lines.push(i % 7 === 3 ? `${row},"two\nlines, ""so"""` : `${row},${i % 13 === 2 ? 'é' : ''}`)
    if (i % 6 === 1) lines.push(lines.at(-1)!)
    if (i % 17 === 4) lines.push('ragged,row')
    if (i % 19 === 7) lines.push('')
    if (i % 23 === 9) lines.push(`M1,${at},0.9,0.5,y,`)
    if (i % 29 === 11) lines.push(`M9,${at},x,0.5,y,`)
  }
  lines.push(`M2,${T0},0.4,"never closed`)
  return lines.join('\r\n')
}

const countsOf = ({ report }: ImportResult) => report.files.map(({ inputRows, acceptedRows, quarantinedRows }) => ({ inputRows, acceptedRows, quarantinedRows }))
const sorted = (texts: readonly string[]): string[] => texts.toSorted()
const whole = { csvBytes: 1 << 30, parquetRows: 1 << 30 }
const read = (files: Record<string, string | Uint8Array>, csvBytes: number, parquetRows = 1) => mapped(QUOTES, files, { pieceSizes: { csvBytes, parquetRows } })

describe('a CSV file that is read by pieces', () => {
  it.each([7, 40, 64, 333, 1000])('is what it is as a whole, by %i bytes', async (bytes) => {
    for (const mark of ['', '\uFEFF']) {
      const files = { 'q.csv': mark + csv(60) }
      const [one, pieces] = [await mapped(QUOTES, files, { pieceSizes: whole }), await read(files, bytes)]
      expect(shown(pieces)).toEqual(shown(one))
      expect(pieces.markets).toEqual(one.markets)
      expect(countsOf(pieces)).toEqual(countsOf(one))
      expect(sorted(troubles(pieces))).toEqual(sorted(troubles(one)))
    }
  })

  it('sets aside a row that stands twice where two pieces meet', async () => {
    const row = `A,${T0},0.4,0.5,y,`
    const file = [HEAD, row, row, `A,${T0},0.3,0.5,y,`].join('\n')
    for (const bytes of [row.length, row.length + 1, HEAD.length + row.length + 2]) {
      const result = await read({ 'q.csv': file }, bytes)
      expect(sorted(troubles(result))).toEqual(['noted no line end: 1 from 4', 'noted same instant: 1 from 4', 'quarantined duplicate: 1 from 3'])
      expect(shown(result).map(([, , bid]) => bid)).toEqual([400_000, 300_000])
    }
  })

  it('does not begin in the middle of a row where a line ends within quotes', async () => {
    // What lies within the quotes looks like rows.
    const inside = `"\nX,${T0},0.1,0.2,y,z\nX,${T0},0.1,0.2,y,z\n"`
    const file = [HEAD, `A,${T0},0.4,0.5,y,${inside}`, `B,${T0},0.4,0.5,y,`].join('\n')
    for (let bytes = 1; bytes <= file.length; bytes += 9) expect(shown(await read({ 'q.csv': file }, bytes)).map(([market]) => market)).toEqual(['A', 'B'])
  })
})

const parquet = (rows: number, rowGroupSize: number): Buffer => Buffer.from(parquetWriteBuffer({
  columnData: [
    { name: 'm', data: Array.from({ length: rows }, (_, i) => `M${i % 3}`), type: 'STRING' },
    { name: 't', data: Array.from({ length: rows }, (_, i) => BigInt(T0 + Math.floor(i / 6) * 1000)), type: 'INT64' },
    { name: 'b', data: Array.from({ length: rows }, (_, i) => (i % 11 === 0 ? 0.9 : 0.4)), type: 'DOUBLE' },
    { name: 'a', data: Array.from({ length: rows }, () => 0.5), type: 'DOUBLE' },
    { name: 'keep', data: Array.from({ length: rows }, (_, i) => (i % 13 === 1 ? 'n' : 'y')), type: 'STRING' },
  ],
  rowGroupSize,
}))

describe('a Parquet file that is read by row groups', () => {
  it.each([1, 2, 5, 64])('is what it is as a whole, by groups of %i rows', async (group) => {
    const files = { 'q.parquet': parquet(100, group) }
    const one = await mapped(QUOTES, files, { pieceSizes: whole })
    for (const rows of [1, 7, 50]) {
      const pieces = await read(files, 1, rows)
      expect(shown(pieces)).toEqual(shown(one))
      expect(sorted(troubles(pieces))).toEqual(sorted(troubles(one)))
    }
  })
})

const [alone, two] = [new ImportThreads(1), new ImportThreads(2)]
afterAll(() => two.close())

const S = T0 / 1e6
const json = (...rows: object[]): string => lines(...rows.map((row) => JSON.stringify(row)))
const quote = (i: number, more: object): object => ({ s: S + (i >> 1), b: 0.4 + (i % 3) / 100, ...more })
const trade = (i: number, more: object = {}): object => ({ event_type: 'last_trade_price', asset_id: `${i % 2}`, market: `0x${i % 3 === 2 ? 1 : 0}`, price: '0.41', timestamp: `${T0 / 1e3 + i}`, ...more })

/** What mappings say of rows that are read by pieces, with files of which a piece is some rows of CSV, or a file. */
const MAPPINGS: readonly (readonly [name: string, yaml: string, files: Readonly<Record<string, string>>])[] = [
  ['event and venue in rows, which rows of other pieces and files contradict', `{ venues: { poly: venue_b }, files: [{ kind: quotes, match: q*, market: m, time: { column: s, unit: any }, bid: b, event: e, venue: v }] }`, {
    'q1.csv': lines('m,s,b,e,v', ...Array.from({ length: 12 }, (_, i) => `${i % 3},${S + i},0.4,${['', 'E', 'F', 'E'][i % 4]},${['poly', '', 'kalshi', 'nyse', 'Poly'][i % 5]}`)),
    'q2.csv': lines('m,s,b,e,v', `0,${S},0.5,G,`, `1,${S},0.5,E,kalshi`, `7,${S},0.5,,`, `7,${S},0.6,H,poly`, `7,${S},0.7,I,poly`),
    'q3.ndjson': json({ m: '7', s: S, b: 0.5, e: 'H', v: 'poly' }, { m: '0', s: S, b: 0.5, e: 'E', v: 'nyse' }),
  }],
  ['other names of a market, under which it stands twice', `
files:
  - { kind: markets, match: m*, market: ticker, also: id }
  - { kind: quotes, match: q*, market: m, time: { column: s, unit: s }, bid: b, event: e }`, {
    'm.csv': lines('ticker,id', 'A,1', 'B,2'),
    'q1.csv': lines('m,s,b,e', `1,${S},0.4,E`, `1,${S},0.5,F`),
    'q2.csv': lines('m,s,b,e', `1,${S},0.6,`, `A,${S},0.6,`, `1,${S},0.7,`),
    'q3.csv': lines('m,s,b,e', `3,${S},0.4,E`, `2,${S},0.4,E`, `1,${S},0.5,F`, `B,${S},0.4,G`, `2,${S + 1},0.4,G`),
  }],
  ['alternatives, columns that files lack, cells that are there, units of any kind and rounded prices', `
files:
  - kind: quotes
    needs: [m]
    having: [m]
    market: [ticker, m]
    time: [{ column: s, unit: any }, { column: ms, unit: ms }]
    bid: [bid_dollars, { column: b, prices: cents, type: number }, { column: b, prices: dollars, type: text }]
    bid_size: [n, size]
    rounding: nearest`, {
    'q1.csv': lines('m,s,ms,b,n', ...Array.from({ length: 9 }, (_, i) => `${i % 4 === 3 ? '' : i % 2},${i % 2 === 0 ? S + i : ''},${T0 / 1e3 + i},0.1234567${i},${i % 3 === 0 ? 'x' : i}`)),
    'q2.ndjson': json(...Array.from({ length: 9 }, (_, i) => quote(i, { m: 'X', ...(i % 3 === 0 ? { b: 41 } : i % 3 === 1 ? { b: '0.42' } : { b: true }), size: i }))),
  }],
  ['shapes, of which several parts read a file', `
tickers: { series: { column: ticker, before: '-' } }
files:
  - { kind: trades, shape: polymarket-trades, market: token, event: condition, time: { column: time, unit: any }, price: price }
  - { kind: trades, shape: polymarket-history, market: token, time: { column: time, unit: any }, price: price }`, {
    'a.ndjson': json(trade(0), { what: 1 }, trade(1, { price: 'x' }), trade(2)) + '[7]\n{"cut\n',
    // More rows than are read at once: a damaged one comes after one that the mapping sets aside.
    'h.ndjson': json({ market: '8', history: [7, 8, { t: S, p: 'x' }, { t: S, p: 0.5 }, 9] }, trade(1, { price: 'x' }), ...Array.from({ length: 4100 }, (_, i) => trade(i, { market: '0x0' })), { market: '9', history: [{ t: S, p: 0.4 }, 7] }) + '{"cut\n',
    'b.ndjson': lines('{"cut') + json(trade(3), trade(4, { market: '0x9' })),
  }],
]

describe('a file by pieces, read by two threads', () => {
  const text = ({ report }: ImportResult): string => JSON.stringify([report.files, report.troubles])

  it.each(MAPPINGS)('has %s', async (_name, yaml, files) => {
    const [mapping, folders] = [mappingOfText('mapping.yaml', yaml), [written(files)]]
    const one = await importMapped(mapping, folders, { pieceSizes: whole })
    expect(one.report.acceptedRows).toBeGreaterThan(0)
    expect(one.report.quarantinedRows).toBeGreaterThan(0)
    for (const csvBytes of [20, 100]) {
      for (const threads of [alone, two]) {
        const pieces = await importMapped(mapping, folders, { threads, pieceSizes: { csvBytes, parquetRows: 1 } })
        expect([csvBytes, threads.count, shown(pieces), pieces.markets]).toEqual([csvBytes, threads.count, shown(one), one.markets])
        // Every figure, first row and text, in the same order.
        expect(text(pieces)).toEqual(text(one))
      }
    }
  })
})

describe('a store', () => {

  /** All files of a store, by name. */
  async function storeOf(folder: string, threads: ImportThreads, csvBytes: number, into = temporaryFolder(), more = {}): Promise<Record<string, string>> {
    const importer = mappedImporter(MAPPING, { threads, pieceSizes: { csvBytes, parquetRows: 10 } })
    await importStore(into, importer, [folder], { threads, runRows: 50, maxQuarantine: 1, overlap: 'last', ...more })
    return Object.fromEntries(readdirSync(into, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => [join(parentPath, name).slice(into.length), readFileSync(join(parentPath, name), 'latin1')]).sort())
  }

  it.each([40, 500, 1 << 20])('has the same bytes for one worker and for two, by pieces of %i bytes', async (bytes) => {
    const days = csv(90) + '\r\n' + csv(90).split('\r\n').slice(1).join('\r\n').replaceAll(String(T0).slice(0, 6), String(T0 + 86_400_000_000).slice(0, 6))
    const folder = written({ 'q1.csv': days, 'q2.csv': csv(40), 'q3.parquet': parquet(100, 7), 'q4.csv': HEAD })
    const first = await storeOf(folder, alone, bytes)
    expect(Object.keys(first).filter((name) => name.endsWith('.0.arrow')).length).toBeGreaterThan(1)
    expect(await storeOf(folder, two, bytes)).toEqual(first)
  })

  it('is refused for the same row by one worker and by two', async () => {
    const row = (bid: string) => `A,${T0},${bid},0.5,y,`
    const folder = written({ 'q1.csv': [HEAD, row('0.4')].join('\n'), 'q2.csv': [HEAD, `B,${T0 - 5},0.1,0.2,y,`, row('0.3')].join('\n') })
    const refusals = await Promise.all([alone, two].map(async (threads) => (await refusal(() => storeOf(folder, threads, 10, temporaryFolder(), { overlap: 'refuse' }))).describe()))
    expect(refusals[0]).toContain('q2.csv:3')
    expect(refusals[1]).toBe(refusals[0])
  })

  it('is refused by two workers for a file that is cut off', async () => {
    const folder = written({ 'q1.csv': csv(20), 'q3.parquet': parquet(100, 7).subarray(0, 900) })
    const refusals = await Promise.all([alone, two].map(async (threads) => (await refusal(() => importMapped(MAPPING, [folder], { threads }))).describe()))
    expect(refusals[1]).toBe(refusals[0])
  })
})
