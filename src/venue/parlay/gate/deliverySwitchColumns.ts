import { KeyedColumns } from '../../../unit/keyedColumns.ts'
import { NONE } from '../../../unit/none.ts'

/** Accounts whose webhook deliveries were switched, by account (PQ-327). */
export class DeliverySwitchColumns extends KeyedColumns {
  off = new Uint8Array(this.capacity)

  isOff(account: number): boolean {
    const row = this.rowOf(account)
    return row !== NONE && this.off[row] === 1
  }
}
