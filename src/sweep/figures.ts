import { type FigureBasis, VALUED } from '../score/figureBasis.ts'
import { differenceOfMeans } from '../score/lastLooks.ts'
import { caveatOf, type Scores } from '../score/scores.ts'
import { ratio, type Statistic } from '../stats/clusterInterval.ts'
import { clipped, type Interval } from '../stats/interval.ts'
import { type ReplicatedSums, replicatedInterval } from '../stats/replicatedSums.ts'
import { InputError, type InputPosition } from '../unit/inputError.ts'
import { basisInBook, BOOK_COLUMNS, heldOver, type RestsOn } from './bookBasis.ts'

/** A figure of a maker as a function of sums over settlement clusters (docs/metrics.md), for one replication on average. */
export interface PooledFigure {
  readonly name: string
  /** The unit. Cents are per dollar of payout. */
  readonly unit: 'usdc' | 'share' | 'cents' | 'number'
  /** Columns of `Scores.sums` that the statistic gets, in this order. */
  readonly columns: readonly string[]
  /** Whether it is a sum over clusters. Its second column is then a count, and a cluster counts when any maker's count is not 0. */
  readonly isSum?: boolean
  readonly statistic: Statistic
  /** What it rests on: `values` unless given. */
  readonly restsOn?: RestsOn
  /** Whether it is a share, which cannot leave 0…1. */
  readonly isProportion?: boolean
}

/** A figure of a maker's whole session, averaged over replications. It does not split by cluster. */
export interface SessionFigure {
  readonly name: string
  readonly unit: 'usdc' | 'usdcDays' | 'number'
  /** Name of the figure in `Scores.values`. */
  readonly figure: string
  /** `values` unless given. */
  readonly restsOn?: RestsOn
}

const USDC = 1e6
const SECOND_US = 1e6
const usdc: Statistic = (totals) => totals[0]! / USDC
const sum = (name: string, column: string): PooledFigure => ({ name, unit: 'usdc', columns: [column, 'ended'], isSum: true, statistic: usdc })
const count = (name: string, column: string): PooledFigure => ({ name, unit: 'number', columns: [column, 'ended'], isSum: true, statistic: (totals) => totals[0]! })
const share = (name: string, numerator: string, denominator: string, isProportion = false): PooledFigure =>
  ({ name, unit: 'share', columns: [numerator, denominator], statistic: ratio(0, 1), isProportion })

/** The pooled figures of every session. */
export const POOLED_FIGURES: readonly PooledFigure[] = [
  { name: 'luck-adjusted', unit: 'usdc', columns: ['profit', 'ended', 'luck'], isSum: true, statistic: (totals) => (totals[0]! - totals[2]!) / USDC, restsOn: 'close' },
  { ...sum('profit', 'profit'), restsOn: 'cash' },
  { ...share('hold', 'hold', 'stake'), restsOn: 'cash' },
  { ...share('expected hold', 'closeHold', 'closeStake'), restsOn: 'close' },
  { ...share('bettor loss', 'bettorLoss', 'grossBet'), restsOn: 'cash' },
  share('hit ratio', 'fills', 'quotedVersions', true),
  share('hit ratio of committed', 'fills', 'committedVersions', true),
  count('fills', 'fills'),
  count('settled', 'settled'),
  sum('stake', 'stake'),
  ...['margin', 'selection', 'model', 'lastLook'].map((term) => sum(`attributed to ${term === 'lastLook' ? 'last look' : term}`, term)),
  { ...sum('attributed to drift', 'drift'), restsOn: 'close' },
  { ...sum('attributed to luck', 'luck'), restsOn: 'cash' },
  { ...sum('attributed to fees', 'ownFees'), restsOn: 'cash' },
]

