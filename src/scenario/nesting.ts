import { spawnSync, type SpawnSyncReturns } from 'node:child_process'
import { createRequire } from 'node:module'
import { InputError } from '../unit/inputError.ts'

/**
 * What one more level takes of the stack of the parser and the transformations, bytes: a bracket at most, and anything else for each of the
 * letters that it needs. Seen: 1,600 brackets or 6,400 of anything else, each of two letters or more, fit into the 4 MiB of a worker thread.
 */
const BRACKET_BYTES = 2700
const LETTER_BYTES = 330
/** Less than any thread has in which strategies are parsed. */
const STACK_BYTES = 3_000_000
const TRIAL_STACK_MIB = 3
const TRIAL_MS = 60_000
/** What ends a process whose stack has ended. */
const STACK_ENDS: readonly string[] = ['SIGSEGV', 'SIGABRT', 'SIGBUS']
const EXCEPTIONS_OF_WINDOWS = 0xC000_0000

/** Prepares a file as a room does, in a thread with less of a stack, in a process of its own. */
const TRIAL = `
const { Worker } = require('node:worker_threads')
const trial = ({ utils, experimental, path, lang, text }) => {
  const { parseSync, transformSync } = require(utils)
  const parsed = (code, lang) => { void parseSync(path, code, { lang, sourceType: 'module' }).program }
  parsed(text, lang)
  const code = lang === 'ts' ? transformSync(path, text, { lang, target: 'esnext', tsconfig: false, typescript: { onlyRemoveTypeImports: true } }).code : text
  parsed(code, 'js')
  return require(experimental).moduleRunnerTransform(path, code).then((transformed) => { parsed('(function () {' + transformed.code + '})', 'js') })
}
new Worker('const trial = ' + trial + '\\nprocess.on("uncaughtException", () => {})\\nPromise.resolve(require("node:worker_threads").workerData).then(trial).catch(() => {})', {
  eval: true, workerData: { ...JSON.parse(process.argv[1]), text: require('node:fs').readFileSync(0, 'utf8') }, resourceLimits: { stackSizeMb: ${TRIAL_STACK_MIB} },
})
`

const require = createRequire(import.meta.url)
/** Texts that the parser has survived. */
const shallow = new Set<string>()

/**
 * Throws InputError for a file that is nested so deep that it would end the process: native code parses and transforms it, which follows the nesting on
 * its stack and does not look where that ends. A file that is short for its brackets cannot be. Any other is first tried in another process.
 */
export function refuseDeepNesting(path: string, text: string, lang: 'js' | 'ts'): void {
  const brackets = text.match(/[([{<]/g)?.length ?? 0
  if (brackets * BRACKET_BYTES + text.length * LETTER_BYTES <= STACK_BYTES || shallow.has(text)) return
  const about = JSON.stringify({ utils: require.resolve('rolldown/utils'), experimental: require.resolve('rolldown/experimental'), path, lang })
  const end = spawnSync(process.execPath, ['-e', TRIAL, about], { input: text, stdio: ['pipe', 'ignore', 'ignore'], timeout: TRIAL_MS, killSignal: 'SIGKILL' })
  const refusal = refusalOf(end)
  if (refusal !== null) throw new InputError(`the strategy does not load: ${refusal.why}`, { position: { file: path }, ...(refusal.hint === undefined ? {} : { hint: refusal.hint }) })
  shallow.add(text)
}

/** Why a file is refused by the end of its trial, null where it is not. Throws what the system says of a trial that could not begin. */
export function refusalOf({ status, signal, error }: Pick<SpawnSyncReturns<Buffer>, 'status' | 'signal' | 'error'>): { readonly why: string; readonly hint?: string } | null {
  if (signal !== null && STACK_ENDS.includes(signal) || (status ?? 0) >= EXCEPTIONS_OF_WINDOWS) return { why: 'it is nested too deep', hint: 'about a thousand brackets in one another are as many as the parser takes' }
  if ((error as NodeJS.ErrnoException | undefined)?.code === 'ETIMEDOUT') return { why: `parsing it did not end within ${TRIAL_MS / 1000} s` }
  if (signal !== null || (status ?? 0) !== 0) return { why: `a process that parsed it ended with ${signal ?? `code ${status}`}` }
  if (error !== undefined) throw error
  return null
}
