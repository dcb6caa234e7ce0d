import type { MarketNames } from '../../market/publicList.ts'
import { type BettorDesk, DRAWS_PER_INTENT, type RequestTerms } from '../bettorDesk.ts'
import type { CohortBook } from '../cohortBook.ts'
import type { PriceOptions, WatchTerms } from '../makerDesk.ts'
import { checkAmount, checkDelay, type Method, refuse } from '../refuse.ts'
import type { DepthView, HoldingView, IntentView, LegsView } from '../views.ts'
import { arrivalOf, bettorOf, holdingSlot, intentSlot, shownLegs } from './bettorViews.ts'
import { DepthFacade, shownDepth } from './depth.ts'
import { seal, UNSET } from './facade.ts'
import { checkLeg } from './legs.ts'
import { shownNames } from './marketNames.ts'
import { checkAge, checkKeys, checkMap, checkPrice, loggedNumbers, PRICE_OPTIONS, refuseUnknown, REQUEST_TERMS, watchTerms } from './options.ts'

/** Most legs that are drawn, because the draws of an intent have room for no more sides. */
const DRAWN_LEGS_MAX = 16

function checkField(field: number, method: Method): void {
  if (!(Number.isInteger(field) && field >= 0 && field < DRAWS_PER_INTENT)) refuse(`draws are numbered from 0 to ${DRAWS_PER_INTENT - 1}, not ${field}`, method)
}

/** The desk of a cohort over its book. What strategies hand over is treated as by a maker's desk. */
export class BettorDeskFacade implements BettorDesk {
  readonly #book: CohortBook = UNSET
  readonly #depth: DepthView | null = UNSET

  constructor(book: CohortBook) {
    this.#book = book
    this.#depth = book.depth === null ? null : new DepthFacade(book.depth)
    Object.freeze(this)
  }

