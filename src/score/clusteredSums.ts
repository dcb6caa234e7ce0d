import { clusterInterval, type Statistic } from '../stats/clusterInterval.ts'
import type { Interval } from '../stats/interval.ts'
import { IntegerSums } from '../stats/sum.ts'
import { type FigureBasis, held } from './figureBasis.ts'

/** A sum over clusters: the column that is added up, and the one that says in which clusters something happened. */
export interface ColumnSum {
  readonly column: number
  readonly less?: number
  readonly count: number
  readonly scale: number
}

/** Exact integer sums by owner (a maker, a cohort), settlement cluster and column. */
export class ClusteredSums {
  readonly clusters: number
  readonly width: number
  private readonly sums: IntegerSums
  /** Clusters × columns: whether any owner has a sum that is not 0. */
  private readonly somebody: Uint8Array

  constructor(owners: number, clusters: number, width: number) {
    this.clusters = clusters
    this.width = width
    this.sums = new IntegerSums(owners * clusters * width)
    this.somebody = new Uint8Array(clusters * width)
  }

  add(owner: number, cluster: number, column: number, integer: number): void {
    this.sums.add((owner * this.clusters + cluster) * this.width + column, integer)
    if (integer !== 0) this.somebody[cluster * this.width + column] = 1
  }

  /** The exact sum of a column over the clusters. */
  total(owner: number, column: number): bigint {
    let total = 0n
    for (let cluster = 0; cluster < this.clusters; cluster++) total += this.sums.exact(this.cell(owner, cluster, column))
    return total
  }

  /** The sum of a column in one cluster, as the nearest double. */
  number(owner: number, cluster: number, column: number): number {
    return this.sums.number(this.cell(owner, cluster, column))
  }

  /** A column by cluster, over the clusters in which any owner has a count in the column `count`. Empty for an owner without a count of its own. */
  byCluster(owner: number, column: number, count: number): Float64Array {
    const values: number[] = []
    if (this.total(owner, count) === 0n) return new Float64Array(0)
    for (let cluster = 0; cluster < this.clusters; cluster++) {
      if (this.isPlayed(cluster, count)) values.push(this.number(owner, cluster, column))
    }
    return Float64Array.from(values)
  }

  /**
   * The sum of a column, times `scale`, with its interval over the clusters of `byCluster`. In a cluster where only others had a count
   * the owner's sum is 0, not unknown. With `less` it is the sum of a column less another.
   */
  sumInterval(owner: number, basis: FigureBasis, { column, less, count, scale }: ColumnSum): Interval {
    const sumIn = (cluster: number): number => this.number(owner, cluster, column) - (less === undefined ? 0 : this.number(owner, cluster, less))
    return this.overClusters(basis, { count, scale, hasPlayed: this.total(owner, count) !== 0n, sumIn })
  }

  /** How much more of a column an owner has than another, times `scale`, with the interval of the differences by cluster. */
  leadInterval(owner: number, other: number, basis: FigureBasis, { column, count, scale }: Omit<ColumnSum, 'less'>): Interval {
    const sumIn = (cluster: number): number => this.number(owner, cluster, column) - this.number(other, cluster, column)
    return this.overClusters(basis, { count, scale, hasPlayed: this.total(owner, count) + this.total(other, count) !== 0n, sumIn })
  }

  private overClusters(basis: FigureBasis, { count, scale, hasPlayed, sumIn }: { readonly count: number; readonly scale: number; readonly hasPlayed: boolean; readonly sumIn: (cluster: number) => number }): Interval {
    const cells = Float64Array.from({ length: 2 * this.clusters }, (_, i) => {
      const cluster = i >> 1
      if (i % 2 === 1) return hasPlayed && this.isPlayed(cluster, count) ? 1 : 0
      return sumIn(cluster)
    })
    return held(clusterInterval({ width: 2, cells }, (totals) => scale * totals[0]!), basis)
  }

  /** A statistic of some columns, which it gets in this order, with its interval over clusters. A share of 0 has none. */
  interval(owner: number, basis: FigureBasis, columns: readonly number[], statistic: Statistic): Interval {
    const width = columns.length
    const cells = new Float64Array(this.clusters * width)
    for (let cluster = 0; cluster < this.clusters; cluster++) {
      for (let k = 0; k < width; k++) cells[cluster * width + k] = this.sums.number(this.cell(owner, cluster, columns[k]!))
    }
    return held(clusterInterval({ width, cells }, statistic, 'counted'), basis)
  }

  private isPlayed(cluster: number, count: number): boolean {
    return this.somebody[cluster * this.width + count] === 1
  }

  private cell(owner: number, cluster: number, column: number): number {
    return (owner * this.clusters + cluster) * this.width + column
  }
}

/** A money total as a number. Sums over a run are far below 2⁵³ micro-units. Beyond that it is the nearest double. */
export const microsOf = (total: bigint): number => Number(total)
