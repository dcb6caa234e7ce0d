import { ParlayCode } from '../../venue/parlay/protocol/codes.ts'
import { AuctionState } from '../../venue/parlay/protocol/events.ts'
import { bettor } from '../bettor.ts'
import { type BettorDesk, HoldingDraw } from '../bettorDesk.ts'
import type { HoldingView } from '../holdingView.ts'
import { count, seconds } from '../parameters.ts'
import { betAsNoise, NOISE } from './habits.ts'
import { SELLING, takeGoodBid, takeNextBid } from './selling.ts'

/**
 * Impatient: bets as noise does, holds the position for a drawn time, then auctions it and takes the best bid that reaches a drawn
 * share of its value; without one it tries again after as long, `tries` times in all, and then holds to the end.
 */
export default bettor({
  ...NOISE,
  ...SELLING,
  holdMin: seconds(60, { about: 'shortest time that it holds a position' }),
  holdMax: seconds(1800, { about: 'longest time that it holds a position' }),
  tries: count(3, { min: 1, max: 1000, about: 'auctions of a position' }),
}, (p) => {
  const hold = (holding: HoldingView, desk: BettorDesk): void =>
    desk.checkIn(holding, Math.floor(p.holdMin + desk.uniform(holding, HoldingDraw.time) * (p.holdMax - p.holdMin)))
  return {
    ...betAsNoise(p),
    onOpened: hold,
    onCheck: (holding, desk) => desk.cashOut(holding, p.listen),
    onListened: (holding, desk) => takeGoodBid(holding, desk, p),
    onBid: (holding, desk) => takeGoodBid(holding, desk, p),
    onAuctionEnded(holding, code, desk) {
      if (code !== AuctionState.committed && holding.auctions < p.tries) hold(holding, desk)
    },
    onCashoutRefused(holding, code, desk) {
      // Not funded yet: it cannot be sold, but will be.
      if (holding.isHeld && code === ParlayCode.conflict) hold(holding, desk)
      else if (holding.isHeld && code === ParlayCode.rateLimited) desk.checkIn(holding, holding.retryAfterUs)
      else takeNextBid(holding, code, desk, p)
    },
  }
}, { about: 'bets as noise does, and sells its positions after a while' })
