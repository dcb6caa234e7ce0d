import { arrivalsEndUs } from '../engine/arrivalsEnd.ts'
import { MARKET_CLOSES, type OperatorInput } from '../engine/config.ts'
import { ASK_FILTERS, type AskedFor, type AskFilter, MILLIONTHS } from '../unit/askFilters.ts'
import { keysOf, type MarketKeys } from '../market/exclusion.ts'
import { legPrice, PriceBoard } from '../market/priceBoard.ts'
import { Side } from '../market/sides.ts'
import { sourceOf, TickCursor, type TickHistory } from '../market/tickSource.ts'
import { MarketOp } from '../venue/contract.ts'
import type { BuiltSession } from './build.ts'
import { BUILT_IN_BETTORS } from './builtIn.ts'
import type { ResolvedCohort } from './resolved.ts'

/** What a session is made of, as far as markets can be asked for in it. */
export type AskedSession = Pick<BuiltSession, 'config' | 'directory' | 'coverage'>

/** What a cohort asks of a market. */
interface AskTerms {
  readonly feedUs: number
  readonly maxAgeUs: number
  readonly priceMin: number
  readonly favouriteMin: number
  readonly legsMin: number
}

/**
 * Which filter keeps a cohort from which markets: those of the session's plan, and of the listed ones what the market was between two
 * instants at which anything about it changed; and how much of the time prices are young enough. Of a strategy file nobody knows more than its
 * `maxAge`. Reads the ticks of the session once.
 */
export function askedFor({ config, directory, coverage }: AskedSession, cohort: ResolvedCohort): AskedFor {
  const terms = termsOf(cohort)
  const { stages, youngShare } = walkOf(config, terms)
  const counts = new Map<AskFilter, number>([['no price in the window', coverage.withoutPrices], ['closed before the first price', coverage.closed], ['no result', coverage.excluded]])
  const askable: number[] = []
  for (const [market, { settledUs }] of directory.markets.entries()) {
    // Others are counted by the plan.
    if (settledUs === undefined || settledUs === Infinity) continue
    const filter = ASK_FILTERS[FIRST_STAGE + stages[market]!]!
    if (stages[market] === Stage.askable) askable.push(market)
    else counts.set(filter, (counts.get(filter) ?? 0) + 1)
  }
  counts.set(lastFilter(askable, config.keys, terms.legsMin), askable.length)
  const markets = Object.fromEntries(ASK_FILTERS.flatMap((filter) => ((counts.get(filter) ?? 0) === 0 ? [] : [[filter, counts.get(filter)!]])))
  return { markets, youngShare }
}

/** Whether a cohort chooses its markets itself: a script, a log and a client say which. */
export const choosesMarkets = ({ external, script, recorded }: ResolvedCohort): boolean => external !== true && script === undefined && recorded === undefined

/** How far a market came, as places in `ASK_FILTERS` from `FIRST_STAGE` on. */
const Stage = { apart: 0, unpriced: 1, old: 2, extreme: 3, even: 4, askable: 5 } as const
const FIRST_STAGE = ASK_FILTERS.indexOf('not traded while bettors arrive')

function termsOf({ strategy, parameters, latency: { feedUs } }: ResolvedCohort): AskTerms {
  const { maxAge = Infinity, priceMin = 0, favouriteMin = 0, legsMin = 1 } = parameters
  const isKnown = Object.hasOwn(BUILT_IN_BETTORS, strategy)
  return { feedUs, maxAgeUs: maxAge, priceMin: isKnown ? priceMin : 0, favouriteMin: isKnown ? favouriteMin : 0, legsMin: isKnown ? legsMin : 1 }
}

/** Follows the markets of a session up to the end of arrivals. */
function walkOf(config: AskedSession['config'], terms: AskTerms): AskWalk {
  const { ticks, marketCount, operator, startUs } = config
  const lastUs = arrivalsEndUs(config)
  // Prices and listings of the instant itself come before the arrival.
  const arrivalsUntilUs = lastUs === null ? config.arrivalsUntilUs : lastUs + 1
  const walk = new AskWalk(ticks, marketCount, startUs, terms)
  const cursor = new TickCursor(sourceOf(ticks))
  let input = 0
  for (;;) {
    const inputUs = operator[input]?.atUs ?? Infinity
    const tickUs = cursor.nextUs + terms.feedUs
    if (Math.min(inputUs, tickUs) >= arrivalsUntilUs) break
    // The operator comes before prices.
    if (inputUs <= tickUs) walk.operate(operator[input++]!)
    else {
      cursor.enter()
      const { ticks: { market, atUs, count }, at } = cursor
      if (at === count) continue
      walk.stand(market[at]!, atUs[at]! + terms.feedUs)
      cursor.at++
    }
  }
  walk.finish(arrivalsUntilUs)
  return walk
}

