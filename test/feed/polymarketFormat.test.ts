import { gzipSync } from 'node:zlib'
import { readdirSync } from 'node:fs'
import { parquetWriteBuffer } from 'hyparquet-writer'
import { describe, expect, test } from 'vitest'
import type { ImportResult } from '../../src/feed/importer.ts'
import { formatMapping } from '../../src/scenario/formats.ts'
import { importMapped, lines, shown, T0, troubles, written } from './mapping/mapped.ts'
import { broken, recorded } from './recordedData.ts'

const MS = T0 / 1000
const read = async (files: Readonly<Record<string, string | Uint8Array>>): Promise<ImportResult> => {
  const imported = await importMapped((await formatMapping('polymarket'))!, [written(files)])
  expect(broken(imported)).toEqual([])
  return imported
}
const json = (...objects: object[]) => lines(...objects.map((one) => JSON.stringify(one)))
const ticks = (imported: ImportResult) => shown(imported).map(([market, us, ...rest]) => [market, us - T0, ...rest])

const book = (asset: string, bids: [string, string][], asks: [string, string][], ms = 0) => ({
  event_type: 'book', market: '0xc', asset_id: asset, timestamp: String(MS + ms),
  bids: bids.map(([price, size]) => ({ price, size })), asks: asks.map(([price, size]) => ({ price, size })),
})
const change = (asset: string, price: string, side: string, size: string, ms = 0) => ({
  event_type: 'price_change', market: '0xc', timestamp: String(MS + ms), price_changes: [{ asset_id: asset, price, side, size, hash: 'h', best_bid: '0', best_ask: '1' }],
})

