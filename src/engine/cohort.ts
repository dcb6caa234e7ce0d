import type { BettorHandlers } from '../agent/bettor.ts'
import type { BettorDesk } from '../agent/bettorDesk.ts'
import type { CohortBook } from '../agent/cohortBook.ts'
import type { Delay } from '../agent/latency.ts'
import type { RosterCohort } from './roster.ts'
import { StrategyFailure } from './strategyFailure.ts'

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
  /** Of the entry, at hand: what is read for every message. */
  readonly broadcast: Delay
  readonly submit: Delay
}

/** Names cohort and handler in what the handler threw. */
export function failureOf({ entry }: Cohort, handler: keyof BettorHandlers, nowUs: number, error: unknown): unknown {
  return error instanceof Error && error.name === 'Bug' ? error : new StrategyFailure(entry.name, handler, nowUs, error)
}
