import { delayUs } from '../agent/latency.ts'
import { AuctionRow } from '../agent/rows.ts'
import type { AuctionView } from '../agent/views.ts'
import { Action } from '../agent/vocabulary.ts'
import { Draws, Purpose, type RandomKey } from '../kernel/random.ts'
import { assert } from '../unit/assert.ts'
import { NONE } from '../unit/none.ts'
import { MS_US } from '../unit/time.ts'
import type { CommandEnricher } from './enricher.ts'
import { ComboCell, ComboWord } from './combos.ts'
import { arrivalOfKey, sourceOfKey } from './drawKeys.ts'
import { AuctionMessage, CashOutMessage } from './messageCells.ts'
import { MessageKind, MessageWord } from './messages.ts'
import type { ServicePlay } from './play.ts'
import type { PairEntities } from './pairEntities.ts'
import { isReached } from './reach.ts'
import type { Seat } from './seat.ts'
import { Shown } from './shown.ts'
import type { Transit } from './transit.ts'

/** Draws about a position's request are numbered arrival × 8 + way, and again from each multiple of 2³² for its auctions. */
export const AuctionWay = { broadcast: 0, bid: 1, open: 2, take: 3, cancel: 4, confirm: 5 } as const
const WAYS = 8
const AUCTION_DRAWS = 2 ** 32

/** The makers' part in auctions: brings them the broadcasts and sends their bids on the way. */
export class AuctionSeats {
  /** Whether a maker wants to hear of auctions, and of best bids. */
  declare watchesAuctions: boolean
  declare watchesBestBid: boolean
  private declare readonly seats: readonly Seat[]
  private declare readonly pairs: PairEntities
  private declare readonly transit: Transit
  private declare readonly latencyDraws: Draws
  private declare readonly basisMoves: boolean
  private declare readonly feeOnMaker: boolean
  private declare readonly missDraws: Draws
  private declare readonly enricher: CommandEnricher | null
  private declare readonly shown: Shown<AuctionRow, AuctionView>
  /** Combo of the auction that a handler is looking at, or −1. */
  private shownCombo = NONE

  constructor(play: ServicePlay, seats: readonly Seat[], pairs: PairEntities, key: RandomKey, transit: Transit) {
    this.seats = seats
    this.pairs = pairs
    this.transit = transit
    this.latencyDraws = new Draws(key, Purpose.cashOut)
    this.missDraws = new Draws(key, Purpose.confirmDelay)
    this.enricher = play.enricher
    this.basisMoves = play.basisMoves
    this.feeOnMaker = play.feeOnMaker
    this.shown = new Shown(play.realms, () => new AuctionRow(), (facades, row) => facades.auction(row))
    this.handlersChanged()
  }