describe('socket frames', () => {
  const frames = [book('7', [['0.48', '30'], ['0.47', '5']], [['0.52', '25.5']]), change('7', '0.49', 'BUY', '3', 10), change('7', '0.52', 'sell', '0', 20)]
  const expected = [['7', 0, 480_000, 520_000, 30, 25, -1], ['7', 10_000, 490_000, 520_000, 3, 25, -1], ['7', 20_000, 490_000, -1, 3, -1, -1]]

  test.each<[string, string | Uint8Array]>([
    ['one a line', json(...frames)],
    ['lists of them a line', `${JSON.stringify(frames.slice(0, 2))}\n${JSON.stringify(frames.slice(2))}\n`],
    ['one document', JSON.stringify(frames)],
    ['one document of many lines', JSON.stringify(frames, null, 2)],
    ['wrapped by a recorder', json(...frames.map((msg) => ({ kind: 'ws', msg })))],
    ['wrapped as texts', json(...frames.map((frame) => ({ raw: JSON.stringify(frame), event_type: undefined })))],
    ['gzip', gzipSync(json(...frames))],
  ])('%s', async (name, bytes) => {
    // A text within a text hides the names by which a file is known, so that a frame beside it is needed.
    const file = name === 'wrapped as texts' ? json({ ...frames[0]!, asset_id: '9' }) + String(bytes) : bytes
    const imported = await read({ 'a.ndjson': file })
    expect(ticks(imported).filter(([market]) => market === '7')).toEqual(expected)
    expect(troubles(imported)).toEqual([])
  })

  test('are seen when they were received, in any unit, and a clock that is ahead is noted', async () => {
    const imported = await read({ 'a.ndjson': json({ recv_ns: `${T0}001`, msg: frames[0] }, { received_at: new Date(MS + 9).toISOString(), data: [frames[1]] }) })
    expect(ticks(imported).map(([, us]) => us)).toEqual([1, 9000])
    expect(troubles(imported)).toEqual(['noted exchange clock ahead: 1 from 2'])
  })

  test('of a token replace its book whole, and of two tokens of a condition exclude each other', async () => {
    const imported = await read({ 'a.ndjson': json(book('7', [['0.4', '1']], [['0.5', '1']]), book('7', [['0.3', '2']], [], 10), book('8', [['0.6', '1']], [])) })
    expect(ticks(imported)).toEqual([['7', 0, 400_000, 500_000, 1, 1, -1], ['8', 0, 600_000, -1, 1, -1, -1], ['7', 10_000, 300_000, -1, 2, -1, -1]])
    expect(imported.markets.map(({ event, exclusionKeys }) => [event, exclusionKeys])).toEqual([['0xc', ['event:0xc']], ['0xc', ['event:0xc']]])
  })

  test('of before September 2025 have changes of one token', async () => {
    const old = { event_type: 'price_change', asset_id: '7', market: '0xc', timestamp: String(MS + 10), changes: [{ price: '0.41', side: 'BUY', size: '2' }, { price: '0.42', side: 'BUY', size: '1' }] }
    expect(ticks(await read({ 'a.ndjson': json(book('7', [['0.4', '1']], []), old) })).at(-1)).toEqual(['7', 10_000, 420_000, -1, 1, -1, -1])
  })

  test('each trouble is counted, and what has no levels is noted', async () => {
    const rows = [
      frames[0]!, // 1
      change('8', '0.4', 'BUY', '1'), // 2: no book yet
      change('7', '0.4', 'HOLD', '1'), // 3
      change('7', '1.4', 'BUY', '1'), // 4
      change('7', '0.4', 'BUY', '-1'), // 5
      { ...frames[1]!, timestamp: 'now' }, // 6
      { event_type: 'price_change', market: '0xc', timestamp: String(MS) }, // 7
      { event_type: 'hello', asset_id: '7' }, // 8
      { event_type: 'tick_size_change', asset_id: '7' }, // 9
      { nothing: 1 }, // 10
      { ...book('', [], []) }, // 11
    ]
    const imported = await read({ 'a.ndjson': `${json(...rows)}{"event_type":\n7\n` })
    expect(troubles(imported).sort()).toEqual([
      'noted frame without levels: 1 from 9', 'quarantined bad size: 1 from 5', 'quarantined bad timestamp: 1 from 6', 'quarantined change before snapshot: 1 from 2',
      'quarantined no list of changes: 1 from 7', 'quarantined no market: 1 from 11', 'quarantined not JSON: 1 from 12', 'quarantined not an object: 1 from 13',
      'quarantined price out of range: 1 from 4', 'quarantined unknown event type: 1 from 8', 'quarantined unknown object: 1 from 10', 'quarantined unknown side: 1 from 3',
    ])
    expect([imported.report.inputRows, imported.report.acceptedRows]).toEqual([12, 1])
  })

  test.each([['lists', `${'['.repeat(12_000)}${']'.repeat(12_000)}`], ['objects', `${'{"msg":'.repeat(12_000)}1${'}'.repeat(12_000)}`]])('with %s in each other are set aside', async (_, deep) => {
    const text = `${json(frames[0]!)}{"event_type":"book","asset_id":"7","timestamp":"${MS}","bids":[{"price":${deep},"size":"1"}],"asks":[]}\n${deep}\n{"raw":${JSON.stringify(deep)}}\n`
    const imported = await read({ 'a.ndjson': text })
    // A book is read by one part of the format alone, and a line of no event by all of them.
    expect(troubles(imported).sort()).toEqual(['quarantined nested too deep: 1 from 2', 'quarantined nested too deep: 1 from 3', 'quarantined unknown object: 1 from 4'])
    expect(ticks(imported)).toEqual([expected[0]])
  })

  test('last trades are last prices of the book', async () => {
    const trade = { event_type: 'last_trade_price', market: '0xc', asset_id: '7', price: '0.51', side: 'BUY', size: '25', timestamp: String(MS + 5) }
    expect(ticks(await read({ 'a.ndjson': json(...frames.slice(0, 1), trade, frames[1]!) }))).toEqual([[...expected[0]!], ['7', 10_000, 490_000, 520_000, 3, 25, 510_000]])
  })

  test('as a table have a level in each row', async () => {
    const row = (type: string, price: string, side: string, ms: number) => `col-wsh,7,1,${type},${price},${side},3,h,${MS + ms}`
    const table = lines('market_slug,asset_id,market_id,event_type,price,side,size,hash,timestamp', row('book', '0.4', 'BUY', 0), row('book', '0.5', 'SELL', 0), row('price_change', '0.41', 'BUY', 10), row('tick_size_change', '', '', 20))
    const imported = await read({ 'a.csv': table })
    expect(ticks(imported)).toEqual([['7', 0, 400_000, 500_000, 3, 3, -1], ['7', 10_000, 410_000, 500_000, 3, 3, -1]])
    expect(imported.markets[0]?.event).toBe('col-wsh')
    expect(troubles(imported)).toEqual(['noted left out by where: 1 from 5'])
  })
})

