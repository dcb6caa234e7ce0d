/** The model's own arithmetic: exact integers through BigInt, rounded down (readings A21). All amounts in microUSDC. */
const mulDiv = (a: number, b: number, divisor: number): number => Number((BigInt(a) * BigInt(b)) / BigInt(divisor))

export interface Terms {
  readonly takerFeeMicros: number
  readonly stakeMicros: number
  readonly payoutMicros: number
  readonly riskMicros: number
}

/** What a bet at odds (four decimals) amounts to under a taker fee rate. */
export function termsOf(betMicros: number, takerFeeBps: number, oddsE4: number): Terms {
  const takerFeeMicros = mulDiv(betMicros, takerFeeBps, 10_000)
  const stakeMicros = betMicros - takerFeeMicros
  const payoutMicros = mulDiv(stakeMicros, oddsE4, 10_000)
  return { takerFeeMicros, stakeMicros, payoutMicros, riskMicros: payoutMicros - stakeMicros }
}

/** The fee on what is above zero of a profit. */
export const profitFeeOf = (profitMicros: number, profitFeeBps: number): number => mulDiv(Math.max(0, profitMicros), profitFeeBps, 10_000)

export interface BoundTerms {
  readonly stakeMicros: number
  readonly riskMicros: number
  readonly profitFeeBps: number
}

/** The backing maker's highest price (readings A28): what a full win would net, or what the risk covers with the fee on top. */
export function buybackBoundOf({ stakeMicros, riskMicros, profitFeeBps }: BoundTerms, isGrossedUp: boolean): number {
  if (isGrossedUp) return stakeMicros + mulDiv(riskMicros, 10_000, 10_000 + profitFeeBps)
  return stakeMicros + riskMicros - mulDiv(riskMicros, profitFeeBps, 10_000)
}
