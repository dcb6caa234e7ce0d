import type { BettorHandlers } from '../agent/bettor.ts'
import type { BettorDesk } from '../agent/bettorDesk.ts'
import type { CohortBook } from '../agent/cohortBook.ts'
import { ACTIONS_PER_INSTANT_MAX } from '../agent/instantBudget.ts'
import type { Delay } from '../agent/latency.ts'
import type { RosterCohort } from './roster.ts'
import { type CallSubject, StrategyFailure } from './strategyFailure.ts'

/** A cohort in the session: its accounts, strategy, desk and draws. */
export interface Cohort {
  readonly entry: RosterCohort
  readonly entity: number
  readonly firstAccount: number
  readonly handlers: BettorHandlers
  readonly book: CohortBook
  /** What its handlers are given of the book. */
  readonly desk: BettorDesk
  /** Number of its realm, which made the desk and makes its views (roster.ts). */
  readonly realm: number
  /** What it is announced by while its strategy is called. */
  readonly called: number
  /** These are the entry's. They stand here because they are read for every message. */
  readonly broadcast: Delay
  readonly submit: Delay
}

/** A result, or recorded arrivals of one instant, call all bettors of a cohort at once, some of them a few times. That is no loop. */
const CALLS_PER_BETTOR = 10

/** Most calls of a cohort at one instant. */
export const actionsOfCohort = ({ bettors, arrivalsUs }: Pick<RosterCohort, 'bettors' | 'arrivalsUs'>, actionsPerInstant = ACTIONS_PER_INSTANT_MAX): number =>
  actionsPerInstant + CALLS_PER_BETTOR * Math.max(bettors, arrivalsUs?.length ?? 0)

/** Names cohort and handler in what the handler threw. */
export function failureOf({ entry }: Cohort, handler: keyof BettorHandlers, nowUs: number, error: unknown, subject?: CallSubject): unknown {
  return error instanceof Error && error.name === 'Bug' ? error : new StrategyFailure(entry.name, handler, nowUs, error, subject)
}
