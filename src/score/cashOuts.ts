import { ratio } from '../stats/clusterInterval.ts'
import { assert } from '../unit/assert.ts'
import { clipped, type Interval } from '../stats/interval.ts'
import { IntegerSums } from '../stats/sum.ts'
import { ClusteredSums, microsOf } from './clusteredSums.ts'
import { VALUED } from './figureBasis.ts'
import type { Deal } from './attribution.ts'
import { tallyOf, type Tally } from './requests.ts'
import { codesIn, type Names, orNaN, type RunTables, type TableRows } from './runTables.ts'

/** How auctions of the parlay service and cash-out RFQs of the outcome service end. */
export const AUCTION_ENDS = ['committed', 'cancelled', 'decided', 'expired', 'open'] as const
export const CASH_OUT_RFQ_ENDS = ['committed', 'cancelled', 'decided', 'closed', 'superseded', 'failed', 'open'] as const
const ENDS = [...AUCTION_ENDS, 'closed', 'superseded', 'failed'] as const
const COMMITTED = ENDS.indexOf('committed')
export const CASH_OUT_ROUTES = ['bought_back', 'transferred'] as const
const TRANSFERRED = CASH_OUT_ROUTES.indexOf('transferred')
export const BID_ENDS = ['replaced', 'expired', 'invalidated', 'won', 'failed', 'open'] as const
/** Bids of the outcome service can also be withdrawn. */
const ALL_BID_ENDS = [...BID_ENDS, 'withdrawn'] as const

/** Columns of a maker's sums over its bids, by settlement cluster. Edges are in microUSDC, over bids with a known V only. */
const Column = { bids: 0, won: 1, wonValued: 2, wonEdge: 3, lostValued: 4, lostEdge: 5 } as const
const COLUMNS = 6

/** Cells of the sums over all auctions. */
const Cell = { prices: 0, toSellers: 1, fees: 2 } as const

/** The edge of a maker's bids of one kind: what they were worth beyond their prices. */
export interface EdgeSummary {
  readonly bids: number
  /** Bids among them with a reference at submission. The others count in no figure. */
  readonly valued: number
  /** Σ(V·P − price), or for bids that would take the position over Σ(V·(P − future profit fee) − price), microUSDC. */
  readonly totalMicros: number
  /** The same per bid, USDC. */
  readonly perBid: Interval
}

export interface CashOutMaker {
  readonly name: string
  readonly bids: number
  /** Positions that it backed and closed, and positions that it took over. */
  readonly boughtBack: number
  readonly transferred: number
  /** What the maker paid for them. */
  readonly paidMicros: number
  /** Winning bids over bids. */
  readonly winShare: Interval
  readonly won: EdgeSummary
  /** Bids that lived when another maker's was taken. */
  readonly lost: EdgeSummary
}

export interface CashOutSummary {
  readonly auctions: number
  readonly byEnd: Tally<(typeof AUCTION_ENDS)[number]> | Tally<(typeof CASH_OUT_RFQ_ENDS)[number]>
  /** Committed auctions: bought back by the backing maker, or transferred to another. */
  readonly byRoute: Tally<(typeof CASH_OUT_ROUTES)[number]>
  readonly bids: number
  readonly bidsByEnd: Tally<(typeof BID_ENDS)[number]> & Partial<Tally<'withdrawn'>>
  /** Winning bids over bids, null without bids. */
  readonly winShare: number | null
  readonly pricesMicros: number
  readonly toSellersMicros: number
  /** Profit fees out of prices. */
  readonly feesMicros: number
  readonly makers: readonly CashOutMaker[]
}

/** A position that went to another holder, which ends the seller's holding of it. */
export interface Transfer {
  readonly seq: number
  readonly position: number
  readonly bid: number
  readonly atUs: number
  /** The backing maker. */
  readonly maker: number
  readonly group: number
  readonly cluster: number
  /** The seller as a maker that had taken the position over, −1 when its bettor sells. */
  readonly sellerMaker: number
  readonly sellerCostMicros: number
  /** The maker that took it over, and what it paid. */
  readonly buyer: number
  readonly priceMicros: number
  readonly toSellerMicros: number
  readonly feeMicros: number
}

