import { AccountKind } from '../../../src/ledger/ledger.ts'
import { NONE } from '../../../src/unit/none.ts'
import type { ParlayProfile } from '../../../src/venue/parlay/protocol/profile.ts'
import type { KindName } from '../../venue/parlay/cellNames.ts'
import { type Answer, type EventKind, type Fields, replyOf, type Row, rowOf } from './namedRows.ts'
import type { State } from './state.ts'

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
  readonly profile: ParlayProfile
  readonly atUs: number
  /** Sequence number of the command, or −1 at a deadline. */
  readonly cause: number
  readonly rows: Row[]
  readonly postings: Posting[]
}

export const SERVICE = 0

/** Writes an event row by the names of its kind; cells not given are −1. */
export function write<N extends Exclude<KindName, 'reply'>>(turn: Turn, kind: EventKind<N>, fields: Fields<N>): void {
  turn.rows.push(rowOf({ atUs: turn.atUs, service: SERVICE, cause: turn.cause }, kind, fields))
}

/** Writes a reply to the command `cause`. */
export function writeReply(turn: Turn, cause: number, account: number, op: number, answer: Answer): void {
  turn.rows.push(replyOf({ atUs: turn.atUs, service: SERVICE, cause }, account, op, answer))
}

/** A ledger account: its kind, and its owner where it has one. */
export interface Place {
  readonly kind: number
  readonly owner: number
}

export const free = (account: number): Place => ({ kind: AccountKind.free, owner: account })
export const reserved = (account: number): Place => ({ kind: AccountKind.reserved, owner: account })
export const pot = (position: number): Place => ({ kind: AccountKind.pot, owner: position })
export const escrow = (position: number): Place => ({ kind: AccountKind.escrow, owner: position })
export const house: Place = { kind: AccountKind.house, owner: NONE }
export const external: Place = { kind: AccountKind.external, owner: NONE }

/** Moves money: changes free balances and writes the posting, unless the amount is 0. Everything except free balances is counted elsewhere. */
export function move(turn: Turn, cause: number, from: Place, to: Place, amountMicros: number, request: number = NONE): void {
  if (amountMicros === 0) return
  if (from.kind === AccountKind.free) turn.state.accounts.get(from.owner)!.freeMicros -= amountMicros
  if (to.kind === AccountKind.free) turn.state.accounts.get(to.owner)!.freeMicros += amountMicros
  turn.postings.push({
    atUs: turn.atUs, service: SERVICE, cause, debitKind: from.kind, debitOwner: from.owner, creditKind: to.kind, creditOwner: to.owner,
    amountMicros, request,
  })
}
