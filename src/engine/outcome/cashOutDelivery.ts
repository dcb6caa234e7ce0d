import { AuctionOutcome } from '../../agent/vocabulary.ts'
import { assert } from '../../unit/assert.ts'
import type { NumberRing } from '../../unit/numberRing.ts'
import type { KindOf, Row } from '../../venue/eventCells.ts'
import type { EventRows } from '../../venue/eventRows.ts'
import {
  BestBidChanged, BidAccepted, CashOutRfqCreated, OutcomeEvent, PositionClosed, PositionOpened, type PositionRow, PositionTransferred,
} from '../../venue/outcome/protocol/events.ts'
import { CashOutDelivery } from '../cashOutDelivery.ts'
import { ComboCell, ComboWord } from '../combos.ts'
import { Bought } from '../heldPositions.ts'
import type { MakerSeats } from '../makerSeats.ts'
import { BidTakenMessage } from '../messageCells.ts'
import { BackedEnd, MessageKind, MessageWord } from '../messages.ts'
import type { Sellers } from '../sellers.ts'
import type { Transit } from '../transit.ts'
import { auctionOutcomeOf, tooLateUs } from './translation.ts'

/**
 * Brings rows of cash-out RFQs to those who may see them. To strategies such an RFQ is an auction: its quotes are bids, its number the
 * auction's, and its end without a sale that of an auction.
 */
export class OutcomeCashOutDelivery extends CashOutDelivery {
  private declare readonly profitOverGross: boolean
  private declare readonly backedEnded: (row: Row<KindOf<typeof PositionRow>>, quote: number, returnedMicros: number, how: number) => void

  /** `backedEnded` tells the backing maker of the row's position its end, by which quote (or −1), and what it got back. */
  constructor(
    rows: EventRows, transit: Transit, makers: MakerSeats, sellers: Sellers, comboOfPosition: NumberRing, profitOverGross: boolean,
    backedEnded: (row: Row<KindOf<typeof PositionRow>>, quote: number, returnedMicros: number, how: number) => void,
  ) {
    super(rows, transit, makers, sellers, comboOfPosition)
    this.profitOverGross = profitOverGross
    this.backedEnded = backedEnded
  }

  /** A position opened, of the request of `key`. `combo` is its own. */
  positionOpened(row: Row<'outcome.positionOpened'>, key: number, combo: number): void {
    const { rows, transit: { combos } } = this
    const stakeMicros = rows.read(row, PositionOpened.netStakeMicros)
    combos.words[combo + ComboWord.profitFeeBps] = rows.read(row, PositionOpened.profitFeeBps)
    combos.cells[combo + ComboCell.basisMicros] = this.profitOverGross ? stakeMicros + rows.read(row, PositionOpened.takerFeeMicros) : stakeMicros
    this.sellers.opened(rows, row, key)
  }

  auctionOpened(row: Row<'outcome.rfqCreated.cashOut'>): void {
    const { rows, transit, makers } = this
    const { combos } = transit
    const position = rows.read(row, CashOutRfqCreated.position)
    const whole = this.auctioned(position)
    const payoutMicros = rows.read(row, CashOutRfqCreated.payoutMicros)
    const combo = this.comboOf(row, whole, rows.read(row, CashOutRfqCreated.netStakeMicros), payoutMicros)
    combos.cells[combo + ComboCell.basisMicros] = combos.cells[whole + ComboCell.basisMicros]!
    combos.cells[combo + ComboCell.boundMicros] = payoutMicros
    combos.words[combo + ComboWord.seller] = rows.read(row, CashOutRfqCreated.seller)
    combos.words[combo + ComboWord.backer] = rows.read(row, CashOutRfqCreated.backer)
    combos.cells[combo + ComboCell.expiresAtUs] = rows.read(row, CashOutRfqCreated.openUntilUs)
    const rfq = rows.read(row, CashOutRfqCreated.rfq)
    transit.comboOfAuction.set(rfq, combo)
    makers.auctions.broadcast(MessageKind.auction, rfq, position, combo, NaN, rows.read(row, CashOutRfqCreated.generation))
  }

  bestChanged(row: Row<'outcome.bestQuoteChanged.cashOut'>): void {
    const { rows } = this
    this.sendBest(
      rows.read(row, BestBidChanged.position), rows.read(row, BestBidChanged.rfq), rows.read(row, BestBidChanged.quote),
      rows.read(row, BestBidChanged.priceMicros),
    )
  }

  /** A bid was accepted: its maker has its last look. */
  bidTaken(row: Row<'outcome.quoteAccepted.cashOut'>): void {
    const { rows, transit: { combos, comboOfAuction, messages } } = this
    const rfq = rows.read(row, BidAccepted.rfq)
    const combo = comboOfAuction.get(rfq)
    assert(combo >= 0, 'only a bid in an auction that is not over is taken')
    const slot = messages.take(MessageKind.bidTaken, this.makers.seatOf(rows.read(row, BidAccepted.maker)))
    messages.cells[slot + BidTakenMessage.request] = rfq
    messages.cells[slot + BidTakenMessage.version] = rows.read(row, BidAccepted.generation)
    messages.cells[slot + BidTakenMessage.quote] = rows.read(row, BidAccepted.quote)
    messages.cells[slot + BidTakenMessage.position] = rows.read(row, BidAccepted.position)
    messages.cells[slot + BidTakenMessage.selection] = rows.read(row, BidAccepted.acceptance)
    messages.cells[slot + BidTakenMessage.priceMicros] = rows.read(row, BidAccepted.payoutMicros)
    messages.cells[slot + BidTakenMessage.deadlineAtUs] = tooLateUs(rows.read(row, BidAccepted.confirmUntilUs))
    messages.words[slot + MessageWord.combo] = combo
    combos.retain(combo)
    this.makers.stream.sendTo(slot, combos.cells[combo + ComboCell.drawKey]!)
  }

  /** The RFQ is over. `sold`: by a fill, after which the position is sold once the operation is done. */
  auctionEnded(position: number, rfq: number, outcome: AuctionOutcome): void {
    this.forget(rfq)
    if (outcome !== AuctionOutcome.sold) this.sendEnd(position, rfq, outcome)
  }

  /** The sale failed on the chain: the position is open again. */
  operationFailed(position: number, rfq: number): void {
    this.sendEnd(position, rfq, auctionOutcomeOf(OutcomeEvent.operationUpdated))
  }

  /** The backing maker took the position back. */
  closed(row: Row<'outcome.positionClosed'>): void {
    const { rows } = this
    this.sales++
    this.sold(rows.read(row, PositionClosed.position), rows.read(row, PositionClosed.rfq), rows.read(row, PositionClosed.toHolderMicros))
    this.backedEnded(row, rows.read(row, PositionClosed.quote), rows.read(row, PositionClosed.toBackerMicros), BackedEnd.boughtBack)
  }

  /** Another maker took it over. */
  transferred(row: Row<'outcome.positionTransferred'>): void {
    const { rows } = this
    const position = rows.read(row, PositionTransferred.position)
    const rfq = rows.read(row, PositionTransferred.rfq)
    this.sales++
    this.sold(position, rfq, rows.read(row, PositionTransferred.toSellerMicros))
    const seat = this.makers.seatOf(rows.read(row, PositionTransferred.buyer))
    const combo = this.comboOfPosition.get(position)
    this.makers.held.take(seat, position, rfq, combo, rows.read(row, PositionTransferred.priceMicros), Bought.bid)
  }
}
