import { type MarketFacts, noFacts } from '../market/marketFacts.ts'
import { legPrice, Price, PRICE_STRIDE, type PriceBoard, productPrice } from '../market/priceBoard.ts'
import { PublishedResults } from '../market/publishedResults.ts'
import type { Image, Snapshot } from '../unit/snapshot.ts'
import { ODDS_ONE, oddsE4FloorOfProbability } from '../unit/odds.ts'
import { BPS } from '../unit/micros.ts'
import { LegRisks } from './legRisks.ts'
import { settledProduct } from './legValue.ts'
import { checkDelay, checkNumber, HIDDEN, refuse } from './refuse.ts'
import type { AuctionView, LegsView, PositionView, RequestView, SelectionView } from './views.ts'

/** How a leg is priced: what taking it costs, what giving it brings, or the middle. */
export type PriceSide = 'ask' | 'bid' | 'mid'

export interface PriceOptions {
  readonly side: PriceSide
  /** A leg whose last update is older than this has no price. */
  readonly maxAgeMs: number
}

export interface QuoteTerms {
  /** Implied probability of the offer, above 0; odds are its inverse rounded down, against the bettor. */
  readonly probability: number
  /** A whole number above 0. */
  readonly validMs: number
  /** The maker's fair probability, 0…1, recorded beside the quote. */
  readonly fair?: number
}

/** A bid: a price, or the probability that makes it: the payout times it, rounded down and held under the auction's highest price. */
export type BidTerms = ({ readonly priceMicros: number } | { readonly probability: number }) & {
  /** A whole number above 0. */
  readonly validMs: number
  /** The maker's fair probability, 0…1, recorded beside the bid. */
  readonly fair?: number
}

/** What a maker wants to lay off: a bet on the same legs, on the other service. */
export interface LayOffTerms {
  /** What the bet costs, that service's entry fee included: a whole number of microUSDC above 0. */
  readonly stakeMicros: number
  /** Lowest odds that are taken, above 1; four decimals count. */
  readonly minOdds: number
  /** From now to the decision, a whole number of µs. */
  readonly decideInUs: number
}

/** Joint exposure of open positions to a set of legs, microUSDC. */
export interface Exposure {
  /** Largest, over the legs, of the risk of all open positions that hold that very leg. */
  worst: number
  /** The risk of all open positions. */
  total: number
}

/** Where a desk's commands go: the engine, which delays them on the way to the venue. */
export interface MakerPort {
  /** `probability` is what `oddsE4` are the odds of, before rounding. */
  submitQuote(seat: number, request: RequestView, oddsE4: number, validMs: number, memoE9: number, probability: number): void
  withdrawQuote(seat: number, request: RequestView): void
  submitBid(seat: number, auction: AuctionView, priceMicros: number, validMs: number, memoE9: number): void
  openCashout(seat: number, position: PositionView): void
  /** `minPriceMicros` is the lowest price taken. */
  takeBid(seat: number, position: PositionView, minPriceMicros: number): void
  cancelCashout(seat: number, position: PositionView): void
  checkIn(seat: number, position: PositionView, delayUs: number): void
  decide(seat: number, selection: SelectionView, confirm: boolean): void
  decideLater(seat: number, selection: SelectionView, delayUs: number): void
  later(seat: number, request: RequestView, delayUs: number): void
  /** False when the maker has no account on the other service, or that service takes no such bet. */
  layOff(seat: number, position: PositionView, stakeMicros: number, minOddsE4: number, decideInUs: number): boolean
}

/**
 * A maker's desk: what it knows (delivered prices, its own capital and positions as delivered) and what it can do.
 * It never shows results, actual closes, other makers' capital or losing quotes (design.md, decision 12).
 */