const MARK = /^(mark-out|winner's curse) (\S+)$/

/** A figure by its name. Names of figures of marks end with the horizon, such as `mark-out 60s`. */
export function figureNamed(name: string): PooledFigure | undefined {
  const [, kind, horizon] = MARK.exec(name) ?? []
  if (kind === 'mark-out') return { name, unit: 'cents', columns: [`markOut${horizon}`, `payout${horizon}`], statistic: ratio(0, 1, 100) }
  if (kind !== undefined) {
    return { name, unit: 'cents', columns: ['wonPayout', 'wonGap', 'lostPayout', 'lostGap'].map((mark) => `${mark}${horizon}`), statistic: differenceOfMeans }
  }
  return POOLED_FIGURES.find((figure) => figure.name === name)
}

/** The pooled figures of scores with the given columns. */
export function figuresOf(columns: readonly string[]): PooledFigure[] {
  const horizons = columns.flatMap((column) => /^markOut(.+)$/.exec(column)?.[1] ?? [])
  return [...POOLED_FIGURES, ...horizons.flatMap((horizon) => [figureNamed(`mark-out ${horizon}`)!, figureNamed(`winner's curse ${horizon}`)!])]
}

/** What figures can be asked of a scenario's sessions: the names of makers, and the horizons of `record.marks`, µs. */
export interface Measured {
  readonly makers: readonly string[]
  readonly horizonsUs: readonly number[]
}

/** Throws InputError where a rule or an expectation asks for a maker or a horizon that the sessions do not have. */
export function checkMeasured({ figure, maker }: { readonly figure: PooledFigure; readonly maker: string }, { makers, horizonsUs }: Measured, position: InputPosition): void {
  if (!makers.includes(maker)) throw new InputError(`no maker ${maker}`, { position, hint: `the makers are ${makers.join(', ')}` })
  const [, kind, horizon] = MARK.exec(figure.name) ?? []
  const horizons = horizonsUs.map((horizonUs) => `${horizonUs / SECOND_US}s`)
  if (horizon !== undefined && !horizons.includes(horizon)) {
    throw new InputError(`no ${kind} ${horizon}`, { position, hint: `record.marks has the horizons ${horizons.join(', ')}, in seconds` })
  }
}

/** Places of columns among those of sessions. Throws InputError for a column that the sessions do not have. */
export function columnPlaces(columns: readonly string[], names: readonly string[]): number[] {
  const places = names.map((name) => columns.indexOf(name))
  if (places.includes(-1)) throw new InputError(`sessions have no column ${names[places.indexOf(-1)]}`, { hint: 'record.marks has the horizons of marks' })
  return places
}

export const SESSION_FIGURES: readonly SessionFigure[] = [
  { name: 'quotes', unit: 'number', figure: 'quotes' },
  { name: 'delivered', unit: 'number', figure: 'delivered' },
  { name: 'selected', unit: 'number', figure: 'selected' },
  { name: 'cash drawdown', unit: 'usdc', figure: 'cashDrawdownMicros', restsOn: 'cash' },
  { name: 'mark-to-market drawdown', unit: 'usdc', figure: 'markToMarketDrawdownMicros' },
  { name: 'liquidation drawdown', unit: 'usdc', figure: 'liquidationDrawdownMicros' },
  { name: 'worst joint loss', unit: 'usdc', figure: 'worstJointLossMicros' },
  { name: 'capital', unit: 'usdcDays', figure: 'capitalUsdcDays' },
]

/** One maker of one service. */
export interface MakerKey {
  readonly service: string
  readonly maker: string
}

export const keyText = ({ service, maker }: MakerKey): string => `${service}:${maker}`

/** The makers of some sessions, in the order of the first session in which each took part. */
export function makersIn(sessions: readonly (readonly Scores[])[]): MakerKey[] {
  const keys = sessions.flatMap((scores) => scores.flatMap(({ service, makers }) => makers.map((maker): MakerKey => ({ service, maker }))))
  const byText = new Map(keys.map((key) => [keyText(key), key]))
  return [...byText.values()]
}

/** A pooled figure of a maker over replications, with its interval. */
export function pooledInterval(sessions: readonly (readonly Scores[])[], key: MakerKey, figure: PooledFigure): Interval {
  const { statistic, isProportion, isSum, unit, restsOn } = figure
  const zeros = isSum === true && unit !== 'number' ? 'exact' : 'counted'
  const interval = heldOver(replicatedInterval(replicatedSums(sessions, key, figure), statistic, zeros), basisOf(sessions, key, restsOn))
  return isProportion === true ? clipped(interval, 0, 1) : interval
}

/** What the interval of a figure needs. */
export const basisOf = (sessions: readonly (readonly Scores[])[], key: MakerKey, restsOn: RestsOn = 'values'): FigureBasis =>
  (restsOn === 'values' ? VALUED : basisInBook(replicatedSums(sessions, key, { columns: BOOK_COLUMNS }), restsOn, 0))

/** Columns of scores that a figure and its interval are made of. */
export const columnsOf = ({ columns, restsOn = 'values' }: Pick<PooledFigure, 'columns' | 'restsOn'>): readonly string[] => (restsOn === 'values' ? columns : [...columns, ...BOOK_COLUMNS])

/**
 * Columns of a maker by replication and settlement cluster, with clusters by name. For a sum the count is replaced by 1 in clusters in
 * which any maker's count is not 0 in any replication, so that a maker that took part and has nothing there has 0. Throws InputError
 * for a column that a session does not have.
 */
export function replicatedSums(
  sessions: readonly (readonly Scores[])[], { service, maker }: MakerKey, { columns, isSum = false }: Pick<PooledFigure, 'columns' | 'isSum'>,
): ReplicatedSums {
  const own = sessions.map((scores) => scores.find((one) => one.service === service))
  const clusters = [...new Set(own.flatMap((scores) => scores?.clusters ?? []))].toSorted((a, b) => (a < b ? -1 : 1))
  const width = columns.length
  const cells = new Float64Array(sessions.length * clusters.length * width)
  for (const [r, scores] of own.entries()) {
    const m = scores?.makers.indexOf(maker) ?? -1
    if (scores === undefined || m < 0) continue
    const from = columnPlaces(scores.columns, columns)
    for (const [c, cluster] of scores.clusters.entries()) {
      const row = (r * clusters.length + clusters.indexOf(cluster)) * width
      for (let k = 0; k < width; k++) cells[row + k] = scores.sums[(m * scores.clusters.length + c) * scores.columns.length + from[k]!]!
    }
  }
  if (isSum && own.some((scores) => scores?.makers.includes(maker))) {
    const played = new Set(own.flatMap((scores) => (scores === undefined ? [] : clustersWith(scores, columns[1]!))))
    for (let row = 0; row < sessions.length * clusters.length; row++) cells[row * width + 1] = played.has(clusters[row % clusters.length]!) ? 1 : 0
  }
  return { width, replications: sessions.length, clusters: clusters.length, cells }
}

/** Names of the clusters in which a column of any maker is not zero. */
const clustersWith = ({ makers, clusters, columns, sums }: Scores, column: string): string[] =>
  clusters.filter((_, c) => makers.some((__, m) => sums[(m * clusters.length + c) * columns.length + columns.indexOf(column)] !== 0))

/** A figure of whole sessions: its mean over the replications in which it is defined, and an interval that is conditional on this history. */
export function sessionInterval(sessions: readonly (readonly Scores[])[], key: MakerKey, { unit, figure, restsOn }: SessionFigure): Interval {
  const scale = unit === 'usdc' ? USDC : 1
  const values = sessions.map((scores) => valueOf(scores, key, figure)).filter((value) => !Number.isNaN(value))
  const sums: ReplicatedSums = { width: 2, replications: values.length, clusters: 1, cells: Float64Array.from(values.flatMap((value) => [value / scale, 1])) }
  const interval = heldOver(replicatedInterval(sums, ratio(0, 1), 'counted'), basisOf(sessions, key, restsOn))
  const caveat = caveatOf(figure)
  return caveat === '' ? interval : { ...interval, label: `${interval.label}; ${caveat}` }
}

function valueOf(scores: readonly Scores[], { service, maker }: MakerKey, figure: string): number {
  const own = scores.find((one) => one.service === service)
  const m = own?.makers.indexOf(maker) ?? -1
  return own === undefined || m < 0 ? NaN : own.values[m * own.figures.length + own.figures.indexOf(figure)]!
}
