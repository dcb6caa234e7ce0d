import { type FigureBasis, ofAll } from '../score/figureBasis.ts'
import type { Measure } from '../score/licence.ts'
import type { Scores } from '../score/scores.ts'
import type { ReplicatedSums } from '../stats/replicatedSums.ts'
import { assert } from '../unit/assert.ts'
import { basisInBook, BOOK_COLUMNS, type RestsOn } from './bookBasis.ts'

/**
 * What a league keeps of a maker by replication and cluster: `ended` is a count, all else microUSDC, `valued` the mark-out at the longest
 * horizon, `adjusted` the profit without its luck. The last five say what the book's figures need.
 */
const KEPT = ['profit', 'ended', 'stake', 'hold', 'valued', 'adjusted', ...BOOK_COLUMNS] as const
export const PROFIT = 0
export const ENDED = 1
export const STAKE = 2
export const HOLD = 3
/** Column of Σ P(q − V) over fills at the longest horizon of `record.marks`, 0 without one. */
export const VALUED = 4
/** Column of the luck-adjusted profit: profit less the attribution's luck. */
export const ADJUSTED = 5
const BOOK = 6

/** The column of what ranks. */
export const measureColumn = (measure: Measure): number => (measure === 'cash' ? PROFIT : ADJUSTED)
/** Columns of `over`: what is kept, and a column of ones, so that a cluster in which this maker had nothing counts too. */
const WIDTH = KEPT.length + 1

/** A maker's sums of one session. */
export interface SessionSums {
  /** Clusters by time × kept columns and a one. */
  readonly cells: Float64Array
  /** Clusters by time × told columns. */
  readonly told: Float64Array
  /** Requests and new versions that reached it, and its quotes. NaN where the run does not say. */
  readonly delivered: number
  readonly quotes: number
}

/**
 * The sums of a maker in a session.
 *
 * @param clusters index of each cluster by name
 * @param told columns of scores that are kept besides, of which nothing is tested: 0 where a session does not have them
 */
export function sessionSums(scores: readonly Scores[], maker: string, clusters: ReadonlyMap<string, number>, told: readonly string[] = []): SessionSums {
  const cells = Float64Array.from({ length: clusters.size * WIDTH }, (_, i) => (i % WIDTH === KEPT.length ? 1 : 0))
  const more = new Float64Array(clusters.size * told.length)
  const of = scores.find(({ makers }) => makers.includes(maker))
  // A maker without anything in the session has no row.
  if (of === undefined) return { cells, told: more, delivered: NaN, quotes: 0 }
  const m = of.makers.indexOf(maker)
  const columns = KEPT.map((name) => of.columns.indexOf(name === 'valued' ? longestMark(of.columns) : name === 'adjusted' ? 'profit' : name))
  const toldColumns = told.map((name) => of.columns.indexOf(name))
  const luck = of.columns.indexOf('luck')
  for (const [c, name] of of.clusters.entries()) {
    const from = (m * of.clusters.length + c) * of.columns.length
    const cluster = clusters.get(name)
    for (const [k, column] of columns.entries()) {
      const sum = (column < 0 ? 0 : of.sums[from + column]!) - (k === ADJUSTED && luck >= 0 ? of.sums[from + luck]! : 0)
      assert(cluster !== undefined || sum === 0, `the history has no cluster ${name}`)
      if (cluster !== undefined) cells[cluster * WIDTH + k] = sum
    }
    if (cluster === undefined) continue
    for (const [k, column] of toldColumns.entries()) more[cluster * told.length + k] = column < 0 ? 0 : of.sums[from + column]!
  }
  const figure = (name: string): number => of.values[m * of.figures.length + of.figures.indexOf(name)]!
  return { cells, told: more, delivered: figure('delivered'), quotes: figure('quotes') }
}

/** Name of the mark-out column at the longest horizon, '' without marks. */
function longestMark(columns: readonly string[]): string {
  const seconds = columns.flatMap((name) => /^markOut(.+)s$/.exec(name)?.[1] ?? [])
  return seconds.length === 0 ? '' : `markOut${seconds.reduce((longest, one) => (Number(one) > Number(longest) ? one : longest))}s`
}

/** The sums of one maker in one setting, replication after replication. */
export class LeagueScores {
  private readonly clusters: number
  private readonly sessions: SessionSums[] = []

  constructor(clusters: number) {
    this.clusters = clusters
  }

  /** The number of replications so far. */
  get replications(): number {
    return this.sessions.length
  }

  /** Precondition: the replications come in order. */
  add(replication: number, sums: SessionSums): void {
    assert(replication === this.sessions.length + 1 && sums.cells.length === this.clusters * WIDTH, 'replications come in order')
    this.sessions.push(sums)
  }

