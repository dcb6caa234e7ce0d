import { ratio } from '../stats/clusterInterval.ts'
import { expectedShortfall, SHORTFALL_OUTCOMES_MIN } from '../stats/expectedShortfall.ts'
import { clipped, type Interval } from '../stats/interval.ts'
import { plural } from '../unit/numberText.ts'
import { DAY_US } from '../unit/time.ts'
import { type Terms, TERMS } from './attribution.ts'
import type { Breakdowns, BreakdownSummary } from './breakdowns.ts'
import { TERM_COLUMNS } from './scorecard.ts'
import { type ClusteredSums, microsOf } from './clusteredSums.ts'
import { MakerColumn, MarkColumn, markColumn } from './columns.ts'
import { adjustedOf, type BookLegs, type FigureBasis, VALUED } from './figureBasis.ts'
import { type KellySummary, kellyOf } from './kelly.ts'
import type { WinCurve } from './winCurve.ts'
import { differenceOfMeans, type LastLooks, type LastLookSummary } from './lastLooks.ts'
import type { MakerMoney } from './ledgerReplay.ts'
import type { OpenBooks } from './openBook.ts'
import type { RequestReach } from './runHead.ts'
import type { WorstLoss } from './worstLoss.ts'
import type { MarkCounts } from './marks.ts'
import type { Quotes } from './quotes.ts'
import type { EquitySamples, Settlements } from './settlements.ts'

/** Figures of one maker as docs/metrics.md defines them. Cents are per dollar of payout. */
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
  /** What the bettors that it backed lost, including fees, over their gross bets. Void positions do not count. */
  readonly bettorLoss: Interval
  /** Σ(s − V_close·P)/Σs over positions that a result decided and whose V at the close is known. `hold` rests on more: it counts buybacks too. */
  readonly expectedHold: Interval
  /** Realised profit over backed positions and holdings that ended, after the maker's own fees, microUSDC. */
  readonly profitMicros: number
  /** The same with its interval, USDC. */
  readonly profit: Interval
  /** Profit less the luck of its attribution: what was earned up to the close, whoever won, microUSDC. */
  readonly luckAdjustedMicros: number
  /** The same with its interval, USDC. */
  readonly luckAdjusted: Interval
  /**
   * Share of what was uncertain at its deals, ΣP·V(1 − V), that prices had decided by the closes: what is left of it is luck. Below 0 where prices left more
   * open than there was. Null where nothing was uncertain.
   */
  readonly decidedByClose: number | null
  /** What its worst clusters brought. Clusters are those in which a position of any maker ended. */
  readonly tail: TailSummary
  /** How large its book would have grown its capital fastest. */
  readonly kelly: KellySummary
  readonly fees: { readonly takerMicros: number; readonly profitMicros: number }
  readonly collateral: CollateralSummary
  /** Largest falls below an earlier peak: of realised profit, and over the samples of equity at V and at the touch. */
  readonly drawdown: { readonly cashMicros: number; readonly markToMarketMicros: number | null; readonly liquidationMicros: number | null; readonly label: string }
  /** The worst joint outcome of the open book without voids, over all instants. Null for a maker that never had a position. */
  readonly worstJointLoss: WorstLoss | null
  readonly attribution: AttributionSummary
  readonly breakdowns: BreakdownSummary
  /** Positions that the maker bet on itself, for a maker that bets. Only the mark-to-market drawdown and the reserved part of its collateral count them. */
  readonly ownBets?: number
}

/** The worst of the profit by cluster. A maker none of whose positions ended has no clusters. */
export interface TailSummary {
  readonly clusters: number
  /** Profit in the worst cluster, microUSDC. Null without clusters. */
  readonly worstClusterMicros: number | null
  /** 99% expected shortfall of the profit per cluster, microUSDC. Null with fewer than 100 clusters, since it would be the worst of them. */
  readonly expectedShortfallMicros: number | null
  readonly label: string
}

/** The profit in its terms. */
export interface AttributionSummary {
  /** The terms add up to `profitMicros`. */
  readonly micros: Readonly<Terms>
  /** USDC. */
  readonly terms: Readonly<Record<keyof Terms, Interval>>
  /**
   * Ended positions without F, whose margin includes the selection; those on legs that are drawn together with F and without D, whose selection
   * includes the model; and those without V at one instant at least.
   */
  readonly withoutFair: number
  readonly withoutProduct: number
  readonly withoutReference: number
}

