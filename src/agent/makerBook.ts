import { type MarketFacts, noFacts } from '../market/marketFacts.ts'
import { NO_LIST, type PublicList } from '../market/publicList.ts'
import { legPrice, Price, PRICE_STRIDE, type PriceBoard, productPrice } from '../market/priceBoard.ts'
import type { PriceMoves } from '../market/priceMoves.ts'
import { PublishedResults } from '../market/publishedResults.ts'
import type { Image, Snapshot } from '../unit/snapshot.ts'
import { InstantBudget, withoutTime } from './instantBudget.ts'
import { LegRisks } from './legRisks.ts'
import { withoutMarket } from './looksAgain.ts'
import { settledProduct } from './legValue.ts'
import type { MakerPort, PriceWatchTerms } from './makerPort.ts'
import type { Method } from './refuse.ts'
import { type LegsRow, orUnknown } from './rows.ts'
import { GIVEN_NUMBERS, type SeatNumbers } from './seatNumbers.ts'
import type { ShownDepth } from './shownDepth.ts'
import { type PriceType, Side } from './vocabulary.ts'

/** What the engine keeps behind a maker's desk: deliveries to the maker, and the port for its commands. No strategy gets it. */
export class MakerBook implements Snapshot {
  declare readonly seat: number
  declare readonly name: string
  declare readonly port: MakerPort
  declare readonly facts: MarketFacts
  /** What its views show of the numbers of requests, quotes, positions and auctions. */
  declare readonly numbers: SeatNumbers
  /** Null where nobody tells the maker of a list. */
  declare readonly list: PublicList | null
  nowUs = 0
  freeMicros = 0
  capitalMicros = 0
  openPositions = 0
  openRiskMicros = 0
  heldPositions = 0
  heldCostMicros = 0
  passes = 0
  /** Requests and new versions delivered so far, and those that were not since the maker was away, or ignored them. */
  requests = 0
  requestsAway = 0
  requestsIgnored = 0
  /** Whether a handler of the maker runs. */
  isCalled = false
  /** Whether its `onEnd` runs, which commands nothing. */
  isEnding = false
  /** Null where the session shows the best prices alone. */
  depth: ShownDepth | null = null
  /** Whether it has passed since the handler began. */
  hasPassed = false
  /** The last answer about exposure, until another handler is called. */
  worstMicros = NaN
  totalMicros = NaN
  /** Whether the handler that runs is given the answer to a command. */
  private isAnswered = false
  /** What it commanded in such handlers since the market last moved for it. */
  private commandsOnAnswers = 0
  private declare readonly budget: InstantBudget
  private declare readonly risks: LegRisks
  private declare readonly board: PriceBoard
  private declare readonly results: PublishedResults

  constructor(
    seat: number, name: string, capitalMicros: number, board: PriceBoard, marketCount: number, port: MakerPort,
    results = new PublishedResults(marketCount), facts = noFacts(marketCount), risks = new LegRisks(marketCount, seat + 1),
    budget = new InstantBudget(), list: PublicList | null = NO_LIST, numbers: SeatNumbers = GIVEN_NUMBERS,
  ) {
    this.seat = seat
    this.name = name
    this.capitalMicros = capitalMicros
    this.freeMicros = capitalMicros
    this.board = board
    this.port = port
    this.results = results
    this.facts = facts
    this.list = list
    this.numbers = numbers
    this.risks = risks
    this.budget = budget
  }

  price({ markets, sides, count }: LegsRow, priceType: PriceType, maxAgeUs: number): number {
    return productPrice(this.board, markets, sides, 0, count, priceType, this.nowUs, maxAgeUs)
  }

  winProbability({ markets, sides, count }: LegsRow, priceType: PriceType, maxAgeUs: number): number {
    return orUnknown(settledProduct(this.board, this.results, markets, sides, 0, count, priceType, this.nowUs, maxAgeUs))
  }

  legPrice({ markets, sides }: LegsRow, i: number, priceType: PriceType, maxAgeUs: number): number {
    return legPrice(this.board, markets[i]!, sides[i]!, priceType, this.nowUs, maxAgeUs)
  }

  legDepth({ markets, sides }: LegsRow, i: number): number {
    return orUnknown(this.board.cells[markets[i]! * PRICE_STRIDE + (sides[i] === Side.yes ? Price.askSize : Price.bidSize)]!)
  }

  priceAgeUs({ markets }: LegsRow, i: number): number {
    const atUs = this.board.stampUs(markets[i]!)
    return atUs < 0 ? Infinity : this.nowUs - atUs
  }

  /** When the desk shows a leg's price that has moved so far from what it shows now (priceMoves.ts). */
  firstMoveUs(moves: PriceMoves, { markets, sides, count }: LegsRow, { priceType, byTwiceE6 }: PriceWatchTerms, untilUs: number): number {
    return moves.firstMoveUs(this.board, markets, sides, 0, count, priceType, byTwiceE6, untilUs)
  }

