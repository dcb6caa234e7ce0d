import { FACADES } from '../../src/agent/facades/facades.ts'
import type { MakerHandlers, MakerStrategy } from '../../src/agent/maker.ts'
import type { MakerDesk } from '../../src/agent/makerDesk.ts'
import { MakerBook } from '../../src/agent/makerBook.ts'
import type { MakerPort } from '../../src/agent/makerPort.ts'
import { AckRow, AuctionRow, type LegsRow, PositionRow, RequestRow, SelectionRow } from '../../src/agent/rows.ts'
import { OwnNumbers } from '../../src/agent/seatNumbers.ts'
import { type Action, Refusal } from '../../src/agent/vocabulary.ts'
import type { ExternalCall } from '../../src/engine/externalCalls.ts'
import { strategyRandom } from '../../src/kernel/random.ts'
import { PriceBoard } from '../../src/market/priceBoard.ts'
import type { PublishedResults } from '../../src/market/publishedResults.ts'
import type { Ticks } from '../../src/market/ticks.ts'
import type { SeatMessage } from '../../src/scenario/externalSeats.ts'
import { PARLAY_WORDS, type Words } from './makerWords.ts'

/** What a maker outside of the session is told: a copy, numbers and legs alone. */
export interface Told {
  readonly kind: SeatMessage['kind'] | 'onLater' | 'onDecision'
  readonly atUs: number
  readonly numbers: Readonly<Record<string, number | boolean>>
  readonly markets: readonly number[]
  readonly sides: readonly number[]
  /** Tag of the content of a request. */
  readonly contentTag: number
}

/** What it does: a call of the service, or a wish to be called again. */
export type Deed = { readonly call: ExternalCall } | { readonly wakeUs: number; readonly told: Told }

type Rows = { readonly legs: LegsRow } & Record<string, unknown>

/** Copies what a handler is shown. */
export function toldOf({ kind, view }: Pick<SeatMessage, 'kind'> & { readonly view: object }, contentTag: number): Told {
  const legs = (view as { readonly legs?: { readonly markets: readonly number[]; readonly sides: readonly number[] } }).legs
  const numbers: Record<string, number | boolean> = {}
  for (const row of [new RequestRow(), new SelectionRow(), new AuctionRow(), new PositionRow(), new AckRow()]) {
    for (const name of Object.keys(row)) {
      const value = (view as Record<string, unknown>)[name]
      if (name !== 'isShown' && (typeof value === 'number' || typeof value === 'boolean')) numbers[name] = value
    }
  }
  return { kind, atUs: numbers['deliveredAtUs'] as number, numbers, markets: legs?.markets ?? [], sides: legs?.sides ?? [], contentTag }
}

/** The terms of a maker that plays outside. */
export interface OutsideTerms {
  readonly name: string
  readonly seed: string
  readonly strategy: MakerStrategy
  readonly values: Readonly<Record<string, number>>
  readonly capitalMicros: number
  readonly feedUs: number
  readonly ticks: Ticks
  readonly marketCount: number
  readonly results: PublishedResults
  /** Of the service; absent: the parlay service's. */
  readonly words?: Words
}

/** A strategy played outside of every session: its book and its prices are its own, and it knows what it is told. */
export class OutsideMaker {
  private readonly book: MakerBook
  private readonly desk: MakerDesk
  private readonly handlers: MakerHandlers
  private readonly request = new RequestRow()
  private readonly selection = new SelectionRow()
  private readonly auction = new AuctionRow()
  private readonly position = new PositionRow()
  private readonly ack = new AckRow()
  private readonly views = {
    request: FACADES.request(this.request), selection: FACADES.selection(this.selection), auction: FACADES.auction(this.auction),
    position: FACADES.position(this.position), ack: FACADES.ack(this.ack),
  }
  private readonly words: Words
  private deeds: Deed[] = []
  private told: Told | null = null

  constructor({ name, seed, strategy, values, capitalMicros, feedUs, ticks, marketCount, results, words = PARLAY_WORDS }: OutsideTerms) {
    this.words = words
    this.book = new MakerBook(0, name, capitalMicros, new PriceBoard(ticks, marketCount, feedUs), marketCount, this.port(), results, undefined, undefined, undefined, undefined, new OwnNumbers(words === PARLAY_WORDS ? 'parlay' : 'outcome'))
    this.desk = FACADES.makerDesk(this.book)
    const random = strategyRandom(seed, name)
    this.handlers = strategy.create(values, { name, capitalMicros, random: () => random() })
  }

  get wantsAcks(): boolean {
    return this.handlers.onAck !== undefined
  }

