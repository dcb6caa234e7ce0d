import { ratio } from '../stats/clusterBootstrap.ts'
import { expectedShortfall } from '../stats/expectedShortfall.ts'
import { clipped, type Interval } from '../stats/interval.ts'
import { DAY_US } from '../unit/time.ts'
import { type Terms, TERMS } from './attribution.ts'
import type { Breakdowns, BreakdownSummary } from './breakdowns.ts'
import { TERM_COLUMNS } from './scorecard.ts'
import { type ClusteredSums, microsOf } from './clusteredSums.ts'
import { MakerColumn, MarkColumn, markColumn } from './columns.ts'
import type { WinCurve } from './winCurve.ts'
import { differenceOfMeans, type LastLooks, type LastLookSummary } from './lastLooks.ts'
import type { MakerMoney } from './ledgerReplay.ts'
import type { OpenBooks } from './openBook.ts'
import type { WorstLoss } from './worstLoss.ts'
import type { MarkCounts } from './marks.ts'
import type { Quotes } from './quotes.ts'
import type { EquitySamples, Settlements } from './settlements.ts'

/** Figures of one maker as docs/metrics.md defines them; cents are per dollar of payout. */
export interface MakerSummary {
  readonly name: string
  readonly quotes: number
  readonly quoteRate: QuoteRateSummary
  readonly hits: HitSummary
  readonly winCurve: WinCurve
  readonly lastLook: LastLookSummary
  readonly marks: readonly MarkSummary[]
  readonly settled: number
  /** Σ(s − paid)/Σs over non-void positions, before fees. */
  readonly hold: Interval
  /** Of the bettors it backed: what they lost, fees too, over their gross bets; non-void positions. */
  readonly bettorLoss: Interval
  /** Σ(s − V_close·P)/Σs over positions that a result decided, of a known V at the close: fewer than those of `hold`, which counts buybacks too. */
  readonly expectedHold: Interval
  /** Realised, over backed positions and holdings that ended, after the maker's own fees. microUSDC. */
  readonly profitMicros: number
  /** The same with its interval, USDC. */
  readonly profit: Interval
  /** 99 % expected shortfall of the profit per cluster in which anybody's position ended, microUSDC; null of a maker of which none did. */
  readonly expectedShortfallMicros: number | null
  readonly fees: { readonly takerMicros: number; readonly profitMicros: number }
  readonly collateral: CollateralSummary
  /** Falls below an earlier peak: of realised profit, and at the samples of equity at V and at the touch. */
  readonly drawdown: { readonly cashMicros: number; readonly markedMicros: number | null; readonly executableMicros: number | null }
  /** The worst joint outcome of the open book without voids, over all instants; null of a maker that never had a position. */
  readonly worstJointLoss: WorstLoss | null
  readonly attribution: AttributionSummary
  readonly breakdowns: BreakdownSummary
  /** Positions that it bet on itself: the marked drawdown and the reserved part of its collateral count them, no other figure here does. Of one that bets. */
  readonly ownBets?: number
}

/** The profit in its terms. */
export interface AttributionSummary {
  /** They add up to `profitMicros`. */
  readonly micros: Readonly<Terms>
  /** USDC. */
  readonly terms: Readonly<Record<keyof Terms, Interval>>
  /** Of what ended: without F, whose margin has the selection too; without V at an instant at least. */
  readonly withoutFair: number
  readonly withoutReference: number
}

/** Requests that a maker priced. A maker that is away or ignores a request is not delivered it. */
export interface QuoteRateSummary {
  readonly submitted: number
  /** Requests and new versions that reached the maker; null where the manifest does not say. */
  readonly delivered: number | null
  /** Submitted over delivered. */
  readonly ratio: number | null
  /** Submitted over the versions of requests that the run had, whomever they reached: another figure, not the quote rate. */
  readonly perVersion: number | null
  readonly label: string
}

export interface HitSummary {
  readonly fills: number
  readonly quotedVersions: number
  /** Versions committed to another while the maker's quote lived, or to the maker, whether it confirmed, declined or let the time pass. */
  readonly committedVersions: number
  readonly ratio: Interval
  readonly ofCommitted: Interval
}

export interface MarkSummary extends Readonly<MarkCounts> {
  readonly horizonUs: number
  /** 100 ΣP(q − V)/ΣP over fills. */
  readonly markOutCents: Interval
  /** 100[mean(V − F given won) − mean(V − F given lost)]; positive hurts. */
  readonly winnersCurseCents: Interval
}

export interface CollateralSummary {
  /** ∫(locked + reserved)dt in microUSDC · µs, an exact integer as text. */
  readonly integralMicrosUs: string
  /** Over the session, rounded down to the micro-unit; null of a session without length. */
  readonly averageMicros: number | null
  /** What the positions that it took over cost while it held them: capital, but no collateral. Of a maker that took any over. */
  readonly held?: { readonly integralMicrosUs: string; readonly averageMicros: number | null }
  /** Realised profit per USDC-day of collateral and of `held`; null without either. */
  readonly returnPerDay: number | null
}

export interface MakerParts {
  readonly sums: ClusteredSums
  readonly quotes: Quotes
  readonly lastLooks: LastLooks
  readonly breakdowns: Breakdowns
  readonly books: OpenBooks
  readonly horizonsUs: readonly number[]
  readonly markCounts: readonly (readonly MarkCounts[])[]
  readonly settlements: Settlements
  readonly equity: EquitySamples
  readonly money: readonly MakerMoney[]
  /** Versions of requests of the run. */
  readonly versions: number
  readonly delivered: (maker: string) => number | null
  readonly endUs: number
  readonly durationUs: number
  /** By maker number. */
  readonly ownBets: ArrayLike<number>
}

