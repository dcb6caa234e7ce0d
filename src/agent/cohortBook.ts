import type { Draws } from '../kernel/random.ts'
import { keysIntersect, type MarketKeys } from '../market/exclusion.ts'
import type { LiveMarkets } from '../market/liveMarkets.ts'
import { legPrice, type PriceBoard } from '../market/priceBoard.ts'
import type { PriceMoves } from '../market/priceMoves.ts'
import { NO_LIST, type PublicList } from '../market/publicList.ts'
import type { PublishedResults } from '../market/publishedResults.ts'
import { NONE } from '../unit/none.ts'
import { NEVER_US } from '../unit/time.ts'
import { DRAWS_PER_INTENT, IntentDraw, type RequestTerms } from './bettorDesk.ts'
import type { BettorPort, HoldingPort } from './bettorPort.ts'
import { HoldingCell, type Holdings, HoldingWord } from './holdings.ts'
import type { Bankrolls } from './bankrolls.ts'
import { InstantBudget, withoutTime } from './instantBudget.ts'
import { INTENT_EXCLUDED_MAX, IntentCell, type Intents, IntentState, IntentWord } from './intents.ts'
import { settledProduct, VOID_LEGS } from './legValue.ts'
import { LOOKS_AGAIN_MAX, withoutEnd } from './looksAgain.ts'
import type { PriceWatchTerms } from './makerPort.ts'
import type { Method } from './refuse.ts'
import type { ShownDepth } from './shownDepth.ts'
import { type PriceType, Side } from './vocabulary.ts'

const MARKET_TRIES = 64
/** Any number of bettors may be called at one instant. Each call may command so much, whatever the cohort commanded before. */
const COMMANDS_PER_CALL = 10

/** Legs in the columns of intents or of holdings, from `from` on. */
export interface LegColumns {
  readonly legMarkets: ArrayLike<number>
  readonly legSides: ArrayLike<number>
}

/** What the engine keeps behind a cohort's desk: deliveries to its bettors, their draws, and the port for their commands. No strategy gets it. */
export class CohortBook {
  nowUs = 0
  /** Whether a handler of the cohort runs. */
  isCalled = false
  /** Whether its `onEnd` runs. No handler is about anything then. */
  isEnding = false
  /** Requests for quotes so far. */
  asked = 0
  /** Null where the session shows the best prices alone. */
  depth: ShownDepth | null = null
  declare takerFeeBps: number
  declare readonly intents: Intents
  declare readonly holdings: Holdings
  declare readonly port: BettorPort
  declare readonly holdingPort: HoldingPort
  declare readonly list: PublicList
  /** Takes lines of its log, where somebody does. */
  declare readonly logged: ((text: string, name: string, value: number) => void) | undefined
  /** Null for a cohort that does not hear of settlements. */
  bankrolls: Bankrolls | null = null
  /** Why there are none where there are none, and what a strategy may do about that. */
  declare readonly moneyUntold: string
  private declare readonly budget: InstantBudget
  private declare readonly commandBudget: InstantBudget
  private declare readonly looksAgain: number
  private declare readonly entity: number
  private declare readonly board: PriceBoard
  private declare readonly oracle: PriceBoard | undefined
  private declare readonly live: LiveMarkets
  private declare readonly keys: MarketKeys
  private declare readonly draws: Draws
  private declare readonly results: PublishedResults

  constructor(parts: {
    entity: number; takerFeeBps: number; intents: Intents; board: PriceBoard; oracle: PriceBoard | undefined
    live: LiveMarkets; keys: MarketKeys; draws: Draws; port: BettorPort; holdings: Holdings; results: PublishedResults; holdingPort: HoldingPort
    list?: PublicList | undefined; budget?: InstantBudget; commandBudget?: InstantBudget; looksAgain?: number | undefined
    logged?: ((text: string, name: string, value: number) => void) | undefined; moneyUntold?: string
  }) {
    this.takerFeeBps = parts.takerFeeBps
    this.entity = parts.entity
    this.intents = parts.intents
    this.board = parts.board
    this.oracle = parts.oracle
    this.live = parts.live
    this.keys = parts.keys
    this.draws = parts.draws
    this.port = parts.port
    this.holdings = parts.holdings
    this.results = parts.results
    this.holdingPort = parts.holdingPort
    this.logged = parts.logged
    this.moneyUntold = parts.moneyUntold ?? 'a cohort without onSettled is not told what its bettors have: give the strategy that handler'
    this.list = parts.list ?? NO_LIST
    this.budget = parts.budget ?? new InstantBudget()
    this.commandBudget = parts.commandBudget ?? new InstantBudget()
    this.looksAgain = parts.looksAgain ?? LOOKS_AGAIN_MAX
  }

  /** Counts a call that what its bettors did before gave rise to. Throws when there are too many at one instant. */
  act(): void {
    if (!this.budget.spend(this.nowUs)) throw withoutTime(this.budget, null)
  }

  /** Counts a command that one call may give again and again, which `method` gives. Throws when there are too many at one instant. */
  command(method: Method): void {
    if (!this.commandBudget.spend(this.nowUs)) throw withoutTime(this.commandBudget, method)
  }

  /** Whether a row is shown to this cohort and to no other of this session or of another. */
  isShown(cursor: { readonly to: object | null }): boolean {
    return cursor.to === this
  }

  /** Follows delivered prices up to now, before each handler. */
  wake(nowUs: number): void {
    this.nowUs = nowUs
    this.depth?.hide()
    this.commandBudget.allow(nowUs, COMMANDS_PER_CALL)
    this.board.advance(nowUs)
    this.oracle?.advance(nowUs)
  }

  uniform(arrival: number, field: number): number {
    return this.draws.uniform(this.entity, arrival * DRAWS_PER_INTENT + field)
  }

