import type { BettorHandlers } from '../agent/bettor.ts'
import { CohortDesk, type BettorPort, DRAWS_PER_INTENT, IntentDraw, IntentView } from '../agent/bettorDesk.ts'
import { IntentCell, Intents, IntentState, IntentWord } from '../agent/intents.ts'
import { type Delay, delayUs } from '../agent/latency.ts'
import { RefusalView } from '../agent/views.ts'
import { Action, Refusal } from '../agent/vocabulary.ts'
import { Draws, Purpose } from '../kernel/random.ts'
import type { LiveMarkets } from '../market/liveMarkets.ts'
import { NumberRing } from '../unit/numberRing.ts'
import type { Image, Snapshot } from '../unit/snapshot.ts'
import { NONE } from '../venue/eventRows.ts'
import { ArrivalTimes } from './arrivals.ts'
import { calledStrategy } from './calledStrategy.ts'
import type { CommandEnricher } from './enricher.ts'
import { drawKey } from './drawKeys.ts'
import type { DrawSources } from './drawSources.ts'
import { MessageCell, MessageKind, MessageWord } from './messages.ts'
import { entityOfName } from './names.ts'
import type { LayOff, ServicePlay, Shared, Tally } from './play.ts'
import type { RosterCohort } from './roster.ts'
import { Sellers } from './sellers.ts'
import { StrategyFailure } from './strategyFailure.ts'
import type { Transit } from './transit.ts'

interface Cohort {
  readonly entry: RosterCohort
  readonly entity: number
  readonly firstAccount: number
  readonly handlers: BettorHandlers
  readonly desk: CohortDesk
  /** What it is announced by while its strategy is called. */
  readonly called: number
  /** Of the entry, at hand: what is read for every message. */
  readonly broadcast: Delay
  readonly submit: Delay
}

/** A decision that comes before the venue knows the request is put off by this much. */
const RETRY_US = 100_000
/** The same while a limit keeps the request from being made. */
const LATE_RETRY_US = 1_000_000
const Way = { create: 0, commit: 1, cancel: 2, reply: 3, best: 4, again: 5 } as const
const WAYS = 8

/** The bettors of a session, cohort by cohort: arrivals, decisions, and what they are told. */
export class Cohorts implements BettorPort, Snapshot {
  readonly intents = new Intents()
  declare readonly cohorts: readonly Cohort[]
  declare readonly sellers: Sellers
  private declare readonly arrivals: Tally
  private declare readonly arrivalTimes: ArrivalTimes
  private declare readonly sources: DrawSources
  /** For draws about a source's requests, by its place. */
  private declare readonly sourceEntities: Float64Array
  private readonly intentOfRequest = new NumberRing()
  private declare readonly transit: Transit
  private declare readonly draws: Draws
  private declare readonly latencyDraws: Draws
  private declare view: IntentView
  private refusal = new RefusalView()
  private declare readonly poison: boolean
  private declare readonly untilUs: number
  private declare readonly arrivalsMax: number
  private declare readonly enricher: CommandEnricher | null
  private declare takerFeeBps: number

  constructor(play: ServicePlay, shared: Shared, transit: Transit, live: LiveMarkets, takerFeeBps: number) {
    const { key, boards, accounts } = shared
    this.transit = transit
    this.draws = new Draws(key, Purpose.arrivals)
    this.latencyDraws = new Draws(key, Purpose.decisionDelay)
    this.view = new IntentView(this.intents)
    this.poison = play.poisonViews === true
    this.untilUs = play.arrivalsUntilUs
    this.arrivalsMax = play.arrivalsMax ?? Infinity
    this.sellers = new Sellers(play, key, transit)
    this.arrivals = shared.arrivals
    this.enricher = play.enricher
    this.takerFeeBps = takerFeeBps
    this.cohorts = play.cohorts.map((entry, i): Cohort => {
      const firstAccount = accounts.ofCohort(entry)
      const horizonUs = entry.strategy.horizonUs?.(entry.values)
      const entity = entityOfName(entry.name)
      const desk = new CohortDesk({
        cohort: i, entity, takerFeeBps, intents: this.intents, board: boards.withLag(entry.latency.feedUs),
        oracle: horizonUs === undefined ? undefined : boards.withLag(-horizonUs), live, keys: play.keys, draws: this.draws, port: this,
        holdings: this.sellers.holdings, results: boards.results, holdingPort: this.sellers,
      })
      const { broadcast, submit } = entry.latency
      return {
        entry, entity, firstAccount, desk, handlers: entry.strategy.create(entry.values), called: calledStrategy.numberOf(entry.name),
        broadcast, submit,
      }
    })
    this.arrivalTimes = new ArrivalTimes(this.cohorts.map(({ entry, entity }) => ({
      name: entry.name, entity, meanGapUs: entry.everyUs / entry.bettors, excitation: entry.excitation, arrivalsUs: entry.arrivalsUs,
    })), this.draws)
    this.sources = play.sources
    this.sourceEntities = Float64Array.from(play.sources.names, entityOfName)
    this.sellers.join(this.cohorts)
  }