describe('markets', () => {
  const gamma = (more: object = {}) => ({
    question: 'Rain?', conditionId: '0xc', slug: 'rain', outcomes: '["Yes", "No"]', outcomePrices: '["0.4", "0.6"]', clobTokenIds: '["7", "8"]', closed: false,
    acceptingOrdersTimestamp: '2025-06-18T00:00:00Z', endDate: '2025-06-20T00:00:00Z', ...more,
  })
  const clob = (more: object = {}) => ({ condition_id: '0xc', market_slug: 'rain', question: 'Rain?', accepting_order_timestamp: '2025-06-18T00:00:00Z', closed: true, is_50_50_outcome: false,
    tokens: [{ token_id: '7', outcome: 'Yes', winner: true }, { token_id: '8', outcome: 'No', winner: false }], ...more })
  const facts = ({ markets }: ImportResult) => markets.map(({ ticker, outcome, settlementE6 }) => `${ticker} ${settlementE6 ?? outcome}`)

  test('name the tokens of all other files, and say what there is to know', async () => {
    const closed = gamma({ closed: true, outcomePrices: '["1", "0"]', closedTime: '2025-06-19 21:00:00+00', umaEndDate: '2025-06-19T22:00:00Z', gameId: '99', events: [{ slug: 'weather', title: 'Weather' }] })
    const imported = await read({ 'markets.json': JSON.stringify([closed]), 'frames.ndjson': json(book('7', [['0.4', '1']], [])) })
    expect(ticks(imported)).toEqual([['rain:Yes', 0, 400_000, -1, 1, -1, -1]])
    expect(imported.markets[0]).toMatchObject({ ticker: 'rain:No', outcome: 'no' })
    expect(imported.markets[1]).toEqual({
      number: 1, ticker: 'rain:Yes', venue: 'venue_b', event: 'weather', series: '', category: '', title: 'Rain?: Yes', game: '99', ladder: '', exclusionKeys: ['event:weather', 'game:99', 'named:0xc'],
      openUs: Date.UTC(2025, 5, 18) * 1000, scheduledCloseUs: Date.UTC(2025, 5, 20) * 1000, scheduledCloseKnownUs: Date.UTC(2025, 5, 18) * 1000, actualCloseUs: Date.UTC(2025, 5, 19, 21) * 1000,
      outcome: 'yes', settlementE6: null, settledUs: Date.UTC(2025, 5, 19, 22) * 1000, listing: { eventTitle: 'Weather' },
    })
  })

  test.each<[string, object, string[], string[]]>([
    ['an open market', gamma(), ['rain:No null', 'rain:Yes null'], []],
    ['one that is won', gamma({ closed: true, outcomePrices: '["0", "1"]' }), ['rain:No yes', 'rain:Yes no'], []],
    ['half and half', gamma({ closed: true, outcomePrices: '["0.5", "0.5"]' }), ['rain:No 500000', 'rain:Yes 500000'], []],
    ['a scalar one', gamma({ closed: true, outcomePrices: '["0.25", "0.75"]', marketType: 'scalar', umaResolutionStatus: 'resolved' }), ['rain:No 750000', 'rain:Yes 250000'], []],
    ['a scalar one of which nobody says that it was resolved', gamma({ closed: true, outcomePrices: '["0.25", "0.75"]', marketType: 'scalar' }), ['rain:No null', 'rain:Yes null'], ['noted closed without a result: 1 from 1']],
    ...['proposed', 'disputed'].map((umaResolutionStatus): [string, object, string[], string[]] =>
      [`one whose result is ${umaResolutionStatus}`, gamma({ closed: true, outcomePrices: '["1", "0"]', umaResolutionStatus }), ['rain:No null', 'rain:Yes null'], ['noted result not final: 1 from 1']]),
    ['one of the CLOB, half and half, of which a token has no number', clob({ is_50_50_outcome: true, tokens: [{ token_id: '7', outcome: 'Yes', winner: false }, { token_id: '', outcome: 'No', winner: false }] }), ['rain:Yes null'], ['quarantined tokens without outcomes: 1 from 1']],
    ['last prices of a closed one', gamma({ closed: true, outcomePrices: '["0.9995", "0.0005"]' }), ['rain:No null', 'rain:Yes null'], ['noted closed without a result: 1 from 1']],
    ['one that was never resolved', gamma({ closed: true, outcomePrices: '["0", "0"]' }), ['rain:No null', 'rain:Yes null'], ['noted closed without a result: 1 from 1']],
    ['one of the CLOB', clob(), ['rain:No no', 'rain:Yes yes'], []],
    ['one of the CLOB, half and half', clob({ is_50_50_outcome: true, tokens: [{ token_id: '7', outcome: 'Yes', winner: false }, { token_id: '8', outcome: 'No', winner: false }] }), ['rain:No 500000', 'rain:Yes 500000'], []],
    // What a share of three tokens is nobody says: half and half is of two.
    ['one of the CLOB, half and half, of three tokens', clob({ is_50_50_outcome: true, tokens: ['7', '8', '9'].map((token_id) => ({ token_id, outcome: `O${token_id}`, winner: false })) }), ['rain:O7 null', 'rain:O8 null', 'rain:O9 null'], ['noted closed without a result: 1 from 1']],
    ['one of the CLOB, half and half, of three tokens that all won', clob({ is_50_50_outcome: true, tokens: ['7', '8', '9'].map((token_id) => ({ token_id, outcome: `O${token_id}`, winner: true })) }), ['rain:O7 null', 'rain:O8 null', 'rain:O9 null'], ['noted closed without a result: 1 from 1']],
    ['one of the CLOB, half and half, of one token', clob({ is_50_50_outcome: true, tokens: [{ token_id: '7', outcome: 'Yes', winner: false }] }), ['rain:Yes null'], ['noted closed without a result: 1 from 1']],
    ['one of the CLOB that is open', clob({ closed: false }), ['rain:No null', 'rain:Yes null'], ['noted winner of an open market: 1 from 1']],
    ['half and half, and a winner', clob({ is_50_50_outcome: true }), ['rain:No null', 'rain:Yes null'], ['noted closed without a result: 1 from 1']],
    ['a page of the CLOB', { data: [clob()], next_cursor: 'x' }, ['rain:No no', 'rain:Yes yes'], []],
    ['an event of Gamma', { slug: 'e', title: 'E', markets: [gamma()] }, ['rain:No null', 'rain:Yes null'], []],
    ['a new market', { event_type: 'new_market', slug: 'rain', market: '0xc', assets_ids: ['7', '8'], outcomes: ['Yes', 'No'], timestamp: String(MS) }, ['rain:No null', 'rain:Yes null'], []],
    ['one of before the order book', gamma({ clobTokenIds: undefined }), [], ['noted market without tokens: 1 from 1']],
    ['one whose lists differ', gamma({ outcomes: '["Yes"]' }), [], ['quarantined tokens without outcomes: 1 from 1']],
    ['one whose outcomes are alike', gamma({ outcomes: '["A", "A"]' }), [], ['quarantined tokens without outcomes: 1 from 1']],
    ['one that never opened', gamma({ acceptingOrdersTimestamp: undefined }), [], ['quarantined market without prices: 2 from 1']],
  ])('%s', async (_, object, expected, trouble) => {
    const imported = await read({ 'a.json': JSON.stringify(object, null, 1) })
    expect(facts(imported)).toEqual(expected)
    expect(troubles(imported)).toEqual(trouble)
  })

  test('of Gamma and the CLOB agree, and where they do not, the first stands', async () => {
    expect(troubles(await read({ 'a.json': JSON.stringify(gamma({ closed: true, outcomePrices: '["1", "0"]' })), 'b.json': JSON.stringify(clob()) }))).toEqual([])
    const imported = await read({ 'a.json': JSON.stringify(gamma({ closed: true, outcomePrices: '["0", "1"]' })), 'b.json': JSON.stringify(clob()) })
    expect(facts(imported)).toEqual(['rain:No yes', 'rain:Yes no'])
    expect(troubles(imported)).toEqual(['quarantined contradiction: 2 from 1'])
  })

  test('a token is one market’s alone', async () => {
    const imported = await read({ 'a.json': JSON.stringify([gamma(), gamma({ slug: 'snow' })]) })
    expect(facts(imported)).toEqual(['rain:No null', 'rain:Yes null'])
    expect(imported.report.troubles[0]).toMatchObject({ kind: 'contradiction', rows: 2, about: 'snow:Yes: 7 is rain:Yes too' })
  })

  test('market_resolved says which token won', async () => {
    const resolved = { event_type: 'market_resolved', market: '0xc', assets_ids: ['7', '8'], winning_asset_id: '8', timestamp: String(MS + 1000) }
    const imported = await read({ 'a.json': JSON.stringify(gamma()), 'b.ndjson': json(book('7', [['0.4', '1']], []), resolved, { ...resolved, winning_asset_id: '9' }) })
    expect(facts(imported)).toEqual(['rain:No yes', 'rain:Yes no'])
    expect(imported.markets.map(({ settledUs }) => settledUs)).toEqual([T0 + 1_000_000, T0 + 1_000_000])
    expect(troubles(imported)).toEqual(['quarantined no winner: 1 from 3'])
  })
})

