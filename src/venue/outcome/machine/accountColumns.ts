import { CountedColumns } from '../../../unit/countedColumns.ts'

/**
 * What an account's core wallet is doing: `funding` while a core-funded acceptance is pending, `moving` while its fill or a
 * withdrawal is a pending operation. There is at most one of them at a time (OM-209, OM-211).
 */
export const CoreState = { idle: 0, funding: 1, moving: 2 } as const

/** Accounts by their number. Their money is in the ledger. */
export class AccountColumns extends CountedColumns {
  /** One more than the highest account bound so far. */
  count = 0
  /** 1 once bound. */
  bound = new Uint8Array(this.capacity)
  /** An `AccountRole`. */
  role = new Uint8Array(this.capacity)
  /** Current quote signer. Until `setSigner` it is the account's wallet, which signs as the account's number. */
  signer = new Int32Array(this.capacity)
  /** A `CoreState`. */
  core = new Uint8Array(this.capacity)
  /** RFQs that are open or in flight (OM-218). */
  openRfqs = new Int32Array(this.capacity)
  /** Risk of its live quotes together, in microUSDC (OM-220). */
  quotedMicros = new Float64Array(this.capacity)
  /** Core parts of all pending acceptances and fills of the vault, in microUSDC. */
  pendingCoreMicros = 0

  protected override rowCount(): number {
    return this.count
  }

  /** Whether the account has a venue identity. */
  has(account: number): boolean {
    return account < this.count && this.bound[account] === 1
  }
}
