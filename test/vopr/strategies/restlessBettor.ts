import { bettor, type BettorDesk, type BettorHandlers, count, type HoldingView, type IntentView, IntentDraw, isKnown, pct, seconds, usd } from 'parlor'

/** Fields of an intent's draws that the desk leaves to strategies: one for each decision. */
const DECISION_FIELD = 7
const DECISION_FIELDS = 8
/** The same of a position. */
const HOLDING_FIELD = 112
const HOLDING_FIELDS = 16

/**
 * Tries everything that a bettor can wish, by draws: it asks for any number of legs and any bet, also ones that are refused, takes offers,
 * waits, cancels, lets requests lapse, offers its positions, sells, cancels and looks again.
 */
export default bettor({
  legsMin: count(1, { min: 1, max: 16 }),
  legsMax: count(4, { min: 1, max: 16 }),
  betMin: usd(1, { min: 0.000001 }),
  betMax: usd(100, { min: 0.000001 }),
  priceMin: pct(3, { max: 49, about: 'legs are priced within this and its complement' }),
  floor: pct(70, { max: 200, about: 'least share of fair odds taken' }),
  commit: pct(70, { about: 'share of decisions that take the best offer' }),
  cancel: pct(10, { about: 'share of the others that cancel the request' }),
  wait: pct(80, { about: 'share of the rest that wait' }),
  sell: pct(60, { about: 'share of looks at a position at which something is done with it' }),
  dropAuction: pct(10, { about: 'share of bids after which the auction is cancelled' }),
  decideMax: seconds(10, { min: 0.000001, max: 3600, about: 'longest time to a decision' }),
  lookMax: seconds(120, { min: 0.000001, max: 36_000, about: 'longest time to a look at a position' }),
  looks: count(10, { min: 0, max: 100 }),
  maxAge: seconds(600, { max: 1e6 }),
}, (p): BettorHandlers => {
  const drawOf = (intent: IntentView, desk: BettorDesk, salt = 0): number => desk.uniform(intent, DECISION_FIELD + ((2 * intent.decisions + salt) % DECISION_FIELDS))
  const heldDraw = (holding: HoldingView, desk: BettorDesk, salt = 0): number => desk.uniform(holding, HOLDING_FIELD + ((3 * holding.checks + 5 * holding.auctions + salt) % HOLDING_FIELDS))
  const lookLater = (holding: HoldingView, desk: BettorDesk): void => {
    if (holding.checks < p.looks) desk.checkIn(holding, 1 + Math.floor(p.lookMax * heldDraw(holding, desk, 1)))
  }
  const onOffer = (holding: HoldingView, desk: BettorDesk): void => {
    if (!holding.isAuctioned) return
    const draw = heldDraw(holding, desk, 2)
    if (isKnown(holding.bestPriceMicros) && draw < p.sell) desk.takeBid(holding, Math.max(1, Math.floor(holding.bestPriceMicros * (0.5 + 0.6 * draw))))
    else if (draw > 1 - p.dropAuction) desk.cancelCashOut(holding)
  }
  return {
    onArrival(intent, desk) {
      const legs = p.legsMin + Math.floor(desk.uniform(intent, IntentDraw.legCount) * (Math.max(p.legsMin, p.legsMax) - p.legsMin + 1))
      if (!desk.pickLegs(intent, legs, p.priceMin, p.maxAge)) return
      const fair = desk.price(intent.legs, { priceType: 'mid', maxAgeUs: p.maxAge })
      const bet = p.betMin + desk.uniform(intent, IntentDraw.stake) * (Math.max(p.betMin, p.betMax) - p.betMin)
      const odds = fair > 0 ? Math.floor((p.floor / fair) * 10_000) : 10_001
      desk.requestQuote(intent, {
        betMicros: Math.max(1, Math.floor(bet)), minOddsE4: Math.min(1e9, Math.max(10_001, odds)), decideInUs: 1 + Math.floor(p.decideMax * desk.uniform(intent, IntentDraw.delay)),
      })
    },
    onDecision(intent, desk) {
      const draw = drawOf(intent, desk)
      if (draw < p.commit && intent.bestOddsE4 >= intent.minOddsE4) return desk.commit(intent)
      const other = drawOf(intent, desk, 1)
      if (other < p.cancel) desk.cancelRequest(intent)
      else if (other < p.cancel + p.wait && intent.decisions < 20) desk.wait(intent, 1 + Math.floor(p.decideMax * draw))
    },
    onRefused(intent, _refusal, desk) {
      if (intent.decisions < 20) desk.wait(intent, 1 + Math.floor(p.decideMax * drawOf(intent, desk)))
    },
    onOpened: lookLater,
    onCheck(holding, desk) {
      const draw = heldDraw(holding, desk)
      if (holding.canCashOut && draw < p.sell) desk.openCashOut(holding, draw < p.sell / 2 ? 1 + Math.floor(draw * 5_000_000) : undefined)
      else if (holding.isAuctioned) onOffer(holding, desk)
      lookLater(holding, desk)
    },
    onListened: onOffer,
    onBid: onOffer,
    onAuctionEnded: (holding, _outcome, desk) => lookLater(holding, desk),
    onCashOutRefused: (holding, _refusal, desk) => { if (holding.canCashOut) lookLater(holding, desk) },
  }
}, { about: 'tries everything that a bettor can wish, by draws' })
