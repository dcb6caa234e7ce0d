import type { HoldingPort } from '../agent/bettorPort.ts'
import { callNumber, calledStrategy } from '../agent/calledStrategy.ts'
import { type Cursor, holdingCursor } from '../agent/cursor.ts'
import { HoldingCell, Holdings, HoldingState, HoldingWord } from '../agent/holdings.ts'
import { type Delay, delayUs } from '../agent/latency.ts'
import type { PriceWatchTerms } from '../agent/makerPort.ts'
import { RefusalRow } from '../agent/rows.ts'
import type { HoldingView, RefusalView } from '../agent/views.ts'
import { Action, AuctionOutcome, Refusal } from '../agent/vocabulary.ts'
import { Draws, Purpose, type RandomKey } from '../kernel/random.ts'
import { PositionOpened } from '../record/sharedCells.ts'
import { NONE } from '../unit/none.ts'
import { NumberRing } from '../unit/numberRing.ts'
import type { Image, Snapshot } from '../unit/snapshot.ts'
import type { KindOf, Row } from '../venue/eventCells.ts'
import { EventCell, type EventRows } from '../venue/eventRows.ts'
import type { Boards } from './boards.ts'
import { type Cohort, failureOf } from './cohort.ts'
import type { CommandEnricher } from './enricher.ts'
import { arrivalOfKey, sourceOfKey } from './drawKeys.ts'
import { CashOutMessage, HoldingMessage } from './messageCells.ts'
import { MessageKind, MessageWord } from './messages.ts'
import type { ServicePlay } from './play.ts'
import { Shown } from './shown.ts'
import type { Transit } from './transit.ts'

type Handler = 'onOpened' | 'onSettled' | 'onPrice' | 'onCheck' | 'onBid' | 'onAuctionEnded' | 'onCashOutRefused' | 'onListened'

/** Everything that a bettor is told about a position has the same delay, so that it arrives in the order in which it happened. */
const Way = { told: 0, open: 1, take: 2, cancel: 3 } as const
const WAYS = 8
const AUCTION_DRAWS = 2 ** 32

/** The positions of bettors that hear of them: their auctions, and what the bettors are told. Other cohorts have none here. */
export class Sellers implements HoldingPort, Snapshot {
  readonly holdings = new Holdings()
  private readonly holdingOfPosition = new NumberRing()
  private declare readonly transit: Transit
  private declare readonly boards: Boards
  private declare readonly latencyDraws: Draws
  private declare readonly freshViews: boolean
  private declare readonly enricher: CommandEnricher | null
  private cohorts: readonly Cohort[] = []
  private declare readonly holding: Shown<Cursor<Holdings>, HoldingView>
  private declare readonly refusal: Shown<RefusalRow, RefusalView>

  constructor(play: ServicePlay, key: RandomKey, transit: Transit, boards: Boards) {
    this.boards = boards
    this.transit = transit
    this.latencyDraws = new Draws(key, Purpose.cashOut)
    this.freshViews = play.freshViews === true
    this.enricher = play.enricher
    this.holding = new Shown(play.realms, () => holdingCursor(this.holdings), (facades, row) => facades.holding(row))
    this.refusal = new Shown(play.realms, () => new RefusalRow(), (facades, row) => facades.refusal(row))
  }

  /** The cohorts of the session, in their order. */
  join(cohorts: readonly Cohort[]): void {
    this.cohorts = cohorts
  }

  /** The position of the row, which may be of either service, came of the request of `key`. */
  opened(rows: EventRows, row: Row<KindOf<typeof PositionOpened>>, key: number): void {
    // A maker's account that lays off watches no position: bettors are their own source.
    const cohort = sourceOfKey(key)
    const of = this.cohorts[cohort]
    if (of?.handlers.onOpened === undefined && !of?.book.bankrolls) return
    const { holdings } = this
    const slot = holdings.begin(cohort, rows.read(row, PositionOpened.holder), arrivalOfKey(key, cohort), this.transit.nowUs)
    const stakeMicros = rows.read(row, PositionOpened.netStakeMicros)
    holdings.cells[slot + HoldingCell.position] = rows.read(row, PositionOpened.position)
    holdings.cells[slot + HoldingCell.request] = rows.read(row, PositionOpened.request)
    holdings.cells[slot + HoldingCell.stakeMicros] = stakeMicros
    holdings.cells[slot + HoldingCell.payoutMicros] = rows.read(row, PositionOpened.payoutMicros)
    holdings.cells[slot + HoldingCell.costMicros] = stakeMicros + rows.read(row, PositionOpened.takerFeeMicros)
    const legs = rows.read(row, EventCell.listLength) >> 1
    holdings.words[slot + HoldingWord.legCount] = legs
    let from = rows.read(row, EventCell.listStart) | 0
    for (let i = holdings.legsFrom(slot); i < holdings.legsFrom(slot) + legs; i++) {
      holdings.legMarkets[i] = rows.pool[from++]!
      holdings.legSides[i] = rows.pool[from++]!
    }
    this.holdingOfPosition.set(holdings.cells[slot + HoldingCell.position]!, slot)
    this.tell(this.messageTo(MessageKind.holdingOpened, slot), slot)
  }

