import { type Fill, fillTable } from '../polymarketFillRows.ts'
import type { Files } from './damage.ts'
import { MAPPED_SAMPLES } from './mappedSamples.ts'
import { made, parquetOf, text } from './sampleRows.ts'

function btc15m(): Files {
  const ticker = 'KXBTC15M-26MAY111215-15'
  const at = (i: number): string => `${1_778_501_352_000_000 + i * 1000}${i % 3 === 0 ? '000' : '001'}`
  return {
    'deltas.csv': text('recv_ns,ts_ms,market_ticker,connection_id,seq,side,price_dollars,delta_fp', ...made(24, (i) => `${at(i + 1)},${1_778_501_352_000 + i},${ticker},3,${i + 2},${i % 2 === 0 ? 'yes' : 'no'},0.${40 + i % 7},${i % 4 === 3 ? '-1.00' : '2.50'}`)),
    'snapshots.csv': text('recv_ns,market_ticker,connection_id,seq,side,price_dollars,size_fp', ...made(6, (i) => `${at(0)},${ticker},3,1,${i % 2 === 0 ? 'yes' : 'no'},0.${40 + i},10.00`)),
    'labels.csv': text('market_ticker,binary_result,settlement_ts_utc,strike,market_status', `${ticker},yes,2026-05-11T16:15:20Z,81000.5,finalized`),
  }
}

function mlbClose(): Files {
  const rows = made(20, (i) => `2025-04-16,KXMLBGAME-25APR16-${i},G${i >> 1},A,${i % 2 === 0 ? 'A' : 'B'},${40 + i},${42 + i},0,10,1,${i % 2 === 0 ? 'yes' : 'no'},${1_744_840_697 + i}`)
  return { 'games.csv': text('date,ticker,event,yes_team,winner,close_bid,close_ask,close_mid,volume,open_interest,result,settled_ts', ...rows) }
}

function weather(): Files {
  const openMs = Date.UTC(2026, 3, 1, 15)
  const rungs = [0, 1, 2]
  return {
    'candles.parquet': parquetOf({
      ticker: ['STRING', made(24, (i) => `E-B${i % 3}`)], end_ts: ['INT64', made(24, (i) => BigInt(openMs / 1000 + (1 + Math.floor(i / 3)) * 3600))],
      end_time: ['TIMESTAMP', made(24, (i) => new Date(openMs + (1 + Math.floor(i / 3)) * 3_600_000))], price_close: ['DOUBLE', made(24, (i) => (i % 5 === 0 ? null : 0.4))],
      yes_bid_close: ['DOUBLE', made(24, (i) => (30 + i) / 100)], yes_ask_close: ['DOUBLE', made(24, (i) => (32 + i) / 100)],
    }),
    'events.parquet': parquetOf({ event_ticker: ['STRING', ['E']], title: ['STRING', ['Temperature']], category: ['STRING', ['Climate']], mutually_exclusive: ['BOOLEAN', [true]] }),
    'markets.parquet': parquetOf({
      ticker: ['STRING', rungs.map((i) => `E-B${i}`)], event_ticker: ['STRING', rungs.map(() => 'E')], yes_sub_title: ['STRING', rungs.map((i) => `bucket ${i}`)],
      open_time: ['TIMESTAMP', rungs.map(() => new Date(openMs))], close_time: ['TIMESTAMP', rungs.map(() => new Date(openMs + 36e6))], settlement_time: ['TIMESTAMP', rungs.map(() => new Date(openMs + 4e7))],
      result: ['STRING', rungs.map((i) => (i === 1 ? 'yes' : 'no'))], _series_ticker: ['STRING', rungs.map(() => 'S')],
    }),
  }
}

function polymarketBook(): Files {
  const row = (token: number, type: string, i: number): string => `mlb-col-wsh-2025-06-19,${token},1,${type},0.${30 + i % 30},${i % 2 === 0 ? 'bid' : 'ask'},${5 + i}.5,h${type === 'book' ? token : i},${Date.UTC(2025, 5, 19, 19) + i * 100}`
  const header = 'market_slug,asset_id,market_id,event_type,price,side,size,hash,timestamp'
  return {
    'events.csv': text(header, row(7, 'book', 0), row(7, 'book', 29), row(8, 'book', 2), row(8, 'book', 31), ...made(20, (i) => row(7 + i % 2, 'price_change', 32 + i))),
    'results.csv': text('slug,away,home,winner,asset_ids,note', 'mlb-col-wsh-2025-06-19,col,wsh,col,7|8,'),
  }
}

