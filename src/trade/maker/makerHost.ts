import { FACADES } from '../../agent/facades/facades.ts'
import type { MakerHandlers, MakerStrategy } from '../../agent/maker.ts'
import { MakerBook } from '../../agent/makerBook.ts'
import type { MakerDesk } from '../../agent/makerDesk.ts'
import type { MakerPort } from '../../agent/makerPort.ts'
import { AckRow, AuctionRow, PositionRow, RefusalRow, RequestRow, SelectionRow } from '../../agent/rows.ts'
import { OwnNumbers } from '../../agent/seatNumbers.ts'
import { AuctionOutcome, Refusal } from '../../agent/vocabulary.ts'
import { type MarketFacts } from '../../market/marketFacts.ts'
import type { PriceBoard } from '../../market/priceBoard.ts'
import type { PublishedResults } from '../../market/publishedResults.ts'
import { strategyRandom } from '../../kernel/random.ts'
import { callStrategy } from '../strategyFailure.ts'
import { refuseUntold } from '../untold.ts'
import { isAboutSale, MakerSales, positionOf } from './makerSales.ts'
import type { MakerAck, MakerTold, MakerWish, SaleTold } from './makerWords.ts'

/** What a maker wishes: something of the service, or to be called again with what it is told then. */
export type MakerDeed = { readonly wish: MakerWish } | { readonly wakeUs: number; readonly told: MakerTold }

/** So many numbers of a kind are kept: far more than what its client knows names of (../names.ts). */
const NUMBERS_KEPT = 2 ** 20

export interface MakerHostTerms {
  readonly service: 'parlay' | 'outcome'
  readonly name: string
  /** The seed of the seat's draws. */
  readonly seed: string
  readonly strategy: MakerStrategy
  readonly values: Readonly<Record<string, number>>
  readonly capitalMicros: number
  readonly marketCount: number
  readonly prices: PriceBoard
  readonly results: PublishedResults
  readonly facts: MarketFacts
}

type ShownRow = RequestRow | SelectionRow | AuctionRow | PositionRow

/** A maker's strategy outside of every session: its desk and views are those of a session, and it knows what it is told. */
export class MakerHost {
  /** What the strategy did with its requests, for whoever sums up. */
  readonly counts = { requests: 0, opened: 0, ended: 0, profitMicros: 0 }
  readonly book: MakerBook
  private readonly desk: MakerDesk
  private readonly handlers: MakerHandlers
  private readonly request = new RequestRow()
  private readonly selection = new SelectionRow()
  private readonly auction = new AuctionRow()
  private readonly position = new PositionRow()
  private readonly ack = new AckRow()
  private readonly refusal = new RefusalRow()
  private readonly views
  private readonly sales = new MakerSales()
  private deeds: MakerDeed[] = []
  private told: MakerTold | null = null
  /** The newest version of each request whose end it is to hear of. */
  private readonly versions = new Map<number, number>()

  constructor({ service, name, seed, strategy, values, capitalMicros, marketCount, prices, results, facts }: MakerHostTerms) {
    const facades = strategy.facades ?? FACADES
    this.book = new MakerBook(0, name, capitalMicros, prices, marketCount, this.port(), results, facts, undefined, undefined, null, new OwnNumbers(service, NUMBERS_KEPT))
    this.desk = facades.makerDesk(this.book)
    this.views = {
      request: facades.request(this.request), selection: facades.selection(this.selection), auction: facades.auction(this.auction), position: facades.position(this.position), ack: facades.ack(this.ack),
      refusal: facades.refusal(this.refusal),
    }
    const random = strategyRandom(seed, name)
    const seat = Object.freeze({ name, capitalMicros, random: Object.freeze(() => random()) })
    this.handlers = callStrategy({ role: 'maker', name }, 'create', () => strategy.create(Object.freeze({ ...values }), seat))
    refuseUntold('maker', this.handlers)
  }

  /** Shows the strategy what has reached its seat, or what it asked for. Returns what it wishes. Throws what the strategy throws. */
  hear(told: MakerTold): readonly MakerDeed[] {
    const { book, handlers, desk, views, request, selection, auction } = this
    this.begin(told, isAsked(told) ? 'asked' : 'market')
    switch (told.kind) {
      case 'onRequest':
        this.counts.requests++
        book.requests++
        if (handlers.onRequestEnded !== undefined) this.endOf(told)
        this.show(request, told, () => handlers.onRequest?.(views.request, desk))
        break
      case 'onBest': this.show(request, told, () => handlers.onBest?.(views.request, desk)); break
      case 'onRequestEnded': if (this.isNewest(told)) this.show(request, told, () => handlers.onRequestEnded?.(views.request, desk)); break
      case 'onTimer': handlers.onTimer?.(told.numbers['tag'] as number, desk); break
      case 'onLater': this.show(request, told, () => handlers.onLater?.(views.request, desk)); break
      case 'onSelected': this.show(selection, told, () => { this.decided(handlers.onSelected) }); break
      case 'onDecision': this.show(selection, told, () => { this.decided(handlers.onDecision) }); break
      case 'onBidTaken': this.show(selection, told, () => { this.decided(handlers.onBidTaken) }); break
      case 'onCashOut': this.show(auction, told, () => handlers.onCashOut?.(views.auction, desk)); break
      case 'onBestBid': this.show(auction, told, () => handlers.onBestBid?.(views.auction, desk)); break
      case 'onOpened': case 'onSettled': case 'onBought': this.positionTold(told, told.kind); break
      case 'onCheck': case 'onBid': case 'onAuctionEnded': this.saleTold(told, told.kind); break
      default:
    }
    book.isCalled = false
    return this.deeds
  }

