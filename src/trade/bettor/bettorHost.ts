import type { BettorHandlers, BettorStrategy } from '../../agent/bettor.ts'
import { type BettorDesk, DRAWS_PER_INTENT, IntentDraw } from '../../agent/bettorDesk.ts'
import type { BettorPort, HoldingPort } from '../../agent/bettorPort.ts'
import { CohortBook } from '../../agent/cohortBook.ts'
import { holdingCursor, intentCursor } from '../../agent/cursor.ts'
import { FACADES } from '../../agent/facades/facades.ts'
import { HoldingCell, Holdings, HoldingState, HoldingWord } from '../../agent/holdings.ts'
import { IntentCell, IntentState, IntentWord } from '../../agent/intents.ts'
import { RefusalRow } from '../../agent/rows.ts'
import type { RefusalView } from '../../agent/views.ts'
import { Action, AuctionOutcome, Refusal, Side } from '../../agent/vocabulary.ts'
import { Draws, Purpose, rootKey } from '../../kernel/random.ts'
import type { PriceBoard } from '../../market/priceBoard.ts'
import type { PublishedResults } from '../../market/publishedResults.ts'
import { fnv1a } from '../../unit/fnv1a.ts'
import { NONE } from '../../unit/none.ts'
import { HOUR_US } from '../../unit/time.ts'
import type { BettorTold, BettorWish, Refused, WireLeg } from './bettorWords.ts'
import { callStrategy } from '../strategyFailure.ts'
import { ListedIntents, type ListedMarkets } from './listedMarkets.ts'

/** A decision that comes before the service knows the request is put off by this much. */
const RETRY_US = 100_000
/** The same while a limit keeps the request from being made. */
const LATE_RETRY_US = 1_000_000
/** All bets are those of one account. */
const COHORT = 0
const ACCOUNT = 0

type Opened = Extract<BettorTold, { kind: 'opened' }>

/** A time that the host has asked for. A slot's generation tells whether it still has the tenant that is meant. */
export type HostWake =
  | { readonly kind: 'arrival'; readonly arrival: number }
  | { readonly kind: 'decision' | 'requestAgain'; readonly slot: number; readonly generation: number }
  | { readonly kind: 'check'; readonly slot: number; readonly generation: number }
  | { readonly kind: 'listened'; readonly slot: number; readonly generation: number; readonly auction: number }

/** What the host wants done, in its order. */
export type HostDeed = { readonly wish: BettorWish } | { readonly wakeUs: number; readonly wake: HostWake }

export interface BettorTerms {
  /** Name of the seat, by which its draws are keyed. */
  readonly name: string
  readonly seed: string
  readonly strategy: BettorStrategy
  /** Of the strategy's parameters. */
  readonly values: Readonly<Record<string, number>>
  /** Bettors that come in an hour, on average. */
  readonly ratePerHour: number
  /** After so many nobody comes any more. */
  readonly betsMax: number
  readonly markets: ListedMarkets
  readonly prices: PriceBoard
  readonly results: PublishedResults
}

/** What has become of the bets. */
export interface BettorCounts {
  arrivals: number
  requests: number
  fills: number
  sales: number
  /** Bets of positions that opened, and what sales brought, microUSDC. */
  stakedMicros: number
  soldMicros: number
}

/**
 * A bettor strategy as the client of a service: its intents and positions, and the arrivals that call it. It draws as the strategy's cohort would inside a
 * session. What is wished waits in `deeds` until the caller takes it.
 */
