import { EntityColumns } from '../../../unit/countedColumns.ts'

/** Pending transactions of vaults by slot. A transaction that completes at once has no number and no row (PQ-078…080). */
export class VaultTransactionColumns extends EntityColumns {
  number = new Float64Array(this.capacity)
  /** Whose vault; of a fill the holder's. */
  account = new Int32Array(this.capacity)
  /** A `VaultEffect`. */
  effect = new Uint8Array(this.capacity)
  /** A `VaultStatus`, pending. */
  status = new Uint8Array(this.capacity)
  /** 1 when the chain will drop it in the end. */
  dropped = new Uint8Array(this.capacity)
  amountMicros = new Float64Array(this.capacity)
  /** Number of the position that a fill funds, or −1. */
  position = new Float64Array(this.capacity)
  /** Σ of the pending deposits, in microUSDC. */
  pendingDepositsMicros = 0
}
