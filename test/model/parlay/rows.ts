import { AccountKind } from '../../../src/ledger/ledger.ts'
import { NONE } from '../../../src/venue/eventRows.ts'
import { ParlayEvent } from '../../../src/venue/parlay/protocol/events.ts'
import type { ParlayProfile } from '../../../src/venue/parlay/protocol/profile.ts'
import type { State } from './state.ts'

/** An event row without its place: the fields of `Field` except seq and listStart, the list itself in place of its length. */
export interface Row {
  readonly atUs: number
  readonly service: number
  readonly kind: number
  readonly cause: number
  readonly account: number
  readonly other: number
  readonly request: number
  readonly version: number
  readonly quote: number
  readonly position: number
  readonly auction: number
  readonly code: number
  readonly bookSeq: number
  readonly oddsE4: number
  readonly amountA: number
  readonly amountB: number
  readonly amountC: number
  readonly amountD: number
  readonly untilUs: number
  readonly list: readonly number[]
}

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

const BLANK: Omit<Row, 'atUs' | 'kind' | 'cause'> = {
  service: SERVICE, account: NONE, other: NONE, request: NONE, version: NONE, quote: NONE, position: NONE, auction: NONE, code: NONE,
  bookSeq: NONE, oddsE4: NONE, amountA: NONE, amountB: NONE, amountC: NONE, amountD: NONE, untilUs: NONE, list: [],
}

/** Writes an event row; fields not given are −1. */
export function write(turn: Turn, kind: number, fields: Partial<Row>): void {
  turn.rows.push({ ...BLANK, atUs: turn.atUs, kind, cause: turn.cause, ...fields })
}

/** What a reply says beside account, opcode and code. */
export type Answer = Partial<Row> & { readonly code: number }

/** Writes a reply to the command `cause`. */
export function writeReply(turn: Turn, cause: number, account: number, op: number, answer: Answer): void {
  write(turn, ParlayEvent.reply, { cause, account, amountA: op, ...answer })
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

/** Moves money: changes free balances and writes the posting, none for nothing. Everything but free balances is counted elsewhere. */
export function move(turn: Turn, cause: number, from: Place, to: Place, amountMicros: number, request: number = NONE): void {
  if (amountMicros === 0) return
  if (from.kind === AccountKind.free) turn.state.accounts.get(from.owner)!.freeMicros -= amountMicros
  if (to.kind === AccountKind.free) turn.state.accounts.get(to.owner)!.freeMicros += amountMicros
  turn.postings.push({
    atUs: turn.atUs, service: SERVICE, cause, debitKind: from.kind, debitOwner: from.owner, creditKind: to.kind, creditOwner: to.owner,
    amountMicros, request,
  })
}
