import { InputError } from '../unit/inputError.ts'
import { inOrder, type LoadedScenario } from './load.ts'
import { type Mistake, ScenarioMistakes } from './mistakes.ts'
import { type GivenStrategies, type LoadedStrategy, loadStrategy, type Role, roomImport, type StrategyImport } from './strategies.ts'

/** Strategies by the name or path that a scenario gives, per role. */
export type StrategySet = Readonly<Record<Role, ReadonlyMap<string, LoadedStrategy>>>

/** Loads every strategy that a scenario names. Throws ScenarioMistakes for those that are not there or are none. */
export async function loadStrategies({ file, source, folder }: LoadedScenario, importFile: StrategyImport = roomImport, given: GivenStrategies = {}): Promise<StrategySet> {
  const mistakes: Mistake[] = []
  const fail = source.failInto(mistakes)
  const load = async (role: Role, list: 'makers' | 'bettors'): Promise<Map<string, LoadedStrategy>> => {
    const loaded = new Map<string, LoadedStrategy>()
    for (const [i, entry] of file[list].entries()) {
      const { use } = entry
      if (loaded.has(use) || ('requests' in entry && entry.requests !== undefined)) continue
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
  const set = { maker: await load('maker', 'makers'), bettor: await load('bettor', 'bettors') }
  if (mistakes.length > 0) throw new ScenarioMistakes(inOrder(mistakes))
  return set
}