  /** The request's time is over by what it says of itself, unless a newer version comes before. */
  private endOf(told: MakerTold): void {
    const { request, version, expiresAtUs } = told.numbers as Readonly<Record<'request' | 'version' | 'expiresAtUs', number>>
    this.versions.set(request, Math.max(version, this.versions.get(request) ?? version))
    const wakeUs = Math.max(told.atUs, expiresAtUs)
    this.deeds.push({ wakeUs, told: { ...told, kind: 'onRequestEnded', atUs: wakeUs, numbers: { ...told.numbers, bestOddsE4: NaN } } })
  }

  private isNewest({ numbers }: MakerTold): boolean {
    const [request, version] = [numbers['request'] as number, numbers['version'] as number]
    if (this.versions.get(request) !== version) return false
    return this.versions.delete(request)
  }

  /** The session begins for it, or is over. Returns what it wishes. Throws what the strategy throws. */
  tell(handler: 'onStart' | 'onEnd', atUs: number): readonly MakerDeed[] {
    const { book, handlers, desk } = this
    this.begin(null, 'market')
    book.wake(atUs)
    book.isEnding = handler === 'onEnd'
    book.isCalled = !book.isEnding
    handlers[handler]?.(desk)
    book.isCalled = book.isEnding = false
    return this.deeds
  }

  /** The answer to a wish has come. */
  answered(ack: MakerAck, atUs: number): readonly MakerDeed[] {
    const { handlers: { onAck }, book } = this
    this.deeds = []
    book.wake(atUs)
    if (isAboutSale(ack)) return this.saleAnswered(ack, atUs)
    if (onAck === undefined) return this.deeds
    this.begin(null, 'answer')
    const { action, refusal, request, quote, auction, retryAfterUs } = ack
    Object.assign(this.ack, { action, refusal, request, quote, auction, retryAfterUs, deliveredAtUs: atUs, isShown: true, to: book })
    this.handlers.onAck!(this.views.ack, this.desk)
    this.ack.isShown = false
    book.isCalled = false
    return this.deeds
  }

  /** Positions of before brought so much, which the strategy is not told of. */
  carry(profitMicros: number): void {
    this.counts.profitMicros += profitMicros
    this.book.freeMicros += profitMicros
    this.book.capitalMicros += profitMicros
  }

  /** The client was away: the strategy hears of each wish to sell whose answer is lost that it was refused. */
  lost(atUs: number): readonly MakerDeed[] {
    return this.sales.lost().flatMap(({ position, action }) => {
      this.deeds = []
      return this.saleRefused(position, { action, refusal: Refusal.unavailable, retryAfterUs: NaN }, atUs)
    })
  }

  private saleAnswered(ack: MakerAck, atUs: number): readonly MakerDeed[] {
    const position = ack.position!
    return this.sales.answered(ack, position) ? this.saleRefused(position, ack, atUs) : this.deeds
  }

  private saleRefused(position: number, { action, refusal, retryAfterUs }: Pick<MakerAck, 'action' | 'refusal' | 'retryAfterUs'>, atUs: number): readonly MakerDeed[] {
    const told: MakerTold = { ...this.sales.purchase(position)!, kind: 'onCashOutRefused', atUs }
    this.begin(told, 'market')
    Object.assign(this.refusal, { action, refusal, retryAfterUs, isShown: true })
    this.show(this.position, told, () => this.handlers.onCashOutRefused?.(this.views.position, this.views.refusal, this.desk))
    this.refusal.isShown = false
    this.book.isCalled = false
    return this.deeds
  }

  /** Nothing is heard of what the maker does not hold any more. */
  private saleTold(told: MakerTold, kind: 'onCheck' | 'onBid' | 'onAuctionEnded'): void {
    const { sales, handlers, desk, views, position: row } = this
    const position = positionOf(told)
    if (sales.purchase(position) === undefined) return
    if (kind === 'onAuctionEnded') return this.auctionEnded(told, told.sale!)
    if (kind === 'onCheck') sales.checked(position)
    else sales.bid(position, told.sale!)
    this.show(row, told, () => handlers[kind]?.(views.position, desk))
  }

