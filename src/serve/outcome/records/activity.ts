import { NONE } from '../../../unit/none.ts'
import { type Row, rowOfKind } from '../../../venue/eventCells.ts'
import { EventCell, type EventRows } from '../../../venue/eventRows.ts'
import {
  FundsRow, OperationRow, OutcomeEvent, type OutcomeKind, PositionClosed, PositionOpened, PositionSettled, PositionTransferred, ReductionStarted,
} from '../../../venue/outcome/protocol/events.ts'

/** Something that happened to an account's money or positions; −1 where there is none. */
export interface ActivityRecord {
  readonly seq: number
  /** Kind of the row. */
  readonly kind: number
  readonly atUs: number
  readonly rfq: number
  readonly quote: number
  readonly position: number
  readonly operation: number
  readonly amountMicros: number
}

type About = Partial<Pick<ActivityRecord, 'rfq' | 'quote' | 'position' | 'operation'>>

/** What happened to the money and positions of certain accounts, to the end of the session. */
export class ActivityRecords {
  private readonly ofAccount = new Map<number, ActivityRecord[]>()

  constructor(kept: Iterable<number>) {
    for (const account of kept) this.ofAccount.set(account, [])
  }

  /** In order. */
  of(account: number): readonly ActivityRecord[] {
    return this.ofAccount.get(account) ?? []
  }

  take(events: EventRows, row: Row): void {
    const add = (account: number, amountMicros: number, about: About = {}): void => {
      this.ofAccount.get(account)?.push({
        seq: events.read(row, EventCell.seq), kind: events.kindOf(row), atUs: events.read(row, EventCell.atUs), rfq: NONE, quote: NONE, position: NONE,
        operation: NONE, amountMicros, ...about,
      })
    }
    const kind = events.kindOf(row) as OutcomeKind
    switch (kind) {
      case OutcomeEvent.fundsDeposited: case OutcomeEvent.fundsWithdrawn: {
        const moved = rowOfKind(row, kind)
        return add(events.read(moved, FundsRow.account), events.read(moved, FundsRow.amountMicros))
      }
      case OutcomeEvent.reductionStarted: {
        const started = rowOfKind(row, kind)
        return add(events.read(started, ReductionStarted.account), events.read(started, ReductionStarted.amountMicros))
      }
      case OutcomeEvent.operationStarted: case OutcomeEvent.operationUpdated: {
        const moved = rowOfKind(row, kind)
        const about = {
          rfq: events.read(moved, OperationRow.rfq), quote: events.read(moved, OperationRow.quote), position: events.read(moved, OperationRow.position),
          operation: events.read(moved, OperationRow.operation),
        }
        for (const account of [events.read(moved, OperationRow.account), events.read(moved, OperationRow.maker)]) {
          add(account, events.read(moved, OperationRow.amountMicros), about)
        }
        return
      }
      case OutcomeEvent.positionOpened: {
        const opened = rowOfKind(row, kind)
        const about = {
          rfq: events.read(opened, PositionOpened.rfq), quote: events.read(opened, PositionOpened.quote), position: events.read(opened, PositionOpened.position),
        }
        add(events.read(opened, PositionOpened.holder), events.read(opened, PositionOpened.payoutMicros), about)
        return add(events.read(opened, PositionOpened.backer), events.read(opened, PositionOpened.payoutMicros), about)
      }
      case OutcomeEvent.positionSettled: {
        const settled = rowOfKind(row, kind)
        const about = { rfq: events.read(settled, PositionSettled.rfq), position: events.read(settled, PositionSettled.position) }
        add(events.read(settled, PositionSettled.holder), events.read(settled, PositionSettled.toHolderMicros), about)
        return add(events.read(settled, PositionSettled.backer), events.read(settled, PositionSettled.toBackerMicros), about)
      }
      case OutcomeEvent.positionClosed: {
        const closed = rowOfKind(row, kind)
        const about = {
          rfq: events.read(closed, PositionClosed.rfq), quote: events.read(closed, PositionClosed.quote), position: events.read(closed, PositionClosed.position),
        }
        add(events.read(closed, PositionClosed.holder), events.read(closed, PositionClosed.toHolderMicros), about)
        return add(events.read(closed, PositionClosed.backer), events.read(closed, PositionClosed.toBackerMicros), about)
      }
      case OutcomeEvent.positionTransferred: {
        const sold = rowOfKind(row, kind)
        const about = {
          rfq: events.read(sold, PositionTransferred.rfq), quote: events.read(sold, PositionTransferred.quote), position: events.read(sold, PositionTransferred.position),
        }
        add(events.read(sold, PositionTransferred.seller), events.read(sold, PositionTransferred.toSellerMicros), about)
        return add(events.read(sold, PositionTransferred.buyer), events.read(sold, PositionTransferred.priceMicros), about)
      }
      default:
    }
  }
}