  normal(arrival: number, field: number): number {
    return this.draws.normal(this.entity, arrival * DRAWS_PER_INTENT + field)
  }

  /** Price of `count` legs together, from `from` on. */
  price({ legMarkets, legSides }: LegColumns, from: number, count: number, priceType: PriceType, maxAgeUs: number): number {
    // Not `productPrice`, which makers' legs go through: shared by both kinds of callers it costs a request 7 % more instructions.
    let product = 1
    for (let i = from; i < from + count; i++) product *= legPrice(this.board, legMarkets[i]!, legSides[i]!, priceType, this.nowUs, maxAgeUs)
    return product
  }

  legPrice({ legMarkets, legSides }: LegColumns, at: number, priceType: PriceType, maxAgeUs: number): number {
    return legPrice(this.board, legMarkets[at]!, legSides[at]!, priceType, this.nowUs, maxAgeUs)
  }

  /** When the desk shows a price of a holding's leg that has moved so far from what it shows now (priceMoves.ts). */
  firstMoveUs(moves: PriceMoves, holding: number, { priceType, byTwiceE6 }: PriceWatchTerms): number {
    const { words, legMarkets, legSides } = this.holdings
    return moves.firstMoveUs(this.board, legMarkets, legSides, this.holdings.legsFrom(holding), words[holding + HoldingWord.legCount]!, priceType, byTwiceE6, NEVER_US)
  }

  futurePrice({ legMarkets, legSides }: LegColumns, at: number): number {
    return this.oracle === undefined ? NaN : legPrice(this.oracle, legMarkets[at]!, legSides[at]!, 'mid', Infinity, Infinity)
  }

  pickLegs(intent: number, legs: number, low: number, maxAgeUs: number, favouriteMin: number): boolean {
    const { intents, live, draws, entity } = this
    const base = intents.legsFrom(intent)
    const firstDraw = intents.cells[intent + IntentCell.arrival]! * DRAWS_PER_INTENT
    let found = 0
    for (let t = 0; t < MARKET_TRIES && found < legs && live.count > 0; t++) {
      const market = live.at(draws.below(entity, firstDraw + IntentDraw.market + t, live.count))
      const mid = legPrice(this.board, market, Side.yes, 'mid', this.nowUs, maxAgeUs)
      if (!(mid >= low && mid <= 1 - low && Math.max(mid, 1 - mid) >= favouriteMin)) continue
      if (this.isExcluded(market, base, found)) continue
      intents.legMarkets[base + found] = market
      intents.legSides[base + found] = draws.uniform(entity, firstDraw + IntentDraw.side + found) < 0.5 ? Side.no : Side.yes
      found++
    }
    intents.words[intent + IntentWord.legCount] = found
    return found === legs
  }

  /** Whether a market shares an exclusion key with one of `count` legs from `base` on. */
  private isExcluded(market: number, base: number, count: number): boolean {
    const { legMarkets } = this.intents
    for (let i = base; i < base + count; i++) if (keysIntersect(this.keys, market, legMarkets[i]!)) return true
    return false
  }

  isArriving(intent: number): boolean {
    return this.intents.words[intent + IntentWord.state] === IntentState.arriving
  }

  /** Whether its request is made and no commit is under way. */
  isOpen(intent: number): boolean {
    return this.intents.words[intent + IntentWord.state] === IntentState.open
  }

  /** Precondition: the intent is arriving. */
  requestQuote(intent: number, { betMicros, minOddsE4, decideInUs }: RequestTerms): void {
    this.intents.cells[intent + IntentCell.betMicros] = betMicros
    this.intents.cells[intent + IntentCell.minOddsE4] = minOddsE4
    this.asked++
    this.port.requestQuote(intent)
    this.port.decideIn(intent, decideInUs)
  }

  /** Calls about the intent again, as `method` asks. Throws when it was asked for too often. */
  wait(intent: number, delayUs: number, method: Method): void {
    const { looksAgain } = this
    if (this.intents.words[intent + IntentWord.decisions]! > looksAgain) throw withoutEnd(looksAgain, 'request', method)
    this.port.decideIn(intent, delayUs)
  }

  /** The same about a position. */
  checkIn(holding: number, delayUs: number, method: Method): void {
    const { looksAgain } = this
    if (this.holdings.words[holding + HoldingWord.checks]! >= looksAgain) throw withoutEnd(looksAgain, 'position', method)
    this.holdingPort.checkIn(holding, delayUs)
  }

  exclude(intent: number, maker: number): void {
    const { intents } = this
    const count = intents.words[intent + IntentWord.excludedCount]!
    if (count === INTENT_EXCLUDED_MAX) return
    intents.excluded[intents.excludedFrom(intent) + count] = maker
    intents.words[intent + IntentWord.excludedCount] = count + 1
  }

  expectedPayout(holding: number, priceType: PriceType, maxAgeUs: number): number {
    const { holdings: { words, cells, legMarkets, legSides }, board, results, nowUs } = this
    const count = words[holding + HoldingWord.legCount]!
    const probability = settledProduct(board, results, legMarkets, legSides, this.holdings.legsFrom(holding), count, priceType, nowUs, maxAgeUs)
    return probability === VOID_LEGS ? cells[holding + HoldingCell.costMicros]! : cells[holding + HoldingCell.payoutMicros]! * probability
  }

  /** With `listenUs` undefined nobody listens. Precondition: the position is held, without an auction. */
  openCashOut(holding: number, listenUs: number | undefined): void {
    this.holdings.cells[holding + HoldingCell.askedAtUs] = this.nowUs
    this.holdingPort.openCashOut(holding, listenUs ?? NONE)
  }
}
