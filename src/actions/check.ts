import { relative, resolve } from 'node:path'
import type { FileMistake } from './fileMistake.ts'
import { InputError } from '../unit/inputError.ts'
import { type ActionOptions, acting, signalOf, throwIfAborted, type TrustOption } from './options.ts'
import { typeMistakes } from './typeMistakes.ts'

export type { FileMistake } from './fileMistake.ts'

export interface CheckOptions extends Pick<ActionOptions, 'signal'>, TrustOption {}

/** What a check of strategy files found. */
export interface CheckedFiles {
  readonly ok: boolean
  /** In the order of the compiler, and then of the files. */
  readonly mistakes: readonly FileMistake[]
}

/** Codes of TypeScript's mistakes of syntax: a file with one does not load, and the compiler says it better. */
const SYNTAX = /^TS1\d{3}$/

/**
 * Checks strategy files: their types, by TypeScript with parlor's own declarations, and what a session refuses: a file that does not load, is no
 * strategy, or has handlers that there are not. Files are loaded in a thread of their own. Needs the package `typescript`, which parlor comes without.
 *
 * @param files paths of strategy files
 * @returns what is wrong with them; a file that is wrong is no error
 * @throws InputError where TypeScript is not installed, and for a file that is not there
 * @throws Interrupted by the signal
 * @example
 * const { ok, mistakes } = await check(['./mine.ts'])
 */
export const check = (files: readonly string[], options: CheckOptions = {}): Promise<CheckedFiles> => acting(async () => {
  throwIfAborted(options.signal)
  const ofTypes = await typeMistakes(files, options.trusted === true, signalOf(options))
  const unreadable = new Set(ofTypes.filter(({ code }) => code !== undefined && SYNTAX.test(code)).map(({ file }) => file))
  const ofLoading = await loadMistakes(files.filter((file) => !unreadable.has(shown(file))), options)
  const mistakes = [...ofTypes, ...ofLoading]
  return { ok: mistakes.length === 0, mistakes }
})

/** A path as the compiler shows it. */
const shown = (file: string): string => relative('.', resolve(file)).replaceAll('\\', '/')

async function loadMistakes(files: readonly string[], options: CheckOptions): Promise<FileMistake[]> {
  const [{ loadStrategyOfAnyRole }, { StrategyReader }] = await Promise.all([import('../scenario/strategies.ts'), import('../sweep/strategyReader.ts')])
  const reader = new StrategyReader({ isTrusted: options.trusted === true, isCreated: true, signal: signalOf(options) })
  const mistakes: FileMistake[] = []
  try {
    for (const file of files) await loadStrategyOfAnyRole(file, reader.read).catch((error: unknown) => { mistakes.push(mistakeOf(file, error)) })
    return mistakes
  } finally {
    await reader.close()
  }
}

function mistakeOf(file: string, error: unknown): FileMistake {
  if (!(error instanceof InputError)) throw error
  const { message, position, hint } = error
  const { line, column } = position ?? {}
  return { file: shown(position?.file ?? file), ...(line !== undefined && { line }), ...(column !== undefined && { column }), message, ...(hint !== undefined && { hint }) }
}