/** Follows markets from change to change, and takes what each was in between. */
class AskWalk {
  /** By market the farthest stage that it reached at any instant. */
  declare readonly stages: Uint8Array
  private declare readonly board: PriceBoard
  private declare readonly terms: AskTerms
  private declare readonly isLive: Uint8Array
  /** Since when the market is as it is now. */
  private declare readonly sinceUs: Float64Array
  /** Time in which markets had a price and were traded, over all of them, and of it that in which the price was young enough. */
  private pricedUs = 0
  private youngUs = 0

  constructor(ticks: TickHistory, marketCount: number, startUs: number, terms: AskTerms) {
    this.board = new PriceBoard(ticks, marketCount, terms.feedUs)
    this.terms = terms
    this.stages = new Uint8Array(marketCount)
    this.isLive = new Uint8Array(marketCount)
    this.sinceUs = new Float64Array(marketCount).fill(startUs)
  }

  operate({ op, market, atUs }: OperatorInput): void {
    if (market < 0) return
    const isOn = op === MarketOp.list || op === MarketOp.resume
    if (!isOn && op !== MARKET_CLOSES && op !== MarketOp.halt && op !== MarketOp.delist && op !== MarketOp.resolve) return
    this.stand(market, atUs)
    this.isLive[market] = isOn ? 1 : 0
  }

  finish(untilUs: number): void {
    for (let market = 0; market < this.stages.length; market++) this.stand(market, untilUs)
  }

  get youngShare(): number | null {
    return this.pricedUs === 0 ? null : Math.round(this.youngUs / this.pricedUs * MILLIONTHS) / MILLIONTHS
  }

  /** The market has been as it is up to an instant, at which it changes. Instants never fall from call to call. */
  stand(market: number, untilUs: number): void {
    const sinceUs = this.sinceUs[market]!
    if (untilUs <= sinceUs) return
    // Prices of the instant itself are not seen before it.
    this.board.advance(untilUs - 1)
    this.sinceUs[market] = untilUs
    if (this.isLive[market] === 0) return
    this.takeAge(market, sinceUs, untilUs)
    if (this.stages[market] === Stage.askable) return
    this.stages[market] = Math.max(this.stages[market]!, this.stageAt(market, sinceUs))
  }

  private takeAge(market: number, sinceUs: number, untilUs: number): void {
    const { board, terms: { maxAgeUs } } = this
    if (Number.isNaN(legPrice(board, market, Side.yes, 'mid', sinceUs, Infinity))) return
    this.pricedUs += untilUs - sinceUs
    // A price of that very age is young enough.
    this.youngUs += Math.max(0, Math.min(untilUs, board.stampUs(market) + maxAgeUs + 1) - sinceUs)
  }

  /** A price is youngest at the begin. */
  private stageAt(market: number, sinceUs: number): number {
    const { board, terms: { maxAgeUs, priceMin, favouriteMin } } = this
    if (Number.isNaN(legPrice(board, market, Side.yes, 'mid', sinceUs, Infinity))) return Stage.unpriced
    const mid = legPrice(board, market, Side.yes, 'mid', sinceUs, maxAgeUs)
    if (Number.isNaN(mid)) return Stage.old
    if (!(mid >= priceMin && mid <= 1 - priceMin)) return Stage.extreme
    return Math.max(mid, 1 - mid) >= favouriteMin ? Stage.askable : Stage.even
  }
}

/** What keeps those that could be asked for by themselves from being asked for together. */
function lastFilter(markets: readonly number[], keys: MarketKeys, legsMin: number): AskFilter {
  if (markets.length === 0 || legsMin === 1) return 'left'
  if (markets.length < legsMin) return 'fewer than legsMin'
  return canBeTogether(markets, keys, legsMin) ? 'left' : 'legs exclude each other'
}

/** Sets of markets that are looked at until it counts as known that some go together. */
const LOOKED_MAX = 100_000

/** Whether so many of the markets have no key in common, by going through their sets. */
function canBeTogether(markets: readonly number[], keys: MarketKeys, count: number): boolean {
  let looked = 0
  const taken = new Set<number>()
  const from = (place: number, left: number): boolean => {
    if (left === 0 || ++looked > LOOKED_MAX) return true
    for (let at = place; at + left <= markets.length; at++) {
      const own = keysOf(keys, markets[at]!)
      if (own.some((key) => taken.has(key))) continue
      for (const key of own) taken.add(key)
      if (from(at + 1, left - 1)) return true
      for (const key of own) taken.delete(key)
    }
    return false
  }
  return from(0, count)
}
