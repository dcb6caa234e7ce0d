import { Action } from '../agent/vocabulary.ts'
import { PostingRows } from '../ledger/postingRows.ts'
import { LiveMarkets } from '../market/liveMarkets.ts'
import { assert } from '../unit/assert.ts'
import { NONE } from '../unit/none.ts'
import type { RowSequence } from '../unit/rowSequence.ts'
import type { Image, Snapshot } from '../unit/snapshot.ts'
import type { Command, Venue } from '../venue/contract.ts'
import type { Row } from '../venue/eventCells.ts'
import { EventRows } from '../venue/eventRows.ts'
import { closesAtUs } from './closing.ts'
import type { Cohorts } from './cohorts.ts'
import { MARKET_CLOSES, type MakerEntry, type OperatorInput, type ServiceName, type SessionConfig, WITHDRAWS, Withdraws } from './config.ts'
import { BettorCalls } from './bettorCalls.ts'
import { type AnswerWay, type CallListener, type CallWay, type ExternalCall, ExternalCalls } from './externalCalls.ts'
import type { ShownSale } from './heldPositions.ts'
import type { CallWish, DeskBook, MakerSeats, RequestDeliveries } from './makerSeats.ts'
import { FIRST_GATE_KIND, FIRST_HOLDING_KIND, MessageKind, MessageWord } from './messages.ts'
import type { LayOff, LayOffPort, ServicePlay, Shared } from './play.ts'
import type { ServiceCounts, ServiceSession } from './serviceSession.ts'
import { Transit } from './transit.ts'
import { Turns } from './turns.ts'

const OPERATOR_ACCOUNT = -1

/** What commands of both services have. */
interface ServiceCommand extends Command {
  amountMicros: number
  closeUs: number
  value: number
  value2: number
  leg(market: number, side: number): unknown
  item(value: number): unknown
  reset(op: number, account: number): this
}

/** Commands as rows, for the sinks. */
interface ServiceJournal<C> {
  append(atUs: number, command: C): void
  clear(): void
}

/** Brings the venue's rows to those who may see them. */
interface ServiceDelivery extends Snapshot {
  readonly cashOuts: { readonly opened: number; readonly sales: number }
  /** The rows have been flushed. */
  rewind(): void
  /** A maker has other handlers from now on. */
  handlersChanged?(): void
}

/** How participants live with a gate. */
interface ServiceAccess<C> extends Snapshot {
  /** Puts its account's credential on a command. */
  authorize(command: C): void
  /** Opens the makers' streams. Precondition: keys have been made. */
  open(): void
  /** Hands over a due message of a gate's kind. */
  receive(message: number, kind: number): void
}

/** Who calls: what its calls and their answers have for a way. */
interface Caller extends AnswerWay {
  wayOfCall(account: number, wish: CallWish): CallWay
}

const NO_WAY: CallWay = { drawKey: NONE, delayUs: 0 }

/** What a session of either service does: how commands reach the venue, messages the participants, and images all of them. */
export abstract class ServiceFrame<C extends ServiceCommand, J extends ServiceJournal<C>> implements ServiceSession {
  abstract readonly name: ServiceName
  /** The gate around it, when there is one. */
  abstract readonly venue: Venue<C>
  declare readonly batch: { readonly events: EventRows; readonly postings: PostingRows; readonly journal: J }
  protected abstract readonly play: ServicePlay
  protected abstract readonly makers: MakerSeats
  protected abstract readonly cohorts: Cohorts
  protected abstract readonly delivery: ServiceDelivery
  /** Null without a gate. */
  protected abstract readonly access: ServiceAccess<C> | null
  protected declare readonly events: EventRows
  protected declare readonly postings: PostingRows
  protected declare readonly command: C
  protected declare readonly transit: Transit
  protected declare readonly live: LiveMarkets
  private declare readonly journal: J
  private declare readonly commands: RowSequence
  /** Has sinks: without any, nobody reads the journal. */
  private declare readonly isHeard: boolean
  protected declare readonly calls: ExternalCalls
  protected declare readonly turns: Turns
  private bettorCalls: BettorCalls | null = null
  private messageCount = 0

