import { ParlayCode } from '../../venue/parlay/protocol/codes.ts'
import type { LegError } from '../../venue/parlay/wire/errors.ts'
import type { MarketName } from '../../venue/parlay/wire/legBody.ts'

/** What is known of a market at an instant. */
export interface MarketState {
  /** A market that was never listed, or is delisted, is not. */
  isListed(market: number): boolean
  /** Closed or resolved. */
  isOver(market: number): boolean
  exclusionKeys(market: number): readonly (string | number)[]
}

/** Whether two legs cannot stand in one parlay: they are of one market (readings A17), or their markets share a key (PQ-065). */
const exclude = (markets: MarketState, a: number, b: number): boolean =>
  a === b || markets.exclusionKeys(a).some((key) => markets.exclusionKeys(b).includes(key))

/** All places at which one thing is wrong, an error each. */
const each = (reason: string, legs: readonly number[], isWrong: (market: number) => boolean): LegError[] =>
  legs.flatMap((market, place) => (isWrong(market) ? [{ reason, legs: [place] }] : []))

/**
 * `details.leg_errors` for a reply that refuses legs (PQ-356…358): every leg that is wrong, and every pair that excludes each other, by place.
 * `legs` are numbers of markets, −1 where a ticker names none, and `venues` where each was looked up. Undefined for another reply code.
 */
export function legErrorsOf(code: number, legs: readonly number[], venues: readonly MarketName['venue'][], markets: MarketState): readonly LegError[] | undefined {
  const isMissing = (market: number): boolean => market < 0 || !markets.isListed(market)
  switch (code) {
    case ParlayCode.legMarketNotFound:
    case ParlayCode.legMarketExpired:
      return [
        ...each('market_not_found', legs, isMissing).map((error) => ({ ...error, venue: venues[error.legs![0]!]! })),
        ...each('market_expired', legs, (market) => !isMissing(market) && markets.isOver(market)),
      ]
    case ParlayCode.legsExcluded:
      return legs.flatMap((a, i) => legs.flatMap((b, j) =>
        (i < j && exclude(markets, a, b) ? [{ reason: 'exclusion_conflict', legs: [i, j] }] : [])))
    default:
      return undefined
  }
}
