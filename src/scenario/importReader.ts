import { importerWithGroups } from '../feed/groups/applyGroups.ts'
import { readGroups } from '../feed/groups/readGroups.ts'
import type { Importer } from '../feed/importer.ts'
import { InputError } from '../unit/inputError.ts'
import type { RowFormat } from '../feed/rows/rowBatch.ts'
import { importerOf, isMappedFormat, MAPPED_FORMATS, type ReadingWays } from './formats.ts'

/** How files are read: a format, with the paths of a mapping and of rules for groups. */
export interface ImportReading extends ReadingWays {
  readonly format: string
  readonly map?: string | undefined
  readonly groups?: string | undefined
  /** How many levels of books are kept, of a format of its own: a mapping says so itself. */
  readonly depth?: number | undefined
}

/** What reads files of a format. */
export interface ImportReader {
  readonly importer: Importer
  /** How many levels of books the store keeps; undefined for none. */
  readonly depth: number | undefined
}

/**
 * What reads files of a format. Throws InputError for an unknown format, one without the mapping that it needs or with one that it does not take,
 * a depth beside a mapping, and for a mapping or rules with mistakes.
 */
export async function importReader({ format, map, groups, depth, signal, threads }: ImportReading): Promise<ImportReader> {
  const ways = { signal, threads }
  const reader = isMappedFormat(format) ? await mappedReader(format, map, depth, ways) : { importer: await namedImporter(format, map, ways), depth }
  return groups === undefined ? reader : { ...reader, importer: importerWithGroups(reader.importer, readGroups(groups)) }
}

async function namedImporter(format: string, map: string | undefined, ways: ReadingWays): Promise<Importer> {
  const importer = await importerOf(format, ways)
  if (map === undefined) return importer
  throw new InputError(`format ${format} takes no mapping`, { hint: `formats that do: ${MAPPED_FORMATS.join(', ')}` })
}

async function mappedReader(format: RowFormat, map: string | undefined, depth: number | undefined, ways: ReadingWays): Promise<ImportReader> {
  if (map === undefined) throw new InputError(`format ${format} needs a mapping`, { hint: '`parlor import auto FILE…` writes one to look through; docs/import.md' })
  if (depth !== undefined) throw new InputError('a mapping says how many levels are kept', { hint: `write depth: ${depth} into ${map}` })
  const [{ loadMapping }, { mappedImporter }] = await Promise.all([import('./mappingFile.ts'), import('../feed/mapping/importMapped.ts')])
  const mapping = loadMapping(map)
  return { importer: mappedImporter(mapping, { format, ...ways }), depth: mapping.depth }
}
