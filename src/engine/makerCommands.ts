import { LOOKS_AGAIN_MAX, withoutEnd } from '../agent/looksAgain.ts'
import type { MakerPort, PriceWatchTerms } from '../agent/makerPort.ts'
import type { Method } from '../agent/refuse.ts'
import type { AuctionRow, PositionRow, RequestRow, SelectionRow } from '../agent/rows.ts'
import { Action, isKnown } from '../agent/vocabulary.ts'
import { assert } from '../unit/assert.ts'
import { NONE } from '../unit/none.ts'
import { MS_US } from '../unit/time.ts'
import type { AuctionSeats } from './auctionSeats.ts'
import { ComboCell, ComboWord } from './combos.ts'
import { arrivalOfKey, arrivalOfLayOff, sourceOfKey } from './drawKeys.ts'
import type { CommandEnricher } from './enricher.ts'
import type { HeldPositions } from './heldPositions.ts'
import type { MakerInbox } from './makerInbox.ts'
import { fillRequest } from './makerStream.ts'
import { type MakerWays, Way } from './makerWays.ts'
import { CommandMessage, RequestMessage, SelectionMessage, TimerMessage } from './messageCells.ts'
import { MessageKind, MessageWord } from './messages.ts'
import type { ServicePlay } from './play.ts'
import type { PriceWatches } from './priceWatches.ts'
import type { Seat } from './seat.ts'
import type { Transit } from './transit.ts'
import type { Turns } from './turns.ts'

/** The seats for which commands are sent, and what else their makers deal with. */
interface CommandParts {
  readonly seats: readonly Seat[]
  readonly auctions: AuctionSeats
  readonly held: HeldPositions
  readonly watches: PriceWatches
  readonly inbox: MakerInbox
}

/** Sends the commands of makers on their way to the venue, and to the makers the calls that they ask for. What is about held positions: heldPositions.ts. */
export class MakerCommands implements MakerPort {
  private declare readonly play: ServicePlay
  private declare readonly transit: Transit
  private declare readonly turns: Turns
  private declare readonly ways: MakerWays
  private declare readonly enricher: CommandEnricher | null
  private declare seats: readonly Seat[]
  private declare auctions: AuctionSeats
  private declare held: HeldPositions
  private declare watches: PriceWatches
  private declare inbox: MakerInbox

  constructor(play: ServicePlay, transit: Transit, turns: Turns, ways: MakerWays) {
    this.play = play
    this.transit = transit
    this.turns = turns
    this.ways = ways
    this.enricher = play.enricher
  }

  /** The seats of the session are there. Before their first command. */
  join({ seats, auctions, held, watches, inbox }: CommandParts): void {
    this.seats = seats
    this.auctions = auctions
    this.held = held
    this.watches = watches
    this.inbox = inbox
  }

  submitQuote(seatNumber: number, request: RequestRow, oddsE4: number, validUs: number, memoE9: number, probability: number, productE9: number): void {
    const validMs = Math.floor(validUs / MS_US)
    const seat = this.seats[seatNumber]!
    const combo = this.comboAbout(request.request)
    const key = this.ways.keyOf(request.request, combo)
    const slot = this.transit.messages.takeBare(MessageKind.command, seat.book.seat)
    const { words, cells } = this.transit.messages
    words[slot + MessageWord.action] = Action.submitQuote
    words[slot + MessageWord.account] = seat.account
    words[slot + MessageWord.intent] = words[slot + MessageWord.code] = NONE
    cells[slot + CommandMessage.request] = request.request
    cells[slot + CommandMessage.version] = request.version
    cells[slot + CommandMessage.contentTag] = this.transit.combos.cells[combo + ComboCell.contentTag]!
    cells[slot + CommandMessage.oddsE4] = oddsE4
    cells[slot + CommandMessage.validMs] = validMs
    cells[slot + CommandMessage.memoE9] = memoE9
    cells[slot + CommandMessage.productE9] = productE9
    cells[slot + CommandMessage.drawKey] = key
    if (this.enricher !== null) this.enricher.quote(slot, request, combo, probability, validMs)
    this.transit.send(slot, this.ways.delay(seat, seat.submit, key, Way.submit))
  }

  withdrawQuote(seatNumber: number, request: number): void {
    const seat = this.seats[seatNumber]!
    const key = this.ways.keyOf(request, this.comboAbout(request))
    const slot = this.command(seat, Action.withdrawQuote, request, key)
    const wayUs = this.ways.delay(seat, seat.submit, key, Way.withdraw)
    if (this.enricher === null) this.transit.send(slot, wayUs)
    else this.enricher.withdrawQuote(slot, wayUs)
  }

