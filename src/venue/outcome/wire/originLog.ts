import { assert } from '../../../unit/assert.ts'
import { ColumnSet } from '../../../unit/columns.ts'
import { NONE } from '../../eventRows.ts'
import { OutcomeEvent, OutcomeField } from '../protocol/events.ts'
import type { AcceptanceOrigin, EntityOrigins } from './identity.ts'

/** A row of the venue as `EventRows` holds it: its cells begin at `first`. */
export interface RowCells {
  readonly cells: ArrayLike<number>
  readonly first: number
}

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
  take({ cells, first }: RowCells, view: { acceptance(acceptance: number): AcceptanceOrigin | null }): void {
    const of = (field: number): number => cells[first + field]!
    switch (of(OutcomeField.kind)) {
      case OutcomeEvent.rfqCreated:
        this.ensure(of(OutcomeField.rfq) + 1)
        this.rfqAtUs[of(OutcomeField.rfq)] = of(OutcomeField.atUs)
        break
      case OutcomeEvent.operationStarted:
        this.ensure(of(OutcomeField.operation) + 1)
        this.operationAtUs[of(OutcomeField.operation)] = of(OutcomeField.atUs)
        break
      case OutcomeEvent.quoteAccepted: {
        const number = of(OutcomeField.acceptance)
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
