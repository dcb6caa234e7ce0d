import { CountedColumns } from '../../../unit/countedColumns.ts'

/** Vaults by account number; their money is in the ledger. */
export class VaultColumns extends CountedColumns {
  /** One more than the highest account with a vault. */
  count = 0
  exists = new Uint8Array(this.capacity)
  /** Σ mm_risk of the open positions that the account backs, in microUSDC. */
  backedMicros = new Float64Array(this.capacity)

  protected override rowCount(): number {
    return this.count
  }

  has(account: number): boolean {
    return account < this.count && this.exists[account] === 1
  }
}
