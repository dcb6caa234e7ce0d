import { existsSync, realpathSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import type { ImportResult } from '../feed/importer.ts'
import { isOlderStore, newStorePath, readStore, resolveStore, type Store, type StoreWriting, writeStore } from '../feed/store.ts'
import { isWithin } from '../result/head.ts'
import { InputError } from '../unit/inputError.ts'
import { nearestName } from '../unit/nearestName.ts'
import type { LoadedScenario } from './load.ts'
import { ScenarioMistakes } from './mistakes.ts'

/** Where a scenario says how its store is made. In backticks: the check of imports takes the quoted word for one. */
const ORIGIN = ['history', `import`]

/** Reads files of a format of `parlor import`. Throws InputError for an unknown format. */
export async function importFiles(format: string, files: readonly string[]): Promise<ImportResult> {
  const { IMPORTERS } = await import('../feed/importers/index.ts')
  const importer = Object.hasOwn(IMPORTERS, format) ? IMPORTERS[format] : undefined
  if (importer === undefined) {
    const near = nearestName(format, Object.keys(IMPORTERS))
    throw new InputError(`no format ${format}${near === undefined ? '' : `; did you mean ${near}?`}`, {
      hint: `known formats: ${Object.keys(IMPORTERS).join(', ')}`,
    })
  }
  return importer.read(files)
}

/**
 * The history of a scenario. A store that is not there, or that an older version imported, is made first when the scenario says how
 * (`history.import`); `say` gets a line about it, and `begun` is told where.
 */
export async function openHistory({ file, folder, source }: LoadedScenario, say: (line: string) => void, begun?: StoreWriting['begun']): Promise<Store> {
  const { store, import: origin } = file.history
  try {
    const path = resolveStore(store, { base: folder })
    if (origin === undefined || !isOlderStore(path)) return readStore(path)
  } catch (error) {
    if (!(error instanceof InputError) || error.position !== undefined) throw error
    if (origin === undefined) throw new ScenarioMistakes([source.mistake(['history', 'store'], error.message, hintOf(error))])
  }
  const files = origin.files.map((name) => join(folder, name))
  for (const [i, path] of files.entries()) {
    if (!existsSync(path)) throw new ScenarioMistakes([source.mistake([...ORIGIN, 'files', i], `no such file or folder: ${path}`, {
      hint: 'recorded data does not come with parlor: `parlor data --recorded` says where it lies and how one gets it',
    })])
  }
  const path = newStorePath(store, folder)
  // Scenarios come from strangers: one may not put folders anywhere on the disk.
  if (![folder, '.'].some((home) => isBelow(path, home))) {
    throw new ScenarioMistakes([source.mistake(['history', 'store'], `a scenario makes no store outside of its folder and the working folder: ${path}`, {
      hint: `parlor import ${origin.format} FILE… --into PATH makes one anywhere`,
    })])
  }
  say(`importing ${origin.files.join(', ')} (${origin.format}) into ${path}, once`)
  let result: ImportResult
  try {
    result = await importFiles(origin.format, files)
  } catch (error) {
    if (!(error instanceof InputError) || error.position !== undefined) throw error
    throw new ScenarioMistakes([source.mistake([...ORIGIN, 'format'], error.message, hintOf(error))])
  }
  await writeStore(path, result, { say, begun })
  return readStore(path)
}

/** Whether a path, which need not exist yet, lies in a folder, whatever links lead there. */
function isBelow(path: string, folder: string): boolean {
  let there = path
  while (!existsSync(there)) there = dirname(there)
  return isWithin(relative(realpathSync(folder), join(realpathSync(there), relative(there, path))))
}

const hintOf = ({ hint }: InputError): { hint?: string } => (hint === undefined ? {} : { hint })
