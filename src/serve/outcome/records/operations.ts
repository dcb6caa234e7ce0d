import { type Row, rowOfKind } from '../../../venue/eventCells.ts'
import type { EventRows } from '../../../venue/eventRows.ts'
import { OperationRow, OperationStatus, OperationUpdated, OutcomeEvent, type OutcomeKind } from '../../../venue/outcome/protocol/events.ts'
import type { OperationView } from '../../../venue/outcome/protocol/view.ts'

/** An operation, and the maker that has a part in it, or −1. */
export interface OperationRecord extends OperationView {
  readonly maker: number
}

/** Operations in which certain accounts have a part, to the end of the session. */
export class OperationRecords {
  private readonly operations = new Map<number, OperationRecord>()
  private declare readonly kept: ReadonlySet<number>

  constructor(kept: ReadonlySet<number>) {
    this.kept = kept
  }

  operation(number: number): OperationRecord | null {
    return this.operations.get(number) ?? null
  }

  take(events: EventRows, row: Row): void {
    const kind = events.kindOf(row) as OutcomeKind
    switch (kind) {
      case OutcomeEvent.operationStarted: {
        const started = rowOfKind(row, kind)
        const account = events.read(started, OperationRow.account)
        const maker = events.read(started, OperationRow.maker)
        if (!this.kept.has(account) && !this.kept.has(maker)) return
        const number = events.read(started, OperationRow.operation)
        this.operations.set(number, {
          number, kind: events.read(started, OperationRow.operationKind), status: OperationStatus.pending, account, maker,
          acceptance: events.read(started, OperationRow.acceptance), amountMicros: events.read(started, OperationRow.amountMicros),
        })
        break
      }
      case OutcomeEvent.operationUpdated: {
        const updated = rowOfKind(row, kind)
        const operation = this.operations.get(events.read(updated, OperationUpdated.operation))
        if (operation !== undefined) operation.status = events.read(updated, OperationUpdated.status)
        break
      }
      default:
    }
  }
}
