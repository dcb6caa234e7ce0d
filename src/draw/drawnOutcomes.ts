import { Draws, Purpose, type RandomKey } from '../kernel/random.ts'
import { MarketResult } from '../market/sides.ts'
import { tiedUniform } from '../math/copula.ts'
import type { Market } from '../market/market.ts'
import { lastPrices } from '../market/marketFolds.ts'
import { sourceOf, type TickHistory } from '../market/tickSource.ts'
import { DAY_US, isoOfTimeUs } from '../unit/time.ts'
import { entityOfName } from '../kernel/names.ts'
import { orderDearestFirst } from './uniformPlaces.ts'

/** When the values of an event's markets sum to this range, exactly one of them is taken to come true. */
const PARTITION_LOW = 0.8
const PARTITION_HIGH = 1.25

/** What drawn outcomes of a group share: the session, a category, a game (else an event), or the day of the last price, noon to noon UTC. */
export const WITHIN = ['all', 'category', 'game', 'day'] as const

/** Which outcomes are drawn, and which of them share a factor. */
export interface DrawnWorld {
  readonly within: (typeof WITHIN)[number]
  /** Whether recorded outcomes are drawn too. The world is then made up. */
  readonly redraws: boolean
}

const PLAIN: DrawnWorld = { within: 'all', redraws: false }

/** What draws of one purpose are for: which of an event comes true, whether a market does, and what a group has in common. */
const Part = { event: 0, market: 1, group: 2 } as const

/** Markets whose outcomes are drawn together: those of a partition, else each by itself. */
export interface DrawnTie {
  /** `alone`: one market. `partition`: exactly one of them is YES. `lost`: none is, since another of their partition is known to be YES. */
  readonly kind: 'alone' | 'partition' | 'lost'
  readonly event: string
  /** Name of those that share a factor. */
  readonly group: string
  readonly markets: readonly Market[]
  /** By market: its last price, 0…1. */
  readonly prices: readonly number[]
  /** By market: the probability of YES with which it is drawn. The market's price. In a partition, its share of the prices' sum. 0 for a market that has lost. */
  readonly chances: readonly number[]
}

/**
 * Which outcomes are drawn, and how: those of markets that history leaves open (settlement policy `draw`), or all yes or no outcomes, at
 * the last prices before `untilUs`. Where the markets of an event are a partition, the open ones are all NO when another is known to be
 * YES, and otherwise exactly one of them is YES. Other markets are drawn each by itself. When everything is redrawn, recorded results have
 * no influence.
 */
export function drawnTies(markets: readonly Market[], ticks: TickHistory, untilUs: number, world = PLAIN): DrawnTie[] {
  const { price, atUs } = lastPrices(markets.length, sourceOf(ticks), untilUs)
  return tiesAt(markets, price, atUs, world)
}

/**
 * How recorded outcomes are drawn anew: as those of a redrawn world, at the values of YES at the markets' closes in place of their last
 * prices. @param closes by market, 0…1, NaN where there is none.
 */
export function tiesAtCloses(markets: readonly Market[], closes: Float64Array, ticks: TickHistory, untilUs: number, within: DrawnWorld['within']): DrawnTie[] {
  return tiesAt(markets, closes.map((close) => (Number.isNaN(close) ? -1 : close)), lastPrices(closes.length, sourceOf(ticks), untilUs).atUs, { within, redraws: true })
}

/** @param last by market, the price at which it is drawn, −1 if none. @param atUs by market, the instant of its last price. */
function tiesAt(markets: readonly Market[], last: Float64Array, atUs: Float64Array, world: DrawnWorld): DrawnTie[] {
  const tieOf = (kind: DrawnTie['kind'], own: readonly Market[]): DrawnTie => {
    const prices = own.map(({ number }) => last[number]!)
    return { kind, event: own[0]!.event, group: groupOf(own[0]!, world.within, atUs[own[0]!.number]!), markets: own, prices, chances: chancesOf(kind, prices) }
  }
  return [...Map.groupBy(markets, ({ event }) => event).values()].flatMap((group) => {
    const open = group.filter((market) => isDrawn(market, last, world))
    if (open.length === 0) return []
    if (!isPartition(group, last, world)) return open.map((market) => tieOf('alone', [market]))
    const hasWinner = !world.redraws && group.some((market) => market.outcome === 'yes')
    return [tieOf(hasWinner ? 'lost' : 'partition', open)]
  })
}

/**
 * The drawn outcomes by market. They are fair if prices are, and never a claim about what happened. A draw depends on the seed and the
 * names of event and market alone.
 *
 * With a correlation ρ, 0…1 on the normal scale, the draws of a group share a factor F (a one-factor Gaussian copula): each uniform u becomes
 * Φ(√ρ·F + √(1 − ρ)·Φ⁻¹(u)), uniform as before, so that chances do not change. A market alone is YES when its uniform is below its
 * price: markets of a group tend to be YES together. In a partition one uniform chooses among the markets laid side by side, the dearest
 * first: events of a group tend to end with their favourites together. At ρ = 0 nothing changes, and F has draws of its own.
 */
