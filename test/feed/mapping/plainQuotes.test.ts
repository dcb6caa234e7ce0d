import fc from 'fast-check'
import { parquetWriteBuffer } from 'hyparquet-writer'
import { describe, expect, it, vi } from 'vitest'
import { FileTally, ImportTally } from '../../../src/feed/importTally.ts'
import { DepthBooks } from '../../../src/feed/mapping/depthBooks.ts'
import { AskedColumns } from '../../../src/feed/mapping/fields.ts'
import { readMapped } from '../../../src/feed/mapping/importMapped.ts'
import type { Mapping } from '../../../src/feed/mapping/mapping.ts'
import { MarketList } from '../../../src/feed/mapping/marketList.ts'
import { readersOf } from '../../../src/feed/mapping/sectionReading.ts'
import { TopRows } from '../../../src/feed/mapping/topRows.ts'
import { ValueCells } from '../../../src/feed/rows/cells.ts'
import type { PieceSizes } from '../../../src/feed/rows/rowBatch.ts'
import { TickBuffer } from '../../../src/feed/tickBuffer.ts'
import { mappingOfText } from '../../../src/scenario/mappingFile.ts'
import { lines, T0, written } from './mapped.ts'

const SEED = 20_251_128
const quotes = (rest: string): string => `files: [{ kind: quotes, market: m, ${rest} }]`
/** Sections that have each value in a column of its own. */
const PLAIN = [
  'time: { column: t, unit: us }, bid: b, ask: a, bid_size: p, ask_size: q',
  'time: { column: t, unit: any, zone: UTC }, bid: { column: b, zero: none }, ask: a, last: l',
  'time: { column: t, unit: us, zone: "-05:00" }, bid: b, ask: a, ask_size: q, rounding: nearest, prices: probability',
  'time: { column: t, unit: us, zone: America/New_York }, bid: b, ask: a, prices: percent',
  'time: { column: t, unit: us, zone: UTC }, received: { column: r, unit: us, zone: UTC }, seen: later, bid: b, ask: { column: a, prices: cents }, bid_size: p',
  'time: { column: t, unit: us, zone: UTC }, received: { column: r, unit: us, zone: UTC }, seen: time, bid: b, ask: a',
  'received: { column: r, unit: ns, zone: UTC }, bid: b, ask: a, last: { column: l, prices: cents }',
  'time: { column: t, zone: UTC }, bid: b, ask: a, bid_size: p, ask_size: q',
  'time: { column: t, unit: any, zone: Europe/Berlin, repeated: second }, bid: b, ask: a',
].map(quotes)

/** Ticks with the rows that they are from. */
class TicksOfRows extends TickBuffer {
  readonly rows: string[] = []
  private row = ''

  comeFrom(file: string, row: number): void {
    this.row = `${file}:${row}`
  }

  override add(...tick: Parameters<TickBuffer['add']>): void {
    super.add(...tick)
    this.rows.push(this.row)
  }
}

/** What becomes of files: ticks, their rows and markets, and each figure, first row and text of the account. */
async function told(mapping: Mapping, folder: string, pieceSizes: PieceSizes): Promise<unknown> {
  const [ticks, tally] = [new TicksOfRows(0x10), new ImportTally()]
  const markets = await readMapped(mapping, [folder], ticks, tally, { pieceSizes, isKept: true })
  const { count, rows, atUs, market, bidE6, askE6, bidSize, askSize, lastE6 } = ticks
  return [[atUs, market, bidE6, askE6, bidSize, askSize, lastE6].map((column) => [...column.subarray(0, count)]), rows, markets, tally.close()]
}

/** The same by rows and by columns, of a file of several pieces. One that nothing comes of is refused by both alike. */
async function expectAlike(yaml: string, name: string, file: string | Uint8Array): Promise<void> {
  const [mapping, folder] = [mappingOfText('mapping.yaml', yaml), written({ [name]: file })]
  const pieceSizes = { csvBytes: file.length >> 1, parquetRows: 1 }
  const read = (): Promise<unknown> => told(mapping, folder, pieceSizes).catch((error: Error) => error.message)
  const byColumns = await read()
  const rowByRow = vi.spyOn(TopRows.prototype, 'plain').mockReturnValue(null)
  try {
    expect(byColumns).toEqual(await read())
    expect(rowByRow).toHaveBeenCalled()
  } finally {
    rowByRow.mockRestore()
  }
}

