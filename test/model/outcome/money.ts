import { NONE } from '../../../src/unit/none.ts'

/** The model's own arithmetic: exact integers through BigInt, rounded down (readings B01, B02). All amounts in microUSDC. */
const mulDiv = (a: number, b: number, divisor: number): number => Number((BigInt(a) * BigInt(b)) / BigInt(divisor))

/** The fee on an amount, none below zero. */
export const feeOf = (amountMicros: number, bps: number): number => mulDiv(Math.max(0, amountMicros), bps, 10_000)

export const netStakeOf = (stakeMicros: number, takerFeeBps: number): number => stakeMicros - feeOf(stakeMicros, takerFeeBps)

/** floor(payout ÷ net stake) with four decimals; −1 for a cash-out's quote, which has no net stake, and for one of 0. */
export const oddsOf = (payoutMicros: number, netStakeMicros: number): number =>
  netStakeMicros > 0 ? mulDiv(payoutMicros, 10_000, netStakeMicros) : NONE
