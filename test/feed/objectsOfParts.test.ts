import { describe, expect, test } from 'vitest'
import { mappingOfText } from '../../src/scenario/mappingFile.ts'
import { formatMapping } from '../../src/scenario/formats.ts'
import { importMapped, lines, mapped, refusal, shown, T0, troubles, written } from './mapping/mapped.ts'

const MS = T0 / 1000
const json = (...objects: object[]) => lines(...objects.map((one) => JSON.stringify(one)))
/** More rows than are looked at first, and more bytes. */
const many = (of: (i: number) => object) => Array.from({ length: 400 }, (_, i) => ({ ...of(i), pad: 'x'.repeat(90) }))

const MAPPING = `
files:
  - kind: quotes
    market: ticker
    time: { column: ts, unit: ms }
    bid: bid
    ask: ask
    bid_size: size
  - kind: markets
    market: ticker
    title: title
    event: event
    category: category
    close: closes
  - kind: results
    market: ticker
    result: outcome
    settled: settled`
const quotes = many((i) => ({ ticker: 'A-1', ts: MS + i, bid: 0.4, ask: 0.5, size: i }))
// Each lacks columns that its part may do without.
const others = [
  { ticker: 'A-1', title: 'Rain', category: 'weather' }, { ticker: 'A-2', event: 'A', closes: '2025-06-21T00:00:00Z' }, { ticker: 'A-1', outcome: 'yes' },
  { ticker: 'A-1', outcome: 'yes', settled: '2025-06-21T00:00:00Z' }, { ticker: 'A-1', ts: MS + 500, bid: 0.3 },
]