const oneOf = (...values: readonly string[]): fc.Arbitrary<string> => fc.constantFrom(...values)
/** Mostly a plain cell, and at times another. */
const cell = (plain: fc.Arbitrary<string>, odd: fc.Arbitrary<string>) => fc.oneof({ weight: 12, arbitrary: plain }, { weight: 1, arbitrary: odd }, { weight: 1, arbitrary: oneOf('', 'null', ' ', '-', '"', 'é', 'NaN', '0', '1', '9'.repeat(16), '9007199254740993') })
const instant = fc.integer({ min: 0, max: 5 }).map((step) => String(T0 + step * 1000))
const time = cell(fc.oneof(instant, instant.map((us) => new Date(Number(us) / 1000).toISOString())), oneOf('x', ` ${T0} `, `${T0}.0`, `${T0}.5`, `0${T0}`, `+${T0}`, `"${T0}"`, `${T0}000`, `${T0 / 1e6}`, '2025-06-19T19:00:00Z', '2025-06-19 19:00:00', '2025-10-26T02:30:00', '2025-03-30T02:30:00.5', '2025-06-19T19:00:00.1234567+02:00', '9'.repeat(20), '-1'))
const price = cell(fc.integer({ min: 1, max: 99 }).map((cents) => (cents / 100).toFixed(2)), oneOf('0', '1', '1.0', '.5', '0.', '-0.1', '1.01', '0.1234567', '0.500000000000000', '0.3333333333333333', '1e-1', '50%', '$0.4', '40', '0.000001', '+0.2', '-0', '"0.3"', '0.5 '))
const size = cell(fc.nat(5000).map(String), oneOf('12.5', '0.99', '-3', '-0.000001', '1e3', '2147483647', '2147483647.9', '2147483648', '1,5', '1000000000000'))
const market = cell(oneOf('A', 'B', 'C'), oneOf(' A ', '"B"', '"x""y"', 'null', 'Ä', 'a,b'))

describe('quotes that are read column by column are those that are read row by row', () => {
  it('of CSV', async () => {
    const row = fc.tuple(time, market, price, price, size, size, price, time).map((cells) => cells.join(','))
    const line = fc.oneof({ weight: 20, arbitrary: row }, { weight: 1, arbitrary: oneOf('', 'ragged,row', '"never closed', '\t') })
    await fc.assert(fc.asyncProperty(fc.array(line, { minLength: 1, maxLength: 60 }), fc.constantFrom(...PLAIN), async (rows, yaml) =>
      expectAlike(yaml, 'q.csv', lines('t,m,b,a,p,q,l,r', ...rows, ...rows.slice(0, 3)))), { seed: SEED, numRuns: 50 })
  })

  it('of bytes that flipped', async () => {
    const file = Buffer.from(lines('t,m,b,a,p,q,l,r', ...Array.from({ length: 40 }, (_, i) => `${T0 + i * 1000},M${i % 3},0.4${i % 10},0.6,${i},7,0.5,${T0 + i * 1000}`)))
    await fc.assert(fc.asyncProperty(fc.array(fc.tuple(fc.integer({ min: 16, max: file.length - 1 }), fc.nat(255)), { maxLength: 12 }), fc.constantFrom(...PLAIN), async (flips, yaml) => {
      const bytes = Buffer.from(file)
      for (const [at, byte] of flips) bytes[at] = byte
      await expectAlike(yaml, 'q.csv', bytes)
    }), { seed: SEED, numRuns: 30 })
  })

  it('of Parquet, in columns of any type', async () => {
    const orNull = <T>(value: fc.Arbitrary<T>) => fc.oneof({ weight: 8, arbitrary: value }, { weight: 1, arbitrary: fc.constant(null) })
    const cents = fc.integer({ min: -1, max: 101 })
    const numbers = [
      { type: 'DOUBLE' as const, of: fc.oneof(cents.map((value) => value / 100), fc.constantFrom(NaN, Infinity, -0, 0.1234567, 2.5e9)) },
      { type: 'FLOAT' as const, of: fc.oneof(cents.map((value) => value / 100), fc.constantFrom(0.1234567, 2.5e9)) },
      { type: 'INT32' as const, of: fc.integer({ min: -2, max: 120 }) },
      { type: 'INT64' as const, of: fc.oneof(fc.integer({ min: -2, max: 120 }).map(BigInt), fc.constantFrom(2n ** 53n, -(2n ** 60n))) },
      { type: 'STRING' as const, of: price },
    ]
    const times = [
      { type: 'INT64' as const, of: instant.map(BigInt) },
      { type: 'TIMESTAMP' as const, of: instant.map((us) => new Date(Number(us) / 1000)) },
      { type: 'DOUBLE' as const, of: instant.map(Number) },
      { type: 'STRING' as const, of: time },
    ]
    const column = (name: string, kinds: readonly { readonly type: 'DOUBLE' | 'FLOAT' | 'INT32' | 'INT64' | 'STRING' | 'TIMESTAMP'; readonly of: fc.Arbitrary<unknown> }[], rows: number) =>
      fc.constantFrom(...kinds).chain(({ type, of }) => fc.record({ name: fc.constant(name), type: fc.constant(type), data: fc.array(orNull(of), { minLength: rows, maxLength: rows }) }))
    const file = fc.tuple(fc.integer({ min: 2, max: 40 }), fc.integer({ min: 1, max: 20 })).chain(([rows, most]) => fc.record({
      rowGroupSize: fc.constant(Math.min(most, rows - 1)),
      columnData: fc.tuple(column('m', [{ type: 'STRING', of: market }], rows), ...['t', 'r'].map((name) => column(name, times, rows)), ...['b', 'a', 'p', 'q', 'l'].map((name) => column(name, numbers, rows))),
    }))
    await fc.assert(fc.asyncProperty(file, fc.constantFrom(...PLAIN), async ({ columnData, rowGroupSize }, yaml) =>
      expectAlike(yaml, 'q.parquet', new Uint8Array(parquetWriteBuffer({ columnData: columnData as never, rowGroupSize })))), { seed: SEED, numRuns: 40 })
  })

  it('of more rows than are read at once', async () => {
    // Many have the instant of the row before of their market, and some are that row again.
    const rows = Array.from({ length: 9000 }, (_, i) => `${T0 + (Math.floor(i / 5) - (i % 700 === 3 ? 90 : 0)) * 1000},M${(i * i) % 7},${i % 97 === 0 ? '' : `0.${10 + (Math.floor(i / 10) % 40)}`},0.55,${i % 3},${i % 89 === 0 ? 'x' : 7},0.3,${T0 + i * 1000}`)
    for (const yaml of PLAIN) await expectAlike(yaml, 'q.csv', lines('t,m,b,a,p,q,l,r', ...rows))
  })
})

