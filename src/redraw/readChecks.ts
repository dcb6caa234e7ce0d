import { makerAccounts } from '../score/ledgerReplay.ts'
import { codesIn, type Names, orNaN, type RunTables, type TableRows } from '../score/runTables.ts'
import type { CapitalCheck } from './book.ts'

const KINDS = ['free', 'reserved', 'pot'] as const
const [FREE, , POT] = [0, 1, 2] as const
const CAUSES = ['commit', 'transfer', 'profitFee'] as const
const [COMMIT, TRANSFER, PROFIT_FEE] = [0, 1, 2] as const

/** The backing maker of a position, and what it risks, by the position's number. */
export type Backers = ReadonlyMap<number, { readonly maker: number; readonly riskMicros: number }>

/** Each fill and each purchase of a position by a maker, with the maker's free balance right after it, in the order of the ledger. */
export function readChecks(tables: RunTables, makers: Names, backers: Backers): CapitalCheck[] {
  const reader = new CheckReader(makerAccounts(tables, makers), backers)
  for (const batch of tables.batches('ledger')) reader.read(batch)
  return reader.checks
}

class CheckReader {
  readonly checks: CapitalCheck[] = []
  private readonly makerOf: ReadonlyMap<number, number>
  private readonly backers: Backers
  /** By account. */
  private readonly free = new Map<number, number>()
  private readonly filled = new Set<number>()

  constructor(makerOf: ReadonlyMap<number, number>, backers: Backers) {
    this.makerOf = makerOf
    this.backers = backers
  }

  read(batch: TableRows): void {
    const [at, amount] = [batch.numbers('at', 'timeUs'), batch.numbers('amount_micros', 'micros')]
    const [debitOwner, creditOwner] = [orNaN(batch, 'debit_owner'), orNaN(batch, 'credit_owner')]
    const [debitKind, creditKind] = [codesIn(KINDS, batch, 'debit_kind'), codesIn(KINDS, batch, 'credit_kind')]
    const cause = codesIn(CAUSES, batch, 'cause')
    for (let row = 0; row < batch.rowCount; row++) {
      if (debitKind[row] === FREE) this.move(debitOwner[row]!, 0 - amount[row]!)
      if (creditKind[row] === FREE) this.move(creditOwner[row]!, amount[row]!)
      const payer = this.makerOf.get(debitOwner[row]!)
      if (payer === undefined || (debitKind[row] === POT)) continue
      if (cause[row] === COMMIT && creditKind[row] === POT && this.isFill(creditOwner[row]!, payer, amount[row]!)) this.check(payer, at[row]!, debitOwner[row]!)
      else if (cause[row] === TRANSFER) this.check(payer, at[row]!, debitOwner[row]!)
      else if (cause[row] === PROFIT_FEE && debitKind[row] === FREE && this.checks.at(-1)?.owner === payer) {
        // The fee out of the price of a purchase is a posting of its own, right after it.
        this.checks.pop()
        this.check(payer, at[row]!, debitOwner[row]!)
      }
    }
  }

  private move(account: number, byMicros: number): void {
    if (this.makerOf.has(account)) this.free.set(account, (this.free.get(account) ?? 0) + byMicros)
  }

  private check(owner: number, atUs: number, account: number): void {
    this.checks.push({ owner, atUs, freeMicros: this.free.get(account) ?? 0 })
  }

  /** Whether money that came into a pot is the risk of the position's maker, and not a bettor's stake. */
  private isFill(position: number, payer: number, amountMicros: number): boolean {
    const backer = this.backers.get(position)
    if (backer?.maker !== payer || backer.riskMicros !== amountMicros || this.filled.has(position)) return false
    this.filled.add(position)
    return true
  }
}
