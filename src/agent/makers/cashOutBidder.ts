import { maker, type MakerHandlers } from '../maker.ts'
import type { MakerDesk } from '../makerDesk.ts'
import { count, pct, seconds } from '../parameters.ts'
import type { PositionView } from '../views.ts'
import { AuctionOutcome, NEXT_OFFER } from '../vocabulary.ts'
import { bidAtMargin } from './bidding.ts'

/**
 * A yardstick for auctions. It never quotes, and bids for every position its value at the bids of its legs, minus `margin`. With
 * `resellAfter` it auctions positions that it took over again, and sells to the first bid that reaches its own value of the position, minus
 * `margin`.
 */
export default maker({
  margin: pct(5, { max: 100, about: 'mark-down of its bids' }),
  maxAge: seconds(30, { max: 1e6, about: 'oldest leg price used' }),
  resellAfter: seconds(0, { max: 1e6, about: 'from taking a position over to offering it again; 0: never' }),
  resellTries: count(3, { min: 1, max: 1000, about: 'auctions of a position that it tries, each so much later' }),
}, (p) => {
  /** Lowest price taken, microUSDC, 0 while a leg has no young price. */
  const lowest = (position: PositionView, desk: MakerDesk): number => {
    const value = desk.positionValue(position, { priceType: 'bid', maxAgeUs: p.maxAge })
    return value > 0 ? Math.max(1, Math.ceil(value * (1 - p.margin))) : 0
  }
  const takeGood = (position: PositionView, desk: MakerDesk): void => {
    const price = lowest(position, desk)
    if (price > 0 && position.isAuctioned && position.bestPriceMicros >= price) desk.takeBid(position, price)
  }
  const tryLater = (position: PositionView, desk: MakerDesk): void => {
    if (position.checks < p.resellTries) desk.checkIn(position, p.resellAfter)
  }
  const bidding: MakerHandlers = { onCashOut: (auction, desk) => bidAtMargin(auction, desk, p.margin, p.maxAge) }
  if (p.resellAfter === 0) return bidding
  return {
    ...bidding,
    onBought: tryLater,
    onCheck: (position, desk) => { if (position.canCashOut) desk.openCashOut(position) },
    onBid: takeGood,
    onAuctionEnded: (position, outcome, desk) => { if (outcome !== AuctionOutcome.sold) tryLater(position, desk) },
    onCashOutRefused(position, { refusal }, desk) {
      if (position.canCashOut) tryLater(position, desk)
      else if (NEXT_OFFER.includes(refusal)) takeGood(position, desk)
    },
  }
}, { about: 'bids for every auctioned position, never quotes' })
