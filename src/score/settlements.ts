import { maxDrawdown } from '../stats/drawdown.ts'
import { IntegerSums, StepIntegral } from '../stats/sum.ts'
import type { ClusteredSums } from './clusteredSums.ts'
import { BettorColumn, MakerColumn } from './columns.ts'
import type { Transfer } from './cashOuts.ts'
import type { Scorecard } from './scorecard.ts'
import type { MakerMoney } from './ledgerReplay.ts'
import { POSITION_ENDS, PositionEnd, type Positions } from './positions.ts'
import { codesIn, type Names, orNaN, type RunTables, type TableRows } from './runTables.ts'

/** Where profit fees came from. These sums stand beside those by maker. */
const FeeSource = { settlement: 0, cashOut: 1, makers: 2 } as const
const FEE_SOURCES = 3

/** One pass over the settlements: profits and losses by cluster, fees, the path of each maker's realised profit, and what its taken-over positions cost. */
export class Settlements {
  /** By maker number: taker fees, then profit fees, kept on positions that it backed. Then profit fees by `FeeSource`. */
  private readonly fees: IntegerSums
  private readonly makerCount: number
  /** By maker number: realised profit after each instant at which something ended, microUSDC, from 0. */
  private readonly paths: number[][]
  private readonly lastUs: Float64Array
  /** By maker number: the cost of positions that it took over and has not sold. */
  private readonly held: StepIntegral[]
  /** The last row's instant. */
  private latestUs = 0
  private readonly makerSums: ClusteredSums
  private readonly bettorSums: ClusteredSums
  private readonly scorecard: Scorecard

  /** @param transfers positions sold to another holder, in total order. Each transfer ends its seller's holding. */
  constructor(
    tables: RunTables, names: { readonly makers: Names; readonly groups: Names; readonly clusters: Names },
    transfers: readonly Transfer[], scorecard: Scorecard, makerSums: ClusteredSums, bettorSums: ClusteredSums,
  ) {
    this.scorecard = scorecard
    this.makerCount = names.makers.list.length
    this.makerSums = makerSums
    this.bettorSums = bettorSums
    this.fees = new IntegerSums(2 * this.makerCount + FEE_SOURCES)
    this.paths = names.makers.list.map(() => [0])
    this.lastUs = new Float64Array(this.makerCount).fill(-Infinity)
    this.held = names.makers.list.map(() => new StepIntegral(0))
    let sold = 0
    for (const batch of tables.batches('settlements')) {
      const ends = endsOf(batch, names)
      for (let row = 0; row < batch.rowCount; row++) {
        while (sold < transfers.length && transfers[sold]!.seq < ends.seq[row]!) this.transferred(transfers[sold++]!)
        if (ends.outcome[row] !== PositionEnd.failed) this.ended(ends, row)
      }
    }
    while (sold < transfers.length) this.transferred(transfers[sold++]!)
  }

  /** Counts the taker fees of all positions as kept: on the outcome service the house has them from the fill on. */
  keepFeesOfFills(positions: Positions): void {
    for (let row = 0; row < positions.count; row++) this.fees.add(positions.maker[row]!, positions.takerFeeMicros[row]!)
  }

  takerFeeMicros(maker: number): bigint {
    return this.fees.exact(maker)
  }

  profitFeeMicros(maker: number): bigint {
    return this.fees.exact(this.makerCount + maker)
  }

  /** Profit fees of holders at settlement, of sellers in cash-outs, and those that fell on backing makers. */
  profitFeesBySource(): { readonly settlement: bigint; readonly cashOut: bigint; readonly makers: bigint } {
    const of = (source: number): bigint => this.fees.exact(2 * this.makerCount + source)
    return { settlement: of(FeeSource.settlement), cashOut: of(FeeSource.cashOut), makers: of(FeeSource.makers) }
  }

  /** Largest fall of a maker's realised profit below an earlier peak, microUSDC. All settlements of one instant are one step. */
  cashDrawdownMicros(maker: number): number {
    return maxDrawdown(this.paths[maker]!)
  }

  /** ∫ cost of the positions that the maker took over and holds dt, microUSDC · µs. Positions open at the last row are held until `endUs`. */
  heldMicrosUs(maker: number, endUs: number): bigint {
    return this.held[maker]!.value(Math.max(endUs, this.latestUs))
  }

