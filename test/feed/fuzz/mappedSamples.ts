import { T0 } from '../mapping/mapped.ts'
import type { Files } from './damage.ts'
import { made, parquetOf, text } from './sampleRows.ts'

/** 19 June 2025, 19:00 UTC. */
const [S, MS] = [T0 / 1e6, T0 / 1000]
const iso = (seconds: number): string => new Date(MS + seconds * 1000).toISOString()
const json = (...objects: readonly object[]): Buffer => text(...objects.map((one) => JSON.stringify(one)))
const document = (value: unknown, indent = 0): Buffer => Buffer.from(JSON.stringify(value, null, indent))

const LEGS = [{ event_ticker: 'E', market_ticker: 'E-A', side: 'yes', yes_settlement_value_dollars: '1.0000' }, { event_ticker: 'F', market_ticker: 'F-A', side: 'no' }]
const MARKET = {
  ticker: 'E-A', event_ticker: 'E', title: 'T', yes_sub_title: 'A', open_time: iso(-3600), close_time: iso(86_400), status: 'finalized', result: 'scalar',
  settlement_value: 40, settlement_ts: iso(90_000), yes_bid: 1, yes_ask_dollars: '0.9', mve_selected_legs: LEGS,
}

function kalshi(): Files {
  const recorded = { recorded_at: iso(0), ticker: 'E-A' }
  const candle = (i: number) => ({ end_period_ts: S + 3600 * i, yes_bid: { close: 8, close_dollars: '0.0800' }, yes_ask: { close: '0.1100' }, price: { close: null } })
  return {
    'book.json': document({ _metadata: recorded, response: { orderbook_fp: { yes_dollars: [['0.4', '1.5']], no_dollars: [['0.55', '2']] } } }),
    'candles.json': document({ market_tickers: ['E-A'], market_candlesticks: [[candle(1), candle(2)]] }),
    'markets.json': document({ _metadata: recorded, response: { markets: [MARKET, { ...MARKET, ticker: 'E-B', status: 'active' }, { ...MARKET, ticker: 'E-C', status: 'closed' }] } }, 1),
    'trades.ndjson': json(
      { trade_id: 't', ticker: 'E-A', created_time: iso(1), yes_price: 40, is_block_trade: false }, { trade_id: 'u', ticker: 'E-A', created_time: iso(2), yes_price_dollars: '0.4150' },
    ),
    'trades.csv': text('trade_id,ticker,created_time,yes_price', ...made(4, (i) => `${i},E-B,${iso(i)},${40 + i}`)),
  }
}

/** Frames of Kalshi's socket: as a recorder adds the time of receipt to them, and in its envelope. */
const framed = (frames: readonly { readonly type: string; readonly msg: object }[]): Files => ({
  'frames.ndjson': json(...frames.map((frame, i) => ({ ...frame, sid: 1, seq: i + 1, recv_ms: MS + i }))),
  'enveloped.ndjson': json(...frames.map(({ type, msg }, i) => ({
    event_type: type, sequence_number: i + 1, local_recv_ns: `${T0 + i}000`, market_ticker: 'E-B', payload_json: { ...msg, market_ticker: 'E-B' },
  }))),
})

const kalshiFrames = (): Files => framed([
  { type: 'orderbook_snapshot', msg: { market_ticker: 'E-A', yes_dollars_fp: [['0.40', '3.00']], no_dollars_fp: [['0.55', '7.00']] } },
  { type: 'orderbook_delta', msg: { market_ticker: 'E-A', price_dollars: '0.41', delta_fp: '1.00', side: 'yes' } },
  { type: 'orderbook_delta', msg: { market_ticker: 'E-A', price_dollars: '0.55', delta_fp: '-1.00', side: 'no' } },
  { type: 'trade', msg: { market_ticker: 'E-A', yes_price_dollars: '0.41' } },
])

