import { NONE } from '../../../src/unit/none.ts'
import { AuctionState, BidState, ParlayEvent } from '../../../src/venue/parlay/protocol/events.ts'
import { buybackBoundOf } from './money.ts'
import type { Invariant } from './moment.ts'
import { rowsOfKind } from './namedRows.ts'
import { bestBidOf } from './state.ts'

/** INV-20: no live bid of the seller, above total_payout, or of the backer above its bound where that is checked at once. */
export const bidsAreBounded: Invariant = ({ after, view, profile }, claim) => {
  for (const auction of after.auctions.values()) {
    if (auction.state !== AuctionState.active) continue
    const shown = view.auction(auction.number)!
    const position = view.position(shown.position)!
    const terms = { ...position, riskMicros: position.payoutMicros - position.stakeMicros }
    const bound = buybackBoundOf(terms, profile.buybackBoundGrossedUp === 1)
    for (const number of shown.bids) {
      const bid = view.bid(number)!
      claim(bid.maker !== shown.seller, `bid ${number} by the seller`)
      claim(bid.priceMicros >= 1 && bid.priceMicros <= position.payoutMicros, `price of bid ${number}`)
      claim(bid.maker !== position.backer || profile.buybackBoundAtBid === 0 || bid.priceMicros <= bound, `bid ${number} above the bound`)
    }
    claim(shown.bestBid === (bestBidOf(after, auction.number)?.number ?? NONE), `best bid of auction ${auction.number}`)
    claim(shown.bestBid === NONE || view.bid(shown.bestBid)!.state === BidState.live, `best bid of auction ${auction.number} is not live`)
    claim(shown.seller === position.holder && shown.backer === position.backer, `parties of auction ${auction.number}`)
  }
}

/** INV-22: no auction opens, takes a bid or commits within the cutoff before the earliest close. */
export const cutoffIsKept: Invariant = ({ rows, middle, profile }, claim) => {
  for (const row of rowsOfKind(rows, ParlayEvent.auctionOpened, ParlayEvent.bidSubmitted, ParlayEvent.auctionCommitted)) {
    for (const { market } of middle.positions.get(row.position)!.legs) {
      const { closeUs, result } = middle.markets.get(market)!
      const isExempt = profile.cutoffSkipsResolvedLegs === 1 && result !== NONE
      claim(isExempt || row.atUs < closeUs - profile.cashoutCutoffMs * 1000, `row of auction ${row.auction} near the close of ${market}`)
    }
  }
}
