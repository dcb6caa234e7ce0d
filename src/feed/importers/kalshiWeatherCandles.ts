import { NO_PRICE } from '../../market/ticks.ts'
import { HOUR_US, SECOND_US } from '../../unit/time.ts'
import { askOrEmpty, bidOrEmpty, exactPriceE6 } from '../exactDecimal.ts'
import type { Importer } from '../importer.ts'
import type { FileTally } from '../importTally.ts'
import { type MarketDraft, NOT_STATED } from '../marketDraft.ts'
import { type ParquetRow, readParquet } from '../parquetRows.ts'
import { sourceFiles } from '../sourceFiles.ts'
import { resultOfWord } from '../resultWord.ts'
import type { TickSink } from '../tickSink.ts'

const FORMAT = 'kalshi-weather-candles'
const CANDLES = ['ticker', 'end_ts', 'end_time', 'price_close', 'yes_bid_close', 'yes_ask_close']
const MARKETS = ['ticker', 'event_ticker', 'yes_sub_title', 'open_time', 'close_time', 'settlement_time', 'result', '_series_ticker']
const EVENTS = ['event_ticker', 'title', 'category', 'mutually_exclusive']

interface Listed {
  readonly place: number
  readonly draft: MarketDraft
  readonly tally: FileTally
  readonly row: number
  lastUs: number
}

interface EventRow {
  readonly tally: FileTally
  readonly row: number
  readonly title: string
  readonly category: string
  readonly exclusive: boolean
}

/** Hourly candles of Kalshi's temperature markets. Each is visible at its end. The temperature buckets of an event are one ladder. */
export const kalshiWeatherCandles: Importer = {
  format: FORMAT,
  about: 'Kalshi temperature markets: hourly bid/ask candles, markets with results, events (Parquet)',
  async read(paths, ticks, tally) {
    const parts = { candles: CANDLES, markets: MARKETS, events: EVENTS }
    const files = await sourceFiles(paths, parts, tally)
    const events = new Map<string, EventRow>()
    const listed = new Map<string, Listed>()
    for (const file of files.events) {
      const fileTally = tally.file(file)
      await readParquet(file, EVENTS, fileTally, (row, number) => readEvent(row, number, fileTally, events))
    }
    for (const file of files.markets) {
      const fileTally = tally.file(file)
      await readParquet(file, MARKETS, fileTally, (row, number) => readMarket(row, number, fileTally, events, listed))
    }
    for (const file of files.candles) {
      const fileTally = tally.file(file)
      const seen = new Set<string>()
      await readParquet(file, CANDLES, fileTally, (row, number) => readCandle(row, number, fileTally, listed, seen, ticks))
    }
    judgeEvents(events, listed)
    return { markets: [...listed.values()].map(({ draft }) => draft) }
  },
}

function readEvent(row: ParquetRow, number: number, tally: FileTally, events: Map<string, EventRow>): void {
  const ticker = textOf(row.event_ticker)
  if (ticker === '') return tally.quarantine('no event', number, 'event_ticker is empty')
  if (events.has(ticker)) return tally.quarantine('duplicate', number, `a second row of ${ticker}`)
  const exclusive = row.mutually_exclusive === true
  events.set(ticker, { tally, row: number, title: textOf(row.title), category: textOf(row.category), exclusive })
}

function readMarket(row: ParquetRow, number: number, tally: FileTally, events: Map<string, EventRow>, listed: Map<string, Listed>): void {
  const ticker = textOf(row.ticker)
  const event = textOf(row.event_ticker)
  const { open_time: openUs, close_time: closeUs, settlement_time: settled } = row
  if (ticker === '') return tally.quarantine('no market', number, 'ticker is empty')
  if (listed.has(ticker)) return tally.quarantine('duplicate', number, `a second row of ${ticker}`)
  if (typeof openUs !== 'number' || typeof closeUs !== 'number') {
    return tally.quarantine('bad timestamp', number, `${ticker} has no opening or closing time`)
  }
  // Its exclusion is that of its event: without one, it would exclude every other market without one.
  if (event === '') return tally.quarantine('no event', number, `${ticker} has no event_ticker`)
  const result = textOf(row.result)
  const outcome = resultOfWord(result)
  const settledUs = outcome !== null && typeof settled === 'number' ? settled : null
  if (result === '') tally.note('unresolved', number, `${ticker} has no result`)
  else if (outcome === null) tally.note('unknown result', number, `${ticker}: result '${result}'`)
  else if (settledUs === null) tally.note('no settlement time', number, `${ticker} is settled, when is not said`)
  tally.accept()
  const draft: MarketDraft = {
    ...NOT_STATED,
    ticker,
    venue: 'venue_a',
    event,
    series: textOf(row._series_ticker),
    category: events.get(event)?.category ?? '',
    title: `${events.get(event)?.title || event} ${textOf(row.yes_sub_title)}`,
    ladder: event,
    exclusionKeys: [`ladder:${event}`],
    openUs,
    scheduledCloseUs: closeUs,
    scheduledCloseKnownUs: openUs,
    outcome,
    settledUs,
    listing: { eventTitle: events.get(event)?.title, ...(events.get(event)?.exclusive ? { isExclusive: true } : {}) },
  }
  listed.set(ticker, { place: listed.size, draft, tally, row: number, lastUs: -1 })
}

