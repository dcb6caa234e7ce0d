import { bettor } from '../bettor.ts'
import { type BettorDesk, HoldingDraw } from '../bettorDesk.ts'
import { count, seconds } from '../parameters.ts'
import type { HoldingView } from '../views.ts'
import { AuctionOutcome, Refusal } from '../vocabulary.ts'
import { betAsNoise, NOISE } from './habits.ts'
import { SELLING, SELLABLE_LATER, takeGoodBid, takeNextBid } from './selling.ts'

/**
 * Impatient: bets like noise, holds the position for a drawn time, then auctions it and takes the best bid that reaches a drawn share of
 * its value. Without such a bid it tries again after the same time, `tries` times in all, and then holds to the end.
 */
export default bettor({
  ...NOISE,
  ...SELLING,
  holdMin: seconds(60, { about: 'shortest time that it holds a position' }),
  holdMax: seconds(1800, { about: 'longest time that it holds a position' }),
  tries: count(3, { min: 1, max: 1000, about: 'auctions of a position' }),
}, (p) => {
  const wait = (holding: HoldingView, desk: BettorDesk): void =>
    desk.checkIn(holding, Math.floor(p.holdMin + desk.uniform(holding, HoldingDraw.time) * (p.holdMax - p.holdMin)))
  return {
    ...betAsNoise(p),
    onOpened: wait,
    onCheck: (holding, desk) => desk.openCashOut(holding, p.listen),
    onListened: (holding, desk) => takeGoodBid(holding, desk, p),
    onBid: (holding, desk) => takeGoodBid(holding, desk, p),
    onAuctionEnded(holding, outcome, desk) {
      if (outcome !== AuctionOutcome.sold && holding.auctions < p.tries) wait(holding, desk)
    },
    onCashOutRefused(holding, { refusal, retryAfterUs }, desk) {
      if (holding.canCashOut && SELLABLE_LATER.includes(refusal)) wait(holding, desk)
      else if (holding.canCashOut && refusal === Refusal.rateLimited) desk.checkIn(holding, retryAfterUs)
      else takeNextBid(holding, refusal, desk, p)
    },
  }
}, { about: 'bets as noise does, and sells its positions after a while' })
