import { Draws, Purpose, rootKey } from '../kernel/random.ts'
import { LiveMarkets } from '../market/liveMarkets.ts'
import type { MarketNames } from '../market/publicList.ts'
import { PublishedResults } from '../market/publishedResults.ts'
import { MarketResult } from '../market/sides.ts'
import { USDC } from '../unit/micros.ts'
import { NONE } from '../unit/none.ts'
import { Bankrolls } from './bankrolls.ts'
import type { BettorHandlers, BettorStrategy } from './bettor.ts'
import type { BettorDesk } from './bettorDesk.ts'
import { CohortBook } from './cohortBook.ts'
import { holdingCursor, intentCursor } from './cursor.ts'
import { fakeNames } from './fakeNames.ts'
import { UNSET } from './facades/facade.ts'
import { FACADES } from './facades/facades.ts'
import type { FakeLeg, FakeLog } from './fakeMaker.ts'
import { type FakePrice, FakePrices } from './fakePrices.ts'
import { FakeTime } from './fakeTime.ts'
import { withKnownHandlers } from './handlerNames.ts'
import { HoldingCell, Holdings, HoldingState, HoldingWord } from './holdings.ts'
import { IntentCell, Intents, IntentState, IntentWord } from './intents.ts'
import type { PriceWatchTerms } from './makerPort.ts'
import { type Parameters, parameterValues, type ValuesOf } from './parameters.ts'
import { RefusalRow } from './rows.ts'
import { ShownDepth } from './shownDepth.ts'
import { Action, AuctionOutcome, type Refusal } from './vocabulary.ts'

/** What a bettor did, as the service would get it. */
export interface FakeBet {
  readonly action: Action
  readonly atUs: number
  readonly legs?: readonly FakeLeg[]
  readonly betMicros?: number
  readonly minOddsE4?: number
  readonly minPriceMicros?: number
}

/** What a fake bettor begins with. */
export interface FakeBettorOptions<P extends Parameters> {
  /** Values of the strategy's parameters; the others have their defaults. */
  readonly params?: Partial<ValuesOf<P>>
  /** What markets 0, 1, … stand at; all of them are live. */
  readonly prices?: readonly FakePrice[]
  /** What the public list says of markets 0, 1, …. A text that is left out is plausible or, of events, games and categories, not there. */
  readonly markets?: readonly Partial<MarketNames>[]
  /** What an oracle sees of them, if the strategy has one. */
  readonly future?: readonly FakePrice[]
  readonly takerFeeBps?: number
  /** What each bettor begins with, 1,000 USDC unless given. The fake has one bettor, whose bets all are. */
  readonly bankrollMicros?: number
  readonly startUs?: number
  /** The seed of the draws. */
  readonly seed?: string
}

const START_US = 1_750_000_000_000_000
const MARKETS = 64
/** Account of the fake's one bettor. */
const BETTOR = 0
/** Every market has an exclusion key of its own. */
const KEYS = {
  texts: Array.from({ length: MARKETS }, (_, market) => `market ${market}`), start: Int32Array.from({ length: MARKETS + 1 }, (_, i) => i),
  keys: Int32Array.from({ length: MARKETS }, (_, market) => market),
}

/**
 * Plays a bettor strategy by hand, for unit tests of it: one intent after the other arrives, its request and its auctions are
 * open as soon as time passes, and what happens to them then is what the test says. Desk and views are those of a session: what they refuse there they refuse here.
 */
export class FakeBettor {
  readonly commands: FakeBet[] = []
  /** Lines of its log: one for each number. */
  readonly logs: FakeLog[] = []
  declare readonly desk: BettorDesk
  declare readonly handlers: BettorHandlers
  readonly #book: CohortBook = UNSET
  readonly #board: FakePrices = UNSET
  readonly #time: FakeTime = UNSET
  readonly #results = new PublishedResults(MARKETS)
  readonly #live = new LiveMarkets(MARKETS)
  readonly #intents = new Intents(MARKETS)
  readonly #holdings = new Holdings()
  #arrivals = 0
  #intent = NONE
  #holding = NONE

