import { assert } from '../unit/assert.ts'
import { type Deal, type DealEnd, type Outcome, splitProfit, TERMS } from './attribution.ts'
import { type Breakdowns, GroupColumn } from './breakdowns.ts'
import type { CashOuts, Transfer } from './cashOuts.ts'
import type { ClusteredSums } from './clusteredSums.ts'
import { MakerColumn } from './columns.ts'
import type { LastLooks } from './lastLooks.ts'
import { PositionEnd, type Positions } from './positions.ts'
import type { Quotes } from './quotes.ts'

/** Column of each term, in the order of TERMS. */
export const TERM_COLUMNS = [MakerColumn.margin, MakerColumn.selection, MakerColumn.model, MakerColumn.lastLook, MakerColumn.drift, MakerColumn.ownFees, MakerColumn.luck] as const

/** A backed position that ended, and its last holding. */
export interface PositionEnding {
  readonly position: number
  readonly maker: number
  /** A `PositionEnd`. */
  readonly outcome: number
  readonly paidMicros: number
  readonly payoutMicros: number
  readonly stakeMicros: number
  readonly profitMicros: number
  readonly makerFeeMicros: number
}

/** What a maker earned with a position that it backed, or with a holding of one. */
export interface RealisedProfit {
  readonly maker: number
  /** Row of the position. */
  readonly row: number
  readonly backs: boolean
  readonly profitMicros: number
  /** The term `luck` of it. */
  readonly luckMicros: number
}

/** The end of a holding of a position that a maker had taken over. */
export interface HoldingEnding {
  readonly position: number
  readonly holder: number
  readonly payoutMicros: number
  readonly profitMicros: number
  readonly feeMicros: number
}

/** Splits every profit with a position into its terms, by maker and settlement cluster, and by kind of position. */
export class Scorecard {
  private readonly positions: Positions
  private readonly quotes: Quotes
  private readonly lastLooks: LastLooks
  private readonly cashOuts: CashOuts
  private readonly breakdowns: Breakdowns
  private readonly sums: ClusteredSums
  private readonly heard: (profit: RealisedProfit) => void
  /** By position that a maker has taken over: the bid. */
  private readonly heldBy = new Map<number, number>()

  constructor(
    parts: { readonly positions: Positions; readonly quotes: Quotes; readonly lastLooks: LastLooks; readonly cashOuts: CashOuts; readonly breakdowns: Breakdowns },
    sums: ClusteredSums, heard: (profit: RealisedProfit) => void = () => {},
  ) {
    this.heard = heard
    this.positions = parts.positions
    this.quotes = parts.quotes
    this.lastLooks = parts.lastLooks
    this.cashOuts = parts.cashOuts
    this.breakdowns = parts.breakdowns
    this.sums = sums
  }

  /** The backing maker's part. The profit with a position that was bought back or voided has no reference at a close. */
  positionEnded({ position, maker, outcome, paidMicros, payoutMicros, stakeMicros, profitMicros, makerFeeMicros }: PositionEnding): void {
    const row = this.rowOf(position)
    const entry = this.entryOf(row)
    const add = (column: number, micros: number): void => this.breakdowns.add(maker, row, entry.rivals, column, micros)
    add(GroupColumn.ended, 1)
    add(GroupColumn.profit, profitMicros)
    // A void gives everything back, so that there is no bet and nothing to split.
    if (outcome === PositionEnd.void) return this.unsplit(maker, row, entry.rivals, profitMicros)
    add(GroupColumn.holdStake, stakeMicros)
    add(GroupColumn.hold, stakeMicros - paidMicros)
    const closing = this.positions.closing[row]!
    const end: DealEnd = outcome === PositionEnd.boughtBack
      ? { kind: 'bid', deal: this.cashOuts.dealOf(this.buybackOf(position)) }
      : { kind: 'result', paidMicros, closing }
    this.split(maker, row, { entry, end, payoutMicros, backs: true, profitMicros, feeMicros: makerFeeMicros })
    if (end.kind === 'bid' || Number.isNaN(closing)) return
    this.sums.add(maker, this.positions.cluster[row]!, MakerColumn.closeStake, stakeMicros)
    this.sums.add(maker, this.positions.cluster[row]!, MakerColumn.closeHold, stakeMicros - Math.round(closing * payoutMicros))
  }

