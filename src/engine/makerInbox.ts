import type { MakerPort } from '../agent/makerDesk.ts'
import { AckView, orUnknown, PositionView, RequestView, SelectionView } from '../agent/views.ts'
import type { Action, Refusal } from '../agent/vocabulary.ts'
import { probabilityOfOddsE4 } from '../unit/odds.ts'
import { NONE } from '../venue/eventRows.ts'
import type { AuctionSeats } from './auctionSeats.ts'
import { calledStrategy } from './calledStrategy.ts'
import { ComboCell } from './combos.ts'
import type { HeldPositions } from './heldPositions.ts'
import { BackedEnd, MessageCell, MessageKind, MessageWord } from './messages.ts'
import type { Seat } from './seat.ts'
import { StrategyFailure } from './strategyFailure.ts'
import type { Transit } from './transit.ts'

/** Hands makers what has reached them: fills the views, wakes the desk, calls the handler. */
export class MakerInbox {
  /** Combo and request number of the view that a handler is looking at. */
  shownContent = NONE
  shownRequest = NONE
  private declare readonly transit: Transit
  private declare readonly auctions: AuctionSeats
  private declare readonly held: HeldPositions
  private declare readonly port: MakerPort
  private declare readonly poison: boolean
  private request = new RequestView()
  private selection = new SelectionView()
  private ack = new AckView()
  private position = new PositionView()

  constructor(transit: Transit, auctions: AuctionSeats, held: HeldPositions, port: MakerPort, poison: boolean) {
    this.transit = transit
    this.auctions = auctions
    this.held = held
    this.port = port
    this.poison = poison
  }

  /** Hands a due message to its maker; the caller gives the message back. */
  deliver(seat: Seat, slot: number, kind: number): void {
    const { messages, combos, nowUs } = this.transit
    const combo = messages.words[slot + MessageWord.combo]!
    seat.desk.wake(nowUs)
    this.shownContent = combo
    this.shownRequest = messages.cells[slot + MessageCell.request]!
    calledStrategy.enter(seat.called)
    try {
      switch (kind) {
        case MessageKind.request: case MessageKind.later: case MessageKind.best: this.deliverRequest(seat, slot, kind); break
        case MessageKind.selected: case MessageKind.decideLater: this.deliverSelection(seat, slot, kind); break
        case MessageKind.opened: case MessageKind.settled: this.deliverPosition(seat, slot, kind); break
        case MessageKind.ack: this.deliverAck(seat, slot); break
        case MessageKind.auction: case MessageKind.bestBid: this.auctions.deliver(seat, slot, kind); break
        case MessageKind.bidTaken: this.deliverTaken(seat, slot); break
        default: this.held.deliver(seat, slot, kind)
      }
    } catch (error) {
      if (error instanceof Error && error.name === 'Bug') throw error
      throw new StrategyFailure(seat.entry.name, HANDLER_NAMES[kind] ?? 'a handler', nowUs, error)
    } finally {
      calledStrategy.leave(seat.called)
    }
    if (this.poison) this.changeViews(seat)
    this.shownContent = this.shownRequest = NONE
    if (combo >= 0) combos.release(combo)
  }

  /** Poisoned views stay so: a kept one must not come back to life with the next call. */
  private changeViews(seat: Seat): void {
    for (const view of [this.request, this.selection, this.ack, this.position, seat.desk]) view.poison()
    this.request = new RequestView()
    this.selection = new SelectionView()
    this.ack = new AckView()
    this.position = new PositionView()
    this.auctions.changeView()
    this.held.changeViews()
  }

  private deliverRequest(seat: Seat, slot: number, kind: number): void {
    const { messages: { words, cells }, combos, nowUs } = this.transit
    const view = this.request
    const combo = words[slot + MessageWord.combo]!
    view.request = cells[slot + MessageCell.request]!
    view.version = cells[slot + MessageCell.version]!
    view.deliveredAtUs = nowUs
    view.bestOddsE4 = cells[slot + MessageCell.oddsE4]!
    view.bookSeq = cells[slot + MessageCell.bookSeq]!
    view.contentTag = combos.cells[combo + ComboCell.contentTag]!
    view.expiresAtUs = combos.cells[combo + ComboCell.expiresAtUs]!
    view.betMicros = combos.cells[combo + ComboCell.betMicros]!
    view.netStakeMicros = combos.cells[combo + ComboCell.stakeMicros]!
    combos.show(combo, view.legs)
    const { desk, handlers } = seat
    if (kind === MessageKind.request) {
      desk.requests++
      handlers.onRequest?.(view, desk)
    } else if (kind === MessageKind.best) handlers.onBest?.(view, desk)
    else handlers.onLater?.(view, desk)
  }