  /** The venue answered the command of a bettor that message `message` carried. */
  replied(message: number, refusal: Refusal, auction: number, retryAfterUs: number): void {
    const slot = this.holdingOf(message)
    if (slot < 0) return
    const { words, cells } = this.transit.messages
    const action = words[message + MessageWord.action]! as Action
    if (refusal === Refusal.none && action !== Action.openCashOut) return
    this.reply(slot, action, refusal, action === Action.openCashOut ? auction : cells[message + CashOutMessage.auction]!, retryAfterUs, cells[message + CashOutMessage.quote]!)
  }

  /** Bid `quote`, which was being taken in an auction of the position, failed. It is for services that say so later. */
  takingFailed(position: number, auction: number, quote: number, refusal: Refusal): void {
    const slot = this.holdingOfPosition.get(position)
    if (slot >= 0) this.reply(slot, Action.takeBid, refusal, auction, NONE, quote)
  }

  private reply(slot: number, action: Action, refusal: Refusal, auction: number, retryAfterUs: number, quote: number): void {
    const reply = this.messageTo(MessageKind.cashOutReply, slot)
    const { messages } = this.transit
    messages.words[reply + MessageWord.action] = action
    messages.words[reply + MessageWord.code] = refusal
    messages.cells[reply + HoldingMessage.retryAfterUs] = retryAfterUs
    messages.cells[reply + HoldingMessage.auction] = auction
    messages.cells[reply + HoldingMessage.bid] = quote
    this.tell(reply, slot)
  }

  /** The best bid in an auction changed; without one `bid` and `priceMicros` are −1. */
  sendBest(position: number, auction: number, bid: number, priceMicros: number): void {
    const slot = this.holdingOfPosition.get(position)
    if (slot < 0) return
    const message = this.messageTo(MessageKind.bidToSeller, slot)
    const { messages } = this.transit
    messages.cells[message + HoldingMessage.auction] = auction
    messages.cells[message + HoldingMessage.bid] = bid
    messages.cells[message + HoldingMessage.amountMicros] = priceMicros
    this.tell(message, slot)
  }

  /** An auction ended without a sale. */
  sendEnd(position: number, auction: number, outcome: AuctionOutcome): void {
    const slot = this.holdingOfPosition.get(position)
    if (slot >= 0) this.sendEnded(slot, auction, outcome, NONE)
  }

  /** The position was sold in an auction for `receivedMicros`, its fee taken off. */
  sold(position: number, auction: number, receivedMicros: number): void {
    const slot = this.holdingOfPosition.get(position)
    if (slot < 0) return
    this.holdingOfPosition.delete(position)
    this.holdings.words[slot + HoldingWord.state] = HoldingState.sold
    this.sendEnded(slot, auction, AuctionOutcome.sold, receivedMicros)
  }

  private sendEnded(slot: number, auction: number, outcome: AuctionOutcome, amountMicros: number): void {
    const message = this.messageTo(MessageKind.auctionEnded, slot)
    const { messages } = this.transit
    messages.cells[message + HoldingMessage.auction] = auction
    messages.words[message + MessageWord.code] = outcome
    messages.cells[message + HoldingMessage.amountMicros] = amountMicros
    this.tell(message, slot)
  }

