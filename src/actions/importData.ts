import { availableParallelism } from 'node:os'
import type { ImportReport } from '../feed/importReport.ts'
import { importStore } from '../feed/store/importStore.ts'
import { ImportThreads } from '../feed/threads/importThreads.ts'
import type { OverlapRule } from '../feed/store/overlap.ts'
import { newStorePath } from '../feed/store/storePlaces.ts'
import type { ImportProgress } from '../feed/store/storeWriter.ts'
import { LEVELS_MAX } from '../market/depth.ts'
import { importReader } from '../scenario/importReader.ts'
import { InputError } from '../unit/inputError.ts'
import { throwIfAborted } from '../unit/interrupted.ts'
import { type ActionOptions, acting, sayOf } from './options.ts'

export interface ImportDataOptions extends ActionOptions {
  /** Name of the store, under `store/`, or its path. */
  readonly into: string
  /** Adds to a store that is there: parts of its own, markets that are new or of which more is known. Files that the store has already, by the same mapping, add nothing. */
  readonly append?: boolean
  /** Replaces a store that is there. */
  readonly force?: boolean
  /** The largest share of rows that may be set aside, 0…1. 0.5 by default. */
  readonly maxQuarantine?: number
  /**
   * What becomes of prices of a market and an instant that are others than the store has, or than an earlier file of the import has: `first`
   * keeps the earlier ones, and `last` puts the new ones after them. They are refused by default. Equal prices are left out in any case.
   * With `last`, what is stated of a market holds where it contradicts the store. Otherwise such a row is set aside.
   */
  readonly overlap?: 'first' | 'last'
  /** Path of the mapping file (docs/import.md): for the formats `csv`, `ndjson` and `parquet`, which need one. */
  readonly map?: string
  /**
   * How many levels of both sides of books the store keeps beside the best prices, 1 to 50: for a format that parlor knows by name and that has
   * books. A mapping says so itself (docs/import.md). What is added to a store has as many as the store. None by default.
   */
  readonly depth?: number
  /** A file of rules that say which markets exclude each other (docs/groups.md), for a new store. */
  readonly groups?: string
  /** Threads that read and write, 1 or more; one for each core by default. The store has the same bytes for any number of them. */
  readonly workers?: number
  /** Is told how far the import has come: about each million prices that were read, and each day that was written. */
  readonly onProgress?: (progress: ImportProgress) => void
}

/** A price store that was written. */
export interface ImportedStore {
  readonly path: string
  /**
   * SHA-256 over the store's files of markets and prices, hex. The same files in the same imports give the same hash. Prices that came by two
   * imports have another hash than the same prices by one, because they lie in other files.
   */
  readonly dataHash: string
  readonly markets: number
  /** Prices. */
  readonly ticks: number
  /** Prices that this import added. */
  readonly added: number
  /** What was read, and what became of it. Null where the store had the content of all files already. */
  readonly report: ImportReport | null
}

/**
 * Reads market data and writes it as a price store, whole or not at all. Rows with faults are set aside, and every kind of fault is reported.
 *
 * @param format a format, as `listFormats` names them, or `csv`, `ndjson` or `parquet` with a mapping
 * @param files files, or folders of files; with a mapping tar archives and `-` for standard input too
 * @returns the store, and what became of the rows
 * @throws InputError for an unknown format, for files of another one, for a mistake in the mapping, for a depth that files or store do not have, for a place that holds something else, or a
 * store unless `append` or `force` says what becomes of it, and where nothing is accepted or too much is set aside
 * @throws Interrupted by the signal
 * @example
 * const imported = await importData('kalshi-mlb-close', ['games.csv'], { into: 'closes' })
 * console.log(imported.path, imported.added, imported.report?.troubles)
 */
export const importData = (format: string, files: readonly string[], options: ImportDataOptions): Promise<ImportedStore> => acting(async () => {
  const { into, map, signal, append, force, maxQuarantine, overlap, groups, depth, workers = availableParallelism(), onProgress } = options
  if (!(Number.isSafeInteger(workers) && workers >= 1)) throw new InputError(`expected workers, 1 or more, got ${workers}`)
  const proceed = (): void => { throwIfAborted(signal) }
  proceed()
  const path = newStorePath(into)
  const rule: OverlapRule | undefined = overlap
  if (groups !== undefined && append === true) throw new InputError('rules for groups are written into a new store', { hint: '`history.groups` of a scenario lays rules over a store that grows' })
  if (depth !== undefined && !(Number.isInteger(depth) && depth >= 1 && depth <= LEVELS_MAX)) throw new InputError(`depth: expected a whole number from 1 to ${LEVELS_MAX}, got ${depth}`)
  const threads = new ImportThreads(workers)
  try {
    const { importer, depth: levels } = await importReader({ format, map, groups, depth, signal, threads })
    const { head, report } = await importStore(path, importer, files, {
      say: sayOf(options), signal, isAdded: append, isForced: force, maxQuarantine, overlap: rule, depth: levels, proceed, threads, onProgress,
    })
    return { path, dataHash: head.dataHash, markets: head.markets, ticks: head.ticks, added: report?.ticks ?? 0, report }
  } finally {
    await threads.close()
  }
})