  /** What a column of `facts` says about leg `i`'s market. */
  fact(column: Int32Array, { markets }: LegsRow, i: number): number {
    return orUnknown(column[markets[i]!]!)
  }

  netLegRisk({ markets, sides }: LegsRow, i: number): number {
    const { risks, seat } = this
    const market = markets[i]!
    const side = sides[i]!
    return risks.micros[risks.at(market, side, seat)]! - risks.micros[risks.at(market, 1 - side, seat)]!
  }

  /** Leaves the answer in `worstMicros` and `totalMicros`. */
  lookAtExposure({ markets, sides, count }: LegsRow): void {
    const { risks, seat } = this
    let worst = 0
    for (let i = 0; i < count; i++) {
      const risk = risks.micros[risks.at(markets[i]!, sides[i]!, seat)]!
      if (risk > worst) worst = risk
    }
    this.worstMicros = worst
    this.totalMicros = this.openRiskMicros
  }

  /** Counts a command, which `method` gives. Throws when there are too many at one instant, or in answer to answers: that ends the session, and the strategy cannot go on from it. */
  act(method: Method): MakerPort {
    if (!this.budget.spend(this.nowUs)) throw withoutTime(this.budget, method)
    if (this.isAnswered && ++this.commandsOnAnswers > this.budget.max) throw withoutMarket(this.budget.max, method)
    return this.port
  }

  /** Counts a line of its log, which is no answer to an answer. Throws when there is too much at one instant. */
  tell(method: Method): MakerPort {
    if (!this.budget.spend(this.nowUs)) throw withoutTime(this.budget, method)
    return this.port
  }

  /** The maker is about to be called: with the answer to a command of its own, at a time that it asked for, or since the market moved. */
  hear(why: 'answer' | 'asked' | 'market'): void {
    this.isCalled = true
    this.hasPassed = false
    this.isAnswered = why === 'answer'
    if (why === 'market') this.commandsOnAnswers = 0
  }

  /** A position ended: the maker may command one thing more at this instant. */
  allowAction(): void {
    this.budget.allow(this.nowUs)
  }

  /** Whether a row, or its legs, is shown to this maker and to no other of this session or of another. */
  isShown(row: { readonly to: object | null }): boolean {
    return row.to === this
  }

  /** Follows delivered prices up to now, before each handler. */
  wake(nowUs: number): void {
    this.nowUs = nowUs
    this.depth?.hide()
    this.worstMicros = this.totalMicros = NaN
    this.board.advance(nowUs)
  }

  /** Books a delivered fill. */
  opened(legs: LegsRow, riskMicros: number): void {
    this.openPositions++
    this.openRiskMicros += riskMicros
    this.freeMicros -= riskMicros
    this.risks.add(this.seat, legs, riskMicros)
  }

  /** Books a delivered end of a position that paid `returnedMicros` to the maker. */
  closed(legs: LegsRow, riskMicros: number, returnedMicros: number): void {
    this.openPositions--
    this.openRiskMicros -= riskMicros
    this.freeMicros += returnedMicros
    this.capitalMicros += returnedMicros - riskMicros
    this.risks.add(this.seat, legs, -riskMicros)
  }

  /** Books a delivered position that the maker holds from now on, for what it paid. */
  bought(costMicros: number): void {
    this.heldPositions++
    this.heldCostMicros += costMicros
    this.freeMicros -= costMicros
  }

  /** Books a delivered end of a position that it held. */
  heldEnded(costMicros: number, receivedMicros: number): void {
    this.heldPositions--
    this.heldCostMicros -= costMicros
    this.freeMicros += receivedMicros
    this.capitalMicros += receivedMicros - costMicros
  }

  /** Books money that the maker took out. */
  withdrew(amountMicros: number): void {
    this.freeMicros -= amountMicros
    this.capitalMicros -= amountMicros
  }

  snapshot(): Image {
    return {
      nowUs: this.nowUs, freeMicros: this.freeMicros, capitalMicros: this.capitalMicros, openPositions: this.openPositions,
      openRiskMicros: this.openRiskMicros, heldPositions: this.heldPositions, heldCostMicros: this.heldCostMicros, passes: this.passes, requests: this.requests, requestsAway: this.requestsAway, requestsIgnored: this.requestsIgnored, commandsOnAnswers: this.commandsOnAnswers, legRisk: this.risks.ofSeat(this.seat),
      numbers: this.numbers.snapshot(),
    }
  }

  restore(image: Image): void {
    const { legRisk, numbers, ...scalars } = image as unknown as { legRisk: Float64Array; numbers: Image } & Record<string, number>
    Object.assign(this, scalars)
    this.numbers.restore(numbers)
    this.risks.setSeat(this.seat, legRisk)
  }
}
