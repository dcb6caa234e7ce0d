import { join } from 'node:path'
import { plainText } from '../arrow/plainText.ts'
import type { Manifest } from '../record/manifest.ts'
import { placeOf } from '../result/place.ts'
import { InputError } from '../unit/inputError.ts'
import { NEVER_US } from '../unit/time.ts'
import type { ResolvedScenario } from './resolved.ts'
import { type RunSources, SOURCES_NAME } from './run.ts'
import { SCENARIO_VERSION } from './schema.ts'

/** The scenario that a manifest names. Throws InputError for one of another version. */
export function resolvedOf({ identity }: Manifest, dir: string): ResolvedScenario {
  const scenario = identity.scenario as Partial<ResolvedScenario> | null
  if (typeof scenario === 'object' && scenario !== null && scenario.version === SCENARIO_VERSION) return scenario as ResolvedScenario
  throw new InputError(`its scenario is not of version ${SCENARIO_VERSION}`, { position: { file: join(dir, 'manifest.json') }, hint: 'use the parlor that made the run, or run the scenario again' })
}

/** Where the inputs of a run lie. Throws InputError where the run does not say it. */
export function sourcesOf(dir: string): RunSources {
  const path = placeOf(dir, SOURCES_NAME)
  try {
    const sources = JSON.parse(plainText(path)) as Partial<RunSources>
    if (typeof sources.scenario === 'string' && typeof sources.store === 'string') return sources as RunSources
  } catch (cause) {
    if (cause instanceof InputError) throw cause
    throw new InputError('the run does not say where its inputs lie', { position: { file: path }, cause })
  }
  throw new InputError('the run does not say where its scenario and its store lie', { position: { file: path } })
}

/** The first instant whose deadlines a run did not see, NEVER_US where it saw them all. */
export const untilOf = ({ served }: Manifest): number => (served === undefined || served.stoppedUs === null ? NEVER_US : served.stoppedUs + 1)
