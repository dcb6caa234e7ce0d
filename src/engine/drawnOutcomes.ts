import { Draws, Purpose, type RandomKey } from '../kernel/random.ts'
import { tiedUniform } from '../math/copula.ts'
import type { Market } from '../market/market.ts'
import { NO_PRICE, PRICE_ONE_E6, type Ticks } from '../market/ticks.ts'
import { DAY_US, isoOfTimeUs } from '../unit/time.ts'
import { MarketResult } from '../venue/parlay/protocol/commands.ts'
import { entityOfName } from './names.ts'

/** Values of an event's markets that sum to this range are taken as chances of which exactly one comes true. */
const PARTITION_LOW = 0.8
const PARTITION_HIGH = 1.25

/** What drawn outcomes have in common: everything; or a category; a game, else an event; or the day of the last price, from noon to noon UTC. */
export const WITHIN = ['all', 'category', 'game', 'day'] as const

/** How drawn outcomes hang together, and which are drawn. */
export interface DrawnWorld {
  /** Correlation of two outcomes of one group on the normal scale, 0…1. */
  readonly correlation: number
  readonly within: (typeof WITHIN)[number]
  /** Outcomes that history tells are drawn too: the world is made up. */
  readonly redraws: boolean
}

const PLAIN: DrawnWorld = { correlation: 0, within: 'all', redraws: false }

/** What draws of one purpose are for: which of an event comes true, whether a market does, and what a group has in common. */
const Part = { event: 0, market: 1, group: 2 } as const

/**
 * Outcomes for markets that history leaves open, drawn at their last price (settlement policy `draw`), or for all that are yes or no: fair if
 * prices are, and never a claim about what happened. Where the markets of an event are a partition, the open ones are NO once another
 * is known to be YES, and else get exactly one YES between them; others are drawn each for itself. The draw depends on the
 * seed and the names of event and market alone.
 *
 * With a correlation ρ the draws of a group share a factor F (a one-factor Gaussian copula): each uniform u becomes
 * Φ(√ρ·F + √(1 − ρ)·Φ⁻¹(u)), uniform as before, so that every chance stays the last price. A market alone is YES when its uniform is below its
 * price: markets of a group tend to be YES together. In a partition one uniform chooses among the markets laid side by side, the dearest
 * first: events of a group tend to end with their favourites together. At ρ = 0 nothing changes, and F has draws of its own.
 */
export function drawOutcomes(markets: readonly Market[], ticks: Ticks, untilUs: number, key: RandomKey, world = PLAIN): Map<number, number> {
  const draws = new Draws(key, Purpose.settlement)
  const { price: last, atUs } = lastPrices(markets.length, ticks, untilUs)
  const results = new Map<number, number>()
  const events = new Map<string, Market[]>()
  for (const market of markets) {
    const group = events.get(market.event)
    if (group === undefined) events.set(market.event, [market])
    else group.push(market)
  }
  const tied = (uniform: number, market: Market): number => {
    const factor = draws.normal(entityOfName(groupOf(market, world.within, atUs[market.number]!)), Part.group)
    return tiedUniform(uniform, factor, world.correlation)
  }
  for (const [event, group] of events) {
    const open = group.filter((market) => isDrawn(market, last, world))
    if (open.length === 0) continue
    const hasWinner = !world.redraws && group.some((market) => market.outcome === 'yes')
    if (!isPartition(group, last)) {
      for (const market of open) {
        const uniform = draws.uniform(entityOfName(market.ticker), Part.market)
        const yes = (world.correlation === 0 ? uniform : tied(uniform, market)) < last[market.number]!
        results.set(market.number, yes ? MarketResult.yes : MarketResult.no)
      }
    } else if (hasWinner) {
      for (const market of open) results.set(market.number, MarketResult.no)
    } else {
      const uniform = draws.uniform(entityOfName(event), Part.event)
      const drawn = chosen(open, last, uniform)
      const winner = world.correlation === 0 ? drawn.market : chosenTogether(open, last, drawn, (place) => tied(place, open[0]!))
      for (const market of open) results.set(market.number, market === winner ? MarketResult.yes : MarketResult.no)
    }
  }
  return results
}

/** Markets whose outcomes one uniform decides, and the group whose factor it shares. */
export interface DrawnTie {
  readonly group: string
  readonly markets: readonly Market[]
}

