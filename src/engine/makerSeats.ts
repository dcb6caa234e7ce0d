import { calledStrategy } from '../agent/calledStrategy.ts'
import { Connection } from '../agent/faults.ts'
import { InstantBudget } from '../agent/instantBudget.ts'
import { delayUs } from '../agent/latency.ts'
import { LegRisks } from '../agent/legRisks.ts'
import { LOOKS_AGAIN_MAX, withoutEnd } from '../agent/looksAgain.ts'
import type { MakerHandlers } from '../agent/maker.ts'
import { MakerBook } from '../agent/makerBook.ts'
import type { MakerPort, PriceWatchTerms } from '../agent/makerPort.ts'
import type { Method } from '../agent/refuse.ts'
import type { AuctionRow, PositionRow, RequestRow, SelectionRow } from '../agent/rows.ts'
import { Action, isKnown } from '../agent/vocabulary.ts'
import { Draws, Purpose, type RandomKey, strategyRandom } from '../kernel/random.ts'
import { seedOfPart } from '../kernel/seeds.ts'
import { assert } from '../unit/assert.ts'
import { NONE } from '../unit/none.ts'
import type { Image, Snapshot } from '../unit/snapshot.ts'
import { MS_US } from '../unit/time.ts'
import type { Accounts } from './accounts.ts'
import { AuctionSeats, AuctionWay } from './auctionSeats.ts'
import type { Boards } from './boards.ts'
import type { MakerEntry } from './config.ts'
import type { CommandEnricher } from './enricher.ts'
import type { CallWay } from './externalCalls.ts'
import { ComboCell, ComboWord } from './combos.ts'
import { arrivalOfKey, arrivalOfLayOff, sourceOfKey } from './drawKeys.ts'
import { HeldPositions } from './heldPositions.ts'
import { makerDeliveries } from './makerDeliveries.ts'
import { LeftCalls } from './leftCalls.ts'
import { MakerInbox } from './makerInbox.ts'
import { fillRequest, MakerStream } from './makerStream.ts'
import { MakerWays, Way } from './makerWays.ts'
import { CallMessage, CommandMessage, RequestMessage, SelectionMessage, TimerMessage } from './messageCells.ts'
import { MessageKind, MessageWord } from './messages.ts'
import { entityOfName } from '../kernel/names.ts'
import type { ServicePlay } from './play.ts'
import { PriceWatches } from './priceWatches.ts'
import { facadesOf } from './roster.ts'
import { RequestEnds } from './requestEnds.ts'
import type { Seat } from './seat.ts'
import type { Transit } from './transit.ts'
import type { ShownThing, Turns } from './turns.ts'

/** A maker's book as delivered rows tell it, by account number; money in microUSDC. */
export interface DeskBook {
  readonly account: number
  readonly freeMicros: number
  readonly capitalMicros: number
  readonly openPositions: number
  readonly heldPositions: number
  readonly heldCostMicros: number
}

/** What the client of a maker calls for, as a strategy would wish for it: numbers are −1 where the call names none. */
export interface CallWish {
  /** Undefined: strategies never wish for it. */
  readonly action: Action | undefined
  readonly request: number
  readonly auction: number
  /** What is sold, or has its auction ended. */
  readonly position: number
}

/** What one may do about a position that it sells: each has a way of its own. */
const SALE_WAYS: ReadonlyMap<Action | undefined, number> = new Map([
  [Action.openCashOut, AuctionWay.open], [Action.takeBid, AuctionWay.take], [Action.cancelCashOut, AuctionWay.cancel],
])

/** Hears nothing. */
const NOBODY: MakerHandlers = Object.freeze({})

/** What a strategy makes for a seat. It gets copies of its own, so that what it does with them concerns nobody else. */
const handlersOf = ({ strategy, values, name, capitalMicros }: MakerEntry, random: () => number): MakerHandlers =>
  strategy.create(Object.freeze({ ...values }), Object.freeze({ name, capitalMicros, random: Object.freeze(() => random()) }))

const hearingOf = ({ onRequest, onBest, onRequestEnded }: MakerHandlers): Pick<Seat, 'hearsRequests' | 'hearsBest' | 'hearsEnds'> =>
  ({ hearsRequests: onRequest !== undefined, hearsBest: onBest !== undefined, hearsEnds: onRequestEnded !== undefined })

/** The makers of a session: their seats, what each is being shown, and the commands that they send. What they are told: makerStream.ts. */
export class MakerSeats implements MakerPort, Snapshot {
  declare readonly seats: readonly Seat[]
  declare readonly auctions: AuctionSeats
  declare readonly held: HeldPositions
  declare readonly stream: MakerStream
  private declare readonly transit: Transit
  private declare readonly turns: Turns
  private declare readonly faultDraws: Draws
  private declare readonly inbox: MakerInbox
  declare readonly watches: PriceWatches
  declare readonly ends: RequestEnds
  private readonly leftCalls = new LeftCalls()
  private declare readonly ways: MakerWays
  private declare readonly enricher: CommandEnricher | null
  private declare readonly play: ServicePlay
  private declare readonly callDraws: Draws
  /** Calls of each seat that no request or auction stands behind. They number its draws about such calls. */
  private declare readonly otherCalls: Float64Array
  /** Place of the maker's seat by account number, −1 of other accounts. */
  private declare readonly seatOfAccount: Int32Array

