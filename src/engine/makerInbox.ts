import { callNumber, calledStrategy } from '../agent/calledStrategy.ts'
import type { MakerHandlerName } from '../agent/handlerNames.ts'
import type { MakerPort } from '../agent/makerPort.ts'
import { AckRow, orUnknown, PositionRow, RequestRow, SelectionRow } from '../agent/rows.ts'
import type { AckView, PositionView, RequestView, SelectionView } from '../agent/views.ts'
import type { Action, Refusal } from '../agent/vocabulary.ts'
import { NONE } from '../unit/none.ts'
import type { Image } from '../unit/snapshot.ts'
import { probabilityOfOddsE4 } from '../unit/odds.ts'
import type { TellingCall } from '../unit/toldRows.ts'
import type { AuctionSeats } from './auctionSeats.ts'
import { ComboCell, ComboWord } from './combos.ts'
import type { HeldPositions } from './heldPositions.ts'
import { HANDLER_NAMES, isAsked, type MakerDeliveries } from './makerDeliveries.ts'
import { AckMessage, AuctionMessage, BidTakenMessage, MakerMessage, PositionMessage, RequestMessage, SelectionMessage, TimerMessage } from './messageCells.ts'
import { BackedEnd, MessageKind, MessageWord } from './messages.ts'
import type { ServicePlay } from './play.ts'
import type { PriceWatches } from './priceWatches.ts'
import type { RequestEnds } from './requestEnds.ts'
import type { Seat } from './seat.ts'
import { Shown } from './shown.ts'
import { type CallSubject, StrategyFailure } from './strategyFailure.ts'
import type { Transit } from './transit.ts'

/** What messages lead to besides a call of a handler. */
interface InboxParts {
  readonly auctions: AuctionSeats
  readonly held: HeldPositions
  readonly watches: PriceWatches
  readonly ends: RequestEnds
  readonly port: MakerPort
  /** Notes what makers are told, null where nobody asks for it. */
  readonly deliveries: MakerDeliveries | null
}

/** Hands makers what has reached them: writes the row, wakes the book, shows the row to the handler. */
export class MakerInbox {
  /** Combo and request number of the view that a handler is looking at. */
  shownCombo = NONE
  shownRequest = NONE
  /** Number of the auction in which the bid that a handler is looking at was taken. */
  shownTaken = NONE
  /** Kind of the message that a handler is about. */
  shownKind: number = NONE
  /** How often in a row the maker asked for the call that goes on, 0 for a call of the market's. */
  shownLooks = 0
  /** Of a timer: how many requests had reached the maker when it asked for it. */
  shownRequests = 0
  /** Name of the handler that is called without a message. */
  private calledHandler: MakerHandlerName = 'onStart'
  private declare readonly transit: Transit
  private declare readonly auctions: AuctionSeats
  private declare readonly held: HeldPositions
  private declare readonly port: MakerPort
  private declare readonly watches: PriceWatches
  private declare readonly ends: RequestEnds
  private declare readonly freshViews: boolean
  private declare readonly deliveries: MakerDeliveries | null
  private declare readonly request: Shown<RequestRow, RequestView>
  private declare readonly selection: Shown<SelectionRow, SelectionView>
  private declare readonly ack: Shown<AckRow, AckView>
  private declare readonly position: Shown<PositionRow, PositionView>

  constructor(transit: Transit, { auctions, held, watches, ends, port, deliveries }: InboxParts, { realms, freshViews }: Pick<ServicePlay, 'realms' | 'freshViews'>) {
    this.transit = transit
    this.deliveries = deliveries
    this.auctions = auctions
    this.held = held
    this.port = port
    this.watches = watches
    this.ends = ends
    this.freshViews = freshViews === true
    this.request = new Shown(realms, () => new RequestRow(), (facades, row) => facades.request(row))
    this.selection = new Shown(realms, () => new SelectionRow(), (facades, row) => facades.selection(row))
    this.ack = new Shown(realms, () => new AckRow(), (facades, row) => facades.ack(row))
    this.position = new Shown(realms, () => new PositionRow(), (facades, row) => facades.position(row))
  }

