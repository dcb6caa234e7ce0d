import { HOUR_US, MS_US } from '../../unit/time.ts'
import { readCsv } from '../csvRows.ts'
import { easternTimeUs } from '../easternTime.ts'
import { exactE6, exactPriceE6 } from '../exactDecimal.ts'
import type { Importer } from '../importer.ts'
import type { FileTally, ImportTally } from '../importTally.ts'
import { type MarketDraft, NOT_STATED } from '../marketDraft.ts'
import { resultOfWord } from '../resultWord.ts'
import { SessionBook, type Snapshot } from '../sessionBook.ts'
import { sourceFiles } from '../sourceFiles.ts'

const FORMAT = 'kalshi-btc15m-book'
const DELTAS = ['recv_ns', 'ts_ms', 'market_ticker', 'connection_id', 'seq', 'side', 'price_dollars', 'delta_fp'] as const
const SNAPSHOTS = ['recv_ns', 'market_ticker', 'connection_id', 'seq', 'side', 'price_dollars', 'size_fp'] as const
const LABELS = ['market_ticker', 'binary_result', 'settlement_ts_utc', 'strike', 'market_status'] as const
const MONTHS = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC']

interface Label {
  readonly tally: FileTally
  readonly line: number
  readonly result: string
  readonly settledUs: number
  readonly strike: string
  readonly status: string
}

/**
 * Recorded order books of Kalshi's 15-minute Bitcoin markets. Both sides of the feed are bids: the ask of YES is 1 minus
 * the best NO bid. A row could be seen when it was received, rounded up to the microsecond.
 */
export const kalshiBtc15mBook: Importer = {
  format: FORMAT,
  about: 'Kalshi 15-minute Bitcoin order books: deltas, snapshots, settlement labels (CSV)',
  async read(paths, ticks, tally) {
    const files = await sourceFiles(paths, { deltas: DELTAS, snapshots: SNAPSHOTS, labels: LABELS }, tally)
    const labels = await readLabels(files.labels, tally)
    const snapshots = new Map<string, Snapshot[]>()
    for (const file of files.snapshots) await readSnapshots(file, tally.file(file), snapshots)
    const books = new Map<string, SessionBook>()
    for (const [ticker, seeds] of snapshots) books.set(ticker, new SessionBook(books.size, seeds, ticks))
    for (const file of files.deltas) await readDeltas(file, tally.file(file), books)
    for (const book of books.values()) book.end()
    return { markets: drafts(books, labels) }
  },
}

async function readLabels(files: readonly string[], tally: ImportTally): Promise<Map<string, Label>> {
  const labels = new Map<string, Label>()
  for (const file of files) {
    const fileTally = tally.file(file)
    await readCsv(file, LABELS, fileTally, ([ticker, result, settled, strike, status], line) => {
      const settledUs = settled.endsWith('Z') ? Date.parse(settled) * MS_US : Number.NaN
      if (labels.has(ticker)) fileTally.quarantine('duplicate', line, `a second label of ${ticker}`)
      else if (!Number.isSafeInteger(settledUs)) fileTally.quarantine('bad timestamp', line, `settlement_ts_utc ${settled}`)
      else labels.set(ticker, { tally: fileTally, line, result, settledUs, strike, status })
    })
  }
  return labels
}

async function readSnapshots(file: string, tally: FileTally, all: Map<string, Snapshot[]>): Promise<void> {
  await readCsv(file, SNAPSHOTS, tally, ([recvNs, ticker, connection, seqText, side, priceText, sizeText], line) => {
    const atUs = receivedUs(recvNs)
    const seq = Number(seqText)
    const priceE6 = exactPriceE6(priceText)
    const sizeE6 = exactE6(sizeText)
    if (atUs < 0) return tally.quarantine('bad timestamp', line, `recv_ns ${recvNs}`)
    if (!Number.isSafeInteger(seq)) return tally.quarantine('bad sequence number', line, `seq ${seqText}`)
    if (typeof priceE6 === 'string') return tally.quarantine(priceE6, line, `price_dollars ${priceText}`)
    if (typeof sizeE6 === 'string' || sizeE6 < 0) return tally.quarantine('bad size', line, `size_fp ${sizeText}`)
    if (side !== 'yes' && side !== 'no') return tally.quarantine('unknown side', line, `side ${side}`)
    const seeds = all.get(ticker) ?? []
    all.set(ticker, seeds)
    let seed = seeds.at(-1)
    if (seed === undefined || seed.connection !== connection || seed.seq !== seq || seed.atUs !== atUs) {
      seed = { atUs, connection, seq, tally, firstLine: line, levels: [] }
      seeds.push(seed)
    }
    seed.levels.push({ yes: side === 'yes', priceE6, sizeE6 })
  })
  for (const seeds of all.values()) seeds.sort((a, b) => a.atUs - b.atUs)
}

