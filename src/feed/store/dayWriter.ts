import { closeSync, openSync } from 'node:fs'
import { aboutFile } from '../../unit/aboutFile.ts'
import { inBlocks } from '../../unit/rowBlocks.ts'
import type { TickColumns } from '../tickBuffer.ts'
import { type DayRun, type RunPlace, storedRun } from './dayRuns.ts'
import { openStore, type OpenStore } from './openStore.ts'
import { Origins, type OriginsImage } from './origins.ts'
import { type Difference, Overlap, type OverlapRule } from './overlap.ts'
import { batchColumns, PartWriter } from './partWriter.ts'
import { type RunColumns, TICK_RUNS } from './runColumns.ts'
import { mergeRuns } from './runMerge.ts'
import { dayOf, type PartHead } from './storeHead.ts'

/** What ticks of a day may overlap with. */
export interface DayOverlap {
  /** The store that is added to, null where it has no ticks of the day. */
  readonly store: string | null
  /** The number of a market in the store by its place in the import, −1 where the store does not have it. */
  readonly numberOf: Int32Array
  readonly origins: OriginsImage
  readonly rule: OverlapRule
}

/** A part that is to be written: the ticks of a day, in runs that are merged. */
export interface DayOrder {
  readonly day: number
  readonly folder: string
  readonly name: string
  /** Of the markets that the day has, in order, and the place of each market of the import among them. */
  readonly tickers: readonly string[]
  readonly codeOf: Int32Array
  /** When each market of the import closes, µs; `NEVER_US` where nobody says. */
  readonly closeUs: Float64Array
  /** Where runs lie, and in which file; or the runs themselves, for the thread that has them. */
  readonly runs: readonly RunPlace[] | readonly DayRun<RunColumns>[]
  readonly path: string
  /** Ticks that may be in memory at once. */
  readonly budgetRows: number
  readonly overlap: DayOverlap | null
}

/** What became of the ticks of a day. */
export interface DayWritten {
  /** Null where all ticks were left out. */
  readonly part: PartHead | null
  readonly ticks: number
  readonly afterClose: number
  readonly equal: number
  readonly twice: number
  readonly different: number
  readonly first: Difference | null
}

/** Writes parts of a store, day by day. */
export class DayWriter {
  private declare store: OpenStore | null
  /** Room that is used day after day. */
  private batch: TickColumns | null = null
  private readonly blocks: RunColumns[] = []

  /** @param store that is added to, where it is open already. */
  constructor(store: OpenStore | null = null) {
    this.store = store
  }

  write(order: DayOrder): DayWritten {
    const { day, folder, name, tickers, codeOf, closeUs, runs, path, budgetRows } = order
    const stored = runs.some((run) => !('read' in run))
    const file = stored ? aboutFile(path, () => openSync(path, 'r')) : -1
    const part = new PartWriter(folder, name, tickers, this.batch ??= batchColumns())
    let [ticks, afterClose] = [0, 0]
    const take = (block: RunColumns, first: number, end: number): void => {
      ticks += end - first
      inBlocks(end - first, (from, to) => {
        afterClose += countAfter(closeUs, block, first + from, first + to)
        part.take(block, first + from, first + to, codeOf)
      })
    }
    try {
      const overlap = order.overlap === null ? null : this.overlapOn(day, order.overlap, take)
      mergeRuns(TICK_RUNS, runs.map((run) => ('read' in run ? run : storedRun(TICK_RUNS, path, file, run))), budgetRows, overlap === null ? take : (block, from, to) => { overlap.take(block, from, to) }, this.blocks)
      overlap?.end()
      const { equal = 0, twice = 0, different = 0, first = null } = overlap ?? {}
      return { part: part.finish(), ticks, afterClose, equal, twice, different, first }
    } catch (error) {
      part.abort()
      throw error
    } finally {
      if (stored) closeSync(file)
    }
  }

  private overlapOn(day: number, { store: path, numberOf, origins, rule }: DayOverlap, take: (block: RunColumns, from: number, to: number) => void): Overlap {
    if (path !== null) this.store ??= openStore(path)
    const parts = this.store?.parts.filter(({ firstUs }) => dayOf(firstUs) === day) ?? []
    return new Overlap({ store: this.store, parts, numberOf, origins: Origins.of(origins), rule }, take)
  }
}

function countAfter(closeUs: Float64Array, { atUs, market }: TickColumns, from: number, to: number): number {
  let after = 0
  for (let at = from; at < to; at++) if (atUs[at]! > closeUs[market[at]!]!) after++
  return after
}
