import type { RowWriter } from '../arrow/rowWriter.ts'
import { NONE } from '../unit/none.ts'
import { Service } from '../unit/services.ts'
import type { KindOf, Row } from '../venue/eventCells.ts'
import type { EventRows } from '../venue/eventRows.ts'
import { OperationRow, OperationStatus, OperationUpdated, ReductionStarted } from '../venue/outcome/protocol/events.ts'
import type { DirectoryCodes } from './directory.ts'
import { orEmpty, present } from './cells.ts'
import { type Moment, momentOf } from './moment.ts'
import { OperationRowKind, OperationRowStatus, type operationTable } from './moneyTables.ts'
import { NumberedColumns } from './numberedColumns.ts'

/** Operations, or reductions of collateral, that have not ended. */
class Pending extends NumberedColumns {
  declare kind: Uint8Array
  declare account: Int32Array
  /** −1 for a withdrawal or a reduction. The same holds for the next four columns. */
  declare maker: Int32Array
  declare rfq: Float64Array
  declare quote: Float64Array
  declare acceptance: Float64Array
  declare position: Float64Array
  declare amountMicros: Float64Array
  declare startedSeq: Float64Array
  declare startedUs: Float64Array
  declare putOff: Int32Array
  declare nextStepUs: Float64Array

  constructor(capacity = 64) {
    super(capacity)
    this.kind = new Uint8Array(capacity)
    this.account = new Int32Array(capacity)
    this.maker = new Int32Array(capacity)
    this.rfq = new Float64Array(capacity)
    this.quote = new Float64Array(capacity)
    this.acceptance = new Float64Array(capacity)
    this.position = new Float64Array(capacity)
    this.amountMicros = new Float64Array(capacity)
    this.startedSeq = new Float64Array(capacity)
    this.startedUs = new Float64Array(capacity)
    this.putOff = new Int32Array(capacity)
    this.nextStepUs = new Float64Array(capacity)
  }
}

/** Operations and reductions of collateral of the outcome service, from their start to the row that their end writes. */
export class OperationRows {
  private readonly operations = new Pending()
  private readonly reductions = new Pending()
  private declare readonly writer: RowWriter
  private declare readonly at: ReturnType<typeof operationTable>['at']
  private declare readonly codes: DirectoryCodes

  constructor(writer: RowWriter, at: ReturnType<typeof operationTable>['at'], codes: DirectoryCodes) {
    this.writer = writer
    this.at = at
    this.codes = codes
  }

  started(events: EventRows, row: Row<KindOf<typeof OperationRow>>): void {
    const { operations } = this
    const slot = begin(operations, events.read(row, OperationRow.operation), {
      account: events.read(row, OperationRow.account), amountMicros: events.read(row, OperationRow.amountMicros),
      started: momentOf(events, row), nextStepUs: events.read(row, OperationRow.nextStepAtUs),
    })
    operations.kind[slot] = events.read(row, OperationRow.operationKind) - 1
    operations.maker[slot] = events.read(row, OperationRow.maker)
    operations.rfq[slot] = events.read(row, OperationRow.rfq)
    operations.quote[slot] = events.read(row, OperationRow.quote)
    operations.acceptance[slot] = events.read(row, OperationRow.acceptance)
    operations.position[slot] = events.read(row, OperationRow.position)
  }

  updated(events: EventRows, row: Row<KindOf<typeof OperationUpdated>>): void {
    const { operations } = this
    const slot = operations.openSlotOf(events.read(row, OperationUpdated.operation))
    const status = events.read(row, OperationUpdated.status)
    if (status === OperationStatus.pending) {
      operations.putOff[slot]!++
      operations.nextStepUs[slot] = events.read(row, OperationUpdated.nextStepAtUs)
    } else this.end(operations, slot, status - 1, momentOf(events, row))
  }

  reductionStarted(events: EventRows, row: Row<KindOf<typeof ReductionStarted>>): void {
    const { reductions } = this
    const slot = begin(reductions, events.read(row, ReductionStarted.reduction), {
      account: events.read(row, ReductionStarted.account), amountMicros: events.read(row, ReductionStarted.amountMicros),
      started: momentOf(events, row), nextStepUs: events.read(row, ReductionStarted.releaseAtUs),
    })
    reductions.kind[slot] = OperationRowKind.reduction
    reductions.maker[slot] = NONE
    reductions.rfq[slot] = reductions.quote[slot] = reductions.acceptance[slot] = reductions.position[slot] = NONE
  }

  /** The collateral has left the vault. */
  reductionReleased(reduction: number, moment: Moment): void {
    this.end(this.reductions, this.reductions.openSlotOf(reduction), OperationRowStatus.done, moment)
  }

  /** The session is over: writes the rows of what is pending. */
  finish(): void {
    for (const pending of [this.operations, this.reductions]) {
      for (const slot of pending.openSlots()) this.write(pending, slot, OperationRowStatus.pending, NONE, NONE)
    }
  }

  private end(pending: Pending, slot: number, status: number, { seq, atUs }: Moment): void {
    this.write(pending, slot, status, seq, atUs)
    pending.close(slot)
  }

  private write(pending: Pending, slot: number, status: number, seq: number, endedUs: number): void {
    const { writer, at, codes } = this
    const { cells } = writer
    const account = pending.account[slot]!
    const to = writer.row()
    cells[to + at.seq] = orEmpty(seq)
    cells[to + at.service] = Service.outcome
    cells[to + (pending === this.operations ? at.operation : at.reduction)] = present(pending.number[slot]!)
    cells[to + at.kind] = pending.kind[slot]!
    cells[to + at.account] = account
    if (codes.has(account)) cells[to + at.cohort] = codes.group(account)
    if (pending.maker[slot] !== NONE) cells[to + at.maker] = codes.maker(pending.maker[slot]!)
    cells[to + at.request] = orEmpty(pending.rfq[slot]!)
    cells[to + at.quote] = orEmpty(pending.quote[slot]!)
    cells[to + at.acceptance] = orEmpty(pending.acceptance[slot]!)
    cells[to + at.position] = orEmpty(pending.position[slot]!)
    cells[to + at.amount_micros] = pending.amountMicros[slot]!
    cells[to + at.started_seq] = pending.startedSeq[slot]!
    cells[to + at.started_at] = pending.startedUs[slot]!
    cells[to + at.stall_count] = pending.putOff[slot]!
    cells[to + at.ended_at] = orEmpty(endedUs)
    cells[to + at.status] = status
    cells[to + at.next_step_at] = orEmpty(endedUs === NONE ? pending.nextStepUs[slot]! : NONE)
  }
}

/** What operations and reductions have in common. */
interface Start {
  readonly account: number
  readonly amountMicros: number
  readonly started: Moment
  readonly nextStepUs: number
}

/** Takes a slot for an operation or reduction that starts. */
function begin(pending: Pending, number: number, { account, amountMicros, started, nextStepUs }: Start): number {
  const slot = pending.open(number)
  pending.account[slot] = account
  pending.amountMicros[slot] = amountMicros
  pending.startedSeq[slot] = started.seq
  pending.startedUs[slot] = started.atUs
  pending.nextStepUs[slot] = nextStepUs
  pending.putOff[slot] = 0
  return slot
}
