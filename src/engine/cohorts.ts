import { Bankrolls } from '../agent/bankrolls.ts'
import { DRAWS_PER_INTENT, IntentDraw } from '../agent/bettorDesk.ts'
import { callNumber, calledStrategy } from '../agent/calledStrategy.ts'
import { CohortBook } from '../agent/cohortBook.ts'
import { type Cursor, intentCursor } from '../agent/cursor.ts'
import { InstantBudget } from '../agent/instantBudget.ts'
import { IntentCell, Intents, IntentState, IntentWord } from '../agent/intents.ts'
import { RefusalRow } from '../agent/rows.ts'
import type { IntentView, RefusalView } from '../agent/views.ts'
import { Action, Refusal } from '../agent/vocabulary.ts'
import { Draws, Purpose } from '../kernel/random.ts'
import type { LiveMarkets } from '../market/liveMarkets.ts'
import { NONE } from '../unit/none.ts'
import { NumberRing } from '../unit/numberRing.ts'
import type { Image, Snapshot } from '../unit/snapshot.ts'
import type { RequestArrivals } from '../unit/requestArrivals.ts'
import type { TellingCall } from '../unit/toldRows.ts'
import { ArrivalTimes, termsOfCohort } from './arrivals.ts'
import { actionsOfCohort, type Cohort, failureOf } from './cohort.ts'
import type { ServiceName } from './config.ts'
import { arrivalAmong } from './drawKeys.ts'
import type { DrawSources } from './drawSources.ts'
import type { CommandEnricher } from './enricher.ts'
import { IntentCommands, Way } from './intentCommands.ts'
import { ArrivalMessage, BestMessage, RefusedMessage } from './messageCells.ts'
import { MessageKind, MessageWord } from './messages.ts'
import { entityOfName } from '../kernel/names.ts'
import type { ArrivalTally, LayOff, ServicePlay, Shared } from './play.ts'
import { facadesOf } from './roster.ts'
import { Sellers } from './sellers.ts'
import { Shown } from './shown.ts'
import type { Transit } from './transit.ts'

/** A decision that comes before the venue knows the request is put off by this much. */
const RETRY_US = 100_000
/** The same while a limit keeps the request from being made. */
const LATE_RETRY_US = 1_000_000

/** The bettors of a session, cohort by cohort: arrivals, decisions, and what they are told. */
export class Cohorts implements Snapshot {
  declare readonly intents: Intents
  declare readonly cohorts: readonly Cohort[]
  declare readonly sellers: Sellers
  declare readonly commands: IntentCommands
  /** Draws the delays of what clients call for and strategies never wish. */
  declare readonly callDraws: Draws
  private declare readonly arrivals: ArrivalTally
  private declare readonly arrivalTimes: ArrivalTimes
  private declare readonly sources: DrawSources
  private readonly intentOfRequest = new NumberRing()
  private declare readonly transit: Transit
  private declare readonly draws: Draws
  private declare readonly intent: Shown<Cursor<Intents>, IntentView>
  private declare readonly refusal: Shown<RefusalRow, RefusalView>
  private declare readonly freshViews: boolean
  private declare readonly untilUs: number
  private declare readonly arrivalsMax: number
  private declare readonly enricher: CommandEnricher | null
  private declare takerFeeBps: number
  private declare readonly service: ServiceName
  private declare readonly requestArrivals: RequestArrivals | null