export class BettorHost implements BettorPort, HoldingPort {
  readonly counts: BettorCounts = { arrivals: 0, requests: 0, fills: 0, sales: 0, stakedMicros: 0, soldMicros: 0 }
  private readonly terms: BettorTerms
  private readonly handlers: BettorHandlers
  private readonly desk: BettorDesk
  private readonly book: CohortBook
  private readonly draws: Draws
  private readonly entity: number
  private readonly intents: ListedIntents
  private readonly holdings = new Holdings()
  private readonly intentOf = new Map<number, number>()
  private readonly holdingOf = new Map<number, number>()
  private readonly shown: { readonly intent: ReturnType<typeof intentCursor>; readonly holding: ReturnType<typeof holdingCursor>; readonly refusal: RefusalRow }
  private readonly views: { readonly intent: ReturnType<typeof FACADES.intent>; readonly holding: ReturnType<typeof FACADES.holding>; readonly refusal: RefusalView }
  private deeds: HostDeed[] = []
  private nowUs = 0
  private isBetting = false

  constructor(terms: BettorTerms) {
    const { name, seed, strategy, values, markets, prices, results } = terms
    this.terms = terms
    this.entity = fnv1a(name) >>> 0
    this.draws = new Draws(rootKey(seed), Purpose.arrivals)
    this.intents = new ListedIntents(markets)
    this.book = new CohortBook({
      entity: this.entity, takerFeeBps: NaN, intents: this.intents, board: prices, oracle: undefined, live: markets.live, keys: markets, draws: this.draws,
      port: this, holdings: this.holdings, results, holdingPort: this,
    })
    const facades = strategy.facades ?? FACADES
    this.desk = facades.bettorDesk(this.book)
    this.shown = { intent: intentCursor(this.intents), holding: holdingCursor(this.holdings), refusal: new RefusalRow() }
    this.views = { intent: facades.intent(this.shown.intent), holding: facades.holding(this.shown.holding), refusal: facades.refusal(this.shown.refusal) }
    this.handlers = callStrategy(`the bettor ${name}`, 'create', () => strategy.create(Object.freeze({ ...values })))
  }

  /** What has been wished since the last call. */
  takeDeeds(): readonly HostDeed[] {
    const { deeds } = this
    this.deeds = []
    return deeds
  }

  /** Whether somebody else may come. */
  get areMoreToCome(): boolean {
    return this.counts.arrivals < this.terms.betsMax
  }

  /** Takes what the service has told by `nowUs`. */
  hear(told: BettorTold, nowUs: number): void {
    this.nowUs = nowUs
    switch (told.kind) {
      case 'markets': return this.marketsListed(told)
      case 'takerFee':
        this.book.takerFeeBps = told.bps
        return
      case 'requested': case 'best': case 'commitRefused': case 'requestEnded': case 'opened': {
        const slot = this.intentOf.get(told.arrival)
        if (slot !== undefined) this.ofRequest(told, slot)
        return
      }
      default: {
        const slot = this.holdingOf.get(told.arrival)
        if (slot !== undefined) this.ofPosition(told, slot)
      }
    }
  }

  /** A time that it asked for has come. */
  woken(wake: HostWake, nowUs: number): void {
    this.nowUs = nowUs
    if (wake.kind === 'arrival') {
      if (wake.arrival === this.counts.arrivals) this.arrive()
      return
    }
    const { slot } = wake
    if (wake.kind === 'check' || wake.kind === 'listened') {
      if (this.holdings.words[slot + HoldingWord.generation] !== wake.generation || this.isHolding(slot, HoldingState.ended)) return
      if (wake.kind === 'check') this.check(slot)
      else if (this.holdings.cells[slot + HoldingCell.auction] === wake.auction) this.callHolding(slot, 'onListened')
      return
    }
    if (this.intents.words[slot + IntentWord.generation] !== wake.generation || this.isIntent(slot, IntentState.ended)) return
    if (wake.kind === 'decision') this.decide(slot)
    else this.requestQuote(slot)
  }

  private marketsListed({ markets }: Extract<BettorTold, { kind: 'markets' }>): void {
    this.terms.markets.follow(markets)
    // Nobody comes before there is something to bet on.
    if (this.isBetting || !markets.some(({ isOpen }) => isOpen)) return
    this.isBetting = true
    this.nextArrival()
  }

