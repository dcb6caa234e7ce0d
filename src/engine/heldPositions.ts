import { HoldingState } from '../agent/holdings.ts'
import { LOOKS_AGAIN_MAX, withoutEnd } from '../agent/looksAgain.ts'
import { type Method, refuse } from '../agent/refuse.ts'
import { orUnknown, PositionRow, RefusalRow } from '../agent/rows.ts'
import type { PositionView, RefusalView } from '../agent/views.ts'
import { Action, AuctionOutcome, Refusal } from '../agent/vocabulary.ts'
import { NONE } from '../unit/none.ts'
import { NumberRing } from '../unit/numberRing.ts'
import type { Image, Snapshot } from '../unit/snapshot.ts'
import { type AuctionSeats, AuctionWay } from './auctionSeats.ts'
import type { CommandEnricher } from './enricher.ts'
import { ComboCell, ComboWord } from './combos.ts'
import type { CallWay } from './externalCalls.ts'
import { HeldCell, HeldRows, HeldWord } from './heldRows.ts'
import type { MakerStream } from './makerStream.ts'
import { CashOutMessage, HeldMessage } from './messageCells.ts'
import { MessageKind, MessageWord } from './messages.ts'
import type { ServicePlay } from './play.ts'
import type { Seat } from './seat.ts'
import { Shown } from './shown.ts'
import type { Transit } from './transit.ts'

/** How a maker's account came to hold a position: it took it over with a bid, or opened it with a bet of its own. */
export const Bought = { bid: 0, bet: 1 } as const

/** Numbers of a running auction and of its best bid, −1 for none. */
export interface ShownSale {
  readonly auction: number
  readonly bid: number
}

/**
 * Positions that makers hold instead of backing: what their desks are told about them, and the auctions in which makers sell them again.
 * Everything about one position has the same delay, so that it arrives in the order in which it happened, and a row knows no more than the
 * maker.
 */
export class HeldPositions implements Snapshot {
  private readonly held = new HeldRows()
  private readonly heldOfPosition = new NumberRing()
  private declare readonly seats: readonly Seat[]
  private declare readonly transit: Transit
  private declare readonly auctions: AuctionSeats
  private declare readonly basisMoves: boolean
  private declare readonly looksAgain: number
  private declare readonly enricher: CommandEnricher | null
  private declare readonly stream: MakerStream
  private declare readonly position: Shown<PositionRow, PositionView>
  private declare readonly refusal: Shown<RefusalRow, RefusalView>
  /** Row of the position that a handler is looking at, or −1. */
  private shown = NONE

  constructor(play: ServicePlay, seats: readonly Seat[], transit: Transit, auctions: AuctionSeats, stream: MakerStream) {
    this.seats = seats
    this.transit = transit
    this.auctions = auctions
    this.basisMoves = play.basisMoves
    this.looksAgain = play.looksAgain ?? LOOKS_AGAIN_MAX
    this.enricher = play.enricher
    this.stream = stream
    this.position = new Shown(play.realms, () => new PositionRow(), (facades, row) => facades.position(row))
    this.refusal = new Shown(play.realms, () => new RefusalRow(), (facades, row) => facades.refusal(row))
  }

  /** The account of maker `seat` holds the position from now on, for what it paid; `of` is the combo of the position. */
  take(seat: number, position: number, request: number, of: number, costMicros: number, how: number): void {
    const combo = this.transit.combos.copy(of)
    const { words, cells } = this.transit.combos
    cells[combo + ComboCell.betMicros] = costMicros
    words[combo + ComboWord.auctions] = words[of + ComboWord.auctions]!
    words[combo + ComboWord.profitFeeBps] = words[of + ComboWord.profitFeeBps]!
    const basisMicros = cells[of + ComboCell.basisMicros]! >= 0 ? cells[of + ComboCell.basisMicros]! : cells[of + ComboCell.stakeMicros]!
    cells[combo + ComboCell.basisMicros] = how === Bought.bid && this.basisMoves ? costMicros : basisMicros
    const row = this.held.begin(seat, position, request, combo, how)
    this.heldOfPosition.set(position, row)
    this.tell(MessageKind.bought, row, costMicros)
  }

