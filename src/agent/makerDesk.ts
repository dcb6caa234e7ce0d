import { type MarketFacts, noFacts } from '../market/marketFacts.ts'
import { legPrice, Price, PRICE_STRIDE, type PriceBoard, productPrice } from '../market/priceBoard.ts'
import { PublishedResults } from '../market/publishedResults.ts'
import type { Image, Snapshot } from '../unit/snapshot.ts'
import { ODDS_ONE, oddsE4FloorOfProbability } from '../unit/odds.ts'
import { BPS } from '../unit/micros.ts'
import { MS_US } from '../unit/time.ts'
import { LegRisks } from './legRisks.ts'
import { settledProduct } from './legValue.ts'
import { checkDelay, checkNumber, HIDDEN, refuse } from './refuse.ts'
import { type AuctionView, LegsRow, type LegsView, orUnknown, type PositionView, type RequestView, type SelectionView } from './views.ts'
import { isKnown, type PriceType, Side } from './vocabulary.ts'

/** A shorter life of an offer is none to a service that counts milliseconds. */
const VALID_US_MIN = MS_US

export interface PriceOptions {
  readonly priceType: PriceType
  /** A leg whose last update is older than this has no price. */
  readonly maxAgeUs: number
}

export interface QuoteTerms {
  /** Implied probability of the offer, above 0; odds are its inverse rounded down, against the bettor. */
  readonly probability: number
  /** How long the offer stands, a whole number from 1,000 on; the services cut it to milliseconds or seconds. */
  readonly validUs: number
  /** The maker's fair probability, 0…1, recorded beside the quote. */
  readonly fair?: number
}

/** A bid: a price, or the probability that makes it: the payout times it, rounded down and held under the auction's highest price. */
export type BidTerms = ({ readonly priceMicros: number } | { readonly probability: number }) & {
  /** How long the offer stands, a whole number from 1,000 on; the services cut it to milliseconds or seconds. */
  readonly validUs: number
  /** The maker's fair probability, 0…1, recorded beside the bid. */
  readonly fair?: number
}

/** What a maker wants to lay off: a bet on the same legs, on the other service. */
export interface LayOffTerms {
  /** What the bet costs, that service's fee included: a whole number above 0. */
  readonly betMicros: number
  /** Lowest odds that are taken, four decimals: a whole number above 10,000. */
  readonly minOddsE4: number
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
  submitQuote(seat: number, request: RequestView, oddsE4: number, validUs: number, memoE9: number, probability: number): void
  withdrawQuote(seat: number, request: RequestView): void
  submitBid(seat: number, auction: AuctionView, priceMicros: number, validUs: number, memoE9: number): void
  openCashOut(seat: number, position: PositionView): void
  /** `minPriceMicros` is the lowest price taken. */
  takeBid(seat: number, position: PositionView, minPriceMicros: number): void
  cancelCashOut(seat: number, position: PositionView): void
  checkIn(seat: number, position: PositionView, delayUs: number): void
  decide(seat: number, selection: SelectionView, confirm: boolean): void
  decideLater(seat: number, selection: SelectionView, delayUs: number): void
  later(seat: number, request: RequestView, delayUs: number): void
  /** False when the maker has no account on the other service, or that service takes no such bet. */
  layOff(seat: number, position: PositionView, betMicros: number, minOddsE4: number, decideInUs: number): boolean
}

/** A maker's desk as its strategy may use it: nothing on it can be written, and what the engine books on it is not there. */
export type MakerDesk = Readonly<Pick<SeatDesk,
  'name' | 'nowUs' | 'freeMicros' | 'capitalMicros' | 'openPositions' | 'openRiskMicros' | 'heldPositions' | 'heldCostMicros'
  | 'price' | 'legPrice' | 'legDepth' | 'priceAgeUs' | 'winProbability' | 'category' | 'event' | 'game' | 'gameCategory'
  | 'exposure' | 'netLegRisk' | 'riskOf' | 'breakEvenPrice' | 'positionValue' | 'quote' | 'withdrawQuote' | 'pass' | 'later'
  | 'confirm' | 'decline' | 'decideLater' | 'bid' | 'openCashOut' | 'takeBid' | 'cancelCashOut' | 'checkIn' | 'layOff'>>

