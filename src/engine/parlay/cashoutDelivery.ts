import { assert } from '../../unit/assert.ts'
import type { NumberRing } from '../../unit/numberRing.ts'
import type { Image, Snapshot } from '../../unit/snapshot.ts'
import { type EventRows, Field } from '../../venue/eventRows.ts'
import { AuctionState, ParlayEvent } from '../../venue/parlay/protocol/events.ts'
import { ContentCell, ContentWord } from '../contents.ts'
import { Bought } from '../heldPositions.ts'
import type { MakerSeats } from '../makerSeats.ts'
import { BackedEnd, MessageKind } from '../messages.ts'
import type { Sellers } from '../sellers.ts'
import type { Transit } from '../transit.ts'

/**
 * Brings rows of cash-outs to those who may see them: auctions and best bids to makers that watch, bids and ends to the seller,
 * and to makers what happens to positions that they hold instead of backing.
 */
export class CashoutDelivery implements Snapshot {
  opened = 0
  sales = 0
  private declare readonly rows: EventRows
  private declare readonly transit: Transit
  private declare readonly makers: MakerSeats
  private declare readonly sellers: Sellers
  /** Content of an open position, by position number; shared with Delivery. */
  private declare readonly contentOfPosition: NumberRing
  private declare readonly backedEnded: (row: number, returnedMicros: number, how: number) => void

  /** `backedEnded` tells the backing maker of the row's position its end, and what it got back. */
  constructor(
    rows: EventRows, transit: Transit, makers: MakerSeats, sellers: Sellers, contentOfPosition: NumberRing,
    backedEnded: (row: number, returnedMicros: number, how: number) => void,
  ) {
    this.rows = rows
    this.transit = transit
    this.makers = makers
    this.sellers = sellers
    this.contentOfPosition = contentOfPosition
    this.backedEnded = backedEnded
  }

  /** `row` is the index of the first cell of a row of `kind`, a positionBoughtBack or later. */
  route(row: number, kind: number): void {
    switch (kind) {
      case ParlayEvent.positionBoughtBack: return this.boughtBack(row)
      case ParlayEvent.positionTransferred: return this.transferred(row)
      case ParlayEvent.positionFailed: return this.failed(row)
      case ParlayEvent.auctionOpened: return this.auctionOpened(row)
      case ParlayEvent.auctionCancelled: return this.auctionEnded(row, AuctionState.cancelled)
      case ParlayEvent.auctionExpired: return this.auctionEnded(row, AuctionState.expired)
      case ParlayEvent.auctionCommitted: this.sales++; return this.forget(this.rows.cells[row + Field.auction]!)
      case ParlayEvent.bestBidChanged: return this.bestChanged(row)
    }
  }

  /** A position opened, of the request of `key`. `content` is its own. */
  positionOpened(row: number, key: number, content: number): void {
    const { rows, transit } = this
    transit.contents.words[content + ContentWord.auctions] = 0
    transit.contents.words[content + ContentWord.profitFeeBps] = rows.cells[row + Field.amountD]!
    this.sellers.opened(rows, row, key)
    const seat = this.makers.seatOf(rows.cells[row + Field.account]!)
    if (seat >= 0) this.take(row, seat, content, rows.cells[row + Field.amountA]! + rows.cells[row + Field.amountC]!, Bought.bet)
  }

  /** A position was settled, or never funded. */
  positionEnded(row: number): void {
    const { rows } = this
    this.sellers.ended(rows.cells[row + Field.position]!)
    this.makers.held.leave(rows.cells[row + Field.position]!, rows.cells[row + Field.amountA]!, MessageKind.heldEnded)
  }

