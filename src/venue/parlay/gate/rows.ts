import type { Kind, KindOf, Row } from '../../eventCells.ts'
import type { ParlayCommand } from '../protocol/commands.ts'
import { GateRow, ParlayEvent, Reply } from '../protocol/events.ts'
import type { GateState } from './state.ts'

/** Opens a row of the gate about `account`. The caller writes its other cells. */
export function openRow<N extends KindOf<typeof GateRow>>(s: GateState, kind: Kind<N>, account: number): Row<N> {
  const row = s.events.open(s.nowUs, kind, s.cause)
  s.events.write(row, GateRow.account, account + 0)
  return row
}

/** Opens the reply to a command. The caller writes what else the answer shows. */
export function openReply(s: GateState, c: ParlayCommand, code: number): Row<'parlay.reply'> {
  const row = s.events.open(s.nowUs, ParlayEvent.reply, s.cause)
  s.events.write(row, Reply.account, c.account + 0)
  s.events.write(row, Reply.op, c.op)
  s.events.write(row, Reply.code, code)
  return row
}

/** The reply to a command whose answer shows nothing else. */
export function reply(s: GateState, c: ParlayCommand, code: number): void {
  openReply(s, c, code)
}