  /** The maker holds the position no longer and received this amount for it. `kind` is heldEnded or heldSold. */
  leave(position: number, receivedMicros: number, kind: number): void {
    const row = this.heldOfPosition.get(position)
    if (row < 0) return
    this.heldOfPosition.delete(position)
    // A bet of the account is its bettor's to sell.
    this.tell(this.held.words[row + HeldWord.how] === Bought.bid ? kind : MessageKind.heldEnded, row, receivedMicros)
  }

  /** The best bid in an auction changed; without one `priceMicros` is −1. */
  sendBest(position: number, auction: number, bid: number, priceMicros: number): void {
    const row = this.ofBid(position)
    if (row < 0) return
    const message = this.messageTo(MessageKind.heldBid, row)
    const { cells } = this.transit.messages
    cells[message + HeldMessage.auction] = auction
    cells[message + HeldMessage.bid] = bid
    cells[message + HeldMessage.amountMicros] = priceMicros
    this.send(message, row)
  }

  /** An auction ended without a sale. */
  sendEnd(position: number, auction: number, outcome: AuctionOutcome): void {
    const row = this.ofBid(position)
    if (row >= 0) this.tell(MessageKind.heldAuctionEnded, row, NONE, auction, outcome)
  }

  /** The venue answered the command of a maker that message `message` carried. */
  replied(message: number, refusal: Refusal, auction: number, retryAfterUs: number): void {
    const { words, cells } = this.transit.messages
    const row = words[message + MessageWord.held]!
    const action = words[message + MessageWord.action]! as Action
    if (!this.isLive(row, words[message + MessageWord.generation]!) || (refusal === Refusal.none && action !== Action.openCashOut)) return
    this.reply(row, action, refusal, action === Action.openCashOut ? auction : cells[message + CashOutMessage.auction]!, retryAfterUs, cells[message + CashOutMessage.quote]!)
  }

  /** Bid `quote`, which was being taken in an auction of the position, failed. It is for services that say so later. */
  takingFailed(position: number, auction: number, quote: number, refusal: Refusal): void {
    const row = this.ofBid(position)
    if (row >= 0) this.reply(row, Action.takeBid, refusal, auction, NONE, quote)
  }

  private reply(row: number, action: Action, refusal: Refusal, auction: number, retryAfterUs: number, quote: number): void {
    const reply = this.messageTo(MessageKind.heldReply, row)
    const { messages } = this.transit
    messages.words[reply + MessageWord.action] = action
    messages.words[reply + MessageWord.code] = refusal
    messages.cells[reply + HeldMessage.auction] = auction
    messages.cells[reply + HeldMessage.retryAfterUs] = retryAfterUs
    messages.cells[reply + HeldMessage.bid] = quote
    this.send(reply, row)
  }

  /** Hands a due message to its maker. */
  deliver(seat: Seat, message: number, kind: number): void {
    const { words, cells } = this.transit.messages
    const row = words[message + MessageWord.held]!
    // After the end of what it holds a maker hears no more of it.
    if (!this.isLive(row, words[message + MessageWord.generation]!)) return
    const amountMicros = cells[message + HeldMessage.amountMicros]!
    switch (kind) {
      case MessageKind.bought: this.bought(seat, row, amountMicros); break
      case MessageKind.heldEnded: case MessageKind.heldSold: this.ended(seat, row, amountMicros, kind); break
      case MessageKind.heldReply: this.replyArrived(seat, row, message); break
      case MessageKind.heldBid: this.bidArrived(seat, row, cells[message + HeldMessage.auction]!, cells[message + HeldMessage.bid]!, amountMicros); break
      case MessageKind.heldAuctionEnded: this.auctionEnded(seat, row, cells[message + HeldMessage.auction]!, words[message + MessageWord.code]! as AuctionOutcome); break
      case MessageKind.heldCheck:
        this.held.words[row + HeldWord.checks]!++
        seat.handlers.onCheck?.(this.show(row, seat.realm), seat.desk)
        break
      case MessageKind.heldPrice: seat.handlers.onPositionPrice?.(this.show(row, seat.realm), seat.desk)
    }
    this.position.row.hide()
    this.refusal.row.isShown = false
    this.shown = NONE
  }