  /** `service` is its number. */
  constructor(service: number, terms: SessionConfig, shared: Shared, command: C, journal: J) {
    this.commands = shared.commands
    this.isHeard = terms.sinks.length > 0
    this.events = new EventRows(shared.rows, service)
    this.postings = new PostingRows(shared.rows, service)
    this.command = command
    this.journal = journal
    this.batch = { events: this.events, postings: this.postings, journal }
    this.transit = new Transit(shared.queue, service, terms.startUs, closesAtUs(terms))
    this.calls = new ExternalCalls(this.transit)
    this.turns = new Turns(this.transit)
    this.live = new LiveMarkets(terms.marketCount)
  }

  /** Gives every account what it needs before it can pay in. */
  protected abstract admit(): void
  protected abstract deposit(account: number, amountMicros: number): void
  protected abstract withdraw(account: number, amountMicros: number): void
  /** Whether a bet to lay off keeps within the service's public limits. */
  protected abstract isBet(asked: LayOff): boolean
  /** Names the operator input's market on the command, and what listing it says. */
  protected abstract nameMarket(input: OperatorInput): void
  /** What a strategy would wish for to send the command of a call. */
  protected abstract wishOf(call: ExternalCall): CallWish
  /** Number of the auction that the answer to its opening names, −1 where it was refused. */
  protected abstract auctionIn(reply: Row): number
  /** A participant's command reaches the venue. */
  protected abstract bring(message: number): void
  /** Delivers the new rows; `message` is the command message that caused them, or −1, `cause` that command's number. */
  protected abstract route(message: number, cause: number): void
  abstract pulse(nowUs: number, beforeUs: number): boolean
  /** The client of an account from outside has left the session, or is back, where the loop stands: its maker's stream is closed, or opened. */
  abstract followClient(nowUs: number, account: number, isHere: boolean): void

  get counts(): ServiceCounts {
    return { messages: this.messageCount, auctions: this.delivery.cashOuts.opened, sales: this.delivery.cashOuts.sales }
  }

  get nowUs(): number {
    return this.transit.nowUs
  }

  desks(): DeskBook[] {
    return this.makers.desks()
  }

  deliveredRequests(): RequestDeliveries[] {
    return this.makers.deliveredRequests()
  }

  askedRequests(): { readonly name: string; readonly requests: number }[] {
    return this.cohorts.cohorts.map(({ entry: { name }, book }) => ({ name, requests: book.asked }))
  }

  swap(nowUs: number, entry: MakerEntry): void {
    this.transit.nowUs = nowUs
    this.makers.swap(entry)
    this.delivery.handlersChanged?.()
  }

  layOffTo(other: LayOffPort): void {
    this.play.layOffs = other
  }

  layOff(nowUs: number, asked: LayOff): boolean {
    this.transit.nowUs = nowUs
    return this.isBet(asked) && this.cohorts.layOff(asked)
  }

  start(): void {
    this.admit()
    for (const { entry, firstAccount } of this.cohorts.cohorts) {
      // One that bets with a maker's account has the maker's capital.
      if (entry.account !== undefined) continue
      for (let i = 0; i < entry.bettors; i++) this.deposit(firstAccount + i, entry.bankrollMicros)
    }
    for (const { account, entry } of this.makers.seats) this.deposit(account, entry.capitalMicros)
    this.access?.open()
    this.makers.tell('onStart')
    this.cohorts.start()
  }

  end(nowUs: number): void {
    this.transit.nowUs = nowUs
    this.makers.tell('onEnd')
    this.cohorts.tell('onEnd')
  }

  nextDeadlineUs(): number {
    return this.venue.nextDeadlineUs()
  }

