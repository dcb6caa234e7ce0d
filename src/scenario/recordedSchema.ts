import { z } from 'zod'
import { SERVICE_NAMES } from '../unit/services.ts'
import { money, named, text } from './fields.ts'
import { oneOf, strict } from './settings.ts'

/** The kind of a cohort that makes the requests of a recorded log, and the strategy of a maker that quotes as one of it did. */
export const RECORDED = 'recorded'

/** What a recorded bettor does with the prices that it gets now. */
export const TAKES = ['recorded', 'floor'] as const
export type Takes = (typeof TAKES)[number]

export const logFile = text.min(1).describe('a log of requests for quotes (docs/rfq-logs.md), relative to the scenario')
export const loggedMaker = text.min(1).describe('with use: recorded, which maker of the log it is')

/** Whoever asked in a recorded log: requests come as they came then. */
export const recordedCohort = strict({
  kind: z.literal(RECORDED), name: named.optional().describe('cohort; default: recorded'), service: oneOf(SERVICE_NAMES).optional().describe('where it bets; default: the only service'),
  log: logFile,
  takes: oneOf(TAKES).prefault('recorded')
    .describe('recorded: takes the best price at the recorded instant of an acceptance, if it is at least as good as what was accepted; floor: if it reaches the floor of the log; default recorded'),
  bankroll: money(1).optional().describe('money of each bettor at the start; default: what the bettor that staked most in the log staked in all'),
})

export type RecordedCohortFile = z.output<typeof recordedCohort>