const USDC = 1e-6

/** Puts a maker's figures together. */
export function makerSummary(maker: number, name: string, parts: MakerParts): MakerSummary {
  const { sums, quotes, lastLooks, settlements } = parts
  const interval = (figure: string, columns: readonly number[]): Interval =>
    sums.interval(maker, name, figure, columns, ratio(0, 1))
  const profitMicros = microsOf(sums.total(maker, MakerColumn.profit))
  const shortfall = expectedShortfall(sums.byCluster(maker, MakerColumn.profit, MakerColumn.ended))
  return {
    name,
    quotes: quotes.byMaker[maker]!,
    quoteRate: quoteRateOf(quotes.byMaker[maker]!, parts.versions, parts.delivered(name)),
    hits: {
      fills: microsOf(sums.total(maker, MakerColumn.fills)),
      quotedVersions: microsOf(sums.total(maker, MakerColumn.quotedVersions)),
      committedVersions: microsOf(sums.total(maker, MakerColumn.committedVersions)),
      ratio: clipped(interval('hit ratio', [MakerColumn.fills, MakerColumn.quotedVersions]), 0, 1),
      ofCommitted: clipped(interval('hit ratio of committed', [MakerColumn.fills, MakerColumn.committedVersions]), 0, 1),
    },
    winCurve: quotes.curves.of(maker),
    lastLook: lastLooks.of(maker, name),
    marks: parts.horizonsUs.map((horizonUs, h) => marksOf(maker, name, horizonUs, h, parts)),
    settled: microsOf(sums.total(maker, MakerColumn.settled)),
    hold: interval('hold', [MakerColumn.hold, MakerColumn.stake]),
    bettorLoss: interval('bettor loss', [MakerColumn.bettorLoss, MakerColumn.grossBet]),
    expectedHold: interval('expected hold', [MakerColumn.closeHold, MakerColumn.closeStake]),
    profitMicros,
    profit: sums.sumInterval(maker, name, 'profit', { column: MakerColumn.profit, count: MakerColumn.ended, scale: USDC }),
    expectedShortfallMicros: Number.isNaN(shortfall) ? null : shortfall,
    fees: {
      takerMicros: microsOf(settlements.takerFeeMicros(maker)), profitMicros: microsOf(settlements.profitFeeMicros(maker)),
    },
    collateral: collateralOf(parts.money[maker]!.collateralMicrosUs, settlements.heldMicrosUs(maker, parts.endUs), parts.durationUs, profitMicros),
    drawdown: {
      cashMicros: settlements.cashDrawdownMicros(maker), markedMicros: parts.equity.markedDrawdownMicros(maker),
      executableMicros: parts.equity.executableDrawdownMicros(maker),
    },
    worstJointLoss: parts.books.worstLoss(maker),
    attribution: attributionOf(maker, name, sums),
    breakdowns: parts.breakdowns.of(maker, name),
    ...(parts.ownBets[maker]! > 0 ? { ownBets: parts.ownBets[maker]! } : {}),
  }
}

function attributionOf(maker: number, name: string, sums: ClusteredSums): AttributionSummary {
  const byTerm = <T>(of: (term: string, column: number) => T): Record<keyof Terms, T> =>
    Object.fromEntries(TERMS.map((term, t) => [term, of(term, TERM_COLUMNS[t]!)])) as Record<keyof Terms, T>
  return {
    micros: byTerm((_, column) => microsOf(sums.total(maker, column))),
    terms: byTerm((term, column) => sums.sumInterval(maker, name, `attribution ${term}`, { column, count: MakerColumn.ended, scale: USDC })),
    withoutFair: microsOf(sums.total(maker, MakerColumn.withoutFair)), withoutReference: microsOf(sums.total(maker, MakerColumn.withoutReference)),
  }
}

const quoteRateOf = (submitted: number, versions: number, delivered: number | null): QuoteRateSummary => ({
  submitted, delivered, ratio: delivered === null || delivered === 0 ? null : submitted / delivered, perVersion: versions === 0 ? null : submitted / versions,
  label: 'ratio: quotes submitted / requests delivered; perVersion: quotes submitted / request versions created',
})

function marksOf(maker: number, name: string, horizonUs: number, h: number, { sums, markCounts }: MakerParts): MarkSummary {
  const column = (mark: number): number => markColumn(h, mark)
  const gap = [MarkColumn.wonPayout, MarkColumn.wonGap, MarkColumn.lostPayout, MarkColumn.lostGap].map(column)
  return {
    horizonUs, ...markCounts[maker]![h]!,
    markOutCents: sums.interval(
      maker, name, `mark-out ${horizonUs}`, [column(MarkColumn.markOut), column(MarkColumn.payout)], ratio(0, 1, 100),
    ),
    winnersCurseCents: sums.interval(maker, name, `winner's curse ${horizonUs}`, gap, differenceOfMeans),
  }
}

function collateralOf(integral: bigint, held: bigint, durationUs: number, profitMicros: number): CollateralSummary {
  const tied = (micros: bigint) => ({ integralMicrosUs: String(micros), averageMicros: durationUs > 0 ? Number(micros / BigInt(durationUs)) : null })
  const capital = integral + held
  return {
    ...tied(integral), ...(held > 0n ? { held: tied(held) } : {}),
    returnPerDay: capital > 0n ? profitMicros / (Number(capital) / DAY_US) : null,
  }
}