  /** The position was settled, or never funded: so much for its holding. */
  ended(position: number, returnedMicros: number): void {
    const slot = this.holdingOfPosition.get(position)
    if (slot < 0) return
    this.holdingOfPosition.delete(position)
    const { words } = this.holdings
    const hearsEnd = this.cohortOf(slot).book.bankrolls !== null
    if (!hearsEnd && words[slot + HoldingWord.isTold] === 1) return this.holdings.end(slot)
    words[slot + HoldingWord.state] = HoldingState.settled
    // That it opened is on its way to the bettor, who is told of that alone.
    if (!hearsEnd) return
    const message = this.messageTo(MessageKind.holdingSettled, slot)
    this.transit.messages.cells[message + HoldingMessage.amountMicros] = returnedMicros
    this.tell(message, slot)
  }

  /** Hands a due message to the bettor. */
  receive(message: number, kind: number): void {
    const slot = this.holdingOf(message)
    if (slot < 0) return
    if (kind === MessageKind.holdingOpened) return this.openedArrived(slot)
    if (kind === MessageKind.holdingSettled) return this.settledArrived(slot, message)
    // As a position that has ended, one whose end is on its way to the bettor hears of nothing else.
    if (this.holdings.words[slot + HoldingWord.state] === HoldingState.settled) return
    switch (kind) {
      case MessageKind.check: return this.check(slot)
      case MessageKind.holdingPrice: return this.priceMoved(slot)
      case MessageKind.bidToSeller: return this.bidArrived(slot, message)
      case MessageKind.auctionEnded: return this.auctionEnded(slot, message)
      case MessageKind.cashOutReply: return this.replyArrived(slot, message)
      case MessageKind.listened: return this.listened(slot, message)
    }
  }

  private openedArrived(slot: number): void {
    const { words, cells } = this.holdings
    const { handlers, book } = this.cohortOf(slot)
    words[slot + HoldingWord.isTold] = 1
    book.bankrolls?.add(words[slot + HoldingWord.bettor]!, -cells[slot + HoldingCell.costMicros]!)
    const hasEnded = words[slot + HoldingWord.state] === HoldingState.settled
    // An end that the bettor has not been told of does not show.
    if (hasEnded) words[slot + HoldingWord.state] = HoldingState.held
    if (handlers.onOpened !== undefined) this.call(slot, 'onOpened')
    if (!hasEnded) return
    if (book.bankrolls === null) this.holdings.end(slot)
    else this.holdings.words[slot + HoldingWord.state] = HoldingState.settled
  }

  private settledArrived(slot: number, message: number): void {
    this.paid(slot, this.transit.messages.cells[message + HoldingMessage.amountMicros]!)
    this.call(slot, 'onSettled')
    this.holdings.end(slot)
  }

  /** The bettor learns what it got for the position. */
  private paid(slot: number, micros: number): void {
    this.holdings.cells[slot + HoldingCell.returnedMicros] = micros
    this.cohortOf(slot).book.bankrolls?.add(this.holdings.words[slot + HoldingWord.bettor]!, micros)
  }

  private check(slot: number): void {
    if (this.holdings.words[slot + HoldingWord.state] === HoldingState.sold) return
    this.holdings.words[slot + HoldingWord.checks]!++
    this.call(slot, 'onCheck')
  }

  private priceMoved(slot: number): void {
    if (this.holdings.words[slot + HoldingWord.state] !== HoldingState.sold) this.call(slot, 'onPrice')
  }

  private bidArrived(slot: number, message: number): void {
    const { holdings } = this
    const { messages } = this.transit
    if (holdings.cells[slot + HoldingCell.auction] !== messages.cells[message + HoldingMessage.auction]! || holdings.words[slot + HoldingWord.state] === HoldingState.sold) return
    holdings.cells[slot + HoldingCell.bestBid] = messages.cells[message + HoldingMessage.bid]!
    holdings.cells[slot + HoldingCell.bestPriceMicros] = messages.cells[message + HoldingMessage.amountMicros]!
    this.call(slot, 'onBid')
  }

  private auctionEnded(slot: number, message: number): void {
    const { holdings } = this
    const { messages } = this.transit
    if (holdings.cells[slot + HoldingCell.auction] !== messages.cells[message + HoldingMessage.auction]!) return
    const outcome = messages.words[message + MessageWord.code]! as AuctionOutcome
    const isSold = outcome === AuctionOutcome.sold
    if (isSold) this.paid(slot, messages.cells[message + HoldingMessage.amountMicros]!)
    else holdings.words[slot + HoldingWord.state] = HoldingState.held
    holdings.cells[slot + HoldingCell.auction] = holdings.cells[slot + HoldingCell.bestBid] = NONE
    holdings.cells[slot + HoldingCell.bestPriceMicros] = messages.cells[message + HoldingMessage.amountMicros]!
    this.call(slot, 'onAuctionEnded', outcome)
    if (isSold) holdings.end(slot)
  }

