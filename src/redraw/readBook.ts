import { legListsOf } from '../arrow/legLists.ts'
import { listOf } from '../arrow/tableReader.ts'
import { exactSum } from '../math/sum.ts'
import { Names, orNaN, type RunTables, type TableRows } from '../score/runTables.ts'
import { assert } from '../unit/assert.ts'
import type { Claim, Owner, PositionCounts, RedrawBook, RedrawnPosition } from './book.ts'
import { chanceOf } from './chance.ts'
import { holderFee, makerFee, type ProfitFees } from './feeRules.ts'
import type { DrawnMarket } from './outcomeBits.ts'
import { readChecks } from './readChecks.ts'
import { type PositionEnd, readEnds, readSales } from './readEnds.ts'
import type { DrawnWorld } from './readMarkets.ts'
import { type Deciding, decidingOf, type RecordedLeg, type VoidRules, voidRulesOf } from './voidLegs.ts'

/** Reads what a redraw needs of one service of a run. */
export function readBook(service: string, tables: RunTables, fees: ProfitFees, world: DrawnWorld): RedrawBook {
  const names = { makers: new Names(), cohorts: new Names() }
  names.makers.of(tables.open('positions'), 'maker')
  names.cohorts.of(tables.open('positions'), 'cohort')
  const reader = new BookReader(world, names.makers.list.length, { fees, voids: voidRulesOf(service) }, readEnds(tables, names))
  for (const batch of tables.batches('positions')) reader.read(batch, names)
  for (const { seller, cohort, profitMicros } of readSales(tables, names)) reader.sold(seller, cohort, profitMicros)
  const checks = readChecks(tables, names.makers, reader.backers)
  return reader.book(service, names, checks)
}

/** What is gathered of an owner. */
class OwnerSums {
  fixedMicros = 0
  recordedMicros = 0
  readonly luckAdjusted: number[] = []
  readonly counts: { -readonly [K in keyof PositionCounts]: number } = { redrawn: 0, void: 0, boughtBack: 0, withoutClose: 0, sold: 0, open: 0 }

  /** A profit that is the same in every redraw. */
  stands(profitMicros: number): void {
    this.fixedMicros += profitMicros
    this.recordedMicros += profitMicros
    this.luckAdjusted.push(profitMicros)
  }
}

/** A row of the positions that ended, with what it rests on. */
interface EndedRow {
  readonly end: PositionEnd
  readonly maker: number
  readonly riskMicros: number
  readonly closing: number
  readonly paid: { readonly wonToHolder: number; readonly lostToMaker: number; readonly voidToHolder: number }
}

class BookReader {
  readonly backers = new Map<number, { readonly maker: number; readonly riskMicros: number }>()
  private readonly world: DrawnWorld
  private readonly makerCount: number
  private readonly rules: { readonly fees: ProfitFees; readonly voids: VoidRules }
  private readonly ends: ReadonlyMap<number, PositionEnd>
  private readonly sums = new Map<number, OwnerSums>()
  private readonly drawn: DrawnMarket[] = []
  private readonly places = new Map<string, number>()
  private readonly positions: RedrawnPosition[] = []
  private readonly claims: Claim[] = []

  constructor(world: DrawnWorld, makerCount: number, rules: BookReader['rules'], ends: ReadonlyMap<number, PositionEnd>) {
    this.world = world
    this.makerCount = makerCount
    this.rules = rules
    this.ends = ends
  }

  read(batch: TableRows, names: { readonly makers: Names; readonly cohorts: Names }): void {
    const { fees, voids } = this.rules
    const { markets, sides } = legListsOf(batch)
    const maker = names.makers.of(batch, 'maker')
    const [position, openedUs] = [batch.numbers('position', 'int64'), batch.numbers('opened_at', 'timeUs')]
    const [feeBps, transfers] = [batch.numbers('profit_fee_bps', 'int32'), batch.numbers('transfer_count', 'int32')]
    const [stake, risk, payout, takerFee, holderCost] = (['net_stake_micros', 'risk_micros', 'payout_micros', 'taker_fee_micros', 'holder_cost_micros'] as const)
      .map((name) => batch.numbers(name, 'micros'))
    const closing = orNaN(batch, 'reference_at_close')
    for (let row = 0; row < batch.rowCount; row++) {
      const end = this.ends.get(position[row]!)
      if (end === undefined) {
        this.of(maker[row]!).counts.open++
        this.backers.set(position[row]!, { maker: maker[row]!, riskMicros: risk![row]! })
        continue
      }
      if (end.outcome === 'failed') continue
      this.backers.set(position[row]!, { maker: maker[row]!, riskMicros: risk![row]! })
      const terms = {
        stakeMicros: stake![row]!, takerFeeMicros: takerFee![row]!, payoutMicros: payout![row]!, feeBps: feeBps[row]!, isTransferred: transfers[row]! > 0,
        holderCostMicros: holderCost![row]!,
      }
      const paid = {
        wonToHolder: terms.payoutMicros - holderFee(fees, terms), lostToMaker: terms.payoutMicros - makerFee(fees, terms),
        voidToHolder: terms.stakeMicros + (voids.feeIsGivenBack ? terms.takerFeeMicros : 0),
      }
      const deciding = decidingOf(this.legsOf(listOf(markets, row), listOf(sides, row), openedUs[row]!), end.atUs, voids)
      this.ended({ end, maker: maker[row]!, riskMicros: risk![row]!, closing: closing[row]!, paid }, deciding)
    }
  }

