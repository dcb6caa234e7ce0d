import { KeyedColumns } from '../../../unit/keyedColumns.ts'
import { NONE } from '../../../unit/none.ts'

/** Makers' streams, by account. A maker is live exactly while its stream is open (PQ-208, PQ-460). */
export class StreamColumns extends KeyedColumns {
  open = new Uint8Array(this.capacity)

  isOpen(account: number): boolean {
    const row = this.rowOf(account)
    return row !== NONE && this.open[row] === 1
  }
}