  constructor(play: ServicePlay, shared: Shared, transit: Transit, live: LiveMarkets, takerFeeBps: number) {
    const { keys, boards, accounts } = shared
    const key = keys.bettors
    this.intents = new Intents(play.keys.start.length - 1)
    this.transit = transit
    this.draws = new Draws(key, Purpose.arrivals)
    this.callDraws = new Draws(key, Purpose.externalCalls)
    this.intent = new Shown(play.realms, () => intentCursor(this.intents), (facades, row) => facades.intent(row))
    this.refusal = new Shown(play.realms, () => new RefusalRow(), (facades, row) => facades.refusal(row))
    this.freshViews = play.freshViews === true
    this.untilUs = play.arrivalsUntilUs
    this.arrivalsMax = play.arrivalsMax ?? Infinity
    this.sellers = new Sellers(play, key, transit, boards)
    this.commands = new IntentCommands(this.intents, transit, keys, play.sources, play.enricher)
    this.arrivals = shared.arrivals
    this.enricher = play.enricher
    this.service = play.service
    this.requestArrivals = play.requestArrivals ?? null
    this.takerFeeBps = takerFeeBps
    this.cohorts = play.cohorts.map((entry): Cohort => {
      const firstAccount = accounts.ofCohort(entry)
      const horizonUs = entry.strategy.horizonUs?.(entry.values)
      const entity = entityOfName(entry.name)
      const book = new CohortBook({
        entity, takerFeeBps, intents: this.intents, board: boards.withLag(entry.latency.feedUs),
        oracle: horizonUs === undefined ? undefined : boards.withLag(-horizonUs), live, keys: play.keys, draws: this.draws, port: this.commands,
        holdings: this.sellers.holdings, results: boards.results, holdingPort: this.sellers,
        budget: new InstantBudget(actionsOfCohort(entry, play.actionsPerInstant)), commandBudget: new InstantBudget(play.actionsPerInstant), looksAgain: play.looksAgain, list: play.list,
        logged: play.told && ((text, name, value) => { play.told!.log(this.telling(play, entry.name), text, name, value) }),
      })
      book.depth = boards.depthFor(book, entry.latency.feedUs)
      const { broadcast, submit } = entry.latency
      const facades = facadesOf(entry)
      const handlers = entry.strategy.create(Object.freeze({ ...entry.values }))
      // Money of a maker's account moves by more than the bettor hears of.
      if (handlers.onSettled !== undefined) book.bankrolls = new Bankrolls(firstAccount, entry.bettors, entry.account === undefined ? entry.bankrollMicros : NaN)
      return {
        entry, entity, firstAccount, book, desk: facades.bettorDesk(book), realm: play.realms.indexOf(facades), handlers, called: calledStrategy.numberOf(entry.name),
        broadcast, submit,
      }
    })
    this.arrivalTimes = new ArrivalTimes(this.cohorts.map(({ entry, entity }) => termsOfCohort(entry, entity)), this.draws)
    this.sources = play.sources
    this.commands.join(this.cohorts)
    this.sellers.join(this.cohorts)
  }

  /** Sources of what draws go by (drawSources.ts). */
  get sourceCount(): number {
    return this.sources.count
  }

  /** The service announces what it keeps of bets from now on. */
  feesChanged(takerFeeBps: number): void {
    this.takerFeeBps = takerFeeBps
    for (const { book } of this.cohorts) book.takerFeeBps = takerFeeBps
  }

  /** Money of an account has left its free capital for good; nothing for one of a maker. */
  withdrew(account: number, amountMicros: number): void {
    for (const { book: { bankrolls } } of this.cohorts) if (bankrolls?.has(account) === true) bankrolls.add(account, -amountMicros)
  }

  /** Tells every cohort in turn that the session begins, or is over. */
  tell(handler: 'onStart' | 'onEnd'): void {
    const { nowUs } = this.transit
    for (const cohort of this.cohorts) {
      const { book, handlers, desk, called } = cohort
      const call = handlers[handler]
      if (call === undefined) continue
      book.wake(nowUs)
      book.isEnding = handler === 'onEnd'
      book.isCalled = !book.isEnding
      calledStrategy.enter(called, callNumber(handler))
      try {
        call.call(handlers, desk)
      } catch (error) {
        throw failureOf(cohort, handler, nowUs, error)
      } finally {
        book.isCalled = book.isEnding = false
        calledStrategy.leave()
      }
    }
  }

  /** Schedules the first arrival of each cohort. */
  start(): void {
    this.tell('onStart')
    for (let i = 0; i < this.cohorts.length; i++) this.scheduleArrival(i, 0)
  }

  private scheduleArrival(cohort: number, index: number): void {
    const { transit } = this
    const { messages, nowUs } = transit
    const gapUs = this.arrivalTimes.gapBefore(cohort, index, nowUs)
    if (nowUs + gapUs >= this.untilUs) return
    const slot = messages.takeBare(MessageKind.arrival, cohort)
    messages.cells[slot + ArrivalMessage.arrival] = index
    transit.send(slot, gapUs)
  }

  /** A bettor of the message's cohort arrives, and the next arrival is scheduled. */
  arrive(message: number): void {
    const { arrivals } = this
    if (arrivals.count >= this.arrivalsMax) {
      arrivals.isCut = true
      return
    }
    arrivals.count++
    arrivals.lastUs = this.transit.nowUs
    const { words, cells } = this.transit.messages
    const target = words[message + MessageWord.target]!
    const index = cells[message + ArrivalMessage.arrival]!
    const cohort = this.cohorts[target]!
    this.scheduleArrival(target, index + 1)
    const pick = cohort.entry.bettorOf?.[index] ?? this.draws.below(cohort.entity, index * DRAWS_PER_INTENT + IntentDraw.bettor, cohort.entry.bettors)
    const slot = this.intents.begin(target, cohort.firstAccount + pick, index)
    cohort.book.wake(this.transit.nowUs)
    this.call(cohort, 'onArrival', slot)
    if (this.intents.words[slot + IntentWord.state] === IntentState.arriving) {
      arrivals.idle++
      this.intents.end(slot)
    }
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
    cohort.book.wake(this.transit.nowUs)
    cohort.book.requestQuote(slot, { betMicros, minOddsE4, decideInUs })
    return true
  }

