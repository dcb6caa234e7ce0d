import { Field } from '../../eventRows.ts'
import type { ParlayCommand } from '../protocol/commands.ts'
import { ParlayEvent } from '../protocol/events.ts'
import type { GateState } from './state.ts'

/** Opens a row of the gate about `account`; further fields are then set on it. */
export function openRow(s: GateState, kind: number, account: number): void {
  s.events.open(s.nowUs, kind, s.cause)
  s.events.set(Field.account, account + 0)
}

/** Opens the reply to a command; the fields of its answer are then set on it. */
export function reply(s: GateState, c: ParlayCommand, code: number): void {
  openRow(s, ParlayEvent.reply, c.account)
  s.events.set(Field.amountA, c.op)
  s.events.set(Field.code, code)
}

/** The reply with a number that the command made: a key, the generation of a secret. */
export function replyWith(s: GateState, c: ParlayCommand, code: number, made: number): void {
  reply(s, c, code)
  s.events.set(Field.amountB, made)
}
