import { delayUs } from '../agent/latency.ts'
import { AuctionView } from '../agent/views.ts'
import { Action } from '../agent/vocabulary.ts'
import { Draws, Purpose, type RandomKey } from '../kernel/random.ts'
import { MS_US } from '../unit/time.ts'
import type { CommandEnricher } from './enricher.ts'
import { ComboCell, ComboWord } from './combos.ts'
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
  private declare readonly enricher: CommandEnricher | null
  private declare readonly sourceCount: number
  private view = new AuctionView()
  /** The auction that a handler is looking at, or −1, and its combo. */
  private shownAuction = NONE
  private shownContent = NONE

  constructor(play: ServicePlay, seats: readonly Seat[], pairs: PairEntities, key: RandomKey, transit: Transit) {
    this.seats = seats
    this.pairs = pairs
    this.transit = transit
    this.latencyDraws = new Draws(key, Purpose.cashOut)
    this.missDraws = new Draws(key, Purpose.confirmDelay)
    this.enricher = play.enricher
    this.basisMoves = play.basisMoves
    this.feeOnMaker = play.feeOnMaker
    this.sourceCount = play.sources.count
    this.watchesBestBid = seats.some((seat) => seat.handlers.onBestBid !== undefined)
    this.watchesAuctions = this.watchesBestBid || seats.some((seat) => seat.handlers.onCashOut !== undefined)
  }

  /** Tells every maker that holds its stream open, and has a use for it, of an auction or of its best bid (NaN: none). */
  broadcast(kind: number, auction: number, position: number, combo: number, bestPriceMicros: number, version = NONE): void {
    const { seats, transit, latencyDraws } = this
    const { messages, combos, nowUs } = transit
    const entities = this.pairs.cells
    const source = sourceOfKey(combos.cells[combo + ComboCell.drawKey]!)
    const from = this.pairs.at(source, 0)
    // One delay for all that is told of an auction: it comes in the order in which it happened.
    const index = this.index(combo, source, AuctionWay.broadcast)
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
      words[slot + MessageWord.combo] = combo
      sent++
      transit.send(slot, delayUs(seat.broadcast, latencyDraws, entities[from + i]!, index))
    }
    combos.retain(combo, sent)
  }

  deliver(seat: Seat, slot: number, kind: number): void {
    const { messages, combos, nowUs } = this.transit
    const { view } = this
    const combo = messages.words[slot + MessageWord.combo]!
    view.auction = messages.cells[slot + MessageCell.auction]!
    view.position = messages.cells[slot + MessageCell.position]!
    view.version = messages.cells[slot + MessageCell.version]!
    view.deliveredAtUs = nowUs
    view.endsAtUs = combos.cells[combo + ComboCell.expiresAtUs]!
    view.bestPriceMicros = messages.cells[slot + MessageCell.amount]!
    view.netStakeMicros = combos.cells[combo + ComboCell.stakeMicros]!
    view.payoutMicros = combos.cells[combo + ComboCell.stakeMicros]! + combos.cells[combo + ComboCell.riskMicros]!
    view.profitFeeBps = combos.words[combo + ComboWord.profitFeeBps]!
    view.isSeller = combos.words[combo + ComboWord.seller] === seat.account
    view.isBackingMaker = combos.words[combo + ComboWord.backer] === seat.account
    view.makerFeeBps = view.isBackingMaker && this.feeOnMaker ? view.profitFeeBps : 0
    view.maxPriceMicros = view.isBackingMaker ? combos.cells[combo + ComboCell.boundMicros]! : view.payoutMicros
    view.costBasisMicros = this.basisMoves ? NaN : combos.cells[combo + ComboCell.basisMicros]!
    combos.show(combo, view.legs)
    this.shownAuction = view.auction
    this.shownContent = combo
    if (kind === MessageKind.auction) seat.handlers.onCashOut?.(view, seat.desk)
    else seat.handlers.onBestBid?.(view, seat.desk)
    this.shownAuction = this.shownContent = NONE
  }

  submitBid(seat: Seat, auction: AuctionView, priceMicros: number, validUs: number, memoE9: number): void {
    const { messages, combos, comboOfAuction } = this.transit
    const validMs = Math.floor(validUs / MS_US)
    // What a maker looks at may have ended at the venue.
    const combo = auction.auction === this.shownAuction ? this.shownContent : comboOfAuction.get(auction.auction)
    const slot = messages.take(MessageKind.command, seat.desk.seat)
    messages.words[slot + MessageWord.action] = Action.submitBid
    messages.words[slot + MessageWord.account] = seat.account
    messages.cells[slot + MessageCell.auction] = auction.auction
    messages.cells[slot + MessageCell.amount] = priceMicros
    messages.cells[slot + MessageCell.validMs] = validMs
    messages.cells[slot + MessageCell.memo] = memoE9
    messages.cells[slot + MessageCell.index] = combo >= 0 ? combos.cells[combo + ComboCell.drawKey]! : drawKey(this.sourceCount, auction.auction)
    const delay = seat.submit
    if (this.enricher !== null) this.enricher.bid(slot, auction, combo, validMs, delay.baseUs + delay.jitterUs)
    this.transit.send(slot, combo >= 0 ? this.delay(seat, delay, combo, AuctionWay.bid) : delay.baseUs)
  }

  /** Sends a maker's command about the position of `combo`; `way` is an AuctionWay. */
  sendCommand(message: number, seat: Seat, combo: number, way: number): void {
    this.transit.send(message, this.delay(seat, seat.submit, combo, way))
  }

  /** Sends a confirmation or decline of a taken bid. */
  sendConfirm(message: number, seat: Seat, combo: number): void {
    this.transit.send(message, this.delay(seat, seat.confirm, combo, AuctionWay.confirm))
  }

  /** Whether the fault of the maker's share of confirmations strikes that of its bid in the auction of `combo`. */
  isConfirmMissed(seat: Seat, combo: number): boolean {
    const { missConfirm } = seat.entry.faults
    if (missConfirm === 0) return false
    const source = sourceOfKey(this.transit.combos.cells[combo + ComboCell.drawKey]!)
    return this.missDraws.uniform(this.pairs.cells[this.pairs.at(source, seat.desk.seat)]!, this.index(combo, source, AuctionWay.confirm)) < missConfirm
  }

  private delay(seat: Seat, delay: Parameters<typeof delayUs>[0], combo: number, way: number): number {
    const source = sourceOfKey(this.transit.combos.cells[combo + ComboCell.drawKey]!)
    return delayUs(delay, this.latencyDraws, this.pairs.cells[this.pairs.at(source, seat.desk.seat)]!, this.index(combo, source, way))
  }

  private index(combo: number, source: number, way: number): number {
    const { combos } = this.transit
    return combos.words[combo + ComboWord.auctions]! * AUCTION_DRAWS + arrivalOfKey(combos.cells[combo + ComboCell.drawKey]!, source) * WAYS + way
  }

  /** A poisoned view stays so: a kept one must not come back to life with the next call. */
  changeView(): void {
    this.view.poison()
    this.view = new AuctionView()
  }
}
