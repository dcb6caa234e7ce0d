import { AccountKind } from '../../../src/ledger/ledger.ts'
import { NONE } from '../../../src/unit/none.ts'
import { InvalidField, OutcomeCode } from '../../../src/venue/outcome/protocol/codes.ts'
import type { OutcomeProfile } from '../../../src/venue/outcome/protocol/profile.ts'
import type { KindName } from '../../venue/outcome/cellNames.ts'
import { type Answer, type EventKind, type Fields, replyOf, type Row, rowOf } from './namedRows.ts'
import { change, type Leg, type Rfq, type State } from './state.ts'

/** A posting row without its sequence number. */
export interface Posting {
  readonly atUs: number
  readonly service: number
  readonly cause: number
  readonly debitKind: number
  readonly debitOwner: number
  readonly creditKind: number
  readonly creditOwner: number
  readonly amountMicros: number
  readonly request: number
}

/** What a command or a deadline works on: a state of its own, the instant, and the rows written so far. */
export interface Turn {
  readonly state: State
  readonly profile: OutcomeProfile
  readonly atUs: number
  /** Sequence number of the command, or −1 at a deadline. */
  readonly cause: number
  readonly rows: Row[]
  readonly postings: Posting[]
}

export const SERVICE = 1

/** Writes an event row; cells not given are −1. */
export function write<N extends KindName>(turn: Turn, kind: EventKind<N>, fields: Fields<N>): void {
  turn.rows.push(rowOf({ atUs: turn.atUs, service: SERVICE, cause: turn.cause }, kind, fields))
}

export const OK: Answer = { code: OutcomeCode.ok }

/** The answer to a command with a bad field; `place` is that of a leg. */
export const invalid = (field: keyof typeof InvalidField, place: number = NONE): Answer =>
  ({ code: OutcomeCode.invalidRequest, invalidField: InvalidField[field], legIndex: place })

/** Writes a reply to the command `cause`. */
export function writeReply(turn: Turn, cause: number, account: number, op: number, answer: Answer): void {
  turn.rows.push(replyOf({ atUs: turn.atUs, service: SERVICE, cause }, account, op, answer))
}

/** What every row of an RFQ carries. */
export const aboutRfq = ({ number, generation, position }: Rfq) => ({ rfq: number, generation, position })

export const listOfLegs = (legs: readonly Leg[]): number[] => legs.flatMap((leg) => [leg.outcome, leg.side])

/** A ledger account: its kind, and its owner where it has one. */
export interface Place {
  readonly kind: number
  readonly owner: number
}

export const free = (account: number): Place => ({ kind: AccountKind.free, owner: account })
export const reserved = (account: number): Place => ({ kind: AccountKind.reserved, owner: account })
export const pot = (position: number): Place => ({ kind: AccountKind.pot, owner: position })
export const house: Place = { kind: AccountKind.house, owner: NONE }
export const external: Place = { kind: AccountKind.external, owner: NONE }

/**
 * Moves money: writes the posting, none for nothing, and changes what is kept: free money, the house's, net deposits.
 * Reserved money and pots are counted from what they are for.
 */
export function move(turn: Turn, cause: number, from: Place, to: Place, amountMicros: number, request: number = NONE): void {
  if (amountMicros === 0) return
  changeBalance(turn.state, from, -amountMicros)
  changeBalance(turn.state, to, amountMicros)
  turn.postings.push({
    atUs: turn.atUs, service: SERVICE, cause, debitKind: from.kind, debitOwner: from.owner, creditKind: to.kind, creditOwner: to.owner,
    amountMicros, request,
  })
}

function changeBalance(state: State, { kind, owner }: Place, byMicros: number): void {
  if (kind === AccountKind.free) change(state.accounts, owner, { freeMicros: state.accounts.get(owner)!.freeMicros + byMicros })
  if (kind === AccountKind.house) state.houseMicros += byMicros
  if (kind === AccountKind.external) state.netDepositsMicros -= byMicros
}