  /** The decision time of an intent has come. */
  decide(message: number): void {
    const slot = this.commands.intentOf(message)
    if (slot < 0) return
    const state = this.intents.words[slot + IntentWord.state]!
    if (state === IntentState.requesting) return this.commands.decideIn(slot, this.intents.words[slot + IntentWord.retries] === 0 ? RETRY_US : LATE_RETRY_US)
    if (state !== IntentState.open) return
    const cohort = this.cohorts[this.intents.words[slot + IntentWord.cohort]!]!
    this.intents.words[slot + IntentWord.decisions]!++
    cohort.book.wake(this.transit.nowUs)
    this.call(cohort, 'onDecision', slot)
  }

  /** A refusal of the intent's commit arrives. */
  refused(message: number): void {
    const slot = this.commands.intentOf(message)
    const { intents, transit: { nowUs, messages: { words, cells } } } = this
    if (slot < 0 || intents.words[slot + IntentWord.state] !== IntentState.committing) return
    intents.words[slot + IntentWord.state] = IntentState.open
    const refusal = words[message + MessageWord.code]! as Refusal
    this.refusal.row.set(Action.commit, refusal, cells[message + RefusedMessage.retryAfterUs]!)
    const quote = cells[message + RefusedMessage.quote]!
    if (quote >= 0 && quote === intents.cells[slot + IntentCell.bestQuote]) this.forgetBest(slot)
    const cohort = this.cohorts[intents.words[slot + IntentWord.cohort]!]!
    cohort.book.wake(nowUs)
    if (refusal === Refusal.notConfirmed) cohort.book.exclude(slot, words[message + MessageWord.account]!)
    this.call(cohort, 'onRefused', slot)
  }

  /** A refused quote is no offer any more, whatever the venue still lists. */
  private forgetBest(slot: number): void {
    const { words, cells } = this.intents
    cells[slot + IntentCell.bestQuote] = cells[slot + IntentCell.bestOddsE4] = cells[slot + IntentCell.bestPayoutMicros] = words[slot + IntentWord.bestMaker] = NONE
  }

  /** A request's best quote reaches the bettor. */
  bestArrived(message: number): void {
    const slot = this.commands.intentOf(message)
    if (slot < 0) return
    const { intents, transit: { messages: { words, cells } } } = this
    intents.cells[slot + IntentCell.bestQuote] = cells[message + BestMessage.quote]!
    intents.cells[slot + IntentCell.bestOddsE4] = cells[message + BestMessage.oddsE4]!
    intents.cells[slot + IntentCell.bookChanges] = cells[message + BestMessage.bookChanges]!
    if (this.enricher === null) return
    intents.cells[slot + IntentCell.bestPayoutMicros] = cells[message + BestMessage.payoutMicros]!
    intents.words[slot + IntentWord.bestMaker] = words[message + MessageWord.account]!
  }

  /**
   * The venue took or refused the creation that message `message` carried. A creation that met a limit is sent once more, when the
   * bettor has been told so and the waiting time (`retryAfterUs`) is over.
   */
  created(message: number, refusal: Refusal, request: number, version: number, retryAfterUs: number): void {
    const slot = this.commands.intentOf(message)
    if (slot < 0) return
    if (refusal === Refusal.rateLimited && this.intents.words[slot + IntentWord.retries] === 0) {
      this.intents.words[slot + IntentWord.retries]!++
      const toldUs = this.commands.toldIn(slot, Way.again)
      return this.transit.send(this.commands.messageTo(MessageKind.requestAgain, slot), toldUs + retryAfterUs)
    }
    if (refusal !== Refusal.none) return this.intents.end(slot)
    const { words, cells } = this.intents
    cells[slot + IntentCell.request] = request
    cells[slot + IntentCell.version] = version
    words[slot + IntentWord.state] = IntentState.open
    this.intentOfRequest.set(request, slot)
    const source = words[slot + IntentWord.source]!
    this.requestArrivals?.note(this.service, request, arrivalAmong(this.sources.roots[source]!, cells[slot + IntentCell.arrival]!, this.sources.isLayOff(source)))
  }

  /** The time that a limit asked for is over. */
  requestAgain(message: number): void {
    const slot = this.commands.intentOf(message)
    if (slot >= 0) this.commands.requestQuote(slot)
  }