  /** Whether any of its positions ended in a cluster. */
  has(cluster: number): boolean {
    return this.sessions.some(({ cells }) => cells[cluster * WIDTH + ENDED] !== 0)
  }

  /** Sums over some clusters and the first replications: the kept columns, and one. */
  over(clusters: readonly number[], replications: number = this.replications): ReplicatedSums {
    assert(replications <= this.replications, 'no more replications than were played')
    const cells = new Float64Array(replications * clusters.length * WIDTH)
    let at = 0
    for (const { cells: of } of this.sessions.slice(0, replications)) {
      for (const cluster of clusters) {
        cells.set(of.subarray(cluster * WIDTH, (cluster + 1) * WIDTH), at)
        at += WIDTH
      }
    }
    return { width: WIDTH, replications, clusters: clusters.length, cells }
  }

  /** Sums of told columns over some clusters and the first replications. @param places of the columns among those that `sessionSums` was told */
  told(places: readonly number[], clusters: readonly number[], replications: number = this.replications): ReplicatedSums {
    const sessions = this.sessions.slice(0, replications)
    const cells = sessions.flatMap(({ told }) => clusters.flatMap((cluster) => places.map((place) => told[(cluster * told.length) / this.clusters + place]!)))
    return { width: places.length, replications: sessions.length, clusters: clusters.length, cells: Float64Array.from(cells) }
  }

  /** A column by replication and cluster. NaN where neither it nor `other` had a position that ended. */
  resultsBeside(other: LeagueScores, clusters: readonly number[], column: number = PROFIT): Float64Array {
    const [own, others] = [this.over(clusters).cells, other.over(clusters).cells]
    return Float64Array.from({ length: own.length / WIDTH }, (_, row) =>
      (own[row * WIDTH + ENDED] === 0 && others[row * WIDTH + ENDED] === 0 ? NaN : own[row * WIDTH + column]!))
  }

  /** Mean numbers over the sessions. */
  requests(): { readonly delivered: number; readonly quotes: number } {
    const mean = (of: (session: SessionSums) => number): number => this.sessions.reduce((sum, session) => sum + of(session), 0) / this.sessions.length
    return { delivered: mean(({ delivered }) => delivered), quotes: mean(({ quotes }) => quotes) }
  }
}

/** What each kept sum of money rests on. */
const restsOnOf = (column: number): RestsOn => (column === ADJUSTED ? 'close' : column === PROFIT || column === HOLD ? 'cash' : 'values')

/** What an interval of a kept column needs, over the sums of several. */
export const basisOfColumn = (column: number, sums: readonly ReplicatedSums[]): FigureBasis => basisOfBooks(restsOnOf(column), sums)

/** What an interval needs of a figure of several books that rests on the same in each. */
export const basisOfBooks = (restsOn: RestsOn, sums: readonly ReplicatedSums[]): FigureBasis => ofAll(sums.map((one) => basisInBook(one, restsOn, BOOK)))

/** The sums of several side by side, as columns: scores of one maker in several settings, or of several makers. */
export function beside(sums: readonly ReplicatedSums[]): ReplicatedSums {
  const { replications, clusters } = sums[0]!
  assert(sums.every((one) => one.replications === replications && one.clusters === clusters), 'all were played alike')
  const width = sums.reduce((total, one) => total + one.width, 0)
  const cells = new Float64Array(replications * clusters * width)
  for (let row = 0; row < replications * clusters; row++) {
    let at = row * width
    for (const one of sums) {
      cells.set(one.cells.subarray(row * one.width, (row + 1) * one.width), at)
      at += one.width
    }
  }
  return { width, replications, clusters, cells }
}

/** Column of `beside` that has the given kept column of the n-th sums. */
export const besideColumn = (nth: number, kept: number): number => nth * WIDTH + kept

/** The sums without the ones and the columns of the book, so that clusters in which this maker earned nothing do not count. A ratio is undefined there. */
export const occupiedOnly = (sums: ReplicatedSums): ReplicatedSums => ({ ...sums, cells: sums.cells.map((cell, i) => (i % WIDTH >= BOOK ? 0 : cell)) })

/** The mean of several sums, cell by cell. */
export function meanOf(sums: readonly ReplicatedSums[]): ReplicatedSums {
  const { width, replications, clusters, cells } = sums[0]!
  assert(sums.every((one) => one.cells.length === cells.length), 'all were played alike')
  return { width, replications, clusters, cells: cells.map((_, i) => sums.reduce((sum, one) => sum + one.cells[i]!, 0) / sums.length) }
}
