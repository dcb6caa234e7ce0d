import { EntityColumns } from '../../../unit/countedColumns.ts'

/**
 * Issue-key challenges, each with the request that it is for. A used or ended challenge still answers STATE_CONFLICT until it
 * is forgotten.
 */
export class ChallengeColumns extends EntityColumns {
  account = new Int32Array(this.capacity)
  labelLength = new Int32Array(this.capacity)
  /** Mask of ScopeBit. */
  scopes = new Uint16Array(this.capacity)
  /** Scopes as sent. */
  scopeCount = new Int32Array(this.capacity)
  /** −1: never. */
  expiryDays = new Int32Array(this.capacity)
  untilUs = new Float64Array(this.capacity)
  isUsed = new Uint8Array(this.capacity)
}
