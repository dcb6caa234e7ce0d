import { assert } from '../../unit/assert.ts'
import type { NumberRing } from '../../unit/numberRing.ts'
import type { Image, Snapshot } from '../../unit/snapshot.ts'
import { type EventRows, NONE } from '../../venue/eventRows.ts'
import { OutcomeEvent, OutcomeField as Field, RfqEnd } from '../../venue/outcome/protocol/events.ts'
import { AuctionState } from '../../venue/parlay/protocol/events.ts'
import { ContentCell, ContentWord } from '../contents.ts'
import { Bought } from '../heldPositions.ts'
import type { MakerSeats } from '../makerSeats.ts'
import { BackedEnd, MessageCell, MessageKind, MessageWord } from '../messages.ts'
import type { Sellers } from '../sellers.ts'
import type { Transit } from '../transit.ts'

/**
 * Brings rows of cash-out RFQs to those who may see them. To strategies such an RFQ is an auction: its quotes are bids, its number the
 * auction's, and its end without a sale that of an auction.
 */
export class CashoutDelivery implements Snapshot {
  opened = 0
  sales = 0
  private declare readonly rows: EventRows
  private declare readonly transit: Transit
  private declare readonly makers: MakerSeats
  private declare readonly sellers: Sellers
  /** Content of an open position, by position number; shared with OutcomeDelivery. */
  private declare readonly contentOfPosition: NumberRing
  private declare readonly profitOverGross: boolean
  private declare readonly backedEnded: (row: number, returnedMicros: number, how: number) => void

  /** `backedEnded` tells the backing maker of the row's position its end, and what it got back. */
  constructor(
    rows: EventRows, transit: Transit, makers: MakerSeats, sellers: Sellers, contentOfPosition: NumberRing, profitOverGross: boolean,
    backedEnded: (row: number, returnedMicros: number, how: number) => void,
  ) {
    this.rows = rows
    this.transit = transit
    this.makers = makers
    this.sellers = sellers
    this.contentOfPosition = contentOfPosition
    this.profitOverGross = profitOverGross
    this.backedEnded = backedEnded
  }

  /** A position opened, of the request of `key`. `content` is its own. */
  positionOpened(row: number, key: number, content: number): void {
    const { rows: { cells }, transit: { contents } } = this
    const stakeMicros = cells[row + Field.amountA]!
    contents.words[content + ContentWord.profitFeeBps] = cells[row + Field.amountD]!
    contents.cells[content + ContentCell.basisMicros] = this.profitOverGross ? stakeMicros + cells[row + Field.amountC]! : stakeMicros
    this.sellers.opened(this.rows, row, key)
  }

  /** A position was settled. */
  positionEnded(row: number): void {
    const { cells } = this.rows
    this.sellers.ended(cells[row + Field.position]!)
    this.makers.held.leave(cells[row + Field.position]!, cells[row + Field.amountA]!, MessageKind.heldEnded)
  }

  auctionOpened(row: number): void {
    const { rows, transit, makers } = this
    const { contents } = transit
    this.opened++
    const position = rows.cells[row + Field.position]!
    const whole = this.contentOfPosition.get(position)
    assert(whole >= 0, 'only an open position is auctioned')
    contents.words[whole + ContentWord.auctions]!++
    const content = contents.ofRow(rows, row, contents.cells[whole + ContentCell.drawKey]!)
    contents.cells[content + ContentCell.stakeMicros] = rows.cells[row + Field.amountB]!
    contents.cells[content + ContentCell.riskMicros] = rows.cells[row + Field.amountA]! - rows.cells[row + Field.amountB]!
    contents.cells[content + ContentCell.basisMicros] = contents.cells[whole + ContentCell.basisMicros]!
    contents.cells[content + ContentCell.boundMicros] = rows.cells[row + Field.amountA]!
    contents.words[content + ContentWord.seller] = rows.cells[row + Field.account]!
    contents.words[content + ContentWord.backer] = rows.cells[row + Field.other]!
    contents.cells[content + ContentCell.expiresAtUs] = rows.cells[row + Field.untilUs]!
    contents.words[content + ContentWord.auctions] = contents.words[whole + ContentWord.auctions]!
    contents.words[content + ContentWord.profitFeeBps] = contents.words[whole + ContentWord.profitFeeBps]!
    const rfq = rows.cells[row + Field.rfq]!
    transit.contentOfAuction.set(rfq, content)
    makers.auctions.broadcast(MessageKind.auction, rfq, position, content, NONE, rows.cells[row + Field.generation]!)
  }