export class MakerDesk implements Snapshot {
  declare readonly seat: number
  declare readonly name: string
  nowUs = 0
  /** Capital not at risk, as far as delivered fills and settlements tell. */
  freeMicros = 0
  capitalMicros = 0
  openPositions = 0
  openRiskMicros = 0
  /** Positions that the maker holds, and what it paid for them: part of `capitalMicros`, not of `freeMicros`. */
  heldPositions = 0
  heldCostMicros = 0
  passes = 0
  /** Requests and new versions delivered so far. */
  requests = 0
  private declare readonly risks: LegRisks
  private declare readonly port: MakerPort
  private declare readonly board: PriceBoard
  private declare readonly results: PublishedResults
  private declare readonly facts: MarketFacts
  private joint: Exposure = { worst: 0, total: 0 }

  constructor(
    seat: number, name: string, capitalMicros: number, board: PriceBoard, marketCount: number, port: MakerPort,
    results = new PublishedResults(marketCount), facts = noFacts(marketCount), risks = new LegRisks(marketCount, seat + 1),
  ) {
    this.seat = seat
    this.name = name
    this.capitalMicros = capitalMicros
    this.freeMicros = capitalMicros
    this.board = board
    this.port = port
    this.results = results
    this.facts = facts
    this.risks = risks
  }

  /** Probability of all legs together as the product of leg prices; undefined when a leg has none young enough. */
  price(legs: LegsView, options: PriceOptions): number | undefined {
    if (legs.legCount < 0) refuse(HIDDEN, this.price)
    const product = productPrice(
      this.board, legs.markets, legs.sides, 0, legs.legCount, options.side, this.nowUs, options.maxAgeMs * 1000,
    )
    return product > 0 ? product : undefined
  }

  /**
   * The same for legs that may have ended: one whose result has been delivered counts 0 or 1. Undefined when a leg without a
   * result has no price young enough, or one is void.
   */
  chance(legs: LegsView, options: PriceOptions): number | undefined {
    if (legs.legCount < 0) refuse(HIDDEN, this.chance)
    const product = settledProduct(
      this.board, this.results, legs.markets, legs.sides, 0, legs.legCount, options.side, this.nowUs, options.maxAgeMs * 1000,
    )
    return product >= 0 ? product : undefined
  }

  /** Price of leg `i` alone; undefined when it has none young enough. */
  legPrice(legs: LegsView, i: number, options: PriceOptions): number | undefined {
    const price = legPrice(this.board, legs.markets[i]!, legs.sides[i]!, options.side, this.nowUs, options.maxAgeMs * 1000)
    return price >= 0 ? price : undefined
  }

  /** Contracts at the touch of leg `i`: what could be bought at its ask; −1 unknown. */
  legDepth(legs: LegsView, i: number): number {
    return this.board.cells[legs.markets[i]! * PRICE_STRIDE + (legs.sides[i] === 1 ? Price.askSize : Price.bidSize)]!
  }

  /** Age of the delivered price of leg `i`, µs; Infinity when it never had one. */
  priceAgeUs(legs: LegsView, i: number): number {
    const atUs = this.board.stampUs(legs.markets[i]!)
    return atUs < 0 ? Infinity : this.nowUs - atUs
  }

  /**
   * What the public list says of leg `i`'s market, as a number that markets with the same text share; −1 where it says nothing. All of it
   * is known from the market's opening on (design.md, decision 11), and no leg is asked for before.
   */
  category(legs: LegsView, i: number): number {
    return this.facts.category[legs.markets[i]!]!
  }

  event(legs: LegsView, i: number): number {
    return this.facts.event[legs.markets[i]!]!
  }

  /** Markets of one game, as an evening's match, are correlated. */
  game(legs: LegsView, i: number): number {
    return this.facts.game[legs.markets[i]!]!
  }

  /** The category of leg `i`'s game, so that a game lies in one whatever legs are asked for; of its market where it has no game. */
  gameCategory(legs: LegsView, i: number): number {
    return this.facts.gameCategory[legs.markets[i]!]!
  }