function priceHistory(): Files {
  return {
    'prices.parquet': parquetOf({
      timestamp: ['TIMESTAMP', made(30, (i) => new Date(Date.UTC(2026, 0, 3, 12) + i * 600_000))], market_slug: ['STRING', made(30, (i) => `will-${i % 3}`)], question: ['STRING', made(30, (i) => `Will ${i % 3}?`)],
      price: ['DOUBLE', made(30, (i) => 0.3 + i / 100)], outcome: ['DOUBLE', made(30, (i) => (i % 3 === 2 ? null : i % 3))], category: ['STRING', made(30, () => 'general')],
    }),
  }
}

function fills(): Files {
  const [block, second] = [70_000_000, Date.UTC(2025, 5, 19, 19) / 1000]
  return {
    'blocks.parquet': parquetOf({ block_number: ['INT64', made(6, (i) => BigInt(block + i))], timestamp: ['INT64', made(6, (i) => BigInt(second + 2 * i))] }),
    'fills.csv': Buffer.from(fillTable(...made(18, (i): Fill => {
      const [shares, usdc, token] = ['10000000', `${5_200_000 + i}`, `${7 + i % 2}`]
      return i % 3 === 0 ? [block + Math.floor(i / 3), i, token, '0', shares, usdc] : [block + Math.floor(i / 3), i, '0', token, usdc, shares]
    }))),
    'tokens.csv': text('token_id,market_slug,outcome', '7,rain,Yes', '8,rain,No'),
  }
}

/** Sound files of each format that parlor knows by name, small: every one has some here (`knownFormats` of src/scenario/formats.ts). */
export const SAMPLES: Readonly<Record<string, () => Files>> = {
  'kalshi-btc15m-book': btc15m,
  'kalshi-mlb-close': mlbClose,
  'kalshi-weather-candles': weather,
  'polymarket-fills': fills,
  'polymarket-mlb-book': polymarketBook,
  'polymarket-price-history': priceHistory,
  ...MAPPED_SAMPLES,
}

/** 19 June 2025, 19:00 UTC, ms. */
const MS = Date.UTC(2025, 5, 19, 19)

/** Rows with columns for every kind of a mapping: time, market, bid, ask, size, side, price, number, result. */
export const ROWS = {
  csv: text('t,m,b,a,n,s,p,z,r', ...made(30, (i) => `${MS + i},M${i % 3},0.${40 + i % 9},0.${50 + i % 9},${i}.5,${i % 2 === 0 ? 'bid' : 'ask'},0.${41 + i % 5},${i},${i % 3 === 0 ? 'yes' : ''}`)),
  quoted: text('t,m,b,a,n,s,p,z,r', ...made(30, (i) => `${MS + i},"M,""${i % 3}""",0.${40 + i % 9},0.${50 + i % 9},${i}.5,"${i % 2 === 0 ? 'bid' : 'ask'}",0.${41 + i % 5},${i},${i % 3 === 0 ? '"yes"' : ''}`)),
  ndjson: text(...made(30, (i) => JSON.stringify({ t: MS + i, m: `M${i % 3}`, b: 0.4, a: '0.5', n: i, s: 'bid', p: 0.41, z: i, r: 'yes', bids: [[0.4, i]], asks: [['0.5', '3']] }))),
  parquet: parquetOf({
    t: ['INT64', made(30, (i) => BigInt(MS + i))], m: ['STRING', made(30, (i) => `M${i % 3}`)], b: ['DOUBLE', made(30, () => 0.4)], a: ['DOUBLE', made(30, () => 0.5)], n: ['DOUBLE', made(30, (i) => i)],
    s: ['STRING', made(30, () => 'bid')], p: ['FLOAT', made(30, () => 0.41)], z: ['INT32', made(30, (i) => i)], r: ['STRING', made(30, (i) => (i % 3 === 0 ? null : 'yes'))],
  }),
} as const

