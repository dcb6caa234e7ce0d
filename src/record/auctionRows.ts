import type { RowWriter } from '../arrow/rowWriter.ts'
import { KeyLists } from '../unit/keyLists.ts'
import { NONE } from '../unit/none.ts'
import type { DirectoryCodes } from './directory.ts'
import { AuctionRowEnd, type auctionTable, BidEnd, type bidTable } from './cashOutTables.ts'
import { orEmpty, present } from './cells.ts'
import type { Moment } from './moment.ts'
import { OpenAuctions, OpenBids } from './openAuctions.ts'
import type { OpenPositions } from './openPositions.ts'
import type { Reference } from './reference.ts'

/** What an auction begins with. The bound is NONE for a service that has none. */
export interface AuctionOpening {
  readonly auction: number
  readonly position: number
  readonly seller: number
  readonly endsAtUs: number
  readonly basisMicros: number
  readonly boundMicros: number
}

/** What was sold in an auction, to whom and how (a `SaleRoute`). Amounts are in microUSDC. */
export interface Sale {
  readonly buyer: number
  readonly bid: number
  readonly route: number
  readonly priceMicros: number
  readonly profitFeeMicros: number
}

/** A bid at its submission. The fair probability and the product of leg prices are NaN when the maker gave none. */
export interface BidSubmission {
  readonly auction: number
  readonly bid: number
  readonly maker: number
  readonly priceMicros: number
  readonly expiresAtUs: number
  readonly fair: number
  readonly fairProduct: number
}

/** Something that happened to a bid. */
export interface BidMoment extends Moment {
  readonly auction: number
  readonly bid: number
}

/** Auctions and their bids, from their beginning to the rows that their end writes. */
export class AuctionRows {
  private readonly open = new OpenAuctions()
  private readonly openBids = new OpenBids()
  private declare readonly service: number
  /** Makers that bid in an auction. */
  private readonly makers = new KeyLists(1024)
  private declare readonly auctions: RowWriter
  private declare readonly auctionAt: ReturnType<typeof auctionTable>['at']
  private declare readonly bids: RowWriter
  private declare readonly bidAt: ReturnType<typeof bidTable>['at']
  private declare readonly codes: DirectoryCodes
  private declare readonly positions: OpenPositions
  private declare readonly reference: Reference

  constructor(
    auctions: RowWriter, auctionAt: ReturnType<typeof auctionTable>['at'],
    bids: RowWriter, bidAt: ReturnType<typeof bidTable>['at'],
    parts: { readonly service: number; readonly codes: DirectoryCodes; readonly positions: OpenPositions; readonly reference: Reference },
  ) {
    this.service = parts.service
    this.auctions = auctions
    this.auctionAt = auctionAt
    this.bids = bids
    this.bidAt = bidAt
    this.codes = parts.codes
    this.positions = parts.positions
    this.reference = parts.reference
  }

  /** Whether an auction of this number has not ended. */
  isOpen(auction: number): boolean {
    return this.open.slotOf(auction) !== NONE
  }

  /** Whether a bid of this number has not ended. */
  isOpenBid(bid: number): boolean {
    return this.openBids.slotOf(bid) !== NONE
  }

  opened(opening: AuctionOpening, { seq, atUs }: Moment): void {
    const { open } = this
    const positionSlot = this.positions.openSlotOf(opening.position)
    const slot = open.open(opening.auction)
    open.positionSlot[slot] = positionSlot
    open.seller[slot] = opening.seller
    open.openedSeq[slot] = seq
    open.openedUs[slot] = atUs
    open.closedUs[slot] = NONE
    open.endsUs[slot] = opening.endsAtUs
    open.basisMicros[slot] = opening.basisMicros
    open.boundMicros[slot] = opening.boundMicros
    open.bids[slot] = open.makers[slot] = open.liveBids[slot] = open.failedBids[slot] = open.bestAtEndMicros[slot] = 0
    open.firstMaker[slot] = open.bestMicros[slot] = open.wonBid[slot] = NONE
    open.reference[slot] = this.valueOf(positionSlot, atUs)
    this.positions.auctions[positionSlot]!++
    this.positions.openAuctions[positionSlot]!++
  }

