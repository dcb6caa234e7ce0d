import { NONE } from '../../../src/unit/none.ts'
import { compareLimbs } from '../../../src/venue/outcome/protocol/outcomeId.ts'
import type { Leg, State } from './state.ts'

/** Whether legs on the outcome can be asked for now. A halt of the outcome does not keep them from being asked for. */
export function isOpenToAsk(state: State, number: number, nowUs: number): boolean {
  const outcome = state.outcomes.get(number)
  return outcome !== undefined && outcome.listed && nowUs < outcome.closeUs && outcome.result === NONE
}

/** Whether a leg on the outcome can be filled now. Precondition: it was listed once. */
export const isOpenToFill = (state: State, { outcome }: Leg, nowUs: number): boolean =>
  isOpenToAsk(state, outcome, nowUs) && !state.outcomes.get(outcome)!.halted

export const isResolved = (state: State, { outcome }: Leg): boolean => state.outcomes.get(outcome)!.result !== NONE

/** Whether the outcome_id of the one is, as an integer, above that of the other (readings B13). */
export const isAbove = (state: State, outcome: number, other: number): boolean =>
  compareLimbs(state.outcomes.get(outcome)!.id, state.outcomes.get(other)!.id) > 0
