import type { ServiceName } from '../engine/config.ts'
import { BPS, feeFloor, type Micros } from '../unit/micros.ts'
import type { OutcomeProfile } from '../venue/outcome/protocol/profile.ts'
import type { ParlayProfile } from '../venue/parlay/protocol/profile.ts'

/** What a service takes of a bettor, money in microUSDC. */
export interface BetLimits {
  readonly legsMin: number
  readonly legsMax: number
  readonly betMinMicros: number
  readonly betMaxMicros: number
  readonly depositMaxMicros: number
}

export interface ServiceSettings {
  readonly parlay?: { readonly settings: ParlayProfile } | undefined
  readonly outcome?: { readonly settings: OutcomeProfile } | undefined
}

/** The limits of a service that the scenario has. The outcome service states its own for the net stake and the payout. */
export function betLimitsOf({ parlay, outcome }: ServiceSettings, service: ServiceName): BetLimits {
  if (service === 'parlay') return parlay!.settings
  const { legsMin, legsMax, netStakeMinMicros, takerFeeBps, payoutMaxMicros, depositMaxMicros } = outcome!.settings
  return { legsMin, legsMax, betMinMicros: leastStake(netStakeMinMicros, takerFeeBps), betMaxMicros: payoutMaxMicros, depositMaxMicros }
}

/** The least stake that leaves `netMicros` after the entry fee (readings B01); Infinity when the fee is all of it. */
function leastStake(netMicros: number, feeBps: number): number {
  if (feeBps >= BPS) return Infinity
  let stakeMicros = Math.ceil((netMicros * BPS) / (BPS - feeBps))
  const leaves = (micros: number): boolean => micros - feeFloor(micros as Micros, feeBps) >= netMicros
  while (stakeMicros > 1 && leaves(stakeMicros - 1)) stakeMicros--
  return stakeMicros
}