  /** Risk of the open positions that hold leg `i`, less that of those that hold its market's other side, microUSDC. */
  netLegRisk(legs: LegsView, i: number): number {
    if (legs.legCount < 0) refuse(HIDDEN, this.netLegRisk)
    const { risks, seat } = this
    const market = legs.markets[i]!
    const side = legs.sides[i]!
    return risks.micros[risks.at(market, side, seat)]! - risks.micros[risks.at(market, 1 - side, seat)]!
  }

  /** The answer is reused by the next call. */
  exposure(legs: LegsView): Exposure {
    if (legs.legCount < 0) refuse(HIDDEN, this.exposure)
    const { risks, seat } = this
    let worst = 0
    for (let i = 0; i < legs.legCount; i++) {
      const risk = risks.micros[risks.at(legs.markets[i]!, legs.sides[i]!, seat)]!
      if (risk > worst) worst = risk
    }
    this.joint.worst = worst
    this.joint.total = this.openRiskMicros
    return this.joint
  }

  /** What the maker would lose on the request at this offer if every leg wins, microUSDC, before odds are rounded. */
  riskOf(request: RequestView, probability: number): number {
    return request.stakeMicros * (1 / probability - 1)
  }

  /** Offers odds on the request's version; replaces the maker's standing quote on it. Throws for terms that are none. */
  quote(request: RequestView, terms: QuoteTerms): void {
    checkNumber(request.request, this.quote)
    const { probability, validMs, fair } = terms
    if (!(probability > 0 && probability < Infinity)) refuse(`a quote needs a finite probability above 0, not ${probability}`, this.quote)
    if (!(Number.isSafeInteger(validMs) && validMs > 0)) refuse(`a quote is valid for a whole number of ms above 0, not ${validMs}`, this.quote)
    if (fair !== undefined && !(fair >= 0 && fair <= 1)) refuse(`a fair probability lies within 0 … 1, not at ${fair}`, this.quote)
    const memoE9 = fair === undefined ? -1 : Math.round(fair * 1e9)
    this.port.submitQuote(this.seat, request, oddsE4FloorOfProbability(probability), validMs, memoE9, probability)
  }

  /**
   * Price at which buying an auctioned position gains nothing on average, microUSDC, when its legs win with probability `fair`.
   * Own position: what backing it on would cost, fair × payout, and more where the maker's own gain bears a fee. Another's: the payout
   * less the profit fee that this maker would bear, in proportion to `fair`.
   */
  worth(auction: AuctionView, fair: number): number {
    checkNumber(auction.auction, this.worth)
    const { payoutMicros, basisMicros, isBacker } = auction
    if (isBacker) return this.worthToBacker(auction, fair)
    const fee = auction.profitFeeBps / BPS
    // With the price as basis it solves price = fair × (payout − fee × (payout − price)).
    if (basisMicros < 0) return (fair * payoutMicros * (1 - fee)) / (1 - fair * fee)
    return fair * (payoutMicros - fee * Math.max(0, payoutMicros - basisMicros))
  }

  /**
   * Backing on brings payout − fee × stake when the legs lose, buying back payout − price − fee × (stake − price), without the last
   * term at a price above the stake (profitFeeOnMaker).
   */
  private worthToBacker({ payoutMicros, stakeMicros, makerFeeBps }: AuctionView, fair: number): number {
    const fee = makerFeeBps / BPS
    if (fee === 0) return fair * payoutMicros
    const below = fair * stakeMicros + (fair * (payoutMicros - stakeMicros)) / (1 - fee)
    return below <= stakeMicros ? below : fair * payoutMicros + (1 - fair) * fee * stakeMicros
  }

