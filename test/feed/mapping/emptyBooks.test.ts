import { describe, expect, test } from 'vitest'
import { formatMapping } from '../../../src/scenario/formats.ts'
import { importMapped, lines, mapped, shown, T0, troubles, written } from './mapped.ts'

const MS = T0 / 1000
const json = (...objects: object[]) => lines(...objects.map((one) => JSON.stringify(one)))
/** Ticks as market, ms, bid, ask. */
const tops = (result: Awaited<ReturnType<typeof mapped>>) => shown(result).map(([market, us, bid, ask]) => [market, (us - T0) / 1000, bid, ask])
const account = ({ report: { inputRows, acceptedRows, quarantinedRows } }: Awaited<ReturnType<typeof mapped>>) => [inputRows, acceptedRows, quarantinedRows]

const level = (side: string, px: string, qty = '5') => ({ side, px, qty })
const frame = (ms: number, type: string, levels: unknown, more: object = { asset: 'A' }) => ({ type, ts: MS + ms, data: { levels }, ...more })

describe('a list of levels that is empty', () => {
  const BOOK = 'files: [{ kind: depth, where: { type: [snapshot, delta] }, rows: data.levels, market: asset, time: { column: ts, unit: ms }, side: side, price: px, size: qty, snapshot: { column: type, words: [snapshot] } }]'
  const full = [level('bid', '0.40'), level('ask', '0.50')]

  test('of a snapshot empties the book, and later changes are played onto that', async () => {
    const result = await mapped(BOOK, { 'a.ndjson': json(frame(0, 'snapshot', full), frame(1, 'snapshot', []), frame(2, 'delta', [level('ask', '0.70')]), frame(3, 'snapshot', full)) })
    expect(tops(result)).toEqual([['A', 0, 400_000, 500_000], ['A', 1, -1, -1], ['A', 2, -1, 700_000], ['A', 3, 400_000, 500_000]])
    expect([troubles(result), account(result)]).toEqual([[], [6, 6, 0]])
  })

  test('of a snapshot at the instant of another is a book of its own', async () => {
    const result = await mapped(BOOK, { 'a.ndjson': json(frame(0, 'snapshot', full), frame(0, 'snapshot', []), frame(1, 'delta', [level('bid', '0.10')])) })
    expect(tops(result)).toEqual([['A', 0, -1, -1], ['A', 1, 100_000, -1]])
  })

  test('is a book from which changes may begin', async () => {
    const result = await mapped(BOOK, { 'a.ndjson': json(frame(0, 'delta', [level('bid', '0.20')]), frame(1, 'snapshot', []), frame(2, 'delta', [level('bid', '0.30')])) })
    expect(tops(result)).toEqual([['A', 1, -1, -1], ['A', 2, 300_000, -1]])
    expect(troubles(result)).toEqual(['quarantined change before snapshot: 1 from 1'])
  })

  test('of changes changes nothing', async () => {
    const result = await mapped(BOOK, { 'a.ndjson': json(frame(0, 'snapshot', full), frame(1, 'delta', []), frame(2, 'delta', [level('bid', '0.41')])) })
    expect(tops(result)).toEqual([['A', 0, 400_000, 500_000], ['A', 2, 410_000, 500_000]])
    expect(account(result)).toEqual([4, 4, 0])
  })

  test('of a market or a time that nobody names is a trouble, and of another kind it is left out', async () => {
    const result = await mapped(BOOK, { 'a.ndjson': json(frame(0, 'snapshot', full), frame(1, 'snapshot', [], {}), { ...frame(2, 'snapshot', []), ts: null }, frame(3, 'trade', [])) })
    expect(tops(result)).toEqual([['A', 0, 400_000, 500_000]])
    expect(troubles(result)).toEqual(['quarantined no market: 1 from 2', 'quarantined no time: 1 from 3', 'noted left out by where: 1 from 4'])
    expect(account(result)).toEqual([4, 2, 2])
  })

  test('beside a list of the same object that has levels says nothing, and among several books it empties its own', async () => {
    const yaml = (rows: string) => `files: [{ kind: depth, rows: ${rows}, market: asset, time: { column: ts, unit: ms }, side: side, price: px, size: qty, snapshot: always }]`
    const sides = await mapped(yaml('[bids, asks]'), { 'a.ndjson': json(
      { asset: 'A', ts: MS, bids: [level('bid', '0.40')], asks: [] }, { asset: 'A', ts: MS + 1, bids: [], asks: [level('ask', '0.50')] }, { asset: 'A', ts: MS + 2, bids: [], asks: [] }) })
    expect(tops(sides)).toEqual([['A', 0, 400_000, -1], ['A', 1, -1, 500_000], ['A', 2, -1, -1]])
    expect(account(sides)).toEqual([3, 3, 0])
    const books = await mapped(yaml('books.levels'), { 'a.ndjson': json(...[[level('bid', '0.40')], []].map((levels, ms) => ({ ts: MS + ms, books: [{ asset: 'A', levels }, { asset: 'B', levels: [level('bid', '0.30')] }] }))) })
    expect(tops(books)).toEqual([['A', 0, 400_000, -1], ['B', 0, 300_000, -1], ['A', 1, -1, -1]])
  })

  test('is no row of a part of another kind', async () => {
    const yaml = 'files: [{ kind: trades, rows: trades, market: m, time: { column: ts, unit: ms }, price: p }]'
    const result = await mapped(yaml, { 'a.ndjson': json({ m: 'A', ts: MS, trades: [{ p: 0.4 }] }, { m: 'A', ts: MS + 1, trades: [] }) })
    expect([troubles(result), account(result)]).toEqual([[], [1, 1, 0]])
  })
})

