import { orUnknown } from '../../agent/rows.ts'
import type { AuctionOutcome } from '../../agent/vocabulary.ts'
import type { NumberRing } from '../../unit/numberRing.ts'
import { type KindOf, type Row, rowOfKind } from '../../venue/eventCells.ts'
import type { EventRows } from '../../venue/eventRows.ts'
import {
  AuctionCancelled, AuctionOpened, AuctionRow, BidRow, ParlayEvent, type ParlayKind, PositionBoughtBack, PositionFailed, PositionOpened, PositionRow,
  PositionTransferred,
} from '../../venue/parlay/protocol/events.ts'
import { CashOutDelivery } from '../cashOutDelivery.ts'
import { ComboCell, ComboWord } from '../combos.ts'
import { Bought } from '../heldPositions.ts'
import type { MakerSeats } from '../makerSeats.ts'
import { BackedEnd, MessageKind } from '../messages.ts'
import type { Sellers } from '../sellers.ts'
import type { Transit } from '../transit.ts'
import { auctionOutcomeOf } from './translation.ts'

/**
 * Brings rows of cash-outs to those who may see them: auctions and best bids to makers that watch, bids and ends to the seller,
 * and to makers what happens to positions that they hold instead of backing.
 */
export class ParlayCashOutDelivery extends CashOutDelivery {
  private declare readonly backedEnded: (row: Row<KindOf<typeof PositionRow>>, returnedMicros: number, how: number) => void

  /** `backedEnded` tells the backing maker of the row's position its end, and what it got back. */
  constructor(
    rows: EventRows, transit: Transit, makers: MakerSeats, sellers: Sellers, comboOfPosition: NumberRing,
    backedEnded: (row: Row<KindOf<typeof PositionRow>>, returnedMicros: number, how: number) => void,
  ) {
    super(rows, transit, makers, sellers, comboOfPosition)
    this.backedEnded = backedEnded
  }

  /** `kind` is the row's, a positionBoughtBack or later. */
  route(row: Row, kind: ParlayKind): void {
    switch (kind) {
      case ParlayEvent.positionBoughtBack: return this.boughtBack(rowOfKind(row, kind))
      case ParlayEvent.positionTransferred: return this.transferred(rowOfKind(row, kind))
      case ParlayEvent.positionFailed: return this.failed(rowOfKind(row, kind))
      case ParlayEvent.auctionOpened: return this.auctionOpened(rowOfKind(row, kind))
      case ParlayEvent.auctionCancelled: return this.auctionCancelled(rowOfKind(row, kind))
      case ParlayEvent.auctionExpired: return this.auctionEnded(rowOfKind(row, kind), auctionOutcomeOf(kind))
      case ParlayEvent.auctionCommitted: this.sales++; return this.forget(this.rows.read(rowOfKind(row, kind), AuctionRow.auction))
      case ParlayEvent.bestBidChanged: return this.bestChanged(rowOfKind(row, kind))
    }
  }

  /** A position opened, of the request of `key`. `combo` is its own. */
  positionOpened(row: Row<'parlay.positionOpened'>, key: number, combo: number): void {
    const { rows, transit } = this
    transit.combos.words[combo + ComboWord.auctions] = 0
    transit.combos.words[combo + ComboWord.profitFeeBps] = rows.read(row, PositionOpened.profitFeeBps)
    this.sellers.opened(rows, row, key)
    const seat = this.makers.seatOf(rows.read(row, PositionOpened.holder))
    if (seat < 0) return
    const costMicros = rows.read(row, PositionOpened.netStakeMicros) + rows.read(row, PositionOpened.takerFeeMicros)
    this.makers.held.take(seat, rows.read(row, PositionOpened.position), rows.read(row, PositionOpened.request), combo, costMicros, Bought.bet)
  }

  private auctionOpened(row: Row<'parlay.auctionOpened'>): void {
    const { rows, transit, makers } = this
    const position = rows.read(row, AuctionOpened.position)
    const whole = this.auctioned(position)
    if (!makers.auctions.watchesAuctions) return
    const { combos } = transit
    const combo = this.comboOf(row, whole, rows.read(row, AuctionOpened.netStakeMicros), rows.read(row, AuctionOpened.payoutMicros))
    combos.cells[combo + ComboCell.basisMicros] = rows.read(row, AuctionOpened.basisMicros)
    combos.cells[combo + ComboCell.boundMicros] = rows.read(row, AuctionOpened.boundMicros)
    combos.words[combo + ComboWord.seller] = rows.read(row, AuctionOpened.seller)
    combos.words[combo + ComboWord.backer] = rows.read(row, AuctionOpened.backer)
    combos.cells[combo + ComboCell.expiresAtUs] = rows.read(row, AuctionOpened.endsAtUs)
    const auction = rows.read(row, AuctionOpened.auction)
    transit.comboOfAuction.set(auction, combo)
    makers.auctions.broadcast(MessageKind.auction, auction, position, combo, NaN)
  }

  private bestChanged(row: Row<KindOf<typeof BidRow>>): void {
    const { rows, makers } = this
    const position = rows.read(row, BidRow.position)
    const auction = rows.read(row, BidRow.auction)
    const priceMicros = rows.read(row, BidRow.priceMicros)
    this.sendBest(position, auction, rows.read(row, BidRow.bid), priceMicros)
    if (!makers.auctions.watchesBestBid) return
    const combo = this.transit.comboOfAuction.get(auction)
    if (combo >= 0) makers.auctions.broadcast(MessageKind.bestBid, auction, position, combo, orUnknown(priceMicros))
  }

  private auctionCancelled(row: Row<KindOf<typeof AuctionCancelled>>): void {
    this.auctionEnded(row, auctionOutcomeOf(ParlayEvent.auctionCancelled, this.rows.read(row, AuctionCancelled.reason)))
  }

  private auctionEnded(row: Row<KindOf<typeof AuctionRow>>, outcome: AuctionOutcome): void {
    const position = this.rows.read(row, AuctionRow.position)
    const auction = this.rows.read(row, AuctionRow.auction)
    this.forget(auction)
    this.sendEnd(position, auction, outcome)
  }

  private boughtBack(row: Row<'parlay.positionBoughtBack'>): void {
    const { rows } = this
    const toHolderMicros = rows.read(row, PositionBoughtBack.toHolderMicros)
    this.sold(rows.read(row, PositionBoughtBack.position), rows.read(row, PositionBoughtBack.auction), toHolderMicros)
    this.backedEnded(row, rows.read(row, PositionBoughtBack.toBackerMicros), BackedEnd.boughtBack)
  }

  private transferred(row: Row<'parlay.positionTransferred'>): void {
    const { rows } = this
    const position = rows.read(row, PositionTransferred.position)
    this.sold(position, rows.read(row, PositionTransferred.auction), rows.read(row, PositionTransferred.toSellerMicros))
    const seat = this.makers.seatOf(rows.read(row, PositionTransferred.buyer))
    const combo = this.comboOfPosition.get(position)
    if (seat < 0 || combo < 0) return
    const priceMicros = rows.read(row, PositionTransferred.priceMicros)
    this.makers.held.take(seat, position, rows.read(row, PositionTransferred.request), combo, priceMicros, Bought.bid)
  }

  private failed(row: Row<'parlay.positionFailed'>): void {
    const { rows } = this
    this.positionEnded(rows.read(row, PositionFailed.position), rows.read(row, PositionFailed.toHolderMicros))
    this.backedEnded(row, rows.read(row, PositionFailed.toBackerMicros), BackedEnd.settled)
  }
}
