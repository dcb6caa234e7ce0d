import type { Market } from '../market/market.ts'
import type { TickHistory } from '../market/tickSource.ts'
import { dearestFirst, type DrawnTie, type DrawnWorld, tiesAtCloses } from './drawnOutcomes.ts'
import { layPlaces } from './uniformPlaces.ts'

/** How the outcome of a market is drawn anew: it is YES where a uniform number in [0, 1) lies in [`from`, `to`). */
export interface RedrawPlace {
  readonly kind: DrawnTie['kind']
  /** Name of what the uniform belongs to: the market itself, or the event whose markets are a partition. */
  readonly source: string
  /** Name of those whose uniforms share a factor. */
  readonly group: string
  readonly from: number
  readonly to: number
}

/** What a session knows of its outcomes when it is built. */
export interface OutcomesKnown {
  /** What was drawn, and how. */
  readonly ties: readonly DrawnTie[]
  readonly redraws: boolean
  readonly within: DrawnWorld['within']
  /** By market: the value of YES at its close, NaN where there is none. */
  readonly closes: Float64Array
  readonly ticks: TickHistory
  readonly untilUs: number
}

/**
 * By market number, how its outcome is drawn anew. An outcome that was drawn is drawn as it was. An outcome that was recorded is drawn as in a redrawn
 * world, at the closes. A recorded outcome stands, and has no place, where it was void or scalar, where the market has no close, and where the rest of its
 * partition was drawn: that draw rested on it.
 */
export function redrawPlaces(markets: readonly Market[], { ties, redraws, within, closes, ticks, untilUs }: OutcomesKnown): Map<number, RedrawPlace> {
  const places = new Map<number, RedrawPlace>()
  for (const tie of ties) lay(tie, places)
  if (redraws) return places
  const fixed = new Set(ties.filter(({ kind }) => kind !== 'alone').map(({ event }) => event))
  const recorded = markets.filter(({ outcome, event, number }) => outcome !== null && !places.has(number) && !fixed.has(event))
  for (const tie of tiesAtCloses(recorded, closes, ticks, untilUs, within)) lay(tie, places)
  return places
}

/** Gives the markets that one uniform decides their places. */
function lay({ kind, event, group, markets, prices, chances }: DrawnTie, places: Map<number, RedrawPlace>): void {
  const [from, to] = [new Float64Array(markets.length), new Float64Array(markets.length)]
  const order = dearestFirst(prices)
  layPlaces(order, order.length, chances, 1, from, to)
  for (const i of order) {
    const { number, ticker } = markets[i]!
    places.set(number, { kind, source: kind === 'alone' ? ticker : event, group, from: from[i]!, to: to[i]! })
  }
}
