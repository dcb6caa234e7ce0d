import type { OpenStore } from '../feed/store/openStore.ts'
import { dateOf, dayOf } from '../feed/store/storeHead.ts'
import { isOver } from '../market/knownAt.ts'
import type { Market } from '../market/market.ts'
import { DAY_US } from '../unit/time.ts'
import { type Proceed, runsOf } from './storeRuns.ts'

/** What the book of a market is between two ticks. `lastOnly`: there is a last price and no book. */
export const BOOK_STATES = ['whole', 'locked', 'crossed', 'oneSided', 'lastOnly', 'empty'] as const
export type BookState = (typeof BOOK_STATES)[number]

/** Market time in each state, µs: an hour in which ten markets stand counts ten. */
export type StateTimes = Readonly<Record<BookState, number>>

/** A UTC day of a store that has ticks, or in which markets traded. */
export interface CoverageDay {
  /** `YYYY-MM-DD`. */
  readonly date: string
  readonly ticks: number
  /** Markets that have ticks. */
  readonly markets: number
  /** Markets of which a tick has a price. */
  readonly priced: number
  /** Gaps that begin on the day, and the longest of them, µs. */
  readonly gaps: number
  readonly longestGapUs: number
  readonly states: StateTimes
}

/** A stretch without ticks: of one market, or of the store where `market` is null. */
export interface CoverageGap {
  readonly market: string | null
  readonly fromUs: number
  readonly toUs: number
}

/** Why a market can never be asked for, whatever the scenario's window is. */
export type UnaskableReason = 'no prices' | 'no price before the close' | 'no result'

export interface Unaskable {
  readonly reason: UnaskableReason
  readonly markets: number
  /** Tickers of the first of them. */
  readonly first: readonly string[]
}

/** How far a store covers its markets and its time. */
export interface StoreCoverage {
  readonly markets: number
  readonly ticks: number
  readonly firstUs: number | null
  readonly lastUs: number | null
  /** Gaps are longer than this, µs. */
  readonly gapUs: number
  readonly days: readonly CoverageDay[]
  /** Gaps of single markets while they traded: how many, and the longest. */
  readonly gaps: number
  readonly longestGaps: readonly CoverageGap[]
  /** Gaps of the whole store, in which no market has a tick: how many, and the longest. */
  readonly silences: number
  readonly longestSilences: readonly CoverageGap[]
  readonly states: StateTimes
  readonly unaskable: readonly Unaskable[]
}

/** How many gaps are named. */
const NAMED_GAPS = 20
const NAMED_MARKETS = 5

/**
 * Reads a store through, batch by batch. A market is watched from its first tick until its trading ends: at its actual close, else at its
 * scheduled one, and where neither is known, at its last tick. Nothing is said of the time after the store's last tick.
 *
 * @param proceed is told the ticks that were read.
 * @throws InputError, with file and row, for ticks that a store may not have
 */
export async function coverageOf(store: OpenStore, gapUs: number, proceed: Proceed = () => {}): Promise<StoreCoverage> {
  const { markets } = store.catalogue
  const watch = new Watch(markets, gapUs)
  let read = 0
  for (const { ticks, from, to } of runsOf(store)) {
    await proceed(read)
    for (let i = from; i < to; i++) watch.take(ticks.atUs[i]!, ticks.market[i]!, ticks.bidE6[i]!, ticks.askE6[i]!, ticks.lastE6[i]!)
    read += to - from
  }
  const { ticks, firstUs, lastUs } = store.head
  return { markets: markets.length, ticks, firstUs, lastUs, gapUs, ...watch.finish(lastUs) }
}

/** The state of a book by its prices. */
function stateOf(bidE6: number, askE6: number, lastE6: number): number {
  if (bidE6 >= 0 && askE6 >= 0) return bidE6 < askE6 ? 0 : bidE6 === askE6 ? 1 : 2
  if (bidE6 >= 0 || askE6 >= 0) return 3
  return lastE6 >= 0 ? 4 : 5
}

interface DayCounts {
  ticks: number
  markets: number
  priced: number
  gaps: number
  longestGapUs: number
  readonly states: Float64Array
}

/** The longest of many gaps. Of equal ones the first stays. */
class Longest {
  count = 0
  readonly gaps: CoverageGap[] = []

  add(market: string | null, fromUs: number, toUs: number): void {
    this.count++
    const length = toUs - fromUs
    let place = this.gaps.length
    while (place > 0 && this.gaps[place - 1]!.toUs - this.gaps[place - 1]!.fromUs < length) place--
    if (place >= NAMED_GAPS) return
    this.gaps.splice(place, 0, { market, fromUs, toUs })
    if (this.gaps.length > NAMED_GAPS) this.gaps.pop()
  }
}

class Watch {
  private declare readonly markets: readonly Market[]
  private declare readonly gapUs: number
  private declare readonly lastUs: Float64Array
  private declare readonly state: Uint8Array
  private declare readonly pricedUs: Float64Array
  /** The day in which a market had its last tick, and its last price. */
  private declare readonly tickDay: Int32Array
  private declare readonly priceDay: Int32Array
  private declare readonly endUs: Float64Array
  private readonly days = new Map<number, DayCounts>()
  private readonly gaps = new Longest()
  private readonly silences = new Longest()
  private beforeUs = NaN
  private today: DayCounts | null = null
  private dayEndUs = -Infinity
  private day = 0