  private deliverSelection(seat: Seat, slot: number, kind: number): void {
    const { messages: { words, cells }, combos, nowUs } = this.transit
    const view = this.selection
    const combo = words[slot + MessageWord.combo]!
    view.request = cells[slot + MessageCell.request]!
    view.version = cells[slot + MessageCell.version]!
    view.quote = cells[slot + MessageCell.quote]!
    view.oddsE4 = cells[slot + MessageCell.oddsE4]!
    view.deadlineAtUs = cells[slot + MessageCell.untilUs]!
    view.deliveredAtUs = nowUs
    view.quotedProbability = probabilityOfOddsE4(view.oddsE4)
    view.netStakeMicros = combos.cells[combo + ComboCell.stakeMicros]!
    view.riskMicros = combos.cells[combo + ComboCell.riskMicros]!
    view.payoutMicros = view.netStakeMicros + view.riskMicros
    view.position = NaN
    view.acceptance = cells[slot + MessageCell.auction]!
    combos.show(combo, view.legs)
    const { handlers } = seat
    if ((kind === MessageKind.selected ? handlers.onSelected : handlers.onDecision) === undefined) this.port.decide(seat.desk.seat, view, true)
    else if (kind === MessageKind.selected) handlers.onSelected!(view, seat.desk)
    else handlers.onDecision!(view, seat.desk)
  }

  /** A bid was taken; the view's combo is that of the auction. */
  private deliverTaken(seat: Seat, slot: number): void {
    const { messages: { words, cells }, combos, nowUs } = this.transit
    const view = this.selection
    const combo = words[slot + MessageWord.combo]!
    view.request = cells[slot + MessageCell.request]!
    view.version = cells[slot + MessageCell.version]!
    view.quote = cells[slot + MessageCell.quote]!
    view.position = cells[slot + MessageCell.position]!
    view.acceptance = cells[slot + MessageCell.auction]!
    view.deadlineAtUs = cells[slot + MessageCell.untilUs]!
    view.deliveredAtUs = nowUs
    view.oddsE4 = NaN
    view.netStakeMicros = combos.cells[combo + ComboCell.stakeMicros]!
    view.payoutMicros = view.netStakeMicros + combos.cells[combo + ComboCell.riskMicros]!
    view.riskMicros = cells[slot + MessageCell.amount]!
    view.quotedProbability = view.riskMicros / view.payoutMicros
    combos.show(combo, view.legs)
    if (seat.handlers.onBidTaken === undefined) this.port.decide(seat.desk.seat, view, true)
    else seat.handlers.onBidTaken(view, seat.desk)
  }

  private deliverPosition(seat: Seat, slot: number, kind: number): void {
    const { messages: { words, cells }, combos } = this.transit
    const view = this.position
    const combo = words[slot + MessageWord.combo]!
    const riskMicros = combos.cells[combo + ComboCell.riskMicros]!
    const returnedMicros = cells[slot + MessageCell.amount]!
    this.fillPosition(slot)
    view.profitMicros = kind === MessageKind.settled ? returnedMicros - riskMicros : 0
    view.costMicros = riskMicros
    view.payoutMicros = view.netStakeMicros + riskMicros
    view.isBoughtBack = words[slot + MessageWord.code] === BackedEnd.boughtBack
    if (kind === MessageKind.opened) {
      seat.desk.opened(view.legs, riskMicros)
      seat.handlers.onOpened?.(view, seat.desk)
    } else {
      seat.desk.closed(view.legs, riskMicros, returnedMicros)
      seat.handlers.onSettled?.(view, seat.desk)
    }
  }

  private fillPosition(slot: number): void {
    const { messages: { words, cells }, combos, nowUs } = this.transit
    const view = this.position
    const combo = words[slot + MessageWord.combo]!
    combos.show(combo, view.legs)
    view.position = cells[slot + MessageCell.position]!
    view.request = cells[slot + MessageCell.request]!
    view.quote = cells[slot + MessageCell.quote]!
    view.oddsE4 = cells[slot + MessageCell.oddsE4]!
    view.deliveredAtUs = nowUs
    view.netStakeMicros = combos.cells[combo + ComboCell.stakeMicros]!
    view.riskMicros = combos.cells[combo + ComboCell.riskMicros]!
  }

  private deliverAck(seat: Seat, slot: number): void {
    const { messages: { words, cells }, nowUs } = this.transit
    const view = this.ack
    view.action = words[slot + MessageWord.action]! as Action
    view.refusal = words[slot + MessageWord.code]! as Refusal
    view.request = orUnknown(cells[slot + MessageCell.request]!)
    view.quote = orUnknown(cells[slot + MessageCell.quote]!)
    view.auction = orUnknown(cells[slot + MessageCell.auction]!)
    view.retryAfterUs = orUnknown(cells[slot + MessageCell.untilUs]!)
    view.deliveredAtUs = nowUs
    seat.handlers.onAck?.(view, seat.desk)
  }
}

const HANDLER_NAMES: Readonly<Record<number, string>> = {
  [MessageKind.request]: 'onRequest', [MessageKind.later]: 'onLater', [MessageKind.best]: 'onBest',
  [MessageKind.selected]: 'onSelected', [MessageKind.decideLater]: 'onDecision', [MessageKind.opened]: 'onOpened', [MessageKind.settled]: 'onSettled',
  [MessageKind.ack]: 'onAck', [MessageKind.auction]: 'onCashOut', [MessageKind.bestBid]: 'onBestBid', [MessageKind.bidTaken]: 'onBidTaken', [MessageKind.bought]: 'onBought',
  [MessageKind.heldEnded]: 'onSettled', [MessageKind.heldSold]: 'onAuctionEnded', [MessageKind.heldAuctionEnded]: 'onAuctionEnded',
  [MessageKind.heldReply]: 'onCashOutRefused', [MessageKind.heldBid]: 'onBid', [MessageKind.heldCheck]: 'onCheck',
}