  constructor(strategy: BettorStrategy, options: FakeBettorOptions<Parameters>) {
    const { params, prices = [], markets = [], future = [], takerFeeBps = 0, bankrollMicros = 1000 * USDC, startUs = START_US, seed = 'fake' } = options
    this.#time = new FakeTime(startUs)
    this.#board = new FakePrices(MARKETS)
    const oracle = new FakePrices(MARKETS)
    const names = fakeNames(MARKETS, markets)
    this.#book = new CohortBook({
      entity: 1, takerFeeBps, intents: this.#intents, board: this.#board, oracle: future.length === 0 ? undefined : oracle, live: this.#live, keys: KEYS,
      draws: new Draws(rootKey(seed), Purpose.arrivals), holdings: this.#holdings, results: this.#results, list: { namesOf: (market) => names[market] ?? null },
      logged: (text, name, value) => { this.logs.push(name === '' ? { text } : { text, name, value }) },
      port: {
        requestQuote: (intent) => this.#requested(intent),
        commit: (intent) => this.#sent(Action.commit, intent, IntentState.committing),
        cancelRequest: (intent) => this.#sent(Action.cancelRequest, intent, IntentState.open),
        decideIn: (intent, delayUs) => this.#time.in(delayUs, () => { this.#decide(intent) }),
      },
      holdingPort: {
        openCashOut: (holding, listenUs) => this.#opening(holding, listenUs),
        takeBid: (holding, minPriceMicros) => this.#sell(Action.takeBid, holding, HoldingState.selling, { minPriceMicros }),
        cancelCashOut: (holding) => this.#sell(Action.cancelCashOut, holding, HoldingState.auctioned),
        watch: (holding, terms) => this.#watch(holding, terms),
        checkIn: (holding, delayUs) => this.#time.in(delayUs, () => { this.#check(holding) }),
      },
    })
    this.#book.depth = new ShownDepth(this.#board.depth, this.#board, this.#book)
    this.desk = FACADES.bettorDesk(this.#book)
    this.handlers = withKnownHandlers(strategy.create(Object.freeze({ ...parameterValues(strategy.parameters, params) })), 'bettor')
    if (this.handlers.onSettled !== undefined) this.#book.bankrolls = new Bankrolls(BETTOR, 1, bankrollMicros)
    prices.forEach((price, market) => { this.setPrice(market, price) })
    future.forEach((price, market) => { oracle.set(market, startUs, price) })
  }

  get nowUs(): number {
    return this.#time.nowUs
  }

  /** From now on the market is live and stands there. What the strategy watches is told of it at once. */
  setPrice(market: number, price: FakePrice): void {
    this.#board.set(market, this.nowUs, price)
    this.#live.add(market)
  }

  /** The bettor learns of a result now; markets are numbered from 0 to 63. */
  setResult(market: number, result: keyof typeof MarketResult): void {
    this.#results.publish(market, MarketResult[result], this.nowUs)
    this.#live.remove(market)
  }

  /** Lets time pass, µs, with what the strategy asked for. */
  pass(us: number): void {
    this.#time.pass(us)
  }

  onStart(): void {
    this.#book.isCalled = true
    this.#callOwn('onStart')
  }

  onEnd(): void {
    this.#book.isEnding = true
    this.#callOwn('onEnd')
  }

  /** The next bettor arrives: the intent that all else is about from now on. */
  onArrival(): void {
    this.#intent = this.#intents.begin(0, BETTOR, this.#arrivals++)
    this.#callIntent((intent) => { this.handlers.onArrival(intent, this.desk) })
  }

  /** Odds of the best quote that has reached the bettor, four decimals; NaN: there is none any more. */
  setBest(oddsE4: number): void {
    this.#intents.cells[this.#arrived() + IntentCell.bestOddsE4] = Number.isNaN(oddsE4) ? NONE : oddsE4
  }

  /** The commit is refused; the request is open again. */
  onRefused(refusal: Refusal, retryAfterUs = NaN): void {
    this.#intents.words[this.#arrived() + IntentWord.state] = IntentState.open
    const said = shownRefusal(Action.commit, refusal, retryAfterUs)
    try {
      this.#callIntent((intent) => { this.handlers.onRefused?.(intent, FACADES.refusal(said), this.desk) })
    } finally {
      said.isShown = false
    }
  }

  /** The intent's request became a position, on its legs, for its bet: all that is about positions is about this one. */
  onOpened({ payoutMicros = 20 * USDC, takerFeeMicros = 0 } = {}): void {
    const [intents, holdings, intent] = [this.#intents, this.#holdings, this.#arrived()]
    const betMicros = intents.cells[intent + IntentCell.betMicros]!
    this.#holding = holdings.begin(0, BETTOR, intents.cells[intent + IntentCell.arrival]!, this.nowUs)
    const { words, cells } = holdings
    cells[this.#holding + HoldingCell.position] = cells[this.#holding + HoldingCell.request] = this.#arrivals
    cells[this.#holding + HoldingCell.costMicros] = betMicros
    cells[this.#holding + HoldingCell.stakeMicros] = betMicros - takerFeeMicros
    cells[this.#holding + HoldingCell.payoutMicros] = payoutMicros
    const count = words[this.#holding + HoldingWord.legCount] = intents.words[intent + IntentWord.legCount]!
    for (let i = 0; i < count; i++) {
      holdings.legMarkets[holdings.legsFrom(this.#holding) + i] = intents.legMarkets[intents.legsFrom(intent) + i]!
      holdings.legSides[holdings.legsFrom(this.#holding) + i] = intents.legSides[intents.legsFrom(intent) + i]!
    }
    this.#book.bankrolls?.add(BETTOR, -betMicros)
    this.#callHolding((holding) => { this.handlers.onOpened?.(holding, this.desk) })
  }

  /** The position ended, and brought so much: its payout, nothing, or what was bet. A sale ends it in `onAuctionEnded`. */
  onSettled(returnedMicros: number): void {
    this.#holdings.words[this.#opened() + HoldingWord.state] = HoldingState.settled
    this.#paid(returnedMicros)
    this.#callHolding((holding) => { this.handlers.onSettled?.(holding, this.desk) })
  }

  #paid(micros: number): void {
    this.#holdings.cells[this.#holding + HoldingCell.returnedMicros] = micros
    this.#book.bankrolls?.add(BETTOR, micros)
  }

  /** The best bid is this one; NaN: there is none any more. The strategy has asked for an auction of the position. */
  onBid(priceMicros: number): void {
    this.#begin(this.#opened())
    this.#holdings.cells[this.#holding + HoldingCell.bestPriceMicros] = Number.isNaN(priceMicros) ? NONE : priceMicros
    this.#callHolding((holding) => { this.handlers.onBid?.(holding, this.desk) })
  }

  /** After `sold`, the best bid is what the position brought. */
  onAuctionEnded(outcome: AuctionOutcome): void {
    const isSold = outcome === AuctionOutcome.sold
    this.#holdings.words[this.#opened() + HoldingWord.state] = isSold ? HoldingState.sold : HoldingState.held
    if (isSold) this.#paid(Math.max(0, this.#holdings.cells[this.#holding + HoldingCell.bestPriceMicros]!))
    else this.#holdings.cells[this.#holding + HoldingCell.bestPriceMicros] = NONE
    this.#callHolding((holding) => { this.handlers.onAuctionEnded?.(holding, outcome, this.desk) })
  }

  /** An auction was refused, or the taking of a bid: then the auction goes on. */
  onCashOutRefused(action: Action, refusal: Refusal, retryAfterUs = NaN): void {
    this.#holdings.words[this.#opened() + HoldingWord.state] = action === Action.openCashOut ? HoldingState.held : HoldingState.auctioned
    const said = shownRefusal(action, refusal, retryAfterUs)
    try {
      this.#callHolding((holding) => { this.handlers.onCashOutRefused?.(holding, FACADES.refusal(said), this.desk) })
    } finally {
      said.isShown = false
    }
  }

  /** The intent that all is about. */
  #arrived(): number {
    if (this.#intent < 0) throw new Error('no bettor has arrived: call onArrival first')
    return this.#intent
  }

  /** The position that all is about. */
  #opened(): number {
    if (this.#holding < 0) throw new Error('no position has opened: call onOpened first')
    return this.#holding
  }

  #requested(intent: number): void {
    const { words, cells, legMarkets, legSides } = this.#intents
    const from = this.#intents.legsFrom(intent)
    const legs = Array.from({ length: words[intent + IntentWord.legCount]! }, (_, i) => [legMarkets[from + i]!, legSides[from + i]!] as const)
    words[intent + IntentWord.state] = IntentState.requesting
    this.#time.in(0, () => { this.#intents.words[intent + IntentWord.state] = IntentState.open })
    this.commands.push({
      action: Action.requestQuote, atUs: this.nowUs, legs, betMicros: cells[intent + IntentCell.betMicros]!, minOddsE4: cells[intent + IntentCell.minOddsE4]!,
    })
  }

  #sent(action: Action, intent: number, state: number): void {
    this.#intents.words[intent + IntentWord.state] = state
    this.commands.push({ action, atUs: this.nowUs })
  }

  #sell(action: Action, holding: number, state: number, terms: Partial<FakeBet> = {}): void {
    this.#holdings.words[holding + HoldingWord.state] = state
    this.commands.push({ action, atUs: this.nowUs, ...terms })
  }

  #opening(holding: number, listenUs: number): void {
    this.#sell(Action.openCashOut, holding, HoldingState.opening)
    this.#time.in(0, () => { this.#begin(holding) })
    if (listenUs < 0) return
    this.#time.in(listenUs, () => {
      if (this.#holdings.words[holding + HoldingWord.state] === HoldingState.auctioned) this.#callHolding((view) => { this.handlers.onListened?.(view, this.desk) }, holding)
    })
  }

  /** The auction that was asked for runs. */
  #begin(holding: number): void {
    const { words } = this.#holdings
    if (words[holding + HoldingWord.state] !== HoldingState.opening) return
    words[holding + HoldingWord.state] = HoldingState.auctioned
    words[holding + HoldingWord.auctions]!++
  }

  #decide(intent: number): void {
    if (this.#intents.words[intent + IntentWord.state] !== IntentState.open) return
    this.#intents.words[intent + IntentWord.decisions]!++
    this.#callIntent((view) => { this.handlers.onDecision(view, this.desk) }, intent)
  }

  #watch(holding: number, terms: PriceWatchTerms): void {
    const { words, legMarkets, legSides } = this.#holdings
    const from = this.#holdings.legsFrom(holding)
    const legs = Array.from({ length: words[holding + HoldingWord.legCount]! }, (_, i) => [legMarkets[from + i]!, legSides[from + i]!] as const)
    this.#board.watch(legs, terms, Infinity, () => {
      if (!this.#isOver(holding)) this.#callHolding((view) => { this.handlers.onPrice?.(view, this.desk) }, holding)
    })
  }

  #isOver(holding: number): boolean {
    const state = this.#holdings.words[holding + HoldingWord.state]
    return state === HoldingState.sold || state === HoldingState.settled
  }

  #check(holding: number): void {
    if (this.#isOver(holding)) return
    this.#holdings.words[holding + HoldingWord.checks]!++
    this.#callHolding((view) => { this.handlers.onCheck?.(view, this.desk) }, holding)
  }

  /** Calls a handler that is about nothing. */
  #callOwn(handler: 'onStart' | 'onEnd'): void {
    this.#book.wake(this.nowUs)
    try {
      this.handlers[handler]?.(this.desk)
    } finally {
      this.#book.isCalled = this.#book.isEnding = false
    }
  }

  #callIntent(handle: (view: ReturnType<typeof FACADES.intent>) => void, intent = this.#intent): void {
    const cursor = intentCursor(this.#intents)
    cursor.show(intent, this.#book)
    this.#book.wake(this.nowUs)
    this.#book.isCalled = true
    try {
      handle(FACADES.intent(cursor))
    } finally {
      this.#book.isCalled = false
      cursor.hide()
    }
  }

  #callHolding(handle: (view: ReturnType<typeof FACADES.holding>) => void, holding = this.#holding): void {
    const cursor = holdingCursor(this.#holdings)
    cursor.show(holding, this.#book)
    this.#book.wake(this.nowUs)
    this.#book.isCalled = true
    try {
      handle(FACADES.holding(cursor))
    } finally {
      this.#book.isCalled = false
      cursor.hide()
    }
  }
}

function shownRefusal(action: Action, refusal: Refusal, retryAfterUs: number): RefusalRow {
  const row = new RefusalRow()
  row.set(action, refusal, retryAfterUs)
  row.isShown = true
  return row
}

/** A bettor strategy in a fake session of its own. */
export const fakeBettor = <P extends Parameters>(strategy: BettorStrategy<P>, options: FakeBettorOptions<P> = {}): FakeBettor =>
  new FakeBettor(strategy as unknown as BettorStrategy, options as FakeBettorOptions<Parameters>)