const kalshiTicker = (): Files => framed(made(4, (i) => ({
  type: 'ticker', msg: { market_ticker: 'E-A', yes_bid_dollars: `0.4${i}`, yes_ask_dollars: '0.5', yes_bid_size_fp: '1', yes_ask_size_fp: '2', price_dollars: '0.4' },
})))

function kalshiSports(): Files {
  const ask = { end_period_ts: S + 60, yes_ask: 0.3, price_source_tag: 'real_ask' }
  const outcome = { ticker: 'E-A', yes_bid: 0.3, yes_ask: 0.4, price_source_tag: 'real_ask', open_time: iso(-60), close_time: iso(3600), result: 'yes', sample_ask_near_close: ask }
  return {
    'history.jsonl': json({ schema_version: 'sports_history_kalshi.v1', event_ticker: 'E', series: 'S', outcomes: [outcome] }),
    'ledger.jsonl': json({ schema_version: 'settlement_ledger.v1', ticker: 'E-A', result: 'yes', settlement_value: 1, settlement_ts: iso(3700), close_time: iso(3600) }),
    'pairs.jsonl': json({ schema_version: 'sports_pairs.v1', captured_at: iso(0), captured_outcomes: 1, event_ticker: 'E', outcomes: [outcome, { ...outcome, ticker: 'E-B' }] }),
    'q26.json': document({ markets: { 'E-B': { close_time: iso(3600), event_ticker: 'E', result: 'no' } }, schema_version: 'q26_settlement_cache.v1' }, 1),
  }
}

const kalshiWeather = (): Files => ({
  'quotes.csv': text('timestamp,market_ticker,best_yes_bid,best_no_bid', ...made(12, (i) => `2025-06-19T12:00:${10 + i}.25,M-1-${'AB'[i % 2]},${41 + i % 3},${i === 5 ? 0 : 55}`)),
})

function polymarket(): Files {
  const level = (price: string) => [{ price, size: '3' }]
  const tokens = [{ token_id: '7', outcome: 'Yes', winner: true }, { token_id: '8', outcome: 'No', winner: false }]
  return {
    '7.json': document({ history: [{ t: S, p: 0.5 }, { t: S + 60, p: 0.51 }] }),
    'clob.json': document({ condition_id: '0xc', market_slug: 'rain', closed: true, tokens, accepting_order_timestamp: iso(-86_400) }, 1),
    'frames.ndjson': json(
      { event_type: 'book', market: '0xc', asset_id: '7', timestamp: String(MS), bids: level('0.4'), asks: level('0.5') },
      { recv_ns: MS * 1e6, msg: [{ event_type: 'price_change', market: '0xc', timestamp: String(MS), price_changes: [{ asset_id: '7', price: '0.41', side: 'BUY', size: '2' }] }] },
      { event_type: 'last_trade_price', market: '0xc', asset_id: '7', price: '0.4', timestamp: String(MS) },
      { event_type: 'market_resolved', assets_ids: ['7', '8'], winning_asset_id: '7', timestamp: String(MS + 1e6) },
      { token_id: '8', history: [{ t: S, p: 0.5 }] },
    ),
    'gamma.json': document([{
      conditionId: '0xc', slug: 'rain', outcomes: '["Yes","No"]', clobTokenIds: '["7","8"]', outcomePrices: '["1","0"]', closed: true, startDate: iso(-86_400),
    }]),
    'levels.csv': text(
      'market_slug,asset_id,market_id,event_type,price,side,size,hash,timestamp', `snow,9,1,book,0.4,BUY,3,h,${MS}`, `snow,9,1,book,0.5,SELL,3,h,${MS}`,
      ...made(4, (i) => `snow,9,1,price_change,0.4${i},BUY,${i},h${i},${MS + i + 1}`),
    ),
    'trades.csv': text('asset,conditionId,side,price,size,timestamp', ...made(4, (i) => `7,0xc,BUY,0.5${i},10,${S + i}`)),
  }
}

