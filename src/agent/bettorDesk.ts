import type { Draws } from '../kernel/random.ts'
import { keysIntersect, type MarketKeys } from '../market/exclusion.ts'
import type { LiveMarkets } from '../market/liveMarkets.ts'
import { legPrice, type PriceBoard } from '../market/priceBoard.ts'
import type { PublishedResults } from '../market/publishedResults.ts'
import { NONE } from '../venue/eventRows.ts'
import { HoldingCell, type Holdings } from './holdings.ts'
import { HIDDEN_HOLDING, type HoldingView } from './holdingView.ts'
import { INTENT_EXCLUDED_MAX, INTENT_LEGS_MAX, IntentCell, type Intents, IntentState, IntentWord } from './intents.ts'
import { settledProduct, VOID_LEGS } from './legValue.ts'
import type { PriceOptions } from './makerDesk.ts'
import { checkDelay, refuse } from './refuse.ts'
import { type LegsView, orUnknown } from './views.ts'
import { Side } from './vocabulary.ts'

/** Draws of one intent are numbered: fields 0–15 for scalars, 16–79 markets, 80–95 sides, 96–111 signals, 112–127 its position. */
export const IntentDraw = { gap: 0, bettor: 1, legCount: 2, stake: 3, floor: 4, delay: 5, excitedGap: 6, market: 16, side: 80, signal: 96 } as const
/** Fields for what becomes of the position. */
export const HoldingDraw = { time: 112, share: 113 } as const
/** Draws set aside for each intent. */
export const DRAWS_PER_INTENT = 128
const MARKET_TRIES = 64
/** Most legs that are drawn; the draws of an intent have room for no more sides. */
const DRAWN_LEGS_MAX = 16

const HIDDEN = 'an intent is shown during its handler only'
/** What a poisoned view reads instead of rows. */
const HIDDEN_INTENTS = new Proxy({}, { get() { throw new Error(HIDDEN) } }) as Intents

/** The legs of the intent that a view shows. */
class IntentLegs implements LegsView {
  private declare readonly intent: IntentView

  constructor(intent: IntentView) {
    this.intent = intent
  }

  get count(): number {
    return this.intent.intents.words[this.intent.slot + IntentWord.legCount]!
  }

  market(leg: number): number {
    const { intents, slot } = this.intent
    return intents.legMarkets[intents.legsFrom(slot) + leg]!
  }

  side(leg: number): number {
    const { intents, slot } = this.intent
    return intents.legSides[intents.legsFrom(slot) + leg]!
  }
}

/** A cursor over the rows of `Intents`; valid during the call only. */
export class IntentView {
  slot = NONE
  declare intents: Intents
  readonly legs: LegsView = new IntentLegs(this)

  constructor(intents: Intents) {
    this.intents = intents
  }

  /** Makes the view useless for good, so that a strategy that keeps it is found out; tests switch it on. */
  poison(): void {
    this.slot = NaN
    this.intents = HIDDEN_INTENTS
  }

  get arrival(): number { return this.intents.cells[this.slot + IntentCell.arrival]! }
  /** `side` is a Side. */
  setSide(i: number, side: number): void { this.intents.legSides[this.intents.legsFrom(this.slot) + i] = side }
  /** Leg `i` < INTENT_LEGS_MAX; it counts once `setLegCount` has been told of it. */
  setLeg(i: number, market: number, side: number): void {
    if (!(Number.isInteger(i) && i >= 0 && i < INTENT_LEGS_MAX)) refuse(`an intent has no leg ${i}`, this.setLeg)
    this.intents.legMarkets[this.intents.legsFrom(this.slot) + i] = market
    this.setSide(i, side)
  }
  setLegCount(legs: number): void {
    if (!(Number.isInteger(legs) && legs >= 0 && legs <= INTENT_LEGS_MAX)) refuse(`an intent cannot have ${legs} legs`, this.setLegCount)
    this.intents.words[this.slot + IntentWord.legCount] = legs
  }
  get betMicros(): number { return this.intents.cells[this.slot + IntentCell.betMicros]! }
  /** Lowest odds that the bettor takes, four decimals. */
  get minOddsE4(): number { return this.intents.cells[this.slot + IntentCell.minOddsE4]! }
  /** Odds of the best quote delivered so far, four decimals; NaN: none. */
  get bestOddsE4(): number { return orUnknown(this.intents.cells[this.slot + IntentCell.bestOddsE4]!) }
  /** How often `onDecision` was called for it, this call included. */
  get decisions(): number { return this.intents.words[this.slot + IntentWord.decisions]! }
}

/** What a bettor asks for. */
export interface RequestTerms {
  /** What it pays, the taker fee included. */
  readonly betMicros: number
  /** Lowest odds that `commit` takes, four decimals. */
  readonly minOddsE4: number
  /** From now to `onDecision`, a whole number of µs. */
  readonly decideInUs: number
}