const isValidity = (validUs: number): boolean => Number.isSafeInteger(validUs) && validUs >= VALID_US_MIN

/** The columns of legs that a view shows; others are refused, and those of a view after its call. */
function rowOf(legs: LegsView, method: (...values: never[]) => unknown): LegsRow {
  if (!(legs instanceof LegsRow)) refuse('legs are those of a view', method)
  if (legs.count < 0) refuse(HIDDEN, method)
  return legs
}

/**
 * A maker's desk: what it knows (delivered prices, its own capital and positions as delivered) and what it can do.
 * It never shows results, actual closes, other makers' capital or losing quotes (design.md, decision 12).
 */
export class SeatDesk implements Snapshot {
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

  /** Probability of all legs together as the product of leg prices; NaN when a leg has none young enough. */
  price(legs: LegsView, { priceType, maxAgeUs }: PriceOptions): number {
    const { markets, sides, count } = rowOf(legs, this.price)
    return productPrice(this.board, markets, sides, 0, count, priceType, this.nowUs, maxAgeUs)
  }

  /**
   * The same for legs that may have ended: one whose result has been delivered counts 0 or 1. NaN when a leg without a
   * result has no price young enough, or one is void.
   */
  winProbability(legs: LegsView, { priceType, maxAgeUs }: PriceOptions): number {
    const { markets, sides, count } = rowOf(legs, this.winProbability)
    return orUnknown(settledProduct(this.board, this.results, markets, sides, 0, count, priceType, this.nowUs, maxAgeUs))
  }

  /** Price of leg `i` alone; NaN when it has none young enough. */
  legPrice(legs: LegsView, i: number, { priceType, maxAgeUs }: PriceOptions): number {
    return legPrice(this.board, legs.market(i), legs.side(i), priceType, this.nowUs, maxAgeUs)
  }

  /** Contracts at the touch of leg `i`: what could be bought at its ask; NaN: unknown. */
  legDepth(legs: LegsView, i: number): number {
    return orUnknown(this.board.cells[legs.market(i) * PRICE_STRIDE + (legs.side(i) === Side.yes ? Price.askSize : Price.bidSize)]!)
  }

  /** Age of the delivered price of leg `i`, µs; Infinity when it never had one. */
  priceAgeUs(legs: LegsView, i: number): number {
    const atUs = this.board.stampUs(legs.market(i))
    return atUs < 0 ? Infinity : this.nowUs - atUs
  }

  /**
   * What the public list says of leg `i`'s market, as a number that markets with the same text share; NaN where it says nothing. All of it
   * is known from the market's opening on (design.md, decision 11), and no leg is asked for before.
   */
  category(legs: LegsView, i: number): number {
    return orUnknown(this.facts.category[legs.market(i)]!)
  }

  event(legs: LegsView, i: number): number {
    return orUnknown(this.facts.event[legs.market(i)]!)
  }

  /** Markets of one game, as an evening's match, are correlated. */
  game(legs: LegsView, i: number): number {
    return orUnknown(this.facts.game[legs.market(i)]!)
  }

  /** The category of leg `i`'s game, so that a game lies in one whatever legs are asked for; of its market where it has no game. */
  gameCategory(legs: LegsView, i: number): number {
    return orUnknown(this.facts.gameCategory[legs.market(i)]!)
  }

  /** Risk of the open positions that hold leg `i`, less that of those that hold its market's other side, microUSDC. */
  netLegRisk(legs: LegsView, i: number): number {
    const { risks, seat } = this
    const { markets, sides } = rowOf(legs, this.netLegRisk)
    const market = markets[i]!
    const side = sides[i]!
    return risks.micros[risks.at(market, side, seat)]! - risks.micros[risks.at(market, 1 - side, seat)]!
  }

