import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Importer } from '../feed/importer.ts'
import { type MappedReading, mappedImporter } from '../feed/mapping/importMapped.ts'
import type { Mapping } from '../feed/mapping/mapping.ts'
import { ROW_FORMATS, type RowFormat } from '../feed/rows/rowBatch.ts'
import { InputError } from '../unit/inputError.ts'
import { nearestName } from '../unit/nearestName.ts'
import { loadMapping } from './mappingFile.ts'

/** Mappings that come with parlor. Each file is a format that `parlor import` knows by the file's name. */
const FOLDER = new URL('../../src/scenario/formats/', import.meta.url)
const SUFFIX = '.yaml'

/** Formats of files that a mapping describes. */
export const MAPPED_FORMATS = ROW_FORMATS

export const isMappedFormat = (format: string): format is RowFormat => (MAPPED_FORMATS as readonly string[]).includes(format)

/** What ends the reading of files, and who reads pieces of them. */
export type ReadingWays = Pick<MappedReading, 'signal' | 'threads'>

/** A format of `parlor import`. */
export interface KnownFormat {
  readonly format: string
  /** One line about its files. */
  readonly about: string
}

const mappedNames = (): string[] => readdirSync(FOLDER).filter((name) => name.endsWith(SUFFIX)).map((name) => name.slice(0, -SUFFIX.length))

/** Where the mapping of a format lies that comes with parlor. */
export const formatPath = (format: string): string => fileURLToPath(new URL(`${format}${SUFFIX}`, FOLDER))

/** The mapping of a format, undefined for one that only code reads. Throws InputError for an unknown format. */
export async function formatMapping(format: string): Promise<Mapping | undefined> {
  if (mappedNames().includes(format)) return loadMapping(formatPath(format))
  await importerOf(format)
  return undefined
}

/** The mappings that come with parlor, in order of name. */
export const knownMappings = (): Mapping[] => mappedNames().toSorted((a, b) => (a < b ? -1 : 1)).map((name) => loadMapping(formatPath(name)))

/** The formats that parlor knows by name, in order. */
export async function knownFormats(): Promise<KnownFormat[]> {
  const { IMPORTERS } = await import('../feed/importers/index.ts')
  const coded = Object.values(IMPORTERS).map(({ format, about }) => ({ format, about }))
  const mapped = knownMappings().map(({ name, about }) => ({ format: name, about }))
  return [...coded, ...mapped].sort((a, b) => (a.format < b.format ? -1 : 1))
}

/** The importer of a format that parlor knows by name. Throws InputError for an unknown format. */
export async function importerOf(format: string, ways: ReadingWays = {}): Promise<Importer> {
  const { IMPORTERS } = await import('../feed/importers/index.ts')
  const coded = Object.hasOwn(IMPORTERS, format) ? IMPORTERS[format] : undefined
  if (coded !== undefined) return coded
  const mapped = mappedNames()
  if (mapped.includes(format)) {
    const mapping = loadMapping(formatPath(format))
    return { ...mappedImporter(mapping, ways), about: mapping.about }
  }
  const names = [...[...Object.keys(IMPORTERS), ...mapped].sort((a, b) => (a < b ? -1 : 1)), ...MAPPED_FORMATS]
  const near = nearestName(format, names)
  throw new InputError(`no format ${format}${near === undefined ? '' : `; did you mean ${near}?`}`, { hint: `known formats: ${names.join(', ')}` })
}
