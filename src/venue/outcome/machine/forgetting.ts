import { DeadlineRank, type OutcomeState } from './state.ts'

/** Kinds of what is forgotten when its retention is over. The kind is the last bit of the deadline's number, which venue.ts reads. */
export const Forgotten = { rfq: 0, operation: 1 } as const

/** Schedules that entity `number` of `kind` is forgotten, or looked at again, when its retention from now on is over. */
export function forgetLater(s: OutcomeState, kind: number, number: number): void {
  s.deadlines.push(s.nowUs + s.retentionUs, DeadlineRank.forgetting, number * 2 + kind)
}
