import type { MarketNames } from '../../market/publicList.ts'
import { oddsE4FloorOfProbability, ODDS_ONE } from '../../unit/odds.ts'
import { MS_US } from '../../unit/time.ts'
import type { MakerBook } from '../makerBook.ts'
import type { BidTerms, Exposure, LayOffTerms, MakerDesk, PriceOptions, QuoteTerms, WatchTerms } from '../makerDesk.ts'
import { breakEvenPrice, heldValue } from '../positionWorth.ts'
import { checkAmount, checkDelay, type Method, refuse, shownValue } from '../refuse.ts'
import type { AuctionView, DepthView, LegsView, PositionView, RequestView, SelectionView } from '../views.ts'
import { isKnown } from '../vocabulary.ts'
import { DepthFacade, shownDepth } from './depth.ts'
import { seal, UNSET } from './facade.ts'
import { checkLeg, legsRow } from './legs.ts'
import { shownNames } from './marketNames.ts'
import { BID_TERMS, checkKeys, checkMap, checkPrice, LAY_OFF_TERMS, loggedNumbers, PRICE_OPTIONS, QUOTE_TERMS, refuseUnknown, watchTerms } from './options.ts'
import { auctionRow, positionRow, requestRow, selectionRow } from './makerViews.ts'

/** The shortest life of an offer: a service that counts milliseconds takes a shorter life as 0. */
const VALID_US_MIN = MS_US
/** Requests have numbers below this, so that draws about each of them have a key (engine/drawKeys.ts). */
const REQUESTS_MAX = 2 ** 40
const CANNOT_SELL = 'the position cannot be sold: it has ended'
/** Stands for the fair probability of an offer that gives none. */
const NO_MEMO = -1

/** Refuses impossible terms of a quote or a bid. Returns the fair probability that is recorded beside it, billionths. */
function memoOf(offer: 'quote' | 'bid', validUs: number, fair: number | undefined, method: Method): number {
  if (!(Number.isSafeInteger(validUs) && validUs >= VALID_US_MIN)) refuse(`a ${offer} is valid for a whole number of µs from 1,000 on, not ${shownValue(validUs)}`, method)
  if (fair === undefined) return NO_MEMO
  if (!(typeof fair === 'number' && fair >= 0 && fair <= 1)) refuse(`a fair probability lies within 0 … 1, not at ${shownValue(fair)}`, method)
  return Math.round(fair * 1e9)
}

/** Refuses an impossible product of leg prices. Returns it in billionths. @param fair the fair probability that it goes with. */
function productOf(product: number | undefined, fair: number | undefined, method: Method): number {
  if (product === undefined) return NO_MEMO
  if (!(typeof product === 'number' && product >= 0 && product <= 1)) refuse(`a fairProduct lies within 0 … 1, not at ${shownValue(product)}`, method)
  if (fair === undefined) refuse('a fairProduct is given with fair: it says what fair would be if the legs were independent', method)
  return Math.round(product * 1e9)
}

/** The number of the request that a strategy names by what it has read in a view. Refuses what it has read in none. */
function requestMeant(shown: number, book: MakerBook, method: Method): number {
  if (!(Number.isSafeInteger(shown) && shown > 0 && shown < REQUESTS_MAX)) refuse(`a request has a whole number above 0 and below 2^40, not ${shown}`, method)
  const number = book.numbers.requests.meant(shown)
  if (number < 0) refuse(`this maker has read no request number ${shown}`, method)
  return number
}

/** Refuses a command that names no view while no handler of the maker runs. Others are refused with their view. */
function checkCalled(book: MakerBook, method: Method): void {
  if (book.isEnding) refuse('nothing can be sent in onEnd: the session is over', method)
  if (!book.isCalled) refuse('a desk takes commands while a handler of its maker runs', method)
}

class ExposureFacade implements Exposure {
  readonly #book: MakerBook = UNSET

  constructor(book: MakerBook) {
    this.#book = book
    Object.freeze(this)
  }