  private auctionOpened(row: number): void {
    const { rows, transit, makers } = this
    const { contents } = transit
    this.opened++
    const position = rows.cells[row + Field.position]!
    const whole = this.contentOfPosition.get(position)
    assert(whole >= 0, 'only an open position is auctioned')
    contents.words[whole + ContentWord.auctions]!++
    if (!makers.auctions.watchesAuctions) return
    const content = contents.ofRow(rows, row, contents.cells[whole + ContentCell.drawKey]!)
    contents.cells[content + ContentCell.stakeMicros] = rows.cells[row + Field.amountB]!
    contents.cells[content + ContentCell.riskMicros] = rows.cells[row + Field.amountA]! - rows.cells[row + Field.amountB]!
    contents.cells[content + ContentCell.basisMicros] = rows.cells[row + Field.amountC]!
    contents.cells[content + ContentCell.boundMicros] = rows.cells[row + Field.amountD]!
    contents.words[content + ContentWord.seller] = rows.cells[row + Field.account]!
    contents.words[content + ContentWord.backer] = rows.cells[row + Field.other]!
    contents.cells[content + ContentCell.expiresAtUs] = rows.cells[row + Field.untilUs]!
    contents.words[content + ContentWord.auctions] = contents.words[whole + ContentWord.auctions]!
    contents.words[content + ContentWord.profitFeeBps] = contents.words[whole + ContentWord.profitFeeBps]!
    const auction = rows.cells[row + Field.auction]!
    transit.contentOfAuction.set(auction, content)
    makers.auctions.broadcast(MessageKind.auction, auction, position, content, -1)
  }

  private bestChanged(row: number): void {
    const { rows, makers } = this
    const position = rows.cells[row + Field.position]!
    const auction = rows.cells[row + Field.auction]!
    const priceMicros = rows.cells[row + Field.amountA]!
    this.sellers.sendBest(position, auction, rows.cells[row + Field.quote]!, priceMicros)
    makers.held.sendBest(position, auction, rows.cells[row + Field.quote]!, priceMicros)
    if (!makers.auctions.watchesBestBid) return
    const content = this.transit.contentOfAuction.get(auction)
    if (content >= 0) makers.auctions.broadcast(MessageKind.bestBid, auction, position, content, priceMicros)
  }

  private auctionEnded(row: number, state: number): void {
    const position = this.rows.cells[row + Field.position]!
    const auction = this.rows.cells[row + Field.auction]!
    this.forget(auction)
    this.sellers.sendEnd(position, auction, state)
    this.makers.held.sendEnd(position, auction, state)
  }

  private forget(auction: number): void {
    const { contents, contentOfAuction } = this.transit
    const content = contentOfAuction.get(auction)
    if (content < 0) return
    contents.drop(content)
    contentOfAuction.delete(auction)
  }

  private boughtBack(row: number): void {
    this.sold(row)
    this.backedEnded(row, this.rows.cells[row + Field.amountD]!, BackedEnd.boughtBack)
  }

  private transferred(row: number): void {
    const { rows } = this
    this.sold(row)
    const seat = this.makers.seatOf(rows.cells[row + Field.other]!)
    const content = this.contentOfPosition.get(rows.cells[row + Field.position]!)
    if (seat >= 0 && content >= 0) this.take(row, seat, content, rows.cells[row + Field.amountA]!, Bought.bid)
  }

  private sold(row: number): void {
    const { rows } = this
    const position = rows.cells[row + Field.position]!
    const receivedMicros = rows.cells[row + Field.amountB]!
    this.sellers.sold(position, rows.cells[row + Field.auction]!, receivedMicros)
    this.makers.held.leave(position, receivedMicros, MessageKind.heldSold)
  }

  private failed(row: number): void {
    this.positionEnded(row)
    this.backedEnded(row, this.rows.cells[row + Field.amountB]!, BackedEnd.settled)
  }

  private take(row: number, seat: number, of: number, costMicros: number, how: number): void {
    const { cells } = this.rows
    this.makers.held.take(seat, cells[row + Field.position]!, cells[row + Field.request]!, of, costMicros, how)
  }

  snapshot(): Image {
    return { opened: this.opened, sales: this.sales, held: this.makers.held.snapshot() }
  }

  restore(image: Image): void {
    const from = image as { opened: number; sales: number; held: Image }
    this.opened = from.opened
    this.sales = from.sales
    this.makers.held.restore(from.held)
  }
}