  constructor(play: ServicePlay, accounts: Accounts, key: RandomKey, transit: Transit, boards: Boards, turns: Turns) {
    this.transit = transit
    this.turns = turns
    this.enricher = play.enricher
    this.play = play
    this.faultDraws = new Draws(key, Purpose.faults)
    this.callDraws = new Draws(key, Purpose.externalCalls)
    this.otherCalls = new Float64Array(play.makers.length)
    this.ways = new MakerWays(play, key, transit)
    const risks = new LegRisks(play.marketCount, play.makers.length)
    this.seats = play.makers.map((entry, i): Seat => {
      const entity = entityOfName(entry.name)
      const random = strategyRandom(seedOfPart(play, 'makers'), entry.name)
      const handlers = handlersOf(entry, random)
      const facades = facadesOf(entry)
      const board = boards.withLag(entry.latency.feedUs)
      const book = new MakerBook(i, entry.name, entry.capitalMicros, board, play.marketCount, this, boards.results, play.facts, risks, new InstantBudget(play.actionsPerInstant), play.list)
      return {
        entry, entity, random, account: accounts.ofMaker(entry), handlers, ...hearingOf(handlers),
        book, desk: facades.makerDesk(book), realm: play.realms.indexOf(facades),
        connection: new Connection(entry.faults, this.faultDraws, entity, play.startUs), live: play.isGated ? false : null,
        called: calledStrategy.numberOf(entry.name),
        broadcast: entry.latency.broadcast, submit: entry.latency.submit, confirm: entry.latency.confirm, ignore: entry.faults.ignore,
      }
    })
    this.seatOfAccount = new Int32Array(accounts.count).fill(-1)
    this.seats.forEach(({ account }, i) => { this.seatOfAccount[account] = i })
    this.auctions = new AuctionSeats(play, this.seats, this.ways.pairs, key, transit)
    const deliveries = makerDeliveries(transit, play)
    this.stream = new MakerStream(this.seats, transit, this.ways, deliveries)
    this.held = new HeldPositions(play, this.seats, transit, this.auctions, this.stream)
    this.watches = new PriceWatches(transit, boards)
    this.ends = new RequestEnds(transit, this.seats.length)
    this.inbox = new MakerInbox(transit, { auctions: this.auctions, held: this.held, watches: this.watches, ends: this.ends, port: this, deliveries }, play)
  }

  /** Place of the seat of an account of the session, or −1. */
  seatOf(account: number): number {
    return this.seatOfAccount[account]!
  }

  /** Requests and new versions delivered to each maker so far, by name. */
  deliveredRequests(): { readonly name: string; readonly requests: number }[] {
    return this.seats.map((seat) => ({ name: seat.entry.name, requests: seat.book.requests }))
  }

  desks(): DeskBook[] {
    return this.seats.map(({ account, book: { freeMicros, capitalMicros, openPositions, heldPositions, heldCostMicros } }) =>
      ({ account, freeMicros, capitalMicros, openPositions, heldPositions, heldCostMicros }))
  }

  /** Money of an account has left its free capital for good; nothing for one of a bettor. */
  withdrew(account: number, amountMicros: number): void {
    this.seats[this.seatOf(account)]?.book.withdrew(amountMicros)
  }

  wantsAcks(seat: number): boolean {
    return this.seats[seat]!.handlers.onAck !== undefined
  }

  get watchesAcks(): boolean {
    return this.seats.some((seat) => seat.handlers.onAck !== undefined)
  }

  get watchesBest(): boolean {
    return this.seats.some((seat) => seat.hearsBest)
  }

  /**
   * Another strategy takes the seat of the maker of its name. It is given the state of the one before it, if it adopts one, and then hears that the
   * session begins. It does not get the calls that the one before it had asked for.
   */
  swap(entry: MakerEntry): void {
    const seat = this.seats.find((one) => one.entry.name === entry.name)
    assert(seat !== undefined, `${entry.name} has a seat, which another strategy takes`)
    const { handlers: { state } } = seat
    this.leftCalls.leave(this.transit, seat.book.seat)
    this.seat(seat, entry)
    if (state !== undefined && seat.handlers.adopt !== undefined) this.inbox.adopt(seat, facadesOf(entry).copiedState(state))
    this.inbox.tell(seat, 'onStart')
  }

  private seat(seat: Seat, entry: MakerEntry): void {
    const facades = facadesOf(entry)
    const handlers = handlersOf(entry, seat.random)
    Object.assign(seat, { entry, handlers, ...hearingOf(handlers), desk: facades.makerDesk(seat.book), realm: this.play.realms.indexOf(facades) })
    this.auctions.handlersChanged()
  }

