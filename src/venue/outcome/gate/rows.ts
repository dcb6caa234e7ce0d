import { Field, NONE } from '../../eventRows.ts'
import { OutcomeCode } from '../protocol/codes.ts'
import type { OutcomeCommand } from '../protocol/commands.ts'
import { OutcomeEvent } from '../protocol/events.ts'
import type { GateState } from './state.ts'

/** Opens a row of the gate about `account`; further fields are then set on it. */
export function openRow(s: GateState, kind: number, account: number): void {
  s.events.open(s.nowUs, kind, s.cause)
  s.events.set(Field.account, Number.isNaN(account) ? NONE : account + 0)
}

/** Opens the reply to a command; the fields of its answer are then set on it. */
export function reply(s: GateState, c: OutcomeCommand, code: number): void {
  openRow(s, OutcomeEvent.reply, c.account)
  s.events.set(Field.amountA, c.op)
  s.events.set(Field.code, code)
}

/** The reply with a number that the command made, and the instant until which it is good. */
export function replyWith(s: GateState, c: OutcomeCommand, made: number, untilUs: number): void {
  reply(s, c, OutcomeCode.ok)
  s.events.set(Field.amountB, made)
  s.events.set(Field.untilUs, untilUs)
}

/** The reply `invalidRequest` about one of `InvalidField`. */
export function replyInvalid(s: GateState, c: OutcomeCommand, field: number): void {
  reply(s, c, OutcomeCode.invalidRequest)
  s.events.set(Field.amountC, field)
}