  /** A holding ended with its position. @param outcome a `PositionEnd`. @param paidMicros what the holder got, before its fee. */
  holdingEnded(holding: HoldingEnding, outcome: number, paidMicros: number): void {
    const row = this.rowOf(holding.position)
    this.held(holding, outcome === PositionEnd.boughtBack
      ? { kind: 'sale', priceMicros: paidMicros, reference: this.cashOuts.dealOf(this.buybackOf(holding.position)).decided }
      : { kind: 'result', paidMicros, closing: this.positions.closing[row]! })
    this.heldBy.delete(holding.position)
  }

  /** A position went to another holder. The seller's holding ends, if the seller had taken the position over, and the buyer's begins. */
  transferred({ position, sellerMaker, sellerCostMicros, bid, toSellerMicros, feeMicros, priceMicros }: Transfer): void {
    if (sellerMaker >= 0) {
      const payoutMicros = this.positions.payoutOf(this.rowOf(position))
      this.held(
        { position, holder: sellerMaker, payoutMicros, profitMicros: toSellerMicros - sellerCostMicros, feeMicros },
        { kind: 'sale', priceMicros, reference: this.cashOuts.dealOf(bid).decided },
      )
    }
    this.heldBy.set(position, bid)
  }

  private held({ position, holder, payoutMicros, profitMicros, feeMicros }: HoldingEnding, end: DealEnd): void {
    const row = this.rowOf(position)
    const bid = this.heldBy.get(position)
    assert(bid !== undefined, `a holding of position ${position} ends that no bid began`)
    const entry = this.cashOuts.dealOf(bid)
    this.breakdowns.add(holder, row, entry.rivals, GroupColumn.ended, 1)
    this.breakdowns.add(holder, row, entry.rivals, GroupColumn.profit, profitMicros)
    this.split(holder, row, { entry, end, payoutMicros, backs: false, profitMicros, feeMicros })
  }

  private split(maker: number, row: number, outcome: Outcome): void {
    const { terms, withoutFair, withoutProduct, withoutReference, uncertainMicros, undecidedMicros } = splitProfit(outcome)
    const cluster = this.positions.cluster[row]!
    this.heard({ maker, row, backs: outcome.backs, profitMicros: outcome.profitMicros, luckMicros: terms.luck })
    TERMS.forEach((term, t) => {
      this.sums.add(maker, cluster, TERM_COLUMNS[t]!, terms[term])
      this.breakdowns.add(maker, row, outcome.entry.rivals, GroupColumn.terms + t, terms[term])
    })
    this.sums.add(maker, cluster, MakerColumn.uncertain, uncertainMicros)
    this.sums.add(maker, cluster, MakerColumn.undecided, undecidedMicros)
    if (withoutFair) this.sums.add(maker, cluster, MakerColumn.withoutFair, 1)
    if (withoutProduct) this.sums.add(maker, cluster, MakerColumn.withoutProduct, 1)
    if (withoutReference) this.sums.add(maker, cluster, MakerColumn.withoutReference, 1)
  }

  private unsplit(maker: number, row: number, rivals: number, profitMicros: number): void {
    this.heard({ maker, row, backs: true, profitMicros, luckMicros: profitMicros })
    this.sums.add(maker, this.positions.cluster[row]!, MakerColumn.luck, profitMicros)
    this.breakdowns.add(maker, row, rivals, GroupColumn.terms + TERMS.indexOf('luck'), profitMicros)
  }

  /** The quote that opened a position. */
  private entryOf(row: number): Deal {
    const number = this.positions.quote[row]!
    const quote = this.quotes.filled.get(number)
    return {
      priceMicros: this.positions.stakeMicros[row]!, fair: quote?.fair ?? NaN, fairProduct: quote?.fairProduct ?? NaN,
      submitted: quote?.reference ?? NaN, product: quote?.product ?? NaN, decided: this.lastLooks.confirmedAt.get(number) ?? NaN, rivals: quote?.rivals ?? 0,
    }
  }

  private buybackOf(position: number): number {
    const bid = this.cashOuts.buybacks.get(position)
    assert(bid !== undefined, `position ${position} was bought back by no bid`)
    return bid
  }

  private rowOf(position: number): number {
    const row = this.positions.find(position)
    assert(row >= 0, `position ${position} ended, and the positions table does not have it`)
    return row
  }
}