  /** Tells every maker in turn that the session begins, or is over. */
  tell(handler: 'onStart' | 'onEnd'): void {
    for (const seat of this.seats) this.inbox.tell(seat, handler)
  }

  /** Hands a due message to its maker; the caller gives the message back. */
  deliver(slot: number, kind: number): void {
    const seat = this.seats[this.transit.messages.words[slot + MessageWord.target]!]!
    if (this.leftCalls.take(slot)) this.deliverTo(NOBODY, seat, slot, kind)
    // A strategy that puts nothing off itself is asked as of any selection, and not taken to confirm.
    else if (this.leftCalls.takePutOff(slot) && seat.handlers.onDecision === undefined) this.inbox.deliver(seat, slot, MessageKind.selected)
    else this.inbox.deliver(seat, slot, kind)
  }

  /** Hands a message over in a maker's seat, to handlers that are not its strategy's. */
  private deliverTo(handlers: MakerHandlers, seat: Seat, slot: number, kind: number): void {
    const own = seat.handlers
    seat.handlers = handlers
    this.inbox.deliver(seat, slot, kind)
    seat.handlers = own
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

  /** How long a call of a maker's client is on its way: as long as the same wish of a strategy, by the same draws. */
  wayOfCall(account: number, { action, request, auction, position }: CallWish): CallWay {
    const seat = this.seats[this.seatOf(account)]
    assert(seat !== undefined, 'a maker calls')
    const saleWay = SALE_WAYS.get(action)
    const sold = saleWay === undefined ? NONE : this.held.rowOf(seat.book.seat, position)
    if (sold >= 0) return this.held.wayOfCall(sold, saleWay!)
    const offered = auction >= 0 ? this.offerOf(auction) : NONE
    const combo = auction >= 0 ? offered : this.comboAbout(request)
    const key = request < 0 && combo < 0 ? this.ways.keyOf(0, NONE) : this.ways.keyOf(request, combo)
    switch (action) {
      case Action.submitQuote: return { drawKey: key, delayUs: this.ways.delay(seat, seat.submit, key, Way.submit) }
      case Action.withdrawQuote: return { drawKey: key, delayUs: this.ways.delay(seat, seat.submit, key, Way.withdraw) }
      case Action.confirm: case Action.decline:
        if (offered >= 0) return { drawKey: key, delayUs: this.auctions.confirmDelayUs(seat, offered) }
        return { drawKey: key, delayUs: this.ways.delay(seat, seat.confirm, key, Way.confirm, this.ways.earlierSelections(combo)) }
      case Action.submitBid: if (offered >= 0) return { drawKey: key, delayUs: this.auctions.bidDelayUs(seat, offered) }
    }
    const index = this.otherCalls[seat.book.seat]!++
    return { drawKey: key, delayUs: delayUs(seat.submit, this.callDraws, seat.entity, index) }
  }

  /** Sends the answer to a call of a maker's client, as any reply to the maker. */
  sendAnswer(message: number): void {
    const { words, cells } = this.transit.messages
    words[message + MessageWord.target] = this.seatOf(words[message + MessageWord.account]!)
    this.stream.sendTo(message, cells[message + CallMessage.drawKey]!)
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

  /** What a handler is being shown, null outside of every handler. */
  get shown(): ShownThing | null {
    const { inbox: { shownCombo: combo, shownRequest: request, shownTaken }, auctions: { shownAuction } } = this
    return combo >= 0 ? { combo, request, auction: Math.max(shownAuction, shownTaken) } : null
  }

  /** Combo about a request: what is being shown of it, in a handler or a client's turn, else its own while it is active, else −1. */
  private comboAbout(request: number): number {
    if (request === this.inbox.shownRequest && this.inbox.shownCombo >= 0) return this.inbox.shownCombo
    const shown = this.turns.comboOf(request)
    return shown >= 0 ? shown : this.transit.comboOfRequest.get(request)
  }

  /** The same of an auction. */
  private offerOf(auction: number): number {
    const shown = this.turns.comboOfAuction(auction)
    return shown >= 0 ? shown : this.auctions.comboOf(auction)
  }

  snapshot(): Image {
    return this.seats.map((seat) => ({
      desk: seat.book.snapshot(), connection: seat.connection.snapshot(), random: seat.random.snapshot(),
      state: seat.handlers.state === undefined ? null : structuredClone(seat.handlers.state),
    }))
  }

  restore(image: Image): void {
    const images = image as readonly { desk: Image; connection: Image; random: Image; state: { [name: string]: Image } | null }[]
    this.seats.forEach((seat, i) => {
      const from = images[i]!
      seat.book.restore(from.desk)
      seat.connection.restore(from.connection)
      seat.random.restore(from.random)
      if (from.state === null) return
      assert(seat.handlers.state !== undefined, `the image has state of ${seat.entry.name}, whose strategy has none`)
      facadesOf(seat.entry).restoreState(seat.handlers.state, from.state)
    })
  }
}