  /** Hands a due message to its maker; the caller gives the message back. */
  deliver(seat: Seat, slot: number, kind: number): void {
    const { messages, combos, nowUs } = this.transit
    const combo = messages.words[slot + MessageWord.combo]!
    if (this.deliveries !== null) this.deliveries.delivered(seat, slot, kind)
    seat.book.wake(nowUs)
    seat.book.hear(kind === MessageKind.ack ? 'answer' : isAsked(kind) ? 'asked' : 'market')
    this.shownCombo = combo
    this.shownKind = kind
    this.shownRequest = messages.cells[slot + MakerMessage.request]!
    this.shownTaken = kind === MessageKind.bidTaken ? this.shownRequest : NONE
    this.shownLooks = isAsked(kind) && kind !== MessageKind.heldCheck ? messages.cells[slot + MakerMessage.looks]! : 0
    calledStrategy.enter(seat.called, CALL_NUMBERS[kind]!)
    try {
      if (kind === MessageKind.settled || kind === MessageKind.heldEnded) seat.book.allowAction()
      switch (kind) {
        case MessageKind.request: case MessageKind.later: case MessageKind.best: case MessageKind.price: case MessageKind.requestOver: this.deliverRequest(seat, slot, kind); break
        case MessageKind.selected: case MessageKind.decideLater: this.deliverSelection(seat, slot, kind); break
        case MessageKind.opened: case MessageKind.settled: this.deliverPosition(seat, slot, kind); break
        case MessageKind.ack: this.deliverAck(seat, slot); break
        case MessageKind.auction: case MessageKind.bestBid: this.auctions.deliver(seat, slot, kind); break
        case MessageKind.bidTaken: this.deliverTaken(seat, slot); break
        case MessageKind.timer: this.deliverTimer(seat, slot); break
        case MessageKind.backedPrice: this.deliverBackedPrice(seat, slot); break
        default: this.held.deliver(seat, slot, kind)
      }
    } catch (error) {
      if (error instanceof Error && error.name === 'Bug') throw error
      throw new StrategyFailure(seat.entry.name, HANDLER_NAMES[kind] ?? 'a handler', nowUs, error, this.subjectOf(slot, kind))
    } finally {
      seat.book.isCalled = false
      calledStrategy.leave()
    }
    if (this.freshViews) this.renewViews()
    this.shownCombo = this.shownRequest = this.shownTaken = this.shownKind = NONE
    if (combo >= 0) combos.release(combo)
  }

  /** Calls what tells a maker of the session itself. */
  tell(seat: Seat, handler: 'onStart' | 'onEnd'): void {
    const { book, handlers, desk } = seat
    const { nowUs } = this.transit
    const call = handlers[handler]
    if (call === undefined) return
    book.wake(nowUs)
    book.hear('market')
    book.isEnding = handler === 'onEnd'
    book.isCalled = !book.isEnding
    this.calledHandler = handler
    calledStrategy.enter(seat.called, callNumber(handler))
    try {
      call.call(handlers, desk)
    } catch (error) {
      if (error instanceof Error && error.name === 'Bug') throw error
      throw new StrategyFailure(seat.entry.name, handler, nowUs, error)
    } finally {
      book.isCalled = book.isEnding = false
      calledStrategy.leave()
    }
  }

  /** Gives a strategy that has taken a seat the state of the one before it. */
  adopt({ entry: { name }, handlers, called }: Seat, state: { [name: string]: Image }): void {
    calledStrategy.enter(called, callNumber('adopt'))
    try {
      handlers.adopt!(state)
    } catch (error) {
      throw new StrategyFailure(name, 'adopt', this.transit.nowUs, error)
    } finally {
      calledStrategy.leave()
    }
  }

  /** Where a maker says something of itself, while its handler runs. */
  telling(seat: Seat): Omit<TellingCall, 'service'> {
    const { combos, nowUs } = this.transit
    const { shownCombo, shownRequest, shownTaken, shownKind } = this
    return {
      atUs: nowUs, participant: seat.entry.name, handler: HANDLER_NAMES[shownKind] ?? this.calledHandler, request: shownTaken === NONE ? shownRequest : NONE,
      legCount: shownCombo < 0 ? NONE : combos.words[shownCombo + ComboWord.legCount]!,
    }
  }

