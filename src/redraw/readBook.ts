import { legListsOf } from '../arrow/legLists.ts'
import { listOf } from '../arrow/tableReader.ts'
import { exactSum } from '../math/sum.ts'
import { Names, orNaN, type RunTables, type TableRows } from '../score/runTables.ts'
import { assert } from '../unit/assert.ts'
import type { Claim, Owner, PositionCounts, RedrawBook, RedrawnPosition, TimedLeg } from './book.ts'
import { holderFee, makerFee, type ProfitFees } from './feeRules.ts'
import type { DrawnMarket } from './outcomeBits.ts'
import { readChecks } from './readChecks.ts'
import { type PositionEnd, readEnds, readSales } from './readEnds.ts'
import type { DrawnWorld, RunMarket } from './readMarkets.ts'

/** Reads what a redraw needs of one service of a run. */
export function readBook(service: string, tables: RunTables, fees: ProfitFees, { markets, correlation }: DrawnWorld): RedrawBook {
  const names = { makers: new Names(), cohorts: new Names() }
  names.makers.of(tables.open('positions'), 'maker')
  names.cohorts.of(tables.open('positions'), 'cohort')
  const reader = new BookReader(markets, names.makers.list.length, fees, readEnds(tables, names))
  for (const batch of tables.batches('positions')) reader.read(batch, names)
  for (const { seller, cohort, profitMicros } of readSales(tables, names)) reader.sold(seller, cohort, profitMicros)
  const checks = readChecks(tables, names.makers, reader.backers)
  return reader.book(service, correlation, names, checks)
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
  readonly paid: { readonly wonToHolder: number; readonly lostToMaker: number }
}

class BookReader {
  readonly backers = new Map<number, { readonly maker: number; readonly riskMicros: number }>()
  private readonly runMarkets: ReadonlyMap<string, RunMarket>
  private readonly makerCount: number
  private readonly fees: ProfitFees
  private readonly ends: ReadonlyMap<number, PositionEnd>
  private readonly sums = new Map<number, OwnerSums>()
  private readonly drawn: DrawnMarket[] = []
  private readonly places = new Map<string, number>()
  private readonly positions: RedrawnPosition[] = []
  private readonly claims: Claim[] = []

  constructor(runMarkets: ReadonlyMap<string, RunMarket>, makerCount: number, fees: ProfitFees, ends: ReadonlyMap<number, PositionEnd>) {
    this.runMarkets = runMarkets
    this.makerCount = makerCount
    this.fees = fees
    this.ends = ends
  }

  read(batch: TableRows, names: { readonly makers: Names; readonly cohorts: Names }): void {
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
      const paid = { wonToHolder: terms.payoutMicros - holderFee(this.fees, terms), lostToMaker: terms.payoutMicros - makerFee(this.fees, terms) }
      this.ended(
        { end, maker: maker[row]!, riskMicros: risk![row]!, closing: closing[row]!, paid },
        { tickers: listOf(markets, row), sides: listOf(sides, row), openedUs: openedUs[row]! },
      )
    }
  }

  sold(seller: number, cohort: number, profitMicros: number): void {
    const sums = this.of(seller >= 0 ? seller : this.makerCount + cohort)
    sums.stands(profitMicros)
    sums.counts.sold++
  }

  book(service: string, correlation: number, names: { readonly makers: Names; readonly cohorts: Names }, checks: RedrawBook['checks']): RedrawBook {
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
      service, correlation, owners, markets: this.drawn, positions: this.positions,
      claims: this.claims.map((claim) => ({ ...claim, owner: placeOf.get(claim.owner)! })),
      checks: checks.flatMap((check) => (placeOf.has(check.owner) ? [{ ...check, owner: placeOf.get(check.owner)! }] : [])),
    }
  }

  private ended(row: EndedRow, told: { readonly tickers: readonly string[]; readonly sides: readonly string[]; readonly openedUs: number }): void {
    const { end, maker, riskMicros } = row
    const holder = end.holderMaker >= 0 ? end.holderMaker : this.makerCount + end.cohort
    const why = this.whyStands(row, told.tickers)
    for (const [owner, profitMicros] of [[maker, end.toMakerMicros - riskMicros], [holder, end.toHolderMicros - end.holderCostMicros]] as const) {
      const sums = this.of(owner)
      sums.counts[why ?? 'redrawn']++
      if (why !== null) sums.stands(profitMicros)
    }
    if (why === null) this.redrawn(row, holder, told)
  }

  private redrawn(row: EndedRow, holder: number, { tickers, sides, openedUs }: { readonly tickers: readonly string[]; readonly sides: readonly string[]; readonly openedUs: number }): void {
    const { end, maker, riskMicros, paid } = row
    const legs = tickers.map((ticker, i): TimedLeg & { readonly isRight: boolean } => {
      const { resultUs, recorded } = this.runMarkets.get(ticker)!
      return { market: this.place(ticker), isYes: sides[i] === 'yes', decidedUs: Math.max(resultUs, openedUs), isRight: recorded === sides[i] }
    }).sort((a, b) => a.decidedUs - b.decidedUs)
    const isWon = legs.every(({ isRight }) => isRight)
    const decidedUs = (legs.find(({ isRight }) => !isRight) ?? legs.at(-1)!).decidedUs
    assert(isWon === (end.outcome === 'won'), 'a position ended as its legs did')
    assert(end.toHolderMicros === (isWon ? paid.wonToHolder : 0) && end.toMakerMicros === (isWon ? 0 : paid.lostToMaker), 'a position was paid by the profile of its service')
    const position = this.positions.push({ legs: legs.map(({ market, isYes, decidedUs: atUs }) => ({ market, isYes, decidedUs: atUs })), lagUs: end.atUs - decidedUs }) - 1
    this.claim(row, { position, owner: maker, wonMicros: 0, lostMicros: paid.lostToMaker, recordedMicros: end.toMakerMicros, recordedUs: end.atUs }, riskMicros)
    this.claim(row, { position, owner: holder, wonMicros: paid.wonToHolder, lostMicros: 0, recordedMicros: end.toHolderMicros, recordedUs: end.atUs }, end.holderCostMicros)
  }

  private claim({ closing }: EndedRow, claim: Claim, costMicros: number): void {
    this.claims.push(claim)
    const sums = this.of(claim.owner)
    sums.fixedMicros -= costMicros
    sums.recordedMicros += claim.recordedMicros - costMicros
    sums.luckAdjusted.push(claim.lostMicros - costMicros, closing * (claim.wonMicros - claim.lostMicros))
  }

  /** Why a position stays as it ended. Null where it is redrawn. */
  private whyStands({ end: { outcome }, closing }: EndedRow, tickers: readonly string[]): 'void' | 'boughtBack' | 'withoutClose' | null {
    if (outcome === 'bought_back') return 'boughtBack'
    if (outcome === 'void' || tickers.some((ticker) => this.runMarkets.get(ticker)!.drawn === null)) return 'void'
    return Number.isNaN(closing) ? 'withoutClose' : null
  }

  /** The place of a market among those that are drawn. */
  private place(ticker: string): number {
    let place = this.places.get(ticker)
    if (place === undefined) {
      place = this.drawn.push(this.runMarkets.get(ticker)!.drawn!) - 1
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
