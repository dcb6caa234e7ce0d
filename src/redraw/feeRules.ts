import { join } from 'node:path'
import { plainText } from '../arrow/plainText.ts'
import { feeFloor, type Micros } from '../unit/micros.ts'

/** Where profit fees fall, by the profile of a service (as `FeeRules` of the recorder). */
export interface ProfitFees {
  /** Whether a cash-out makes its price the new holder's basis. */
  readonly onTransfer: boolean
  readonly onMaker: boolean
  /** Whether profit is counted from the gross bet and not from the net stake. */
  readonly overGross: boolean
}

/** What fees depend on, of one position, microUSDC. */
export interface FeeTerms {
  readonly stakeMicros: number
  readonly takerFeeMicros: number
  readonly payoutMicros: number
  readonly feeBps: number
  readonly isTransferred: boolean
  /** What the last holder paid. */
  readonly holderCostMicros: number
}

interface Manifest {
  readonly identity?: { readonly scenario?: { readonly services?: Readonly<Record<string, { readonly settings?: Readonly<Record<string, unknown>> }>> } | null }
}

/** The rules of a service, by the manifest of a run. What the run's profile does not say is as in the service's own profile. */
export function profitFeesOf(dir: string, service: string): ProfitFees {
  const { identity } = JSON.parse(plainText(join(dir, 'manifest.json'))) as Manifest
  const { settings = {} } = identity?.scenario?.services?.[service] ?? {}
  const isOn = (name: string, otherwise: 0 | 1): boolean => (settings[name] ?? otherwise) === 1
  return service === 'outcome' ? { onTransfer: isOn('feeOnCashout', 0), onMaker: false, overGross: isOn('profitOverGross', 0) }
    : { onTransfer: isOn('profitFeeOnTransfer', 1), onMaker: isOn('profitFeeOnMaker', 0), overGross: false }
}

/** Profit fee that the holder pays when the position is won. */
export function holderFee({ onTransfer, overGross }: ProfitFees, { stakeMicros, takerFeeMicros, payoutMicros, feeBps, isTransferred, holderCostMicros }: FeeTerms): number {
  const basisMicros = isTransferred && onTransfer ? holderCostMicros : overGross ? stakeMicros + takerFeeMicros : stakeMicros
  return feeFloor(Math.max(0, payoutMicros - basisMicros) as Micros, feeBps)
}

/** Profit fee that the backing maker pays when the position is lost. */
export const makerFee = ({ onMaker }: ProfitFees, { stakeMicros, feeBps }: FeeTerms): number => (onMaker ? feeFloor(stakeMicros as Micros, feeBps) : 0)
