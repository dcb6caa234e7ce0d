import { Draws, Purpose, type RandomKey } from '../kernel/random.ts'
import type { Market } from '../market/market.ts'
import { NO_PRICE, PRICE_ONE_E6, type Ticks } from '../market/ticks.ts'
import { MarketResult } from '../venue/parlay/protocol/commands.ts'
import { entityOfName } from './names.ts'

/** Values of an event's markets that sum to this range are taken as chances of which exactly one comes true. */
const PARTITION_LOW = 0.8
const PARTITION_HIGH = 1.25

/**
 * Outcomes for markets that history leaves open, drawn at their last price (settlement policy `draw`): fair if prices are,
 * and never a claim about what happened. Where the markets of an event are a partition, the open ones are NO once another
 * is known to be YES, and else get exactly one YES between them; others are drawn each for itself. The draw depends on the
 * seed and the names of event and market alone.
 */
export function drawOutcomes(markets: readonly Market[], ticks: Ticks, untilUs: number, key: RandomKey): Map<number, number> {
  const draws = new Draws(key, Purpose.settlement)
  const last = lastPrices(markets.length, ticks, untilUs)
  const results = new Map<number, number>()
  const events = new Map<string, Market[]>()
  for (const market of markets) {
    const group = events.get(market.event)
    if (group === undefined) events.set(market.event, [market])
    else group.push(market)
  }
  for (const [event, group] of events) {
    const open = group.filter((market) => market.outcome === null && last[market.number]! >= 0)
    if (open.length === 0) continue
    const hasWinner = group.some((market) => market.outcome === 'yes')
    if (!isPartition(group, last)) {
      for (const market of open) {
        const yes = draws.uniform(entityOfName(market.ticker), 1) < last[market.number]!
        results.set(market.number, yes ? MarketResult.yes : MarketResult.no)
      }
    } else if (hasWinner) {
      for (const market of open) results.set(market.number, MarketResult.no)
    } else {
      const sum = open.reduce((total, market) => total + last[market.number]!, 0)
      let left = draws.uniform(entityOfName(event), 0) * sum
      const winner = open.find((market) => (left -= last[market.number]!) < 0) ?? open.at(-1)!
      for (const market of open) results.set(market.number, market === winner ? MarketResult.yes : MarketResult.no)
    }
  }
  return results
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

/** Last middle price of each market before `untilUs`, 0…1, an empty side standing at its end of the scale; −1 if none. */
function lastPrices(marketCount: number, ticks: Ticks, untilUs: number): Float64Array {
  const last = new Float64Array(marketCount).fill(-1)
  for (let i = 0; i < ticks.count && ticks.atUs[i]! < untilUs; i++) {
    const bid = ticks.bidE6[i]!
    const ask = ticks.askE6[i]!
    if (bid !== NO_PRICE || ask !== NO_PRICE) {
      last[ticks.market[i]!] = (Math.max(0, bid) + (ask === NO_PRICE ? PRICE_ONE_E6 : ask)) / (2 * PRICE_ONE_E6)
    } else if (ticks.lastE6[i] !== NO_PRICE) last[ticks.market[i]!] = ticks.lastE6[i]! / PRICE_ONE_E6
  }
  return last
}
