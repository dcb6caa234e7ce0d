import type { RandomKey } from '../kernel/random.ts'
import { isOver, knownAt } from '../market/knownAt.ts'
import type { Market } from '../market/market.ts'
import { MarketResult } from '../market/sides.ts'
import { tickSpans } from '../market/marketFolds.ts'
import { sourceOf, type TickHistory } from '../market/tickSource.ts'
import { DAY_US } from '../unit/time.ts'
import { MarketOp, Resolve } from '../venue/contract.ts'
import { MARKET_CLOSES, type OperatorInput } from './config.ts'
import { type DrawnTie, type DrawnWorld, drawnTies, drawOutcomes } from '../draw/drawnOutcomes.ts'

/**
 * What to do where history does not say when or how a market settled (design.md, decision 11). Only what fills such a gap looks ahead
 * (docs/decisions/0007). With `exclude`, the listing of a market depends on whether history ever tells its outcome, which is a selection of
 * the universe that the coverage counts. A missing settlement time follows from the market's last price, which nobody knows to be the
 * last when it comes. A drawn outcome depends on the last prices of its event.
 */
export interface SettlementPolicy {
  /** A missing settlement time is the last tick of the market, or its close if that is later, plus this. */
  readonly lagUs: number
  /** A market without an outcome is left out, voided at the end of its history, or drawn at its last price. */
  readonly missing: 'exclude' | 'void' | 'draw'
  /** A scalar outcome voids its positions, or its market is left out. */
  readonly scalar: 'void' | 'exclude'
  /** `drawn`: every market that is yes, no or without an outcome is drawn at its last price: a made-up world. Absent: what is recorded stands. */
  readonly outcomes?: 'drawn'
  /** The correlation of drawn outcomes. Absent when each event is drawn by itself. */
  readonly correlation?: { readonly share: number; readonly within: DrawnWorld['within'] }
}

/** A market without a known schedule is listed as closing this long after its listing, so that nothing about its future leaks. */
const UNSCHEDULED_CLOSE_US = 3650 * DAY_US

/** How much of a catalogue a session uses, and what is known of it; printed beside every result. */
export interface Coverage {
  /** The sum of `listed`, `withoutPrices`, `closed` and `excluded`. */
  universe: number
  listed: number
  withoutPrices: number
  /** Markets whose prices all came when trading was known to be over. */
  closed: number
  /** Left out by the settlement policy, for an outcome that history never tells. */
  excluded: number
  unresolved: number
  /** Markets whose outcome was drawn at their last price: unresolved ones, or in a made-up world all. */
  drawn: number
  voided: number
  scalar: number
  /** Listed markets whose trading ended before the close that was announced, or without one. */
  halted: number
  missingSettlementTime: number
}

export interface OperatorPlan {
  readonly inputs: readonly OperatorInput[]
  readonly coverage: Coverage
  /** Settled value of YES by market: 0, 1, or NaN when void or not listed; and when. */
  readonly outcomes: { readonly value: Float64Array; readonly atUs: Float64Array }
  /** What was drawn together, listed or not; and by market number the chance of YES with which it was drawn, NaN where it was not. */
  readonly ties: readonly DrawnTie[]
  readonly drawnChances: Float64Array
}

/**
 * What the operator of a replayed history does. It lists each market when the market is open and its first price in [startUs, endUs) has
 * come, announces its scheduled close when that becomes known, ends its trading at the announced or the actual close, whichever comes
 * first, and gives its result when that was published or when the policy says. `key` is the root of the draws. Markets without prices in
 * the window, and markets that were over before their first price, are not listed.
 */
