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

export const profitFeeOf = (profitMicros: number, profitFeeBps: number): number => mulDiv(profitMicros, profitFeeBps, 10_000)
