import { NO_PRICE, PRICE_ONE_E6 } from '../../market/ticks.ts'
import { chunkOfTick, sourceOf, TickCursor, type TickHistory, type TickSource } from '../../market/tickSource.ts'
import type { Answer, Exchange } from '../exchange.ts'
import { answerWith } from '../jsonAnswer.ts'
import { queryOf } from '../routeMatcher.ts'

/** Where each service's port tells recorded prices. No document of a service has this path, and no gate counts its calls. */
export const PRICES_PATH = '/prices'
/** Prices of one answer at most. */
export const PRICES_MAX = 1000
const WHOLE_NUMBER = /^\d{1,9}$/

/** Top of book of YES when the source showed it. Prices are in dollars, sizes in contracts; null: the side was empty, or nothing is known. */
export interface TickBody {
  /** Ticks are numbered in the order of the recording, with gaps. */
  readonly seq: number
  /** When the source showed it, µs on the wire's clock. The seat sees it its feed latency later. */
  readonly at_us: number
  readonly market: string
  readonly yes_bid: number | null
  readonly yes_ask: number | null
  readonly yes_bid_size: number | null
  readonly yes_ask_size: number | null
  readonly last: number | null
  /** Whether the market has shown a side of a book by now. From then on its last price does not stand in for a side. */
  readonly has_book: boolean
}

/** Who asks, and where the session is. */
export interface Asker {
  /** Whose sight it is: seats of one latency may stand at different instants. */
  readonly key: string
  readonly nowUs: number
  /** Latency of the seat's feed, µs. */
  readonly feedUs: number
  /** Name of a market on the service's wire. */
  readonly marketName: (market: number) => string
}

/** How far the ticks are visible to one asker. */
interface Sight {
  /** Stands after the ticks that are visible. */
  readonly cursor: TickCursor
  /** Stamp of the last of them, µs; −1 without any. */
  lastUs: number
  /** The last of each market, by its number; −1: none. */
  readonly latest: Int32Array
  /** 1 once the market has shown a side of a book. */
  readonly hasBook: Uint8Array
}

/**
 * Recorded prices as seats see them: a tick is visible from its instant and the seat's feed latency on, as on the desk of a strategy inside
 * the session. It only looks back, so that asking changes nothing, whenever it is asked.
 */
export class PriceFeed {
  private readonly source: TickSource
  private readonly marketCount: number
  private readonly shiftUs: number
  /** By the key of the asker. */
  private readonly sights = new Map<string, Sight>()

  constructor(ticks: TickHistory, marketCount: number, shiftUs: number) {
    this.source = sourceOf(ticks)
    this.marketCount = marketCount
    this.shiftUs = shiftUs
  }

  /**
   * Answers `GET /prices?ticks=latest|all&from=SEQ&limit=N`: ticks from a number on, in their order, all of them or the latest of each market.
   * Without `from` they are the latest, from the first on.
   */
  answer({ method, query }: Pick<Exchange, 'method' | 'query'>, asker: Asker): Answer {
    const { from, limit = String(PRICES_MAX), ticks = from === undefined ? 'latest' : 'all' } = queryOf(query)
    if (method !== 'GET') return refusal(405, 'prices are read with GET')
    if (typeof limit !== 'string' || !WHOLE_NUMBER.test(limit) || Number(limit) < 1 || Number(limit) > PRICES_MAX) return refusal(400, `limit is a whole number from 1 to ${PRICES_MAX}`)
    if (from !== undefined && (typeof from !== 'string' || !WHOLE_NUMBER.test(from))) return refusal(400, 'from is the number of a tick')
    if (ticks !== 'latest' && ticks !== 'all') return refusal(400, 'ticks is latest or all')
    const first = Number(from ?? 0)
    const sight = this.sightOf(asker)
    const seqs = ticks === 'latest' ? latestFrom(sight, first, Number(limit) + 1) : rangeOf(first, Math.min(sight.cursor.passed, first + Number(limit) + 1))
    const hasMore = seqs.length > Number(limit)
    const told = hasMore ? seqs.slice(0, -1) : seqs
    const next = hasMore ? seqs.at(-1)! : Math.max(first, sight.cursor.passed)
    return answerWith(200, { now_us: asker.nowUs + this.shiftUs, next, has_more: hasMore, prices: told.map((seq) => this.bodyOf(seq, sight, asker)) }, [['Cache-Control', 'no-store']])
  }

  private sightOf({ key, nowUs, feedUs }: Asker): Sight {
    let sight = this.sights.get(key)
    // A sight only moves forward. Who asks for an earlier instant than before begins again.
    if (sight === undefined || (sight.lastUs >= 0 && sight.lastUs + feedUs > nowUs)) {
      this.sights.set(key, sight = { cursor: new TickCursor(this.source), lastUs: -1, latest: new Int32Array(this.marketCount).fill(-1), hasBook: new Uint8Array(this.marketCount) })
    }
    const { cursor, latest, hasBook } = sight
    for (; cursor.isDue(nowUs - feedUs); cursor.at++) {
      const { ticks: { atUs, market, bidE6, askE6 }, at } = cursor
      latest[market[at]!] = cursor.passed
      if (bidE6[at]! >= 0 || askE6[at]! >= 0) hasBook[market[at]!] = 1
      sight.lastUs = atUs[at]!
    }
    return sight
  }

  private bodyOf(seq: number, { hasBook }: Sight, { marketName }: Asker): TickBody {
    const chunk = chunkOfTick(this.source, seq)
    const { atUs, market, bidE6, askE6, bidSize, askSize, lastE6 } = this.source.chunk(chunk)
    const at = seq - this.source.startOf(chunk)
    return {
      seq, at_us: atUs[at]! + this.shiftUs, market: marketName(market[at]!), yes_bid: dollars(bidE6[at]!), yes_ask: dollars(askE6[at]!),
      yes_bid_size: known(bidSize[at]!), yes_ask_size: known(askSize[at]!), last: dollars(lastE6[at]!),
      has_book: hasBook[market[at]!] === 1,
    }
  }
}

/** The latest tick of each market, of those from `first` on, at most so many. A market that ticks meanwhile moves to a later page. */
const latestFrom = ({ latest }: Sight, first: number, most: number): number[] => [...latest.filter((seq) => seq >= first).sort().subarray(0, most)]
const rangeOf = (from: number, end: number): number[] => Array.from({ length: Math.max(0, end - from) }, (_, i) => from + i)
const known = (value: number): number | null => (value === NO_PRICE ? null : value)
const dollars = (e6: number): number | null => (e6 === NO_PRICE ? null : e6 / PRICE_ONE_E6)
const refusal = (status: number, error: string): Answer => answerWith(status, { error }, [])
