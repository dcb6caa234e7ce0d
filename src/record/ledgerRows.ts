import type { TableWriter } from '../arrow/tableWriter.ts'
import { AccountKind } from '../ledger/ledger.ts'
import { type PostingRows, PostingField } from '../ledger/postingRows.ts'
import type { ledgerTable } from './moneyTables.ts'
import { widened } from '../unit/widened.ts'

/** Postings as rows, and the balances that follow from them. */
export class LedgerRows {
  private readonly writer: TableWriter
  private readonly at: ReturnType<typeof ledgerTable>['at']
  private readonly service: number
  /** By account number. */
  private free = new Float64Array(1024)
  private reserved = new Float64Array(1024)

  constructor(writer: TableWriter, at: ReturnType<typeof ledgerTable>['at'], service: number) {
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
    const debitKind = postings.get(row, PostingField.debitKind)
    const debitOwner = postings.get(row, PostingField.debitOwner)
    const creditKind = postings.get(row, PostingField.creditKind)
    const creditOwner = postings.get(row, PostingField.creditOwner)
    const amountMicros = postings.get(row, PostingField.amountMicros)
    writer.row()
    writer.int(at.seq, postings.get(row, PostingField.seq))
    writer.code(at.service, this.service)
    writer.int(at.at, postings.get(row, PostingField.atUs))
    writer.code(at.cause, postings.get(row, PostingField.cause) - 1)
    writer.code(at.debit_kind, debitKind)
    writer.intOrNone(at.debit_owner, debitOwner)
    writer.code(at.credit_kind, creditKind)
    writer.intOrNone(at.credit_owner, creditOwner)
    writer.int(at.amount_micros, amountMicros)
    writer.intOrNone(at.request, postings.get(row, PostingField.request))
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
