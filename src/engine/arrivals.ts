import { DRAWS_PER_INTENT, IntentDraw } from '../agent/bettorDesk.ts'
import type { Draws } from '../kernel/random.ts'
import { exp } from '../math/exp.ts'
import { log } from '../math/log.ts'
import { assert } from '../unit/assert.ts'
import type { Image, Snapshot } from '../unit/snapshot.ts'
import type { CohortEntry, SelfExcitation } from './config.ts'

/** How the bettors of one cohort arrive; see CohortEntry. */
export interface ArrivalTerms {
  readonly name: string
  /** The entity of the cohort's draws. */
  readonly entity: number
  /** Mean time between two arrivals that no other arrival causes, µs. */
  readonly meanGapUs: number
  readonly excitation?: SelfExcitation | undefined
  readonly arrivalsUs?: readonly number[] | undefined
}

/** @param entity of the cohort's draws */
export const termsOfCohort = ({ name, everyUs, bettors, excitation, arrivalsUs }: Pick<CohortEntry, 'name' | 'everyUs' | 'bettors' | 'excitation' | 'arrivalsUs'>, entity: number): ArrivalTerms =>
  ({ name, entity, meanGapUs: everyUs / bettors, excitation, arrivalsUs })

/**
 * When the bettors of each cohort arrive: at given instants, as a Poisson process, or as one that excites itself (A. G. Hawkes,
 * "Spectra of some self-exciting and mutually exciting point processes", Biometrika 58, 1971) with the intensity
 * λ(t) = μ + Σ n/d · exp(−(t − tᵢ)/d) over the arrivals tᵢ before t: μ the rate without excitation, n the branching ratio, d the decay.
 *
 * With an exponential kernel the next arrival is the earlier of two, both drawn exactly by inversion: one with rate μ, and one with the
 * rate that is left from past arrivals. The second never comes with probability exp(−m), where m is the number of direct followers still
 * expected (A. Dassios and H. Zhao, "Exact simulation of Hawkes process with exponentially decaying intensity", Electron. Commun. Probab.
 * 18, 2013).
 * Two draws an arrival, keyed by it; at n = 0 the first alone counts, and the arrivals are those of the Poisson process.
 * The process begins without a past. In the long run its rate is μ/(1 − n), and the variance of counts over their mean 1/(1 − n)².
 */
export class ArrivalTimes implements Snapshot {
  private declare readonly cohorts: readonly ArrivalTerms[]
  private declare readonly draws: Draws
  /** Direct followers still expected of all arrivals of a cohort up to its next one, that one included. */
  private declare followers: Float64Array

  constructor(cohorts: readonly ArrivalTerms[], draws: Draws) {
    for (const { name, excitation } of cohorts) {
      if (excitation === undefined) continue
      const { branching, decayUs } = excitation
      assert(branching >= 0 && branching < 1 && decayUs > 0, `${name}: an arrival calls forth less than one other, in some time`)
    }
    this.cohorts = cohorts
    this.draws = draws
    this.followers = new Float64Array(cohorts.length)
  }

  /**
   * Time from `nowUs` to the cohort's arrival number `index`, µs, Infinity when there are no more. `nowUs` is the instant of the arrival
   * before it, or the session's beginning. Precondition: one call for each arrival, in order.
   */
  gapBefore(cohort: number, index: number, nowUs: number): number {
    const terms = this.cohorts[cohort]!
    const { arrivalsUs, excitation } = terms
    if (arrivalsUs === undefined) {
      const ownUs = this.draws.exponential(terms.entity, index * DRAWS_PER_INTENT + IntentDraw.gap, terms.meanGapUs)
      return excitation === undefined ? 1 + Math.floor(ownUs) : this.excitedGap(cohort, index, ownUs, excitation)
    }
    if (index >= arrivalsUs.length) return Infinity
    const gapUs = arrivalsUs[index]! - nowUs
    assert(gapUs >= 0, `arrival ${index} of ${terms.name} lies in the past`)
    return gapUs
  }

  /** The earlier of the arrival that nothing causes, in `ownUs`, and the first one that past arrivals cause. */
  private excitedGap(cohort: number, index: number, ownUs: number, { branching, decayUs }: SelfExcitation): number {
    const followers = this.followers[cohort]!
    // The first follower comes when so many of `followers` have been expected. None comes when that is more than there are.
    const until = this.draws.exponential(this.cohorts[cohort]!.entity, index * DRAWS_PER_INTENT + IntentDraw.excitedGap, 1)
    const calledUs = until < followers ? -decayUs * log(1 - until / followers) : Infinity
    const gapUs = 1 + Math.floor(Math.min(ownUs, calledUs))
    this.followers[cohort] = followers * exp(-gapUs / decayUs) + branching
    return gapUs
  }

  snapshot(): Image {
    return { followers: this.followers.slice() }
  }

  restore(image: Image): void {
    this.followers = (image as { followers: Float64Array }).followers.slice()
  }
}
