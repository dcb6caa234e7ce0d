import type { LoadedScenario } from '../scenario/load.ts'
import { InputError } from '../unit/inputError.ts'
import type { Scenario } from './scenario.ts'

/** What scenarios are to those who play them. It is kept apart, so that the types of the package name no package that it does not bring. */
const loaded = new WeakMap<Scenario, LoadedScenario>()

export function keepLoaded(scenario: Scenario, read: LoadedScenario): Scenario {
  loaded.set(scenario, read)
  return scenario
}

/** Throws InputError for what `loadScenario` has not given. */
export function loadedOf(scenario: Scenario): LoadedScenario {
  const read = loaded.get(scenario)
  if (read === undefined) throw new InputError('no scenario that was loaded', { hint: 'expected what loadScenario returns' })
  return read
}