  private nextArrival(): void {
    if (!this.areMoreToCome) return
    const gapUs = this.draws.exponential(this.entity, this.counts.arrivals * DRAWS_PER_INTENT + IntentDraw.gap, HOUR_US / this.terms.ratePerHour)
    this.wakeIn(1 + Math.floor(gapUs), { kind: 'arrival', arrival: this.counts.arrivals })
  }

  private arrive(): void {
    const arrival = this.counts.arrivals++
    this.nextArrival()
    const slot = this.intents.begin(COHORT, ACCOUNT, arrival)
    this.intentOf.set(arrival, slot)
    this.callIntent(slot, 'onArrival')
    if (this.isIntent(slot, IntentState.arriving)) this.endIntent(slot)
  }

  private decide(slot: number): void {
    const { words } = this.intents
    if (this.isIntent(slot, IntentState.requesting)) return this.decideIn(slot, words[slot + IntentWord.retries] === 0 ? RETRY_US : LATE_RETRY_US)
    if (!this.isIntent(slot, IntentState.open)) return
    words[slot + IntentWord.decisions]!++
    this.callIntent(slot, 'onDecision')
  }

  private check(slot: number): void {
    this.holdings.words[slot + HoldingWord.checks]!++
    this.callHolding(slot, 'onCheck')
  }

  private ofRequest(told: Extract<BettorTold, { kind: 'requested' | 'best' | 'commitRefused' | 'requestEnded' | 'opened' }>, slot: number): void {
    switch (told.kind) {
      case 'requested': return this.requested(slot, told)
      case 'best':
        this.intents.cells[slot + IntentCell.bestOddsE4] = told.oddsE4
        return
      case 'commitRefused':
        if (!this.isIntent(slot, IntentState.committing)) return
        this.setIntent(slot, IntentState.open)
        return this.refused(Action.commit, told, () => { this.callIntent(slot, 'onRefused') })
      case 'requestEnded': return this.endIntent(slot)
      case 'opened': return this.opened(slot, told)
    }
  }

  /** A creation that met a limit is sent once more, when the waiting time is over. */
  private requested(slot: number, { refusal, retryAfterUs }: Refused): void {
    const { words } = this.intents
    if (refusal === Refusal.none) this.setIntent(slot, IntentState.open)
    else if (refusal === Refusal.rateLimited && words[slot + IntentWord.retries] === 0) {
      words[slot + IntentWord.retries] = 1
      this.wakeIn(Number.isNaN(retryAfterUs) ? LATE_RETRY_US : retryAfterUs, { kind: 'requestAgain', slot, generation: words[slot + IntentWord.generation]! })
    } else this.endIntent(slot)
  }

  private endIntent(slot: number): void {
    this.intentOf.delete(this.arrivalOf(slot))
    this.intents.end(slot)
  }

  /** A strategy without `onOpened` hears nothing of its positions. */
  private opened(intent: number, told: Opened): void {
    this.counts.fills++
    this.counts.stakedMicros += told.costMicros
    if (this.handlers.onOpened === undefined) return this.endIntent(intent)
    const slot = this.beginHolding(intent, told)
    this.endIntent(intent)
    this.callHolding(slot, 'onOpened')
  }

  /** The position is the intent's, whose legs and number it has. */
  private beginHolding(intent: number, { arrival, costMicros, stakeMicros, payoutMicros }: Opened): number {
    const { intents, holdings } = this
    const slot = holdings.begin(COHORT, ACCOUNT, arrival, this.nowUs)
    const { words, cells } = holdings
    cells[slot + HoldingCell.position] = cells[slot + HoldingCell.request] = arrival
    cells[slot + HoldingCell.costMicros] = costMicros
    cells[slot + HoldingCell.stakeMicros] = stakeMicros
    cells[slot + HoldingCell.payoutMicros] = payoutMicros
    const count = words[slot + HoldingWord.legCount] = intents.words[intent + IntentWord.legCount]!
    const from = intents.legsFrom(intent)
    holdings.legMarkets.set(intents.legMarkets.subarray(from, from + count), holdings.legsFrom(slot))
    holdings.legSides.set(intents.legSides.subarray(from, from + count), holdings.legsFrom(slot))
    this.holdingOf.set(arrival, slot)
    return slot
  }

