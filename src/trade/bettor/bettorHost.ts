import type { BettorStrategy } from '../../agent/bettor.ts'
import { DRAWS_PER_INTENT, IntentDraw } from '../../agent/bettorDesk.ts'
import type { BettorPort } from '../../agent/bettorPort.ts'
import { CohortBook } from '../../agent/cohortBook.ts'
import { intentCursor } from '../../agent/cursor.ts'
import { IntentCell, IntentState, IntentWord } from '../../agent/intents.ts'
import type { IntentView } from '../../agent/views.ts'
import { Action, Refusal, Side } from '../../agent/vocabulary.ts'
import { Draws, Purpose, rootKey } from '../../kernel/random.ts'
import type { PriceBoard } from '../../market/priceBoard.ts'
import type { PublishedResults } from '../../market/publishedResults.ts'
import { fnv1a } from '../../unit/fnv1a.ts'
import { HOUR_US } from '../../unit/time.ts'
import { BettorPositions, type Opened, type SaleCounts } from './bettorPositions.ts'
import type { BettorTold, Refused, WireLeg } from './bettorWords.ts'
import { type HostDeed, HostDeeds, type HostWake } from './hostDeeds.ts'
import { ListedIntents, type ListedMarkets } from './listedMarkets.ts'
import { StrategyCalls } from './strategyCalls.ts'

/** A decision that comes before the service knows the request is put off by this much. */
const RETRY_US = 100_000
/** The same while a limit keeps the request from being made. */
const LATE_RETRY_US = 1_000_000
/** All bets are those of one account. */
const COHORT = 0
const ACCOUNT = 0

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
export interface BettorCounts extends SaleCounts {
  arrivals: number
  requests: number
  fills: number
  /** Bets of positions that opened, microUSDC. */
  stakedMicros: number
}

const MONEY_UNTOLD = 'no client is told what its bettor has left: stake by a parameter of the strategy, or play the bettor inside the session (parlor run)'

/**
 * A bettor strategy as the client of a service: its requests and positions, and the arrivals that call it. It draws as the strategy's cohort would
 * inside a session. What is wished waits until the caller takes it.
 */
export class BettorHost implements BettorPort {
  readonly counts: BettorCounts = { arrivals: 0, requests: 0, fills: 0, sales: 0, stakedMicros: 0, soldMicros: 0 }
  private readonly terms: BettorTerms
  private readonly deeds = new HostDeeds()
  private readonly positions = new BettorPositions(this.deeds, this.counts)
  private readonly book: CohortBook
  private readonly calls: StrategyCalls
  private readonly draws: Draws
  private readonly entity: number
  private readonly intents: ListedIntents
  private readonly slotOf = new Map<number, number>()
  private readonly cursor: ReturnType<typeof intentCursor>
  private readonly view: IntentView
  private isBetting = false

  constructor(terms: BettorTerms) {
    const { name, seed, strategy, values, markets, prices, results } = terms
    this.terms = terms
    this.entity = fnv1a(name) >>> 0
    this.draws = new Draws(rootKey(seed), Purpose.arrivals)
    this.intents = new ListedIntents(markets)
    this.book = new CohortBook({
      entity: this.entity, takerFeeBps: NaN, intents: this.intents, board: prices, oracle: undefined, live: markets.live, keys: markets, draws: this.draws,
      port: this, holdings: this.positions.holdings, results, holdingPort: this.positions, list: markets, moneyUntold: MONEY_UNTOLD,
    })
    this.calls = new StrategyCalls(name, strategy, values, this.book, this.deeds)
    this.positions.join(this.calls)
    this.cursor = intentCursor(this.intents)
    this.view = this.calls.intentOver(this.cursor)
  }

  /** What has been wished since the last call. */
  takeDeeds(): readonly HostDeed[] {
    return this.deeds.take()
  }

  /** Whether somebody else may come. */
  get areMoreToCome(): boolean {
    return this.counts.arrivals < this.terms.betsMax
  }

  /** The session begins, or is over. */
  tell(handler: 'onStart' | 'onEnd', nowUs: number): void {
    this.deeds.nowUs = nowUs
    this.calls.ofSession(handler)
  }

  /** Takes what the service has told by `nowUs`. */
  hear(told: BettorTold, nowUs: number): void {
    this.deeds.nowUs = nowUs
    switch (told.kind) {
      case 'markets': return this.marketsListed(told)
      case 'takerFee':
        this.book.takerFeeBps = told.bps
        return
      case 'requested': case 'best': case 'commitRefused': case 'requestEnded': case 'opened': {
        const slot = this.slotOf.get(told.arrival)
        if (slot !== undefined) this.ofRequest(told, slot)
        return
      }
      default: return this.positions.hear(told)
    }
  }

