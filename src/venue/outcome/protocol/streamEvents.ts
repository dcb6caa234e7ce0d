import { NONE } from '../../../unit/none.ts'
import { type Row, rowOfKind } from '../../eventCells.ts'
import type { EventRows } from '../../eventRows.ts'
import { ChannelBit } from './access.ts'
import { OperationRow, OutcomeEvent, type OutcomeKind, QuoteRow } from './events.ts'

/** Stands in place of a maker for all makers. */
export const EVERY_MAKER = -2

/** The addressees of an event, reused: the account on whose account channel and the one on whose maker channel it goes, or NONE. */
export interface Addressees {
  account: number
  maker: number
}

/** Sets the addressees of a row of the venue; false when it is no event of a stream (OM-150…154). */
export function addressees(events: EventRows, row: Row, to: Addressees): boolean {
  to.account = to.maker = NONE
  const kind = events.kindOf(row) as OutcomeKind
  switch (kind) {
    case OutcomeEvent.rfqCreated:
      to.maker = EVERY_MAKER
      return true
    case OutcomeEvent.quoteCreated:
      to.account = events.read(rowOfKind(row, kind), QuoteRow.owner)
      return true
    case OutcomeEvent.quoteAccepted:
      to.maker = events.read(rowOfKind(row, kind), QuoteRow.maker)
      return true
    case OutcomeEvent.operationStarted: case OutcomeEvent.operationUpdated: {
      const operation = rowOfKind(row, kind)
      to.account = events.read(operation, OperationRow.account)
      to.maker = events.read(operation, OperationRow.maker)
      return true
    }
    default: return false
  }
}

/** Whether a stream of an account with these channels (a ChannelBit mask) carries an event. */
export const carries = (channels: number, account: number, toAccount: number, toMaker: number): boolean =>
  ((channels & ChannelBit.account) !== 0 && toAccount === account) ||
  ((channels & ChannelBit.maker) !== 0 && (toMaker === account || toMaker === EVERY_MAKER))
