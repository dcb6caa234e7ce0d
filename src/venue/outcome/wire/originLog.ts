import { assert } from '../../../unit/assert.ts'
import { ColumnSet } from '../../../unit/columns.ts'
import { NONE } from '../../../unit/none.ts'
import { rowOfKind, type RowCells } from '../../eventCells.ts'
import { EventCell, readCell } from '../../eventRows.ts'
import { OperationRow, OutcomeEvent, type OutcomeKind, QuoteAccepted, RfqRow } from '../protocol/events.ts'
import type { AcceptanceOrigin, EntityOrigins } from './identity.ts'

/**
 * Origins of all entities of a session, by number, collected from the venue's rows. An id is asked for long after the venue
 * has forgotten its RFQ: a position's rfq_id lives as long as the position.
 */
export class OriginLog extends ColumnSet implements EntityOrigins {
  private declare rfqAtUs: Float64Array
  private declare operationAtUs: Float64Array
  private declare takers: Int32Array
  private declare keys: Int32Array

  constructor(capacity = 1024) {
    super(capacity)
    this.rfqAtUs = new Float64Array(capacity).fill(NONE)
    this.operationAtUs = new Float64Array(capacity).fill(NONE)
    this.takers = new Int32Array(capacity).fill(NONE)
    this.keys = new Int32Array(capacity)
  }

  override ensure(rows: number): void {
    const { capacity } = this
    super.ensure(rows)
    for (const column of [this.rfqAtUs, this.operationAtUs, this.takers]) column.fill(NONE, capacity)
  }

  /**
   * Takes a row of the venue. That of an accept does not tell its key: `view`, asked at once, is the venue's before its next command, or
   * whoever has the journal.
   */
  take(row: RowCells, view: { acceptance(acceptance: number): AcceptanceOrigin | null }): void {
    const kind = readCell(row, EventCell.kind) as OutcomeKind
    switch (kind) {
      case OutcomeEvent.rfqCreated: {
        const number = readCell(rowOfKind(row, kind), RfqRow.rfq)
        this.ensure(number + 1)
        this.rfqAtUs[number] = readCell(row, EventCell.atUs)
        break
      }
      case OutcomeEvent.operationStarted: {
        const number = readCell(rowOfKind(row, kind), OperationRow.operation)
        this.ensure(number + 1)
        this.operationAtUs[number] = readCell(row, EventCell.atUs)
        break
      }
      case OutcomeEvent.quoteAccepted: {
        const number = readCell(rowOfKind(row, kind), QuoteAccepted.acceptance)
        const acceptance = view.acceptance(number)
        assert(acceptance !== null, 'an acceptance is known when its row is written')
        this.ensure(number + 1)
        this.takers[number] = acceptance.taker
        this.keys[number] = acceptance.key
        break
      }
      default:
    }
  }

  rfqCreatedAtUs(rfq: number): number {
    const atUs = this.rfqAtUs[rfq] ?? NONE
    assert(atUs !== NONE, 'no row told of this RFQ')
    return atUs
  }

  operationStartedAtUs(operation: number): number {
    const atUs = this.operationAtUs[operation] ?? NONE
    assert(atUs !== NONE, 'no row told of this operation')
    return atUs
  }

  acceptance(acceptance: number): AcceptanceOrigin {
    const taker = this.takers[acceptance] ?? NONE
    assert(taker !== NONE, 'no row told of this acceptance')
    return { taker, key: this.keys[acceptance]! }
  }
}
