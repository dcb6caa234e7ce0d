import type { EventQueue } from '../kernel/eventQueue.ts'
import type { RandomKey } from '../kernel/random.ts'
import type { RowSequence } from '../unit/rowSequence.ts'
import type { Accounts } from './accounts.ts'
import type { Boards } from './boards.ts'
import type { Clerk } from './clerk.ts'
import type { CohortEntry, MakerEntry, ServiceName, SessionConfig, SessionTerms } from './config.ts'

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
  if (config.parlay !== undefined) rosters.push({ service: 'parlay', ...config.parlay })
  if (config.outcome !== undefined) rosters.push({ service: 'outcome', ...config.outcome })
  return rosters
}