export function planOperator(
  markets: readonly Market[], ticks: TickHistory, startUs: number, endUs: number, policy: SettlementPolicy, key: RandomKey,
): OperatorPlan {
  const redraws = policy.outcomes === 'drawn'
  const { share = 0, within = 'all' } = policy.correlation ?? {}
  const ties = redraws || policy.missing === 'draw' ? drawnTies(markets, ticks, endUs, { within, redraws }) : []
  const drawn = drawOutcomes(ties, key, share)
  const { firstUs, lastUs } = tickSpans(markets.length, sourceOf(ticks), startUs, endUs)
  const coverage: Coverage = {
    universe: markets.length, listed: 0, withoutPrices: 0, closed: 0, excluded: 0, unresolved: 0, drawn: 0, voided: 0, scalar: 0,
    halted: 0, missingSettlementTime: 0,
  }
  const value = new Float64Array(markets.length).fill(NaN)
  const atUs = new Float64Array(markets.length).fill(Infinity)
  const inputs: OperatorInput[] = []
  for (const market of markets) {
    const m = market.number
    if (firstUs[m]! < 0) {
      coverage.withoutPrices++
      continue
    }
    const listedUs = Math.max(market.openUs, firstUs[m]!)
    if (isOver(market, listedUs)) {
      coverage.closed++
      continue
    }
    const result = drawn.get(m) ?? resultOf(market, policy)
    if (market.outcome === null) coverage.unresolved++
    if (drawn.has(m)) coverage.drawn++
    if (market.outcome === 'scalar') coverage.scalar++
    if (result === undefined) {
      coverage.excluded++
      continue
    }
    if (result === MarketResult.void) coverage.voided++
    coverage.listed++
    if (market.settledUs === null) coverage.missingSettlementTime++
    const settledUs = planMarket(inputs, market, listedUs, lastUs[m]!, policy.lagUs, coverage)
    inputs.push({ atUs: settledUs, op: MarketOp.resolve, market: m, [Resolve.result]: result })
    if (result !== MarketResult.void) value[m] = result
    atUs[m] = settledUs
  }
  // Array.prototype.sort is stable: equal instants keep the order of market numbers, and of each market's inputs.
  inputs.sort((a, b) => a.atUs - b.atUs)
  const drawnChances = new Float64Array(markets.length).fill(NaN)
  for (const tie of ties) for (const [i, { number }] of tie.markets.entries()) drawnChances[number] = tie.chances[i]!
  return { inputs, coverage, outcomes: { value, atUs }, ties, drawnChances }
}

/** Lists a market, announces and ends its trading; returns when it settles. */
function planMarket(
  inputs: OperatorInput[], market: Market, listedUs: number, lastTickUs: number, lagUs: number, coverage: Coverage,
): number {
  const { number: m, scheduledCloseUs, scheduledCloseKnownUs } = market
  const known = knownAt(market, listedUs)!.scheduledCloseUs
  const announcedUs = scheduledCloseUs === null ? null : Math.max(listedUs, scheduledCloseKnownUs ?? Infinity)
  // A close that is announced after it has passed takes effect at the announcement.
  const scheduledEndUs = announcedUs === null ? Infinity : Math.max(scheduledCloseUs!, announcedUs)
  const actualEndUs = market.actualCloseUs ?? Infinity
  const tradedUntilUs = Math.min(scheduledEndUs, actualEndUs)
  const endedUs = tradedUntilUs === Infinity ? lastTickUs : Math.max(lastTickUs, tradedUntilUs)
  const settledUs = market.settledUs ?? Math.max(endedUs + lagUs, listedUs + 1)
  inputs.push({ atUs: listedUs, op: MarketOp.list, market: m, closeUs: known ?? listedUs + UNSCHEDULED_CLOSE_US })
  if (known === null && announcedUs !== null && announcedUs < Math.min(actualEndUs, settledUs)) {
    inputs.push({ atUs: announcedUs, op: MarketOp.list, market: m, closeUs: scheduledCloseUs! })
  }
  if (tradedUntilUs >= settledUs) return settledUs
  const isAnnounced = scheduledEndUs <= actualEndUs
  if (!isAnnounced) coverage.halted++
  inputs.push({ atUs: tradedUntilUs, op: isAnnounced ? MARKET_CLOSES : MarketOp.halt, market: m })
  return settledUs
}

function resultOf(market: Market, policy: SettlementPolicy): number | undefined {
  switch (market.outcome) {
    case 'yes': return MarketResult.yes
    case 'no': return MarketResult.no
    case 'void': return MarketResult.void
    case 'scalar': return policy.scalar === 'void' ? MarketResult.void : undefined
    case null: return policy.missing === 'void' ? MarketResult.void : undefined
  }
}