  /** Tells the bettor that its commit was refused; `quote` is what it named, where commits name quotes. */
  sendRefusal(request: number, refusal: Refusal, failedMaker: number, retryAfterUs: number, quote = NONE): void {
    const slot = this.intentOfRequest.get(request)
    if (slot < 0) return
    const message = this.commands.messageTo(MessageKind.refused, slot)
    this.transit.messages.words[message + MessageWord.code] = refusal
    this.transit.messages.words[message + MessageWord.account] = failedMaker
    this.transit.messages.cells[message + RefusedMessage.retryAfterUs] = retryAfterUs
    this.transit.messages.cells[message + RefusedMessage.quote] = quote
    this.transit.send(message, this.commands.toldIn(slot, Way.reply))
  }

  /** `payoutMicros` and `maker` where a commit needs them (outcome service), else −1. */
  sendBest(request: number, quote: number, oddsE4: number, bookChanges: number, payoutMicros = NONE, maker = NONE): void {
    const slot = this.intentOfRequest.get(request)
    if (slot < 0) return
    const message = this.commands.messageTo(MessageKind.bestToBettor, slot)
    const { words, cells } = this.transit.messages
    cells[message + BestMessage.quote] = quote
    cells[message + BestMessage.oddsE4] = oddsE4
    cells[message + BestMessage.bookChanges] = bookChanges
    cells[message + BestMessage.payoutMicros] = payoutMicros
    words[message + MessageWord.account] = maker
    this.transit.send(message, this.commands.toldIn(slot, Way.best))
  }

  /** The request reached an end: so does its intent. */
  ended(request: number): void {
    const slot = this.intentOfRequest.get(request)
    if (slot < 0) return
    this.intentOfRequest.delete(request)
    this.intents.end(slot)
  }

  /** Where a cohort says something of itself. Its handlers are about intents and positions, of which one line does not tell. */
  private telling({ service }: ServicePlay, participant: string): TellingCall {
    return { service, atUs: this.transit.nowUs, participant, handler: calledStrategy.handler, request: NONE, legCount: NONE }
  }

  /** Calls a handler about the intent in `slot`. */
  private call(cohort: Cohort, handler: 'onArrival' | 'onDecision' | 'onRefused', slot: number): void {
    const { row: cursor, views } = this.intent
    const { handlers, desk, called, realm } = cohort
    const view = views[realm]!
    cursor.show(slot, cohort.book)
    cohort.book.isCalled = true
    calledStrategy.enter(called, callNumber(handler))
    try {
      if (handler !== 'onArrival') cohort.book.act()
      if (handler === 'onDecision') handlers.onDecision(view, desk)
      else if (handler === 'onArrival') handlers.onArrival(view, desk)
      else this.callRefused(cohort)
    } catch (error) {
      const [arrival, request] = [this.intents.cells[slot + IntentCell.arrival]!, this.intents.cells[slot + IntentCell.request]!]
      throw failureOf(cohort, handler, this.transit.nowUs, error, request > 0 ? { what: 'request', number: request } : { what: 'arrival', number: arrival })
    } finally {
      cohort.book.isCalled = false
      calledStrategy.leave()
    }
    cursor.hide()
    if (this.freshViews) this.renewViews()
  }

  private callRefused({ handlers, desk, realm }: Cohort): void {
    const { row, views } = this.refusal
    row.isShown = true
    handlers.onRefused?.(this.intent.views[realm]!, views[realm]!, desk)
    row.isShown = false
  }

  private renewViews(): void {
    this.intent.renew()
    this.refusal.renew()
  }

  snapshot(): Image {
    return {
      intents: this.intents.snapshot(), intentOfRequest: this.intentOfRequest.snapshot(), sellers: this.sellers.snapshot(),
      arrivalTimes: this.arrivalTimes.snapshot(), takerFeeBps: this.takerFeeBps,
      bankrolls: this.cohorts.map(({ book }) => book.bankrolls?.snapshot() ?? null), asked: this.cohorts.map(({ book }) => book.asked),
    }
  }

  restore(image: Image): void {
    const from = image as { intents: Image; intentOfRequest: Image; sellers: Image; arrivalTimes: Image; takerFeeBps: number; bankrolls: readonly Image[]; asked: readonly number[] }
    this.intents.restore(from.intents)
    this.intentOfRequest.restore(from.intentOfRequest)
    this.sellers.restore(from.sellers)
    this.arrivalTimes.restore(from.arrivalTimes)
    this.feesChanged(from.takerFeeBps)
    this.cohorts.forEach(({ book }, i) => {
      book.bankrolls?.restore(from.bankrolls[i]!)
      book.asked = from.asked[i]!
    })
  }
}
