import type { RandomKey } from '../kernel/random.ts'
import type { Market } from '../market/market.ts'
import type { Ticks } from '../market/ticks.ts'
import { DAY_US } from '../unit/time.ts'
import { MarketResult, ParlayOp } from '../venue/parlay/protocol/commands.ts'
import { MARKET_CLOSES, type OperatorInput } from './config.ts'
import { drawOutcomes } from './drawnOutcomes.ts'

/** What to do where history does not say when or how a market settled (design.md, decision 11). */
export interface SettlementPolicy {
  /** A missing settlement time is the last tick of the market, or its close if that is later, plus this. */
  readonly lagUs: number
  /** A market without an outcome is left out, voided at the end of its history, or drawn at its last price. */
  readonly missing: 'exclude' | 'void' | 'draw'
  /** A scalar outcome voids its positions, or its market is left out. */
  readonly scalar: 'void' | 'exclude'
}

/** A market without a known schedule is listed as closing this long after its listing: nothing about its future leaks. */
const UNSCHEDULED_CLOSE_US = 3650 * DAY_US

/** How much of a catalogue a session uses, and what is known of it; printed beside every result. */
export interface Coverage {
  universe: number
  listed: number
  unresolved: number
  /** Unresolved markets whose outcome was drawn at their last price. */
  drawn: number
  voided: number
  scalar: number
  missingSettlementTime: number
  withoutPrices: number
}

export interface OperatorPlan {
  readonly inputs: readonly OperatorInput[]
  readonly coverage: Coverage
  /** Settled value of YES by market: 0, 1, or NaN when void or not listed; and when. */
  readonly outcomes: { readonly value: Float64Array; readonly atUs: Float64Array }
}

/**
 * What the operator of a replayed history does: lists each market when it opened, closes it when its close comes, and
 * gives its result when that was published, or when the policy says; `key` is the root of the draws. Only markets with prices in [startUs, endUs) are used.
 */
export function planOperator(
  markets: readonly Market[], ticks: Ticks, startUs: number, endUs: number, policy: SettlementPolicy, key: RandomKey,
): OperatorPlan {
  const drawn = policy.missing === 'draw' ? drawOutcomes(markets, ticks, endUs, key) : NOTHING_DRAWN
  const { firstUs, lastUs } = tickSpans(markets.length, ticks, startUs, endUs)
  const coverage: Coverage = {
    universe: markets.length, listed: 0, unresolved: 0, drawn: 0, voided: 0, scalar: 0, missingSettlementTime: 0, withoutPrices: 0,
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
    const result = drawn.get(m) ?? resultOf(market, policy)
    if (market.outcome === null) coverage.unresolved++
    if (drawn.has(m)) coverage.drawn++
    if (market.outcome === 'scalar') coverage.scalar++
    if (result === undefined) continue
    if (result === MarketResult.void) coverage.voided++
    coverage.listed++
    const listedUs = Math.max(startUs, market.openUs)
    const closeUs = closeKnownAt(market, listedUs)
    const endedUs = Math.max(lastUs[m]!, closeUs ?? 0)
    if (market.settledUs === null) coverage.missingSettlementTime++
    const settledUs = Math.max(market.settledUs ?? endedUs + policy.lagUs, listedUs + 1)
    inputs.push({ atUs: listedUs, op: ParlayOp.listMarket, market: m, closeUs: closeUs ?? listedUs + UNSCHEDULED_CLOSE_US })
    const closesUs = market.actualCloseUs ?? closeUs
    if (closesUs !== null && closesUs > listedUs && closesUs < settledUs) {
      inputs.push({ atUs: closesUs, op: closesUs === closeUs ? MARKET_CLOSES : ParlayOp.haltMarket, market: m })
    }
    inputs.push({ atUs: settledUs, op: ParlayOp.resolveMarket, market: m, value: result })
    if (result !== MarketResult.void) value[m] = result
    atUs[m] = settledUs
  }
  // Array.prototype.sort is stable: equal instants keep the order of market numbers.
  inputs.sort((a, b) => a.atUs - b.atUs)
  return { inputs, coverage, outcomes: { value, atUs } }
}

const NOTHING_DRAWN: ReadonlyMap<number, number> = new Map()

function resultOf(market: Market, policy: SettlementPolicy): number | undefined {
  switch (market.outcome) {
    case 'yes': return MarketResult.yes
    case 'no': return MarketResult.no
    case 'void': return MarketResult.void
    case 'scalar': return policy.scalar === 'void' ? MarketResult.void : undefined
    case null: return policy.missing === 'void' ? MarketResult.void : undefined
  }
}

/** The scheduled close if it was known at `atUs`, else null: an actual close is never announced. */
function closeKnownAt(market: Market, atUs: number): number | null {
  if (market.scheduledCloseUs === null) return null
  return (market.scheduledCloseKnownUs ?? market.openUs) <= atUs ? market.scheduledCloseUs : null
}

function tickSpans(marketCount: number, ticks: Ticks, startUs: number, endUs: number): { firstUs: Float64Array; lastUs: Float64Array } {
  const firstUs = new Float64Array(marketCount).fill(-1)
  const lastUs = new Float64Array(marketCount).fill(-1)
  for (let i = 0; i < ticks.count; i++) {
    const atUs = ticks.atUs[i]!
    if (atUs < startUs || atUs >= endUs) continue
    const m = ticks.market[i]!
    if (firstUs[m]! < 0) firstUs[m] = atUs
    lastUs[m] = atUs
  }
  return { firstUs, lastUs }
}
