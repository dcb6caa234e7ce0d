import type { LegsRow } from '../agent/rows.ts'
import type { EventQueue } from '../kernel/eventQueue.ts'
import type { RandomKey } from '../kernel/random.ts'
import type { RowSequence } from '../unit/rowSequence.ts'
import type { Accounts } from './accounts.ts'
import type { Boards } from './boards.ts'
import type { CommandEnricher } from './enricher.ts'
import type { SessionTerms } from './config.ts'
import type { Roster } from './roster.ts'

/** What maker `name` asks for on the other service: a bet on the legs. The legs are valid during the call only. */
export interface LayOff {
  readonly name: string
  readonly legs: LegsRow
  /** The bet, the other service's fee included. */
  readonly betMicros: number
  readonly minOddsE4: number
  readonly decideInUs: number
  /** Its draws use the root of the request whose fill it lays off (drawSources.ts), and what stands for its arrival (drawKeys.ts). */
  readonly root: number
  readonly arrival: number
}

/** Takes the bets with which makers of one service lay off on the other. */
export interface LayOffPort {
  /** False, and nothing is sent, when the maker has no account there, or when no offer there could meet the request. */
  layOff(nowUs: number, asked: LayOff): boolean
}

/** The arrivals of bettors in a session. All its services count them together. */
export interface ArrivalTally {
  /** Those that took place, whether they asked for something or not. */
  count: number
  /** Those of them that asked for nothing. */
  idle: number
  /** The instant of the latest one, µs; 0 before the first. */
  lastUs: number
  /** Whether another one was due and did not take place, because as many had come as may. */
  isCut: boolean
}

/** Roots of a session's draws: those of bettors, those of makers, and those that are neither's (docs/decisions/0024-seeds.md). */
export interface SessionKeys {
  readonly session: RandomKey
  readonly bettors: RandomKey
  readonly makers: RandomKey
}

/** What the services of a session share. */
export interface Shared {
  readonly keys: SessionKeys
  readonly queue: EventQueue
  readonly boards: Boards
  readonly accounts: Accounts
  /** Rows and commands are numbered over all services. */
  readonly rows: RowSequence
  readonly commands: RowSequence
  readonly arrivals: ArrivalTally
}

/** What the participants of one service depend on. */
export interface ServicePlay extends SessionTerms, Roster {
  /** The other service, for what makers lay off; set once both are made. */
  layOffs: LayOffPort | null
  /** Whether a gate stands before the venue. Makers then hold streams at it. */
  readonly isGated: boolean
  /** Whether a buyer's profit is counted from the price that it paid. Otherwise the cost basis stays what it was. */
  readonly basisMoves: boolean
  /** Whether the backing maker's own gain bears the profit fee. */
  readonly feeOnMaker: boolean
  /** Null where strategies already say everything that the service needs. */
  readonly enricher: CommandEnricher | null
}
