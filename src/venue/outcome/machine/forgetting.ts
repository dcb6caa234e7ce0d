import { forgetOperation } from './operations.ts'
import { rfqForgettingDue } from './rfqs.ts'
import { DeadlineRank, type OutcomeState } from './state.ts'

/** What is forgotten when its retention is over: the kind stands in the last bit of the deadline's number. */
export const Forgotten = { rfq: 0, operation: 1 } as const

/** Schedules that entity `number` of `kind` is forgotten, or looked at again, when its retention from now on is over. */
export function forgetLater(s: OutcomeState, kind: number, number: number): void {
  s.deadlines.push(s.nowUs + s.retentionUs, DeadlineRank.forgetting, number * 2 + kind)
}

/** Deadline: a retention is over. It leaves no rows. */
export function forgettingDue(s: OutcomeState, coded: number): void {
  const kind = coded % 2
  const number = (coded - kind) / 2
  if (kind === Forgotten.rfq) rfqForgettingDue(s, number)
  else forgetOperation(s, number)
}
