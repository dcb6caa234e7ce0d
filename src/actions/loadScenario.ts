import { loadScenario as load, type ScenarioOrigin } from '../scenario/load.ts'
import { runNameOf } from '../scenario/run.ts'
import { InputError } from '../unit/inputError.ts'
import { SERVICE_NAMES } from '../unit/services.ts'
import { keepLoaded } from './loaded.ts'
import { Scenario } from './scenario.ts'
import type { ScenarioInput } from './scenarioInput.ts'

/** A scenario as YAML, the text of a scenario file. */
export interface ScenarioText {
  readonly yaml: string
}

export interface LoadScenarioOptions {
  /** Settings that replace those of the scenario, as `makers.0.params.margin=5%`, in order: `--set` of the command line. */
  readonly set?: readonly string[]
  /** Everything random is drawn from it, in place of the scenario's own. */
  readonly seed?: string
  /** For a text or an object: the folder in which its relative paths begin. The default is the working folder. */
  readonly folder?: string
  /** For a text or an object: what mistakes call it, and its name where it gives none itself. The default is `scenario`. */
  readonly name?: string
}

const UNNAMED = 'scenario'
const SOURCES = 'a scenario is the path of a file, { yaml } with a text, or an object with the keys of a scenario file'

/**
 * Reads a scenario and checks its settings. Strategies and history are read by the actions that play it.
 *
 * @param source the path of a scenario file, its text, or the scenario as an object
 * @returns the scenario, as the other actions take it
 * @throws InputError for a file that cannot be read, and, with each mistake in `mistakes`, for all that is wrong with the settings. The position
 * is file, line and column; a mistake in an object names the setting.
 * @example
 * const scenario = loadScenario('scenarios/quickstart.yaml', { seed: '2', set: ['arrivals.max=500'] })
 */
export function loadScenario(source: string | ScenarioText | ScenarioInput, options: LoadScenarioOptions = {}): Scenario {
  const { set, seed } = options
  const loaded = load(originOf(source, options), { ...(set === undefined ? {} : { set }), ...(seed === undefined ? {} : { seed }) })
  const { file, path } = loaded
  return keepLoaded(new Scenario({
    name: runNameOf(loaded), path: typeof source === 'string' ? path : null, mode: file.mode, seed: file.seed,
    services: SERVICE_NAMES.filter((name) => file.services[name] !== undefined),
  }), loaded)
}

function originOf(source: string | ScenarioText | ScenarioInput, { folder = '.', name = UNNAMED }: LoadScenarioOptions): ScenarioOrigin {
  if (typeof source === 'string') return source
  // Programs that no compiler has checked give anything.
  const given: unknown = source
  if (typeof given !== 'object' || given === null) throw new InputError(`expected a scenario, got ${given === null ? 'null' : `a value of the type ${typeof given}`}`, { position: { file: name }, hint: SOURCES })
  if ('yaml' in source && typeof source.yaml !== 'string') throw new InputError(`yaml: expected a text, got a value of the type ${typeof source.yaml}`, { position: { file: name }, hint: SOURCES })
  if ('yaml' in source) return { name, folder, text: source.yaml, isObject: false }
  checkPlain(source, [], name)
  return { name, folder, text: JSON.stringify(source), isObject: true }
}

/** Refuses what a text cannot say. Throws InputError that names the setting. */
function checkPlain(value: unknown, path: readonly string[], name: string): void {
  const fail = (what: string): never => {
    throw new InputError(`${path.join('.')}: is ${what}, which no scenario has`, { position: { file: name }, hint: 'expected plain data: texts, numbers, yes or no, lists and maps' })
  }
  if (path.length > DEPTH_MAX) throw new InputError('nests too deep', { position: { file: name }, hint: 'an object may contain itself' })
  if (value === undefined || value === null || typeof value === 'string' || typeof value === 'boolean') return
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : fail(String(value))
  if (typeof value !== 'object') return fail(`a ${typeof value}`)
  if (Array.isArray(value)) return value.forEach((item, i) => { checkPlain(item, [...path, String(i)], name) })
  const prototype: unknown = Object.getPrototypeOf(value)
  // Plain objects of another realm too.
  if (prototype !== null && Object.getPrototypeOf(prototype) !== null) return fail('an object of a class')
  for (const [key, item] of Object.entries(value)) checkPlain(item, [...path, key], name)
}

const DEPTH_MAX = 32