  /** What it does when it is told something. */
  hear(told: Told): readonly Deed[] {
    this.deeds = []
    this.told = told
    const { book, desk, handlers, views, request, selection, auction, position } = this
    book.wake(told.atUs)
    book.hear(told.kind === 'onAck' ? 'answer' : told.kind === 'onLater' || told.kind === 'onDecision' ? 'asked' : 'market')
    switch (told.kind) {
      case 'onRequest': this.show(request, told, () => handlers.onRequest?.(views.request, desk)); break
      case 'onBest': this.show(request, told, () => handlers.onBest?.(views.request, desk)); break
      case 'onLater': this.show(request, told, () => handlers.onLater?.(views.request, desk)); break
      case 'onSelected': this.show(selection, told, () => this.decided(handlers.onSelected)); break
      case 'onDecision': this.show(selection, told, () => this.decided(handlers.onDecision)); break
      case 'onBidTaken': this.show(selection, told, () => this.decided(handlers.onBidTaken)); break
      case 'onOpened':
        this.show(position, told, () => {
          book.opened(position.legs, position.riskMicros)
          handlers.onOpened?.(views.position, desk)
        })
        break
      case 'onSettled':
        this.show(position, told, () => {
          book.allowAction()
          if (position.isHolder) book.heldEnded(position.costMicros, position.profitMicros + position.costMicros)
          else book.closed(position.legs, position.riskMicros, position.profitMicros + position.riskMicros)
          handlers.onSettled?.(views.position, desk)
        })
        break
      case 'onBought':
        this.show(position, told, () => {
          book.bought(position.costMicros)
          handlers.onBought?.(views.position, desk)
        })
        break
      case 'onCashOut': this.show(auction, told, () => handlers.onCashOut?.(views.auction, desk)); break
      case 'onBestBid': this.show(auction, told, () => handlers.onBestBid?.(views.auction, desk)); break
      default:
    }
    book.isCalled = false
    return this.deeds
  }

  /** The answer to a command has come. */
  answered(atUs: number, action: Action, refusal: Refusal, request: number, quote: number, auction: number): readonly Deed[] {
    this.deeds = []
    const { book, ack } = this
    Object.assign(ack, { action, refusal, request, quote, auction, deliveredAtUs: atUs, isShown: true, to: book })
    book.wake(atUs)
    // What waited for the answer is sent as soon as it is known, before anything that it gives rise to.
    for (const call of this.words.answered(action, refusal === Refusal.none, request, quote)) this.deeds.push({ call })
    if (this.wantsAcks) {
      book.hear('answer')
      this.handlers.onAck?.(this.views.ack, this.desk)
      book.isCalled = false
    }
    ack.isShown = false
    return this.deeds
  }

  private decided(handler: MakerHandlers['onSelected']): void {
    if (handler === undefined) this.sayConfirm(this.selection, true)
    else handler(this.views.selection, this.desk)
  }

  private show(row: RequestRow | SelectionRow | AuctionRow | PositionRow, { numbers, markets, sides }: Told, act: () => void): void {
    for (const name of Object.keys(row)) if (name in numbers) (row as unknown as Rows)[name] = numbers[name]
    row.legs.markets.set(markets)
    row.legs.sides.set(sides)
    row.legs.count = markets.length
    row.show(this.book)
    act()
    row.hide()
  }

  private say(call: ExternalCall | null): void {
    if (call !== null) this.deeds.push({ call })
  }

  private sayConfirm(selection: SelectionRow, confirm: boolean): void {
    this.say(this.words.decide(selection, confirm))
  }

  private wake(kind: 'onLater' | 'onDecision', delayByUs: number): void {
    const atUs = this.book.nowUs + delayByUs
    this.deeds.push({ wakeUs: atUs, told: { ...this.told!, kind, atUs, numbers: { ...this.told!.numbers, deliveredAtUs: atUs } } })
  }

  private port(): MakerPort {
    const never = (): never => { throw new Error('no such wish in these tests') }
    return {
      submitQuote: (_, request, oddsE4, validUs, memoE9, probability, productE9) =>
        this.say(this.words.quote(request, { oddsE4, probability, validUs, memoE9, productE9, contentTag: this.told!.contentTag, nowUs: this.book.nowUs })),
      withdrawQuote: (_, request) => this.say(this.words.withdraw(request)),
      submitBid: (_, auction, priceMicros, validUs, memoE9, productE9) => this.say(this.words.bid(auction, { priceMicros, validUs, memoE9, productE9, nowUs: this.book.nowUs })),
      decide: (_, selection, confirm) => this.sayConfirm(selection, confirm),
      later: (_, __, delayByUs) => this.wake('onLater', delayByUs),
      after: never, watch: never, watchPosition: never,
      decideLater: (_, __, delayByUs) => this.wake('onDecision', delayByUs),
      openCashOut: never, takeBid: never, cancelCashOut: never, checkIn: never, layOff: never, passed: () => {}, logged: () => {},
    }
  }
}