  private auctionEnded(told: MakerTold, { outcome, bestPriceMicros }: SaleTold): void {
    const { sales, handlers, desk, views, book, counts, position: row } = this
    const position = positionOf(told)
    const isSold = outcome === AuctionOutcome.sold
    if (isSold) sales.ended(position, bestPriceMicros)
    else sales.unsold(position)
    this.show(row, told, () => {
      if (isSold) {
        counts.ended++
        counts.profitMicros += row.profitMicros
        book.heldEnded(row.costMicros, bestPriceMicros)
      }
      handlers.onAuctionEnded?.(views.position, outcome!, desk)
    })
  }

  private begin(told: MakerTold | null, why: 'answer' | 'asked' | 'market'): void {
    this.deeds = []
    this.told = told
    if (told !== null) this.book.wake(told.atUs)
    this.book.hear(why)
  }

  private positionTold(told: MakerTold, kind: 'onOpened' | 'onSettled' | 'onBought'): void {
    const { book, position: row, desk, views, handlers, counts, sales } = this
    if (kind === 'onBought') sales.bought(told)
    else if (kind === 'onSettled' && told.numbers['isHolder'] === true) sales.ended(positionOf(told))
    this.show(row, told, () => {
      if (kind === 'onOpened') {
        counts.opened++
        book.opened(row.legs, row.riskMicros)
      } else if (kind === 'onBought') book.bought(row.costMicros)
      else {
        counts.ended++
        counts.profitMicros += row.profitMicros
        book.allowAction()
        if (row.isHolder) book.heldEnded(row.costMicros, row.profitMicros + row.costMicros)
        else book.closed(row.legs, row.riskMicros, row.profitMicros + row.riskMicros)
      }
      handlers[kind]?.(views.position, desk)
    })
  }

  private decided(handler: MakerHandlers['onSelected']): void {
    if (handler === undefined) this.decide(this.selection, true)
    else handler(this.views.selection, this.desk)
  }

  private show(row: ShownRow, { numbers, markets, sides, atUs }: MakerTold, act: () => void): void {
    const { legs } = row
    Object.assign(row, numbers, { deliveredAtUs: atUs })
    legs.markets.set(markets)
    legs.sides.set(sides)
    legs.count = markets.length
    if (row === this.position) this.sales.fill(row, row.position)
    row.show(this.book)
    act()
    row.hide()
    this.sales.hide()
  }

  private wish(wish: MakerWish): void {
    this.deeds.push({ wish })
  }

  private decide({ request, quote, position }: SelectionRow, confirm: boolean): void {
    this.wish({ kind: 'decide', request, quote, position, confirm })
  }

  private wake(kind: 'onLater' | 'onDecision' | 'onCheck', delayUs: number, told = this.told!): void {
    const wakeUs = this.book.nowUs + delayUs
    this.deeds.push({ wakeUs, told: { ...told, kind, atUs: wakeUs } })
  }

  private port(): MakerPort {
    return {
      submitQuote: (_, { request, version }, oddsE4, validUs, __, probability) => { this.wish({ kind: 'quote', request, version, oddsE4, probability, validUs }) },
      withdrawQuote: (_, request) => { this.wish({ kind: 'withdraw', request }) },
      submitBid: (_, { auction, version }, priceMicros, validUs) => { this.wish({ kind: 'bid', auction, version, priceMicros, validUs }) },
      decide: (_, selection, confirm) => { this.decide(selection, confirm) },
      later: (_, __, delayUs) => { this.wake('onLater', delayUs) },
      // Strategies that could be told of it are refused.
      watch: () => {}, watchPosition: () => {},
      after: (_, delayUs, tag) => {
        const wakeUs = this.book.nowUs + delayUs
        this.deeds.push({ wakeUs, told: { kind: 'onTimer', atUs: wakeUs, numbers: { tag }, markets: [], sides: [] } })
      },
      decideLater: (_, __, delayUs) => { this.wake('onDecision', delayUs) },
      openCashOut: (_, row) => {
        this.sales.opens(row, this.book.nowUs, this.desk.openCashOut)
        this.wish({ kind: 'openCashOut', position: row.position })
      },
      takeBid: (_, row, minPriceMicros) => {
        this.sales.sells(row, this.desk.takeBid)
        this.wish({ kind: 'takeBid', position: row.position, minPriceMicros })
      },
      cancelCashOut: (_, { position }) => { this.wish({ kind: 'cancelCashOut', position }) },
      checkIn: (_, __, delayUs) => { this.wake('onCheck', delayUs, this.sales.looksAgain(this.desk.checkIn)) },
      // It has no account on the other service that its desk could use.
      layOff: () => false,
      // What it says of itself has no table here.
      passed: () => {}, logged: () => {},
    }
  }
}

const isAsked = ({ kind }: MakerTold): boolean => kind === 'onLater' || kind === 'onTimer' || kind === 'onDecision' || kind === 'onCheck'

