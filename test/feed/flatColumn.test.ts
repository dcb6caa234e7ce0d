import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { parquetMetadata, type SchemaElement } from 'hyparquet'
import { parquetWriteBuffer } from 'hyparquet-writer'
import { beforeAll, describe, expect, test } from 'vitest'
import { ValueCells } from '../../src/feed/rows/cells.ts'
import { CodedCells, CodedValues } from '../../src/feed/rows/codedCells.ts'
import { ColumnRooms } from '../../src/feed/rows/columnRooms.ts'
import { type FlatValues, flatValues } from '../../src/feed/rows/flatColumn.ts'
import { Interner } from '../../src/feed/rows/interner.ts'

/** Not a multiple of eight, so that the last group of bits is not full. */
const ROWS = 10_003
const AT_US = 1_750_359_600_000_000

/** By name: what DuckDB is told to write of row i, and what is read of it; null where hyparquet reads the column. */
const COLUMNS: Record<string, readonly [sql: string, value: ((i: number) => number | bigint | string | null) | null]> = {
  double: ['i / 4', (i) => i / 4],
  doubleOfFew: ['(i % 5) / 4', (i) => (i % 5) / 4],
  float: ['(i / 8)::float', (i) => i / 8],
  int: ['(i - 5000)::int', (i) => i - 5000],
  intOfOne: ['7::int', () => 7],
  small: ['(i % 100)::tinyint', (i) => i % 100],
  long: ['(1099511627776 - i * 3)::bigint', (i) => 1_099_511_627_776n - BigInt(i) * 3n],
  negative: ['(i - 9223372036854775807)::bigint', (i) => BigInt(i) - 9_223_372_036_854_775_807n],
  us: [`make_timestamptz(${AT_US} + i)`, (i) => AT_US + i],
  early: ['make_timestamptz(-1 - i)', (i) => -1 - i],
  usOfFew: [`make_timestamptz(${AT_US} + i % 3)`, (i) => AT_US + (i % 3)],
  ms: [`make_timestamp(${AT_US} + i * 1000)::timestamp_ms`, (i) => AT_US + i * 1000],
  // Nanoseconds are rounded up.
  ns: [`make_timestamp_ns(${AT_US}000 + i)`, (i) => AT_US + Math.ceil(i / 1000)],
  day: ["date '1970-01-01' + (i % 20000)::int", (i) => (i % 20_000) * 86_400_000_000],
  text: ["'T' || i % 7", (i) => `T${i % 7}`],
  texts: ["'näme ' || i", (i) => `näme ${i}`],
  empty: ["''", () => ''],
  lastMissing: ['case when i = 10002 then null else i / 4 end', (i) => (i === 10_002 ? null : i / 4)],
  floatMissing: ['case when i % 3 > 0 then (i / 8)::float end', (i) => (i % 3 > 0 ? i / 8 : null)],
  longMissing: ['case when i > 9 then i::bigint end', (i) => (i > 9 ? BigInt(i) : null)],
  usMissing: [`case when i % 2 = 1 then make_timestamptz(${AT_US} + i) end`, (i) => (i % 2 === 1 ? AT_US + i : null)],
  allMissing: ['null::double', () => null],
  allTextsMissing: ['null::varchar', () => null],
  textMissing: ["case when i % 2 = 0 then 'x' end", (i) => (i % 2 === 0 ? 'x' : null)],
  textsMissing: ["case when i % 100 <> 7 then 'näme ' || i end", (i) => (i % 100 === 7 ? null : `näme ${i}`)],
  // So few are missing that the bits of their codes are there.
  codeMissing: ["case when i <> 5 then 'T' || i % 3 end", (i) => (i === 5 ? null : `T${i % 3}`)],
  lastCodeMissing: ["case when i < 10002 then 'T' || i % 3 end", (i) => (i < 10_002 ? `T${i % 3}` : null)],
  halfOfOne: ['case when i < 5000 then 7::int end', (i) => (i < 5000 ? 7 : null)],
  flag: ['i % 2 = 0', null],
  decimal: ['(i / 4)::decimal(12, 2)', null],
  unsigned: ['i::uinteger', null],
  list: ['[i, i]', null],
  json: ["'{}'::json", null],
}

