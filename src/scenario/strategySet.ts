import { resolve } from 'node:path'
import type { RfqLog } from '../feed/rfqLog/rfqLog.ts'
import { InputError } from '../unit/inputError.ts'
import { inOrder, type LoadedScenario } from './load.ts'
import { type Fail, type Mistake, ScenarioMistakes } from './mistakes.ts'
import type { ScenarioFile } from './schema.ts'
import { type GivenStrategies, type LoadedStrategy, loadStrategy, type Role, roomImport, type StrategyImport } from './strategies.ts'

/** Strategies by the name or path that a scenario gives, per role, and the logs that recorded participants follow. */
export interface StrategySet extends Readonly<Record<Role, ReadonlyMap<string, LoadedStrategy>>> {
  /** Recorded logs by the file that a scenario gives. */
  readonly logs: ReadonlyMap<string, RfqLog>
}

/** Loads every strategy that a scenario names. Throws ScenarioMistakes for those that are not there or are none. */
export async function loadStrategies({ file, source, folder }: LoadedScenario, importFile: StrategyImport = roomImport, given: GivenStrategies = {}): Promise<StrategySet> {
  const mistakes: Mistake[] = []
  const fail = source.failInto(mistakes)
  const load = async (role: Role, list: 'makers' | 'bettors'): Promise<Map<string, LoadedStrategy>> => {
    const loaded = new Map<string, LoadedStrategy>()
    for (const [i, entry] of file[list].entries()) {
      const { use } = entry
      if (loaded.has(use) || ('requests' in entry && (entry.requests ?? entry.recorded) !== undefined)) continue
      try {
        loaded.set(use, await loadStrategy(use, role, folder, importFile, given))
      } catch (error) {
        // A mistake inside of a strategy file is shown there.
        if (!(error instanceof InputError) || error.position !== undefined) throw error
        fail([list, i, 'use'], error.message, error.hint === undefined ? {} : { hint: error.hint })
      }
    }
    return loaded
  }
  const set = { maker: await load('maker', 'makers'), bettor: await load('bettor', 'bettors'), logs: await loadLogs(file, folder, fail) }
  if (mistakes.length > 0) throw new ScenarioMistakes(inOrder(mistakes))
  return set
}

/** Reads every log that a scenario names, once. What is wrong inside of one is shown there. */
async function loadLogs({ bettors, makers }: ScenarioFile, folder: string, fail: Fail): Promise<Map<string, RfqLog>> {
  const logs = new Map<string, RfqLog>()
  const named = [...bettors.map(({ recorded }, i) => ({ log: recorded?.log, path: ['bettors', i] })), ...makers.map(({ log }, i) => ({ log, path: ['makers', i] }))]
  for (const { log, path } of named) {
    if (log === undefined || logs.has(log)) continue
    // What reads logs is loaded where there is one.
    const { readRfqLog } = await import('../feed/rfqLog/readRfqLog.ts')
    try {
      logs.set(log, await readRfqLog(resolve(folder, log)))
    } catch (error) {
      if (!(error instanceof InputError) || error.position?.line !== undefined) throw error
      fail([...path, 'log'], `${error.message}: ${log}`)
    }
  }
  return logs
}