  /** Bids for an auctioned position; replaces the maker's standing bid on it. Throws for terms that are none. */
  bid(auction: AuctionView, terms: BidTerms): void {
    checkNumber(auction.auction, this.bid)
    const { validMs, fair } = terms
    const priceMicros = 'priceMicros' in terms
      ? terms.priceMicros : Math.min(Math.floor(auction.payoutMicros * terms.probability), auction.maxPriceMicros)
    if (!(Number.isSafeInteger(priceMicros) && priceMicros > 0)) {
      refuse(`a bid is a whole number of microUSDC above 0, not ${priceMicros}`, this.bid)
    }
    if (!(Number.isSafeInteger(validMs) && validMs > 0)) refuse(`a bid is valid for a whole number of ms above 0, not ${validMs}`, this.bid)
    if (fair !== undefined && !(fair >= 0 && fair <= 1)) refuse(`a fair probability lies within 0 … 1, not at ${fair}`, this.bid)
    this.port.submitBid(this.seat, auction, priceMicros, validMs, fair === undefined ? -1 : Math.round(fair * 1e9))
  }

  /** What a held position brings at its end on average, microUSDC, when its legs win with probability `fair`: less the profit fee. */
  heldWorth(position: PositionView, fair: number): number {
    checkNumber(position.position, this.heldWorth)
    const { payoutMicros, basisMicros, profitFeeBps } = position
    return fair * (payoutMicros - (profitFeeBps / BPS) * Math.max(0, payoutMicros - basisMicros))
  }

  /** Opens a cash-out auction of a position that it holds (PQ-416); bids reach `onBid`. None may be under way. */
  cashOut(position: PositionView): void {
    checkNumber(position.position, this.cashOut)
    if (!position.isHeld) refuse('only a position that the maker holds can be sold', this.cashOut)
    if (!position.isFree) refuse('an auction of the position is under way', this.cashOut)
    this.port.openCashout(this.seat, position)
  }

  /** Sells to the best bid if it is at least `minPriceMicros`, a whole number above 0. An auction of the position must run. */
  takeBid(position: PositionView, minPriceMicros: number): void {
    checkNumber(position.position, this.takeBid)
    if (!position.isAuctioned) refuse('there is no auction of the position', this.takeBid)
    if (!(Number.isSafeInteger(minPriceMicros) && minPriceMicros > 0)) {
      refuse(`a lowest price is a whole number of microUSDC above 0, not ${minPriceMicros}`, this.takeBid)
    }
    this.port.takeBid(this.seat, position, minPriceMicros)
  }

  /** Ends its auction of the position, which must run. */
  cancelCashOut(position: PositionView): void {
    checkNumber(position.position, this.cancelCashOut)
    if (!position.isAuctioned) refuse('there is no auction of the position', this.cancelCashOut)
    this.port.cancelCashout(this.seat, position)
  }

  /** Asks for `onCheck` with this held position after `delayUs`, a whole number; nothing comes if it has ended by then. */
  checkIn(position: PositionView, delayUs: number): void {
    checkNumber(position.position, this.checkIn)
    checkDelay(delayUs, this.nowUs, this.checkIn)
    this.port.checkIn(this.seat, position, delayUs)
  }

  /**
   * Lays a part of a position that the maker backs off on the other service: asks there for prices on the same legs, with the maker's
   * own account of a taker, and takes the best offer at or above `minOdds` when `decideInUs` is over, else lets it go. False, and
   * nothing happens, when the maker has no such account, or legs, stake and odds are beyond that service's limits. What it costs and brings is that account's: money never crosses.
   */
  layOff(position: PositionView, terms: LayOffTerms): boolean {
    checkNumber(position.position, this.layOff)
    if (position.isHeld) refuse('only a position that the maker backs can be laid off', this.layOff)
    const { stakeMicros, minOdds, decideInUs } = terms
    if (!(Number.isSafeInteger(stakeMicros) && stakeMicros > 0)) refuse(`a stake is a whole number of microUSDC above 0, not ${stakeMicros}`, this.layOff)
    if (!(minOdds > 1 && minOdds < Infinity)) refuse(`lowest odds are finite and above 1, not ${minOdds}`, this.layOff)
    checkDelay(decideInUs, this.nowUs, this.layOff)
    return this.port.layOff(this.seat, position, stakeMicros, Math.round(minOdds * ODDS_ONE), decideInUs)
  }

