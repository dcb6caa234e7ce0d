import type { Quote, Rfq } from './rfq.ts'
import { signedTerms, type Signer } from './typedTerms.ts'

const SECOND_US = 1_000_000
/** From the whole second of an acceptance to the end of its funding. */
const FUNDING_S = 600

/** The wallet that signs, and the account that it signs for. */
export interface TakerSeat extends Signer {
  readonly accountId: string
}

/** The rates in force, as the deployment last showed them, hundredths of a percent. */
export interface Rates {
  readonly takerFeeBps: number
  readonly feeBps: number
}

/** The body of an acceptance. `key` is its Idempotency-Key, which names it. A position is sold at the rate that it has for life. */
export function acceptanceOf(seat: TakerSeat, { id: rfqId, held, stake }: Rfq, quote: Quote, { takerFeeBps, feeBps }: Rates, key: string, nowUs: number): object {
  const common = { rfqId, quoteId: quote.id, acceptanceId: key }
  if (held !== null) {
    const terms = { ...common, seller: seat.accountId, price: quote.payout, feeBps: held.feeBps, positionId: held.position }
    return { signature: signedTerms(seat, 'CashoutAcceptance', terms) }
  }
  const validAfter = Math.floor(nowUs / SECOND_US)
  const validBefore = validAfter + FUNDING_S
  const terms = { ...common, taker: seat.accountId, stake: BigInt(stake), core: 0n, payout: quote.payout, takerFeeBps, feeBps, validAfter, validBefore }
  return { valid_after: validAfter, valid_before: validBefore, signature: signedTerms(seat, 'Acceptance', terms) }
}