  private bought(seat: Seat, row: number, costMicros: number): void {
    seat.book.bought(costMicros)
    if (this.held.words[row + HeldWord.how] === Bought.bid) seat.handlers.onBought?.(this.show(row, seat.realm), seat.desk)
  }

  private ended(seat: Seat, row: number, receivedMicros: number, kind: number): void {
    const { held } = this
    const { combos } = this.transit
    const combo = held.words[row + HeldWord.combo]!
    const costMicros = combos.cells[combo + ComboCell.betMicros]!
    seat.book.heldEnded(costMicros, receivedMicros)
    held.words[row + HeldWord.state] = HoldingState.sold
    held.cells[row + HeldCell.auction] = NONE
    held.cells[row + HeldCell.bestPriceMicros] = kind === MessageKind.heldSold ? receivedMicros : NONE
    const view = this.show(row, seat.realm)
    this.position.row.profitMicros = receivedMicros - costMicros
    if (kind === MessageKind.heldSold) seat.handlers.onAuctionEnded?.(view, AuctionOutcome.sold, seat.desk)
    else seat.handlers.onSettled?.(view, seat.desk)
    combos.release(combo)
    held.end(row)
  }

  /** A refusal counts only while the maker waits for the answer to what was refused. */
  private replyArrived(seat: Seat, row: number, message: number): void {
    const { held } = this
    const { words, cells } = this.transit.messages
    const action = words[message + MessageWord.action]! as Action
    const refusal = words[message + MessageWord.code]! as Refusal
    const auction = cells[message + HeldMessage.auction]!
    if (refusal === Refusal.none) return this.auctionBegan(row, auction)
    if (action === Action.openCashOut) held.words[row + HeldWord.state] = HoldingState.held
    else if (held.cells[row + HeldCell.auction] !== auction) return
    else if (action === Action.takeBid) held.words[row + HeldWord.state] = HoldingState.auctioned
    const quote = cells[message + HeldMessage.bid]!
    // A refused bid is no offer any more, whatever the venue still lists.
    if (quote >= 0 && quote === held.cells[row + HeldCell.bestBid]) held.cells[row + HeldCell.bestBid] = held.cells[row + HeldCell.bestPriceMicros] = NONE
    const said = this.refusal
    said.row.set(action, refusal, cells[message + HeldMessage.retryAfterUs]!)
    said.row.isShown = true
    seat.handlers.onCashOutRefused?.(this.show(row, seat.realm), said.views[seat.realm]!, seat.desk)
  }

  /** Numbers of auctions rise. A call that is repeated is answered as the first time, and opens no other (OM-109). */
  private auctionBegan(row: number, auction: number): void {
    const { held } = this
    if (auction <= held.cells[row + HeldCell.lastAuction]!) return
    held.cells[row + HeldCell.lastAuction] = auction
    held.words[row + HeldWord.state] = HoldingState.auctioned
    held.cells[row + HeldCell.auction] = auction
    held.words[row + HeldWord.auctions]!++
    this.transit.combos.words[held.words[row + HeldWord.combo]! + ComboWord.auctions]!++
  }

  private bidArrived(seat: Seat, row: number, auction: number, bid: number, priceMicros: number): void {
    // A maker that was away may hear of bids that it missed the auction of.
    if (this.held.cells[row + HeldCell.auction] !== auction) return
    this.held.cells[row + HeldCell.bestBid] = bid
    this.held.cells[row + HeldCell.bestPriceMicros] = priceMicros
    seat.handlers.onBid?.(this.show(row, seat.realm), seat.desk)
  }

  private auctionEnded(seat: Seat, row: number, auction: number, outcome: AuctionOutcome): void {
    const { held } = this
    if (held.cells[row + HeldCell.auction] !== auction) return
    held.words[row + HeldWord.state] = HoldingState.held
    held.cells[row + HeldCell.auction] = held.cells[row + HeldCell.bestBid] = held.cells[row + HeldCell.bestPriceMicros] = NONE
    seat.handlers.onAuctionEnded?.(this.show(row, seat.realm), outcome, seat.desk)
  }

  openCashOut(seat: number, position: PositionRow): void {
    const row = this.shownRow(position, this.seats[seat]!.desk.openCashOut)
    this.held.words[row + HeldWord.state] = HoldingState.opening
    this.held.cells[row + HeldCell.askedAtUs] = position.askedAtUs = this.transit.nowUs
    position.canCashOut = false
    this.command(Action.openCashOut, row, NONE, AuctionWay.open)
  }