  /** Lets the request go by; counted. */
  pass(_reason: string): void {
    this.passes++
  }

  withdraw(request: RequestView): void {
    checkNumber(request.request, this.withdraw)
    this.port.withdrawQuote(this.seat, request)
  }

  confirm(selection: SelectionView): void {
    checkNumber(selection.request, this.confirm)
    this.port.decide(this.seat, selection, true)
  }

  decline(selection: SelectionView): void {
    checkNumber(selection.request, this.decline)
    this.port.decide(this.seat, selection, false)
  }

  /** Asks for `onDecision` with this selection of a quote after `delayUs`, a whole number; the window runs on meanwhile. */
  decideLater(selection: SelectionView, delayUs: number): void {
    checkNumber(selection.request, this.decideLater)
    checkDelay(delayUs, this.nowUs, this.decideLater)
    if (selection.position >= 0) refuse('a taken bid is decided while it is being shown', this.decideLater)
    this.port.decideLater(this.seat, selection, delayUs)
  }

  /** Asks for `onLater` with this request after `delayUs`, a whole number. */
  later(request: RequestView, delayUs: number): void {
    checkNumber(request.request, this.later)
    checkDelay(delayUs, this.nowUs, this.later)
    this.port.later(this.seat, request, delayUs)
  }

  /** Follows delivered prices up to now; the engine calls it before each handler. */
  wake(nowUs: number): void {
    this.nowUs = nowUs
    this.board.advance(nowUs)
  }

  /** Makes the last answer about exposure useless, as the views' `poison` does. */
  poison(): void {
    this.joint.worst = this.joint.total = NaN
    this.joint = { worst: 0, total: 0 }
  }

  /** Books a delivered fill. */
  opened(legs: LegsView, riskMicros: number): void {
    this.openPositions++
    this.openRiskMicros += riskMicros
    this.freeMicros -= riskMicros
    this.risks.add(this.seat, legs, riskMicros)
  }

  /** Books a delivered end of a position that paid `returnedMicros` to the maker. */
  closed(legs: LegsView, riskMicros: number, returnedMicros: number): void {
    this.openPositions--
    this.openRiskMicros -= riskMicros
    this.freeMicros += returnedMicros
    this.capitalMicros += returnedMicros - riskMicros
    this.risks.add(this.seat, legs, -riskMicros)
  }

  /** Books a delivered position that the maker holds from now on, for what it paid. */
  bought(costMicros: number): void {
    this.heldPositions++
    this.heldCostMicros += costMicros
    this.freeMicros -= costMicros
  }

  /** Books a delivered end of a position that it held. */
  heldEnded(costMicros: number, receivedMicros: number): void {
    this.heldPositions--
    this.heldCostMicros -= costMicros
    this.freeMicros += receivedMicros
    this.capitalMicros += receivedMicros - costMicros
  }

  /** Books money that the maker took out. */
  withdrew(amountMicros: number): void {
    this.freeMicros -= amountMicros
    this.capitalMicros -= amountMicros
  }

  snapshot(): Image {
    return {
      nowUs: this.nowUs, freeMicros: this.freeMicros, capitalMicros: this.capitalMicros, openPositions: this.openPositions,
      openRiskMicros: this.openRiskMicros, heldPositions: this.heldPositions, heldCostMicros: this.heldCostMicros, passes: this.passes, requests: this.requests, legRisk: this.risks.ofSeat(this.seat),
    }
  }

  restore(image: Image): void {
    const { legRisk, ...scalars } = image as { legRisk: Float64Array } & Record<string, number>
    Object.assign(this, scalars)
    this.risks.setSeat(this.seat, legRisk)
  }
}
