import { delayUs } from '../agent/latency.ts'
import { AuctionView } from '../agent/views.ts'
import { Action } from '../agent/vocabulary.ts'
import { Draws, Purpose, type RandomKey } from '../kernel/random.ts'
import { MS_US } from '../unit/time.ts'
import type { Clerk } from './clerk.ts'
import { ContentCell, ContentWord } from './contents.ts'
import { arrivalOfKey, sourceOfKey, drawKey } from './drawKeys.ts'
import { MessageCell, MessageKind, MessageWord } from './messages.ts'
import type { ServicePlay } from './play.ts'
import type { PairEntities } from './pairEntities.ts'
import { isReached } from './reach.ts'
import type { Seat } from './seat.ts'
import type { Transit } from './transit.ts'

const NONE = -1
/** Draws about a position's request are numbered arrival × 8 + way, and again from each multiple of 2³² for its auctions. */
export const AuctionWay = { broadcast: 0, bid: 1, open: 2, take: 3, cancel: 4, confirm: 5 } as const
const WAYS = 8
const AUCTION_DRAWS = 2 ** 32

/** The makers' part in auctions: brings them the broadcasts and sends their bids on the way. */
export class AuctionSeats {
  /** Whether a maker wants to hear of auctions, and of best bids. */
  declare readonly watchesAuctions: boolean
  declare readonly watchesBestBid: boolean
  private declare readonly seats: readonly Seat[]
  private declare readonly pairs: PairEntities
  private declare readonly transit: Transit
  private declare readonly latencyDraws: Draws
  private declare readonly basisMoves: boolean
  private declare readonly feeOnMaker: boolean
  private declare readonly missDraws: Draws
  private declare readonly clerk: Clerk | null
  private declare readonly sourceCount: number
  private view = new AuctionView()
  /** The auction that a handler is looking at, or −1, and its content. */
  private shownAuction = NONE
  private shownContent = NONE

  constructor(play: ServicePlay, seats: readonly Seat[], pairs: PairEntities, key: RandomKey, transit: Transit) {
    this.seats = seats
    this.pairs = pairs
    this.transit = transit
    this.latencyDraws = new Draws(key, Purpose.cashOut)
    this.missDraws = new Draws(key, Purpose.confirmDelay)
    this.clerk = play.clerk
    this.basisMoves = play.basisMoves
    this.feeOnMaker = play.feeOnMaker
    this.sourceCount = play.sources.count
    this.watchesBestBid = seats.some((seat) => seat.handlers.onBestBid !== undefined)
    this.watchesAuctions = this.watchesBestBid || seats.some((seat) => seat.handlers.onCashOut !== undefined)
  }

  /** Tells every maker that holds its stream open, and has a use for it, of an auction or of its best bid (NaN: none). */
  broadcast(kind: number, auction: number, position: number, content: number, bestPriceMicros: number, version = NONE): void {
    const { seats, transit, latencyDraws } = this
    const { messages, contents, nowUs } = transit
    const entities = this.pairs.cells
    const source = sourceOfKey(contents.cells[content + ContentCell.drawKey]!)
    const from = this.pairs.at(source, 0)
    // One delay for all that is told of an auction: it comes in the order in which it happened.
    const index = this.index(content, source, AuctionWay.broadcast)
    let sent = 0
    for (let i = 0; i < seats.length; i++) {
      const seat = seats[i]!
      const handler = kind === MessageKind.auction ? seat.handlers.onCashOut : seat.handlers.onBestBid
      if (handler === undefined || !isReached(seat, nowUs)) continue
      const slot = messages.takeBare(kind, i)
      const { words, cells } = messages
      cells[slot + MessageCell.request] = NONE
      cells[slot + MessageCell.auction] = auction
      cells[slot + MessageCell.position] = position
      cells[slot + MessageCell.version] = version
      cells[slot + MessageCell.amount] = bestPriceMicros
      words[slot + MessageWord.content] = content
      sent++
      transit.send(slot, delayUs(seat.broadcast, latencyDraws, entities[from + i]!, index))
    }
    contents.hold(content, sent)
  }