function readCandle(row: ParquetRow, number: number, tally: FileTally, listed: Map<string, Listed>, seen: Set<string>, ticks: TickSink): void {
  const { end_ts: endSeconds, price_close: traded } = row
  const ticker = textOf(row.ticker)
  if (ticker === '') return tally.quarantine('no market', number, 'ticker is empty')
  const market = listed.get(ticker)
  if (market === undefined) return tally.quarantine('unknown market', number, `${ticker} is in no markets file`)
  const atUs = Number(endSeconds) * SECOND_US
  if (!Number.isSafeInteger(atUs) || endSeconds === null) return tally.quarantine('bad timestamp', number, `end_ts ${String(endSeconds)}`)
  const bidE6 = quoteE6(row.yes_bid_close)
  const askE6 = quoteE6(row.yes_ask_close)
  const lastE6 = quoteE6(traded)
  for (const price of [bidE6, askE6, lastE6]) {
    if (typeof price === 'string') return tally.quarantine(price, number, `${ticker}: a price of the candle`)
  }
  const bid = bidOrEmpty(bidE6 as number)
  const ask = askOrEmpty(askE6 as number)
  if (bid !== NO_PRICE && ask !== NO_PRICE && bid > ask) return tally.quarantine('crossed book', number, `${ticker}: bid over ask`)
  const key = `${ticker} ${atUs}`
  if (seen.has(key)) return tally.quarantine('duplicate', number, `a second candle of ${key}`)
  seen.add(key)
  tally.accept()
  if (row.end_time !== atUs) tally.note('end_time is not end_ts', number, 'read as UTC, the two differ: end_ts is taken')
  if (lastE6 === NO_PRICE) tally.note('nothing traded', number, 'no trade price in the candle')
  if (bid === NO_PRICE || ask === NO_PRICE) tally.note('empty side', number, 'a bid of 0 or an ask of 1 dollar is no quote')
  if (market.lastUs >= 0 && atUs - market.lastUs !== HOUR_US) tally.note('irregular step', number, 'not an hour after the candle before')
  const closeUs = market.draft.scheduledCloseUs ?? atUs
  if (atUs - HOUR_US >= closeUs) tally.note('begins after the scheduled close', number, 'a candle of a closed market')
  else if (atUs > closeUs) tally.note('holds the scheduled close', number, 'its end, when it is seen, is after the close')
  market.lastUs = atUs
  ticks.add(atUs, market.place, bid, ask, NO_PRICE, NO_PRICE, lastE6 as number)
}

/** The text of a cell, empty for null. */
const textOf = (cell: unknown): string => (cell === null || cell === undefined ? '' : String(cell))

function quoteE6(price: unknown) {
  return price === null || price === undefined ? NO_PRICE : exactPriceE6(String(price))
}

/** Accepts the events that the markets belong to, and checks that each resolved one has exactly one winner. */
function judgeEvents(events: ReadonlyMap<string, EventRow>, listed: ReadonlyMap<string, Listed>): void {
  const ladders = new Map<string, Listed[]>()
  for (const market of listed.values()) ladders.set(market.draft.event, [...(ladders.get(market.draft.event) ?? []), market])
  for (const [event, { tally, row, exclusive }] of events) {
    if (!ladders.has(event)) {
      tally.quarantine('event without markets', row, `${event} has no market here`)
      continue
    }
    tally.accept()
    if (!exclusive) tally.note('not mutually exclusive', row, `${event}: its markets are kept apart all the same`)
  }
  for (const [event, rungs] of ladders) {
    if (rungs.some(({ draft }) => draft.outcome === null)) continue
    const winners = rungs.filter(({ draft }) => draft.outcome === 'yes').length
    const { tally, row } = rungs[0]!
    if (winners !== 1) tally.note('ladder without one winner', row, `${event}: ${winners} of ${rungs.length} resolved to yes`, rungs.length)
  }
}