describe('a row of a whole book', () => {
  const yaml = 'files: [{ kind: depth, market: m, time: { column: t, unit: ms }, side: s, price: p, size: z, snapshot: { column: e, words: book }, group: h }]'

  test('without side, price and size says that the book has no level, and a change without them is set aside', async () => {
    const result = await mapped(yaml, { 'd.csv': lines('m,t,s,p,z,e,h',
      `A,${MS},bid,0.4,5,book,x`, `A,${MS},ask,0.5,5,book,x`, `A,${MS + 1},,,,change,`, `A,${MS + 2},,,,book,y`, `A,${MS + 3},ask,0.7,1,change,`, `A,${MS + 4},,,0,book,z`, `,${MS + 5},,,,book,z`) })
    expect(tops(result)).toEqual([['A', 0, 400_000, 500_000], ['A', 2, -1, -1], ['A', 3, -1, 700_000], ['A', 4, -1, -1]])
    expect(troubles(result)).toEqual(['quarantined unknown side: 1 from 4', 'quarantined no market: 1 from 8'])
    expect(account(result)).toEqual([7, 5, 2])
  })

  test('that has a price or a size without a side is set aside, and one among levels of its book takes none of them away', async () => {
    const result = await mapped(yaml, { 'd.csv': lines('m,t,s,p,z,e,h', `A,${MS},bid,0.4,5,book,x`, `A,${MS},,,,book,x`, `A,${MS},,0.5,,book,x`, `A,${MS},,,5,book,x`) })
    expect(tops(result)).toEqual([['A', 0, 400_000, -1]])
    expect(troubles(result)).toEqual(['quarantined unknown side: 2 from 4'])
  })
})

describe('an empty book of a format that parlor knows by name empties the book', () => {
  const kalshi = (seq: number, levels: object) => ({ type: 'orderbook_snapshot', sid: 1, seq, recv_ms: MS + seq, msg: { market_ticker: 'A-B', ...levels } })
  const both = { yes_dollars_fp: [['0.40', '5']], no_dollars_fp: [['0.50', '5']] }
  const polymarket = (ms: number, bids: unknown, asks: unknown) => ({ event_type: 'book', market: '0xc', asset_id: '7', timestamp: String(MS + ms), bids, asks })
  const one = [{ price: '0.4', size: '5' }]
  const hyperliquid = (ms: number, ...levels: object[][]) => ({ channel: 'l2Book', data: { coin: '#10', time: MS + ms, levels } })
  const px = [{ px: '0.4', sz: '5', n: 1 }]

  test.each<[string, string, object[], string]>([
    ['kalshi-frames', 'without lists', [kalshi(1, both), kalshi(2, {})], 'A-B'],
    ['kalshi-frames', 'with empty lists', [kalshi(1, both), kalshi(2, { yes_dollars_fp: [], no_dollars_fp: [] })], 'A-B'],
    ['polymarket', 'with empty lists', [polymarket(1, one, []), polymarket(2, [], [])], '7'],
    ['hyperliquid-outcomes', 'with empty lists', [hyperliquid(1, px, []), hyperliquid(2, [], [])], '#10'],
  ])('%s %s', async (format, _, frames, market) => {
    const result = await importMapped((await formatMapping(format))!, [written({ 'a.ndjson': json(...frames) })])
    expect(tops(result).slice(1)).toEqual([[market, 2, -1, -1]])
    expect(result.report.quarantinedRows).toBe(0)
  })

  test.each<[string, object]>([['null', { orderbook: { yes: null, no: null } }], ['lists', { orderbook_fp: { yes_dollars: [], no_dollars: [] } }]])('kalshi, an answer of %s', async (_, answer) => {
    const asked = (ms: number, response: object) => ({ _metadata: { ticker: 'A-B', recorded_at: new Date(MS + ms).toISOString() }, response })
    const result = await importMapped((await formatMapping('kalshi'))!, [written({ 'a.ndjson': json(asked(1, { orderbook: { yes: [[40, 5]], no: [[50, 5]] } }), asked(2, answer)) })])
    expect(tops(result)).toEqual([['A-B', 1, 400_000, 500_000], ['A-B', 2, -1, -1]])
  })
})