  deliver(seat: Seat, slot: number, kind: number): void {
    const { messages, contents, nowUs } = this.transit
    const { view } = this
    const content = messages.words[slot + MessageWord.content]!
    view.auction = messages.cells[slot + MessageCell.auction]!
    view.position = messages.cells[slot + MessageCell.position]!
    view.version = messages.cells[slot + MessageCell.version]!
    view.deliveredAtUs = nowUs
    view.endsAtUs = contents.cells[content + ContentCell.expiresAtUs]!
    view.bestPriceMicros = messages.cells[slot + MessageCell.amount]!
    view.netStakeMicros = contents.cells[content + ContentCell.stakeMicros]!
    view.payoutMicros = contents.cells[content + ContentCell.stakeMicros]! + contents.cells[content + ContentCell.riskMicros]!
    view.profitFeeBps = contents.words[content + ContentWord.profitFeeBps]!
    view.isSeller = contents.words[content + ContentWord.seller] === seat.account
    view.isBackingMaker = contents.words[content + ContentWord.backer] === seat.account
    view.makerFeeBps = view.isBackingMaker && this.feeOnMaker ? view.profitFeeBps : 0
    view.maxPriceMicros = view.isBackingMaker ? contents.cells[content + ContentCell.boundMicros]! : view.payoutMicros
    view.costBasisMicros = this.basisMoves ? NaN : contents.cells[content + ContentCell.basisMicros]!
    contents.show(content, view.legs)
    this.shownAuction = view.auction
    this.shownContent = content
    if (kind === MessageKind.auction) seat.handlers.onCashOut?.(view, seat.desk)
    else seat.handlers.onBestBid?.(view, seat.desk)
    this.shownAuction = this.shownContent = NONE
  }

  submitBid(seat: Seat, auction: AuctionView, priceMicros: number, validUs: number, memoE9: number): void {
    const { messages, contents, contentOfAuction } = this.transit
    const validMs = Math.floor(validUs / MS_US)
    // What a maker looks at may have ended at the venue.
    const content = auction.auction === this.shownAuction ? this.shownContent : contentOfAuction.get(auction.auction)
    const slot = messages.take(MessageKind.command, seat.desk.seat)
    messages.words[slot + MessageWord.action] = Action.submitBid
    messages.words[slot + MessageWord.account] = seat.account
    messages.cells[slot + MessageCell.auction] = auction.auction
    messages.cells[slot + MessageCell.amount] = priceMicros
    messages.cells[slot + MessageCell.validMs] = validMs
    messages.cells[slot + MessageCell.memo] = memoE9
    messages.cells[slot + MessageCell.index] = content >= 0 ? contents.cells[content + ContentCell.drawKey]! : drawKey(this.sourceCount, auction.auction)
    const delay = seat.submit
    if (this.clerk !== null) this.clerk.bid(slot, auction, content, validMs, delay.baseUs + delay.jitterUs)
    this.transit.send(slot, content >= 0 ? this.delay(seat, delay, content, AuctionWay.bid) : delay.baseUs)
  }

  /** Sends a maker's command about the position of `content`; `way` is an AuctionWay. */
  sendCommand(message: number, seat: Seat, content: number, way: number): void {
    this.transit.send(message, this.delay(seat, seat.submit, content, way))
  }

  /** Sends a confirmation or decline of a taken bid. */
  sendConfirm(message: number, seat: Seat, content: number): void {
    this.transit.send(message, this.delay(seat, seat.confirm, content, AuctionWay.confirm))
  }

  /** Whether the fault of the maker's share of confirmations strikes that of its bid in the auction of `content`. */
  isConfirmMissed(seat: Seat, content: number): boolean {
    const { missConfirm } = seat.entry.faults
    if (missConfirm === 0) return false
    const source = sourceOfKey(this.transit.contents.cells[content + ContentCell.drawKey]!)
    return this.missDraws.uniform(this.pairs.cells[this.pairs.at(source, seat.desk.seat)]!, this.index(content, source, AuctionWay.confirm)) < missConfirm
  }

  private delay(seat: Seat, delay: Parameters<typeof delayUs>[0], content: number, way: number): number {
    const source = sourceOfKey(this.transit.contents.cells[content + ContentCell.drawKey]!)
    return delayUs(delay, this.latencyDraws, this.pairs.cells[this.pairs.at(source, seat.desk.seat)]!, this.index(content, source, way))
  }

  private index(content: number, source: number, way: number): number {
    const { contents } = this.transit
    return contents.words[content + ContentWord.auctions]! * AUCTION_DRAWS + arrivalOfKey(contents.cells[content + ContentCell.drawKey]!, source) * WAYS + way
  }

  /** A poisoned view stays so: a kept one must not come back to life with the next call. */
  changeView(): void {
    this.view.poison()
    this.view = new AuctionView()
  }
}
