import { type Kind, type KindOf, type Row, rowAs } from '../../eventCells.ts'
import { NONE } from '../../../unit/none.ts'
import { OutcomeCode } from '../protocol/codes.ts'
import type { OutcomeCommand } from '../protocol/commands.ts'
import { CredentialReply, FieldRefusal, GateRow, OutcomeEvent, Reply } from '../protocol/events.ts'
import type { GateState } from './state.ts'

/** Opens a row of the gate about `account`. */
export function openRow<N extends KindOf<typeof GateRow>>(s: GateState, kind: Kind<N>, account: number): Row<N> {
  const row = s.events.open(s.nowUs, kind, s.cause)
  s.events.write(row, GateRow.account, Number.isNaN(account) ? NONE : account + 0)
  return row
}

/** Opens the reply to a command. The caller writes what the answer shows. */
export function openReply(s: GateState, c: OutcomeCommand, code: number): Row<KindOf<typeof Reply>> {
  const row = openRow(s, OutcomeEvent.reply, c.account)
  s.events.write(row, Reply.op, c.op)
  s.events.write(row, Reply.code, code)
  return row
}

/** The reply that shows nothing else. */
export function reply(s: GateState, c: OutcomeCommand, code: number): void {
  openReply(s, c, code)
}

/** The reply with a session or key that the command made, and the instant until which it is valid. */
export function replyWithCredential(s: GateState, c: OutcomeCommand, credential: number, expiresAtUs: number): void {
  const row = rowAs(CredentialReply, openReply(s, c, OutcomeCode.ok))
  s.events.write(row, CredentialReply.credential, credential)
  s.events.write(row, CredentialReply.expiresAtUs, expiresAtUs)
}

/** The reply `invalidRequest` about one of `InvalidField`. */
export function replyInvalid(s: GateState, c: OutcomeCommand, field: number): void {
  const row = rowAs(FieldRefusal, openReply(s, c, OutcomeCode.invalidRequest))
  s.events.write(row, FieldRefusal.invalidField, field)
}