  /** The service announces what it keeps of bets from now on. */
  feesChanged(takerFeeBps: number): void {
    this.takerFeeBps = takerFeeBps
    for (const { desk } of this.cohorts) desk.takerFeeBps = takerFeeBps
  }

  /** Schedules the first arrival of each cohort. */
  start(): void {
    for (let i = 0; i < this.cohorts.length; i++) this.scheduleArrival(i, 0)
  }

  private scheduleArrival(cohort: number, index: number): void {
    const { transit } = this
    const { messages, nowUs } = transit
    const gapUs = this.arrivalTimes.gapBefore(cohort, index, nowUs)
    if (nowUs + gapUs >= this.untilUs) return
    const slot = messages.takeBare(MessageKind.arrival, cohort)
    messages.cells[slot + MessageCell.index] = index
    transit.send(slot, gapUs)
  }

  /** A bettor of the message's cohort arrives, and the next arrival is scheduled. */
  arrive(message: number): void {
    if (this.arrivals.count >= this.arrivalsMax) return
    this.arrivals.count++
    const { words, cells } = this.transit.messages
    const target = words[message + MessageWord.target]!
    const index = cells[message + MessageCell.index]!
    const cohort = this.cohorts[target]!
    this.scheduleArrival(target, index + 1)
    const pick = this.draws.below(cohort.entity, index * DRAWS_PER_INTENT + IntentDraw.bettor, cohort.entry.bettors)
    const slot = this.intents.begin(target, cohort.firstAccount + pick, index)
    cohort.desk.wake(this.transit.nowUs)
    this.call(cohort, 'onArrival', slot)
    if (this.intents.words[slot + IntentWord.state] === IntentState.arriving) this.intents.end(slot)
  }

  /** The account with which a maker of the other service lays off asks for prices. False when it has none here. */
  layOff({ name, legs, betMicros, minOddsE4, decideInUs, root, arrival }: LayOff): boolean {
    const place = this.cohorts.findIndex(({ entry }) => entry.layOffOf === name)
    if (place < 0) return false
    const cohort = this.cohorts[place]!
    const { intents } = this
    const slot = intents.begin(place, cohort.firstAccount, arrival, this.sources.ofLayOff(place, root))
    const base = intents.legsFrom(slot)
    for (let i = 0; i < legs.count; i++) {
      intents.legMarkets[base + i] = legs.markets[i]!
      intents.legSides[base + i] = legs.sides[i]!
    }
    intents.words[slot + IntentWord.legCount] = legs.count
    cohort.desk.wake(this.transit.nowUs)
    this.view.slot = slot
    cohort.desk.requestQuote(this.view, { betMicros, minOddsE4, decideInUs })
    return true
  }

  /** The decision time of an intent has come. */
  decide(message: number): void {
    const slot = this.intentOf(message)
    if (slot < 0) return
    const state = this.intents.words[slot + IntentWord.state]!
    if (state === IntentState.requesting) return this.decideIn(slot, this.intents.words[slot + IntentWord.retries] === 0 ? RETRY_US : LATE_RETRY_US)
    if (state !== IntentState.open) return
    const cohort = this.cohorts[this.intents.words[slot + IntentWord.cohort]!]!
    this.intents.words[slot + IntentWord.decisions]!++
    cohort.desk.wake(this.transit.nowUs)
    this.call(cohort, 'onDecision', slot)
  }