/** The share of requests that a maker priced. A request does not reach a maker that is away or ignores it. */
export interface QuoteRateSummary extends RequestReach {
  readonly submitted: number
  /** Versions of requests with a quote of the maker, each counted once: the first responses. */
  readonly answered: number
  /** Quotes after the first on a version: `submitted` − `answered`. */
  readonly requotes: number
  /** Answered over delivered. */
  readonly ratio: number | null
  /** Answered over all versions of requests in the run, whomever they reached. This is another figure, not the quote rate. */
  readonly perVersion: number | null
  readonly label: string
}

export interface HitSummary {
  /** Confirmed quotes that became positions. */
  readonly fills: number
  /** Confirmed quotes whose fill failed on the chain. They are among the committed versions, and are no fills. Present where there are any. */
  readonly chainFailed?: number
  readonly quotedVersions: number
  /** Versions committed to another maker while this maker's quote lived, or to this maker, whether it confirmed, declined or timed out. */
  readonly committedVersions: number
  readonly ratio: Interval
  readonly ofCommitted: Interval
}

export interface MarkSummary extends Readonly<MarkCounts> {
  readonly horizonUs: number
  /** 100 ΣP(q − V)/ΣP over fills. */
  readonly markOutCents: Interval
  /** 100[mean(V − F given won) − mean(V − F given lost)]. Above zero it hurts the maker. */
  readonly winnersCurseCents: Interval
}

export interface CollateralSummary {
  /** ∫(locked + reserved)dt in microUSDC · µs, an exact integer as text. */
  readonly integralMicrosUs: string
  /** The average over the session, rounded down to the micro-unit. Null for a session without length. */
  readonly averageMicros: number | null
  /** The cost of positions that the maker took over, while it held them: capital, but no collateral. Present for a maker that took any over. */
  readonly held?: { readonly integralMicrosUs: string; readonly averageMicros: number | null }
  /** Realised profit per USDC-day of collateral and of `held`. Null without either. */
  readonly returnPerDay: number | null
}

export interface MakerParts {
  readonly sums: ClusteredSums
  /** By maker. */
  readonly legs: BookLegs
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
  readonly reach: (maker: string) => RequestReach
  readonly endUs: number
  readonly durationUs: number
  /** By maker number. */
  readonly ownBets: ArrayLike<number>
}

const USDC = 1e-6
/** What drawdowns of equity are over: a fall between two samples is not seen, so that they depend on how often there is one. */
const SAMPLED = 'cash: at every settlement; mark-to-market and liquidation: over the samples of record.equityEvery, at least'

/** Puts a maker's figures together. */
export function makerSummary(maker: number, name: string, parts: MakerParts): MakerSummary {
  const { sums, quotes, lastLooks, settlements } = parts
  const cash = parts.legs.cash(maker)
  const [uncertain, undecided] = [microsOf(sums.total(maker, MakerColumn.uncertain)), microsOf(sums.total(maker, MakerColumn.undecided))]
  const adjusted = adjustedOf(cash, uncertain, undecided)
  const interval = (basis: FigureBasis, ...columns: readonly number[]): Interval => sums.interval(maker, basis, columns, ratio(0, 1))
  const earned = { count: MakerColumn.ended, scale: USDC }
  const profitMicros = microsOf(sums.total(maker, MakerColumn.profit))
  const profits = sums.byCluster(maker, MakerColumn.profit, MakerColumn.ended)
  return {
    name,
    quotes: quotes.byMaker[maker]!,
    quoteRate: quoteRateOf(quotes.byMaker[maker]!, microsOf(sums.total(maker, MakerColumn.quotedVersions)), parts.versions, parts.reach(name)),
    hits: {
      fills: microsOf(sums.total(maker, MakerColumn.fills)),
      ...(quotes.chainFailed[maker]! > 0 ? { chainFailed: quotes.chainFailed[maker]! } : {}),
      quotedVersions: microsOf(sums.total(maker, MakerColumn.quotedVersions)),
      committedVersions: microsOf(sums.total(maker, MakerColumn.committedVersions)),
      ratio: clipped(interval(VALUED, MakerColumn.fills, MakerColumn.quotedVersions), 0, 1),
      ofCommitted: clipped(interval(VALUED, MakerColumn.fills, MakerColumn.committedVersions), 0, 1),
    },
    winCurve: quotes.curves.of(maker),
    lastLook: lastLooks.of(maker),
    marks: parts.horizonsUs.map((horizonUs, h) => marksOf(maker, horizonUs, h, parts)),
    settled: microsOf(sums.total(maker, MakerColumn.settled)),
    hold: interval(cash, MakerColumn.hold, MakerColumn.stake),
    bettorLoss: interval(cash, MakerColumn.bettorLoss, MakerColumn.grossBet),
    expectedHold: interval(adjusted, MakerColumn.closeHold, MakerColumn.closeStake),
    profitMicros,
    profit: sums.sumInterval(maker, cash, { ...earned, column: MakerColumn.profit }),
    luckAdjustedMicros: profitMicros - microsOf(sums.total(maker, MakerColumn.luck)),
    luckAdjusted: sums.sumInterval(maker, adjusted, { ...earned, column: MakerColumn.profit, less: MakerColumn.luck }),
    decidedByClose: uncertain === 0 ? null : 1 - undecided / uncertain,
    tail: tailOf(profits), kelly: kellyOf(profits, parts.money[maker]!.depositMicros.reduce((most, micros) => Math.max(most, micros), 0), cash, parts.ownBets[maker]!),
    fees: {
      takerMicros: microsOf(settlements.takerFeeMicros(maker)), profitMicros: microsOf(settlements.profitFeeMicros(maker)),
    },
    collateral: collateralOf(parts.money[maker]!.collateralMicrosUs, settlements.heldMicrosUs(maker, parts.endUs), parts.durationUs, profitMicros),
    drawdown: {
      cashMicros: settlements.cashDrawdownMicros(maker), markToMarketMicros: parts.equity.markToMarketDrawdownMicros(maker),
      liquidationMicros: parts.equity.liquidationDrawdownMicros(maker), label: SAMPLED,
    },
    worstJointLoss: parts.books.worstLoss(maker),
    attribution: attributionOf(maker, { cash, adjusted }, sums),
    breakdowns: parts.breakdowns.of(maker),
    ...(parts.ownBets[maker]! > 0 ? { ownBets: parts.ownBets[maker]! } : {}),
  }
}