  private ended(ends: Ends, row: number): void {
    const [m, c, outcome] = [ends.maker[row]!, ends.cluster[row]!, ends.outcome[row]!]
    const stake = ends.stake[row]!
    const holderProfit = ends.toHolder[row]! - ends.holderCost[row]!
    const makerProfit = ends.toMaker[row]! - (ends.payout[row]! - stake)
    this.realise(m, c, ends.at[row]!, makerProfit)
    this.attribute(ends, row, makerProfit, holderProfit)
    this.makerSums.add(m, c, MakerColumn.settled, 1)
    this.feesKept(m, ends.takerFee[row]!, ends.profitFee[row]!, ends.makerFee[row]!, outcome === PositionEnd.boughtBack)
    const holder = ends.holderMaker[row]!
    if (holder >= 0) {
      this.hold(holder, ends.at[row]!, 0 - ends.holderCost[row]!)
      this.realise(holder, c, ends.at[row]!, holderProfit)
    }
    if (holder < 0) this.bettorLost(ends.group[row]!, c, ends.holderCost[row]!, holderProfit)
    if (outcome === PositionEnd.void) return
    this.makerSums.add(m, c, MakerColumn.stake, stake)
    this.makerSums.add(m, c, MakerColumn.hold, stake - paidFor(ends, row))
    if (holder < 0) this.lostTo(m, c, ends.holderCost[row]!, holderProfit)
  }

  private attribute(ends: Ends, row: number, makerProfit: number, holderProfit: number): void {
    const [position, outcome, payoutMicros] = [ends.position[row]!, ends.outcome[row]!, ends.payout[row]!]
    this.scorecard.positionEnded({
      position, maker: ends.maker[row]!, outcome, payoutMicros, paidMicros: paidFor(ends, row), stakeMicros: ends.stake[row]!, profitMicros: makerProfit,
      makerFeeMicros: ends.makerFee[row]!,
    })
    const holder = ends.holderMaker[row]!
    if (holder < 0) return
    const feeMicros = ends.profitFee[row]! - ends.makerFee[row]!
    this.scorecard.holdingEnded({ position, holder, payoutMicros, profitMicros: holderProfit, feeMicros }, outcome, ends.toHolder[row]! + feeMicros)
  }

  /** The seller's holding ends, and the position goes on. */
  private transferred(transfer: Transfer): void {
    const { maker, group, cluster, sellerMaker, sellerCostMicros, buyer, priceMicros, toSellerMicros, feeMicros, atUs } = transfer
    const profit = toSellerMicros - sellerCostMicros
    this.scorecard.transferred(transfer)
    this.feesKept(maker, 0, feeMicros, 0, true)
    this.hold(buyer, atUs, priceMicros)
    if (sellerMaker >= 0) {
      this.hold(sellerMaker, atUs, 0 - sellerCostMicros)
      return this.realise(sellerMaker, cluster, atUs, profit)
    }
    this.bettorLost(group, cluster, sellerCostMicros, profit)
    this.lostTo(maker, cluster, sellerCostMicros, profit)
  }

  /** A bet of a cohort is over. A void counts here, as it does in the profit of the cohort: with its gross bet, and with what it lost, which is mostly nothing. */
  private bettorLost(group: number, cluster: number, betMicros: number, profit: number): void {
    this.bettorSums.add(group, cluster, BettorColumn.grossBet, betMicros)
    this.bettorSums.add(group, cluster, BettorColumn.loss, 0 - profit)
    this.bettorSums.add(group, cluster, BettorColumn.profit, profit)
  }

  /** What the bettor of a position lost to its maker. Voids are left out, as they are in the hold, beside which the figure stands. */
  private lostTo(maker: number, cluster: number, betMicros: number, profit: number): void {
    this.makerSums.add(maker, cluster, MakerColumn.grossBet, betMicros)
    this.makerSums.add(maker, cluster, MakerColumn.bettorLoss, 0 - profit)
  }

  /** @param makerFee part of the profit fee that fell on the maker. */
  private feesKept(maker: number, takerFee: number, profitFee: number, makerFee: number, inCashOut: boolean): void {
    const sources = 2 * this.makerCount
    this.fees.add(maker, takerFee)
    this.fees.add(this.makerCount + maker, profitFee)
    this.fees.add(sources + (inCashOut ? FeeSource.cashOut : FeeSource.settlement), profitFee - makerFee)
    this.fees.add(sources + FeeSource.makers, makerFee)
  }

