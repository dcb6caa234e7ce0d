import { BPS } from '../unit/micros.ts'
import type { AuctionRow, PositionRow } from './rows.ts'
import { isKnown } from './vocabulary.ts'

/** What MakerDesk.breakEvenPrice says, microUSDC. */
export function breakEvenPrice(auction: AuctionRow, winProbability: number): number {
  const { payoutMicros, costBasisMicros, isBackingMaker } = auction
  if (isBackingMaker) return breakEvenOfBuyback(auction, winProbability)
  const fee = auction.profitFeeBps / BPS
  // With the price as basis it solves price = p × (payout − fee × (payout − price)).
  if (!isKnown(costBasisMicros)) return (winProbability * payoutMicros * (1 - fee)) / (1 - winProbability * fee)
  return winProbability * (payoutMicros - fee * Math.max(0, payoutMicros - costBasisMicros))
}

/**
 * When the legs lose, backing on brings payout − fee × stake. Buying back brings payout − price − fee × (stake − price), without the
 * last term at a price above the stake (profitFeeOnMaker).
 */
function breakEvenOfBuyback({ payoutMicros, netStakeMicros, makerFeeBps }: AuctionRow, winProbability: number): number {
  const fee = makerFeeBps / BPS
  if (fee === 0) return winProbability * payoutMicros
  const below = winProbability * netStakeMicros + (winProbability * (payoutMicros - netStakeMicros)) / (1 - fee)
  return below <= netStakeMicros ? below : winProbability * payoutMicros + (1 - winProbability) * fee * netStakeMicros
}

/** What a held position pays on average, minus the profit fee, microUSDC. */
export function heldValue({ payoutMicros, costBasisMicros, profitFeeBps }: PositionRow, winProbability: number): number {
  return winProbability * (payoutMicros - (profitFeeBps / BPS) * Math.max(0, payoutMicros - costBasisMicros))
}
