import { JointChances } from '../draw/jointChances.ts'
import type { OperatorPlan } from '../engine/operatorInputs.ts'
import { Reference } from '../engine/reference.ts'
import { foldedHistory } from '../feed/history/foldedHistory.ts'
import type { Market } from '../market/market.ts'
import { closingValues } from '../market/marketFolds.ts'
import type { TickSource } from '../market/tickSource.ts'
import { sourceBefore, sourceUnless } from '../market/tickWindow.ts'

/** What the reference of a session rests on. */
export interface ReferenceTerms {
  readonly markets: readonly Market[]
  readonly plan: OperatorPlan
  /** All of it, days after the session included. */
  readonly history: TickSource
  /** What comes before it is folded into the state that it leaves behind. */
  readonly foldUs: number
  /** The session's end. */
  readonly toUs: number
  /** Correlation of drawn outcomes, 0…1. */
  readonly share: number
}

/** Makes references of a session, each of which is used up by one reader whose instants rise. */
export function referencesOf({ markets, plan, history, foldUs, toUs, share }: ReferenceTerms): () => Reference {
  const settledUs = plan.outcomes.atUs
  const tradedUntilUs = Float64Array.from(markets, ({ actualCloseUs, scheduledCloseUs }) => actualCloseUs ?? scheduledCloseUs ?? Infinity)
  // What is drawn is drawn at the last price before the end: prices after it belong to another world.
  const isDrawn = Uint8Array.from(plan.drawnChances, (chance) => (Number.isNaN(chance) ? 0 : 1))
  const folded = foldedHistory(history, markets.length, foldUs)
  const ticks = sourceUnless(isDrawn, folded?.ticks ?? history, toUs)
  const opening = folded && { stateTicks: folded.stateTicks, yes: closingValues(sourceBefore(history, folded.fromUs), { settledUs, tradedUntilUs, wanted: valuesAskedFor(plan) }) }
  const wanted = closesAskedFor(markets, settledUs, isDrawn)
  return () => new Reference(ticks, markets.length, plan.outcomes, {
    tradedUntilUs, drawnChances: plan.drawnChances, joint: JointChances.of(plan.ties, markets.length, share), history, wanted, ...(opening && { opening }),
  })
}

/**
 * Marks with 1 the markets whose values a session needs: those that it lists, and all that are drawn together with others. A market of a
 * partition takes its place beside the others by what they are all worth, though some of them last traded before the session.
 */
function valuesAskedFor({ outcomes, ties }: OperatorPlan): Uint8Array {
  const asked = Uint8Array.from(outcomes.atUs, (us) => (us < Infinity ? 1 : 0))
  for (const { markets } of ties) for (const { number } of markets) asked[number] = 1
  return asked
}

/** Marks with 1 the markets whose closes a session needs: its own, and for how outcomes are drawn anew the others of their events. What is drawn has its chance instead. */
function closesAskedFor(markets: readonly Market[], settledUs: Float64Array, isDrawn: Uint8Array): Uint8Array {
  const events = new Set(markets.filter(({ number }) => settledUs[number]! < Infinity).map(({ event }) => event))
  return Uint8Array.from(markets, ({ number, event }) => (isDrawn[number] === 0 && events.has(event) ? 1 : 0))
}
