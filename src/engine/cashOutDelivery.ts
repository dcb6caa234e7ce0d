import type { AuctionOutcome } from '../agent/vocabulary.ts'
import { assert } from '../unit/assert.ts'
import type { NumberRing } from '../unit/numberRing.ts'
import type { Image, Snapshot } from '../unit/snapshot.ts'
import type { Row } from '../venue/eventCells.ts'
import type { EventRows } from '../venue/eventRows.ts'
import { ComboCell, ComboWord } from './combos.ts'
import type { MakerSeats } from './makerSeats.ts'
import { MessageKind } from './messages.ts'
import type { Sellers } from './sellers.ts'
import type { Transit } from './transit.ts'

/**
 * Brings what becomes of cash-outs to those who may know it: bids and ends to the seller, a bettor or a maker, and auctions to makers that
 * watch. A service's own delivery says which of its rows mean that. On the outcome service an auction is a cash-out RFQ.
 */
export abstract class CashOutDelivery implements Snapshot {
  opened = 0
  sales = 0
  protected declare readonly rows: EventRows
  protected declare readonly transit: Transit
  protected declare readonly makers: MakerSeats
  protected declare readonly sellers: Sellers
  /** Combo of an open position, by position number; shared with the service's delivery. */
  protected declare readonly comboOfPosition: NumberRing

  constructor(rows: EventRows, transit: Transit, makers: MakerSeats, sellers: Sellers, comboOfPosition: NumberRing) {
    this.rows = rows
    this.transit = transit
    this.makers = makers
    this.sellers = sellers
    this.comboOfPosition = comboOfPosition
  }

  /** A position was settled, or never funded. */
  positionEnded(position: number, toHolderMicros: number): void {
    this.sellers.ended(position, toHolderMicros)
    this.makers.held.leave(position, toHolderMicros, MessageKind.heldEnded)
  }

  /** A position is put up for sale once more. Returns its combo. */
  protected auctioned(position: number): number {
    this.opened++
    const whole = this.comboOfPosition.get(position)
    assert(whole >= 0, 'only an open position is auctioned')
    this.transit.combos.words[whole + ComboWord.auctions]!++
    return whole
  }

  /** A combo for an auction's messages, of the row that opened the auction and the combo `whole` of its position. */
  protected comboOf(row: Row, whole: number, stakeMicros: number, payoutMicros: number): number {
    const { combos } = this.transit
    const combo = combos.ofRow(this.rows, row, combos.cells[whole + ComboCell.drawKey]!)
    combos.cells[combo + ComboCell.stakeMicros] = stakeMicros
    combos.cells[combo + ComboCell.riskMicros] = payoutMicros - stakeMicros
    combos.words[combo + ComboWord.auctions] = combos.words[whole + ComboWord.auctions]!
    combos.words[combo + ComboWord.profitFeeBps] = combos.words[whole + ComboWord.profitFeeBps]!
    return combo
  }

  /** Tells the seller its best bid. */
  protected sendBest(position: number, auction: number, bid: number, priceMicros: number): void {
    this.sellers.sendBest(position, auction, bid, priceMicros)
    this.makers.held.sendBest(position, auction, bid, priceMicros)
  }

  /** Tells the seller how an auction ended. */
  protected sendEnd(position: number, auction: number, outcome: AuctionOutcome): void {
    this.sellers.sendEnd(position, auction, outcome)
    this.makers.held.sendEnd(position, auction, outcome)
  }

  /** Tells the seller what it got. */
  protected sold(position: number, auction: number, receivedMicros: number): void {
    this.sellers.sold(position, auction, receivedMicros)
    this.makers.held.leave(position, receivedMicros, MessageKind.heldSold)
  }

  /** An auction is over, and its combo is let go. */
  protected forget(auction: number): void {
    const { combos, comboOfAuction } = this.transit
    const combo = comboOfAuction.get(auction)
    if (combo < 0) return
    combos.release(combo)
    comboOfAuction.delete(auction)
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