  /** A refusal of the intent's commit arrives. */
  refused(message: number): void {
    const slot = this.intentOf(message)
    const { intents, transit: { nowUs, messages: { words, cells } } } = this
    if (slot < 0 || intents.words[slot + IntentWord.state] !== IntentState.committing) return
    intents.words[slot + IntentWord.state] = IntentState.open
    const { refusal } = this.refusal.set(Action.commit, words[message + MessageWord.code]! as Refusal, cells[message + MessageCell.untilUs]!)
    const quote = cells[message + MessageCell.quote]!
    if (quote >= 0 && quote === intents.cells[slot + IntentCell.bestQuote]) this.forgetBest(slot)
    const cohort = this.cohorts[intents.words[slot + IntentWord.cohort]!]!
    cohort.desk.wake(nowUs)
    this.view.slot = slot
    if (refusal === Refusal.notConfirmed) cohort.desk.exclude(this.view, words[message + MessageWord.account]!)
    this.call(cohort, 'onRefused', slot)
  }

  /** What was refused is no offer any more, whatever the venue still lists. */
  private forgetBest(slot: number): void {
    const { words, cells } = this.intents
    cells[slot + IntentCell.bestQuote] = cells[slot + IntentCell.bestOddsE4] = cells[slot + IntentCell.bestPayoutMicros] = words[slot + IntentWord.bestMaker] = NONE
  }

  /** A request's best quote reaches the bettor. */
  bestArrived(message: number): void {
    const slot = this.intentOf(message)
    if (slot < 0) return
    const { intents, transit: { messages: { words, cells } } } = this
    intents.cells[slot + IntentCell.bestQuote] = cells[message + MessageCell.quote]!
    intents.cells[slot + IntentCell.bestOddsE4] = cells[message + MessageCell.oddsE4]!
    intents.cells[slot + IntentCell.bookSeq] = cells[message + MessageCell.bookSeq]!
    if (this.enricher === null) return
    intents.cells[slot + IntentCell.bestPayoutMicros] = cells[message + MessageCell.amount]!
    intents.words[slot + IntentWord.bestMaker] = words[message + MessageWord.account]!
  }

  /**
   * The venue took or refused the creation that message `message` carried. One that met a limit is sent once more, when
   * the bettor has been told of it and the time that it was told (`retryAfterUs`) is over.
   */
  created(message: number, refusal: Refusal, request: number, version: number, retryAfterUs: number): void {
    const slot = this.intentOf(message)
    if (slot < 0) return
    if (refusal === Refusal.rateLimited && this.intents.words[slot + IntentWord.retries] === 0) {
      this.intents.words[slot + IntentWord.retries]!++
      const toldUs = this.toldIn(slot, Way.again)
      return this.transit.send(this.messageTo(MessageKind.requestAgain, slot), toldUs + retryAfterUs)
    }
    if (refusal !== Refusal.none) return this.intents.end(slot)
    const { words, cells } = this.intents
    cells[slot + IntentCell.request] = request
    cells[slot + IntentCell.version] = version
    words[slot + IntentWord.state] = IntentState.open
    this.intentOfRequest.set(request, slot)
  }

  /** The time that a limit asked for is over. */
  requestAgain(message: number): void {
    const slot = this.intentOf(message)
    if (slot >= 0) this.requestQuote(slot)
  }

  /** Tells the bettor that its commit was refused; `quote` is what it named, where commits name quotes. */
  sendRefusal(request: number, refusal: Refusal, failedMaker: number, retryAfterUs: number, quote = NONE): void {
    const slot = this.intentOfRequest.get(request)
    if (slot < 0) return
    const message = this.messageTo(MessageKind.refused, slot)
    this.transit.messages.words[message + MessageWord.code] = refusal
    this.transit.messages.words[message + MessageWord.account] = failedMaker
    this.transit.messages.cells[message + MessageCell.untilUs] = retryAfterUs
    this.transit.messages.cells[message + MessageCell.quote] = quote
    this.transit.send(message, this.toldIn(slot, Way.reply))
  }

