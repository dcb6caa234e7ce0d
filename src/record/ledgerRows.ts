import type { RowWriter } from '../arrow/rowWriter.ts'
import { AccountKind } from '../ledger/ledger.ts'
import { POSTING_STRIDE, PostingField, type PostingRows } from '../ledger/postingRows.ts'
import { orEmpty } from './cells.ts'
import type { ledgerTable } from './moneyTables.ts'
import { widened } from '../unit/widened.ts'

/** Postings as rows, and the balances that follow from them. */
export class LedgerRows {
  private declare readonly writer: RowWriter
  private declare readonly at: ReturnType<typeof ledgerTable>['at']
  private declare readonly service: number
  /** By account number. */
  private free = new Float64Array(1024)
  private reserved = new Float64Array(1024)

  constructor(writer: RowWriter, at: ReturnType<typeof ledgerTable>['at'], service: number) {
    this.service = service
    this.writer = writer
    this.at = at
  }

  freeMicros(account: number): number {
    return this.free[account] ?? 0
  }

  reservedMicros(account: number): number {
    return this.reserved[account] ?? 0
  }

  posted(postings: PostingRows, row: number): void {
    const { writer, at } = this
    const { cells } = writer
    const posting = postings.cells
    const from = row * POSTING_STRIDE
    const debitKind = posting[from + PostingField.debitKind]!
    const debitOwner = posting[from + PostingField.debitOwner]!
    const creditKind = posting[from + PostingField.creditKind]!
    const creditOwner = posting[from + PostingField.creditOwner]!
    const amountMicros = posting[from + PostingField.amountMicros]!
    const to = writer.row()
    cells[to + at.seq] = posting[from + PostingField.seq]!
    cells[to + at.service] = this.service
    cells[to + at.at] = posting[from + PostingField.atUs]!
    cells[to + at.cause] = posting[from + PostingField.cause]! - 1
    cells[to + at.debit_kind] = debitKind
    cells[to + at.debit_owner] = orEmpty(debitOwner)
    cells[to + at.credit_kind] = creditKind
    cells[to + at.credit_owner] = orEmpty(creditOwner)
    cells[to + at.amount_micros] = amountMicros
    cells[to + at.request] = orEmpty(posting[from + PostingField.request]!)
    this.move(debitKind, debitOwner, -amountMicros)
    this.move(creditKind, creditOwner, amountMicros)
  }

  private move(kind: number, owner: number, amountMicros: number): void {
    if (kind !== AccountKind.free && kind !== AccountKind.reserved) return
    if (owner >= this.free.length) {
      this.free = widened(this.free, owner + 1)
      this.reserved = widened(this.reserved, owner + 1)
    }
    if (kind === AccountKind.free) this.free[owner]! += amountMicros
    else this.reserved[owner]! += amountMicros
  }
}