  /** A refusal counts only while the bettor waits for the answer to what was refused. */
  private replyArrived(slot: number, message: number): void {
    const { holdings } = this
    const { messages } = this.transit
    const action = messages.words[message + MessageWord.action]! as Action
    const refusal = messages.words[message + MessageWord.code]! as Refusal
    const auction = messages.cells[message + HoldingMessage.auction]!
    if (refusal === Refusal.none) return this.auctionBegan(slot, auction)
    if (action === Action.openCashOut) holdings.words[slot + HoldingWord.state] = HoldingState.held
    else if (holdings.cells[slot + HoldingCell.auction] !== auction) return
    else if (action === Action.takeBid) holdings.words[slot + HoldingWord.state] = HoldingState.auctioned
    const quote = messages.cells[message + HoldingMessage.bid]!
    // A refused bid is no offer any more, whatever the venue still lists.
    if (quote >= 0 && quote === holdings.cells[slot + HoldingCell.bestBid]) holdings.cells[slot + HoldingCell.bestBid] = holdings.cells[slot + HoldingCell.bestPriceMicros] = NONE
    this.refusal.row.set(action, refusal, messages.cells[message + HoldingMessage.retryAfterUs]!)
    this.call(slot, 'onCashOutRefused')
  }

  private auctionBegan(slot: number, auction: number): void {
    const { holdings } = this
    holdings.words[slot + HoldingWord.state] = HoldingState.auctioned
    holdings.cells[slot + HoldingCell.auction] = auction
    holdings.words[slot + HoldingWord.auctions]!++
    if (holdings.cells[slot + HoldingCell.listenUs]! < 0) return
    const delayByUs = Math.max(0, holdings.cells[slot + HoldingCell.askedAtUs]! + holdings.cells[slot + HoldingCell.listenUs]! - this.transit.nowUs)
    if (this.transit.isClosedIn(delayByUs)) return
    const message = this.messageTo(MessageKind.listened, slot)
    this.transit.messages.cells[message + HoldingMessage.auction] = auction
    this.transit.send(message, delayByUs)
  }

  private listened(slot: number, message: number): void {
    const { holdings } = this
    if (holdings.cells[slot + HoldingCell.auction] !== this.transit.messages.cells[message + HoldingMessage.auction]! || holdings.words[slot + HoldingWord.state] === HoldingState.sold) return
    this.call(slot, 'onListened')
  }

  openCashOut(slot: number, listenUs: number): void {
    this.holdings.words[slot + HoldingWord.state] = HoldingState.opening
    this.holdings.cells[slot + HoldingCell.listenUs] = listenUs
    this.transit.send(this.command(Action.openCashOut, slot), this.sentIn(slot, Way.open))
  }

  takeBid(slot: number, minPriceMicros: number): void {
    this.holdings.words[slot + HoldingWord.state] = HoldingState.selling
    const message = this.command(Action.takeBid, slot)
    this.transit.messages.cells[message + CashOutMessage.priceMicros] = minPriceMicros
    if (this.enricher !== null) {
      const { cells } = this.holdings
      const bestMicros = cells[slot + HoldingCell.bestPriceMicros]!
      const bid = bestMicros >= minPriceMicros ? cells[slot + HoldingCell.bestBid]! : NONE
      this.enricher.takeBid(message, cells[slot + HoldingCell.auction]!, cells[slot + HoldingCell.position]!, bid, bestMicros)
    }
    this.transit.send(message, this.sentIn(slot, Way.take))
  }

  cancelCashOut(slot: number): void {
    this.transit.send(this.command(Action.cancelCashOut, slot), this.sentIn(slot, Way.cancel))
  }

  checkIn(slot: number, delayByUs: number): void {
    if (!this.transit.isClosedIn(delayByUs)) this.transit.send(this.messageTo(MessageKind.check, slot), delayByUs)
  }

  watch(slot: number, terms: PriceWatchTerms): void {
    const delayByUs = this.cohortOf(slot).book.firstMoveUs(this.boards.moves, slot, terms) - this.transit.nowUs
    if (!this.transit.isClosedIn(delayByUs)) this.transit.send(this.messageTo(MessageKind.holdingPrice, slot), delayByUs)
  }

