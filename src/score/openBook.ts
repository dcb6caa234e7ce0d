import { legListsOf } from '../arrow/legLists.ts'
import type { CashOuts } from './cashOuts.ts'
import type { BetLeg } from './jointOutcomes.ts'
import type { Positions } from './positions.ts'
import { MarketSets } from './marketSets.ts'
import { Names, orNaN, type RunTables, type TableRows } from './runTables.ts'
import { NOT_EXCEEDED, type Stretch, worstLoss, type WorstLoss } from './worstLoss.ts'

/** What every maker had open, and when: positions that it backs, until results decide them or it buys them back, and positions that it takes over. */
export class OpenBooks {
  private readonly stretches: Stretch[][]
  /** By maker: positions that were voided while the maker had them. */
  private readonly voided: number[]
  private readonly sets: MarketSets
  private readonly tickers = new Names()
  /** By maker: the markets of all its positions. */
  private readonly markets: Set<number>[]

  constructor(tables: RunTables, makers: Names, positions: Positions, cashOuts: CashOuts) {
    this.stretches = makers.list.map(() => [])
    this.voided = makers.list.map(() => 0)
    this.markets = makers.list.map(() => new Set())
    this.sets = new MarketSets(tables, this.tickers)
    const transfers = Map.groupBy(cashOuts.transfers, ({ position }) => position)
    for (const batch of tables.batches('positions')) this.read(batch, positions, transfers)
  }

  /**
   * Null for a maker that never had a position. Where the run does not say how some markets of the positions hang together, the figure is only
   * a bound. The joint outcomes have no void. A void takes away what the position would have won, so that the worst outcome can be worse with one. Where a position of the maker was voided, the figure is neither exact nor a bound.
   */
  worstLoss(maker: number): WorstLoss | null {
    const found = worstLoss(this.stretches[maker]!)
    const voided = this.voided[maker]!
    const worst = found?.isExact === true && !this.sets.areKnown(this.markets[maker]!) ? { micros: found.micros, isExact: false, label: NOT_EXCEEDED } : found
    if (worst === null || voided === 0) return worst
    return { micros: worst.micros, isExact: false, label: `as if none were voided: ${voided} ${voided === 1 ? 'was' : 'were'}` }
  }

  private read(batch: TableRows, positions: Positions, transfers: ReadonlyMap<number, CashOuts['transfers']>): void {
    const legs = new Legs(batch, this.tickers)
    const position = batch.numbers('position', 'int64')
    const opened = batch.numbers('opened_at', 'timeUs')
    const [ended, decided] = [orNaN(batch, 'ended_at'), orNaN(batch, 'resolved_at')]
    const legCount = batch.numbers('leg_count', 'int32')
    for (let i = 0; i < batch.rowCount; i++) {
      const row = positions.find(position[i]!)
      if (!positions.isFunded(row)) continue
      const toUs = endOf(decided[i]!, ended[i]!)
      const betLegs = this.legsOf(legs, i)
      const isWhole = betLegs.length === legCount[i]
      const [stake, payout] = [positions.stakeMicros[row]!, positions.payoutOf(row)]
      const add = (maker: number, stretch: Omit<Stretch, 'isWhole'>): void => {
        this.stretches[maker]!.push({ ...stretch, isWhole })
        for (const { market } of betLegs) this.markets[maker]!.add(market)
      }
      // Until a voided position is given back, it could be won or lost.
      add(positions.maker[row]!, { fromUs: opened[i]!, toUs, bet: { weight: payout, legs: betLegs }, riskMicros: payout - stake, gainMicros: stake })
      const sales = transfers.get(position[i]!) ?? []
      if (positions.isVoid(row)) for (const maker of new Set([positions.maker[row]!, sales.at(-1)?.buyer ?? positions.maker[row]!])) this.voided[maker]!++
      sales.forEach(({ atUs, buyer, priceMicros }, k) => add(buyer, {
        fromUs: atUs, toUs: Math.min(toUs, sales[k + 1]?.atUs ?? Infinity), bet: isWhole ? { weight: 0 - payout, legs: betLegs } : null,
        riskMicros: priceMicros, gainMicros: payout - priceMicros,
      }))
    }
  }

  /** The legs that the table has of a row: an older run left out those beyond the eighth. A loop, as in runTables.ts. */
  private legsOf({ markets, sides, offsets, yes }: Legs, row: number): BetLeg[] {
    const legs: BetLeg[] = []
    for (let i = offsets[row]!; i < offsets[row + 1]!; i++) {
      const market = markets[i]!
      legs.push({ ...this.sets.of(market), market, yes: sides[i] === yes })
    }
    return legs
  }
}

/** The legs of a batch's rows: the numbers of their markets and of their sides, one row after the other, and where each row begins. */
class Legs {
  readonly markets: Int32Array
  readonly sides: Int32Array
  readonly offsets: Int32Array
  /** Number of the side YES. */
  readonly yes: number

  constructor(batch: TableRows, tickers: Names) {
    const names = new Names()
    const { markets, sides } = legListsOf(batch)
    this.markets = tickers.ofColumn(markets)
    this.sides = names.ofColumn(sides)
    this.offsets = markets.offsets!
    this.yes = names.number('yes')
  }
}

/** When a position's risk was over: when results decided it, or when it ended without a result. */
const endOf = (decidedUs: number, endedUs: number): number =>
  Math.min(Number.isNaN(decidedUs) ? Infinity : decidedUs, Number.isNaN(endedUs) ? Infinity : endedUs)