  operate(nowUs: number, input: OperatorInput): void {
    this.transit.nowUs = nowUs
    if (input.op === MARKET_CLOSES) return this.live.remove(input.market)
    if (input.op === WITHDRAWS) return this.withdraw(input[Withdraws.from]!, input[Withdraws.amountMicros]!)
    const { command } = this
    command.reset(input.op, OPERATOR_ACCOUNT)
    command.closeUs = input.closeUs ?? NONE
    command.value = input.value ?? NONE
    command.value2 = input.value2 ?? NONE
    this.nameMarket(input)
    this.apply(NONE)
  }

  receive(nowUs: number, slot: number): void {
    const { messages } = this.transit
    this.transit.nowUs = nowUs
    this.messageCount++
    const kind = messages.words[slot + MessageWord.kind]!
    switch (kind) {
      // By frequency: what makers are sent, their commands, what bettors are told.
      case MessageKind.request: this.makers.deliver(slot, kind); break
      case MessageKind.command: if (!this.transit.isClosedIn(0)) this.bring(slot); break
      case MessageKind.bestToBettor: this.cohorts.bestArrived(slot); break
      case MessageKind.arrival: this.cohorts.arrive(slot); break
      case MessageKind.decision: this.cohorts.decide(slot); break
      case MessageKind.refused: this.cohorts.refused(slot); break
      case MessageKind.decideLater: case MessageKind.timer: case MessageKind.price: case MessageKind.backedPrice: case MessageKind.heldPrice:
      case MessageKind.requestOver:
        this.makers.deliver(slot, kind); break
      case MessageKind.holdingPrice: case MessageKind.holdingSettled: this.cohorts.sellers.receive(slot, kind); break
      case MessageKind.requestAgain: this.cohorts.requestAgain(slot); break
      // As a strategy's command, it reaches nobody when participants are no longer heard.
      case MessageKind.call: if (this.transit.isClosedIn(0)) this.calls.lose(slot); else this.callArrived(slot); break
      case MessageKind.callAnswered: this.calls.toldIn(slot); break
      case MessageKind.wake: this.turns.arrived(slot); break
      default:
        if (kind < FIRST_HOLDING_KIND || kind === MessageKind.bidTaken) this.makers.deliver(slot, kind)
        else if (kind >= FIRST_GATE_KIND) this.access!.receive(slot, kind)
        else this.cohorts.sellers.receive(slot, kind)
    }
    messages.give(slot)
  }

  /**
   * Sends a call of an account's client on its way. It is as long on its way as the same command of a strategy would be, and so is its answer.
   * Calls are sent while the loop stands, at the instant of what it did last. Those of nobody (account −1) have no way.
   */
  send(account: number, call: ExternalCall, listener: CallListener): void {
    const wish = this.wishOf(call)
    const caller = this.callerOf(account, wish)
    this.calls.send(account, call, this.sellingBy(account, wish, listener), caller.wayOfCall(account, wish), caller)
  }

  /** The same while the loop stands at `nowUs`, whichever service it played last. */
  sendAt(nowUs: number, account: number, call: ExternalCall, listener: CallListener): void {
    this.transit.nowUs = nowUs
    this.send(account, call, listener)
  }

  /** The client of whoever is being told something has its turn now. */
  beginTurn(): void {
    this.turns.begin(this.makers.shown)
  }

  endTurn(): void {
    this.turns.end()
  }

  /** The client whose turn it is asks to be called again after `delayUs`. */
  wake(delayUs: number, woken: () => void): void {
    this.turns.wake(delayUs, woken)
  }

  /** A call of an account's client has arrived at `nowUs`. Its answer has no way either: the listener hears both as soon as the service answers. */
  bringCall(nowUs: number, account: number, call: ExternalCall, listener: CallListener): void {
    const { calls, transit } = this
    transit.nowUs = nowUs
    const wish = this.wishOf(call)
    const slot = calls.bring(account, call, this.sellingBy(account, wish, listener), this.callerOf(account, wish).wayOfCall(account, wish).drawKey)
    this.callArrived(slot)
    transit.messages.give(slot)
  }