/** One pass over the auctions, and one over their bids. */
export class CashOuts {
  count = 0
  /** In total order. */
  readonly transfers: Transfer[] = []
  /** By position: the bid with which its backing maker bought it back. */
  readonly buybacks = new Map<number, number>()
  /** By bid that was taken: V of the position when it was sold. Then the deal that it was. */
  private readonly soldAt = new Map<number, number>()
  private readonly deals = new Map<number, Deal>()
  private bids = 0
  private readonly byEnd = new Float64Array(ENDS.length)
  private readonly byRoute = new Float64Array(CASH_OUT_ROUTES.length)
  private readonly bidsByEnd = new Float64Array(ALL_BID_ENDS.length)
  private readonly totals = new IntegerSums(3)
  /** By maker: bids won and lost, and per route. */
  private readonly lost: Float64Array
  private readonly routes: Float64Array
  private readonly paid: IntegerSums
  private readonly sums: ClusteredSums
  private readonly clusterOf = new Map<number, number>()

  constructor(tables: RunTables, names: { readonly makers: Names; readonly groups: Names; readonly clusters: Names }) {
    const makerCount = names.makers.list.length
    this.sums = new ClusteredSums(makerCount, names.clusters.list.length, COLUMNS)
    this.lost = new Float64Array(makerCount)
    this.routes = new Float64Array(CASH_OUT_ROUTES.length * makerCount)
    this.paid = new IntegerSums(makerCount)
    for (const batch of tables.batches('auctions')) this.readAuctions(batch, names)
    for (const batch of tables.batches('bids')) this.readBids(batch, names.makers)
  }

  /** @param shown maker numbers to list. @param areRfqs whether the auctions are cash-out RFQs of the outcome service. */
  summary(names: readonly string[], shown: readonly number[], areRfqs: boolean): CashOutSummary {
    const { committed, cancelled, decided, expired, open, closed, superseded, failed } = tallyOf(ENDS, this.byEnd)
    const { withdrawn, ...bidsByEnd } = tallyOf(ALL_BID_ENDS, this.bidsByEnd)
    const total = (cell: number): number => microsOf(this.totals.exact(cell))
    const won = this.bidsByEnd[ALL_BID_ENDS.indexOf('won')]!
    return {
      auctions: this.count, 
      byEnd: areRfqs ? { committed, cancelled, decided, closed, superseded, failed, open } : { committed, cancelled, decided, expired, open },
      byRoute: tallyOf(CASH_OUT_ROUTES, this.byRoute),
      bids: this.bids, bidsByEnd: areRfqs ? { ...bidsByEnd, withdrawn } : bidsByEnd, winShare: this.bids === 0 ? null : won / this.bids,
      pricesMicros: total(Cell.prices), toSellersMicros: total(Cell.toSellers), feesMicros: total(Cell.fees),
      makers: shown.map((maker) => this.maker(maker, names[maker]!)),
    }
  }

  /** The deal of a bid that was taken. */
  dealOf(bid: number): Deal {
    const deal = this.deals.get(bid)
    assert(deal !== undefined, `bid ${bid} was taken, and the table of bids does not have it`)
    return deal
  }

  /** How many bids a maker submitted. */
  bidsOf(maker: number): number {
    return microsOf(this.sums.total(maker, Column.bids))
  }

  private maker(maker: number, name: string): CashOutMaker {
    const { sums } = this
    const count = (column: number): number => microsOf(sums.total(maker, column))
    const edge = (bids: number, valued: number, total: number): EdgeSummary => ({
      bids, valued: count(valued), totalMicros: count(total), perBid: sums.interval(maker, VALUED, [total, valued], ratio(0, 1, 1e-6)),
    })
    const winShare = sums.interval(maker, VALUED, [Column.won, Column.bids], ratio(0, 1))
    return {
      name, bids: this.bidsOf(maker), boughtBack: this.routes[2 * maker]!, transferred: this.routes[2 * maker + TRANSFERRED]!,
      paidMicros: microsOf(this.paid.exact(maker)), winShare: clipped(winShare, 0, 1),
      won: edge(count(Column.won), Column.wonValued, Column.wonEdge),
      lost: edge(this.lost[maker]!, Column.lostValued, Column.lostEdge),
    }
  }

