import type { OperatorPlan } from '../engine/operatorInputs.ts'
import type { RedrawPlace } from '../draw/redrawPlaces.ts'
import type { Market } from '../market/market.ts'
import type { ListedMarket } from '../record/marketTable.ts'
import { decimalOfLimbs } from '../venue/outcome/protocol/outcomeId.ts'
import { outcomeLimbs } from './outcomeIds.ts'

/** What a redraw of a session's outcomes needs: by market the value of YES at its close, NaN without one, and how it is drawn. */
export interface Redrawing {
  readonly closes: Float64Array
  readonly places: ReadonlyMap<number, RedrawPlace>
}

/** The markets that a session lists, for its table of markets. @param hasOutcome whether it has the outcome service. */
export function listedMarkets(
  markets: readonly Market[], { outcomes, ties }: Pick<OperatorPlan, 'outcomes' | 'ties'>, hasOutcome: boolean, { closes, places }: Redrawing,
): ListedMarket[] {
  const drawn = new Set(ties.flatMap((tie) => tie.markets.map(({ number }) => number)))
  return markets.filter(({ number }) => outcomes.atUs[number]! < Infinity).map((market): ListedMarket => {
    const { number, venue, series, event, title, listing, outcome } = market
    const value = outcomes.value[number]!
    return {
      number, venue, series, event, title, eventTitle: listing?.eventTitle ?? null, category: orNone(market.category), subcategory: listing?.subcategory ?? null,
      frequency: listing?.frequency ?? null, game: orNone(market.game), ladder: orNone(market.ladder), exclusionKeys: market.exclusionKeys,
      isExclusive: listing?.isExclusive ?? null, outcomeId: hasOutcome ? decimalOfLimbs(outcomeLimbs(market)) : null, openUs: market.openUs,
      scheduledCloseUs: market.scheduledCloseUs, scheduledCloseKnownUs: market.scheduledCloseKnownUs, actualCloseUs: market.actualCloseUs,
      recordedResult: outcome, recordedValueE6: market.settlementE6, recordedResultUs: market.settledUs,
      result: Number.isNaN(value) ? 'void' : value === 1 ? 'yes' : 'no', resultUs: outcomes.atUs[number]!,
      resultBy: drawn.has(number) ? 'drawn' : outcome === null || outcome === 'scalar' ? 'policy' : 'recorded',
      closing: Number.isNaN(closes[number]) ? null : closes[number]!, redrawn: places.get(number) ?? null,
    }
  })
}

const orNone = (name: string): string | null => (name === '' ? null : name)
