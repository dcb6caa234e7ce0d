import type { TableWriter } from '../arrow/tableWriter.ts'
import { Service } from '../unit/services.ts'
import { type EventRows, NONE } from '../venue/eventRows.ts'
import { OperationStatus, OutcomeField } from '../venue/outcome/protocol/events.ts'
import type { CastCodes } from './cast.ts'
import { orEmpty, present } from './cells.ts'
import { OperationRowKind, OperationRowStatus, type operationTable } from './moneyTables.ts'
import { NumberedColumns } from './numberedColumns.ts'

/** Operations, or reductions of collateral, that have not ended. */
class Pending extends NumberedColumns {
  declare kind: Uint8Array
  declare account: Int32Array
  /** −1 of a withdrawal or a reduction, as the four after it. */
  declare maker: Int32Array
  declare rfq: Float64Array
  declare quote: Float64Array
  declare acceptance: Float64Array
  declare position: Float64Array
  declare amountMicros: Float64Array
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
    this.startedUs = new Float64Array(capacity)
    this.putOff = new Int32Array(capacity)
    this.nextStepUs = new Float64Array(capacity)
  }
}

/** Operations and reductions of collateral of the outcome service, from their start to the row that their end leaves. */
export class OperationRows {
  private readonly operations = new Pending()
  private readonly reductions = new Pending()
  private declare readonly writer: TableWriter
  private declare readonly at: ReturnType<typeof operationTable>['at']
  private declare readonly codes: CastCodes

  constructor(writer: TableWriter, at: ReturnType<typeof operationTable>['at'], codes: CastCodes) {
    this.writer = writer
    this.at = at
    this.codes = codes
  }

  started(events: EventRows, row: number): void {
    const { operations } = this
    const slot = begin(operations, events.get(row, OutcomeField.operation), events, row)
    operations.kind[slot] = events.get(row, OutcomeField.code) - 1
    operations.maker[slot] = events.get(row, OutcomeField.other)
    operations.rfq[slot] = events.get(row, OutcomeField.rfq)
    operations.quote[slot] = events.get(row, OutcomeField.quote)
    operations.acceptance[slot] = events.get(row, OutcomeField.acceptance)
    operations.position[slot] = events.get(row, OutcomeField.position)
  }

  updated(events: EventRows, row: number): void {
    const { operations } = this
    const slot = operations.openSlotOf(events.get(row, OutcomeField.operation))
    const status = events.get(row, OutcomeField.amountB)
    if (status === OperationStatus.pending) {
      operations.putOff[slot]!++
      operations.nextStepUs[slot] = events.get(row, OutcomeField.untilUs)
    } else this.end(operations, slot, status - 1, events, row)
  }

  reductionStarted(events: EventRows, row: number): void {
    const { reductions } = this
    const slot = begin(reductions, events.get(row, OutcomeField.amountC), events, row)
    reductions.kind[slot] = OperationRowKind.reduction
    reductions.maker[slot] = NONE
    reductions.rfq[slot] = reductions.quote[slot] = reductions.acceptance[slot] = reductions.position[slot] = NONE
  }

  /** The collateral has left the vault. */
  reductionReleased(events: EventRows, row: number): void {
    const slot = this.reductions.openSlotOf(events.get(row, OutcomeField.amountC))
    this.end(this.reductions, slot, OperationRowStatus.done, events, row)
  }

  /** The session is over: what is pending leaves its rows. */
  finish(): void {
    for (const pending of [this.operations, this.reductions]) {
      for (const slot of pending.openSlots()) this.write(pending, slot, OperationRowStatus.pending, NONE, NONE)
    }
  }

  private end(pending: Pending, slot: number, status: number, events: EventRows, row: number): void {
    this.write(pending, slot, status, events.get(row, OutcomeField.seq), events.get(row, OutcomeField.atUs))
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
    if (codes.has(account)) cells[to + at.group] = codes.group(account)
    if (pending.maker[slot] !== NONE) cells[to + at.maker] = codes.maker(pending.maker[slot]!)
    cells[to + at.request] = orEmpty(pending.rfq[slot]!)
    cells[to + at.quote] = orEmpty(pending.quote[slot]!)
    cells[to + at.acceptance] = orEmpty(pending.acceptance[slot]!)
    cells[to + at.position] = orEmpty(pending.position[slot]!)
    cells[to + at.amount_micros] = pending.amountMicros[slot]!
    cells[to + at.started_at] = pending.startedUs[slot]!
    cells[to + at.put_off] = pending.putOff[slot]!
    cells[to + at.ended_at] = orEmpty(endedUs)
    cells[to + at.status] = status
    cells[to + at.next_step_at] = orEmpty(endedUs === NONE ? pending.nextStepUs[slot]! : NONE)
  }
}

/** Takes a slot for what the row starts: operations and reductions have account, amount and next step alike. */
function begin(pending: Pending, number: number, events: EventRows, row: number): number {
  const slot = pending.open(number)
  pending.account[slot] = events.get(row, OutcomeField.account)
  pending.amountMicros[slot] = events.get(row, OutcomeField.amountA)
  pending.startedUs[slot] = events.get(row, OutcomeField.atUs)
  pending.nextStepUs[slot] = events.get(row, OutcomeField.untilUs)
  pending.putOff[slot] = 0
  return slot
}