  /** `payoutMicros` and `maker` where a commit needs them (outcome service), else −1. */
  sendBest(request: number, quote: number, oddsE4: number, bookSeq: number, payoutMicros = NONE, maker = NONE): void {
    const slot = this.intentOfRequest.get(request)
    if (slot < 0) return
    const message = this.messageTo(MessageKind.bestToBettor, slot)
    const { words, cells } = this.transit.messages
    cells[message + MessageCell.quote] = quote
    cells[message + MessageCell.oddsE4] = oddsE4
    cells[message + MessageCell.bookSeq] = bookSeq
    cells[message + MessageCell.amount] = payoutMicros
    words[message + MessageWord.account] = maker
    this.transit.send(message, this.toldIn(slot, Way.best))
  }

  /** The request reached an end: so does its intent. */
  ended(request: number): void {
    const slot = this.intentOfRequest.get(request)
    if (slot < 0) return
    this.intentOfRequest.delete(request)
    this.intents.end(slot)
  }

  requestQuote(slot: number): void {
    this.intents.words[slot + IntentWord.state] = IntentState.requesting
    const message = this.command(Action.requestQuote, slot)
    const { messages } = this.transit
    messages.cells[message + MessageCell.amount] = this.intents.cells[slot + IntentCell.betMicros]!
    messages.cells[message + MessageCell.index] = drawKey(this.intents.words[slot + IntentWord.source]!, this.intents.cells[slot + IntentCell.arrival]!)
    this.transit.send(message, this.sentIn(slot, Way.create))
  }

  commit(slot: number): void {
    this.intents.words[slot + IntentWord.state] = IntentState.committing
    const { intents } = this
    const { messages } = this.transit
    const message = this.command(Action.commit, slot)
    messages.cells[message + MessageCell.version] = intents.cells[slot + IntentCell.version]!
    messages.cells[message + MessageCell.quote] = intents.cells[slot + IntentCell.bestQuote]!
    messages.cells[message + MessageCell.bookSeq] = intents.cells[slot + IntentCell.bookSeq]!
    messages.cells[message + MessageCell.oddsE4] = intents.cells[slot + IntentCell.minOddsE4]!
    if (this.enricher !== null) {
      this.enricher.commit(message, this.offerOf(slot), intents.cells[slot + IntentCell.bestPayoutMicros]!, intents.cells[slot + IntentCell.betMicros]!)
    }
    this.transit.send(message, this.sentIn(slot, Way.commit))
  }

  /** The best quote, as the bettor was told of it, if it reaches the floor and is of no maker that is left out; else −1. */
  private offerOf(slot: number): number {
    const { intents } = this
    if (intents.cells[slot + IntentCell.bestOddsE4]! < intents.cells[slot + IntentCell.minOddsE4]!) return NONE
    const from = intents.excludedFrom(slot)
    const isExcluded = intents.excluded.subarray(from, from + intents.words[slot + IntentWord.excludedCount]!).includes(intents.words[slot + IntentWord.bestMaker]!)
    return isExcluded ? NONE : intents.cells[slot + IntentCell.bestQuote]!
  }

  cancelRequest(slot: number): void {
    this.transit.send(this.command(Action.cancelRequest, slot), this.sentIn(slot, Way.cancel))
  }

  decideIn(slot: number, delayByUs: number): void {
    this.transit.send(this.messageTo(MessageKind.decision, slot), delayByUs)
  }

  /** The intent slot that a message means, or −1 when that intent has ended. */
  intentOf(message: number): number {
    const { intents, transit: { messages: { words } } } = this
    const slot = words[message + MessageWord.intent]!
    const live = slot >= 0 && intents.words[slot + IntentWord.generation] === words[message + MessageWord.generation]!
    return live && intents.words[slot + IntentWord.state] !== IntentState.ended ? slot : NONE
  }