  bestChanged(row: number): void {
    const { cells } = this.rows
    const position = cells[row + Field.position]!
    const rfq = cells[row + Field.rfq]!
    this.sellers.sendBest(position, rfq, cells[row + Field.quote]!, cells[row + Field.amountD]!)
    this.makers.held.sendBest(position, rfq, cells[row + Field.quote]!, cells[row + Field.amountD]!)
  }

  /** A bid was accepted: its maker has its last look. */
  bidTaken(row: number): void {
    const { rows: { cells }, transit: { contents, contentOfAuction, messages } } = this
    const content = contentOfAuction.get(cells[row + Field.rfq]!)
    assert(content >= 0, 'only a bid in an auction that is not over is taken')
    const slot = messages.take(MessageKind.bidTaken, this.makers.seatOf(cells[row + Field.account]!))
    messages.cells[slot + MessageCell.request] = cells[row + Field.rfq]!
    messages.cells[slot + MessageCell.version] = cells[row + Field.generation]!
    messages.cells[slot + MessageCell.quote] = cells[row + Field.quote]!
    messages.cells[slot + MessageCell.position] = cells[row + Field.position]!
    messages.cells[slot + MessageCell.auction] = cells[row + Field.acceptance]!
    messages.cells[slot + MessageCell.amount] = cells[row + Field.amountD]!
    messages.cells[slot + MessageCell.untilUs] = cells[row + Field.untilUs]!
    messages.words[slot + MessageWord.content] = content
    contents.hold(content)
    this.makers.sendTo(slot, contents.cells[content + ContentCell.drawKey]!)
  }

  /** The RFQ is over; after a fill the position is sold once the operation is done. */
  auctionEnded(row: number): void {
    const { cells } = this.rows
    const { contents, contentOfAuction } = this.transit
    const rfq = cells[row + Field.rfq]!
    const content = contentOfAuction.get(rfq)
    if (content >= 0) {
      contents.drop(content)
      contentOfAuction.delete(rfq)
    }
    const kind = cells[row + Field.kind]!
    if (kind === OutcomeEvent.rfqFilled) return
    const isCancelled = kind === OutcomeEvent.rfqCancelled && cells[row + Field.code] === RfqEnd.byOwner
    this.sendEnd(row, isCancelled ? AuctionState.cancelled : AuctionState.expired)
  }

  /** The sale failed on the chain: the position is open again. */
  operationFailed(row: number): void {
    this.sendEnd(row, AuctionState.expired)
  }

  private sendEnd(row: number, state: number): void {
    const position = this.rows.cells[row + Field.position]!
    const rfq = this.rows.cells[row + Field.rfq]!
    this.sellers.sendEnd(position, rfq, state)
    this.makers.held.sendEnd(position, rfq, state)
  }

  /** The backing maker took the position back. */
  closed(row: number): void {
    this.sold(row)
    this.backedEnded(row, this.rows.cells[row + Field.amountD]!, BackedEnd.boughtBack)
  }

  /** Another maker took it over. */
  transferred(row: number): void {
    const { cells } = this.rows
    this.sold(row)
    const position = cells[row + Field.position]!
    const content = this.contentOfPosition.get(position)
    this.makers.held.take(
      this.makers.seatOf(cells[row + Field.other]!), position, cells[row + Field.rfq]!, content, cells[row + Field.amountA]!, Bought.bid,
    )
  }

  private sold(row: number): void {
    const { cells } = this.rows
    const position = cells[row + Field.position]!
    const receivedMicros = cells[row + Field.amountB]!
    this.sales++
    this.sellers.sold(position, cells[row + Field.rfq]!, receivedMicros)
    this.makers.held.leave(position, receivedMicros, MessageKind.heldSold)
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
