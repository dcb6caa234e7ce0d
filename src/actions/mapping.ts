import { writeFileSync } from 'node:fs'
import type { MarketDraft } from '../feed/marketDraft.ts'
import type { ImportTrouble } from '../feed/importReport.ts'
import type { PreviewRow } from '../feed/mapping/preview.ts'
import type { Mapping } from '../feed/mapping/mapping.ts'
import { formatMapping, isMappedFormat, MAPPED_FORMATS } from '../scenario/formats.ts'
import { mappingJsonSchema } from '../scenario/mappingSchema.ts'
import { InputError } from '../unit/inputError.ts'
import { throwIfAborted } from '../unit/interrupted.ts'
import { type ActionOptions, acting } from './options.ts'

export { isMappedFormat, MAPPED_FORMATS } from '../scenario/formats.ts'

export interface PreviewImportOptions extends ActionOptions {
  /** Path of the mapping file (docs/import.md), for `csv`, `ndjson` and `parquet`. Formats that parlor knows by name have one. */
  readonly map?: string
  /** Rows of each file; default 20. */
  readonly rows?: number
}

/** What the first rows of files become. */
export interface ImportPreview {
  readonly rows: readonly PreviewRow[]
  /** Markets as they would be listed. */
  readonly markets: readonly MarketDraft[]
  readonly troubles: readonly ImportTrouble[]
}

const PREVIEW_ROWS = 20

/**
 * Reads the first rows of files as a mapping says, and writes nothing.
 *
 * @param format `csv`, `ndjson` or `parquet`, or a format that parlor knows by name and reads by a mapping
 * @param files files, folders, tar archives, or `-` for standard input
 * @returns what each row becomes, or why it is set aside
 * @throws InputError for a mistake in the mapping, for a format without one, and for files that it does not read
 * @throws Interrupted by the signal
 * @example
 * const { rows } = await previewImport('csv', ['quotes.csv'], { map: 'mapping.yaml' })
 * for (const { row, market, bid, setAside } of rows) console.log(row, market, bid, setAside)
 */
export const previewImport = (format: string, files: readonly string[], options: PreviewImportOptions = {}): Promise<ImportPreview> => acting(async () => {
  const { map, rows = PREVIEW_ROWS, signal } = options
  throwIfAborted(signal)
  const { previewMapped } = await import('../feed/mapping/preview.ts')
  return previewMapped(await previewedMapping(format, map), files, rows, { ...(isMappedFormat(format) && { format }), signal })
})

/** The mapping of a preview: that of a file, or that of a format. */
async function previewedMapping(format: string, map: string | undefined): Promise<Mapping> {
  if (isMappedFormat(format)) {
    if (map === undefined) throw new InputError('a preview shows what a mapping does', { hint: `format ${format} needs a mapping (--map mapping.yaml)` })
    const { loadMapping } = await import('../scenario/mappingFile.ts')
    return loadMapping(map)
  }
  const mapping = await formatMapping(format)
  if (mapping === undefined) throw new InputError('a preview shows what a mapping does', { hint: `format ${format} is read by code, and has no mapping` })
  if (map !== undefined) throw new InputError(`format ${format} takes no mapping`, { hint: `expected ${MAPPED_FORMATS.join(', ')} with one` })
  return mapping
}

export interface GuessMappingOptions extends ActionOptions {
  /** A file that is not there yet, in which the mapping is written. */
  readonly write?: string
}

/**
 * Guesses a mapping from the names of columns and the first rows of files. What is unsure has a comment: read it before you import. A file that a
 * mapping of parlor's own may read is told of in a comment.
 *
 * @param files files, folders, tar archives, or `-` for standard input
 * @returns YAML
 * @throws InputError where nothing can be guessed, and for a file that is there
 * @example
 * writeFileSync('mapping.yaml', await guessMapping(['quotes.csv', 'results.csv']))
 */
export const guessMapping = (files: readonly string[], options: GuessMappingOptions = {}): Promise<string> => acting(async () => {
  throwIfAborted(options.signal)
  const { guessedMapping } = await import('../feed/mapping/guess.ts')
  const { knownMappings } = await import('../scenario/formats.ts')
  const text = await guessedMapping(files, knownMappings(), undefined, options.signal)
  if (options.write !== undefined) writeNew(options.write, text)
  return text
})

/** Somebody may have worked on a mapping of that name. */
function writeNew(path: string, text: string): void {
  try {
    writeFileSync(path, text, { flag: 'wx' })
  } catch (cause) {
    const { code } = cause as { readonly code?: string }
    throw new InputError(code === 'EEXIST' ? 'there is a file here' : `cannot be written (${code})`, { position: { file: path }, hint: 'choose another name', cause })
  }
}

/**
 * The JSON Schema of mapping files, for editors.
 *
 * @returns the schema, as `parlor schema mapping` prints it
 * @example
 * writeFileSync('mapping.schema.json', JSON.stringify(mappingSchema()))
 */
export const mappingSchema = (): object => mappingJsonSchema()
