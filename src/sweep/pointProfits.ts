import { type BasisUnit, type FigureBasis, neededOf, ofAll, VALUED } from '../score/figureBasis.ts'
import type { Measure } from '../score/licence.ts'
import type { ClusterSums } from '../stats/clusterInterval.ts'
import { basisOf, columnPlaces, keyText, type MakerKey, makersIn } from './figures.ts'
import type { Session } from './sweepTable.ts'

const USDC = 1e6

/** A maker's profit at one point, microUSDC: by settlement cluster over all replications, and by replication over all clusters. */
interface PointProfit {
  readonly point: number
  readonly sessions: number
  readonly byCluster: ReadonlyMap<string, number>
  readonly byReplication: ReadonlyMap<number, number>
  /** What its interval needs. */
  readonly basis: FigureBasis
}

/** What the profits of several points rest on: a column for each point. */
export interface PointRows {
  /** Points counted from 0, by column. */
  readonly points: readonly number[]
  /** Rows × points, USDC. A cluster's is of one session on average, a replication's of that session. */
  readonly rows: ClusterSums
  readonly unit: 'clusters' | 'replications'
  /** Why tests and intervals of these rows would not hold: cash of too few of them, or profit up to closes near the results. Null where they do. */
  readonly short: string | null
}

/** Profits of makers at the points of a sweep, by one measure. It keeps no scores, so that a sweep of many points fits into memory. */
export class PointProfits {
  private readonly measure: Measure
  private readonly makers = new Map<string, MakerKey & { readonly profits: PointProfit[] }>()
  /** By service, the clusters in which a position of any maker ended. */
  private readonly active = new Map<string, Set<string>>()

  constructor(measure: Measure) {
    this.measure = measure
  }

  get keys(): MakerKey[] {
    return [...this.makers.values()].map(({ service, maker }) => ({ service, maker }))
  }

  /** Adds a point, counted from 0. A maker that none of its sessions has gets nothing. */
  add(point: number, sessions: readonly Session[]): void {
    for (const key of makersIn(sessions.map(({ result }) => result.scores))) {
      const byCluster = new Map<string, number>()
      const byReplication = new Map<number, number>()
      for (const { replication, result } of sessions) byReplication.set(replication, this.addSession(key, result.scores, byCluster))
      const known = this.makers.get(keyText(key)) ?? { ...key, profits: [] }
      this.makers.set(keyText(key), known)
      const basis = basisOf(sessions.map(({ result }) => result.scores), key, this.measure === 'cash' ? 'cash' : 'close')
      known.profits.push({ point, sessions: sessions.length, byCluster, byReplication, basis })
    }
  }

  /** Adds a session's profit by cluster. Returns the whole. */
  private addSession({ service, maker }: MakerKey, scores: Session['result']['scores'], byCluster: Map<string, number>): number {
    const own = scores.find((one) => one.service === service)
    const m = own?.makers.indexOf(maker) ?? -1
    if (own === undefined || m < 0) return 0
    const [profit, ended, luck] = columnPlaces(own.columns, ['profit', 'ended', 'luck']) as [number, number, number]
    const active = this.active.get(service) ?? new Set()
    this.active.set(service, active)
    let whole = 0
    for (const [c, cluster] of own.clusters.entries()) {
      const from = (m * own.clusters.length + c) * own.columns.length
      if (own.sums[from + ended] !== 0) active.add(cluster)
      const micros = own.sums[from + profit]! - (this.measure === 'cash' ? 0 : own.sums[from + luck]!)
      byCluster.set(cluster, (byCluster.get(cluster) ?? 0) + micros)
      whole += micros
    }
    return whole
  }

  /**
   * The rows of a maker: a row for each cluster in which any maker had a position that ended, and where there is one such cluster alone, a row
   * for each replication that all points have.
   */
  rowsOf(key: MakerKey): PointRows {
    const profits = this.makers.get(keyText(key))?.profits ?? []
    const clusters = [...this.active.get(key.service) ?? []].toSorted((a, b) => (a < b ? -1 : 1))
    const points = profits.map(({ point }) => point)
    const rowsBy = <T>(names: readonly T[], of: (profit: PointProfit, name: T) => number): ClusterSums =>
      ({ width: profits.length, cells: Float64Array.from(names.flatMap((name) => profits.map((profit) => of(profit, name) / USDC))) })
    const basis = ofAll(profits.map((profit) => profit.basis))
    const shortBy = (count: number, unit: BasisUnit): string | null => (basis !== VALUED && count < neededOf(basis, unit) ? basis.why(count, unit) : null)
    if (clusters.length > 1) return { points, unit: 'clusters', short: shortBy(clusters.length, 'cluster'), rows: rowsBy(clusters, ({ byCluster, sessions }, name) => (byCluster.get(name) ?? 0) / sessions) }
    const replications = [...profits[0]?.byReplication.keys() ?? []].filter((replication) => profits.every(({ byReplication }) => byReplication.has(replication)))
    return { points, unit: 'replications', short: shortBy(replications.length, 'replication'), rows: rowsBy(replications, ({ byReplication }, replication) => byReplication.get(replication)!) }
  }
}