  /** @param end an `AuctionRowEnd`. @param sale the sale of a committed auction. */
  ended(auction: number, end: number, moment: Moment, sale: Sale | null = null): void {
    const slot = this.open.openSlotOf(auction)
    this.writeAuction(slot, end, moment, sale)
    this.positions.auctionEnded(this.open.positionSlot[slot]!)
    this.open.close(slot)
  }

  /** The window for quotes of a cash-out RFQ is over. Live quotes can still be accepted. */
  windowOver(auction: number, moment: Moment): void {
    const slot = this.open.openSlotOf(auction)
    this.open.closedUs[slot] = moment.atUs
    this.noteBest(slot)
    this.endIfOver(auction, moment)
  }

  /** A quote of a cash-out RFQ ended. When the window and the last live quote are over, nothing can be taken any more, and the row is written. */
  endIfOver(auction: number, moment: Moment): void {
    const slot = this.open.openSlotOf(auction)
    if (this.open.closedUs[slot] === NONE || this.open.liveBids[slot]! > 0) return
    this.ended(auction, AuctionRowEnd.closed, moment)
  }

  bestChanged(auction: number, priceMicros: number): void {
    this.open.bestMicros[this.open.openSlotOf(auction)] = priceMicros
  }

  submitted(submission: BidSubmission, { seq, atUs }: Moment): void {
    const { open, openBids } = this
    const { maker } = submission
    const auctionSlot = open.openSlotOf(submission.auction)
    const slot = openBids.open(submission.bid)
    openBids.auction[slot] = submission.auction
    openBids.maker[slot] = maker
    openBids.priceMicros[slot] = submission.priceMicros
    openBids.submittedSeq[slot] = seq
    openBids.submittedUs[slot] = atUs
    openBids.validUntilUs[slot] = submission.expiresAtUs
    openBids.selectedUs[slot] = openBids.acceptance[slot] = NONE
    openBids.liveRivals[slot] = open.liveBids[auctionSlot]!++
    openBids.fair[slot] = submission.fair
    openBids.fairProduct[slot] = submission.fairProduct
    const value = this.valueOf(open.positionSlot[auctionSlot]!, atUs)
    openBids.reference[slot] = value
    openBids.referenceProduct[slot] = this.productOf(value, open.positionSlot[auctionSlot]!, atUs)
    open.bids[auctionSlot]!++
    if (this.makers.has(open.firstMaker[auctionSlot]!, maker)) return
    open.makers[auctionSlot]!++
    open.firstMaker[auctionSlot] = this.makers.prepend(open.firstMaker[auctionSlot]!, maker)
  }

  /** The seller accepted the bid, and its maker has a last look. @param deadlineUs the first instant at which a confirmation is late. */
  bidSelected({ auction, bid, atUs }: BidMoment, acceptance: number, deadlineUs: number): void {
    const { openBids } = this
    const slot = openBids.openSlotOf(bid)
    openBids.selectedUs[slot] = atUs
    openBids.deadlineUs[slot] = deadlineUs
    openBids.acceptance[slot] = acceptance
    this.noteBest(this.open.openSlotOf(auction))
  }

  /** Replaced, withdrawn or expired. */
  bidEnded(moment: BidMoment, end: number): void {
    this.closeBid(moment, end, false)
  }

  /** The bid was taken off with its auction. When that is because another bid was taken, this bid lost. */
  bidInvalidated(moment: BidMoment): void {
    const auctionSlot = this.open.openSlotOf(moment.auction)
    this.endBegins(auctionSlot)
    this.closeBid(moment, BidEnd.invalidated, this.open.wonBid[auctionSlot] !== NONE)
  }