  get worst(): number { return this.#book.worstMicros }
  get total(): number { return this.#book.totalMicros }
}
seal(ExposureFacade)

/**
 * The desk of a maker over its book. What strategies hand over is read once and checked here, and passed on as numbers, so that the engine
 * never calls a strategy's code through it.
 */
export class MakerDeskFacade implements MakerDesk {
  readonly #book: MakerBook = UNSET
  readonly #exposure: Exposure = UNSET
  readonly #depth: DepthView | null = UNSET

  constructor(book: MakerBook) {
    this.#book = book
    this.#exposure = new ExposureFacade(book)
    this.#depth = book.depth === null ? null : new DepthFacade(book.depth)
    Object.freeze(this)
  }

  get name(): string { return this.#book.name }
  get nowUs(): number { return this.#book.nowUs }
  get freeMicros(): number { return this.#book.freeMicros }
  get capitalMicros(): number { return this.#book.capitalMicros }
  get openPositions(): number { return this.#book.openPositions }
  get openRiskMicros(): number { return this.#book.openRiskMicros }
  get heldPositions(): number { return this.#book.heldPositions }
  get heldCostMicros(): number { return this.#book.heldCostMicros }

  price(legs: LegsView, options: PriceOptions): number {
    checkMap(options, PRICE_OPTIONS, this.price)
    const { priceType } = options
    const ageUs = +options.maxAgeUs
    checkPrice(options, priceType, ageUs, this.price)
    return this.#book.price(legsRow(legs, this.#book, this.price), priceType, ageUs)
  }

  winProbability(legs: LegsView, options: PriceOptions): number {
    checkMap(options, PRICE_OPTIONS, this.winProbability)
    const { priceType } = options
    const ageUs = +options.maxAgeUs
    checkPrice(options, priceType, ageUs, this.winProbability)
    return this.#book.winProbability(legsRow(legs, this.#book, this.winProbability), priceType, ageUs)
  }

  legPrice(legs: LegsView, i: number, options: PriceOptions): number {
    const row = legsRow(legs, this.#book, this.legPrice)
    checkLeg(i, row.count, this.legPrice)
    checkMap(options, PRICE_OPTIONS, this.legPrice)
    const { priceType } = options
    const ageUs = +options.maxAgeUs
    checkPrice(options, priceType, ageUs, this.legPrice)
    return this.#book.legPrice(row, i, priceType, ageUs)
  }

  legDepth(legs: LegsView, i: number): number {
    const row = legsRow(legs, this.#book, this.legDepth)
    checkLeg(i, row.count, this.legDepth)
    return this.#book.legDepth(row, i)
  }

  priceAgeUs(legs: LegsView, i: number): number {
    const row = legsRow(legs, this.#book, this.priceAgeUs)
    checkLeg(i, row.count, this.priceAgeUs)
    return this.#book.priceAgeUs(row, i)
  }

  category(legs: LegsView, i: number): number {
    const row = legsRow(legs, this.#book, this.category)
    checkLeg(i, row.count, this.category)
    return this.#book.fact(this.#book.facts.category, row, i)
  }

  event(legs: LegsView, i: number): number {
    const row = legsRow(legs, this.#book, this.event)
    checkLeg(i, row.count, this.event)
    return this.#book.fact(this.#book.facts.event, row, i)
  }

  game(legs: LegsView, i: number): number {
    const row = legsRow(legs, this.#book, this.game)
    checkLeg(i, row.count, this.game)
    return this.#book.fact(this.#book.facts.game, row, i)
  }

  gameCategory(legs: LegsView, i: number): number {
    const row = legsRow(legs, this.#book, this.gameCategory)
    checkLeg(i, row.count, this.gameCategory)
    return this.#book.fact(this.#book.facts.gameCategory, row, i)
  }

  depth(market: number): DepthView | undefined {
    return shownDepth(this.#book.depth, this.#depth, market, this.#book.nowUs, this.depth)
  }

  market(market: number): MarketNames | null {
    return shownNames(this.#book.list, market, this.#book.nowUs, this.market)
  }

  netLegRisk(legs: LegsView, i: number): number {
    const row = legsRow(legs, this.#book, this.netLegRisk)
    checkLeg(i, row.count, this.netLegRisk)
    return this.#book.netLegRisk(row, i)
  }

  exposure(legs: LegsView): Exposure {
    this.#book.lookAtExposure(legsRow(legs, this.#book, this.exposure))
    return this.#exposure
  }

  riskOf(request: RequestView, probability: number): number {
    return requestRow(request, this.#book, this.riskOf).netStakeMicros * (1 / +probability - 1)
  }

  breakEvenPrice(auction: AuctionView, winProbability: number): number {
    return breakEvenPrice(auctionRow(auction, this.#book, this.breakEvenPrice), +winProbability)
  }

  positionValue(position: PositionView, at: PriceOptions | number): number {
    const row = positionRow(position, this.#book, this.positionValue)
    if (typeof at === 'number') return heldValue(row, at)
    checkMap(at, PRICE_OPTIONS, this.positionValue)
    const { priceType } = at
    const ageUs = +at.maxAgeUs
    checkPrice(at, priceType, ageUs, this.positionValue)
    return heldValue(row, this.#book.winProbability(row.legs, priceType, ageUs))
  }

  quote(request: RequestView, terms: QuoteTerms): void {
    const row = requestRow(request, this.#book, this.quote)
    checkMap(terms, QUOTE_TERMS, this.quote)
    const { probability, validUs, fair, fairProduct } = terms
    if (probability === undefined || validUs === undefined) refuseUnknown(terms, QUOTE_TERMS, this.quote)
    if (!(typeof probability === 'number' && probability > 0 && probability < Infinity)) {
      refuse(`a quote needs a finite probability above 0, not ${shownValue(probability)}`, this.quote)
    }
    checkKeys(terms, QUOTE_TERMS.length - (fair === undefined ? 1 : 0) - (fairProduct === undefined ? 1 : 0), QUOTE_TERMS, this.quote)
    const memoE9 = memoOf('quote', validUs, fair, this.quote)
    const productE9 = productOf(fairProduct, fair, this.quote)
    this.#book.act(this.quote).submitQuote(this.#book.seat, row, oddsE4FloorOfProbability(probability), validUs, memoE9, probability, productE9)
  }

  withdrawQuote(request: RequestView | number): void {
    checkCalled(this.#book, this.withdrawQuote)
    const number = typeof request === 'number' ? requestMeant(request, this.#book, this.withdrawQuote) : requestRow(request, this.#book, this.withdrawQuote).request
    this.#book.act(this.withdrawQuote).withdrawQuote(this.#book.seat, number)
  }

  pass(reason = ''): void {
    checkCalled(this.#book, this.pass)
    if (typeof reason !== 'string') refuse(`a reason is a text, not ${shownValue(reason)}`, this.pass)
    if (this.#book.hasPassed) return
    this.#book.hasPassed = true
    this.#book.passes++
    this.#book.port.passed(this.#book.seat, reason)
  }

  log(line: string, values?: Readonly<Record<string, number>>): void {
    if (!this.#book.isEnding) checkCalled(this.#book, this.log)
    const numbers = loggedNumbers(line, values, this.log)
    const port = this.#book.tell(this.log)
    for (const [name, value] of numbers) port.logged(this.#book.seat, line, name, value)
  }

  later(request: RequestView, delayUs: number): void {
    const row = requestRow(request, this.#book, this.later)
    checkDelay(delayUs, this.#book.nowUs, this.later)
    this.#book.act(this.later).later(this.#book.seat, row, delayUs)
  }

  watch(request: RequestView, terms: WatchTerms): void {
    const row = requestRow(request, this.#book, this.watch)
    this.#book.act(this.watch).watch(this.#book.seat, row, watchTerms(terms, this.watch))
  }

  watchPosition(position: PositionView, terms: WatchTerms): void {
    const row = positionRow(position, this.#book, this.watchPosition)
    if (row.hasEnded) refuse('the position has ended', this.watchPosition)
    this.#book.act(this.watchPosition).watchPosition(this.#book.seat, row, watchTerms(terms, this.watchPosition))
  }

  after(delayUs: number, tag = 0): void {
    checkCalled(this.#book, this.after)
    checkDelay(delayUs, this.#book.nowUs, this.after)
    if (!Number.isSafeInteger(tag)) refuse(`a tag is a whole number, not ${shownValue(tag)}`, this.after)
    this.#book.act(this.after).after(this.#book.seat, delayUs, tag)
  }

  confirm(selection: SelectionView): void {
    this.#book.act(this.confirm).decide(this.#book.seat, selectionRow(selection, this.#book, this.confirm), true)
  }

  decline(selection: SelectionView): void {
    this.#book.act(this.decline).decide(this.#book.seat, selectionRow(selection, this.#book, this.decline), false)
  }

  decideLater(selection: SelectionView, delayUs: number): void {
    const row = selectionRow(selection, this.#book, this.decideLater)
    checkDelay(delayUs, this.#book.nowUs, this.decideLater)
    if (isKnown(row.position)) refuse('a taken bid is decided while it is being shown', this.decideLater)
    this.#book.act(this.decideLater).decideLater(this.#book.seat, row, delayUs)
  }

  bid(auction: AuctionView, terms: BidTerms): void {
    const row = auctionRow(auction, this.#book, this.bid)
    checkMap(terms, BID_TERMS, this.bid)
    refuseUnknown(terms, BID_TERMS, this.bid)
    const { validUs, fair, fairProduct } = terms
    const priceMicros = 'priceMicros' in terms ? terms.priceMicros : Math.min(Math.floor(row.payoutMicros * terms.probability), row.maxPriceMicros)
    checkAmount('a bid', priceMicros, this.bid)
    const memoE9 = memoOf('bid', validUs, fair, this.bid)
    const productE9 = productOf(fairProduct, fair, this.bid)
    this.#book.act(this.bid).submitBid(this.#book.seat, row, priceMicros, validUs, memoE9, productE9)
  }

  openCashOut(position: PositionView): void {
    const row = positionRow(position, this.#book, this.openCashOut)
    if (!row.isHolder) refuse('only a position that the maker holds can be sold', this.openCashOut)
    if (!row.canCashOut) refuse(isKnown(row.askedAtUs) ? 'an auction of the position is under way' : CANNOT_SELL, this.openCashOut)
    this.#book.act(this.openCashOut).openCashOut(this.#book.seat, row)
  }

  takeBid(position: PositionView, minPriceMicros: number): void {
    const row = positionRow(position, this.#book, this.takeBid)
    if (!row.isAuctioned) refuse('there is no auction of the position', this.takeBid)
    checkAmount('a lowest price', minPriceMicros, this.takeBid)
    this.#book.act(this.takeBid).takeBid(this.#book.seat, row, minPriceMicros)
  }

  cancelCashOut(position: PositionView): void {
    const row = positionRow(position, this.#book, this.cancelCashOut)
    if (!row.isAuctioned) refuse('there is no auction of the position', this.cancelCashOut)
    this.#book.act(this.cancelCashOut).cancelCashOut(this.#book.seat, row)
  }

  checkIn(position: PositionView, delayUs: number): void {
    const row = positionRow(position, this.#book, this.checkIn)
    if (!row.isHolder) refuse('only a held position that is being shown can be told what to do with', this.checkIn)
    checkDelay(delayUs, this.#book.nowUs, this.checkIn)
    this.#book.act(this.checkIn).checkIn(this.#book.seat, row, delayUs)
  }

  layOff(position: PositionView, terms: LayOffTerms): boolean {
    const row = positionRow(position, this.#book, this.layOff)
    checkMap(terms, LAY_OFF_TERMS, this.layOff)
    refuseUnknown(terms, LAY_OFF_TERMS, this.layOff)
    const { betMicros, minOddsE4, decideInUs } = terms
    if (row.isHolder) refuse('only a position that the maker backs can be laid off', this.layOff)
    checkAmount('a bet', betMicros, this.layOff)
    if (!(Number.isSafeInteger(minOddsE4) && minOddsE4 > ODDS_ONE)) refuse(`lowest odds are a whole number of ten-thousandths above ${ODDS_ONE}, not ${shownValue(minOddsE4)}`, this.layOff)
    checkDelay(decideInUs, this.#book.nowUs, this.layOff)
    return this.#book.act(this.layOff).layOff(this.#book.seat, row, betMicros, minOddsE4, decideInUs)
  }
}
seal(MakerDeskFacade)