  /** The answer is reused by the next call. */
  exposure(legs: LegsView): Exposure {
    const { risks, seat } = this
    const { markets, sides, count } = rowOf(legs, this.exposure)
    let worst = 0
    for (let i = 0; i < count; i++) {
      const risk = risks.micros[risks.at(markets[i]!, sides[i]!, seat)]!
      if (risk > worst) worst = risk
    }
    this.joint.worst = worst
    this.joint.total = this.openRiskMicros
    return this.joint
  }

  /** What the maker would lose on the request at this offer if every leg wins, microUSDC, before odds are rounded. */
  riskOf(request: RequestView, probability: number): number {
    return request.netStakeMicros * (1 / probability - 1)
  }

  /** Offers odds on the request's version; replaces the maker's standing quote on it. Throws for terms that are none. */
  quote(request: RequestView, terms: QuoteTerms): void {
    checkNumber(request.request, this.quote)
    const { probability, validUs, fair } = terms
    if (!(probability > 0 && probability < Infinity)) refuse(`a quote needs a finite probability above 0, not ${probability}`, this.quote)
    if (!isValidity(validUs)) refuse(`a quote is valid for a whole number of µs from 1,000 on, not ${validUs}`, this.quote)
    if (fair !== undefined && !(fair >= 0 && fair <= 1)) refuse(`a fair probability lies within 0 … 1, not at ${fair}`, this.quote)
    const memoE9 = fair === undefined ? -1 : Math.round(fair * 1e9)
    this.port.submitQuote(this.seat, request, oddsE4FloorOfProbability(probability), validUs, memoE9, probability)
  }

  /**
   * Price at which buying an auctioned position gains nothing on average, microUSDC, when its legs win with that probability. Own position:
   * what backing it on would cost, the probability times the payout, and more where the maker's own gain bears a fee. Another's: the payout
   * less the profit fee that this maker would bear, in proportion to the probability.
   */
  breakEvenPrice(auction: AuctionView, winProbability: number): number {
    checkNumber(auction.auction, this.breakEvenPrice)
    const { payoutMicros, costBasisMicros, isBackingMaker } = auction
    if (isBackingMaker) return this.breakEvenOfBuyback(auction, winProbability)
    const fee = auction.profitFeeBps / BPS
    // With the price as basis it solves price = p × (payout − fee × (payout − price)).
    if (!isKnown(costBasisMicros)) return (winProbability * payoutMicros * (1 - fee)) / (1 - winProbability * fee)
    return winProbability * (payoutMicros - fee * Math.max(0, payoutMicros - costBasisMicros))
  }

  /**
   * Backing on brings payout − fee × stake when the legs lose, buying back payout − price − fee × (stake − price), without the last
   * term at a price above the stake (profitFeeOnMaker).
   */
  private breakEvenOfBuyback({ payoutMicros, netStakeMicros, makerFeeBps }: AuctionView, winProbability: number): number {
    const fee = makerFeeBps / BPS
    if (fee === 0) return winProbability * payoutMicros
    const below = winProbability * netStakeMicros + (winProbability * (payoutMicros - netStakeMicros)) / (1 - fee)
    return below <= netStakeMicros ? below : winProbability * payoutMicros + (1 - winProbability) * fee * netStakeMicros
  }

  /** Bids for an auctioned position; replaces the maker's standing bid on it. Throws for terms that are none. */
  bid(auction: AuctionView, terms: BidTerms): void {
    checkNumber(auction.auction, this.bid)
    const { validUs, fair } = terms
    const priceMicros = 'priceMicros' in terms
      ? terms.priceMicros : Math.min(Math.floor(auction.payoutMicros * terms.probability), auction.maxPriceMicros)
    if (!(Number.isSafeInteger(priceMicros) && priceMicros > 0)) {
      refuse(`a bid is a whole number of microUSDC above 0, not ${priceMicros}`, this.bid)
    }
    if (!isValidity(validUs)) refuse(`a bid is valid for a whole number of µs from 1,000 on, not ${validUs}`, this.bid)
    if (fair !== undefined && !(fair >= 0 && fair <= 1)) refuse(`a fair probability lies within 0 … 1, not at ${fair}`, this.bid)
    this.port.submitBid(this.seat, auction, priceMicros, validUs, fair === undefined ? -1 : Math.round(fair * 1e9))
  }

