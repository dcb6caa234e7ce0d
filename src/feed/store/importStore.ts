import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { InputError } from '../../unit/inputError.ts'
import { thousands } from '../../unit/numberText.ts'
import { reportOf } from '../importedHistory.ts'
import type { Importer } from '../importer.ts'
import type { ImportReport } from '../importReport.ts'
import { ImportTally, NothingNew } from '../importTally.ts'
import { NOTHING_KNOWN, StoreMarkets } from './knownMarkets.ts'
import { STORE_FILE, type StoreHead } from './storeHead.ts'
import { StoreWriter, type StoreWriting } from './storeWriter.ts'

/** The largest share of rows that may be set aside where nothing else is said. */
export const MAX_QUARANTINE = 0.5

export interface StoreImporting extends StoreWriting {
  /** Replaces a store that is there. */
  readonly isForced?: boolean | undefined
  /** The largest share of rows that may be set aside, 0…1. */
  readonly maxQuarantine?: number | undefined
  /** Called when all files have been read, and before the store changes. What it throws ends the import. */
  readonly proceed?: (() => void) | undefined
}

/** A store after an import. */
export interface StoreImport {
  readonly head: StoreHead
  /** Null where the store had the content of all files already. */
  readonly report: ImportReport | null
}

/**
 * Reads files into a store, whole or not at all. A store that is there is added to (`isAdded`) or replaced (`isForced`). Throws InputError,
 * and changes nothing, where neither is said, where nothing is accepted, where more rows are set aside than may be, and where depth is asked for and
 * there are no books.
 */
export async function importStore(path: string, importer: Importer, files: readonly string[], options: StoreImporting = {}): Promise<StoreImport> {
  const { isAdded = false, isForced = false, maxQuarantine = MAX_QUARANTINE, proceed = () => {} } = options
  const refuseStore = (): void => {
    if (isAdded || isForced || !existsSync(join(path, STORE_FILE))) return
    throw new InputError('there is a store here already', { position: { file: path }, hint: '--append adds to it, --force replaces it' })
  }
  refuseStore()
  const writer = await StoreWriter.begin(path, options)
  try {
    // Another import may have made the store while this one waited for it.
    refuseStore()
    const { before } = writer
    const tally = new ImportTally(new Set(before?.head.sources))
    const isLaterHeld = options.overlap === 'last'
    const known = before !== null ? new StoreMarkets(before, isLaterHeld) : isLaterHeld ? NOTHING_KNOWN : undefined
    const imported = await importer.read(files, writer, tally, known)
    proceed()
    checkShare(tally, importer.format, maxQuarantine, before !== null)
    if (before === null && writer.count === 0) throw new InputError(`nothing in ${files.join(', ')} has a price`, { hint: 'a store without prices is of no use' })
    if (before === null && options.depth !== undefined && writer.depthCount === 0) throw new InputError(`the files of ${importer.format} have no books, of which levels could be kept`, { hint: 'leave depth out' })
    let report: ImportReport | null = null
    const head = await writer.finish({ markets: imported.markets, report: (counts, markets) => (report = reportOf(importer.format, tally, { ...imported, markets }, counts)) })
    return { head, report }
  } catch (error) {
    const given = writer.giveUp(error)
    if (given instanceof NothingNew && writer.before !== null) return { head: writer.before.head, report: null }
    throw given
  }
}

/** Throws InputError where no row is accepted, or where more are set aside than may be. */
function checkShare(tally: ImportTally, format: string, most: number, isAdded: boolean): void {
  const { files, inputRows, acceptedRows, quarantinedRows, troubles } = tally.close()
  const share = quarantinedRows / inputRows
  if (acceptedRows > 0 && share <= most) return
  const worst = troubles.filter(({ handling }) => handling === 'quarantined').sort((a, b) => b.rows - a.rows)[0]
  const why = worst === undefined ? '' : `: ${worst.kind}, ${worst.about}`
  // Only later facts that hold instead of the first ones make such rows of use.
  const overlap = worst?.kind === 'contradiction' ? '--overlap last has the later ones hold' : undefined
  throw new InputError(acceptedRows === 0
    ? `no row is accepted as ${format}, of ${thousands(inputRows)} in ${files.map(({ file }) => file).join(', ')}${why}`
    : `${thousands(quarantinedRows)} of ${thousands(inputRows)} rows are set aside, more than ${100 * most} %${why}`, {
    ...(worst === undefined ? {} : { position: worst.place === undefined ? { file: worst.file, line: worst.firstRow } : { file: `${worst.file} ${worst.place}` } }),
    hint: overlap !== undefined ? overlap : acceptedRows === 0 ? isAdded ? 'is it another format, or do the rows need files of an import before? --force makes the store anew of all files' : 'is it another format?' : '--max-quarantine 100 takes the rest all the same',
  })
}
