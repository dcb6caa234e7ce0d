import { CountedColumns } from '../../../unit/countedColumns.ts'
import { NONE } from '../../../unit/none.ts'

export const KeyState = { active: 0, revoked: 1, expired: 2 } as const

/** Keys, numbered from 1 in the order of their rows. None is forgotten, because a revoked key must still answer CONFLICT. */
export class KeyColumns extends CountedColumns {
  count = 0
  account = new Int32Array(this.capacity)
  /** Mask of ScopeBit. */
  scopes = new Uint16Array(this.capacity)
  /** µs, or −1 for never. */
  expiresAtUs = new Float64Array(this.capacity)
  state = new Uint8Array(this.capacity)

  protected override rowCount(): number {
    return this.count
  }

  /** The row of a key's number, or −1. */
  rowOf(number: number): number {
    return Number.isInteger(number) && number >= 1 && number <= this.count ? number - 1 : NONE
  }
}