  private ofPosition(told: Extract<BettorTold, { kind: 'auctionBegan' | 'bid' | 'auctionEnded' | 'cashOutRefused' | 'positionEnded' }>, slot: number): void {
    if (told.kind === 'positionEnded') return this.endHolding(slot)
    switch (told.kind) {
      case 'auctionBegan': return this.auctionBegan(slot)
      case 'bid':
        this.holdings.cells[slot + HoldingCell.bestPriceMicros] = told.priceMicros
        return this.callHolding(slot, 'onBid')
      case 'auctionEnded': return this.auctionEnded(slot, told)
      case 'cashOutRefused':
        if (told.action === Action.openCashOut) this.setHolding(slot, HoldingState.held)
        else if (told.action === Action.takeBid) this.setHolding(slot, HoldingState.auctioned)
        return this.refused(told.action, told, () => { this.callHolding(slot, 'onCashOutRefused') })
    }
  }

  private auctionBegan(slot: number): void {
    const { words, cells } = this.holdings
    this.setHolding(slot, HoldingState.auctioned)
    const auction = ++words[slot + HoldingWord.auctions]!
    cells[slot + HoldingCell.auction] = auction
    if (cells[slot + HoldingCell.listenUs]! < 0) return
    const atUs = cells[slot + HoldingCell.askedAtUs]! + cells[slot + HoldingCell.listenUs]!
    this.wakeIn(Math.max(0, atUs - this.nowUs), { kind: 'listened', slot, generation: words[slot + HoldingWord.generation]!, auction })
  }

  private auctionEnded(slot: number, { outcome, receivedMicros }: Extract<BettorTold, { kind: 'auctionEnded' }>): void {
    const { cells } = this.holdings
    const isSold = outcome === AuctionOutcome.sold
    this.setHolding(slot, isSold ? HoldingState.sold : HoldingState.held)
    cells[slot + HoldingCell.auction] = NONE
    cells[slot + HoldingCell.bestPriceMicros] = receivedMicros
    if (isSold) {
      this.counts.sales++
      this.counts.soldMicros += receivedMicros
    }
    this.callHolding(slot, 'onAuctionEnded', outcome)
    if (isSold) this.endHolding(slot)
  }

  private endHolding(slot: number): void {
    this.holdingOf.delete(this.arrivalOfHolding(slot))
    this.holdings.end(slot)
  }

  private isIntent(slot: number, state: number): boolean {
    return this.intents.words[slot + IntentWord.state] === state
  }

  private setIntent(slot: number, state: number): void {
    this.intents.words[slot + IntentWord.state] = state
  }

  private arrivalOf(slot: number): number {
    return this.intents.cells[slot + IntentCell.arrival]!
  }

  private isHolding(slot: number, state: number): boolean {
    return this.holdings.words[slot + HoldingWord.state] === state
  }

  private setHolding(slot: number, state: number): void {
    this.holdings.words[slot + HoldingWord.state] = state
  }

  private arrivalOfHolding(slot: number): number {
    return this.holdings.cells[slot + HoldingCell.arrival]!
  }

  requestQuote(slot: number): void {
    this.setIntent(slot, IntentState.requesting)
    this.counts.requests++
    this.wish({ kind: 'requestQuote', arrival: this.arrivalOf(slot), legs: this.legsOf(slot), betMicros: this.intents.cells[slot + IntentCell.betMicros]! })
  }

