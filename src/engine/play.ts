import type { BettorStrategy } from '../agent/bettor.ts'
import { layOffTaker } from '../agent/layOffTaker.ts'
import type { LegsView } from '../agent/views.ts'
import type { EventQueue } from '../kernel/eventQueue.ts'
import type { RandomKey } from '../kernel/random.ts'
import { assert } from '../unit/assert.ts'
import type { RowSequence } from '../unit/rowSequence.ts'
import type { Accounts } from './accounts.ts'
import type { Boards } from './boards.ts'
import type { Clerk } from './clerk.ts'
import type { CohortEntry, MakerEntry, ServiceName, ServiceParticipants, SessionConfig, SessionTerms } from './config.ts'

/** A cohort of a service; `layOffOf` names the maker whose account for laying off it is. */
export interface RosterCohort extends CohortEntry {
  readonly layOffOf?: string
}

/** Who trades on one service, those accounts included with which the other service's makers lay off there. */
export interface Roster {
  readonly service: ServiceName
  readonly makers: readonly MakerEntry[]
  readonly cohorts: readonly RosterCohort[]
}

/** Takes what the makers of one service lay off on the other. */
export interface LayOffPort {
  /** False when maker `name` has no account there. The legs are copied. */
  layOff(nowUs: number, name: string, legs: LegsView, stakeMicros: number, minOddsE4: number, decideInUs: number): boolean
}

/** How many things have happened in a session, of a kind that all its services count together. */
export interface Tally {
  count: number
}

/** What the services of a session share. */
export interface Shared {
  readonly key: RandomKey
  readonly queue: EventQueue
  readonly boards: Boards
  readonly accounts: Accounts
  /** Of rows, and of commands. */
  readonly rows: RowSequence
  readonly commands: RowSequence
  readonly arrivals: Tally
}

/** What the participants of one service depend on. */
export interface ServicePlay extends SessionTerms, Roster {
  /** The other service, for what makers lay off; set once both are made. */
  layOffs: LayOffPort | null
  /** A gate stands before the venue: makers hold streams at it. */
  readonly isGated: boolean
  /** A price paid for a position is what its holder's profit is counted from; else that stays what it was. */
  readonly basisMoves: boolean
  /** The backing maker's own gain bears the profit fee. */
  readonly feeOnMaker: boolean
  /** Null: strategies say all that the service wants to be told. */
  readonly clerk: Clerk | null
}

/** Who trades on each service of a session. */
export function rostersOf(config: Pick<SessionConfig, 'parlay' | 'outcome'>): Roster[] {
  const rosters: Roster[] = []
  const { parlay, outcome } = config
  if (parlay !== undefined) rosters.push(rosterOf('parlay', parlay, outcome))
  if (outcome !== undefined) rosters.push(rosterOf('outcome', outcome, parlay))
  return rosters
}

function rosterOf(service: ServiceName, own: ServiceParticipants, other: ServiceParticipants | undefined): Roster {
  for (const { name, layOff } of own.makers) {
    assert(layOff === undefined || (layOff.service !== service && other !== undefined), `${name} lays off on the other service, and the session has it`)
  }
  const takers = (other?.makers ?? []).flatMap(({ name, layOff }): RosterCohort[] => (layOff === undefined ? [] : [{
    name: layOff.account, strategy: layOffTaker as unknown as BettorStrategy, values: {}, bettors: 1, bankrollMicros: layOff.bankrollMicros,
    everyUs: 0, arrivalsUs: [], latency: layOff.latency, layOffOf: name,
  }]))
  return { service, makers: own.makers, cohorts: [...own.cohorts, ...takers] }
}
