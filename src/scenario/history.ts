import { existsSync, realpathSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { openStoreHistory, type StoreHistory } from '../feed/history/storeHistory.ts'
import { isOlderStore } from '../feed/store/storeHead.ts'
import { newStorePath, resolveStore } from '../feed/store/storePlaces.ts'
import type { StoreWriting } from '../feed/store/storeWriter.ts'
import { isWithin } from '../result/head.ts'
import { InputError } from '../unit/inputError.ts'
import type { ImportReader } from './importReader.ts'
import type { LoadedScenario } from './load.ts'
import { ScenarioMistakes } from './mistakes.ts'

/** Memory for the ticks of a history that all threads of a process read. */
export type SharedHistory = NonNullable<ReturnType<StoreHistory['share']>>

/** Where a scenario says how its store is made. In backticks: the check of imports takes the quoted word for one. */
const ORIGIN = ['history', `import`]

/**
 * The history of a scenario. A store that is not there, or that an older version imported, is made first when the scenario says how
 * (`history.import`); `say` gets a line about it, and `begun` is told where.
 */
export async function openHistory(loaded: LoadedScenario, say: (line: string) => void, begun?: StoreWriting['begun']): Promise<StoreHistory> {
  const { file, folder, source } = loaded
  const { store, import: origin } = file.history
  try {
    const path = resolveStore(store, { base: folder })
    if (origin === undefined || !isOlderStore(path)) return openStoreHistory(path)
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
  // What imports is loaded by those who import.
  const { importStore } = await import('../feed/store/importStore.ts')
  const reader = await readerOf(loaded)
  try {
    await importStore(path, reader.importer, files, {
      say, isForced: true, depth: reader.depth,
      begun: (generation) => {
        begun?.(generation)
        // Whoever hears this knows already what to clear away if it goes no further.
        say(`importing ${origin.files.join(', ')} (${origin.format}) into ${path}, once`)
      },
    })
  } catch (error) {
    if (!(error instanceof InputError) || error.position !== undefined) throw error
    throw new ScenarioMistakes([source.mistake([...ORIGIN, 'format'], error.message, hintOf(error))])
  }
  return openStoreHistory(path)
}

/** What reads the files of `history.import`. A mistake inside of a mapping, or of rules, is shown there. */
async function readerOf({ file, folder, source }: LoadedScenario): Promise<ImportReader> {
  const { format, map, groups } = file.history.import!
  const there = (path: string | undefined): string | undefined => (path === undefined ? undefined : join(folder, path))
  for (const [key, path] of [['map', there(map)], ['groups', there(groups)]] as const) {
    if (path !== undefined && !existsSync(path)) throw new ScenarioMistakes([source.mistake([...ORIGIN, key], `no such file: ${path}`)])
  }
  const { importReader } = await import('./importReader.ts')
  try {
    return await importReader({ format, map: there(map), groups: there(groups), depth: map === undefined ? file.history.depth : undefined })
  } catch (error) {
    if (!(error instanceof InputError) || error.position !== undefined) throw error
    throw new ScenarioMistakes([source.mistake([...ORIGIN, 'format'], error.message, hintOf(error))])
  }
}

/** Whether a path, which need not exist yet, lies in a folder, whatever links lead there. */
function isBelow(path: string, folder: string): boolean {
  let there = path
  while (!existsSync(there)) there = dirname(there)
  return isWithin(relative(realpathSync(folder), join(realpathSync(there), relative(there, path))))
}

const hintOf = ({ hint }: InputError): { hint?: string } => (hint === undefined ? {} : { hint })