test('objects of all kinds in one file are each read by their part, and one of none is set aside once', async () => {
  const market = { conditionId: '0xc', slug: 'rain', outcomes: '["Yes","No"]', clobTokenIds: '["7","8"]', acceptingOrdersTimestamp: '2025-06-18T00:00:00Z' }
  const imported = await read({ 'a.ndjson': json(book('7', [['0.4', '1']], []), market, { token_id: '8', history: [{ t: MS / 1000, p: 0.6 }] }, { stranger: 1 }, { event_type: 'market_resolved', assets_ids: ['7', '8'], winning_asset_id: '7', timestamp: String(MS + 1) }) })
  expect(troubles(imported)).toEqual(['quarantined unknown object: 1 from 4'])
  // Two tokens of the market, two results, a price, a book, and the stranger.
  expect([imported.report.inputRows, imported.report.acceptedRows]).toEqual([7, 6])
})

describe('prices-history and trades', () => {
  test('a history is that of the token that the file is called by, or that it names', async () => {
    const history = [{ t: MS / 1000, p: 0.53 }, { t: MS / 1000 + 60, p: 1 / 3 }]
    const imported = await read({ '7.json': JSON.stringify({ history }), 'b.ndjson': json({ token_id: '8', history: [history[0], { t: 'x', p: 1 }, 5] }) })
    expect(ticks(imported)).toEqual([['7', 0, -1, -1, -1, -1, 530_000], ['8', 0, -1, -1, -1, -1, 530_000], ['7', 60_000_000, -1, -1, -1, -1, 333_333]])
    expect(troubles(imported).sort()).toEqual(['noted rounded price: 1 from 1', 'quarantined bad timestamp: 1 from 1', 'quarantined not an object: 1 from 1'])
  })

  test('trades are prices of their token, as JSON or as a table', async () => {
    const trades = [{ asset: '7', conditionId: '0xc', side: 'BUY', price: 0.55, size: 100, timestamp: MS / 1000 }, { asset: '8', conditionId: '0xc', side: 'SELL', price: 0.449999999, size: 1, timestamp: MS / 1000 + 1 }]
    const table = lines('asset,conditionId,side,price,size,timestamp', ...trades.map(Object.values).map((row) => row.join(',')))
    for (const files of [{ 'a.json': JSON.stringify(trades) }, { 'a.csv': table }]) {
      const imported = await read(files)
      expect(ticks(imported)).toEqual([['7', 0, -1, -1, -1, -1, 550_000], ['8', 1_000_000, -1, -1, -1, -1, 450_000]])
      expect(imported.markets.map(({ event }) => event)).toEqual(['0xc', '0xc'])
    }
  })
})