  private readAuctions(batch: TableRows, names: { readonly makers: Names; readonly groups: Names; readonly clusters: Names }): void {
    const auction = batch.numbers('auction', 'int64')
    const position = batch.numbers('position', 'int64')
    const [bid, atEnd] = [orNaN(batch, 'bid'), orNaN(batch, 'reference_at_end')]
    const state = codesIn(ENDS, batch, 'state')
    const route = codesIn(CASH_OUT_ROUTES, batch, 'route')
    const [seq, atUs] = [orNaN(batch, 'seq'), orNaN(batch, 'ended_at')]
    const [price, fee, toSeller] = [orNaN(batch, 'price_micros'), orNaN(batch, 'profit_fee_micros'), orNaN(batch, 'to_seller_micros')]
    const cost = batch.numbers('seller_cost_micros', 'micros')
    const [maker, sellerMaker, winner] = (['backing_maker', 'seller_maker', 'winner'] as const).map((column) => names.makers.of(batch, column))
    const group = names.groups.of(batch, 'cohort')
    const cluster = names.clusters.of(batch, 'cluster')
    this.count += batch.rowCount
    for (let row = 0; row < batch.rowCount; row++) {
      this.clusterOf.set(auction[row]!, cluster[row]!)
      this.byEnd[state[row]!]!++
      if (state[row] !== COMMITTED) continue
      this.byRoute[route[row]!]!++
      this.routes[2 * winner![row]! + route[row]!]!++
      this.paid.add(winner![row]!, price[row]!)
      this.totals.add(Cell.prices, price[row]!)
      this.totals.add(Cell.toSellers, toSeller[row]!)
      this.totals.add(Cell.fees, fee[row]!)
      this.soldAt.set(bid[row]!, atEnd[row]!)
      if (route[row] !== TRANSFERRED) {
        this.buybacks.set(position[row]!, bid[row]!)
        continue
      }
      this.transfers.push({
        seq: seq[row]!, position: position[row]!, bid: bid[row]!, atUs: atUs[row]!, maker: maker![row]!, group: group[row]!, cluster: cluster[row]!, sellerMaker: sellerMaker![row]!,
        sellerCostMicros: cost[row]!, buyer: winner![row]!, priceMicros: price[row]!, toSellerMicros: toSeller[row]!, feeMicros: fee[row]!,
      })
    }
  }

  private readBids(batch: TableRows, makers: Names): void {
    const auction = batch.numbers('auction', 'int64')
    const price = batch.numbers('price_micros', 'micros')
    const payout = batch.numbers('payout_micros', 'micros')
    const futureFee = batch.numbers('profit_fee_if_won_micros', 'micros')
    const [won, lost] = [batch.numbers('taken', 'bool'), batch.numbers('traded_away', 'bool')]
    const state = codesIn(ALL_BID_ENDS, batch, 'state')
    const [bid, rivals] = [batch.numbers('bid', 'int64'), batch.numbers('competing_bids', 'int32')]
    const [fair, fairProduct] = [orNaN(batch, 'fair'), orNaN(batch, 'fair_product')]
    const [reference, product] = [orNaN(batch, 'reference'), orNaN(batch, 'reference_product')]
    const maker = makers.of(batch, 'maker')
    this.bids += batch.rowCount
    for (let row = 0; row < batch.rowCount; row++) {
      const m = maker[row]!
      const cluster = this.clusterOf.get(auction[row]!)!
      const edge = Math.round(reference[row]! * (payout[row]! - futureFee[row]!)) - price[row]!
      const known = !Number.isNaN(edge)
      this.bidsByEnd[state[row]!]!++
      this.sums.add(m, cluster, Column.bids, 1)
      const decided = this.soldAt.get(bid[row]!)
      if (decided !== undefined) {
        this.deals.set(bid[row]!, {
          priceMicros: price[row]!, fair: fair[row]!, fairProduct: fairProduct[row]!, submitted: reference[row]!, product: product[row]!, decided, rivals: rivals[row]!,
        })
      }
      if (won[row] === 1) {
        this.sums.add(m, cluster, Column.won, 1)
        if (known) this.value(m, cluster, Column.wonValued, Column.wonEdge, edge)
      } else if (lost[row] === 1) {
        this.lost[m]!++
        if (known) this.value(m, cluster, Column.lostValued, Column.lostEdge, edge)
      }
    }
  }

  private value(maker: number, cluster: number, valued: number, total: number, edge: number): void {
    this.sums.add(maker, cluster, valued, 1)
    this.sums.add(maker, cluster, total, edge)
  }
}