const bytesOf = (path: string): ArrayBuffer => new Uint8Array(readFileSync(path)).buffer

/** The values of a column of the first row group, which has as many rows as it says, or so many. Its element says what it says, or this. The last bytes may be missing. */
function flatIn(file: ArrayBuffer, column: string, rows?: number, stated: Partial<SchemaElement> = {}, missing = 0): FlatValues | null {
  const { row_groups: [group], schema } = parquetMetadata(file)
  const data = group!.columns.find(({ meta_data: one }) => one!.path_in_schema[0] === column)!.meta_data!
  const start = Number(data.dictionary_page_offset) || Number(data.data_page_offset)
  const element: SchemaElement = schema.find(({ name }) => name === column)!
  return flatValues({ bytes: new Uint8Array(file, start, Number(data.total_compressed_size) - missing), element: { ...element, ...stated }, data, rows: rows ?? Number(group!.num_rows), rooms: new ColumnRooms() })
}

const listOf = (values: FlatValues | null): readonly unknown[] | null => (values === null ? null : values instanceof CodedValues ? Array.from(values.codes, (code) => values.values[code]) : Array.from<unknown>(values))

describe.each(['uncompressed', 'snappy', 'gzip', 'zstd'])('a column that DuckDB writes, %s', (compression) => {
  const files: Record<string, ArrayBuffer> = {}

  beforeAll(async () => {
    const folder = mkdtempSync(join(tmpdir(), 'parlor-flat-'))
    const connection = await (await DuckDBInstance.create()).connect()
    const select = `select ${Object.entries(COLUMNS).map(([name, [sql]]) => `${sql} as "${name}"`).join(', ')} from range(${ROWS}) t(i)`
    for (const version of ['v1', 'v2']) {
      const path = join(folder, `${version}.parquet`)
      await connection.run(`copy (${select}) to '${path}' (format parquet, compression ${compression}, parquet_version ${version})`)
      files[version] = bytesOf(path)
    }
    connection.closeSync()
    rmSync(folder, { recursive: true })
  })

  test.each(Object.entries(COLUMNS))('%s', (name, [, value]) => {
    expect(listOf(flatIn(files['v1']!, name))).toEqual(value === null ? null : Array.from({ length: ROWS }, (_, i) => value(i)))
  })

  test.each(Object.entries(COLUMNS))('%s, in encodings of which some are left to hyparquet', (name, [, value]) => {
    const expected = value === null ? null : Array.from({ length: ROWS }, (_, i) => value(i))
    expect(listOf(flatIn(files['v2']!, name)) ?? expected).toEqual(expected)
  })

  test.each(Object.keys(COLUMNS))('%s, cut off, is left to hyparquet whatever lies behind it in memory', (name) => {
    for (const missing of [1, 8]) expect(flatIn(files['v1']!, name, undefined, {}, missing)).toBeNull()
  })
})

describe('pages of the second version', () => {
  const columnData = [
    { name: 'plain', data: [0.5, 1.5, -2.5], type: 'DOUBLE' as const, nullable: false },
    { name: 'optional', data: [0.5, 1.5, -2.5], type: 'DOUBLE' as const, nullable: true },
    { name: 'text', data: ['a', 'b', 'a'], type: 'STRING' as const, encoding: 'RLE_DICTIONARY' as const },
    { name: 'hole', data: [1, null, 2], type: 'DOUBLE' as const },
    { name: 'holeOfCodes', data: ['a', null, 'b'], type: 'STRING' as const, encoding: 'RLE_DICTIONARY' as const },
    { name: 'at', data: [new Date(0), new Date(1), new Date(2)], type: 'TIMESTAMP' as const },
  ]
  const file = parquetWriteBuffer({ columnData })

  test.each([
    ['plain', [0.5, 1.5, -2.5]], ['optional', [0.5, 1.5, -2.5]], ['text', ['a', 'b', 'a']], ['hole', [1, null, 2]], ['holeOfCodes', ['a', null, 'b']], ['at', [0, 1000, 2000]],
  ])('%s', (name, values) => {
    expect(listOf(flatIn(file, name))).toEqual(values)
  })
})

