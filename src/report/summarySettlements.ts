import { maxDrawdown } from '../stats/drawdown.ts'
import { IntegerSums } from '../stats/sum.ts'
import type { ClusteredSums } from './summaryClusters.ts'
import { BettorColumn as B, MakerColumn as M } from './summaryColumns.ts'
import type { MakerMoney } from './summaryLedger.ts'
import { POSITION_ENDS, PositionEnd, type Positions } from './summaryPositions.ts'
import { codesIn, type Names, type RunTables } from './summaryTables.ts'

/** One pass over the settlements: profits and losses by cluster, fees, and the path of each maker's realised profit. */
export class Settlements {
  /** By maker number: taker fees, then profit fees, kept on what it backed. */
  private readonly fees: IntegerSums
  private readonly makerCount: number
  /** By maker number: realised profit after each instant with a settlement, microUSDC, from 0. */
  private readonly paths: number[][]
  private readonly lastUs: Float64Array

  constructor(
    tables: RunTables, names: { readonly makers: Names; readonly groups: Names; readonly clusters: Names }, positions: Positions,
    makerSums: ClusteredSums, bettorSums: ClusteredSums,
  ) {
    this.makerCount = names.makers.list.length
    this.fees = new IntegerSums(2 * this.makerCount)
    this.paths = names.makers.list.map(() => [0])
    this.lastUs = new Float64Array(this.makerCount).fill(-Infinity)
    for (const batch of tables.batches('settlements')) {
      const maker = names.makers.of(batch, 'maker')
      const group = names.groups.of(batch, 'group')
      const cluster = names.clusters.of(batch, 'cluster')
      const outcome = codesIn(POSITION_ENDS, batch, 'outcome')
      const at = batch.numbers('at', 'timeUs')
      const cells = moneyOf(batch)
      const position = batch.numbers('position', 'int64')
      for (let row = 0; row < batch.rowCount; row++) {
        const m = maker[row]!
        const c = cluster[row]!
        const betMicros = cells.stake[row]! + positions.takerFeeMicros[positions.find(position[row]!)]!
        const profit = cells.toMaker[row]! - (cells.payout[row]! - cells.stake[row]!)
        const lossMicros = betMicros - cells.toHolder[row]!
        this.realise(m, at[row]!, profit)
        this.fees.add(m, cells.takerFee[row]!)
        this.fees.add(this.makerCount + m, cells.profitFee[row]!)
        makerSums.add(m, c, M.settled, 1)
        makerSums.add(m, c, M.profit, profit)
        bettorSums.add(group[row]!, c, B.profit, 0 - lossMicros)
        if (outcome[row] === PositionEnd.void) continue
        const paid = outcome[row] === PositionEnd.won ? cells.payout[row]! : 0
        makerSums.add(m, c, M.stake, cells.stake[row]!)
        makerSums.add(m, c, M.hold, cells.stake[row]! - paid)
        makerSums.add(m, c, M.grossBet, betMicros)
        makerSums.add(m, c, M.bettorLoss, lossMicros)
        bettorSums.add(group[row]!, c, B.grossBet, betMicros)
        bettorSums.add(group[row]!, c, B.loss, lossMicros)
      }
    }
  }

  takerFeeMicros(maker: number): bigint {
    return this.fees.exact(maker)
  }

  profitFeeMicros(maker: number): bigint {
    return this.fees.exact(this.makerCount + maker)
  }

  /** Largest fall of a maker's realised profit below an earlier peak, microUSDC; what settles at one instant is one step. */
  cashDrawdownMicros(maker: number): number {
    return maxDrawdown(this.paths[maker]!)
  }

  private realise(maker: number, atUs: number, profit: number): void {
    const path = this.paths[maker]!
    if (this.lastUs[maker] === atUs) path[path.length - 1]! += profit
    else path.push(path[path.length - 1]! + profit)
    this.lastUs[maker] = atUs
  }
}

function moneyOf(batch: ReturnType<RunTables['open']>) {
  const column = (name: string): ArrayLike<number> => batch.numbers(name, 'micros')
  return {
    stake: column('stake_micros'), payout: column('payout_micros'), toHolder: column('to_holder_micros'),
    toMaker: column('to_maker_micros'), takerFee: column('taker_fee_micros'), profitFee: column('profit_fee_micros'),
  }
}

/** The `equity` table per maker: the fall of V-marked equity, and the last instant sampled. */
export class EquitySamples {
  /** µs; −Infinity without samples. */
  lastUs = -Infinity
  private readonly paths: number[][]

  constructor(tables: RunTables, makers: Names, money: readonly MakerMoney[]) {
    this.paths = makers.list.map(() => [])
    const paidIn = makers.list.map(() => 0)
    for (const batch of tables.batches('equity')) {
      const maker = makers.of(batch, 'maker')
      const seq = batch.numbers('seq', 'int64')
      const at = batch.numbers('at', 'timeUs')
      const marked = batch.numbers('marked_micros', 'micros')
      for (let row = 0; row < batch.rowCount; row++) {
        const m = maker[row]!
        const { depositSeqs, depositMicros } = money[m]!
        while (paidIn[m]! < depositSeqs.length && depositSeqs[paidIn[m]!]! <= seq[row]!) paidIn[m]!++
        const deposits = paidIn[m] === 0 ? 0 : depositMicros[paidIn[m]! - 1]!
        if (this.paths[m]!.length === 0) this.paths[m]!.push(0)
        this.paths[m]!.push(marked[row]! - deposits)
        this.lastUs = at[row]!
      }
    }
  }

  /** Largest fall of a maker's V-marked profit below an earlier peak, at the samples, microUSDC; null without samples. */
  markedDrawdownMicros(maker: number): number | null {
    return this.paths[maker]!.length === 0 ? null : maxDrawdown(this.paths[maker]!)
  }
}