  /** A maker has other handlers from now on. */
  handlersChanged(): void {
    this.watchesBestBid = this.seats.some((seat) => seat.handlers.onBestBid !== undefined)
    this.watchesAuctions = this.watchesBestBid || this.seats.some((seat) => seat.handlers.onCashOut !== undefined)
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
      cells[slot + AuctionMessage.request] = NONE
      cells[slot + AuctionMessage.auction] = auction
      cells[slot + AuctionMessage.position] = position
      cells[slot + AuctionMessage.version] = version
      cells[slot + AuctionMessage.bestPriceMicros] = bestPriceMicros
      words[slot + MessageWord.combo] = combo
      sent++
      transit.send(slot, delayUs(seat.broadcast, latencyDraws, entities[from + i]!, index))
    }
    combos.retain(combo, sent)
  }

  deliver(seat: Seat, slot: number, kind: number): void {
    const { messages, combos, nowUs } = this.transit
    const { row, views } = this.shown
    const view = views[seat.realm]!
    const combo = messages.words[slot + MessageWord.combo]!
    row.auction = messages.cells[slot + AuctionMessage.auction]!
    row.position = messages.cells[slot + AuctionMessage.position]!
    row.version = messages.cells[slot + AuctionMessage.version]!
    row.deliveredAtUs = nowUs
    row.endsAtUs = combos.cells[combo + ComboCell.expiresAtUs]!
    row.bestPriceMicros = messages.cells[slot + AuctionMessage.bestPriceMicros]!
    row.netStakeMicros = combos.cells[combo + ComboCell.stakeMicros]!
    row.payoutMicros = combos.cells[combo + ComboCell.stakeMicros]! + combos.cells[combo + ComboCell.riskMicros]!
    row.profitFeeBps = combos.words[combo + ComboWord.profitFeeBps]!
    row.isSeller = combos.words[combo + ComboWord.seller] === seat.account
    row.isBackingMaker = combos.words[combo + ComboWord.backer] === seat.account
    row.makerFeeBps = row.isBackingMaker && this.feeOnMaker ? row.profitFeeBps : 0
    row.maxPriceMicros = row.isBackingMaker ? combos.cells[combo + ComboCell.boundMicros]! : row.payoutMicros
    row.costBasisMicros = this.basisMoves ? NaN : combos.cells[combo + ComboCell.basisMicros]!
    combos.show(combo, row.legs)
    this.shownCombo = combo
    row.show(seat.book)
    if (kind === MessageKind.auction) seat.handlers.onCashOut?.(view, seat.desk)
    else seat.handlers.onBestBid?.(view, seat.desk)
    row.hide()
    this.shownCombo = NONE
  }

  submitBid(seat: Seat, auction: AuctionRow, priceMicros: number, validUs: number, memoE9: number, productE9: number): void {
    const { messages, combos } = this.transit
    const validMs = Math.floor(validUs / MS_US)
    const combo = this.shownCombo
    assert(combo >= 0, 'a bid is made while its auction is being shown')
    const slot = messages.take(MessageKind.command, seat.book.seat)
    messages.words[slot + MessageWord.action] = Action.submitBid
    messages.words[slot + MessageWord.account] = seat.account
    messages.cells[slot + CashOutMessage.auction] = auction.auction
    messages.cells[slot + CashOutMessage.priceMicros] = priceMicros
    messages.cells[slot + CashOutMessage.validMs] = validMs
    messages.cells[slot + CashOutMessage.memoE9] = memoE9
    messages.cells[slot + CashOutMessage.productE9] = productE9
    messages.cells[slot + CashOutMessage.drawKey] = combos.cells[combo + ComboCell.drawKey]!
    const delay = seat.submit
    if (this.enricher !== null) this.enricher.bid(slot, auction, combo, validMs, delay.baseUs + delay.jitterUs)
    this.transit.send(slot, this.bidDelayUs(seat, combo))
  }

  /** Combo of an auction: that which is being shown, else its own while it is active, else −1. */
  comboOf(auction: number): number {
    return this.shownCombo >= 0 && this.shown.row.auction === auction ? this.shownCombo : this.transit.comboOfAuction.get(auction)
  }

  /** The auction that a handler is looking at, or −1. */
  get shownAuction(): number {
    return this.shownCombo >= 0 ? this.shown.row.auction : NONE
  }

  /** How long a bid in the auction of `combo` is on its way. */
  bidDelayUs(seat: Seat, combo: number): number {
    return this.delay(seat, seat.submit, combo, AuctionWay.bid)
  }

  /** The same of a confirmation or decline of a taken bid. */
  confirmDelayUs(seat: Seat, combo: number): number {
    return this.delay(seat, seat.confirm, combo, AuctionWay.confirm)
  }

  /** Sends a maker's command about the position of `combo`; `way` is an AuctionWay. */
  sendCommand(message: number, seat: Seat, combo: number, way: number): void {
    this.transit.send(message, this.commandDelayUs(seat, combo, way))
  }

  /** How long such a command is on its way. */
  commandDelayUs(seat: Seat, combo: number, way: number): number {
    return this.delay(seat, seat.submit, combo, way)
  }

  /** Sends a confirmation or decline of a taken bid. */
  sendConfirm(message: number, seat: Seat, combo: number): void {
    this.transit.send(message, this.confirmDelayUs(seat, combo))
  }

  /** Whether the fault of the maker's share of confirmations strikes that of its bid in the auction of `combo`. */
  isConfirmMissed(seat: Seat, combo: number): boolean {
    const { missConfirm } = seat.entry.faults
    if (missConfirm === 0) return false
    const source = sourceOfKey(this.transit.combos.cells[combo + ComboCell.drawKey]!)
    return this.missDraws.uniform(this.pairs.cells[this.pairs.at(source, seat.book.seat)]!, this.index(combo, source, AuctionWay.confirm)) < missConfirm
  }

  private delay(seat: Seat, delay: Parameters<typeof delayUs>[0], combo: number, way: number): number {
    const source = sourceOfKey(this.transit.combos.cells[combo + ComboCell.drawKey]!)
    return delayUs(delay, this.latencyDraws, this.pairs.cells[this.pairs.at(source, seat.book.seat)]!, this.index(combo, source, way))
  }

  private index(combo: number, source: number, way: number): number {
    const { combos } = this.transit
    return combos.words[combo + ComboWord.auctions]! * AUCTION_DRAWS + arrivalOfKey(combos.cells[combo + ComboCell.drawKey]!, source) * WAYS + way
  }

  renewView(): void {
    this.shown.renew()
  }
}