  sold(seller: number, cohort: number, profitMicros: number): void {
    const sums = this.of(seller >= 0 ? seller : this.makerCount + cohort)
    sums.stands(profitMicros)
    sums.counts.sold++
  }

  book(service: string, names: { readonly makers: Names; readonly cohorts: Names }, checks: RedrawBook['checks']): RedrawBook {
    const numbers = [...this.sums.keys()].sort((a, b) => a - b)
    const placeOf = new Map(numbers.map((number, place) => [number, place]))
    const owners = numbers.map((number): Owner => {
      const { fixedMicros, recordedMicros, luckAdjusted, counts } = this.sums.get(number)!
      const isMaker = number < this.makerCount
      return {
        kind: isMaker ? 'maker' : 'cohort', name: isMaker ? names.makers.list[number]! : names.cohorts.list[number - this.makerCount]!,
        fixedMicros, recordedMicros, luckAdjustedMicros: Math.round(exactSum(luckAdjusted)), counts,
      }
    })
    return {
      service, correlation: this.world.correlation, owners, markets: this.drawn, positions: this.positions,
      claims: this.claims.map((claim) => ({ ...claim, owner: placeOf.get(claim.owner)! })),
      checks: checks.flatMap((check) => (placeOf.has(check.owner) ? [{ ...check, owner: placeOf.get(check.owner)! }] : [])),
    }
  }

  private legsOf(tickers: readonly string[], sides: readonly string[], openedUs: number): RecordedLeg[] {
    return tickers.map((ticker, i) => {
      const { resultUs, recorded } = this.world.markets.get(ticker)!
      const result = recorded === 'void' ? recorded : recorded === sides[i] ? 'right' : 'wrong'
      return { ticker, isYes: sides[i] === 'yes', decidedUs: Math.max(resultUs, openedUs), result }
    })
  }

  private ended(row: EndedRow, deciding: Deciding): void {
    const { end, maker, riskMicros } = row
    const holder = end.holderMaker >= 0 ? end.holderMaker : this.makerCount + end.cohort
    const why = this.whyStands(row, deciding)
    for (const [owner, profitMicros] of [[maker, end.toMakerMicros - riskMicros], [holder, end.toHolderMicros - end.holderCostMicros]] as const) {
      const sums = this.of(owner)
      sums.counts[why ?? 'redrawn']++
      if (why !== null) sums.stands(profitMicros)
    }
    if (why === null) this.redrawn(row, holder, deciding)
  }

  private redrawn(row: EndedRow, holder: number, { legs, rightUs, lagUs, isVoidElseLost }: Deciding): void {
    const { end, maker, riskMicros, paid } = row
    const isRight = legs.every(({ result }) => result === 'right')
    const [rightToHolder, rightToMaker] = isVoidElseLost ? [paid.voidToHolder, riskMicros] : [paid.wonToHolder, 0]
    assert(end.outcome === (!isRight ? 'lost' : isVoidElseLost ? 'void' : 'won'), 'a position ended as its legs did')
    assert(end.toHolderMicros === (isRight ? rightToHolder : 0) && end.toMakerMicros === (isRight ? rightToMaker : paid.lostToMaker), 'a position was paid by the profile of its service')
    const position = this.positions.push({ legs: legs.map(({ ticker, isYes, decidedUs }) => ({ market: this.place(ticker), isYes, decidedUs })), rightUs, lagUs }) - 1
    const chance = isVoidElseLost ? chanceOf(legs.map(({ ticker, isYes }) => ({ drawn: this.world.markets.get(ticker)!.drawn!, isYes })), this.world.correlation) : row.closing
    const ended = { position, recordedUs: end.atUs }
    this.claim(chance, { ...ended, owner: maker, wonMicros: rightToMaker, lostMicros: paid.lostToMaker, recordedMicros: end.toMakerMicros }, riskMicros)
    this.claim(chance, { ...ended, owner: holder, wonMicros: rightToHolder, lostMicros: 0, recordedMicros: end.toHolderMicros }, end.holderCostMicros)
  }

  /** @param chance that all legs of the position come right. */
  private claim(chance: number, claim: Claim, costMicros: number): void {
    this.claims.push(claim)
    const sums = this.of(claim.owner)
    sums.fixedMicros -= costMicros
    sums.recordedMicros += claim.recordedMicros - costMicros
    sums.luckAdjusted.push(claim.lostMicros - costMicros, chance * (claim.wonMicros - claim.lostMicros))
  }

  /** Why a position stays as it ended. Null where it is redrawn. */
  private whyStands({ end: { outcome }, closing }: EndedRow, { legs, isVoidElseLost }: Deciding): 'void' | 'boughtBack' | 'withoutClose' | null {
    if (outcome === 'bought_back') return 'boughtBack'
    if (legs.length === 0) return 'void'
    const isPriced = isVoidElseLost ? legs.every(({ ticker }) => !Number.isNaN(this.world.markets.get(ticker)!.closing)) : !Number.isNaN(closing)
    return isPriced ? null : 'withoutClose'
  }

  /** The place of a market among those that are drawn. */
  private place(ticker: string): number {
    let place = this.places.get(ticker)
    if (place === undefined) {
      place = this.drawn.push(this.world.markets.get(ticker)!.drawn!) - 1
      this.places.set(ticker, place)
    }
    return place
  }

  private of(owner: number): OwnerSums {
    let sums = this.sums.get(owner)
    if (sums === undefined) {
      sums = new OwnerSums()
      this.sums.set(owner, sums)
    }
    return sums
  }
}
