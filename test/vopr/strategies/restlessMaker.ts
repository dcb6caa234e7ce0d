import {
  type AuctionView, isKnown, type LegsView, maker, type MakerDesk, type MakerHandlers, pct, type PositionView, type RequestView, seconds, type SelectionView,
} from 'parlor'

/**
 * Tries everything that a maker can wish, by draws: it quotes at any margin, quotes again, withdraws, passes, thinks, declines, keeps silent,
 * bids, buys back, offers what it holds, sells, cancels and lays off.
 */
export default maker({
  marginMin: pct(-10, { min: -90, max: 100, about: 'least margin on the fair probability' }),
  marginMax: pct(15, { min: -90, max: 300, about: 'largest margin' }),
  pass: pct(5, { about: 'share of requests that it lets go by' }),
  later: pct(20, { about: 'share of requests that it thinks about, again and again' }),
  requote: pct(20, { about: 'share of news about the best quote that it answers with another quote' }),
  withdraw: pct(10, { about: 'share of news after which it withdraws its quote, and another one that it remembers' }),
  decline: pct(10, { about: 'share of last looks that it declines' }),
  mute: pct(5, { about: 'share of last looks that it does not answer' }),
  ponder: pct(15, { about: 'share of last looks that it thinks about' }),
  bid: pct(60, { about: 'share of auctions, and of news about them, in which it bids' }),
  sell: pct(40, { about: 'share of looks at a held position at which it offers it, takes a bid or cancels' }),
  lay: pct(30, { about: 'share of fills that it lays off in part' }),
  think: seconds(1, { min: 0.000001, max: 60, about: 'longest time of thinking' }),
  validMin: seconds(5, { min: 0.001, max: 3600, about: 'shortest validity that it asks for' }),
  validMax: seconds(60, { min: 0.001, max: 3600, about: 'longest validity' }),
  maxAge: seconds(600, { max: 1e6, about: 'oldest price used' }),
}, (p, seat): MakerHandlers => {
  const state = { last: 0 }
  const chance = (share: number): boolean => seat.random() < share
  const between = (low: number, high: number): number => low + (high - low) * seat.random()
  const span = (lowUs: number, highUs: number): number => Math.max(1000, Math.floor(between(lowUs, Math.max(lowUs, highUs))))
  const fairOf = (legs: LegsView, desk: MakerDesk): number => desk.price(legs, { priceType: chance(0.5) ? 'ask' : 'mid', maxAgeUs: p.maxAge })
  const quote = (request: RequestView, desk: MakerDesk): void => {
    const fair = fairOf(request.legs, desk)
    const probability = fair * (1 + between(p.marginMin, p.marginMax))
    if (!(probability > 0)) return desk.pass('no price')
    state.last = request.request
    desk.quote(request, { probability: Math.min(probability, 0.999), validUs: span(p.validMin, p.validMax), ...(chance(0.5) && fair <= 1 ? { fair } : {}) })
  }
  const answer = (selection: SelectionView, desk: MakerDesk): void => {
    if (chance(p.mute)) return
    if (chance(p.decline)) desk.decline(selection)
    else desk.confirm(selection)
  }
  const look = (selection: SelectionView, desk: MakerDesk): void => {
    if (chance(p.ponder)) desk.decideLater(selection, span(1, p.think))
    else answer(selection, desk)
  }
  const bid = (auction: AuctionView, desk: MakerDesk): void => {
    if (auction.isSeller || !chance(p.bid)) return
    const win = desk.winProbability(auction.legs, { priceType: 'mid', maxAgeUs: p.maxAge })
    const probability = (isKnown(win) ? win : 0.5) * (1 - between(p.marginMin, p.marginMax))
    const validUs = span(p.validMin, p.validMax)
    // At the highest price that it may bid, now and then.
    if (chance(0.1)) desk.bid(auction, { priceMicros: auction.maxPriceMicros, validUs })
    else if (probability * auction.payoutMicros >= 1) desk.bid(auction, { probability: Math.min(1, probability), validUs, fair: Math.min(1, Math.max(0, probability)) })
  }
  const sell = (position: PositionView, desk: MakerDesk): void => {
    if (!position.isHolder) return
    if (position.canCashOut && chance(p.sell)) desk.openCashOut(position)
    else if (position.isAuctioned && isKnown(position.bestPriceMicros) && chance(p.sell)) desk.takeBid(position, Math.max(1, Math.floor(position.bestPriceMicros * between(0.5, 1.05))))
    else if (position.isAuctioned && chance(p.sell / 4)) desk.cancelCashOut(position)
  }
  const again = (position: PositionView, desk: MakerDesk): void => {
    if (position.checks < 20) desk.checkIn(position, span(1, 20 * p.think))
  }
  return {
    state,
    onRequest(request, desk) {
      if (chance(p.pass)) return desk.pass('a draw')
      if (chance(p.later)) desk.later(request, span(1, p.think))
      else quote(request, desk)
    },
    onLater(request, desk) {
      if (chance(p.later)) desk.later(request, span(1, p.think))
      if (chance(p.withdraw)) desk.withdrawQuote(request)
      else quote(request, desk)
    },
    onBest(request, desk) {
      if (chance(p.requote)) quote(request, desk)
      else if (chance(p.withdraw)) desk.withdrawQuote(chance(0.5) || state.last === 0 ? request : state.last)
    },
    onSelected: look,
    onDecision: answer,
    onBidTaken: answer,
    onOpened(position, desk) {
      if (!chance(p.lay)) return
      const betMicros = Math.max(1, Math.floor(position.payoutMicros * between(0.05, 0.5)))
      desk.layOff(position, { betMicros, minOddsE4: 10_001 + Math.floor(between(0, 10_000)), decideInUs: span(1, 10 * p.think) })
    },
    onCashOut: bid,
    onBestBid: bid,
    onBought: again,
    onCheck(position, desk) {
      sell(position, desk)
      again(position, desk)
    },
    onBid: sell,
    onAuctionEnded: (position, _outcome, desk) => { if (position.canCashOut) again(position, desk) },
    onCashOutRefused: (position, _refusal, desk) => { if (position.canCashOut) again(position, desk) },
  }
}, { about: 'tries everything that a maker can wish, by draws' })
