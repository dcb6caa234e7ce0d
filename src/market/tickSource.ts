import { sequenceSearch } from '../unit/sequenceSearch.ts'
import { NO_TICKS, type Ticks } from './ticks.ts'

/** What some chunks leave behind, by market. */
export interface MarketLasts {
  /** Those that have ticks there, ascending. */
  readonly markets: Int32Array
  /** Stamps of the first and the last tick of each. */
  readonly firstUs: Float64Array
  readonly lastUs: Float64Array
  /** The last tick of each market. */
  readonly latest: Ticks
  /** The last tick with a bid or an ask, of each market that has one, by market. */
  readonly withBook: Ticks
  /** The last tick with a price (`marketValue`), of each market that has one, by market. */
  readonly withPrice: Ticks
}

/** What is known of the chunks up to, not including, `end`. */
export interface ChunkDigest {
  readonly end: number
  /** Costs a small file, not the chunks. */
  readonly lasts: () => MarketLasts
}

/** History in pieces that follow each other, for cursors that only move forward. */
export interface TickSource {
  readonly chunkCount: number
  /**
   * Stamps of a chunk's first and last tick, known without loading it. Where that is not known they are bounds, which are true for all ticks
   * before and after the chunk too. A chunk may turn out to be empty.
   */
  firstUs: (chunk: number) => number
  lastUs: (chunk: number) => number
  /** Index of the chunk's first tick among all; that of the chunk past the last is `count`. */
  startOf: (chunk: number) => number
  readonly count: number
  /** Loads it, or finds it among the few that were used last. Who walks on keeps the one that he stands in. */
  chunk: (index: number) => Ticks
  /** Whether a chunk may have ticks of a market. Absent: each may. */
  readonly has?: (chunk: number, market: number) => boolean
  /** The digest of the chunks from this one on, where there is one. */
  readonly digestAt?: (chunk: number) => ChunkDigest | undefined
}

/** An array in memory is a source of one chunk, or of none when it is empty. */
class WholeTicks implements TickSource {
  declare readonly count: number
  declare readonly chunkCount: number
  private declare readonly ticks: Ticks

  constructor(ticks: Ticks) {
    this.ticks = ticks
    this.count = ticks.count
    this.chunkCount = ticks.count === 0 ? 0 : 1
  }

  firstUs(): number { return this.ticks.atUs[0]! }
  lastUs(): number { return this.ticks.atUs[this.count - 1]! }
  startOf(chunk: number): number { return chunk === 0 ? 0 : this.count }
  chunk(): Ticks { return this.ticks }
}

/** An array in memory, or a source of chunks. */
export type TickHistory = Ticks | TickSource

const isSource = (ticks: Ticks | TickSource): ticks is TickSource => 'chunkCount' in ticks

/** The source of an array in memory; a source as it is. */
export const sourceOf = (ticks: Ticks | TickSource): TickSource => (isSource(ticks) ? ticks : new WholeTicks(ticks))

/** The chunk that has the tick of this number, `chunkCount` where there is none. */
export const chunkOfTick = (source: TickSource, tick: number): number =>
  sequenceSearch(source.chunkCount, (chunk) => source.startOf(chunk + 1) > tick)

/** The few values that were used last, of those that are dear to make. */
export class Recent<V> {
  private declare readonly most: number
  private declare readonly make: (key: number) => V
  /** The one that was used last stands last. */
  private readonly kept = new Map<number, V>()
  private lastKey = NaN
  private lastValue: V | undefined = undefined

  constructor(most: number, make: (key: number) => V) {
    this.most = most
    this.make = make
  }

  of(key: number): V {
    if (key === this.lastKey) return this.lastValue!
    let value = this.kept.get(key)
    if (value === undefined) {
      if (this.kept.size >= this.most) this.kept.delete(this.kept.keys().next().value!)
      value = this.make(key)
    } else this.kept.delete(key)
    this.kept.set(key, value)
    this.lastKey = key
    this.lastValue = value
    return value
  }
}

/** Chunks that a source keeps: participants with different latencies stand in neighbours. */
export const CHUNKS_KEPT = 4

/**
 * A place in a source, which moves forward. Who walks reads the columns of `ticks` from `at` on, leaves `at` where it stopped, and enters
 * the next chunk when `at` is the end of this one.
 */
export class TickCursor {
  ticks: Ticks = NO_TICKS
  /** Place in `ticks`. */
  at = 0
  declare readonly source: TickSource
  /** Number of the first of `ticks` among all. */
  private start = 0
  private chunk = -1

  constructor(source: TickSource) {
    this.source = source
  }

  /** Ticks passed so far. */
  get passed(): number {
    return this.start + this.at
  }

  /** Stamp of the next tick, or a bound where its chunk is not known yet. Infinity when there is none. */
  get nextUs(): number {
    const { ticks: { atUs, count }, at, chunk, source } = this
    if (at < count) return atUs[at]!
    return chunk + 1 < source.chunkCount ? source.firstUs(chunk + 1) : Infinity
  }

  /** Enters the next chunk where this one has been passed. Precondition: there is another tick. */
  enter(): void {
    if (this.at < this.ticks.count) return
    this.chunk++
    this.start = this.source.startOf(this.chunk)
    this.ticks = this.source.chunk(this.chunk)
    this.at = 0
  }

  /** Whether the next tick is stamped up to an instant. Then it stands at `at` of `ticks`. */
  isDue(untilUs: number): boolean {
    while (this.at === this.ticks.count) {
      if (this.chunk + 1 >= this.source.chunkCount || this.source.firstUs(this.chunk + 1) > untilUs) return false
      this.enter()
    }
    return this.ticks.atUs[this.at]! <= untilUs
  }

  /** Stands where so many ticks have been passed. Nothing is loaded at the begin of a chunk. */
  seek(passed: number): void {
    const { source } = this
    const chunk = chunkOfTick(source, passed)
    const start = source.startOf(chunk)
    this.chunk = chunk - 1
    this.ticks = NO_TICKS
    this.at = 0
    this.start = start
    if (passed === start) return
    this.enter()
    this.at = passed - start
  }
}