  constructor(markets: readonly Market[], gapUs: number) {
    this.markets = markets
    this.gapUs = gapUs
    this.lastUs = new Float64Array(markets.length).fill(NaN)
    this.state = new Uint8Array(markets.length)
    this.pricedUs = new Float64Array(markets.length).fill(NaN)
    this.tickDay = new Int32Array(markets.length).fill(-1)
    this.priceDay = new Int32Array(markets.length).fill(-1)
    this.endUs = Float64Array.from(markets, ({ actualCloseUs, scheduledCloseUs }) => actualCloseUs ?? scheduledCloseUs ?? Infinity)
  }

  take(atUs: number, market: number, bidE6: number, askE6: number, lastE6: number): void {
    if (atUs >= this.dayEndUs) this.begin(atUs)
    const today = this.today!
    today.ticks++
    if (this.tickDay[market] !== this.day) {
      this.tickDay[market] = this.day
      today.markets++
    }
    const state = stateOf(bidE6, askE6, lastE6)
    if (state !== 5) {
      if (Number.isNaN(this.pricedUs[market])) this.pricedUs[market] = atUs
      if (this.priceDay[market] !== this.day) {
        this.priceDay[market] = this.day
        today.priced++
      }
    }
    if (atUs - this.beforeUs > this.gapUs) this.silences.add(null, this.beforeUs, atUs)
    this.beforeUs = atUs
    this.stand(market, atUs)
    this.lastUs[market] = atUs
    this.state[market] = state
  }

  finish(lastUs: number | null): Omit<StoreCoverage, 'markets' | 'ticks' | 'firstUs' | 'lastUs' | 'gapUs'> {
    this.markets.forEach((_, market) => {
      const endUs = this.endUs[market]!
      if (lastUs !== null && endUs < Infinity && !Number.isNaN(this.lastUs[market])) this.stand(market, Math.min(endUs, lastUs))
    })
    const days = [...this.days].sort(([a], [b]) => a - b).map(([day, { states, ...counts }]): CoverageDay => ({ date: dateOf(day), ...counts, states: timesOf(states) }))
    return {
      days, gaps: this.gaps.count, longestGaps: this.gaps.gaps, silences: this.silences.count, longestSilences: this.silences.gaps,
      states: timesOf([...this.days.values()].reduce((sum, { states }) => sum.map((us, i) => us + states[i]!), new Float64Array(BOOK_STATES.length))),
      unaskable: this.unaskable(),
    }
  }

  /** Counts the time from the last tick of a market to an instant, as far as the market traded. */
  private stand(market: number, untilUs: number): void {
    const fromUs = this.lastUs[market]!
    const toUs = Math.min(untilUs, this.endUs[market]!)
    if (!(toUs > fromUs)) return
    const state = this.state[market]!
    for (let day = dayOf(fromUs), at = fromUs; at < toUs; day++) {
      const end = Math.min(toUs, (day + 1) * DAY_US)
      this.countsOf(day).states[state]! += end - at
      at = end
    }
    if (toUs - fromUs <= this.gapUs) return
    this.gaps.add(this.markets[market]!.ticker, fromUs, toUs)
    const counts = this.countsOf(dayOf(fromUs))
    counts.gaps++
    counts.longestGapUs = Math.max(counts.longestGapUs, toUs - fromUs)
  }

  private begin(atUs: number): void {
    this.day = dayOf(atUs)
    this.dayEndUs = (this.day + 1) * DAY_US
    this.today = this.countsOf(this.day)
  }

  private countsOf(day: number): DayCounts {
    let counts = this.days.get(day)
    if (counts === undefined) {
      counts = { ticks: 0, markets: 0, priced: 0, gaps: 0, longestGapUs: 0, states: new Float64Array(BOOK_STATES.length) }
      this.days.set(day, counts)
    }
    return counts
  }

  private unaskable(): Unaskable[] {
    const found = new Map<UnaskableReason, string[]>([['no prices', []], ['no price before the close', []], ['no result', []]])
    for (const market of this.markets) {
      const reason = reasonOf(market, this.pricedUs[market.number]!)
      if (reason !== null) found.get(reason)!.push(market.ticker)
    }
    return [...found].filter(([, tickers]) => tickers.length > 0).map(([reason, tickers]) => ({ reason, markets: tickers.length, first: tickers.slice(0, NAMED_MARKETS) }))
  }
}

/** Why no session lists a market for its bettors, or null. A market without a result is listed where `settlement.missing` says so. */
function reasonOf(market: Market, pricedUs: number): UnaskableReason | null {
  if (Number.isNaN(pricedUs)) return 'no prices'
  if (isOver(market, Math.max(market.openUs, pricedUs))) return 'no price before the close'
  return market.outcome === null ? 'no result' : null
}

const timesOf = (states: ArrayLike<number>): StateTimes => Object.fromEntries(BOOK_STATES.map((state, i) => [state, states[i]!])) as Record<BookState, number>