  takeBid(seat: number, position: PositionRow, minPriceMicros: number): void {
    const row = this.shownRow(position, this.seats[seat]!.desk.takeBid)
    this.held.words[row + HeldWord.state] = HoldingState.selling
    position.isAuctioned = false
    this.command(Action.takeBid, row, minPriceMicros, AuctionWay.take)
  }

  cancelCashOut(seat: number, position: PositionRow): void {
    this.command(Action.cancelCashOut, this.shownRow(position, this.seats[seat]!.desk.cancelCashOut), NONE, AuctionWay.cancel)
  }

  checkIn(seat: number, position: PositionRow, delayByUs: number): void {
    const { desk } = this.seats[seat]!
    const row = this.shownRow(position, desk.checkIn)
    if (this.held.words[row + HeldWord.checks]! >= this.looksAgain) throw withoutEnd(this.looksAgain, 'position', desk.checkIn)
    if (!this.transit.isClosedIn(delayByUs)) this.transit.send(this.messageTo(MessageKind.heldCheck, row), delayByUs)
  }

  /** Infinity: nothing is to come. */
  watch(position: PositionRow, delayByUs: number, method: Method): void {
    const row = this.shownRow(position, method)
    if (delayByUs < Infinity) this.transit.send(this.messageTo(MessageKind.heldPrice, row), delayByUs)
  }

  /** The row of a position that maker `seat` took over, until the maker has been told of its end; −1: it holds no such. */
  rowOf(seat: number, position: number): number {
    const row = this.ofBid(position)
    if (row >= 0 && this.held.words[row + HeldWord.seat] === seat) return row
    // It has left the maker, who does not know yet.
    return position < 0 ? NONE : this.held.find(seat, position, Bought.bid)
  }

  /** How long a call about the sale of what `row` holds is on its way: as long as the same wish of a strategy; `way` is an AuctionWay. */
  wayOfCall(row: number, way: number): CallWay {
    const combo = this.held.words[row + HeldWord.combo]!
    const seat = this.seats[this.held.words[row + HeldWord.seat]!]!
    return { drawKey: this.transit.combos.cells[combo + ComboCell.drawKey]!, delayUs: this.auctions.commandDelayUs(seat, combo, way) }
  }

  /** A client's call opens an auction of what `row` holds. Returns what is called when the client is told the auction's number: from then on the maker hears of the auction. */
  openedOutside(row: number): (auction: number) => void {
    const generation = this.held.words[row + HeldWord.generation]!
    return (auction) => {
      if (this.isLive(row, generation)) this.auctionBegan(row, auction)
    }
  }

  /** Of the position that a handler is looking at: the running auction and its best bid, −1 for none. */
  get shownSale(): ShownSale {
    const { cells } = this.held
    return this.shown < 0 ? { auction: NONE, bid: NONE } : { auction: cells[this.shown + HeldCell.auction]!, bid: cells[this.shown + HeldCell.bestBid]! }
  }

  private shownRow(position: PositionRow, method: Method): number {
    if (!(this.shown >= 0 && position.position === this.held.cells[this.shown + HeldCell.position])) {
      refuse('only a held position that is being shown can be told what to do with', method)
    }
    return this.shown
  }

  private command(action: Action, row: number, amountMicros: number, way: number): void {
    const { held, transit: { messages } } = this
    const seat = this.seats[held.words[row + HeldWord.seat]!]!
    const message = messages.take(MessageKind.command, seat.book.seat)
    messages.words[message + MessageWord.action] = action
    messages.words[message + MessageWord.account] = seat.account
    messages.words[message + MessageWord.held] = row
    messages.words[message + MessageWord.generation] = held.words[row + HeldWord.generation]!
    messages.cells[message + CashOutMessage.priceMicros] = amountMicros
    // An auction is opened of a position, all else is about the auction.
    if (action === Action.openCashOut) messages.cells[message + CashOutMessage.position] = held.cells[row + HeldCell.position]!
    else messages.cells[message + CashOutMessage.auction] = held.cells[row + HeldCell.auction]!
    if (action === Action.takeBid && this.enricher !== null) {
      const { cells } = held
      const bestMicros = cells[row + HeldCell.bestPriceMicros]!
      const bid = bestMicros >= amountMicros ? cells[row + HeldCell.bestBid]! : NONE
      this.enricher.takeBid(message, cells[row + HeldCell.auction]!, cells[row + HeldCell.position]!, bid, bestMicros)
    }
    this.auctions.sendCommand(message, seat, held.words[row + HeldWord.combo]!, way)
  }

