import { Field, NONE } from '../../eventRows.ts'
import type { ParlayCommand } from '../protocol/commands.ts'
import { ParlayEvent } from '../protocol/events.ts'
import type { ParlayState } from './state.ts'

/** Opens a row about the request in slot `r`, at its present version. */
export function openRequestRow(s: ParlayState, kind: number, r: number, account: number): void {
  const { events, requests } = s
  events.open(s.nowUs, kind, s.cause)
  events.set(Field.account, account)
  events.set(Field.request, requests.number[r]!)
  events.set(Field.version, requests.version[r]!)
}

/** Appends the request's legs to the row opened last, as market, side pairs. */
export function pushRequestLegs(s: ParlayState, r: number): void {
  const { events, requests } = s
  const from = r * requests.legWidth
  for (let i = from; i < from + requests.legCount[r]!; i++) {
    events.push(requests.legMarkets[i]!)
    events.push(requests.legSides[i]!)
  }
}

/** Opens the reply to a command that names no request: its rejection too. */
export function reply(s: ParlayState, c: ParlayCommand, code: number): void {
  openReply(s, s.cause, c.account, c.op, code, NONE)
}

/** Opens the reply to a command on the request in slot `r`. */
export function replyOn(s: ParlayState, c: ParlayCommand, code: number, r: number): void {
  openReply(s, s.cause, c.account, c.op, code, s.requests.number[r]!)
}

/** Opens a reply to the command `cause`; the fields of its answer are then set on it. */
export function openReply(s: ParlayState, cause: number, account: number, op: number, code: number, request: number): void {
  const events = s.events
  events.open(s.nowUs, ParlayEvent.reply, cause)
  events.set(Field.account, account)
  events.set(Field.amountA, op)
  events.set(Field.code, code)
  events.set(Field.request, request)
}

/** Rejects a command whose opcode names a request; the reply shows it when it is a known one. */
export function refuseOn(s: ParlayState, c: ParlayCommand, code: number): void {
  const known = s.requests.index.slotOf(c.request) !== NONE
  openReply(s, s.cause, c.account, c.op, code, known ? c.request : NONE)
}
