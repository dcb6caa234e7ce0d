import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { importedFiles } from '../../src/feed/importedHistory.ts'
import type { ImportResult } from '../../src/feed/importer.ts'
import { IMPORTERS } from '../../src/feed/importers/index.ts'
import { formatMapping } from '../../src/scenario/formats.ts'
import { importMapped, shown, written } from './mapping/mapped.ts'
import { recorded } from './recordedData.ts'

type Json = Readonly<Record<string, any>>

const textOf = (path: string): string => (path.endsWith('.gz') ? gunzipSync(readFileSync(path)) : readFileSync(path)).toString()
const jsonLines = (path: string): Json[] => textOf(path).trim().split('\n').map((line) => JSON.parse(line) as Json)
const filesOf = (folder: string, part: string): string[] => readdirSync(folder).filter((name) => name.includes(part)).sort().map((name) => join(folder, name))
const imported = async (format: string, paths: readonly string[]): Promise<ImportResult> => importMapped((await formatMapping(format))!, paths)
const accountOf = ({ report: { inputRows, acceptedRows, quarantinedRows } }: ImportResult) => [inputRows, acceptedRows, quarantinedRows]

test('raw frames give the books that the importer of the CSV files gives of the same rows, tick for tick', async (ctx) => {
  const folder = recorded(ctx, 'kalshi-btc15m-book')
  const frames = await imported('kalshi-frames', [folder])
  // The frames as that importer wants them: a row for each level. Its files have other markets than the frames.
  const digits = (path: string) => textOf(path).trim().split('\n').map((line) => [/"local_recv_ns":(\d+)/.exec(line)![1]!, JSON.parse(line) as Json] as const)
  const deltas = filesOf(folder, '__orderbook_delta__').flatMap(digits).map(([ns, { payload_json: p, connection_id: c, sequence_number: seq }]) =>
    [ns, p.ts_ms, p.market_ticker, c, seq, p.side, p.price_dollars, p.delta_fp].join(','))
  const snapshots = filesOf(folder, '__orderbook_snapshot__').flatMap(digits).flatMap(([ns, { payload_json: p, connection_id: c, sequence_number: seq }]) =>
    (['yes', 'no'] as const).flatMap((side) => ((p[`${side}_dollars_fp`] ?? []) as [string, string][]).map(([price, size]) => [ns, p.market_ticker, c, seq, side, price, size].join(','))))
  const csv = await importedFiles(IMPORTERS['kalshi-btc15m-book']!, [written({
    'deltas.csv': ['recv_ns,ts_ms,market_ticker,connection_id,seq,side,price_dollars,delta_fp', ...deltas, ''].join('\n'),
    'snapshots.csv': ['recv_ns,market_ticker,connection_id,seq,side,price_dollars,size_fp', ...snapshots, ''].join('\n'),
  })])
  expect(deltas).toHaveLength(101_703)
  expect(accountOf(frames)).toEqual([101_707, 101_707, 0])
  // The last snapshot of the first market is an empty book, which is no row of a table of levels.
  const [emptied] = filesOf(folder, '__orderbook_snapshot__').flatMap(jsonLines).filter(({ payload_json: p }) => p.yes_dollars_fp === undefined && p.no_dollars_fp === undefined)
  const emptiedUs = Math.ceil(emptied!.local_recv_ns / 1000)
  const rows = shown(frames)
  const gone = rows.filter(([market, at, bid, ask]) => market === emptied!.market_ticker && Math.abs(at - emptiedUs) <= 1 && bid < 0 && ask < 0)
  expect(gone.length).toBeLessThanOrEqual(1)
  expect(rows.filter((row) => !gone.includes(row))).toEqual(shown(csv))
  expect(rows.length).toBeGreaterThan(20_000)
})

test('quotes of the ticker channel stand within the book that the frames give, but for what was on its way', async (ctx) => {
  const folder = recorded(ctx, 'kalshi-btc15m-book')
  const result = await imported('kalshi-ticker-frames', [folder])
  const lines = filesOf(folder, '__ticker__').flatMap(jsonLines)
  expect(accountOf(result)).toEqual([lines.length, lines.length, 0])
  expect(shown(result).map(([market, , bid, ask]) => [market, bid, ask])).toEqual(lines.map(({ payload_json: p }) =>
    [p.market_ticker, Math.round(p.yes_bid_dollars * 1e6) || -1, p.yes_ask_dollars === '1.0000' ? -1 : Math.round(p.yes_ask_dollars * 1e6)]))
})