test('pages with empty cells stand between pages without', () => {
  const doubles = Array.from({ length: 900 }, (_, i) => (i === 450 ? null : i / 4))
  const texts = Array.from({ length: 900 }, (_, i) => (i === 450 ? null : `t${i % 600}`))
  const columnData = [{ name: 'd', data: doubles, type: 'DOUBLE' as const }, { name: 's', data: texts, type: 'STRING' as const }, { name: 'p', data: texts, type: 'STRING' as const, encoding: 'PLAIN' as const }]
  const file = parquetWriteBuffer({ columnData, pageSize: 512 })
  expect(listOf(flatIn(file, 'd'))).toEqual(doubles)
  expect(listOf(flatIn(file, 's'))).toEqual(texts)
  expect(listOf(flatIn(file, 'p'))).toEqual(texts)
})

test('a column of lists without a group is left to hyparquet', () => {
  const file = parquetWriteBuffer({ columnData: [{ name: 'd', data: [0.5, 1.5], type: 'DOUBLE', nullable: false }] })
  expect([flatIn(file, 'd'), flatIn(file, 'd', 2, { repetition_type: 'REPEATED' })]).toEqual([Float64Array.of(0.5, 1.5), null])
})

describe('pages of more values or fewer than the row group has rows are left to hyparquet', () => {
  const rows = 900
  const columnData = [{ name: 't', data: Array.from({ length: rows }, (_, i) => `t${i}`), type: 'STRING' as const }, { name: 'd', data: Array.from({ length: rows }, (_, i) => (i > 3 ? i / 4 : null)), type: 'DOUBLE' as const }]
  const files: Record<string, ArrayBuffer> = { second: parquetWriteBuffer({ columnData, pageSize: 512 }) }

  beforeAll(async () => {
    const folder = mkdtempSync(join(tmpdir(), 'parlor-flat-'))
    const connection = await (await DuckDBInstance.create()).connect()
    const path = join(folder, 'first.parquet')
    await connection.run(`copy (select 't' || i as t, case when i > 3 then i / 4 end as d from range(${rows}) t(i)) to '${path}' (format parquet, parquet_version v1)`)
    files['first'] = bytesOf(path)
    connection.closeSync()
    rmSync(folder, { recursive: true })
  })

  test.each([['first', 't'], ['first', 'd'], ['second', 't'], ['second', 'd']])('%s version, %s', (version, column) => {
    expect([rows - 1, rows, rows + 1].map((count) => listOf(flatIn(files[version]!, column, count))?.length ?? null)).toEqual([null, rows, null])
  })
})

describe('cells by code', () => {
  const cells = () => new CodedCells(new ValueCells([' b ', 'null', 'a', 'b', '0.57', null]), 6, Int32Array.of(3, 0, 1, 4, 2, 2, 5))

  test('have the texts of their codes, without spaces', () => {
    expect([0, 1, 2, 3, 4, 6].map((row) => cells().text(row))).toEqual(['b', 'b', 'null', '0.57', 'a', ''])
    expect([0, 1, 2, 2, 6].map((row) => cells().isEmpty(row))).toEqual([false, false, true, true, true])
    expect(cells().scaled(3, 6)).toBe(570_000)
  })

  test('number texts in order of rows, and each list of texts by itself', () => {
    const [of, one, other] = [cells(), new Interner(), new Interner()]
    expect([4, 0, 1, 5].map((row) => of.code(row, one))).toEqual([0, 1, 1, 0])
    expect([0, 4].map((row) => of.code(row, other))).toEqual([0, 1])
    expect([4, 0].map((row) => of.code(row, one))).toEqual([0, 1])
    expect([one.texts, other.texts]).toEqual([['a', 'b'], ['b', 'a']])
  })
})