  /** @param operation the operation that carries out the sale, −1 for a service without operations. */
  bidWon(moment: BidMoment, operation = NONE): void {
    const auctionSlot = this.open.openSlotOf(moment.auction)
    this.endBegins(auctionSlot)
    this.open.wonBid[auctionSlot] = moment.bid
    this.closeBid(moment, BidEnd.won, false)
    this.bids.intOrNone(this.bidAt.operation, operation)
  }

  /** The seller tried to take the bid in vain. @param failure the reason, a name of the `failure` column. */
  bidFailed(moment: BidMoment, failure: string): void {
    const auctionSlot = this.open.openSlotOf(moment.auction)
    this.open.failedBids[auctionSlot]!++
    // The best price that was kept at an accept was not yet that of the end.
    if (this.open.closedUs[auctionSlot] === NONE) this.open.bestAtEndMicros[auctionSlot] = 0
    else this.noteBest(auctionSlot)
    this.closeBid(moment, BidEnd.failed, false)
    this.bids.label(this.bidAt.failure, failure)
  }

  /** The session is over: writes the rows of open auctions and bids. */
  finish(): void {
    for (const slot of this.openBids.openSlots()) this.writeBid(slot, BidEnd.open, false, NONE, NONE)
    for (const slot of this.open.openSlots()) this.writeAuction(slot, AuctionRowEnd.open, null, null)
  }

  /** Keeps the best price up to now for the row. */
  private noteBest(slot: number): void {
    this.open.bestAtEndMicros[slot] = this.open.bestMicros[slot]!
  }

  /** The first of the rows that take an auction's bids off: keeps the best price up to now for the auction's row. */
  private endBegins(slot: number): void {
    if (this.open.bestAtEndMicros[slot] === 0) this.noteBest(slot)
  }

  private valueOf(positionSlot: number, atUs: number): number {
    const { positions } = this
    const from = positionSlot * positions.legsMax
    return this.reference.value(atUs, positions.legCount[positionSlot]!, positions.legMarkets, positions.legSides, from)
  }

  private productOf(value: number, positionSlot: number, atUs: number): number {
    const { positions } = this
    return this.reference.product(value, atUs, positions.legCount[positionSlot]!, positions.legMarkets, positions.legSides, positionSlot * positions.legsMax)
  }

  private closeBid({ auction, bid, seq, atUs }: BidMoment, end: number, lost: boolean): void {
    const slot = this.openBids.openSlotOf(bid)
    this.open.liveBids[this.open.openSlotOf(auction)]!--
    this.writeBid(slot, end, lost, seq, atUs)
    this.openBids.close(slot)
  }

  /** @param moment null when the session ended first. */
  private writeAuction(slot: number, end: number, moment: Moment | null, sale: Sale | null): void {
    const { open, positions, codes, auctions: writer, auctionAt: at } = this
    const { cells } = writer
    const position = open.positionSlot[slot]!
    const seller = open.seller[slot]!
    const to = writer.row()
    cells[to + at.service] = this.service
    cells[to + at.auction] = open.number[slot]!
    cells[to + at.position] = positions.number[position]!
    cells[to + at.request] = positions.request[position]!
    cells[to + at.seller] = seller
    cells[to + at.cohort] = codes.group(seller)
    if (positions.transfers[position]! > 0) cells[to + at.seller_maker] = codes.maker(seller)
    cells[to + at.backing_maker] = codes.maker(positions.backer[position]!)
    cells[to + at.cluster] = codes.cluster(positions.legMarkets, position * positions.legsMax, positions.legCount[position]!)
    cells[to + at.opened_seq] = open.openedSeq[slot]!
    cells[to + at.opened_at] = open.openedUs[slot]!
    cells[to + at.ends_at] = open.endsUs[slot]!
    cells[to + at.window_closed_at] = orEmpty(open.closedUs[slot]!)
    cells[to + at.state] = end
    cells[to + at.payout_micros] = positions.payoutMicros[position]!
    cells[to + at.net_stake_micros] = positions.stakeMicros[position]!
    cells[to + at.seller_cost_micros] = positions.costMicros[position]!
    cells[to + at.cost_basis_micros] = open.basisMicros[slot]!
    cells[to + at.buyback_bound_micros] = orEmpty(open.boundMicros[slot]!)
    const best = open.bestAtEndMicros[slot] === 0 ? open.bestMicros[slot]! : open.bestAtEndMicros[slot]!
    cells[to + at.best_bid_at_end_micros] = orEmpty(best)
    cells[to + at.bid_count] = open.bids[slot]!
    cells[to + at.maker_count] = open.makers[slot]!
    cells[to + at.failed_bid_count] = open.failedBids[slot]!
    cells[to + at.reference_at_opening] = open.reference[slot]!
    if (moment !== null) this.writeEnd(to, position, moment, sale)
    this.makers.release(open.firstMaker[slot]!)
  }

