import { AccountKind } from '../../../src/ledger/ledger.ts'
import { NONE } from '../../../src/venue/eventRows.ts'
import { InvalidField, OutcomeCode } from '../../../src/venue/outcome/protocol/codes.ts'
import { OutcomeEvent } from '../../../src/venue/outcome/protocol/events.ts'
import type { OutcomeProfile } from '../../../src/venue/outcome/protocol/profile.ts'
import { change, type Leg, type Rfq, type State } from './state.ts'

/** An event row without its place: the fields of `OutcomeField` except seq and listStart, the list itself in place of its length. */
export interface Row {
  readonly atUs: number
  readonly service: number
  readonly kind: number
  readonly cause: number
  readonly account: number
  readonly other: number
  readonly rfq: number
  readonly generation: number
  readonly quote: number
  readonly position: number
  readonly acceptance: number
  readonly code: number
  readonly operation: number
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
  readonly profile: OutcomeProfile
  readonly atUs: number
  /** Sequence number of the command, or −1 at a deadline. */
  readonly cause: number
  readonly rows: Row[]
  readonly postings: Posting[]
}

export const SERVICE = 1

const BLANK: Omit<Row, 'atUs' | 'kind' | 'cause'> = {
  service: SERVICE, account: NONE, other: NONE, rfq: NONE, generation: NONE, quote: NONE, position: NONE, acceptance: NONE, code: NONE,
  operation: NONE, oddsE4: NONE, amountA: NONE, amountB: NONE, amountC: NONE, amountD: NONE, untilUs: NONE, list: [],
}

/** Writes an event row; fields not given are −1. */
export function write(turn: Turn, kind: number, fields: Partial<Row>): void {
  turn.rows.push({ ...BLANK, atUs: turn.atUs, kind, cause: turn.cause, ...fields })
}

/** What a reply says beside account, opcode and code. */
export type Answer = Partial<Row> & { readonly code: number }

export const OK: Answer = { code: OutcomeCode.ok }

/** The answer to a command with a bad field; `place` is that of a leg. */
export const invalid = (field: keyof typeof InvalidField, place: number = NONE): Answer =>
  ({ code: OutcomeCode.invalidRequest, amountC: InvalidField[field], amountD: place })

/** Writes a reply to the command `cause`. */
export function writeReply(turn: Turn, cause: number, account: number, op: number, answer: Answer): void {
  write(turn, OutcomeEvent.reply, { cause, account, amountA: op, ...answer })
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
