import { NONE } from '../../../unit/none.ts'
import { ParlayCode } from '../protocol/codes.ts'
import type { ParlayCommand } from '../protocol/commands.ts'
import { ParlayEvent } from '../protocol/events.ts'
import { openRow, reply } from './rows.ts'
import type { GateState } from './state.ts'

export function openStream(s: GateState, c: ParlayCommand): void {
  const { streams } = s
  if (!streams.isOpen(c.account)) {
    const known = streams.rowOf(c.account)
    const row = known === NONE ? streams.add(c.account + 0) : known
    streams.open[row] = 1
    openRow(s, ParlayEvent.streamOpened, c.account)
  }
  reply(s, c, ParlayCode.ok)
}

/** The connection of the account's stream has ended. This cannot be refused. */
export function closeStream(s: GateState, c: ParlayCommand): void {
  const { streams } = s
  if (streams.isOpen(c.account)) {
    streams.open[streams.rowOf(c.account)] = 0
    openRow(s, ParlayEvent.streamClosed, c.account)
  }
  reply(s, c, ParlayCode.ok)
}
