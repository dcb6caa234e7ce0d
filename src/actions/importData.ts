import type { ImportReport } from '../feed/importer.ts'
import { newStorePath, writeStore } from '../feed/store.ts'
import { importFiles } from '../scenario/history.ts'
import { type ActionOptions, acting, sayOf, throwIfAborted } from './options.ts'

export interface ImportDataOptions extends ActionOptions {
  /** Name of the store, under `store/`, or its path. A store of that name is replaced. */
  readonly into: string
}

/** A price store that was written. */
export interface ImportedStore {
  readonly path: string
  /** SHA-256 over markets and prices, hex: the same data have the same hash wherever they came from. */
  readonly dataHash: string
  readonly markets: number
  /** Prices. */
  readonly ticks: number
  /** What was read, and what became of it. */
  readonly report: ImportReport
}

/**
 * Reads market data and writes it as a price store, whole or not at all. Rows with faults are set aside, and every kind of fault is reported.
 *
 * @param format a format, as `listFormats` names them
 * @param files files, or folders of files
 * @returns the store, and what became of the rows
 * @throws InputError for an unknown format, for files of another one, and for a place that holds something else
 * @throws Interrupted by the signal
 * @example
 * const imported = await importData('kalshi-mlb-close', ['games.csv'], { into: 'closes' })
 * console.log(imported.path, imported.report.acceptedRows, imported.report.troubles)
 */
export const importData = (format: string, files: readonly string[], options: ImportDataOptions): Promise<ImportedStore> => acting(async () => {
  const { into, signal } = options
  throwIfAborted(signal)
  const path = newStorePath(into)
  const result = await importFiles(format, files)
  throwIfAborted(signal)
  const { dataHash, markets, ticks } = await writeStore(path, result, { say: sayOf(options), signal })
  return { path, dataHash, markets, ticks, report: result.report }
})