async function readDeltas(file: string, tally: FileTally, books: ReadonlyMap<string, SessionBook>): Promise<void> {
  let ahead = 0
  let aheadMs = 0
  let aheadLine = 0
  await readCsv(file, DELTAS, tally, (fields, line) => {
    const [recvNs, exchangeMs, ticker, connection, seqText, side, priceText, deltaText] = fields
    const atUs = receivedUs(recvNs)
    const seq = Number(seqText)
    const priceE6 = exactPriceE6(priceText)
    const deltaE6 = exactE6(deltaText)
    if (atUs < 0) return tally.quarantine('bad timestamp', line, `recv_ns ${recvNs}`)
    if (!Number.isSafeInteger(seq)) return tally.quarantine('bad sequence number', line, `seq ${seqText}`)
    if (typeof priceE6 === 'string') return tally.quarantine(priceE6, line, `price_dollars ${priceText}`)
    if (typeof deltaE6 === 'string') return tally.quarantine('bad size', line, `delta_fp ${deltaText}`)
    if (side !== 'yes' && side !== 'no') return tally.quarantine('unknown side', line, `side ${side}`)
    const book = books.get(ticker)
    if (book === undefined) return tally.quarantine('delta without snapshot', line, `no snapshot of ${ticker}`)
    const aheadBy = Number(exchangeMs) - atUs / MS_US
    if (aheadBy > 0) {
      ahead += 1
      if (aheadLine === 0) aheadLine = line
      if (aheadBy > aheadMs) aheadMs = aheadBy
    }
    book.delta(atUs, connection, seq, side === 'yes', priceE6, deltaE6, tally, line)
  })
  if (ahead > 0) {
    const about = `the exchange's clock stands up to ${Math.ceil(aheadMs)} ms after receipt: the time of receipt is taken`
    tally.note('exchange clock ahead', aheadLine, about, ahead)
  }
}

/** Unix nanoseconds in µs, rounded up so that nothing is seen before it was received. −1 for a text that is no such number. */
function receivedUs(ns: string): number {
  if (ns.length !== 19) return -1
  const us = Number(ns.slice(0, 16)) + (ns.endsWith('000') ? 0 : 1)
  return Number.isSafeInteger(us) ? us : -1
}

function drafts(books: ReadonlyMap<string, SessionBook>, labels: ReadonlyMap<string, Label>): MarketDraft[] {
  for (const [ticker, { tally, line }] of labels) {
    if (books.has(ticker)) tally.accept()
    else tally.quarantine('result without recording', line, `no book of ${ticker}`)
  }
  return [...books].map(([ticker, { openUs, tally, firstLine }]) => {
    const label = labels.get(ticker)
    const closeUs = scheduledCloseUs(ticker, label)
    if (label === undefined) tally.note('no result', firstLine, `no label of ${ticker}`)
    const outcome = label === undefined ? null : resultOfWord(label.result)
    if (label !== undefined && outcome === null) label.tally.note('unknown result', label.line, `result '${label.result}'`)
    if (label !== undefined && label.status !== 'finalized') label.tally.note('result not final', label.line, `${ticker} is ${label.status}`)
    const event = ticker.slice(0, ticker.lastIndexOf('-'))
    return {
      ...NOT_STATED,
      ticker,
      venue: 'venue_a',
      event,
      series: ticker.split('-', 1)[0]!,
      category: 'crypto',
      title: `${event}: Bitcoin after 15 minutes${label === undefined ? '' : `, strike ${label.strike}`}`,
      exclusionKeys: [`event:${event}`],
      openUs,
      scheduledCloseUs: closeUs,
      scheduledCloseKnownUs: closeUs === null ? null : openUs,
      outcome,
      settledUs: outcome === null || label === undefined ? null : label.settledUs,
      listing: { subcategory: 'btc', frequency: 'other' },
    }
  })
}

/** The close that the ticker names in US Eastern time. Null unless the label confirms it by settling within the hour after it. */
function scheduledCloseUs(ticker: string, label: Label | undefined): number | null {
  const named = /-(\d{2})([A-Z]{3})(\d{2})(\d{2})(\d{2})-\d{2}$/.exec(ticker)
  if (named === null || label === undefined) return null
  const [, year, month, day, hour, minute] = named
  const closeUs = easternTimeUs(2000 + Number(year), MONTHS.indexOf(month!) + 1, Number(day), Number(hour), Number(minute))
  if (closeUs !== null && label.settledUs >= closeUs && label.settledUs < closeUs + HOUR_US) return closeUs
  label.tally.note('close not borne out', label.line, `${ticker} did not settle within an hour of the close that its name gives`)
  return null
}