  /** What a message is about, for whoever reads that its handler failed. */
  private subjectOf(slot: number, kind: number): CallSubject | undefined {
    if (kind === MessageKind.timer) return undefined
    const { cells } = this.transit.messages
    const [request, auction] = [cells[slot + MakerMessage.request]!, cells[slot + AuctionMessage.auction]!]
    if (kind === MessageKind.bidTaken) return { what: 'auction', number: request }
    if (kind === MessageKind.auction || kind === MessageKind.bestBid || (kind === MessageKind.ack && request < 0)) return { what: 'auction', number: auction }
    if (!OF_REQUESTS.has(kind)) return { what: 'position', number: cells[slot + PositionMessage.position]! }
    return { what: 'request', number: request }
  }

  private renewViews(): void {
    for (const shown of [this.request, this.selection, this.ack, this.position]) shown.renew()
    this.auctions.renewView()
    this.held.renewViews()
  }

  private deliverRequest(seat: Seat, slot: number, kind: number): void {
    const { messages: { words, cells }, combos, nowUs } = this.transit
    const { row, views } = this.request
    const view = views[seat.realm]!
    const combo = words[slot + MessageWord.combo]!
    row.request = cells[slot + RequestMessage.request]!
    row.version = cells[slot + RequestMessage.version]!
    row.deliveredAtUs = nowUs
    row.bestOddsE4 = cells[slot + RequestMessage.bestOddsE4]!
    row.bookChanges = cells[slot + RequestMessage.bookChanges]!
    row.expiresAtUs = combos.cells[combo + ComboCell.expiresAtUs]!
    row.betMicros = combos.cells[combo + ComboCell.betMicros]!
    row.netStakeMicros = combos.cells[combo + ComboCell.stakeMicros]!
    combos.show(combo, row.legs)
    const { desk, handlers } = seat
    row.show(seat.book)
    if (kind === MessageKind.request) {
      seat.book.requests++
      if (seat.hearsEnds) this.ends.told(seat, row, combo)
      handlers.onRequest?.(view, desk)
    } else if (kind === MessageKind.best) handlers.onBest?.(view, desk)
    else if (kind === MessageKind.price) handlers.onPrice?.(view, desk)
    else if (kind === MessageKind.requestOver) {
      if (this.ends.isDue(seat, row.request, row.version)) handlers.onRequestEnded?.(view, desk)
    }
    else handlers.onLater?.(view, desk)
    row.hide()
  }

  private deliverSelection(seat: Seat, slot: number, kind: number): void {
    const { messages: { words, cells }, combos } = this.transit
    const { row, views } = this.selection
    const view = views[seat.realm]!
    const { handlers } = seat
    this.fillSelection(slot)
    row.oddsE4 = cells[slot + SelectionMessage.oddsE4]!
    row.quotedProbability = probabilityOfOddsE4(row.oddsE4)
    row.riskMicros = combos.cells[words[slot + MessageWord.combo]! + ComboCell.riskMicros]!
    row.position = NaN
    row.show(seat.book)
    if ((kind === MessageKind.selected ? handlers.onSelected : handlers.onDecision) === undefined) this.port.decide(seat.book.seat, row, true)
    else if (kind === MessageKind.selected) handlers.onSelected!(view, seat.desk)
    else handlers.onDecision!(view, seat.desk)
    row.hide()
  }

  /** A bid was taken; the view's combo is that of the auction. */
  private deliverTaken(seat: Seat, slot: number): void {
    const { messages: { cells } } = this.transit
    const { row, views } = this.selection
    const view = views[seat.realm]!
    this.fillSelection(slot)
    row.oddsE4 = NaN
    row.riskMicros = cells[slot + BidTakenMessage.priceMicros]!
    row.quotedProbability = row.riskMicros / row.payoutMicros
    row.position = cells[slot + BidTakenMessage.position]!
    row.show(seat.book)
    if (seat.handlers.onBidTaken === undefined) this.port.decide(seat.book.seat, row, true)
    else seat.handlers.onBidTaken(view, seat.desk)
    row.hide()
  }

  /** What a taken quote and a taken bid have in common. */
  private fillSelection(slot: number): void {
    const { messages: { words, cells }, combos, nowUs } = this.transit
    const { row } = this.selection
    const combo = words[slot + MessageWord.combo]!
    row.request = cells[slot + SelectionMessage.request]!
    row.version = cells[slot + SelectionMessage.version]!
    row.quote = cells[slot + SelectionMessage.quote]!
    row.selection = cells[slot + SelectionMessage.selection]!
    row.deadlineAtUs = cells[slot + SelectionMessage.deadlineAtUs]!
    row.deliveredAtUs = nowUs
    row.netStakeMicros = combos.cells[combo + ComboCell.stakeMicros]!
    row.payoutMicros = row.netStakeMicros + combos.cells[combo + ComboCell.riskMicros]!
    combos.show(combo, row.legs)
  }

