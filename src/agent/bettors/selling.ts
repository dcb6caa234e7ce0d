import type { BettorHandlers } from '../bettor.ts'
import { type BettorDesk, HoldingDraw } from '../bettorDesk.ts'
import { count, pct, seconds, type ValuesOf } from '../parameters.ts'
import type { HoldingView } from '../views.ts'
import { AuctionOutcome, isKnown, NEXT_OFFER, Refusal } from '../vocabulary.ts'

/** Parameters of how bids are taken. The share is of the value at the bettor's own delivered prices, not of a maker's model. */
export const SELLING = {
  shareMin: pct(70, { max: 1000, about: 'least share of the value at middle prices that a bid must reach' }),
  shareMax: pct(95, { max: 1000, about: 'largest such share; drawn per position' }),
  listen: seconds(2, { max: 10, about: 'from the asking for an auction to the first bid that is taken' }),
}

/** Parameters of bettors that look at their positions again and again. */
export const WATCHING = {
  every: seconds(60, { min: 0.001, about: 'time between two looks at a position' }),
  looks: count(1000, { min: 1, about: 'looks before the position is left to its end' }),
}

type Selling = ValuesOf<typeof SELLING> & { readonly maxAge: number }

/** Takes the best bid when it reaches the drawn share of what the position is worth now. */
export function takeGoodBid(holding: HoldingView, desk: BettorDesk, p: Selling): void {
  if (!holding.isAuctioned || !isKnown(holding.bestPriceMicros) || desk.nowUs - holding.askedAtUs < p.listen) return
  const share = p.shareMin + desk.uniform(holding, HoldingDraw.share) * (p.shareMax - p.shareMin)
  const lowest = Math.max(1, Math.ceil(share * desk.expectedPayout(holding, { priceType: 'mid', maxAgeUs: p.maxAge })))
  if (holding.bestPriceMicros >= lowest) desk.takeBid(holding, lowest)
}

/** Refusals after which the position may be sold later, for example because it is not funded yet. What a cutoff refuses stays refused. */
export const SELLABLE_LATER: readonly Refusal[] = [Refusal.notSellable, Refusal.tooManyOpen]

/** After a bid could not be taken, takes the next one, if it is good enough too. */
export function takeNextBid(holding: HoldingView, refusal: Refusal, desk: BettorDesk, p: Selling): void {
  if (NEXT_OFFER.includes(refusal)) takeGoodBid(holding, desk, p)
}

/**
 * Looks at each position every `every`, and sells it when `isTime` is true for its value per unit of cost, without fees. A held position has
 * one look ahead of it. Asking for an auction takes the place of that look, until the auction is refused or ends.
 */
export function sellWhen(
  p: Selling & ValuesOf<typeof WATCHING>, isTime: (ratio: number) => boolean,
): Omit<BettorHandlers, 'onArrival' | 'onDecision'> {
  const lookLater = (holding: HoldingView, desk: BettorDesk): void => {
    if (holding.checks < p.looks) desk.checkIn(holding, p.every)
  }
  return {
    onOpened: lookLater,
    onCheck(holding, desk) {
      // Without a young price the ratio is NaN, and it is not time.
      if (isTime(desk.expectedPayout(holding, { priceType: 'mid', maxAgeUs: p.maxAge }) / holding.costMicros)) desk.openCashOut(holding, p.listen)
      else lookLater(holding, desk)
    },
    onListened: (holding, desk) => takeGoodBid(holding, desk, p),
    onBid: (holding, desk) => takeGoodBid(holding, desk, p),
    onAuctionEnded(holding, outcome, desk) {
      if (outcome !== AuctionOutcome.sold) lookLater(holding, desk)
    },
    onCashOutRefused(holding, { refusal, retryAfterUs }, desk) {
      if (!holding.canCashOut) return takeNextBid(holding, refusal, desk, p)
      if (SELLABLE_LATER.includes(refusal)) lookLater(holding, desk)
      else if (refusal === Refusal.rateLimited && holding.checks < p.looks) desk.checkIn(holding, Math.max(p.every, retryAfterUs))
    },
  }
}
