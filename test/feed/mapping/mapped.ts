import { expect } from 'vitest'
import { importedFiles } from '../../../src/feed/importedHistory.ts'
import { mappedImporter, type MappedReading } from '../../../src/feed/mapping/importMapped.ts'
import type { Mapping } from '../../../src/feed/mapping/mapping.ts'
import type { ImportResult } from '../../../src/feed/importer.ts'
import { InputError } from '../../../src/unit/inputError.ts'
import { mappingOfText } from '../../../src/scenario/mappingFile.ts'
import { written } from '../writtenFiles.ts'

export { lines, written } from '../writtenFiles.ts'

/** What files become by a mapping. */
export const importMapped = (mapping: Mapping, files: readonly string[], options: MappedReading = {}): Promise<ImportResult> => importedFiles(mappedImporter(mapping, options), files)

/** The same of a mapping in YAML. */
export const mapped = (yaml: string, files: Readonly<Record<string, string | Uint8Array>>, options: MappedReading = {}): Promise<ImportResult> =>
  importMapped(mappingOfText('mapping.yaml', yaml), [written(files)], options)

export async function refusal(act: () => unknown): Promise<InputError> {
  const error = await Promise.resolve().then(act).then(() => undefined, (cause: unknown) => cause)
  expect(error).toBeInstanceOf(InputError)
  return error as InputError
}

export const troubles = ({ report }: ImportResult): string[] => report.troubles.map(({ kind, handling, rows, firstRow }) => `${handling} ${kind}: ${rows} from ${firstRow}`)

/** Ticks as market, µs, bid, ask, sizes, last. */
export function shown({ ticks, markets }: ImportResult): [string, number, number, number, number, number, number][] {
  return Array.from({ length: ticks.count }, (_, i) => [
    markets[ticks.market[i]!]!.ticker, ticks.atUs[i]!, ticks.bidE6[i]!, ticks.askE6[i]!, ticks.bidSize[i]!, ticks.askSize[i]!, ticks.lastE6[i]!,
  ])
}

/** 19 June 2025, 19:00 UTC, µs. */
export const T0 = Date.UTC(2025, 5, 19, 19) * 1000
