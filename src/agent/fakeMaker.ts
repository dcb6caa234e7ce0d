import { internFacts } from '../market/marketFacts.ts'
import type { MarketNames } from '../market/publicList.ts'
import { PublishedResults } from '../market/publishedResults.ts'
import { MarketResult } from '../market/sides.ts'
import { USDC } from '../unit/micros.ts'
import { fakeNames } from './fakeNames.ts'
import { UNSET } from './facades/facade.ts'
import { FACADES } from './facades/facades.ts'
import { type FakePrice, FakePrices } from './fakePrices.ts'
import { FakeTime } from './fakeTime.ts'
import { withKnownHandlers } from './handlerNames.ts'
import type { MakerHandlers, MakerStrategy } from './maker.ts'
import { MakerBook } from './makerBook.ts'
import type { MakerDesk } from './makerDesk.ts'
import type { MakerPort } from './makerPort.ts'
import { type Parameters, parameterValues, type ValuesOf } from './parameters.ts'
import { AckRow, AuctionRow, LegsRow, PositionRow, RefusalRow, RequestRow, SelectionRow } from './rows.ts'
import { ShownDepth } from './shownDepth.ts'
import type { AckView, AuctionView, PositionView, RefusalView, RequestView, SelectionView } from './views.ts'
import { Action, AuctionOutcome } from './vocabulary.ts'

/** A leg of a fake: a market's number and a Side. */
export type FakeLeg = readonly [market: number, side: number]

/** What a view is to show: the fields that matter to the test; the others are those of a plausible view. */
export type FakeFields<V> = Partial<Omit<V, 'legs'>> & (V extends { readonly legs: unknown } ? { readonly legs: readonly FakeLeg[] } : unknown)

/** What a maker did, as the service would get it. */
export interface FakeCommand {
  readonly action: Action
  readonly atUs: number
  /** What it is about: the number of a request, a quote, an auction or a position. */
  readonly about: number
  readonly probability?: number
  readonly oddsE4?: number
  readonly validUs?: number
  /** Undefined where the maker says nothing of it. */
  readonly fair?: number | undefined
  readonly fairProduct?: number | undefined
  readonly priceMicros?: number
}

/** A line of a log, with one of its numbers if it has any. */
export interface FakeLog {
  readonly text: string
  readonly name?: string
  readonly value?: number
}

/** What a maker asked the other service for. */
export interface FakeLayOff {
  readonly position: number
  readonly betMicros: number
  readonly minOddsE4: number
  readonly decideInUs: number
}

/** What a fake maker begins with. */
export interface FakeMakerOptions<P extends Parameters> {
  /** Values of the strategy's parameters; the others have their defaults. */
  readonly params?: Partial<ValuesOf<P>>
  readonly name?: string
  /** 10,000 USDC unless given. */
  readonly capitalMicros?: number
  /** What markets 0, 1, … stand at when it begins. */
  readonly prices?: readonly FakePrice[]
  /** What the public list says of markets 0, 1, …. A text that is left out is plausible or, of events, games and categories, not there. */
  readonly markets?: readonly Partial<MarketNames>[]
  readonly startUs?: number
  /** Draws of the maker's own, a half unless given. */
  readonly random?: () => number
}

const START_US = 1_750_000_000_000_000
const MARKETS = 64
const fairOf = (memoE9: number): number | undefined => (memoE9 < 0 ? undefined : memoE9 / 1e9)

/** A row with these fields and legs. */
function filled<R extends { readonly legs: LegsRow }>(row: R, { legs, ...fields }: Partial<Omit<R, 'legs'>> & { readonly legs: readonly FakeLeg[] }): R {
  Object.assign(row, fields)
  row.legs.count = legs.length
  legs.forEach(([market, side], i) => {
    row.legs.markets[i] = market
    row.legs.sides[i] = side
  })
  return row
}

/**
 * Plays a maker strategy by hand, for unit tests of it: shows its handlers what a test says, and keeps what it commands. Desk and views are
 * those of a session: what they refuse there they refuse here. There is no service behind it, so that nothing comes by itself but the ends of requests and what
 * the strategy asked for with `later`, `after`, `decideLater` and `checkIn`, when time passes, and with `watch`, when a price is set.
 */