  submitBid(seatNumber: number, auction: AuctionRow, priceMicros: number, validUs: number, memoE9: number, productE9: number): void {
    this.auctions.submitBid(this.seats[seatNumber]!, auction, priceMicros, validUs, memoE9, productE9)
  }

  openCashOut(seatNumber: number, position: PositionRow): void {
    this.held.openCashOut(seatNumber, position)
  }

  takeBid(seatNumber: number, position: PositionRow, minPriceMicros: number): void {
    this.held.takeBid(seatNumber, position, minPriceMicros)
  }

  cancelCashOut(seatNumber: number, position: PositionRow): void {
    this.held.cancelCashOut(seatNumber, position)
  }

  checkIn(seatNumber: number, position: PositionRow, delayByUs: number): void {
    this.held.checkIn(seatNumber, position, delayByUs)
  }

  decide(seatNumber: number, selection: SelectionRow, confirm: boolean): void {
    const seat = this.seats[seatNumber]!
    if (isKnown(selection.position)) return this.decideTaken(seat, selection, confirm)
    const { missConfirm } = seat.entry.faults
    const combo = this.comboAbout(selection.request)
    const earlier = this.ways.earlierSelections(combo)
    const key = this.ways.keyOf(selection.request, combo)
    if (confirm && missConfirm > 0 && this.ways.isMissed(seat, missConfirm, key, Way.confirm, earlier)) return
    const slot = this.command(seat, confirm ? Action.confirm : Action.decline, selection.request, key)
    this.transit.messages.cells[slot + CommandMessage.quote] = selection.quote
    if (confirm && this.enricher !== null) this.enricher.confirm(slot, selection, combo)
    this.transit.send(slot, this.ways.delay(seat, seat.confirm, key, Way.confirm, earlier))
  }

  /** The same of a bid that was taken. */
  private decideTaken(seat: Seat, selection: SelectionRow, confirm: boolean): void {
    const combo = selection.request === this.inbox.shownRequest ? this.inbox.shownCombo : NONE
    assert(combo >= 0, 'a taken bid is confirmed or declined while it is being shown')
    if (confirm && this.auctions.isConfirmMissed(seat, combo)) return
    const { messages } = this.transit
    const slot = messages.take(MessageKind.command, seat.book.seat)
    messages.words[slot + MessageWord.action] = confirm ? Action.confirm : Action.decline
    messages.words[slot + MessageWord.account] = seat.account
    messages.cells[slot + CommandMessage.request] = selection.request
    messages.cells[slot + CommandMessage.quote] = selection.quote
    messages.cells[slot + CommandMessage.drawKey] = this.transit.combos.cells[combo + ComboCell.drawKey]!
    if (confirm && this.enricher !== null) this.enricher.confirm(slot, selection, combo)
    this.auctions.sendConfirm(slot, seat, combo)
  }

  decideLater(seatNumber: number, selection: SelectionRow, delayByUs: number): void {
    const looks = this.looksAgain('selection', this.seats[seatNumber]!.desk.decideLater)
    if (this.transit.isClosedIn(delayByUs)) return
    const combo = this.inbox.shownCombo
    assert(selection.request === this.inbox.shownRequest && combo >= 0, 'a decision is put off while its selection is being shown')
    const { messages, combos } = this.transit
    const slot = messages.take(MessageKind.decideLater, seatNumber)
    messages.cells[slot + SelectionMessage.request] = selection.request
    messages.cells[slot + SelectionMessage.version] = selection.version
    messages.cells[slot + SelectionMessage.quote] = selection.quote
    messages.cells[slot + SelectionMessage.selection] = selection.selection
    messages.cells[slot + SelectionMessage.oddsE4] = selection.oddsE4
    messages.cells[slot + SelectionMessage.deadlineAtUs] = selection.deadlineAtUs
    messages.cells[slot + SelectionMessage.looks] = looks
    messages.words[slot + MessageWord.combo] = combo
    combos.retain(combo)
    this.transit.send(slot, delayByUs)
  }

  later(seatNumber: number, request: RequestRow, delayByUs: number): void {
    const looks = this.looksAgain('request', this.seats[seatNumber]!.desk.later)
    if (this.transit.isClosedIn(delayByUs)) return
    const combo = this.inbox.shownCombo
    assert(request.request === this.inbox.shownRequest && combo >= 0, 'a request is asked for again while it is being shown')
    const slot = this.transit.messages.takeBare(MessageKind.later, seatNumber)
    fillRequest(this.transit, slot, request.request, request.version, combo, request.bestOddsE4, request.bookChanges)
    this.transit.messages.cells[slot + RequestMessage.looks] = looks
    this.transit.send(slot, delayByUs)
  }