  private command(action: Action, slot: number): number {
    const { holdings, transit: { messages } } = this
    const message = messages.take(MessageKind.command, holdings.words[slot + HoldingWord.cohort]!)
    const { words, cells } = messages
    words[message + MessageWord.action] = action
    words[message + MessageWord.account] = holdings.words[slot + HoldingWord.bettor]!
    words[message + MessageWord.intent] = slot
    words[message + MessageWord.generation] = holdings.words[slot + HoldingWord.generation]!
    // An auction is opened of a position, all else is about the auction.
    if (action === Action.openCashOut) cells[message + CashOutMessage.position] = holdings.cells[slot + HoldingCell.position]!
    else cells[message + CashOutMessage.auction] = holdings.cells[slot + HoldingCell.auction]!
    return message
  }

  /** A message of which nothing more is written yet. */
  private messageTo(kind: number, slot: number): number {
    const { holdings, transit: { messages } } = this
    const message = messages.takeBare(kind, holdings.words[slot + HoldingWord.cohort]!)
    messages.words[message + MessageWord.intent] = slot
    messages.words[message + MessageWord.generation] = holdings.words[slot + HoldingWord.generation]!
    return message
  }

  /** The holding slot that a message means, or −1 when that holding has ended. */
  private holdingOf(message: number): number {
    const { words } = this.transit.messages
    const slot = words[message + MessageWord.intent]!
    const live = slot >= 0 && this.holdings.words[slot + HoldingWord.generation] === words[message + MessageWord.generation]!
    return live && this.holdings.words[slot + HoldingWord.state] !== HoldingState.ended ? slot : NONE
  }

  private tell(message: number, slot: number): void {
    this.transit.send(message, this.delayOf(slot, this.cohortOf(slot).broadcast, Way.told, 0))
  }

  private cohortOf(slot: number): Cohort {
    return this.cohorts[this.holdings.words[slot + HoldingWord.cohort]!]!
  }

  /** Delay of a command; what it is about is numbered by the auctions that the bettor knew of. */
  private sentIn(slot: number, way: number): number {
    return this.delayOf(slot, this.cohortOf(slot).submit, way, this.holdings.words[slot + HoldingWord.auctions]!)
  }

  private delayOf(slot: number, delay: Delay, way: number, auctions: number): number {
    const index = auctions * AUCTION_DRAWS + this.holdings.cells[slot + HoldingCell.arrival]! * WAYS + way
    return delayUs(delay, this.latencyDraws, this.cohortOf(slot).entity, index)
  }

  /** Calls a handler about the holding in `slot`; `outcome` is that of an auction that ended. */
  private call(slot: number, handler: Handler, outcome: AuctionOutcome = AuctionOutcome.sold): void {
    const { row: cursor, views } = this.holding
    const cohort = this.cohortOf(slot)
    const { handlers, desk, called, realm } = cohort
    const view = views[realm]!
    cohort.book.wake(this.transit.nowUs)
    cursor.show(slot, cohort.book)
    cohort.book.isCalled = true
    calledStrategy.enter(called, callNumber(handler))
    try {
      cohort.book.act()
      switch (handler) {
        case 'onOpened': handlers.onOpened?.(view, desk); break
        case 'onSettled': handlers.onSettled?.(view, desk); break
        case 'onBid': handlers.onBid?.(view, desk); break
        case 'onPrice': handlers.onPrice?.(view, desk); break
        case 'onCheck': handlers.onCheck?.(view, desk); break
        case 'onListened': handlers.onListened?.(view, desk); break
        case 'onAuctionEnded': handlers.onAuctionEnded?.(view, outcome, desk); break
        case 'onCashOutRefused': this.callRefused(cohort)
      }
    } catch (error) {
      throw failureOf(cohort, handler, this.transit.nowUs, error, { what: 'position', number: this.holdings.cells[slot + HoldingCell.position]! })
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
    handlers.onCashOutRefused?.(this.holding.views[realm]!, views[realm]!, desk)
    row.isShown = false
  }

  private renewViews(): void {
    this.holding.renew()
    this.refusal.renew()
  }

  snapshot(): Image {
    return { holdings: this.holdings.snapshot(), holdingOfPosition: this.holdingOfPosition.snapshot() }
  }

  restore(image: Image): void {
    const from = image as { holdings: Image; holdingOfPosition: Image }
    this.holdings.restore(from.holdings)
    this.holdingOfPosition.restore(from.holdingOfPosition)
  }
}
