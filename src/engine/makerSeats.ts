import { calledStrategy } from '../agent/calledStrategy.ts'
import { Connection } from '../agent/faults.ts'
import { InstantBudget } from '../agent/instantBudget.ts'
import { delayUs } from '../agent/latency.ts'
import { LegRisks } from '../agent/legRisks.ts'
import type { MakerHandlers } from '../agent/maker.ts'
import { MakerBook } from '../agent/makerBook.ts'
import { OwnNumbers } from '../agent/seatNumbers.ts'
import { Action } from '../agent/vocabulary.ts'
import { Draws, Purpose, type RandomKey, strategyRandom } from '../kernel/random.ts'
import { seedOfPart } from '../kernel/seeds.ts'
import { assert } from '../unit/assert.ts'
import { NONE } from '../unit/none.ts'
import type { Image, Snapshot } from '../unit/snapshot.ts'
import type { Accounts } from './accounts.ts'
import { AuctionSeats, AuctionWay } from './auctionSeats.ts'
import type { Boards } from './boards.ts'
import type { MakerEntry } from './config.ts'
import type { CallWay } from './externalCalls.ts'
import { HeldPositions } from './heldPositions.ts'
import { MakerCommands } from './makerCommands.ts'
import { makerDeliveries } from './makerDeliveries.ts'
import { LeftCalls } from './leftCalls.ts'
import { MakerInbox } from './makerInbox.ts'
import { MakerStream } from './makerStream.ts'
import { MakerWays, Way } from './makerWays.ts'
import { CallMessage } from './messageCells.ts'
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

/** Requests and new versions for a maker: those that reached it, and those that did not since it was away, or ignored them. */
export interface RequestDeliveries {
  readonly name: string
  readonly requests: number
  readonly away: number
  readonly ignored: number
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

/** The makers of a session: their seats, and what each is being shown. What they are told: makerStream.ts. What they command: makerCommands.ts. */
export class MakerSeats implements Snapshot {
  declare readonly seats: readonly Seat[]
  declare readonly auctions: AuctionSeats
  declare readonly held: HeldPositions
  declare readonly stream: MakerStream
  private declare readonly transit: Transit
  private declare readonly faultDraws: Draws
  private declare readonly inbox: MakerInbox
  declare readonly watches: PriceWatches
  declare readonly ends: RequestEnds
  private readonly leftCalls = new LeftCalls()
  private declare readonly ways: MakerWays
  private declare readonly commands: MakerCommands
  private declare readonly play: ServicePlay
  private declare readonly callDraws: Draws
  /** Calls of each seat that no request or auction stands behind. They number its draws about such calls. */
  private declare readonly otherCalls: Float64Array
  /** Place of the maker's seat by account number, −1 of other accounts. */
  private declare readonly seatOfAccount: Int32Array

  constructor(play: ServicePlay, accounts: Accounts, key: RandomKey, transit: Transit, boards: Boards, turns: Turns) {
    this.transit = transit
    this.play = play
    this.faultDraws = new Draws(key, Purpose.faults)
    this.callDraws = new Draws(key, Purpose.externalCalls)
    this.otherCalls = new Float64Array(play.makers.length)
    this.ways = new MakerWays(play, key, transit)
    this.commands = new MakerCommands(play, transit, turns, this.ways)
    const risks = new LegRisks(play.marketCount, play.makers.length)
    this.seats = play.makers.map((entry, i): Seat => {
      const entity = entityOfName(entry.name)
      const random = strategyRandom(seedOfPart(play, 'makers'), entry.name)
      const handlers = handlersOf(entry, random)
      const facades = facadesOf(entry)
      const board = boards.withLag(entry.latency.feedUs)
      const book = new MakerBook(i, entry.name, entry.capitalMicros, board, play.marketCount, this.commands, boards.results, play.facts, risks, new InstantBudget(play.actionsPerInstant), play.list, entry.strategy.numbers ?? new OwnNumbers(play.service))
      book.depth = boards.depthFor(book, entry.latency.feedUs)
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
    this.inbox = new MakerInbox(transit, { auctions: this.auctions, held: this.held, watches: this.watches, ends: this.ends, port: this.commands, deliveries }, play)
    this.commands.join({ seats: this.seats, auctions: this.auctions, held: this.held, watches: this.watches, inbox: this.inbox })
  }

  /** Place of the seat of an account of the session, or −1. */
  seatOf(account: number): number {
    return this.seatOfAccount[account]!
  }

  deliveredRequests(): RequestDeliveries[] {
    return this.seats.map(({ entry: { name }, book: { requests, requestsAway, requestsIgnored } }) => ({ name, requests, away: requestsAway, ignored: requestsIgnored }))
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

  /** How long a call of a maker's client is on its way: as long as the same wish of a strategy, by the same draws. */
  wayOfCall(account: number, { action, request, auction, position }: CallWish): CallWay {
    const seat = this.seats[this.seatOf(account)]
    assert(seat !== undefined, 'a maker calls')
    const saleWay = SALE_WAYS.get(action)
    const sold = saleWay === undefined ? NONE : this.held.rowOf(seat.book.seat, position)
    if (sold >= 0) return this.held.wayOfCall(sold, saleWay!)
    const offered = auction >= 0 ? this.commands.offerOf(auction) : NONE
    const combo = auction >= 0 ? offered : this.commands.comboAbout(request)
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

  /** What a handler is being shown, null outside of every handler. */
  get shown(): ShownThing | null {
    const { inbox: { shownCombo: combo, shownRequest: request, shownTaken }, auctions: { shownAuction } } = this
    return combo >= 0 ? { combo, request, auction: Math.max(shownAuction, shownTaken) } : null
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