  get nowUs(): number { return this.#book.nowUs }
  get takerFeeBps(): number { return this.#book.takerFeeBps }

  freeMicros(of: IntentView | HoldingView): number {
    const account = bettorOf(of, this.#book, this.freeMicros)
    const { bankrolls, moneyUntold } = this.#book
    return bankrolls === null ? refuse(moneyUntold, this.freeMicros) : bankrolls.of(account)
  }

  uniform(of: IntentView | HoldingView, field: number): number {
    checkField(field, this.uniform)
    return this.#book.uniform(arrivalOf(of, this.#book, this.uniform), field)
  }

  normal(of: IntentView | HoldingView, field: number): number {
    checkField(field, this.normal)
    return this.#book.normal(arrivalOf(of, this.#book, this.normal), field)
  }

  price(legs: LegsView, options: PriceOptions): number {
    const { columns, legsFrom, legCount } = shownLegs(legs, this.#book, this.price)
    checkMap(options, PRICE_OPTIONS, this.price)
    const { priceType } = options
    const ageUs = +options.maxAgeUs
    checkPrice(options, priceType, ageUs, this.price)
    return this.#book.price(columns, legsFrom, legCount, priceType, ageUs)
  }

  legPrice(legs: LegsView, i: number, options: PriceOptions): number {
    const { columns, legsFrom, legCount } = shownLegs(legs, this.#book, this.legPrice)
    checkLeg(i, legCount, this.legPrice)
    checkMap(options, PRICE_OPTIONS, this.legPrice)
    const { priceType } = options
    const ageUs = +options.maxAgeUs
    checkPrice(options, priceType, ageUs, this.legPrice)
    return this.#book.legPrice(columns, legsFrom + i, priceType, ageUs)
  }

  futurePrice(legs: LegsView, i: number): number {
    const { columns, legsFrom, legCount } = shownLegs(legs, this.#book, this.futurePrice)
    checkLeg(i, legCount, this.futurePrice)
    return this.#book.futurePrice(columns, legsFrom + i)
  }

  depth(market: number): DepthView | undefined {
    return shownDepth(this.#book.depth, this.#depth, market, this.#book.nowUs, this.depth)
  }

  market(market: number): MarketNames | null {
    return shownNames(this.#book.list, market, this.#book.nowUs, this.market)
  }

  expectedPayout(holding: HoldingView, at: PriceOptions | number): number {
    const slot = holdingSlot(holding, this.#book, this.expectedPayout)
    if (typeof at === 'number') return holding.payoutMicros * at
    checkMap(at, PRICE_OPTIONS, this.expectedPayout)
    const { priceType } = at
    const ageUs = +at.maxAgeUs
    checkPrice(at, priceType, ageUs, this.expectedPayout)
    return this.#book.expectedPayout(slot, priceType, ageUs)
  }

  pickLegs(intent: IntentView, legs: number, low: number, maxAgeUs: number, favouriteMin = 0): boolean {
    const [lowest, oldestUs, favourite] = [+low, +maxAgeUs, +favouriteMin]
    const slot = intentSlot(intent, this.#book, this.pickLegs)
    if (!(Number.isInteger(legs) && legs >= 1 && legs <= DRAWN_LEGS_MAX)) {
      refuse(`1 to ${DRAWN_LEGS_MAX} legs can be drawn, not ${legs}`, this.pickLegs)
    }
    checkAge(oldestUs, this.pickLegs)
    if (!(lowest >= 0 && lowest <= 1)) refuse(`a lowest price lies within 0 … 1, not at ${lowest}`, this.pickLegs)
    return this.#book.pickLegs(slot, legs, lowest, oldestUs, favourite)
  }

  requestQuote(intent: IntentView, request: RequestTerms): void {
    checkMap(request, REQUEST_TERMS, this.requestQuote)
    const { betMicros, minOddsE4, decideInUs } = request
    // Numbers are made before anything is checked, because what makes a number of an object is the strategy's code, and may use the desk.
    const terms = { betMicros: +betMicros, minOddsE4: +minOddsE4, decideInUs }
    const slot = intentSlot(intent, this.#book, this.requestQuote)
    if (!this.#book.isArriving(slot)) refuse('an intent makes one request, as it arrives', this.requestQuote)
    if (Number.isNaN(terms.betMicros) || Number.isNaN(terms.minOddsE4)) {
      refuseUnknown(request, REQUEST_TERMS, this.requestQuote)
      refuse(`betMicros and minOddsE4 are numbers, not ${terms.betMicros} and ${terms.minOddsE4}`, this.requestQuote)
    }
    if (decideInUs === undefined) refuseUnknown(request, REQUEST_TERMS, this.requestQuote)
    checkDelay(decideInUs, this.#book.nowUs, this.requestQuote)
    checkKeys(request, REQUEST_TERMS.length, REQUEST_TERMS, this.requestQuote)
    this.#book.requestQuote(slot, terms)
  }

  commit(intent: IntentView): void {
    const slot = intentSlot(intent, this.#book, this.commit)
    if (!this.#book.isOpen(slot)) refuse('there is no open request to commit', this.commit)
    this.#book.port.commit(slot)
  }

  cancelRequest(intent: IntentView): void {
    const slot = intentSlot(intent, this.#book, this.cancelRequest)
    if (!this.#book.isOpen(slot)) refuse('there is no open request to cancel', this.cancelRequest)
    this.#book.command(this.cancelRequest)
    this.#book.port.cancelRequest(slot)
  }

  wait(intent: IntentView, delayUs: number): void {
    const slot = intentSlot(intent, this.#book, this.wait)
    checkDelay(delayUs, this.#book.nowUs, this.wait)
    this.#book.command(this.wait)
    this.#book.wait(slot, delayUs, this.wait)
  }

  log(line: string, values?: Readonly<Record<string, number>>): void {
    if (!this.#book.isCalled && !this.#book.isEnding) refuse('a desk takes lines of a log while a handler of its cohort runs', this.log)
    const numbers = loggedNumbers(line, values, this.log)
    this.#book.command(this.log)
    for (const [name, value] of numbers) this.#book.logged?.(line, name, value)
  }

  checkIn(holding: HoldingView, delayUs: number): void {
    const slot = holdingSlot(holding, this.#book, this.checkIn)
    checkDelay(delayUs, this.#book.nowUs, this.checkIn)
    this.#book.command(this.checkIn)
    this.#book.checkIn(slot, delayUs, this.checkIn)
  }

  watch(holding: HoldingView, terms: WatchTerms): void {
    const slot = holdingSlot(holding, this.#book, this.watch)
    const watched = watchTerms(terms, this.watch)
    this.#book.command(this.watch)
    this.#book.holdingPort.watch(slot, watched)
  }

  openCashOut(holding: HoldingView, listenUs?: number): void {
    const slot = holdingSlot(holding, this.#book, this.openCashOut)
    if (!holding.canCashOut) refuse('an auction of the position is under way', this.openCashOut)
    if (listenUs !== undefined) checkDelay(listenUs, this.#book.nowUs, this.openCashOut)
    this.#book.openCashOut(slot, listenUs)
  }

  takeBid(holding: HoldingView, minPriceMicros: number): void {
    const slot = holdingSlot(holding, this.#book, this.takeBid)
    if (!holding.isAuctioned) refuse('there is no auction of the position', this.takeBid)
    checkAmount('a lowest price', minPriceMicros, this.takeBid)
    this.#book.holdingPort.takeBid(slot, minPriceMicros)
  }

  cancelCashOut(holding: HoldingView): void {
    const slot = holdingSlot(holding, this.#book, this.cancelCashOut)
    if (!holding.isAuctioned) refuse('there is no auction of the position', this.cancelCashOut)
    this.#book.command(this.cancelCashOut)
    this.#book.holdingPort.cancelCashOut(slot)
  }
}
seal(BettorDeskFacade)
