import { KeyedColumns } from '../../../unit/keyedColumns.ts'

/** Webhook endpoints. An account has one as a user and one as a maker. */
export class EndpointColumns extends KeyedColumns {
  /** Mask of subscribed events; 0: parked. */
  events = new Uint8Array(this.capacity)
  /** Credential that the endpoint was last set with. */
  credential = new Float64Array(this.capacity)
  /** Generation of the signing secret; 0 before there is one. */
  secret = new Float64Array(this.capacity)

  /** The row of an account's endpoint, or −1, also for an account of −1. */
  rowOfOwner(account: number, owner: number): number {
    return this.rowOf(keyOf(account, owner))
  }

  subscribes(row: number, event: number): boolean {
    return ((this.events[row]! >> event) & 1) === 1
  }
}

/** Adding 0 turns −0 into 0, because an image would tell the two apart. */
export const keyOf = (account: number, owner: number): number => account * 2 + owner + 0
