import { feeFloor, type Micros } from '../../../unit/micros.ts'

/** A stake minus the entry fee at `takerFeeBps`, rounded down (OM-252, readings B01). */
export const netOfEntryFee = (stakeMicros: number, takerFeeBps: number): number =>
  stakeMicros - feeFloor(stakeMicros as Micros, takerFeeBps)

/** The fee on `profitMicros` at `feeBps`, rounded down. A loss has no fee (OM-253, OM-263, readings B02). */
export const profitFee = (profitMicros: number, feeBps: number): number => feeFloor(Math.max(0, profitMicros) as Micros, feeBps)
