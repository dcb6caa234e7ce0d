import type { Image, Snapshot } from '../../../unit/snapshot.ts'
import type { ParlayProfile } from '../protocol/profile.ts'

/** Fee rates in force, in bps, and the faults that are switched on. */
export class TermsInForce implements Snapshot {
  declare takerFeeBps: number
  declare profitFeeBps: number
  collateralUnavailable = false
  feeUnavailable = false
  chainUnclear = false
  chainDropped = false
  mirrorBehind = false
  chainDisabled = false
  withdrawalFails = false
  walletFails = false

  constructor(profile: ParlayProfile) {
    this.takerFeeBps = profile.takerFeeBps
    this.profitFeeBps = profile.profitFeeBps
  }

  /** Whether a fault of the chain is on, so that vault transactions start pending and settlements wait. */
  chainFault(): boolean {
    return this.chainUnclear || this.chainDropped || this.mirrorBehind
  }

  snapshot(): Image {
    return { ...this } as unknown as Image
  }

  restore(image: Image): void {
    Object.assign(this, image)
  }
}
