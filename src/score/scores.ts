import { assert } from '../unit/assert.ts'
import { SECOND_US } from '../unit/time.ts'
import type { ClusteredSums } from './clusteredSums.ts'
import { MakerColumn, MarkColumn } from './columns.ts'
import { type ManifestFields, readRunHead, type RunHead, runHeadOf } from './runHead.ts'
import { RunTables, servicesIn, servicesOf, type TableSource } from './runTables.ts'
import { type Gathered, gather } from './summary.ts'

/**
 * What a sweep keeps of one service of one session: sums of integers by maker and settlement cluster. Every ratio and interval is
 * made from them later, over all replications together. A score has typed arrays and names only, so that a worker can send it.
 */
export interface Scores {
  readonly service: string
  /** Names of the makers that took part, in the run's order. */
  readonly makers: readonly string[]
  /** Settlement clusters by code unit. The same name means the same stretch of history in every session. */
  readonly clusters: readonly string[]
  /** Names of the sums: those of `MakerColumn` and, with a horizon, of `MarkColumn`, such as `markOut60s`. Sums are integers, money in microUSDC. */
  readonly columns: readonly string[]
  /** makers × clusters × columns. */
  readonly sums: Float64Array
  /** Names of figures of a maker over the whole session, which do not split by cluster. */
  readonly figures: readonly string[]
  /** makers × figures, NaN where a figure is undefined. */
  readonly values: Float64Array
}

/** Columns of `Scores.sums` of every session, by name. Those of each horizon follow. */
export const SCORE_COLUMNS = Object.entries(MakerColumn).filter(([name]) => name !== 'marks')
  .toSorted(([, a], [, b]) => a - b).map(([name]) => name)

/** Figures of `Scores.values`: counts, money in microUSDC, and collateral in USDC-days. */
export const SCORE_FIGURES = ['quotes', 'delivered', 'selected', 'profitMicros', 'cashDrawdownMicros', 'markToMarketDrawdownMicros', 'capitalUsdcDays',
  'liquidationDrawdownMicros', 'worstJointLossMicros'] as const

/** Figures of equity at its samples: a fall between two of them is not seen. */
const SAMPLED: ReadonlySet<string> = new Set(['markToMarketDrawdownMicros', 'liquidationDrawdownMicros'])

/** What a reader of a figure must know besides: the same as a run's summary says. Empty for most. */
export const caveatOf = (figure: string): string => (SAMPLED.has(figure) ? 'at least, over the samples of record.equityEvery' : '')

const USDC_DAY = 1e6 * 86_400e6

/** The scores of a finished run, one for each of its services. Throws InputError when the folder is not one of a complete run. */
export const scoresOf = (runDir: string): Scores[] => scoresOfServices(readRunHead(runDir), servicesOf(runDir), runDir)

/** The scores of a session whose tables are in memory. @param fields those that its manifest would have. */
export function scoresInMemory(fields: ManifestFields, tables: TableSource): Scores[] {
  const head = runHeadOf(fields)
  assert(head !== null, 'a session has a label and a digest')
  return scoresOfServices(head, servicesIn(tables), tables)
}

const scoresOfServices = (head: RunHead, services: readonly string[], from: string | TableSource): Scores[] =>
  services.map((service) => scoresOfService(gather(head, service, new RunTables(from, services.length === 1 ? null : service))))

function scoresOfService(gathered: Gathered): Scores {
  const { service, names, sums, shown } = gathered
  const order = names.clusters.list.map((_, cluster) => cluster)
    .toSorted((a, b) => (names.clusters.list[a]! < names.clusters.list[b]! ? -1 : 1))
  return {
    service,
    makers: shown.map((maker) => names.makers.list[maker]!),
    clusters: order.map((cluster) => names.clusters.list[cluster]!),
    columns: [...SCORE_COLUMNS, ...gathered.horizonsUs.flatMap((horizonUs) => Object.keys(MarkColumn).map((name) => `${name}${horizonUs / SECOND_US}s`))],
    sums: cellsOf(sums, shown, order),
    figures: SCORE_FIGURES,
    values: Float64Array.from(shown.flatMap((maker) => figuresOf(maker, gathered))),
  }
}

function cellsOf(sums: ClusteredSums, makers: readonly number[], clusters: readonly number[]): Float64Array {
  const cells = new Float64Array(makers.length * clusters.length * sums.width)
  let at = 0
  for (const maker of makers) {
    for (const cluster of clusters) {
      for (let column = 0; column < sums.width; column++) cells[at++] = sums.number(maker, cluster, column)
    }
  }
  return cells
}

/** In the order of SCORE_FIGURES. */
function figuresOf(maker: number, { names, sums, quotes, lastLooks, settlements, equity, money, books, endUs, reach }: Gathered): number[] {
  const capital = money[maker]!.collateralMicrosUs + settlements.heldMicrosUs(maker, endUs)
  return [
    quotes.byMaker[maker]!, reach(names.makers.list[maker]!).delivered ?? NaN, lastLooks.selected(maker), Number(sums.total(maker, MakerColumn.profit)),
    settlements.cashDrawdownMicros(maker), equity.markToMarketDrawdownMicros(maker) ?? NaN, Number(capital) / USDC_DAY,
    equity.liquidationDrawdownMicros(maker) ?? NaN, books.worstLoss(maker)?.micros ?? NaN,
  ]
}