  /**
   * What a position that the maker holds brings at its end on average, microUSDC, less the profit fee: at delivered prices (NaN as for
   * `winProbability`), or when its legs win with a probability of the maker's own.
   */
  positionValue(position: PositionView, at: PriceOptions | number): number {
    checkNumber(position.position, this.positionValue)
    const { payoutMicros, costBasisMicros, profitFeeBps } = position
    const winProbability = typeof at === 'number' ? at : this.winProbability(position.legs, at)
    return winProbability * (payoutMicros - (profitFeeBps / BPS) * Math.max(0, payoutMicros - costBasisMicros))
  }

  /** Opens a cash-out auction of a position that it holds; bids reach `onBid`. None may be under way. */
  openCashOut(position: PositionView): void {
    checkNumber(position.position, this.openCashOut)
    if (!position.isHolder) refuse('only a position that the maker holds can be sold', this.openCashOut)
    if (!position.canCashOut) refuse('an auction of the position is under way', this.openCashOut)
    this.port.openCashOut(this.seat, position)
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
    this.port.cancelCashOut(this.seat, position)
  }

  /** Asks for `onCheck` with this held position after `delayUs`, a whole number; nothing comes if it has ended by then. */
  checkIn(position: PositionView, delayUs: number): void {
    checkNumber(position.position, this.checkIn)
    checkDelay(delayUs, this.nowUs, this.checkIn)
    this.port.checkIn(this.seat, position, delayUs)
  }

  /**
   * Lays a part of a position that the maker backs off on the other service: asks there for prices on the same legs, with the maker's
   * own account of a taker, and takes the best offer at or above `minOddsE4` when `decideInUs` is over, else lets it go. False, and
   * nothing happens, when the maker has no such account, or legs, bet and odds are beyond that service's limits. What it costs and brings is that account's: money never crosses.
   */
  layOff(position: PositionView, terms: LayOffTerms): boolean {
    checkNumber(position.position, this.layOff)
    if (position.isHolder) refuse('only a position that the maker backs can be laid off', this.layOff)
    const { betMicros, minOddsE4, decideInUs } = terms
    if (!(Number.isSafeInteger(betMicros) && betMicros > 0)) refuse(`a bet is a whole number of microUSDC above 0, not ${betMicros}`, this.layOff)
    if (!(Number.isSafeInteger(minOddsE4) && minOddsE4 > ODDS_ONE)) refuse(`lowest odds are a whole number of ten-thousandths above ${ODDS_ONE}, not ${minOddsE4}`, this.layOff)
    checkDelay(decideInUs, this.nowUs, this.layOff)
    return this.port.layOff(this.seat, position, betMicros, minOddsE4, decideInUs)
  }

  /** Lets the request go by; counted. */
  pass(_reason: string): void {
    this.passes++
  }

  /** Takes the maker's standing quote on the request back. */
  withdrawQuote(request: RequestView): void {
    checkNumber(request.request, this.withdrawQuote)
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
    if (isKnown(selection.position)) refuse('a taken bid is decided while it is being shown', this.decideLater)
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
  opened(legs: LegsRow, riskMicros: number): void {
    this.openPositions++
    this.openRiskMicros += riskMicros
    this.freeMicros -= riskMicros
    this.risks.add(this.seat, legs, riskMicros)
  }

  /** Books a delivered end of a position that paid `returnedMicros` to the maker. */
  closed(legs: LegsRow, riskMicros: number, returnedMicros: number): void {
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
