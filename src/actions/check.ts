import { statSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import { type CheckedArrivals, type CheckedCohort, checkScenario } from './checkScenario.ts'
import type { FileMistake } from './fileMistake.ts'
import type { ScenarioMistakes } from '../scenario/mistakes.ts'
import { InputError } from '../unit/inputError.ts'
import { throwIfAborted } from '../unit/interrupted.ts'
import { type ActionOptions, acting, signalOf, type TrustOption } from './options.ts'
import { typeMistakes } from './typeMistakes.ts'

export type { CheckedArrivals, CheckedCohort } from './checkScenario.ts'
export type { FileMistake } from './fileMistake.ts'

export interface CheckOptions extends Pick<ActionOptions, 'signal'>, TrustOption {}

/** What a check of files found. */
export interface CheckedFiles {
  readonly ok: boolean
  /** Of strategy files in the order of the compiler, and then of the files; then those of scenarios. */
  readonly mistakes: readonly FileMistake[]
  /** For each scenario in which nothing is wrong, and each of its cohorts that chooses markets. */
  readonly cohorts: readonly CheckedCohort[]
  /** For each scenario in which nothing is wrong, and in which more bettors would arrive than `arrivals.max`. */
  readonly arrivalsEnds: readonly CheckedArrivals[]
}

/** Codes of TypeScript's mistakes of syntax: a file with one does not load, and the compiler says it better. */
const SYNTAX = /^TS1\d{3}$/

/**
 * Checks strategy files: their types, by TypeScript with parlor's own declarations, and what a session refuses: a file that does not load, is no
 * strategy, or has handlers that there are not. Files are loaded in a thread of their own. Needs the package `typescript`, which parlor comes without.
 *
 * Checks scenarios too (`.yaml`): what a run would refuse before it begins, and which filter keeps which cohort from which markets,
 * and when `arrivals.max` ends arrivals. A history that a scenario imports is imported.
 *
 * @param files paths of strategy files and of scenarios
 * @returns what is wrong with them; a file that is wrong is no error
 * @throws InputError where there are strategy files and TypeScript is not installed, and for a file that is not there
 * @throws Interrupted by the signal
 * @example
 * const { ok, mistakes } = await check(['./mine.ts'])
 */
export const check = (files: readonly string[], options: CheckOptions = {}): Promise<CheckedFiles> => acting(async () => {
  throwIfAborted(options.signal)
  const scenarios = files.filter((file) => /\.ya?ml$/i.test(file))
  const strategies = files.filter((file) => !scenarios.includes(file))
  const mistakes = strategies.length === 0 ? [] : await strategyMistakes(strategies, options)
  const cohorts: CheckedCohort[] = []
  const arrivalsEnds: CheckedArrivals[] = []
  for (const file of scenarios) {
    try {
      const checked = await checkScenario(file, options)
      for (const cohort of checked.cohorts) cohorts.push({ file: shown(file), ...cohort })
      if (checked.arrivalsEnd !== null) arrivalsEnds.push({ file: shown(file), ...checked.arrivalsEnd })
    } catch (error) {
      mistakes.push(...mistakesOf(file, error))
    }
  }
  return { ok: mistakes.length === 0, mistakes, cohorts, arrivalsEnds }
})

async function strategyMistakes(files: readonly string[], options: CheckOptions): Promise<FileMistake[]> {
  for (const file of files) if (statSync(file, { throwIfNoEntry: false })?.isFile() !== true) throw new InputError('there is no file here', { position: { file }, hint: 'expected a strategy file' })
  const { moduleGraph } = await import('../scenario/moduleGraph.ts')
  // A compiler may take for ever over a file that is nested too deep or far too large, and the file does not load.
  const compiled = files.filter((file) => isFit(() => moduleGraph(resolve(file))))
  const ofTypes = compiled.length === 0 ? [] : await typeMistakes(compiled, options.trusted === true, signalOf(options))
  const unreadable = new Set(ofTypes.filter(({ code }) => code !== undefined && SYNTAX.test(code)).map(({ file }) => file))
  return [...ofTypes, ...await loadMistakes(files.filter((file) => !unreadable.has(shown(file))), options)]
}

function isFit(read: () => unknown): boolean {
  try {
    read()
    return true
  } catch (error) {
    if (error instanceof InputError) return false
    throw error
  }
}

/** A path as the compiler shows it. */
const shown = (file: string): string => relative('.', resolve(file)).replaceAll('\\', '/')

async function loadMistakes(files: readonly string[], options: CheckOptions): Promise<FileMistake[]> {
  const [{ loadStrategyOfAnyRole }, { StrategyReader }] = await Promise.all([import('../scenario/strategies.ts'), import('../sweep/strategyReader.ts')])
  const reader = new StrategyReader({ isTrusted: options.trusted === true, isCreated: true, signal: signalOf(options) })
  const mistakes: FileMistake[] = []
  try {
    for (const file of files) await loadStrategyOfAnyRole(file, reader.read).catch((error: unknown) => { mistakes.push(...mistakesOf(file, error)) })
    return mistakes
  } finally {
    await reader.close()
  }
}

function mistakesOf(file: string, error: unknown): FileMistake[] {
  if (!(error instanceof InputError)) throw error
  const { message, position, hint } = error
  const found = 'mistakes' in error ? (error as ScenarioMistakes).mistakes : [{ message, position, hint }]
  return found.map((mistake) => {
    const { file: there = file, line, column } = mistake.position ?? {}
    const path = 'path' in mistake && mistake.path !== '' ? `${mistake.path}: ` : ''
    return {
      file: shown(there), ...(line !== undefined && { line }), ...(column !== undefined && { column }), message: `${path}${mistake.message}`,
      ...(mistake.hint !== undefined && { hint: mistake.hint }),
    }
  })
}
