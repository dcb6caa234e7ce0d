import type { Image, Snapshot } from '../../../unit/snapshot.ts'
import type { OutcomeProfile } from '../protocol/profile.ts'

/** Fee rates in force, in bps, and the faults that are switched on. */
export class TermsInForce implements Snapshot {
  declare takerFeeBps: number
  declare feeBps: number
  financialActionsDisabled = false
  coreFundingUnavailable = false
  quoteExposureStale = false
  chainDropped = false
  chainStalled = false

  constructor(profile: OutcomeProfile) {
    this.takerFeeBps = profile.takerFeeBps
    this.feeBps = profile.feeBps
  }

  snapshot(): Image {
    return { ...this } as unknown as Image
  }

  restore(image: Image): void {
    Object.assign(this, image)
  }
}
