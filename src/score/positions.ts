import { IntegerSums } from '../stats/sum.ts'
import { tallyOf, type Tally } from './requests.ts'
import { RowIndex } from './rowIndex.ts'
import { codesIn, Names, orNaN, type RunTables } from './runTables.ts'

/** In the order of the `positions` table. `open` stands for an empty outcome. */
export const POSITION_ENDS = ['lost', 'won', 'void', 'open', 'bought_back', 'failed'] as const
export const PositionEnd = { lost: 0, won: 1, void: 2, open: 3, boughtBack: 4, failed: 5 } as const

/** Positions by how they ended. Ends without a result are present only where there are any. */
export type PositionTally = Tally<'lost' | 'won' | 'void' | 'open'> & Partial<Tally<'bought_back' | 'failed'>>

/** The positions of a run by number: who backs them, with what, and what their bets were. */
export class Positions {
  readonly count: number
  readonly maker: Int32Array
  readonly group: Int32Array
  /** Account number. */
  readonly bettor: Int32Array
  readonly riskMicros: Float64Array
  readonly takerFeeMicros: Float64Array
  readonly stakeMicros: Float64Array
  readonly quote: Float64Array
  readonly legCount: Int32Array
  /** Number of the category among `categories`. */
  readonly category: Int32Array
  readonly categories = new Names()
  readonly cluster: Int32Array
  /** V with every leg at its close. NaN when unknown. */
  readonly closing: Float64Array
  private readonly end: Int8Array
  /** Positions whose legs lie in several settlement clusters. */
  severalClusters = 0
  private readonly byEnd = new Float64Array(POSITION_ENDS.length)
  /** What lies in pots and escrow for open positions. */
  private readonly open = new IntegerSums(2)
  private readonly grossBets: IntegerSums
  private readonly index: RowIndex

  constructor(tables: RunTables, names: { readonly makers: Names; readonly groups: Names; readonly clusters: Names }) {
    this.count = tables.rowCount('positions')
    const number = new Float64Array(this.count)
    this.maker = new Int32Array(this.count)
    this.group = new Int32Array(this.count)
    this.bettor = new Int32Array(this.count)
    this.riskMicros = new Float64Array(this.count)
    this.takerFeeMicros = new Float64Array(this.count)
    this.end = new Int8Array(this.count)
    this.stakeMicros = new Float64Array(this.count)
    this.quote = new Float64Array(this.count)
    this.legCount = new Int32Array(this.count)
    this.category = new Int32Array(this.count)
    this.cluster = new Int32Array(this.count)
    this.closing = new Float64Array(this.count)
    let from = 0
    for (const batch of tables.batches('positions')) {
      number.set(batch.numbers('position', 'int64'), from)
      this.maker.set(names.makers.of(batch, 'maker'), from)
      this.group.set(names.groups.of(batch, 'cohort'), from)
      this.bettor.set(batch.numbers('bettor', 'int32'), from)
      this.riskMicros.set(batch.numbers('risk_micros', 'micros'), from)
      this.takerFeeMicros.set(batch.numbers('taker_fee_micros', 'micros'), from)
      this.stakeMicros.set(batch.numbers('net_stake_micros', 'micros'), from)
      this.quote.set(batch.numbers('quote', 'int64'), from)
      this.legCount.set(batch.numbers('leg_count', 'int32'), from)
      this.category.set(this.categories.of(batch, 'category'), from)
      this.cluster.set(names.clusters.of(batch, 'cluster'), from)
      this.closing.set(orNaN(batch, 'reference_at_close'), from)
      for (const clusters of batch.numbers('cluster_count', 'int32')) if (clusters > 1) this.severalClusters++
      this.countEnds(codesIn(POSITION_ENDS, batch, 'outcome'), batch.numbers('payout_micros', 'micros'), from)
      from += batch.rowCount
    }
    this.index = new RowIndex(number)
    this.grossBets = new IntegerSums(names.groups.list.length)
    for (let row = 0; row < this.count; row++) {
      if (this.end[row] !== PositionEnd.failed) this.grossBets.add(this.group[row]!, this.stakeMicros[row]! + this.takerFeeMicros[row]!)
    }
  }

  /** Row of a position, or −1. */
  find(position: number): number {
    return this.index.newest(position)
  }

  /** total_payout. */
  payoutOf(row: number): number {
    return this.stakeMicros[row]! + this.riskMicros[row]!
  }

  /** Whether the chain funded the position. Otherwise it never was a bet. */
  isFunded(row: number): boolean {
    return this.end[row] !== PositionEnd.failed
  }

  isVoid(row: number): boolean {
    return this.end[row] === PositionEnd.void
  }

  byOutcome(): PositionTally {
    const all = tallyOf(POSITION_ENDS, this.byEnd)
    const always = { lost: all.lost, won: all.won, void: all.void, open: all.open }
    return {
      ...always, ...(all.bought_back > 0 ? { bought_back: all.bought_back } : {}), ...(all.failed > 0 ? { failed: all.failed } : {}),
    }
  }

  /** Σ total_payout of open positions: what their pots hold. */
  openPayoutMicros(): bigint {
    return this.open.exact(0)
  }

  /** Σ taker fee of open positions: what their escrows hold. */
  openTakerFeeMicros(): bigint {
    return this.open.exact(1)
  }

  /** Σ gross bet of a cohort's positions, without those that the chain failed to fund. */
  grossBetMicros(group: number): bigint {
    return this.grossBets.exact(group)
  }

  /** By maker number: positions that the maker bet on itself. @param makerOf maker number by account number. */
  ownBets(makerOf: ReadonlyMap<number, number>, makerCount: number): Float64Array {
    const counts = new Float64Array(makerCount)
    for (const account of this.bettor) {
      const maker = makerOf.get(account)
      if (maker !== undefined) counts[maker]!++
    }
    return counts
  }

  private countEnds(outcomes: Int32Array, payoutMicros: ArrayLike<number>, from: number): void {
    for (let row = 0; row < outcomes.length; row++) {
      const end = outcomes[row]! < 0 ? PositionEnd.open : outcomes[row]!
      this.end[from + row] = end
      this.byEnd[end]!++
      if (end !== PositionEnd.open) continue
      this.open.add(0, payoutMicros[row]!)
      this.open.add(1, this.takerFeeMicros[from + row]!)
    }
  }
}