test('kalshi-weather-quotes is what a plain count of its rows says', async (ctx) => {
  const folder = recorded(ctx, 'kalshi-weather-quotes')
  const result = await imported('kalshi-weather-quotes', [folder])
  const rows = filesOf(folder, 'market_data').flatMap((path) => textOf(path).trim().split('\n').slice(1).map((line) => line.split(',')))
  const crossed = rows.filter(([, , yes, no]) => Number(yes) + Number(no) > 100)
  expect([rows.length, crossed.length]).toEqual([573_399, 2])
  expect(accountOf(result)).toEqual([573_399, 573_397, 2])
  expect(result.report.troubles.filter(({ handling }) => handling === 'quarantined').map(({ kind, rows: count, firstRow }) => [kind, count, firstRow])).toEqual([['crossed book', 1, 1218], ['crossed book', 1, 2406]])
  expect(result.report.troubles.filter(({ kind }) => kind === 'empty side').reduce((sum, { rows: count }) => sum + count, 0))
    .toBe(rows.filter((row) => !crossed.includes(row) && (row[2] === '0' || row[3] === '0')).length)
  const tickers = new Set(rows.map(([, ticker]) => ticker!))
  expect(result.markets.map(({ ticker }) => ticker)).toEqual([...tickers].sort())
  expect(new Set(result.markets.map(({ ladder }) => ladder)).size).toBe(14)
  // Los Angeles is eight hours behind UTC in December.
  const first = rows.map(([time]) => Date.parse(`${time!.slice(0, 23)}Z`) + 8 * 3_600_000).reduce((least, ms) => Math.min(least, ms))
  expect(Math.floor(result.ticks.atUs[0]! / 1000)).toBe(first)
})

test('kalshi-sports is what a plain count of its rows says', async (ctx) => {
  const folder = recorded(ctx, 'kalshi-sports')
  const result = await imported('kalshi-sports', [folder])
  const pairs = filesOf(folder, 'sports_pairs').flatMap(jsonLines).flatMap(({ outcomes, event_ticker: event }) => (outcomes as Json[]).map((one) => ({ ...one, event })))
  const history = filesOf(folder, 'sports_history').flatMap(jsonLines).flatMap(({ outcomes = [] }) => outcomes as Json[])
  const ledger = filesOf(folder, 'settlement_ledger').flatMap(jsonLines)
  const cache = Object.entries((JSON.parse(textOf(join(folder, 'q26_settlement.json.gz'))) as Json).markets as Record<string, Json>)
  const priced = new Set([...pairs, ...history].map((one) => (one as Json).ticker as string))
  expect([pairs.length, history.length, ledger.length, cache.length]).toEqual([9420, 416, 5605, 458])
  const unknown = ledger.filter(({ ticker }) => !priced.has(ticker)).length
  const unknownCached = cache.filter(([ticker, { result: word }]) => word !== 'scalar' && !priced.has(ticker)).length
  const scalars = cache.filter(([, { result: word }]) => word === 'scalar').length
  const input = pairs.length + 2 * history.length + ledger.length + cache.length
  expect(accountOf(result)).toEqual([input, input - unknown - unknownCached - scalars, unknown + unknownCached + scalars])
  expect(result.markets).toHaveLength(priced.size)
  const results = new Map([...cache.map(([ticker, one]) => [ticker, one.result] as const), ...history.map((one) => [one.ticker, one.result] as const), ...ledger.map((one) => [one.ticker, one.result] as const)])
  for (const { ticker, outcome } of result.markets) expect([ticker, outcome]).toEqual([ticker, results.get(ticker) === 'scalar' ? null : results.get(ticker) ?? null])
  // What the ticker says of the event is what the rows of pairs say.
  const events = new Map(pairs.map((one) => [(one as Json).ticker as string, one.event as string]))
  for (const { ticker, event } of result.markets) if (events.has(ticker)) expect(event).toBe(events.get(ticker))
})

test('kalshi reads each answer of the recorded API', async (ctx) => {
  const folder = join(recorded(ctx, 'api-formats'), 'kalshi')
  const { report, markets, ticks } = await imported('kalshi', [folder])
  const answer = (name: string): Json => (JSON.parse(textOf(join(folder, `${name}_response.json`))) as Json).response as Json
  const listed = [...answer('markets_list').markets as Json[], answer('market_single').market as Json, ...answer('event_single').markets as Json[]]
  const candles = [...(answer('event_candlesticks').market_candlesticks as Json[][]).flat(), ...answer('series_candlesticks').candlesticks as Json[]]
  const trades = answer('trades_list').trades as Json[]
  // Each market is a row of what is known, and a row of quotes. The book is one row.
  expect(report).toMatchObject({ inputRows: 2 * listed.length + candles.length + trades.length + 1, quarantinedRows: 0 })
  expect(markets.map(({ ticker }) => ticker)).toEqual([...new Set(listed.map(({ ticker }) => ticker as string))].sort())
  expect(ticks.count).toBeGreaterThan(candles.length / 2)
})