describe('objects of a mapping’s parts in one file', () => {
  test.each([['late', [...quotes, ...others]], ['first', [...others, ...quotes]], ['between', [...quotes.slice(0, 200), ...others, ...quotes.slice(200)]]])('that come %s are all read', async (_, objects) => {
    const imported = await mapped(MAPPING, { 'a.ndjson': json(...objects) })
    const { report, markets } = imported
    expect([report.inputRows, report.acceptedRows, report.quarantinedRows]).toEqual([405, 404, 1])
    expect(markets.map(({ ticker, title, category, outcome }) => [ticker, title, category, outcome])).toEqual([['A-1', 'Rain', 'weather', 'yes']])
    // Nothing says when A-2 opened.
    expect(troubles(imported)).toEqual([expect.stringContaining('quarantined market without prices: 1'), 'noted empty side: 1 from ' + String(objects.indexOf(others[4]!) + 1)])
    expect(shown(imported)).toHaveLength(401)
  })

  test('are set aside once where no part has what it needs, with the first line', async () => {
    const strange = [{ hello: 1 }, { ticker: 'A-1' }, { ticker: 'A-1', bid: 0.4 }, { title: 'Rain' }]
    const imported = await mapped(MAPPING, { 'a.ndjson': json(...quotes, ...others, ...strange) })
    expect([imported.report.inputRows, imported.report.acceptedRows]).toEqual([409, 404])
    expect(imported.report.troubles.find(({ kind }) => kind === 'unknown object')).toMatchObject({ rows: 4, firstRow: 406, handling: 'quarantined', about: 'no part of the mapping knows {"hello":1}' })
  })

  test('are set aside with what the file lacks for parts that do not read it', async () => {
    const market = { ticker: 'A-1', title: 'Rain', event: 'A', category: 'weather', closes: '2025-06-21T00:00:00Z' }
    const { report } = await mapped(MAPPING, { 'a.ndjson': json(...quotes, market, { ticker: 'A-1', outcome: 'yes' }) })
    expect(report.troubles.map(({ about }) => about)).toEqual(['no part of the mapping knows {"ticker":"A-1","outcome":"yes"}; results: no column settled'])
  })

  test('are known by what needs names, and by where', async () => {
    const mapping = `
files:
  - { kind: quotes, where: { type: quote }, needs: [type, msg], market: msg.ticker, time: { column: msg.ts, unit: ms }, bid: msg.bid }
  - { kind: trades, where: { type: trade }, needs: [type, msg], market: msg.ticker, time: { column: msg.ts, unit: ms }, price: msg.price }`
    const frame = (type: string, msg?: object) => ({ type, msg })
    const imported = await mapped(mapping, { 'a.ndjson': json(frame('quote', { ticker: 'A', ts: MS, bid: 0.4 }), frame('trade', { ticker: 'A', ts: MS, price: 0.4 }), frame('ok'), frame('trade', {}), frame('trade'), { msg: {} }) })
    expect(troubles(imported).filter((one) => !one.includes('left out'))).toEqual(['quarantined no market: 1 from 4', 'quarantined unknown object: 2 from 5', 'noted empty side: 1 from 1'])
  })

  test('are quoted however deep they are', async () => {
    const deep = `{"a":${'['.repeat(20_000)}${']'.repeat(20_000)}}`
    const { report } = await mapped(MAPPING, { 'a.ndjson': `${json(...quotes, { ticker: 'A-1', title: 'Rain', event: 'A', category: 'weather', closes: '2025-06-21T00:00:00Z' })}${deep}\n` })
    expect(report.troubles.map(({ kind, firstRow, about }) => [kind, firstRow, about])).toEqual([['unknown object', 402, 'no part of the mapping knows what is nested too deep; results: no column settled']])
  })

  test('that where leaves out count among the numbers of a stream', async () => {
    const mapping = `
files:
  - { kind: depth, where: { type: book }, market: m, time: { column: t, unit: ms }, bids: bids, asks: asks, sequence: seq, stream: sid }
  - { kind: depth, where: { type: delta }, market: m, time: { column: t, unit: ms }, side: side, price: price, size: size, sequence: seq, stream: sid }`
    const book = { type: 'book', sid: 1, m: 'A', t: MS, bids: [[0.4, 10]], asks: [[0.6, 10]], seq: 1 }
    const delta = (seq: number) => ({ type: 'delta', sid: 1, m: 'A', t: MS + seq, side: 'bid', price: 0.41, size: seq, seq })
    const read = async (between: object) => {
      const imported = await mapped(mapping, { 'a.ndjson': json(book, delta(2), between, delta(4)) })
      return [shown(imported).length, troubles(imported).filter((one) => one.startsWith('quarantined'))]
    }
    expect(await read({ type: 'ticker', sid: 1, m: 'A', t: MS, seq: 3 })).toEqual([3, []])
    expect(await read({ sid: 1, m: 'A', t: MS, seq: 3 })).toEqual([3, []])
    expect((await read({ type: 'ticker', sid: 1, m: 'A', t: MS }))[1]).toEqual(['quarantined sequence gap: 1 from 4'])
  })

  test('a file of which only the first objects are of no part is read, and one that has the names alone is not', async () => {
    const acks = many((i) => ({ ack: i }))
    const late = await mapped(MAPPING, { 'a.ndjson': json(...acks, ...quotes) })
    expect([late.report.inputRows, late.report.acceptedRows, troubles(late)]).toEqual([800, 400, ['quarantined unknown object: 400 from 1']])
    const names = json({ list: [{ ticker: 1, ts: 1, bid: 1, ask: 1, size: 1 }] })
    const beside = await mapped(MAPPING, { 'a.ndjson': json(...quotes), 'b.ndjson': names })
    expect([beside.report.inputRows, troubles(beside)]).toEqual([400, ['noted file not read: 0 from 1']])
    const alone = await refusal(() => importMapped(mappingOfText('mapping.yaml', MAPPING), [`${written({ 'b.ndjson': names })}/b.ndjson`]))
    expect(alone.message).toContain('no part of the mapping reads it')
  })
})

/** Each object is one row, but for those that say how many rows they are. */
interface Recording {
  readonly usual: readonly object[]
  readonly late: readonly object[]
  /** Rows of the late objects, beyond one each. */
  readonly moreRows: number
}