  private deliverPosition(seat: Seat, slot: number, kind: number): void {
    const { messages: { words, cells }, combos } = this.transit
    const { row, views } = this.position
    const view = views[seat.realm]!
    const combo = words[slot + MessageWord.combo]!
    const riskMicros = combos.cells[combo + ComboCell.riskMicros]!
    const returnedMicros = cells[slot + PositionMessage.returnedMicros]!
    this.fillPosition(slot)
    row.profitMicros = kind === MessageKind.settled ? returnedMicros - riskMicros : 0
    row.costMicros = riskMicros
    row.payoutMicros = row.netStakeMicros + riskMicros
    row.isBoughtBack = words[slot + MessageWord.code] === BackedEnd.boughtBack
    row.hasEnded = kind === MessageKind.settled
    row.show(seat.book)
    if (kind === MessageKind.opened) {
      seat.book.opened(row.legs, riskMicros)
      seat.handlers.onOpened?.(view, seat.desk)
    } else {
      seat.book.closed(row.legs, riskMicros, returnedMicros)
      this.watches.ended(row.position)
      seat.handlers.onSettled?.(view, seat.desk)
    }
    row.hide()
  }

  private deliverBackedPrice(seat: Seat, slot: number): void {
    const { row, views } = this.position
    this.fillPosition(slot)
    row.profitMicros = 0
    row.costMicros = row.riskMicros
    row.payoutMicros = row.netStakeMicros + row.riskMicros
    row.isBoughtBack = row.hasEnded = false
    if (!this.watches.isDue(row.position)) return row.hide()
    row.show(seat.book)
    seat.handlers.onPositionPrice?.(views[seat.realm]!, seat.desk)
    row.hide()
  }

  private fillPosition(slot: number): void {
    const { messages: { words, cells }, combos, nowUs } = this.transit
    const { row } = this.position
    const combo = words[slot + MessageWord.combo]!
    combos.show(combo, row.legs)
    row.position = cells[slot + PositionMessage.position]!
    row.request = cells[slot + PositionMessage.request]!
    row.quote = orUnknown(cells[slot + PositionMessage.quote]!)
    row.oddsE4 = orUnknown(cells[slot + PositionMessage.oddsE4]!)
    row.deliveredAtUs = nowUs
    row.netStakeMicros = combos.cells[combo + ComboCell.stakeMicros]!
    row.riskMicros = combos.cells[combo + ComboCell.riskMicros]!
  }

  private deliverTimer(seat: Seat, slot: number): void {
    const { cells } = this.transit.messages
    this.shownRequests = cells[slot + TimerMessage.requests]!
    seat.handlers.onTimer?.(cells[slot + TimerMessage.tag]!, seat.desk)
  }

  private deliverAck(seat: Seat, slot: number): void {
    const { messages: { words, cells }, nowUs } = this.transit
    const { row, views } = this.ack
    const view = views[seat.realm]!
    row.action = words[slot + MessageWord.action]! as Action
    row.refusal = words[slot + MessageWord.code]! as Refusal
    row.request = orUnknown(cells[slot + AckMessage.request]!)
    row.quote = orUnknown(cells[slot + AckMessage.quote]!)
    row.auction = orUnknown(cells[slot + AckMessage.auction]!)
    row.retryAfterUs = orUnknown(cells[slot + AckMessage.retryAfterUs]!)
    row.deliveredAtUs = nowUs
    row.to = seat.book
    row.isShown = true
    seat.handlers.onAck?.(view, seat.desk)
    row.isShown = false
  }
}

/** Kinds of messages about a request. */
const OF_REQUESTS: ReadonlySet<number> = new Set([MessageKind.request, MessageKind.later, MessageKind.best, MessageKind.selected, MessageKind.decideLater, MessageKind.ack, MessageKind.price, MessageKind.requestOver])

const CALL_NUMBERS = Int32Array.from({ length: Math.max(...Object.keys(HANDLER_NAMES).map(Number)) + 1 }, (_, kind) => callNumber(HANDLER_NAMES[kind] ?? 'create'))