  private hold(maker: number, atUs: number, byMicros: number): void {
    this.held[maker]!.change(atUs, byMicros)
    this.latestUs = atUs
  }

  private realise(maker: number, cluster: number, atUs: number, profit: number): void {
    this.makerSums.add(maker, cluster, MakerColumn.ended, 1)
    this.makerSums.add(maker, cluster, MakerColumn.profit, profit)
    const path = this.paths[maker]!
    if (this.lastUs[maker] === atUs) path[path.length - 1]! += profit
    else path.push(path[path.length - 1]! + profit)
    this.lastUs[maker] = atUs
  }
}

type Ends = ReturnType<typeof endsOf>

/** What a position that was not voided cost its backing maker, before fees, microUSDC. */
const paidFor = ({ outcome, payout, price }: Ends, row: number): number =>
  outcome[row] === PositionEnd.won ? payout[row]! : outcome[row] === PositionEnd.boughtBack ? price[row]! : 0

function endsOf(batch: TableRows, names: { readonly makers: Names; readonly groups: Names; readonly clusters: Names }) {
  const column = (name: string): ArrayLike<number> => batch.numbers(name, 'micros')
  return {
    seq: batch.numbers('seq', 'int64'), position: batch.numbers('position', 'int64'), at: batch.numbers('at', 'timeUs'), maker: names.makers.of(batch, 'maker'), group: names.groups.of(batch, 'holder_cohort'),
    cluster: names.clusters.of(batch, 'cluster'), holderMaker: names.makers.of(batch, 'holder_maker'), outcome: codesIn(POSITION_ENDS, batch, 'outcome'),
    stake: column('net_stake_micros'), payout: column('payout_micros'), toHolder: column('to_holder_micros'), toMaker: column('to_maker_micros'),
    takerFee: column('taker_fee_micros'), profitFee: column('profit_fee_micros'), makerFee: column('maker_profit_fee_micros'),
    holderCost: column('holder_cost_micros'), price: orNaN(batch, 'price_micros'),
  }
}

/** The `equity` table per maker: the largest fall of equity marked at V, and the last instant sampled. */
export class EquitySamples {
  /** µs; −Infinity without samples. */
  lastUs = -Infinity
  private readonly paths: number[][]
  /** The same at the touch. Empty for a run that does not know the touch. */
  private readonly executablePaths: number[][]

  constructor(tables: RunTables, makers: Names, money: readonly MakerMoney[]) {
    this.paths = makers.list.map(() => [])
    this.executablePaths = makers.list.map(() => [])
    const paidIn = makers.list.map(() => 0)
    for (const batch of tables.batches('equity')) {
      const maker = makers.of(batch, 'maker')
      const seq = batch.numbers('seq', 'int64')
      const at = batch.numbers('at', 'timeUs')
      const marked = batch.numbers('mark_to_market_micros', 'micros')
      const executable = orNaN(batch, 'liquidation_micros')
      for (let row = 0; row < batch.rowCount; row++) {
        const m = maker[row]!
        const { depositSeqs, depositMicros } = money[m]!
        while (paidIn[m]! < depositSeqs.length && depositSeqs[paidIn[m]!]! <= seq[row]!) paidIn[m]!++
        const deposits = paidIn[m] === 0 ? 0 : depositMicros[paidIn[m]! - 1]!
        if (this.paths[m]!.length === 0) this.paths[m]!.push(0)
        this.paths[m]!.push(marked[row]! - deposits)
        if (!Number.isNaN(executable[row])) {
          if (this.executablePaths[m]!.length === 0) this.executablePaths[m]!.push(0)
          this.executablePaths[m]!.push(executable[row]! - deposits)
        }
        this.lastUs = at[row]!
      }
    }
  }

  /** Largest fall of a maker's profit, marked at V, below an earlier peak, over the samples, microUSDC. Null without samples. */
  markToMarketDrawdownMicros(maker: number): number | null {
    return fallOf(this.paths[maker]!)
  }

  /** The same with open positions valued at what leaving them costs or brings. Null without samples that know it. */
  liquidationDrawdownMicros(maker: number): number | null {
    return fallOf(this.executablePaths[maker]!)
  }
}

const fallOf = (path: readonly number[]): number | null => (path.length === 0 ? null : maxDrawdown(path))
