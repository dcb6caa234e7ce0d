import { type ColumnSource, parquetWriteBuffer, schemaFromColumnData } from 'hyparquet-writer'
import { describe, expect, test } from 'vitest'
import { importedFiles } from '../../src/feed/importedHistory.ts'
import { polymarketPriceHistory } from '../../src/feed/importers/polymarketPriceHistory.ts'
import { lines, troubles, written } from './mapping/mapped.ts'
import { broken } from './recordedData.ts'

const AT_MS = Date.UTC(2026, 0, 3, 13)

/** Parquet of one market, whose columns are given in other types. */
const file = (rows: number, columns: readonly ColumnSource[]) => Buffer.from(parquetWriteBuffer({
  columnData: [
    { name: 'timestamp', data: Array.from({ length: rows }, (_, i) => new Date(AT_MS + i * 600_000)), type: 'TIMESTAMP' },
    { name: 'market_slug', data: Array.from({ length: rows }, () => 'one'), type: 'STRING' },
    { name: 'question', data: Array.from({ length: rows }, () => 'one?'), type: 'STRING' },
    { name: 'price', data: Array.from({ length: rows }, () => 0.5), type: 'DOUBLE' },
    { name: 'outcome', data: Array.from({ length: rows }, () => null), type: 'DOUBLE' },
    { name: 'category', data: Array.from({ length: rows }, () => 'general'), type: 'STRING' },
    ...columns,
  ].filter(({ name }, i, all) => all.findLastIndex((one) => one.name === name) === i) as ColumnSource[],
}))

async function read(name: string, bytes: Uint8Array | string) {
  const imported = await importedFiles(polymarketPriceHistory, [written({ [name]: bytes })])
  expect(broken(imported)).toEqual([])
  return imported
}
const pricesOf = async (column: Omit<ColumnSource, 'name'> & { readonly data: unknown[] }) => {
  const imported = await read('a.parquet', file(column.data.length, [{ ...column, name: 'price' } as ColumnSource]))
  return { lastE6: [...imported.ticks.lastE6], troubles: troubles(imported).filter((one) => !/outcome|capture|related|pinned/.test(one)) }
}
const timesOf = async (column: Omit<ColumnSource, 'name'> & { readonly data: unknown[] }) => {
  const imported = await read('a.parquet', file(column.data.length, [{ ...column, name: 'timestamp' } as ColumnSource]))
  return { ms: [...imported.ticks.atUs].map((us) => us / 1000 - AT_MS), troubles: troubles(imported).filter((one) => !/outcome|capture|related|pinned/.test(one)) }
}

describe('prices are read from any type', () => {
  test('doubles are rounded to the nearest millionth, a half to the even one, and counted', async () => {
    expect(await pricesOf({ data: [1 / 3, 2 / 3, 0.57, 0.1234565, 0.1234575], type: 'DOUBLE' })).toEqual({
      lastE6: [333_333, 666_667, 570_000, 123_456, 123_458], troubles: ['noted rounded price: 4 from 1'],
    })
  })

  test('a float of 32 bits means the shortest decimal that stands for it', async () => {
    expect(await pricesOf({ data: [0.57, 0.005, 1 / 3, 1, 0].map(Math.fround), type: 'FLOAT' })).toEqual({
      lastE6: [570_000, 5000, 333_333, 1_000_000, 0], troubles: ['noted rounded price: 1 from 3'],
    })
  })

  test('decimals of a stated scale, with more than six places rounded', async () => {
    const columnData = ([['timestamp', [AT_MS, AT_MS + 600_000].map((ms) => new Date(ms)), 'TIMESTAMP'], ['market_slug', ['one', 'one'], 'STRING'], ['question', ['q', 'q'], 'STRING'], ['price', [0.57, 0.12345678], 'DOUBLE'],
      ['outcome', [1, 1], 'DOUBLE'], ['category', ['c', 'c'], 'STRING']] as const).map(([name, data, type]) => ({ name, data: [...data], ...(name === 'price' ? {} : { type }) }) as ColumnSource)
    const schema = schemaFromColumnData({ columnData, schemaOverrides: { price: { name: 'price', type: 'INT32', converted_type: 'DECIMAL', scale: 8, precision: 9, repetition_type: 'REQUIRED' } } })
    const imported = await read('a.parquet', Buffer.from(parquetWriteBuffer({ columnData: columnData.map(({ name, data }) => ({ name, data })), schema })))
    expect([...imported.ticks.lastE6]).toEqual([570_000, 123_457])
    expect(troubles(imported)[0]).toBe('noted rounded price: 1 from 2')
  })

  test('texts and whole numbers', async () => {
    expect(await pricesOf({ data: ['0.57', '5e-1', '1/3', '', '1.01', '0.33333333'], type: 'STRING' })).toEqual({
      lastE6: [570_000, 500_000, 333_333], troubles: ['quarantined not a number: 2 from 3', 'quarantined price out of range: 1 from 5', 'noted rounded price: 1 from 6'],
    })
    expect(await pricesOf({ data: [0, 1, 2], type: 'INT32' })).toEqual({ lastE6: [0, 1_000_000], troubles: ['quarantined price out of range: 1 from 3'] })
  })
})

describe('times are read from any type', () => {
  const s = AT_MS / 1000
  test.each<[string, ColumnSource['type'], unknown[]]>([
    ['seconds', 'INT64', [BigInt(s), BigInt(s + 600)]], ['milliseconds', 'INT64', [BigInt(AT_MS), BigInt(AT_MS + 600_000)]],
    ['microseconds', 'INT64', [BigInt(AT_MS) * 1000n, BigInt(AT_MS + 600_000) * 1000n]], ['nanoseconds', 'INT64', [BigInt(AT_MS) * 1_000_000n, BigInt(AT_MS + 600_000) * 1_000_000n]],
    ['32 bits', 'INT32', [s, s + 600]], ['floats', 'DOUBLE', [s, s + 600]],
    ['ISO 8601', 'STRING', ['2026-01-03T13:00:00Z', '2026-01-03T14:10:00+01:00']], ['ISO 8601 without a zone, which is UTC', 'STRING', ['2026-01-03 13:00:00', '2026-01-03 13:10:00']],
    ['numbers as texts', 'STRING', [String(s), String(AT_MS + 600_000)]],
  ])('%s', async (_, type, data) => {
    expect(await timesOf({ data, type } as ColumnSource & { data: unknown[] })).toEqual({ ms: [0, 600_000], troubles: [] })
  })

  test('and what is no instant costs its row', async () => {
    expect(await timesOf({ data: ['yesterday', '', '20260103', String(s)], type: 'STRING' })).toEqual({
      ms: [0], troubles: ['quarantined bad timestamp: 1 from 1', 'quarantined no time: 1 from 2', 'quarantined absurd timestamp: 1 from 3'],
    })
  })
})

test('outcomes are 1, 0, a half or a word, and anything else is a last price, which is noted and not taken', async () => {
  const header = 'timestamp,market_slug,question,price,outcome,category'
  const text = lines(header, ...['1', '0.0', 'Yes', 'no', 'true', '0.5', '0.9995', '0.9999999', 'maybe'].map((outcome, i) => `${AT_MS / 1000},m${i},q,0.5,${outcome},c`))
  const imported = await read('a.csv', text)
  expect(imported.markets.map(({ outcome, settlementE6 }) => settlementE6 ?? outcome)).toEqual(['yes', 'no', 'yes', 'no', 'yes', 500_000, null, null, null])
  expect(troubles(imported)[0]).toBe('noted unknown result: 3 from 8')
})