  /** As whom an account calls that both bets and makes: as a maker for what makers alone wish, and about what the maker took over. */
  private callerOf(account: number, wish: CallWish): Caller {
    if (account === NONE) return { wayOfCall: () => NO_WAY, sendAnswer: (message) => this.transit.send(message, 0) }
    const { action = Action.requestQuote } = wish
    const bettors = (this.bettorCalls ??= new BettorCalls(this.cohorts, this.transit))
    const isMaker = this.makers.seatOf(account) >= 0 && (action >= Action.submitQuote || !bettors.has(account) || this.rowSold(account, wish) >= 0)
    return isMaker ? this.makers : bettors
  }

  /** Row of what the maker of the account took over and its client's call is about, −1 of any other call. */
  private rowSold(account: number, { position }: CallWish): number {
    const seat = account < 0 || position < 0 ? NONE : this.makers.seatOf(account)
    return seat < 0 ? NONE : this.makers.held.rowOf(seat, position)
  }

  /** Where a client opens an auction of what its maker took over, the maker hears of the auction once the client has been told its number. */
  private sellingBy(account: number, wish: CallWish, listener: CallListener): CallListener {
    const row = wish.action === Action.openCashOut ? this.rowSold(account, wish) : NONE
    if (row < 0) return listener
    const began = this.makers.held.openedOutside(row)
    let auction: number = NONE
    return {
      ...(listener.taken === undefined ? {} : { taken: () => { listener.taken!() } }),
      answered: (rows, reply) => {
        auction = this.auctionIn(reply)
        listener.answered(rows, reply)
      },
      told: () => {
        if (auction >= 0) began(auction)
        listener.told()
      },
    }
  }

  /** Auction and best bid of the held position that a handler is being shown. */
  get shownSale(): ShownSale {
    return this.makers.held.shownSale
  }

  private callArrived(slot: number): void {
    const { command, calls, transit: { messages } } = this
    const call = calls.arrived(slot)
    command.reset(call.op, messages.words[slot + MessageWord.account]!)
    calls.write(slot, command)
    const listener = calls.waitFor(slot, this.commands.next)
    this.apply(slot, call.credential)
    listener.taken?.()
  }

  /** Sends the command to the venue; a `credential` stands for the one that its account's participant would use. */
  protected apply(message: number, credential?: number): void {
    const { command, transit: { nowUs } } = this
    if (this.access !== null) this.access.authorize(command)
    if (credential !== undefined) command.credential = credential
    const seq = this.commands.next++
    command.seq = seq
    if (this.isHeard) this.journal.append(nowUs, command)
    this.venue.apply(nowUs, command)
    this.route(message, seq)
  }

  clear(): void {
    this.events.clear()
    this.postings.clear()
    this.journal.clear()
    this.delivery.rewind()
  }

  /** All that an image holds besides the count of messages, by name; null: a part that this session has not. */
  protected parts(): Readonly<Record<string, Snapshot | null>> {
    return {
      venue: this.venue, transit: this.transit, live: this.live, makers: this.makers, cohorts: this.cohorts, delivery: this.delivery, access: this.access,
      watches: this.makers.watches, requestEnds: this.makers.ends,
    }
  }

  snapshot(): Image {
    assert(this.calls.isIdle && this.turns.isIdle, 'no call from outside is on its way')
    const image: Record<string, Image> = { messageCount: this.messageCount }
    for (const [name, part] of Object.entries(this.parts())) image[name] = part === null ? null : part.snapshot()
    return image
  }

  restore(image: Image): void {
    const from = image as { readonly [name: string]: Image }
    this.messageCount = from['messageCount'] as number
    for (const [name, part] of Object.entries(this.parts())) part?.restore(from[name]!)
  }
}