  private command(action: Action, slot: number): number {
    const { intents, transit: { messages } } = this
    const message = messages.take(MessageKind.command, intents.words[slot + IntentWord.cohort]!)
    const { words } = messages
    words[message + MessageWord.action] = action
    words[message + MessageWord.account] = intents.words[slot + IntentWord.bettor]!
    words[message + MessageWord.intent] = slot
    words[message + MessageWord.generation] = intents.words[slot + IntentWord.generation]!
    messages.cells[message + MessageCell.request] = intents.cells[slot + IntentCell.request]!
    return message
  }

  /** A message of which nothing more is written yet. */
  private messageTo(kind: number, slot: number): number {
    const { intents, transit: { messages } } = this
    const message = messages.takeBare(kind, intents.words[slot + IntentWord.cohort]!)
    messages.words[message + MessageWord.intent] = slot
    messages.words[message + MessageWord.generation] = intents.words[slot + IntentWord.generation]!
    return message
  }

  /** Delay of what the bettor is told, and of what it sends; `way` is a Way. */
  private toldIn(slot: number, way: number): number {
    return this.delay(slot, this.cohorts[this.intents.words[slot + IntentWord.cohort]!]!.broadcast, way)
  }

  private sentIn(slot: number, way: number): number {
    return this.delay(slot, this.cohorts[this.intents.words[slot + IntentWord.cohort]!]!.submit, way)
  }

  private delay(slot: number, delay: Delay, way: number): number {
    const entity = this.sourceEntities[this.intents.words[slot + IntentWord.source]!]!
    return delayUs(delay, this.latencyDraws, entity, this.intents.cells[slot + IntentCell.arrival]! * WAYS + way)
  }

  /** Calls a handler about the intent in `slot`. */
  private call(cohort: Cohort, handler: 'onArrival' | 'onDecision' | 'onRefused', slot: number): void {
    const { view } = this
    const { handlers, desk, called } = cohort
    view.slot = slot
    calledStrategy.enter(called)
    try {
      if (handler === 'onDecision') handlers.onDecision(view, desk)
      else if (handler === 'onArrival') handlers.onArrival(view, desk)
      else handlers.onRefused?.(view, this.refusal, desk)
    } catch (error) {
      if (error instanceof Error && error.name === 'Bug') throw error
      throw new StrategyFailure(cohort.entry.name, handler, this.transit.nowUs, error)
    } finally {
      calledStrategy.leave(called)
    }
    if (this.poison) this.changeViews()
  }

  /** Poisoned views stay so: a kept one must not come back to life with the next call. */
  private changeViews(): void {
    this.view.poison()
    this.view = new IntentView(this.intents)
    this.refusal.poison()
    this.refusal = new RefusalView()
  }

  /** Puts an intent's legs into a command. */
  putLegs(slot: number, command: { leg(market: number, side: number): unknown }): void {
    const { words, legMarkets, legSides } = this.intents
    const from = this.intents.legsFrom(slot)
    const to = from + words[slot + IntentWord.legCount]!
    for (let i = from; i < to; i++) command.leg(legMarkets[i]!, legSides[i]!)
  }

  /** Puts the makers that the intent of a commit message leaves out into its command. */
  putExcluded(message: number, command: { item(value: number): unknown }): void {
    const slot = this.intentOf(message)
    if (slot < 0) return
    const { words, excluded } = this.intents
    const from = this.intents.excludedFrom(slot)
    for (let i = 0; i < words[slot + IntentWord.excludedCount]!; i++) command.item(excluded[from + i]!)
  }

  snapshot(): Image {
    return {
      intents: this.intents.snapshot(), intentOfRequest: this.intentOfRequest.snapshot(), sellers: this.sellers.snapshot(),
      arrivalTimes: this.arrivalTimes.snapshot(), takerFeeBps: this.takerFeeBps,
    }
  }

  restore(image: Image): void {
    const from = image as { intents: Image; intentOfRequest: Image; sellers: Image; arrivalTimes: Image; takerFeeBps: number }
    this.intents.restore(from.intents)
    this.intentOfRequest.restore(from.intentOfRequest)
    this.sellers.restore(from.sellers)
    this.arrivalTimes.restore(from.arrivalTimes)
    this.feesChanged(from.takerFeeBps)
  }
}
