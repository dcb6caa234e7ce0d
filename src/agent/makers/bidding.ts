import { SECOND_US } from '../../unit/time.ts'
import type { MakerDesk } from '../makerDesk.ts'
import { pct } from '../parameters.ts'
import type { AuctionView } from '../views.ts'

/** Parameter of makers that can bid for positions. */
export const BID = pct(0, { max: 100, about: 'mark-down of bids for auctioned positions; 0: it makes none' })

/** On the parlay service a bid outlives the auction, so that the seller can take it up to the end. On the outcome service its life is as short as allowed. */
const VALID_US = 15 * SECOND_US

/**
 * Bids the value of an auctioned position at the product of its legs' bids, minus `margin`, within what the service takes and, for
 * another maker's position, within the free capital.
 */
export function bidAtMargin(auction: AuctionView, desk: MakerDesk, margin: number, maxAgeUs: number): void {
  if (auction.isSeller) return
  const fair = desk.winProbability(auction.legs, { priceType: 'bid', maxAgeUs })
  if (!fair) return
  const price = Math.min(Math.floor(desk.breakEvenPrice(auction, fair) * (1 - margin)), auction.maxPriceMicros)
  if (price < 1 || (!auction.isBackingMaker && price > desk.freeMicros)) return
  desk.bid(auction, { priceMicros: price, validUs: VALID_US, fair, fairProduct: fair })
}

/** The handler of makers whose margin is above 0. Other makers are not told about auctions. */
export const biddingAtMargin = (p: { readonly bid: number; readonly maxAge: number }): { onCashOut?(auction: AuctionView, desk: MakerDesk): void } =>
  p.bid > 0 ? { onCashOut: (auction, desk) => bidAtMargin(auction, desk, p.bid, p.maxAge) } : {}