describe('trades of one second', () => {
  // Of each second the last price: that of the row which the source put last in time.
  const trade = ([seconds, cents]: readonly [number, number], asset = '7') => ({ asset, conditionId: '0xc', price: cents / 100, timestamp: MS / 1000 + seconds })
  const table = (rows: object[]) => lines(Object.keys(rows[0]!).join(','), ...rows.map((row) => Object.values(row).join(',')))
  const parquet = (rows: ReturnType<typeof trade>[]) => Buffer.from(parquetWriteBuffer({ rowGroupSize: 3000, columnData: [
    { name: 'asset', data: rows.map(({ asset }) => asset), type: 'STRING' }, { name: 'conditionId', data: rows.map(({ conditionId }) => conditionId), type: 'STRING' },
    { name: 'price', data: new Float32Array(rows.map(({ price }) => price)), type: 'FLOAT' }, { name: 'timestamp', data: rows.map(({ timestamp }) => BigInt(timestamp)), type: 'INT64' },
  ] }))
  const prices = (imported: ImportResult, asset = '7') => ticks(imported).filter(([market]) => market === asset).map(([, us, , , , , last]) => [Number(us) / 1e6, Number(last) / 1e4])
  const WRITTEN: [string, (rows: ReturnType<typeof trade>[]) => string | Uint8Array][] = [['a.json', (rows) => JSON.stringify(rows)], ['a.ndjson', (rows) => json(...rows)], ['a.csv', table], ['a.parquet', parquet]]
  type Trades = (readonly [number, number])[]

  test.each<[string, Trades, Trades]>([
    ['that begins with the newest', [[3, 40], [2, 41], [2, 42], [2, 43], [1, 44], [1, 45]], [[1, 45], [1, 44], [2, 43], [2, 42], [2, 41], [3, 40]]],
    ['that begins with the newest second', [[3, 40], [3, 41], [1, 42]], [[1, 42], [3, 41], [3, 40]]],
    ['that begins with the oldest', [[1, 45], [1, 44], [2, 43], [2, 42], [3, 40], [3, 41]], [[1, 45], [1, 44], [2, 43], [2, 42], [3, 40], [3, 41]]],
    ['that begins with the oldest, with a row out of order', [[2, 45], [2, 44], [1, 43], [3, 42], [3, 41], [4, 40]], [[1, 43], [2, 45], [2, 44], [3, 42], [3, 41], [4, 40]]],
    ['that begins with the newest, with a row out of order', [[4, 40], [3, 41], [5, 42], [2, 43], [2, 44], [1, 45]], [[1, 45], [2, 44], [2, 43], [3, 41], [4, 40], [5, 42]]],
    ['of one second', [[1, 45], [1, 44]], [[1, 45], [1, 44]]],
  ])('of a file %s', async (_, rows, expected) => {
    for (const [name, write] of WRITTEN) expect([name, prices(await read({ [name]: write(rows.map((row) => trade(row))) }))]).toEqual([name, expected])
  })

  test('are turned around by market, with books as their last price too, and damaged rows stay what they are', async () => {
    const rows = [trade([2, 40]), trade([1, 41]), trade([1, 60], '8'), trade([1, 42]), trade([1, 61], '8'), trade([0, 43])]
    const imported = await read({ 'a.csv': `${table(rows)}7,0xc,0.4\n7,0xc,1.4,${MS / 1000}\n`, 'b.ndjson': json(book('7', [['0.3', '1']], [], 1500)) })
    expect(ticks(imported).filter(([market]) => market === '7').map(([, us, bid, , , , last]) => [Number(us) / 1e6, bid, last])).toEqual([[0, -1, 430_000], [1, -1, 420_000], [1, -1, 410_000], [1.5, 300_000, 410_000], [2, 300_000, 400_000]])
    expect(prices(imported, '8')).toEqual([[1, 61], [1, 60]])
    expect(troubles(imported)).toEqual(['quarantined ragged row: 1 from 8', 'quarantined price out of range: 1 from 9'])
  })

  // A second may lie on both sides of where a table is read in parts, and of where the order was found out.
  test('of a long file are turned around wherever they lie', async () => {
    const count = 20_000
    const rows = Array.from({ length: count }, (_, i) => trade([Math.floor((count - i) / 7), 1 + (i % 7)]))
    for (const [name, write] of WRITTEN) {
      const seen = prices(await read({ [name]: write(rows) }))
      expect([name, seen]).toEqual([name, rows.toReversed().map(({ timestamp, price }) => [timestamp - MS / 1000, Math.round(price * 100)])])
    }
    expect(prices(await read({ 'a.csv': table(rows.toReversed()) }))).toEqual(rows.toReversed().map(({ timestamp, price }) => [timestamp - MS / 1000, Math.round(price * 100)]))
    // Its line is told as it stands in the file.
    const bad = rows.with(15_000, trade([Math.floor(5000 / 7), 150]))
    expect(troubles(await read({ 'a.csv': table(bad) }))).toEqual(['quarantined price out of range: 1 from 15002'])
  })
})

test('the recorded answers and frames are read, each by its part', async (ctx) => {
  const folder = recorded(ctx, 'api-formats/polymarket')
  const imported = await importMapped((await formatMapping('polymarket'))!, [folder])
  expect(broken(imported)).toEqual([])
  expect(imported.report.troubles.filter(({ kind }) => kind === 'file not read')).toEqual([])
  expect(new Set(imported.report.files.map(({ file }) => file)).size).toBe(readdirSync(folder).length)
  const outcome = (ticker: string) => imported.markets.find((market) => market.ticker === ticker)?.outcome
  expect(['Yes', 'No'].map((side) => outcome(`katana-fdv-above-1b-one-day-after-launch-395-996:${side}`))).toEqual(['no', 'yes'])
  expect(['FaZe', 'illwill'].map((side) => outcome(`cs2-faze-ill-2026-04-05:${side}`))).toEqual(['yes', 'no'])
  // Two markets of 2020 have no opening and no prices: four tokens.
  expect(troubles(imported).filter((one) => one.startsWith('quarantined'))).toEqual(['quarantined market without prices: 2 from 1', 'quarantined market without prices: 2 from 1'])
})