  watch(seatNumber: number, request: RequestRow, terms: PriceWatchTerms): void {
    const combo = this.inbox.shownCombo
    assert(request.request === this.inbox.shownRequest && combo >= 0, 'a request is watched while it is being shown')
    this.watches.watchRequest(this.seats[seatNumber]!, request, combo, terms)
  }

  watchPosition(seatNumber: number, position: PositionRow, terms: PriceWatchTerms): void {
    const seat = this.seats[seatNumber]!
    if (position.isHolder) return this.held.watch(position, this.watches.delayTo(seat, position, terms), seat.desk.watchPosition)
    const { shownCombo: combo, shownRequest } = this.inbox
    assert(position.request === shownRequest && combo >= 0, 'a position is watched while it is being shown')
    this.watches.watchBacked(seat, position, combo, terms)
  }

  after(seatNumber: number, delayByUs: number, tag: number): void {
    const { inbox, transit: { messages } } = this
    const { book, desk } = this.seats[seatNumber]!
    // A maker whose timers go on for ever while it hears of no request would keep a session going.
    const isAgain = inbox.shownKind === MessageKind.timer && inbox.shownRequests === book.requests
    const looks = this.looksAgain('timer', desk.after, isAgain ? inbox.shownLooks : 0)
    if (this.transit.isClosedIn(delayByUs)) return
    const slot = messages.take(MessageKind.timer, seatNumber)
    messages.cells[slot + TimerMessage.tag] = tag
    messages.cells[slot + TimerMessage.requests] = book.requests
    messages.cells[slot + TimerMessage.looks] = looks
    this.transit.send(slot, delayByUs)
  }

  /** The number of looks in a row, the next one included, that the maker has taken at what it is shown. Throws past the limit. */
  private looksAgain(what: string, method: Method, before = this.inbox.shownLooks): number {
    const looks = before + 1
    const { looksAgain = LOOKS_AGAIN_MAX } = this.play
    if (looks > looksAgain) throw withoutEnd(looksAgain, what, method)
    return looks
  }

  passed(seatNumber: number, reason: string): void {
    const { told, service } = this.play
    told?.pass({ service, ...this.inbox.telling(this.seats[seatNumber]!) }, reason)
  }

  logged(seatNumber: number, text: string, name: string, value: number): void {
    const { told, service } = this.play
    told?.log({ service, ...this.inbox.telling(this.seats[seatNumber]!) }, text, name, value)
  }

  layOff(seatNumber: number, position: PositionRow, betMicros: number, minOddsE4: number, decideInUs: number): boolean {
    const { play: { layOffs, sources }, transit: { combos, nowUs }, inbox: { shownCombo, shownRequest } } = this
    const { name, layOff } = this.seats[seatNumber]!.entry
    if (layOff === undefined || layOffs === null) return false
    assert(position.request === shownRequest && shownCombo >= 0, 'a position is laid off while it is being shown')
    const key = combos.cells[shownCombo + ComboCell.drawKey]!
    const source = sourceOfKey(key)
    const arrival = arrivalOfLayOff(arrivalOfKey(key, source), combos.words[shownCombo + ComboWord.layOffs]! + 1)
    const asked = { name, legs: position.legs, betMicros, minOddsE4, decideInUs, root: sources.roots[source]!, arrival }
    if (!layOffs.layOff(nowUs, asked)) return false
    combos.words[shownCombo + ComboWord.layOffs]!++
    return true
  }

  /** A command about a request; `key` is its draw key. */
  private command(seat: Seat, action: Action, request: number, key: number): number {
    const { messages } = this.transit
    const slot = messages.take(MessageKind.command, seat.book.seat)
    messages.words[slot + MessageWord.action] = action
    messages.words[slot + MessageWord.account] = seat.account
    messages.cells[slot + CommandMessage.request] = request
    messages.cells[slot + CommandMessage.drawKey] = key
    return slot
  }

  /** Combo about a request: what is being shown of it, in a handler or a client's turn, else its own while it is active, else −1. */
  comboAbout(request: number): number {
    if (request === this.inbox.shownRequest && this.inbox.shownCombo >= 0) return this.inbox.shownCombo
    const shown = this.turns.comboOf(request)
    return shown >= 0 ? shown : this.transit.comboOfRequest.get(request)
  }

  /** The same of an auction. */
  offerOf(auction: number): number {
    const shown = this.turns.comboOfAuction(auction)
    return shown >= 0 ? shown : this.auctions.comboOf(auction)
  }
}