  private writeEnd(to: number, position: number, { seq, atUs }: Moment, sale: Sale | null): void {
    const { auctionAt: at } = this
    const { cells } = this.auctions
    cells[to + at.seq] = present(seq)
    cells[to + at.ended_at] = present(atUs)
    cells[to + at.reference_at_end] = this.valueOf(position, atUs)
    if (sale === null) return
    cells[to + at.winner] = this.codes.maker(sale.buyer)
    cells[to + at.bid] = present(sale.bid)
    cells[to + at.route] = present(sale.route)
    cells[to + at.price_micros] = present(sale.priceMicros)
    cells[to + at.profit_fee_micros] = present(sale.profitFeeMicros)
    cells[to + at.to_seller_micros] = present(sale.priceMicros - sale.profitFeeMicros)
  }

  private writeBid(slot: number, end: number, lost: boolean, seq: number, endedUs: number): void {
    const { open, openBids, positions, bids: writer, bidAt: at } = this
    const { cells } = writer
    const position = open.positionSlot[open.openSlotOf(openBids.auction[slot]!)]!
    const maker = openBids.maker[slot]!
    const price = openBids.priceMicros[slot]!
    const backs = maker === positions.backer[position]
    const to = writer.row()
    cells[to + at.seq] = orEmpty(seq)
    cells[to + at.service] = this.service
    cells[to + at.bid] = openBids.number[slot]!
    cells[to + at.auction] = openBids.auction[slot]!
    cells[to + at.position] = positions.number[position]!
    cells[to + at.request] = positions.request[position]!
    cells[to + at.acceptance] = orEmpty(openBids.acceptance[slot]!)
    cells[to + at.maker] = this.codes.maker(maker)
    cells[to + at.is_buyback] = backs ? 1 : 0
    cells[to + at.price_micros] = price
    cells[to + at.payout_micros] = positions.payoutMicros[position]!
    cells[to + at.profit_fee_if_won_micros] = backs ? 0 : positions.profitFeeAfter(position, price)
    cells[to + at.submitted_seq] = openBids.submittedSeq[slot]!
    cells[to + at.submitted_at] = openBids.submittedUs[slot]!
    cells[to + at.valid_until] = openBids.validUntilUs[slot]!
    if (openBids.selectedUs[slot] !== NONE) {
      cells[to + at.selected_at] = present(openBids.selectedUs[slot]!)
      cells[to + at.deadline_at] = present(openBids.deadlineUs[slot]!)
    }
    cells[to + at.ended_at] = orEmpty(endedUs)
    cells[to + at.state] = end
    cells[to + at.taken] = end === BidEnd.won ? 1 : 0
    cells[to + at.traded_away] = lost ? 1 : 0
    cells[to + at.competing_bids] = openBids.liveRivals[slot]!
    cells[to + at.fair] = openBids.fair[slot]!
    cells[to + at.fair_product] = openBids.fairProduct[slot]!
    cells[to + at.reference_product] = openBids.referenceProduct[slot]!
    cells[to + at.reference] = openBids.reference[slot]!
  }
}
