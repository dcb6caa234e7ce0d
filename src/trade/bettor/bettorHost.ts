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

  /** Positions that are open, as far as the bettor has been told. */
  get openPositions(): number {
    return this.holdings.live
  }

  /** Whether somebody else may come. */
  get areMoreToCome(): boolean {
    return this.counts.arrivals < this.terms.betsMax
  }

  /** The client was away, and what it had asked to be woken for is lost: bettors come again from now on. */
  back(nowUs: number): void {
    this.nowUs = nowUs
    if (this.isBetting) this.nextArrival()
  }

  /** Takes what the service has told by `nowUs`. */
  hear(told: BettorTold, nowUs: number): void {
    this.nowUs = nowUs
    switch (told.kind) {
      case 'markets': return this.marketsListed(told)
      case 'takerFee':
        this.book.takerFeeBps = told.bps
        return
      case 'requested': case 'best': case 'commitRefused': case 'requestEnded': {
        const slot = this.intentOf.get(told.arrival)
        if (slot !== undefined) this.ofRequest(told, slot)
        return
      }
      case 'opened': return this.opened(told)
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
      if (this.holdings.words[slot + HoldingWord.generation] !== wake.generation || this.holdings.words[slot + HoldingWord.state] === HoldingState.ended) return
      if (wake.kind === 'check') this.check(slot)
      else if (this.holdings.cells[slot + HoldingCell.auction] === wake.auction) this.callHolding(slot, 'onListened')
      return
    }
    if (this.intents.words[slot + IntentWord.generation] !== wake.generation || this.intents.words[slot + IntentWord.state] === IntentState.ended) return
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
    if (this.intents.words[slot + IntentWord.state] === IntentState.arriving) this.endIntent(slot)
  }

  private decide(slot: number): void {
    const { words } = this.intents
    const state = words[slot + IntentWord.state]
    if (state === IntentState.requesting) return this.decideIn(slot, words[slot + IntentWord.retries] === 0 ? RETRY_US : LATE_RETRY_US)
    if (state !== IntentState.open) return
    words[slot + IntentWord.decisions]!++
    this.callIntent(slot, 'onDecision')
  }

  private check(slot: number): void {
    if (this.holdings.words[slot + HoldingWord.state] === HoldingState.sold) return
    this.holdings.words[slot + HoldingWord.checks]!++
    this.callHolding(slot, 'onCheck')
  }

  private ofRequest(told: Extract<BettorTold, { kind: 'requested' | 'best' | 'commitRefused' | 'requestEnded' }>, slot: number): void {
    const { words, cells } = this.intents
    switch (told.kind) {
      case 'requested': return this.requested(slot, told)
      case 'best':
        cells[slot + IntentCell.bestOddsE4] = Number.isNaN(told.oddsE4) ? NONE : told.oddsE4
        return
      case 'commitRefused':
        if (words[slot + IntentWord.state] !== IntentState.committing) return
        words[slot + IntentWord.state] = IntentState.open
        return this.refused(Action.commit, told, () => { this.callIntent(slot, 'onRefused') })
      case 'requestEnded': return this.endIntent(slot)
    }
  }

  /** A creation that met a limit is sent once more, when the waiting time is over. */
  private requested(slot: number, { refusal, retryAfterUs }: Refused): void {
    const { words } = this.intents
    if (refusal === Refusal.none) words[slot + IntentWord.state] = IntentState.open
    else if (refusal === Refusal.rateLimited && words[slot + IntentWord.retries] === 0) {
      words[slot + IntentWord.retries]!++
      this.wakeIn(Number.isNaN(retryAfterUs) ? LATE_RETRY_US : retryAfterUs, { kind: 'requestAgain', slot, generation: words[slot + IntentWord.generation]! })
    } else this.endIntent(slot)
  }

  private endIntent(slot: number): void {
    this.intentOf.delete(this.intents.cells[slot + IntentCell.arrival]!)
    this.intents.end(slot)
  }

  /** The position is the intent's, whose legs and number it has. */
  private opened({ arrival, costMicros, stakeMicros, payoutMicros }: Extract<BettorTold, { kind: 'opened' }>): void {
    this.counts.fills++
    this.counts.stakedMicros += costMicros
    const intent = this.intentOf.get(arrival)
    if (intent === undefined) return
    if (this.handlers.onOpened !== undefined) {
      const { intents, holdings } = this
      const slot = holdings.begin(COHORT, ACCOUNT, arrival, this.nowUs)
      const { words, cells } = holdings
      cells[slot + HoldingCell.position] = cells[slot + HoldingCell.request] = arrival
      cells[slot + HoldingCell.costMicros] = costMicros
      cells[slot + HoldingCell.stakeMicros] = stakeMicros
      cells[slot + HoldingCell.payoutMicros] = payoutMicros
      const count = words[slot + HoldingWord.legCount] = intents.words[intent + IntentWord.legCount]!
      for (let i = 0; i < count; i++) {
        holdings.legMarkets[holdings.legsFrom(slot) + i] = intents.legMarkets[intents.legsFrom(intent) + i]!
        holdings.legSides[holdings.legsFrom(slot) + i] = intents.legSides[intents.legsFrom(intent) + i]!
      }
      this.holdingOf.set(arrival, slot)
    }
    this.endIntent(intent)
    const slot = this.holdingOf.get(arrival)
    if (slot !== undefined) this.callHolding(slot, 'onOpened')
  }

  private ofPosition(told: Extract<BettorTold, { kind: 'auctionBegan' | 'bid' | 'auctionEnded' | 'cashOutRefused' | 'positionEnded' }>, slot: number): void {
    const { words, cells } = this.holdings
    if (told.kind === 'positionEnded') return this.endHolding(slot)
    switch (told.kind) {
      case 'auctionBegan': return this.auctionBegan(slot)
      case 'bid':
        cells[slot + HoldingCell.bestPriceMicros] = Number.isNaN(told.priceMicros) ? NONE : told.priceMicros
        return this.callHolding(slot, 'onBid')
      case 'auctionEnded': return this.auctionEnded(slot, told)
      case 'cashOutRefused':
        if (told.action === Action.openCashOut) words[slot + HoldingWord.state] = HoldingState.held
        else if (told.action === Action.takeBid) words[slot + HoldingWord.state] = HoldingState.auctioned
        return this.refused(told.action, told, () => { this.callHolding(slot, 'onCashOutRefused') })
    }
  }

  private auctionBegan(slot: number): void {
    const { words, cells } = this.holdings
    words[slot + HoldingWord.state] = HoldingState.auctioned
    const auction = ++words[slot + HoldingWord.auctions]!
    cells[slot + HoldingCell.auction] = auction
    if (cells[slot + HoldingCell.listenUs]! < 0) return
    const atUs = cells[slot + HoldingCell.askedAtUs]! + cells[slot + HoldingCell.listenUs]!
    this.wakeIn(Math.max(0, atUs - this.nowUs), { kind: 'listened', slot, generation: words[slot + HoldingWord.generation]!, auction })
  }

  private auctionEnded(slot: number, { outcome, receivedMicros }: Extract<BettorTold, { kind: 'auctionEnded' }>): void {
    const { words, cells } = this.holdings
    const isSold = outcome === AuctionOutcome.sold
    words[slot + HoldingWord.state] = isSold ? HoldingState.sold : HoldingState.held
    cells[slot + HoldingCell.auction] = NONE
    cells[slot + HoldingCell.bestPriceMicros] = isSold ? receivedMicros : NONE
    if (isSold) {
      this.counts.sales++
      this.counts.soldMicros += receivedMicros
    }
    this.callHolding(slot, 'onAuctionEnded', outcome)
    if (isSold) this.endHolding(slot)
  }

  private endHolding(slot: number): void {
    this.holdingOf.delete(this.holdings.cells[slot + HoldingCell.arrival]!)
    this.holdings.end(slot)
  }

  requestQuote(slot: number): void {
    const { words, cells } = this.intents
    words[slot + IntentWord.state] = IntentState.requesting
    this.counts.requests++
    this.wish({ kind: 'requestQuote', arrival: cells[slot + IntentCell.arrival]!, legs: this.legsOf(slot), betMicros: cells[slot + IntentCell.betMicros]! })
  }

  private legsOf(slot: number): readonly WireLeg[] {
    const { words, legMarkets, legSides } = this.intents
    const from = this.intents.legsFrom(slot)
    return Array.from({ length: words[slot + IntentWord.legCount]! }, (_, i) => ({
      market: this.terms.markets.nameOf(legMarkets[from + i]!), side: legSides[from + i] === Side.yes ? 'yes' : 'no',
    }))
  }

  commit(slot: number): void {
    const { words, cells } = this.intents
    words[slot + IntentWord.state] = IntentState.committing
    this.wish({ kind: 'commit', arrival: cells[slot + IntentCell.arrival]!, minOddsE4: cells[slot + IntentCell.minOddsE4]! })
  }

  cancelRequest(slot: number): void {
    this.wish({ kind: 'cancelRequest', arrival: this.intents.cells[slot + IntentCell.arrival]! })
  }

  decideIn(slot: number, delayUs: number): void {
    this.wakeIn(delayUs, { kind: 'decision', slot, generation: this.intents.words[slot + IntentWord.generation]! })
  }

  openCashOut(slot: number, listenUs: number): void {
    this.holdings.words[slot + HoldingWord.state] = HoldingState.opening
    this.holdings.cells[slot + HoldingCell.listenUs] = listenUs
    this.wish({ kind: 'openCashOut', arrival: this.holdings.cells[slot + HoldingCell.arrival]! })
  }

  takeBid(slot: number, minPriceMicros: number): void {
    this.holdings.words[slot + HoldingWord.state] = HoldingState.selling
    this.wish({ kind: 'takeBid', arrival: this.holdings.cells[slot + HoldingCell.arrival]!, minPriceMicros })
  }

  cancelCashOut(slot: number): void {
    this.wish({ kind: 'cancelCashOut', arrival: this.holdings.cells[slot + HoldingCell.arrival]! })
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
    row.set(action, refusal, Number.isNaN(retryAfterUs) ? NONE : retryAfterUs)
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