  /** A time that it asked for has come. */
  woken(wake: HostWake, nowUs: number): void {
    this.deeds.nowUs = nowUs
    switch (wake.kind) {
      case 'arrival':
        if (wake.arrival === this.counts.arrivals) this.arrive()
        return
      case 'check': case 'listened': return this.positions.woken(wake)
      default:
        if (this.intents.words[wake.slot + IntentWord.generation] !== wake.generation || this.is(wake.slot, IntentState.ended)) return
        if (wake.kind === 'decision') this.decide(wake.slot)
        else this.requestQuote(wake.slot)
    }
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
    this.deeds.wakeIn(1 + Math.floor(gapUs), { kind: 'arrival', arrival: this.counts.arrivals })
  }

  private arrive(): void {
    const arrival = this.counts.arrivals++
    this.nextArrival()
    const slot = this.intents.begin(COHORT, ACCOUNT, arrival)
    this.slotOf.set(arrival, slot)
    this.call(slot, 'onArrival')
    if (this.is(slot, IntentState.arriving)) this.end(slot)
  }

  private decide(slot: number): void {
    const { words } = this.intents
    if (this.is(slot, IntentState.requesting)) return this.decideIn(slot, words[slot + IntentWord.retries] === 0 ? RETRY_US : LATE_RETRY_US)
    if (!this.is(slot, IntentState.open)) return
    words[slot + IntentWord.decisions]!++
    this.call(slot, 'onDecision')
  }

  private ofRequest(told: Extract<BettorTold, { kind: 'requested' | 'best' | 'commitRefused' | 'requestEnded' | 'opened' }>, slot: number): void {
    switch (told.kind) {
      case 'requested': return this.requested(slot, told)
      case 'best':
        this.intents.cells[slot + IntentCell.bestOddsE4] = told.oddsE4
        return
      case 'commitRefused':
        if (!this.is(slot, IntentState.committing)) return
        this.set(slot, IntentState.open)
        return this.calls.refused(Action.commit, told, () => { this.call(slot, 'onRefused') })
      case 'requestEnded': return this.end(slot)
      case 'opened': return this.opened(slot, told)
    }
  }

  /** A creation that met a limit is sent once more, when the waiting time is over. */
  private requested(slot: number, { refusal, retryAfterUs }: Refused): void {
    const { words } = this.intents
    if (refusal === Refusal.none) this.set(slot, IntentState.open)
    else if (refusal === Refusal.rateLimited && words[slot + IntentWord.retries] === 0) {
      words[slot + IntentWord.retries] = 1
      this.deeds.wakeIn(Number.isNaN(retryAfterUs) ? LATE_RETRY_US : retryAfterUs, { kind: 'requestAgain', slot, generation: words[slot + IntentWord.generation]! })
    } else this.end(slot)
  }

  /** A strategy without `onOpened` hears nothing of its positions. */
  private opened(slot: number, told: Opened): void {
    this.counts.fills++
    this.counts.stakedMicros += told.costMicros
    if (this.calls.handlers.onOpened === undefined) return this.end(slot)
    const position = this.positions.begin(this.intents, slot, told)
    this.end(slot)
    this.positions.call(position, 'onOpened')
  }

  private end(slot: number): void {
    this.slotOf.delete(this.arrivalOf(slot))
    this.intents.end(slot)
  }

  private is(slot: number, state: number): boolean {
    return this.intents.words[slot + IntentWord.state] === state
  }

  private set(slot: number, state: number): void {
    this.intents.words[slot + IntentWord.state] = state
  }

  private arrivalOf(slot: number): number {
    return this.intents.cells[slot + IntentCell.arrival]!
  }

  requestQuote(slot: number): void {
    this.set(slot, IntentState.requesting)
    this.counts.requests++
    this.deeds.wish({ kind: 'requestQuote', arrival: this.arrivalOf(slot), legs: this.legsOf(slot), betMicros: this.intents.cells[slot + IntentCell.betMicros]! })
  }

  private legsOf(slot: number): readonly WireLeg[] {
    const { words, legMarkets, legSides } = this.intents
    const from = this.intents.legsFrom(slot)
    return Array.from({ length: words[slot + IntentWord.legCount]! }, (_, i) => ({
      market: this.terms.markets.nameOf(legMarkets[from + i]!), side: legSides[from + i] === Side.yes ? 'yes' : 'no',
    }))
  }

  commit(slot: number): void {
    this.set(slot, IntentState.committing)
    this.deeds.wish({ kind: 'commit', arrival: this.arrivalOf(slot), minOddsE4: this.intents.cells[slot + IntentCell.minOddsE4]! })
  }

  cancelRequest(slot: number): void {
    this.deeds.wish({ kind: 'cancelRequest', arrival: this.arrivalOf(slot) })
  }

  decideIn(slot: number, delayUs: number): void {
    this.deeds.wakeIn(delayUs, { kind: 'decision', slot, generation: this.intents.words[slot + IntentWord.generation]! })
  }

  private call(slot: number, handler: 'onArrival' | 'onDecision' | 'onRefused'): void {
    const { view, calls: { handlers, desk, refusal } } = this
    this.calls.about(this.cursor, slot, handler, () => {
      if (handler === 'onArrival') handlers.onArrival(view, desk)
      else if (handler === 'onDecision') handlers.onDecision(view, desk)
      else handlers.onRefused?.(view, refusal, desk)
    })
  }
}