/** A cohort's desk as its strategy may use it: nothing on it can be written, and what the engine does with it is not there. */
export type BettorDesk = Readonly<Pick<CohortDesk,
  'nowUs' | 'takerFeeBps' | 'uniform' | 'normal' | 'price' | 'legPrice' | 'futurePrice' | 'positionValue' | 'pickLegs' | 'requestQuote'
  | 'commit' | 'cancelRequest' | 'wait' | 'exclude' | 'checkIn' | 'openCashOut' | 'takeBid' | 'cancelCashOut'>>

export interface BettorPort {
  /** Precondition: the intent is arriving. */
  requestQuote(slot: number): void
  /** Precondition: the intent is open; also of `cancelRequest`. */
  commit(slot: number): void
  cancelRequest(slot: number): void
  decideIn(slot: number, delayUs: number): void
}

/** Where the commands about positions go: the engine. */
export interface HoldingPort {
  /** `listenUs` from now to `onListened`, −1: it does not come. */
  openCashOut(slot: number, listenUs: number): void
  /** Precondition: the holding is auctioned; also of `cancelCashOut`. `minPriceMicros` is the lowest price taken. */
  takeBid(slot: number, minPriceMicros: number): void
  cancelCashOut(slot: number): void
  checkIn(slot: number, delayUs: number): void
}

/** A cohort's desk: delivered prices, the public list of live markets, keyed draws, and the commands of a bettor. */
export class CohortDesk {
  nowUs = 0
  /** What the service keeps of every bet, as it last announced it, hundredths of a percent. */
  declare takerFeeBps: number
  declare readonly cohort: number
  private declare readonly entity: number
  private declare readonly intents: Intents
  private declare readonly board: PriceBoard
  private declare readonly oracle: PriceBoard | undefined
  private declare readonly live: LiveMarkets
  private declare readonly keys: MarketKeys
  private declare readonly draws: Draws
  private declare readonly port: BettorPort
  private declare readonly holdings: Holdings
  private declare readonly results: PublishedResults
  private declare readonly holdingPort: HoldingPort

  constructor(parts: {
    cohort: number; entity: number; takerFeeBps: number; intents: Intents; board: PriceBoard; oracle: PriceBoard | undefined
    live: LiveMarkets; keys: MarketKeys; draws: Draws; port: BettorPort; holdings: Holdings; results: PublishedResults; holdingPort: HoldingPort
  }) {
    this.takerFeeBps = parts.takerFeeBps
    this.cohort = parts.cohort
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
  }

  wake(nowUs: number): void {
    this.nowUs = nowUs
    this.board.advance(nowUs)
    this.oracle?.advance(nowUs)
  }

  /** Draw in [0, 1) of this intent, or of the position that it became; `field` as in IntentDraw and HoldingDraw. */
  uniform(of: IntentView | HoldingView, field: number): number {
    return this.draws.uniform(this.entity, of.arrival * DRAWS_PER_INTENT + field)
  }

  /** Standard normal draw of the same. */
  normal(of: IntentView | HoldingView, field: number): number {
    return this.draws.normal(this.entity, of.arrival * DRAWS_PER_INTENT + field)
  }

  /** Probability of all legs together as the product of leg prices; NaN when a leg has none young enough. */
  price(legs: LegsView, options: PriceOptions): number {
    let product = 1
    for (let i = 0; i < legs.count; i++) product *= this.legPrice(legs, i, options)
    return product
  }

  /** Price of leg `i` alone; NaN when it has none young enough. */
  legPrice(legs: LegsView, i: number, { priceType, maxAgeUs }: PriceOptions): number {
    return legPrice(this.board, legs.market(i), legs.side(i), priceType, this.nowUs, maxAgeUs)
  }

  /** The oracle's view of leg `i`: its middle price one horizon from now. NaN without an oracle or a price. */
  futurePrice(legs: LegsView, i: number): number {
    return this.oracle === undefined ? NaN : legPrice(this.oracle, legs.market(i), legs.side(i), 'mid', Infinity, Infinity)
  }

  /**
   * Fills the intent with `legs` drawn legs, at most 16, on distinct live markets without common exclusion keys whose middle price is
   * within [low, 1 − low] and younger than `maxAgeUs`, and whose likelier side is priced at least `favouriteMin`; sides are fair coins.
   * False when too few are found.
   */
  pickLegs(intent: IntentView, legs: number, low: number, maxAgeUs: number, favouriteMin = 0): boolean {
    if (!(Number.isInteger(legs) && legs >= 1 && legs <= DRAWN_LEGS_MAX)) {
      refuse(`1 to ${DRAWN_LEGS_MAX} legs can be drawn, not ${legs}`, this.pickLegs)
    }
    const { intents, live, draws, entity } = this
    const { slot } = intent
    const base = intents.legsFrom(slot)
    const firstDraw = intent.arrival * DRAWS_PER_INTENT
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
    intents.words[slot + IntentWord.legCount] = found
    return found === legs
  }

  /** Does a market share an exclusion key with one of `count` legs from `base` on? */
  private isExcluded(market: number, base: number, count: number): boolean {
    const { legMarkets } = this.intents
    for (let i = base; i < base + count; i++) if (keysIntersect(this.keys, market, legMarkets[i]!)) return true
    return false
  }