export class FakeMaker {
  readonly commands: FakeCommand[] = []
  readonly layOffs: FakeLayOff[] = []
  /** Why it let something go by, each time. */
  readonly reasons: string[] = []
  /** Lines of its log: one for each number. */
  readonly logs: FakeLog[] = []
  /** Whether the other service takes what is laid off. */
  takesLayOffs = true
  declare readonly desk: MakerDesk
  declare readonly handlers: MakerHandlers
  readonly #book: MakerBook = UNSET
  readonly #board: FakePrices = UNSET
  readonly #time: FakeTime = UNSET
  readonly #results: PublishedResults = UNSET
  /** Positions that it held, and that have ended. */
  readonly #ended = new Set<number>()
  /** The newest version of each request. */
  readonly #versions = new Map<number, number>()
  /** Numbers of what is not numbered by the test. */
  #last = 0

  constructor(strategy: MakerStrategy, options: FakeMakerOptions<Parameters>) {
    const { params, name = 'maker', capitalMicros = 10_000 * USDC, prices = [], markets = [], startUs = START_US, random = () => 0.5 } = options
    this.#time = new FakeTime(startUs)
    this.#board = new FakePrices(MARKETS)
    this.#results = new PublishedResults(MARKETS)
    const names = fakeNames(MARKETS, markets)
    this.#book = new MakerBook(
      0, name, capitalMicros, this.#board, MARKETS, this.#port(), this.#results, internFacts(names), undefined, undefined, { namesOf: (market) => names[market] ?? null },
    )
    this.#book.wake(startUs)
    this.#book.depth = new ShownDepth(this.#board.depth, this.#board, this.#book)
    this.desk = FACADES.makerDesk(this.#book)
    this.handlers = withKnownHandlers(strategy.create(
      Object.freeze({ ...parameterValues(strategy.parameters, params) }), Object.freeze({ name, capitalMicros, random: Object.freeze(() => random()) }),
    ), 'maker')
    prices.forEach((price, market) => { this.setPrice(market, price) })
  }

  get nowUs(): number {
    return this.#time.nowUs
  }

  /** How often it let something go by. */
  get passes(): number {
    return this.#book.passes
  }

  /** From now on the market stands there. What the strategy watches is told of it at once. */
  setPrice(market: number, price: FakePrice): void {
    this.#board.set(market, this.nowUs, price)
  }

  /** The maker learns of a result now; markets are numbered from 0 to 63. */
  setResult(market: number, result: keyof typeof MarketResult): void {
    this.#results.publish(market, MarketResult[result], this.nowUs)
  }

  /** Lets time pass, µs, with what the strategy asked for. */
  pass(us: number): void {
    this.#time.pass(us)
  }

  onRequest(fields: FakeFields<RequestView>): void {
    this.#showRequest('onRequest', fields)
  }

  onStart(): void {
    this.#callOwn(() => this.handlers.onStart?.(this.desk))
  }

  onEnd(): void {
    this.#book.isEnding = true
    try {
      this.#callOwn(() => this.handlers.onEnd?.(this.desk))
    } finally {
      this.#book.isEnding = false
    }
  }

  onBest(fields: FakeFields<RequestView>): void {
    this.#showRequest('onBest', fields)
  }

  /** Confirms for a strategy without the handler, as a session does; so of `onBidTaken`. */
  onSelected(fields: FakeFields<SelectionView>): void {
    this.#showSelection('onSelected', this.#selection(fields))
  }