/** @param profits by cluster. */
export function tailOf(profits: Float64Array): TailSummary {
  const clusters = profits.length
  const isEnough = clusters >= SHORTFALL_OUTCOMES_MIN
  return {
    clusters, worstClusterMicros: clusters === 0 ? null : profits.reduce((least, profit) => Math.min(least, profit)),
    expectedShortfallMicros: isEnough ? expectedShortfall(profits) : null,
    label: isEnough ? `${clusters} clusters` : `${plural(clusters, 'cluster')}: an expected shortfall at 99% would be the worst of them; ${SHORTFALL_OUTCOMES_MIN} needed`,
  }
}

/** What each term rests on. Results decide luck and fees, and the close decides drift. The other terms are values at the deal. */
const termBasis = (term: keyof Terms, { cash, adjusted }: Bases): FigureBasis => (term === 'luck' || term === 'fees' ? cash : term === 'drift' ? adjusted : VALUED)

interface Bases {
  readonly cash: FigureBasis
  readonly adjusted: FigureBasis
}

function attributionOf(maker: number, bases: Bases, sums: ClusteredSums): AttributionSummary {
  const byTerm = <T>(of: (term: keyof Terms, column: number) => T): Record<keyof Terms, T> =>
    Object.fromEntries(TERMS.map((term, t) => [term, of(term, TERM_COLUMNS[t]!)])) as Record<keyof Terms, T>
  return {
    micros: byTerm((_, column) => microsOf(sums.total(maker, column))),
    terms: byTerm((term, column) => sums.sumInterval(maker, termBasis(term, bases), { column, count: MakerColumn.ended, scale: USDC })),
    withoutFair: microsOf(sums.total(maker, MakerColumn.withoutFair)), withoutProduct: microsOf(sums.total(maker, MakerColumn.withoutProduct)),
    withoutReference: microsOf(sums.total(maker, MakerColumn.withoutReference)),
  }
}

const quoteRateOf = (submitted: number, answered: number, versions: number, { delivered, away, ignored }: RequestReach): QuoteRateSummary => ({
  submitted, answered, requotes: submitted - answered, delivered, away, ignored,
  ratio: delivered === null || delivered === 0 ? null : answered / delivered, perVersion: versions === 0 ? null : answered / versions,
  label: 'ratio: versions answered / requests delivered; perVersion: versions answered / request versions created; requotes count in neither',
})

function marksOf(maker: number, horizonUs: number, h: number, { sums, markCounts }: MakerParts): MarkSummary {
  const column = (mark: number): number => markColumn(h, mark)
  const gap = [MarkColumn.wonPayout, MarkColumn.wonGap, MarkColumn.lostPayout, MarkColumn.lostGap].map(column)
  return {
    horizonUs, ...markCounts[maker]![h]!,
    markOutCents: sums.interval(maker, VALUED, [column(MarkColumn.markOut), column(MarkColumn.payout)], ratio(0, 1, 100)),
    winnersCurseCents: sums.interval(maker, VALUED, gap, differenceOfMeans),
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