const market = { ticker: 'A-1', event_ticker: 'A', open_time: '2025-06-19T00:00:00Z', close_time: '2025-06-20T00:00:00Z', status: 'closed' }
const RECORDINGS: Readonly<Record<string, Recording>> = {
  polymarket: {
    usual: many((i) => ({ event_type: 'book', asset_id: '7', market: '0xc', bids: [{ price: '0.4', size: '10' }], asks: [{ price: '0.6', size: '10' }], timestamp: String(MS + i) })),
    late: [
      { event_type: 'market_resolved', market: '0xc', assets_ids: ['7', '8'], winning_asset_id: '7', timestamp: String(MS + 900) },
      { event_type: 'new_market', market: '0xd', slug: 'rain', assets_ids: ['11', '12'], outcomes: ['Yes', 'No'], timestamp: String(MS + 901) },
      { asset: '7', conditionId: '0xc', price: 0.5, timestamp: MS + 902 },
      { token_id: '7', history: [{ t: MS / 1000, p: 0.5 }] },
      { hello: 1 },
    ],
    moreRows: 2,
  },
  'hyperliquid-outcomes': {
    usual: many((i) => ({ channel: 'l2Book', data: { coin: '#100', time: MS + i, levels: [[{ px: '0.5', sz: '10', n: 1 }], [{ px: '0.6', sz: '10', n: 1 }]] } })),
    late: [{ channel: 'trades', data: [{ coin: '#100', px: '0.55', sz: '1', time: MS, tid: 1 }] }, { spec: { outcome: 10, sideSpecs: [{ name: 'Yes' }, { name: 'No' }] }, settleFraction: '1' }, { hello: 1 }],
    moreRows: 1,
  },
  kalshi: {
    usual: many((i) => ({ trade_id: `t${i}`, ticker: 'A-1', yes_price: 45, created_time: new Date(MS + i).toISOString(), is_block_trade: false })),
    late: [market, { ticker: 'A-1', candlesticks: [{ end_period_ts: MS / 1000, yes_bid: { close: 41 }, yes_ask: { close: 52 }, price: { close: 45 } }] }, { hello: 1 }],
    moreRows: 0,
  },
}

test.each(Object.keys(RECORDINGS))('%s: each line is accepted or set aside, wherever it stands', async (format) => {
  const { usual, late, moreRows } = RECORDINGS[format]!
  const mapping = (await formatMapping(format))!
  const read = (...objects: object[]) => importMapped(mapping, [written({ 'a.ndjson': json(...objects) })])
  const { report } = await read(...usual, ...late)
  const turned = await read(...late, ...usual)
  expect(report.inputRows).toBe(usual.length + late.length + moreRows)
  expect(report.acceptedRows + report.quarantinedRows).toBe(report.inputRows)
  const counts = ({ acceptedRows, quarantinedRows }: typeof report) => [acceptedRows, quarantinedRows]
  expect(counts(report)).toEqual(counts(turned.report))
  expect(report.troubles.find(({ kind }) => kind === 'unknown object')).toMatchObject({ rows: 1, firstRow: usual.length + late.length, handling: 'quarantined' })
})

test('pieces of files that other threads read tell of objects as this thread does', async () => {
  const part = (name: string, size: number) => ({ [name]: json(...quotes.slice(0, size), { ticker: 'A-1', title: 'Rain', category: 'weather', event: 'A', closes: '2025-06-21T00:00:00Z' }, { hello: 1 }) })
  const files = { ...part('a.ndjson', 300), ...part('b.ndjson', 200) }
  const whole = await mapped(MAPPING, files)
  const pieced = await mapped(MAPPING, files, { pieceSizes: { csvBytes: 1, parquetRows: 1 } })
  expect(troubles(pieced)).toEqual(troubles(whole))
  expect(troubles(whole)).toContain('quarantined unknown object: 1 from 302')
  expect(pieced.report).toMatchObject({ inputRows: 504, quarantinedRows: whole.report.quarantinedRows })
})