  /** A bid was taken: `riskMicros` is its price. */
  onBidTaken(fields: FakeFields<SelectionView> & { readonly position: number }): void {
    const { netStakeMicros = 10 * USDC, payoutMicros = 20 * USDC } = fields
    const { riskMicros = Math.floor(payoutMicros * (fields.quotedProbability ?? 0.5)) } = fields
    this.#showSelection('onBidTaken', this.#selection({
      oddsE4: NaN, netStakeMicros, payoutMicros, riskMicros, quotedProbability: riskMicros / payoutMicros, ...fields,
    }))
  }

  onAck(fields: FakeFields<AckView>): void {
    const row = Object.assign(new AckRow(), { deliveredAtUs: this.nowUs, ...fields })
    this.#call({ show: () => { row.isShown = true }, hide: () => { row.isShown = false } }, () => this.handlers.onAck?.(FACADES.ack(row), this.desk))
  }

  /** A position that the maker backs: `riskMicros` of its free capital are at risk from now on. */
  onOpened(fields: FakeFields<PositionView>): void {
    const row = this.#position(fields)
    this.#book.opened(row.legs, row.riskMicros)
    this.#showPosition(row, (view) => this.handlers.onOpened?.(view, this.desk))
  }

  /** The end of a position that the maker backs or, with `isHolder`, holds; `profitMicros` is what it made of it. */
  onSettled(fields: FakeFields<PositionView>): void {
    const row = this.#position(fields)
    this.#ended.add(row.position)
    row.hasEnded = true
    if (row.isHolder) this.#book.heldEnded(row.costMicros, row.costMicros + row.profitMicros)
    else this.#book.closed(row.legs, row.riskMicros, row.riskMicros + row.profitMicros)
    this.#showPosition(row, (view) => this.handlers.onSettled?.(view, this.desk))
  }

  onCashOut(fields: FakeFields<AuctionView>): void {
    this.#showAuction('onCashOut', fields)
  }

  onBestBid(fields: FakeFields<AuctionView>): void {
    this.#showAuction('onBestBid', fields)
  }

  /** The maker holds the position from now on, for `costMicros`. */
  onBought(fields: FakeFields<PositionView>): void {
    const row = this.#held(fields)
    this.#book.bought(row.costMicros)
    this.#showPosition(row, (view) => this.handlers.onBought?.(view, this.desk))
  }

  onBid(fields: FakeFields<PositionView>): void {
    this.#showPosition(this.#held({ isAuctioned: true, canCashOut: false, ...fields }), (view) => this.handlers.onBid?.(view, this.desk))
  }

  /** After `sold`, `bestPriceMicros` is what the position brought; its cost unless given. */
  onAuctionEnded(fields: FakeFields<PositionView>, outcome: AuctionOutcome): void {
    const row = outcome === AuctionOutcome.sold ? this.#sold(fields) : this.#held(fields)
    if (outcome === AuctionOutcome.sold) {
      this.#ended.add(row.position)
      row.hasEnded = true
      this.#book.heldEnded(row.costMicros, row.bestPriceMicros)
    }
    this.#showPosition(row, (view) => this.handlers.onAuctionEnded?.(view, outcome, this.desk))
  }

  onCashOutRefused(fields: FakeFields<PositionView>, { action, refusal, retryAfterUs = NaN }: Pick<RefusalView, 'action' | 'refusal'> & Partial<RefusalView>): void {
    const said = new RefusalRow()
    said.set(action, refusal, retryAfterUs)
    said.isShown = true
    try {
      this.#showPosition(this.#held(fields), (view) => this.handlers.onCashOutRefused?.(view, FACADES.refusal(said), this.desk))
    } finally {
      said.isShown = false
    }
  }

  #showRequest(handler: 'onRequest' | 'onBest' | 'onLater' | 'onPrice' | 'onRequestEnded', { betMicros = 10 * USDC, ...fields }: FakeFields<RequestView>): void {
    const { nowUs } = this
    const row = filled(new RequestRow(), {
      request: ++this.#last, version: 1, deliveredAtUs: nowUs, expiresAtUs: nowUs + 60_000_000, betMicros, netStakeMicros: betMicros, ...fields,
    })
    if (handler === 'onRequest') this.#overIn(row)
    this.#call(row, () => this.handlers[handler]?.(FACADES.request(row), this.desk))
  }

  /** The request's time is over, unless a newer version comes before. */
  #overIn(row: RequestRow): void {
    const fields = this.#again(row)
    this.#versions.set(row.request, Math.max(row.version, this.#versions.get(row.request) ?? row.version))
    this.#time.in(Math.max(0, row.expiresAtUs - this.nowUs), () => {
      if (this.#versions.get(row.request) === row.version) this.#showRequest('onRequestEnded', { ...fields, bestOddsE4: NaN, deliveredAtUs: this.nowUs })
    })
  }

  #selection(fields: FakeFields<SelectionView>): SelectionRow {
    const { nowUs } = this
    const { quotedProbability = 0.5, netStakeMicros = 10 * USDC } = fields
    const payoutMicros = Math.floor(netStakeMicros / quotedProbability)
    return filled(new SelectionRow(), {
      request: ++this.#last, version: 1, quote: this.#last, deliveredAtUs: nowUs, deadlineAtUs: nowUs + 1_000_000, quotedProbability,
      oddsE4: Math.floor(10_000 / quotedProbability), netStakeMicros, payoutMicros, riskMicros: payoutMicros - netStakeMicros, ...fields,
    })
  }

  #showSelection(handler: 'onSelected' | 'onDecision' | 'onBidTaken', row: SelectionRow): void {
    const handle = this.handlers[handler]?.bind(this.handlers) ?? ((selection: SelectionView, desk: MakerDesk) => { desk.confirm(selection) })
    this.#call(row, () => { handle(FACADES.selection(row), this.desk) })
  }

  #showAuction(handler: 'onCashOut' | 'onBestBid', fields: FakeFields<AuctionView>): void {
    const { nowUs } = this
    const { payoutMicros = 20 * USDC, netStakeMicros = 10 * USDC } = fields
    const row = filled(new AuctionRow(), {
      auction: ++this.#last, position: this.#last, deliveredAtUs: nowUs, endsAtUs: nowUs + 10_000_000, netStakeMicros, payoutMicros,
      maxPriceMicros: payoutMicros, ...fields,
    })
    this.#call(row, () => this.handlers[handler]?.(FACADES.auction(row), this.desk))
  }

  #position(fields: FakeFields<PositionView>): PositionRow {
    const { netStakeMicros = 10 * USDC, riskMicros = 10 * USDC, isHolder = false } = fields
    const payoutMicros = netStakeMicros + riskMicros
    return filled(new PositionRow(), {
      position: ++this.#last, request: this.#last, quote: this.#last, deliveredAtUs: this.nowUs, netStakeMicros, riskMicros, costMicros: riskMicros,
      payoutMicros, oddsE4: isHolder ? NaN : Math.round(payoutMicros * 10_000 / netStakeMicros), ...fields,
    })
  }

  #held(fields: FakeFields<PositionView>): PositionRow {
    const { costMicros = 10 * USDC } = fields
    return this.#position({ isHolder: true, canCashOut: true, costMicros, costBasisMicros: costMicros, ...fields })
  }

  #sold(fields: FakeFields<PositionView>): PositionRow {
    const { costMicros = 10 * USDC, bestPriceMicros = costMicros } = fields
    return this.#held({ canCashOut: false, bestPriceMicros, profitMicros: bestPriceMicros - costMicros, ...fields })
  }

  #showPosition(row: PositionRow, handle: (view: PositionView) => void): void {
    this.#call(row, () => { handle(FACADES.position(row)) })
  }

  /** Calls a handler that is about nothing. */
  #callOwn(handle: () => void): void {
    this.#call({ show: () => {}, hide: () => {} }, handle)
  }

  /** Calls a handler, after which the row is shown no longer. */
  #call(row: { show(to: object): void; hide(): void }, handle: () => void): void {
    this.#book.wake(this.nowUs)
    row.show(this.#book)
    this.#book.hear('market')
    this.#book.isCalled = !this.#book.isEnding
    try {
      handle()
    } finally {
      this.#book.isCalled = false
      row.hide()
    }
  }

  /** Shows the same legs again when what was asked for is due. */
  #again<R extends { readonly legs: LegsRow }>(row: R): { readonly legs: readonly FakeLeg[] } & Omit<R, 'legs' | 'show' | 'hide'> {
    const { legs, ...fields } = row
    return { ...fields, legs: Array.from({ length: legs.count }, (_, i) => [legs.markets[i]!, legs.sides[i]!] as const) } as never
  }

  #command(action: Action, about: number, terms: Partial<FakeCommand> = {}): void {
    this.commands.push({ action, atUs: this.nowUs, about, ...terms })
  }

  #port(): MakerPort {
    return {
      submitQuote: (_seat, { request }, oddsE4, validUs, memoE9, probability, productE9) =>
        this.#command(Action.submitQuote, request, { probability, oddsE4, validUs, fair: fairOf(memoE9), fairProduct: fairOf(productE9) }),
      withdrawQuote: (_seat, request) => this.#command(Action.withdrawQuote, request),
      submitBid: (_seat, { auction }, priceMicros, validUs, memoE9, productE9) => this.#command(Action.submitBid, auction, { priceMicros, validUs, fair: fairOf(memoE9), fairProduct: fairOf(productE9) }),
      openCashOut: (_seat, row) => {
        row.canCashOut = false
        row.askedAtUs = this.nowUs
        this.#command(Action.openCashOut, row.position)
      },
      takeBid: (_seat, row, priceMicros) => {
        row.isAuctioned = false
        this.#command(Action.takeBid, row.position, { priceMicros })
      },
      cancelCashOut: (_seat, { position }) => this.#command(Action.cancelCashOut, position),
      decide: (_seat, { quote }, isConfirmed) => this.#command(isConfirmed ? Action.confirm : Action.decline, quote),
      later: (_seat, row, delayUs) => {
        const fields = this.#again(row)
        this.#time.in(delayUs, () => { this.#showRequest('onLater', { ...fields, deliveredAtUs: this.nowUs }) })
      },
      watch: (_seat, row, terms) => {
        const fields = this.#again(row)
        this.#board.watch(fields.legs, terms, row.expiresAtUs, () => { this.#showRequest('onPrice', { ...fields, deliveredAtUs: this.nowUs }) })
      },
      watchPosition: (_seat, row, terms) => {
        const fields = this.#again(row)
        this.#board.watch(fields.legs, terms, Infinity, () => {
          if (this.#ended.has(row.position)) return
          this.#showPosition(filled(new PositionRow(), { ...fields, deliveredAtUs: this.nowUs }), (view) => this.handlers.onPositionPrice?.(view, this.desk))
        })
      },
      after: (_seat, delayUs, tag) => {
        this.#time.in(delayUs, () => { this.#callOwn(() => this.handlers.onTimer?.(tag, this.desk)) })
      },
      decideLater: (_seat, row, delayUs) => {
        const fields = this.#again(row)
        this.#time.in(delayUs, () => { this.#showSelection('onDecision', filled(new SelectionRow(), { ...fields, deliveredAtUs: this.nowUs })) })
      },
      checkIn: (_seat, row, delayUs) => {
        const fields = this.#again(row)
        this.#time.in(delayUs, () => {
          if (this.#ended.has(row.position)) return
          const later = filled(new PositionRow(), { ...fields, deliveredAtUs: this.nowUs, checks: row.checks + 1 })
          this.#showPosition(later, (view) => this.handlers.onCheck?.(view, this.desk))
        })
      },
      passed: (_seat, reason) => { this.reasons.push(reason) },
      logged: (_seat, text, name, value) => { this.logs.push(name === '' ? { text } : { text, name, value }) },
      layOff: (_seat, { position }, betMicros, minOddsE4, decideInUs) => {
        if (this.takesLayOffs) this.layOffs.push({ position, betMicros, minOddsE4, decideInUs })
        return this.takesLayOffs
      },
    }
  }
}

/** A maker strategy in a fake session of its own. */
export const fakeMaker = <P extends Parameters>(strategy: MakerStrategy<P>, options: FakeMakerOptions<P> = {}): FakeMaker =>
  new FakeMaker(strategy as unknown as MakerStrategy, options as FakeMakerOptions<Parameters>)