const betfair = (): Files => {
  const definition = (status: string, runner: string) => ({ status, eventId: '3', numberOfWinners: 1, name: 'Match Odds', marketTime: iso(3600), runners: [{ id: 1, status: runner }] })
  return {
    'stream.ndjson': json(
      { op: 'mcm', pt: MS, mc: [{ id: '1.5', marketDefinition: definition('OPEN', 'ACTIVE'), rc: [{ id: 1, ltp: 2, batb: [[0, 2, 5]], batl: [[0, 2.2, 5]] }] }] },
      { op: 'mcm', pt: MS + 1, mc: [{ id: '1.5', img: true, rc: [{ id: 1, atb: [[2, 5]], atl: [[3, 1]] }] }] },
      { op: 'mcm', pt: MS + 2, mc: [{ id: '1.5', rc: [{ id: 1, hc: 0.5, ltp: 3 }] }] },
      { op: 'mcm', pt: MS + 3, mc: [{ id: '1.5', marketDefinition: { ...definition('CLOSED', 'WINNER'), settledTime: iso(3600) } }] },
    ),
  }
}

function hyperliquid(): Files {
  const sideSpecs = [{ name: 'Yes' }, { name: 'No' }]
  const outcome = (number: number) => ({ outcome: number, name: 'R', description: 'class:priceBinary|underlying:BTC|expiry:20250620-0600|period:1d', sideSpecs })
  const book = (coin: string, bid: string, ms: number) => ({ channel: 'l2Book', data: { coin, time: MS + ms, levels: [[{ px: bid, sz: '1' }], [{ px: '0.6', sz: '1' }]] } })
  return {
    'books.ndjson': json(
      book('#100', '0.4', 0), book('#101', '0.5', 1), { channel: 'trades', data: [{ coin: '#100', px: '0.4', sz: '1', time: MS + 2, tid: 1 }] }, book('#100', '0.41', 3),
      book('#110', '0.4', 4), book('#111', '0.5', 5),
    ),
    'meta.json': document({ outcomes: [outcome(10)], questions: [{ question: 1, namedOutcomes: [10] }] }),
    'settled.json': document({ spec: outcome(11), settleFraction: '1.0' }),
  }
}

const topOfBook = (): Files => ({
  'a.csv': text('exchange,ticker,local_timestamp,exchange_timestamp,bid_price,bid_size,ask_price,ask_size', ...made(12, (i) => (
    `${i % 2 === 0 ? 'kalshi,A' : 'POLYMARKET,B'},${T0 + i}000,${MS},0.4${i % 7},10.5,0.5,3`
  ))),
  'b.parquet': parquetOf({
    exchange: ['STRING', made(12, () => 'kalshi')], ticker: ['STRING', made(12, (i) => `C${i % 2}`)], local_timestamp: ['INT64', made(12, (i) => BigInt(T0 + i) * 1000n)],
    exchange_timestamp: ['INT64', made(12, () => BigInt(T0) * 1000n)], bid_price: ['DOUBLE', made(12, (i) => 0.3 + i / 100)], bid_size: ['DOUBLE', made(12, (i) => i)],
    ask_price: ['DOUBLE', made(12, () => 0.5)], ask_size: ['DOUBLE', made(12, () => 6)],
  }),
})

/** Sound files of each format that is a mapping of src/scenario/formats. */
export const MAPPED_SAMPLES: Readonly<Record<string, () => Files>> = {
  'betfair-stream': betfair,
  'hyperliquid-outcomes': hyperliquid,
  kalshi,
  'kalshi-frames': kalshiFrames,
  'kalshi-parlay-legs': () => ({ 'parlays.json': document({ markets: [MARKET, { ...MARKET, ticker: 'E-B' }] }, 1), 'one.json': document({ market: MARKET }) }),
  'kalshi-sports': kalshiSports,
  'kalshi-ticker-frames': kalshiTicker,
  'kalshi-weather-quotes': kalshiWeather,
  polymarket,
  'top-of-book': topOfBook,
}