  /** Asks for prices on the intent's legs, once for each intent, in `onArrival`. A request that the service refuses ends the intent, and nobody is told. */
  requestQuote(intent: IntentView, { betMicros, minOddsE4, decideInUs }: RequestTerms): void {
    if (this.intents.words[intent.slot + IntentWord.state] !== IntentState.arriving) refuse('an intent makes one request, as it arrives', this.requestQuote)
    checkDelay(decideInUs, this.nowUs, this.requestQuote)
    this.intents.cells[intent.slot + IntentCell.betMicros] = betMicros
    this.intents.cells[intent.slot + IntentCell.minOddsE4] = minOddsE4
    this.port.requestQuote(intent.slot)
    this.port.decideIn(intent.slot, decideInUs)
  }

  /** Commits the best quote at or above the lowest odds. The request must be open: made, and no commit under way. */
  commit(intent: IntentView): void {
    if (this.intents.words[intent.slot + IntentWord.state] !== IntentState.open) refuse('there is no open request to commit', this.commit)
    this.port.commit(intent.slot)
  }

  /** Withdraws the request, which must be open. */
  cancelRequest(intent: IntentView): void {
    if (this.intents.words[intent.slot + IntentWord.state] !== IntentState.open) refuse('there is no open request to cancel', this.cancelRequest)
    this.port.cancelRequest(intent.slot)
  }

  /** Decides again after `delayUs`, a whole number. */
  wait(intent: IntentView, delayUs: number): void {
    if (!(intent.slot >= 0)) refuse(HIDDEN, this.wait)
    checkDelay(delayUs, this.nowUs, this.wait)
    this.port.decideIn(intent.slot, delayUs)
  }

  /**
   * Leaves a maker out of the intent's next commits; the list holds eight at most. `maker` is the number of its account, which no view
   * tells: a maker that did not confirm is left out without this.
   */
  exclude(intent: IntentView, maker: number): void {
    if (!(intent.slot >= 0)) refuse(HIDDEN, this.exclude)
    const { intents } = this
    const count = intents.words[intent.slot + IntentWord.excludedCount]!
    if (count === INTENT_EXCLUDED_MAX) return
    intents.excluded[intents.excludedFrom(intent.slot) + count] = maker
    intents.words[intent.slot + IntentWord.excludedCount] = count + 1
  }

  /**
   * What the position brings at its end on average, microUSDC before fees, with a probability of the bettor's own that its legs win, or at
   * delivered prices: then a leg whose result has been delivered counts as that, a void one gives the bet back, and without a young
   * price of every other leg it is NaN.
   */
  positionValue(holding: HoldingView, at: PriceOptions | number): number {
    if (!(holding.slot >= 0)) refuse(HIDDEN_HOLDING, this.positionValue)
    if (typeof at === 'number') return holding.payoutMicros * at
    const { holdings } = this
    const probability = settledProduct(
      this.board, this.results, holdings.legMarkets, holdings.legSides, holdings.legsFrom(holding.slot), holding.legs.count, at.priceType,
      this.nowUs, at.maxAgeUs,
    )
    return probability === VOID_LEGS ? holding.costMicros : holding.payoutMicros * probability
  }

  /** Asks for `onCheck` with this position after `delayUs`, a whole number; nothing comes if it has ended by then. */
  checkIn(holding: HoldingView, delayUs: number): void {
    if (!(holding.slot >= 0)) refuse(HIDDEN_HOLDING, this.checkIn)
    checkDelay(delayUs, this.nowUs, this.checkIn)
    this.holdingPort.checkIn(holding.slot, delayUs)
  }

  /**
   * Opens a cash-out auction of the position; bids reach `onBid`. It must be held, without an auction. With `listenUs`, a whole
   * number, `onListened` comes so long from now, as soon as the bettor knows of the auction and unless it has ended.
   */
  openCashOut(holding: HoldingView, listenUs?: number): void {
    if (!holding.canCashOut) refuse('an auction of the position is under way', this.openCashOut)
    if (listenUs !== undefined) checkDelay(listenUs, this.nowUs, this.openCashOut)
    this.holdings.cells[holding.slot + HoldingCell.askedAtUs] = this.nowUs
    this.holdingPort.openCashOut(holding.slot, listenUs ?? NONE)
  }

  /** Sells to the best bid if it is at least `minPriceMicros`, a whole number above 0. An auction of the position must run. */
  takeBid(holding: HoldingView, minPriceMicros: number): void {
    if (!holding.isAuctioned) refuse('there is no auction of the position', this.takeBid)
    if (!(Number.isSafeInteger(minPriceMicros) && minPriceMicros > 0)) {
      refuse(`a lowest price is a whole number of microUSDC above 0, not ${minPriceMicros}`, this.takeBid)
    }
    this.holdingPort.takeBid(holding.slot, minPriceMicros)
  }

  /** Ends the auction of the position, which must run. */
  cancelCashOut(holding: HoldingView): void {
    if (!holding.isAuctioned) refuse('there is no auction of the position', this.cancelCashOut)
    this.holdingPort.cancelCashOut(holding.slot)
  }
}