  private legsOf(slot: number): readonly WireLeg[] {
    const { words, legMarkets, legSides } = this.intents
    const from = this.intents.legsFrom(slot)
    return Array.from({ length: words[slot + IntentWord.legCount]! }, (_, i) => ({
      market: this.terms.markets.nameOf(legMarkets[from + i]!), side: legSides[from + i] === Side.yes ? 'yes' : 'no',
    }))
  }

  commit(slot: number): void {
    this.setIntent(slot, IntentState.committing)
    this.wish({ kind: 'commit', arrival: this.arrivalOf(slot), minOddsE4: this.intents.cells[slot + IntentCell.minOddsE4]! })
  }

  cancelRequest(slot: number): void {
    this.wish({ kind: 'cancelRequest', arrival: this.arrivalOf(slot) })
  }

  decideIn(slot: number, delayUs: number): void {
    this.wakeIn(delayUs, { kind: 'decision', slot, generation: this.intents.words[slot + IntentWord.generation]! })
  }

  openCashOut(slot: number, listenUs: number): void {
    this.setHolding(slot, HoldingState.opening)
    this.holdings.cells[slot + HoldingCell.listenUs] = listenUs
    this.wish({ kind: 'openCashOut', arrival: this.arrivalOfHolding(slot) })
  }

  takeBid(slot: number, minPriceMicros: number): void {
    this.setHolding(slot, HoldingState.selling)
    this.wish({ kind: 'takeBid', arrival: this.arrivalOfHolding(slot), minPriceMicros })
  }

  cancelCashOut(slot: number): void {
    this.wish({ kind: 'cancelCashOut', arrival: this.arrivalOfHolding(slot) })
  }

  checkIn(slot: number, delayUs: number): void {
    this.wakeIn(delayUs, { kind: 'check', slot, generation: this.holdings.words[slot + HoldingWord.generation]! })
  }

  private wish(wish: BettorWish): void {
    this.deeds.push({ wish })
  }

  private wakeIn(delayUs: number, wake: HostWake): void {
    this.deeds.push({ wakeUs: this.nowUs + delayUs, wake })
  }

  /** Shows the refusal while `call` calls a handler. */
  private refused(action: Action, { refusal, retryAfterUs }: Refused, call: () => void): void {
    const { refusal: row } = this.shown
    row.set(action, refusal, retryAfterUs)
    row.isShown = true
    try {
      call()
    } finally {
      row.isShown = false
    }
  }

  private callIntent(slot: number, handler: 'onArrival' | 'onDecision' | 'onRefused'): void {
    const { handlers, desk, book, shown: { intent: cursor }, views: { intent, refusal } } = this
    book.wake(this.nowUs)
    cursor.show(slot, book)
    this.calling(handler, () => {
      if (handler !== 'onArrival') book.act()
      if (handler === 'onArrival') handlers.onArrival(intent, desk)
      else if (handler === 'onDecision') handlers.onDecision(intent, desk)
      else handlers.onRefused?.(intent, refusal, desk)
    }, () => { cursor.hide() })
  }

  private callHolding(
    slot: number, handler: 'onOpened' | 'onCheck' | 'onListened' | 'onBid' | 'onAuctionEnded' | 'onCashOutRefused', outcome: AuctionOutcome = AuctionOutcome.sold,
  ): void {
    const { handlers, desk, book, shown: { holding: cursor }, views: { holding, refusal } } = this
    book.wake(this.nowUs)
    cursor.show(slot, book)
    this.calling(handler, () => {
      book.act()
      if (handler === 'onAuctionEnded') handlers.onAuctionEnded?.(holding, outcome, desk)
      else if (handler === 'onCashOutRefused') handlers.onCashOutRefused?.(holding, refusal, desk)
      else handlers[handler]?.(holding, desk)
    }, () => { cursor.hide() })
  }

  /** Names seat and handler in what the handler threw. */
  private calling(handler: keyof BettorHandlers, call: () => void, end: () => void): void {
    try {
      callStrategy(`the bettor ${this.terms.name}`, handler, call)
    } finally {
      end()
    }
  }
}