  private tell(kind: number, row: number, amountMicros: number, auction: number = NONE, code: number = NONE): void {
    const message = this.messageTo(kind, row)
    const { messages } = this.transit
    messages.cells[message + HeldMessage.amountMicros] = amountMicros
    messages.cells[message + HeldMessage.auction] = auction
    messages.words[message + MessageWord.code] = code
    this.send(message, row)
  }

  private send(message: number, row: number): void {
    this.stream.sendTo(message, this.transit.combos.cells[this.held.words[row + HeldWord.combo]! + ComboCell.drawKey]!)
  }

  private messageTo(kind: number, row: number): number {
    const { held, transit: { messages, combos } } = this
    const message = messages.take(kind, held.words[row + HeldWord.seat]!)
    const combo = held.words[row + HeldWord.combo]!
    messages.words[message + MessageWord.held] = row
    messages.words[message + MessageWord.generation] = held.words[row + HeldWord.generation]!
    messages.cells[message + HeldMessage.request] = held.cells[row + HeldCell.request]!
    messages.cells[message + HeldMessage.position] = held.cells[row + HeldCell.position]!
    messages.words[message + MessageWord.combo] = combo
    combos.retain(combo)
    return message
  }

  private isLive(row: number, generation: number): boolean {
    return row >= 0 && this.held.words[row + HeldWord.generation] === generation && this.held.words[row + HeldWord.state] !== HoldingState.ended
  }

  /** The row of a position that a maker took over and holds, as the venue knows it, or −1. */
  private ofBid(position: number): number {
    const row = this.heldOfPosition.get(position)
    return row >= 0 && this.held.words[row + HeldWord.how] === Bought.bid ? row : NONE
  }

  private show(row: number, realm: number): PositionView {
    const { held, position: { row: shown, views }, transit: { combos } } = this
    const combo = held.words[row + HeldWord.combo]!
    const state = held.words[row + HeldWord.state]!
    this.shown = row
    combos.show(combo, shown.legs)
    shown.position = held.cells[row + HeldCell.position]!
    shown.request = held.cells[row + HeldCell.request]!
    shown.deliveredAtUs = this.transit.nowUs
    shown.netStakeMicros = combos.cells[combo + ComboCell.stakeMicros]!
    shown.riskMicros = combos.cells[combo + ComboCell.riskMicros]!
    shown.isHolder = true
    shown.costMicros = combos.cells[combo + ComboCell.betMicros]!
    shown.payoutMicros = shown.netStakeMicros + shown.riskMicros
    shown.profitFeeBps = combos.words[combo + ComboWord.profitFeeBps]!
    shown.costBasisMicros = combos.cells[combo + ComboCell.basisMicros]!
    shown.profitMicros = 0
    shown.hasEnded = state === HoldingState.sold
    shown.canCashOut = state === HoldingState.held
    shown.isAuctioned = state === HoldingState.auctioned
    shown.auctions = held.words[row + HeldWord.auctions]!
    shown.askedAtUs = orUnknown(held.cells[row + HeldCell.askedAtUs]!)
    shown.bestPriceMicros = orUnknown(held.cells[row + HeldCell.bestPriceMicros]!)
    shown.checks = held.words[row + HeldWord.checks]!
    shown.show(this.seats[held.words[row + HeldWord.seat]!]!.book)
    return views[realm]!
  }

  renewViews(): void {
    this.position.renew()
    this.refusal.renew()
  }

  snapshot(): Image {
    return { held: this.held.snapshot(), heldOfPosition: this.heldOfPosition.snapshot() }
  }

  restore(image: Image): void {
    const from = image as { held: Image; heldOfPosition: Image }
    this.held.restore(from.held)
    this.heldOfPosition.restore(from.heldOfPosition)
  }
}