/** The rows of a batch that are left to whoever reads them one by one. Null for a section that is read row by row. */
function leftOf(yaml: string, columns: Readonly<Record<string, readonly unknown[]>>): number[] | null {
  const mapping = mappingOfText('mapping.yaml', yaml)
  const [list, sink, asked] = [new MarketList(), Object.assign(new TickBuffer(), { addRows: () => {} }), new AskedColumns()]
  const plain = readersOf(mapping.sections[0]!, { mapping, list, sink, books: new DepthBooks(list, sink, false) }, asked).rows.plain?.() ?? null
  const count = columns['m']!.length
  const left: number[] = []
  plain?.take({ count, numbers: Array.from({ length: count }, (_, i) => i + 1), cells: asked.names.map((name) => new ValueCells(columns[name]!)) }, new FileTally('f'), (row) => { left.push(row) })
  return plain === null ? null : left
}

describe('row by row are read', () => {
  const columns = { m: ['A', 'A', '', 'A', 'A', 'A'], t: [T0, T0 + 1, T0 + 2, null, T0 + 4, T0 + 5], b: [0.4, 0.4, 0.4, 0.4, 0, 0.7], a: [0.5, 0.5, 0.5, 0.5, 0.5, 0.5] }

  it('those rows alone that are not plain', () => {
    expect(leftOf(quotes('time: { column: t, unit: us }, bid: b, ask: a'), columns)).toEqual([2, 3, 4, 5])
  })

  it.each([
    'time: { column: t, unit: us }, bid: b', 'time: { column: t, unit: us }, bid: b, no_bid: a', 'time: { column: t, unit: us }, bid: [b, a], ask: a', 'time: [{ column: t, unit: us }, { column: b, unit: us }], bid: b, ask: a',
    'time: { column: t, unit: us }, bid: b, ask: a, prices: decimal', 'time: { column: t, unit: us }, bid: b, ask: a, event: m', "time: { column: t, unit: us }, bid: b, ask: a, decimal: ','",
    'time: { column: t, unit: us, zone: Europe/Berlin, repeated: order }, bid: b, ask: a', 'time: { column: t, unit: us }, bid: { column: b, type: number }, ask: a',
  ])('all of %s', (rest) => {
    expect(leftOf(quotes(rest), columns)).toBeNull()
  })
})