/** What `drawOutcomes` draws together: by event where its markets are a partition, else every market for itself. */
export function drawnTies(markets: readonly Market[], ticks: Ticks, untilUs: number, world: DrawnWorld): DrawnTie[] {
  const { price: last, atUs } = lastPrices(markets.length, ticks, untilUs)
  const tieOf = (own: readonly Market[]): DrawnTie => ({ group: groupOf(own[0]!, world.within, atUs[own[0]!.number]!), markets: own })
  return [...Map.groupBy(markets, ({ event }) => event).values()].flatMap((group) => {
    const open = group.filter((market) => isDrawn(market, last, world))
    if (!isPartition(group, last)) return open.map((market) => tieOf([market]))
    const isKnown = !world.redraws && group.some((market) => market.outcome === 'yes')
    return open.length === 0 || isKnown ? [] : [tieOf(open)]
  })
}

const isDrawn = ({ number, outcome }: Market, last: Float64Array, { redraws }: DrawnWorld): boolean =>
  last[number]! >= 0 && (outcome === null || (redraws && (outcome === 'yes' || outcome === 'no')))

/** The market at place `uniform` among markets laid side by side, each as wide as its price; and how far into it the place lies. */
function chosen(side: readonly Market[], last: Float64Array, uniform: number): { market: Market; into: number } {
  let left = uniform * side.reduce((total, market) => total + last[market.number]!, 0)
  const market = side.find(({ number }) => (left -= last[number]!) < 0) ?? side.at(-1)!
  return { market, into: Math.max(0, left + last[market.number]!) }
}

/** The same with the dearest first and the place tied to others: what was drawn keeps its place within its market, so that at no correlation it is drawn again. */
function chosenTogether(open: readonly Market[], last: Float64Array, drawn: { market: Market; into: number }, tied: (place: number) => number): Market {
  const side = [...open].sort((a, b) => last[b.number]! - last[a.number]! || a.number - b.number)
  const sum = side.reduce((total, market) => total + last[market.number]!, 0)
  let before = 0
  for (const market of side) {
    if (market === drawn.market) break
    before += last[market.number]!
  }
  return chosen(side, last, tied(Math.min(1, (before + drawn.into) / sum))).market
}

function groupOf(market: Market, within: DrawnWorld['within'], lastUs: number): string {
  switch (within) {
    case 'all': return 'all'
    case 'category': return `category ${market.category.toLowerCase()}`
    case 'game': return `game ${market.game || market.event || market.ticker}`
    case 'day': return `day ${isoOfTimeUs(lastUs - DAY_US / 2).slice(0, 10)}`
  }
}

/**
 * Whether exactly one market of an event seems to come true: there are several with a value, and their last prices add up to
 * about one, or do with results in place of the prices of those that have one.
 */
function isPartition(group: readonly Market[], last: Float64Array): boolean {
  const aboutOne = (values: readonly number[]): boolean => {
    const sum = values.reduce((total, value) => total + value, 0)
    return values.length > 1 && sum >= PARTITION_LOW && sum <= PARTITION_HIGH
  }
  const prices = group.map((market) => last[market.number]!).filter((price) => price >= 0)
  const values = group.map(({ number, outcome }) => (outcome === 'yes' ? 1 : outcome === 'no' ? 0 : last[number]!)).filter((value) => value >= 0)
  return aboutOne(prices) || aboutOne(values)
}

/** Last middle price of each market before `untilUs`, 0…1, an empty side standing at its end of the scale, and its instant; −1 if none. */
function lastPrices(marketCount: number, ticks: Ticks, untilUs: number): { price: Float64Array; atUs: Float64Array } {
  const price = new Float64Array(marketCount).fill(-1)
  const atUs = new Float64Array(marketCount).fill(-1)
  for (let i = 0; i < ticks.count && ticks.atUs[i]! < untilUs; i++) {
    const bid = ticks.bidE6[i]!
    const ask = ticks.askE6[i]!
    const m = ticks.market[i]!
    if (bid !== NO_PRICE || ask !== NO_PRICE) {
      price[m] = (Math.max(0, bid) + (ask === NO_PRICE ? PRICE_ONE_E6 : ask)) / (2 * PRICE_ONE_E6)
    } else if (ticks.lastE6[i] !== NO_PRICE) price[m] = ticks.lastE6[i]! / PRICE_ONE_E6
    else continue
    atUs[m] = ticks.atUs[i]!
  }
  return { price, atUs }
}