export function drawOutcomes(ties: readonly DrawnTie[], key: RandomKey, correlation = 0): Map<number, number> {
  const draws = new Draws(key, Purpose.settlement)
  const results = new Map<number, number>()
  for (const tie of ties) {
    const { kind, event, group, markets, prices } = tie
    const tied = (uniform: number): number =>
      (correlation === 0 ? uniform : tiedUniform(uniform, draws.normal(entityOfName(group), Part.group), correlation))
    if (kind === 'alone') {
      const yes = tied(draws.uniform(entityOfName(markets[0]!.ticker), Part.market)) < prices[0]!
      results.set(markets[0]!.number, yes ? MarketResult.yes : MarketResult.no)
      continue
    }
    const winner = kind === 'lost' ? -1 : winnerOf(prices, draws.uniform(entityOfName(event), Part.event), correlation === 0 ? null : tied)
    for (const [i, { number }] of markets.entries()) results.set(number, i === winner ? MarketResult.yes : MarketResult.no)
  }
  return results
}

function chancesOf(kind: DrawnTie['kind'], prices: readonly number[]): number[] {
  if (kind === 'alone') return [...prices]
  const sum = sumOf(prices)
  // Where all prices are 0, the last one is drawn.
  return prices.map((price, i) => (kind === 'lost' ? 0 : sum > 0 ? price / sum : Number(i === prices.length - 1)))
}

const isDrawn = ({ number, outcome }: Market, last: Float64Array, { redraws }: DrawnWorld): boolean =>
  last[number]! >= 0 && (outcome === null || (redraws && (outcome === 'yes' || outcome === 'no')))

/** Which market of a partition is YES. */
function winnerOf(prices: readonly number[], uniform: number, tied: ((place: number) => number) | null): number {
  const drawn = chosen(prices, uniform)
  return tied === null ? drawn.at : chosenTogether(prices, drawn, tied)
}

/** The price at place `uniform` when all prices are laid side by side, each as wide as its value, and how far into it the place is. */
function chosen(prices: readonly number[], uniform: number): { at: number; into: number } {
  let left = uniform * sumOf(prices)
  const found = prices.findIndex((price) => (left -= price) < 0)
  const at = found < 0 ? prices.length - 1 : found
  return { at, into: Math.max(0, left + prices[at]!) }
}

/**
 * The same with the dearest first and the place tied to others. A drawn outcome keeps its place within its market, so that without
 * correlation the same market is drawn.
 */
function chosenTogether(prices: readonly number[], drawn: { at: number; into: number }, tied: (place: number) => number): number {
  const order = dearestFirst(prices)
  const before = sumOf(order.slice(0, order.indexOf(drawn.at)).map((i) => prices[i]!))
  return order[chosen(order.map((i) => prices[i]!), tied(Math.min(1, (before + drawn.into) / sumOf(order.map((i) => prices[i]!))))).at]!
}

/** The places of prices in the order in which a uniform number meets their markets: the dearest first, and lower places among equals. */
export function dearestFirst(prices: readonly number[]): number[] {
  const order = new Int32Array(prices.length)
  orderDearestFirst([...prices.keys()], prices, order)
  return [...order]
}

const sumOf = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)

function groupOf(market: Market, within: DrawnWorld['within'], lastUs: number): string {
  switch (within) {
    case 'all': return 'all'
    case 'category': return `category ${market.category.toLowerCase()}`
    case 'game': return `game ${market.game || market.event || market.ticker}`
    case 'day': return `day ${isoOfTimeUs(lastUs - DAY_US / 2).slice(0, 10)}`
  }
}

/**
 * Whether exactly one market of an event seems to come true: several have a price, and their last prices add up to about one. Where
 * recorded results stand, it is enough that the sum is about one with results in place of prices. In a redrawn world results say nothing,
 * but the source may say that the event is exclusive, and then prices may sum to more.
 */
function isPartition(group: readonly Market[], last: Float64Array, { redraws }: DrawnWorld): boolean {
  const isAboutOne = (values: readonly number[], most = PARTITION_HIGH): boolean => {
    const sum = sumOf(values)
    return values.length > 1 && sum >= PARTITION_LOW && sum <= most
  }
  const prices = group.map((market) => last[market.number]!).filter((price) => price >= 0)
  if (redraws) {
    const isSaid = (exclusive: boolean): boolean => group.some(({ listing }) => listing?.isExclusive === exclusive)
    return !isSaid(false) && isAboutOne(prices, isSaid(true) ? Infinity : PARTITION_HIGH)
  }
  const values = group.map(({ number, outcome }) => (outcome === 'yes' ? 1 : outcome === 'no' ? 0 : last[number]!)).filter((value) => value >= 0)
  return isAboutOne(prices) || isAboutOne(values)
}
