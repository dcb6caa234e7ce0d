import type { RowWriter } from '../arrow/rowWriter.ts'
import { NONE } from '../unit/none.ts'
import { Service } from '../unit/services.ts'
import type { KindOf, Row } from '../venue/eventCells.ts'
import { EventCell, type EventRows } from '../venue/eventRows.ts'
import { VaultEffect, VaultStatus, VaultTransactionChanged } from '../venue/parlay/protocol/events.ts'
import type { DirectoryCodes } from './directory.ts'
import { orEmpty } from './cells.ts'
import type { vaultTransactionTable } from './moneyTables.ts'
import { NumberedColumns } from './numberedColumns.ts'

/** Transactions of vaults that are pending. */
class PendingTransactions extends NumberedColumns {
  declare effect: Uint8Array
  declare account: Int32Array
  /** Backing maker of a fill, −1 for other transactions. */
  declare maker: Int32Array
  declare amountMicros: Float64Array
  declare request: Float64Array
  declare position: Float64Array
  declare startedSeq: Float64Array
  declare startedUs: Float64Array
  declare startedAs: Uint8Array
  declare status: Uint8Array
  declare nextStepUs: Float64Array

  constructor(capacity = 64) {
    super(capacity)
    this.effect = new Uint8Array(capacity)
    this.account = new Int32Array(capacity)
    this.maker = new Int32Array(capacity)
    this.amountMicros = new Float64Array(capacity)
    this.request = new Float64Array(capacity)
    this.position = new Float64Array(capacity)
    this.startedSeq = new Float64Array(capacity)
    this.startedUs = new Float64Array(capacity)
    this.startedAs = new Uint8Array(capacity)
    this.status = new Uint8Array(capacity)
    this.nextStepUs = new Float64Array(capacity)
  }
}

type TransactionRow = Row<KindOf<typeof VaultTransactionChanged>>

/** Transactions of vaults, from a pending start to the row that their end writes. */
export class VaultRows {
  private readonly open = new PendingTransactions()
  private declare readonly writer: RowWriter
  private declare readonly at: ReturnType<typeof vaultTransactionTable>['at']
  private declare readonly codes: DirectoryCodes
  /** Called for each fill: with −1 when the chain begins to fund the position, and with the instant when it has. */
  private declare readonly funded: (position: number, atUs: number) => void

  constructor(
    writer: RowWriter, at: ReturnType<typeof vaultTransactionTable>['at'], codes: DirectoryCodes,
    funded: (position: number, atUs: number) => void,
  ) {
    this.writer = writer
    this.at = at
    this.codes = codes
    this.funded = funded
  }

  started(events: EventRows, row: TransactionRow): void {
    const { open } = this
    const slot = open.open(events.read(row, VaultTransactionChanged.transaction))
    const isFill = events.read(row, VaultTransactionChanged.effect) >= VaultEffect.fill
    open.effect[slot] = events.read(row, VaultTransactionChanged.effect)
    open.account[slot] = events.read(row, VaultTransactionChanged.account)
    open.maker[slot] = isFill ? events.read(row, VaultTransactionChanged.backer) : NONE
    open.amountMicros[slot] = events.read(row, VaultTransactionChanged.amountMicros)
    open.request[slot] = isFill ? events.read(row, VaultTransactionChanged.request) : NONE
    open.position[slot] = isFill ? events.read(row, VaultTransactionChanged.position) : NONE
    open.startedSeq[slot] = events.read(row, EventCell.seq)
    open.startedUs[slot] = events.read(row, EventCell.atUs)
    open.startedAs[slot] = open.status[slot] = events.read(row, VaultTransactionChanged.status)
    open.nextStepUs[slot] = events.read(row, VaultTransactionChanged.nextStepAtUs)
    if (isFill) this.funded(open.position[slot]!, NONE)
  }

  changed(events: EventRows, row: TransactionRow): void {
    const { open } = this
    const slot = open.openSlotOf(events.read(row, VaultTransactionChanged.transaction))
    const status = events.read(row, VaultTransactionChanged.status)
    const atUs = events.read(row, EventCell.atUs)
    open.status[slot] = status
    open.nextStepUs[slot] = events.read(row, VaultTransactionChanged.nextStepAtUs)
    if (status !== VaultStatus.completed && status !== VaultStatus.failed) return
    if (open.effect[slot]! >= VaultEffect.fill && status === VaultStatus.completed) this.funded(open.position[slot]!, atUs)
    this.write(slot, events.read(row, EventCell.seq), atUs)
    open.close(slot)
  }

  /** The session is over: writes the rows of pending transactions. */
  finish(): void {
    for (const slot of this.open.openSlots()) this.write(slot, NONE, NONE)
  }

  private write(slot: number, seq: number, endedUs: number): void {
    const { open, writer, at, codes } = this
    const { cells } = writer
    const account = open.account[slot]!
    const to = writer.row()
    cells[to + at.seq] = orEmpty(seq)
    cells[to + at.service] = Service.parlay
    cells[to + at.transaction] = open.number[slot]!
    cells[to + at.effect] = open.effect[slot]! - 1
    cells[to + at.account] = account
    if (codes.has(account)) cells[to + at.cohort] = codes.group(account)
    if (open.maker[slot] !== NONE) cells[to + at.maker] = codes.maker(open.maker[slot]!)
    cells[to + at.amount_micros] = open.amountMicros[slot]!
    cells[to + at.request] = orEmpty(open.request[slot]!)
    cells[to + at.position] = orEmpty(open.position[slot]!)
    cells[to + at.started_seq] = open.startedSeq[slot]!
    cells[to + at.started_at] = open.startedUs[slot]!
    cells[to + at.initial_status] = open.startedAs[slot]!
    cells[to + at.ended_at] = orEmpty(endedUs)
    cells[to + at.status] = open.status[slot]!
    cells[to + at.next_step_at] = orEmpty(endedUs === NONE ? open.nextStepUs[slot]! : NONE)
  }
}