const TIME = 'time: { column: t, unit: ms }'
/** Mappings of every kind over those columns. */
export const MAPPINGS: Readonly<Record<string, string>> = {
  quotes: `files: [{ kind: quotes, market: m, ${TIME}, bid: b, ask: a, bid_size: n }]`,
  trades: `files: [{ kind: trades, market: m, ${TIME}, price: p }]`,
  candles: `files: [{ kind: candles, market: m, ${TIME}, stamp: start, period: 1h, bid: b, last: a }, { kind: trades, market: m, ${TIME}, price: p }]`,
  snapshots: `files: [{ kind: depth, market: '{m}-{s}', ${TIME}, side: s, price: p, size: z, snapshot: { column: r, words: yes }, sequence: z }]`,
  changes: `files: [{ kind: depth, market: m, ${TIME}, side: s, price: p, size: z, change: add, both_sides_are_bids: true }, { kind: results, market: m, result: r, value: b }]`,
  markets: `files: [{ kind: markets, market: m, title: s, open: { column: t, unit: ms }, result: r, exclusive: r }, { kind: quotes, market: m, ${TIME}, no_bid: b, prices: american }]`,
}

const AT_US = 1_750_372_260_000_000

/** A log of requests for quotes, as rows. */
const LOG = made(4, (i) => [
  { kind: 'request', id: `r${i}`, at_us: AT_US + i, legs: ['A yes', 'B no'], stake: '25 USDC', lifetime_s: 60, decide_ms: 4000, floor_probability: 0.4, bettor: 'ann', service: 'parlay' },
  { kind: 'quote', request: `r${i}`, id: `q${i}`, maker: 'alpha', at_us: AT_US + 1000 + i, odds: 2.5, valid: '8s' },
  { kind: 'acceptance', request: `r${i}`, quote: `q${i}`, at_us: AT_US + 3000 + i },
  { kind: 'last_look', request: `r${i}`, quote: `q${i}`, answer: 'confirmed', delay_ms: 450 },
  { kind: 'result', request: `r${i}`, result: 'lost' },
]).flat()

export const RFQ_LOGS = {
  ndjson: text(...LOG.map((row) => JSON.stringify(row))),
  csv: text('kind,id,at_us,legs,stake,request,maker,odds,quote,answer,delay_ms', ...made(4, (i) => [
    `request,r${i},${AT_US + i},A yes;B no,25 USDC,,,,,,`, `quote,q${i},${AT_US + 1000 + i},,,r${i},alpha,2.5,,,`, `acceptance,,${AT_US + 3000 + i},,,r${i},,,q${i},,`, `last_look,,,,,r${i},,,q${i},confirmed,450`,
  ]).flat()),
  parquet: parquetOf({
    kind: ['STRING', made(20, () => 'request')], id: ['STRING', made(20, (i) => `r${i}`)], at: ['TIMESTAMP', made(20, (i) => new Date(AT_US / 1000 + i))], legs: ['STRING', made(20, () => 'A yes;B no')],
    stake_dollars: ['DOUBLE', made(20, () => 25)],
  }),
} as const

export const KALSHI_RFQS = text(...made(6, (i) => [
  { id: `r${i}`, creator_id: 'ann', market_ticker: 'NYY', contracts_fp: '10.00', created_ts: '2026-07-06T01:55:01Z' },
  { id: `q${i}`, rfq_id: `r${i}`, creator_id: 'alpha', created_ts: '2026-07-06T01:55:02Z', yes_bid_dollars: '0.4700', no_bid_dollars: '0.5000', accepted_side: 'no', accepted_ts: '2026-07-06T01:55:03Z', confirmed_ts: '2026-07-06T01:55:03.119Z' },
]).flat().map((row) => JSON.stringify(row)))

export const GROUPS = text(
  'version: 1', 'imported: keep', 'lists:', '  team: { ath: [oak], laa: [], nyy: [] }', 'rules:', '  - name: games on venue_a', "    match: { event: 'KXMLBGAME-{date:date}{away:team}{home:team}*' }", "    game: 'mlb:{date}:{away}-{home}'",
  '  - name: ladders', "    match: { ticker: '{day:word}-{n:digits}' }", "    unless: { title: ['*test*'] }", "    ladder: 'x:{day}'", '    exclusive: true', "    group: ['y:{day}', 'z:{n}']",
)

export const MAPPING_FILE = Buffer.from(`name: mine\nvenue: venue_a\n${MAPPINGS['quotes']!.replace('files: [', 'files:\n  - ').replace(/\]$/, '')}\n`)
