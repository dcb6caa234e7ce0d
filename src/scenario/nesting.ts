import { spawnSync } from 'node:child_process'
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

/** Prepares a file as a room does, in a thread with less of a stack, in a process of its own. */
const TRIAL = `
const { Worker, isMainThread, workerData } = require('node:worker_threads')
const trial = ({ utils, experimental, path, lang, text }) => {
  const { parseSync, transformSync } = require(utils)
  const parsed = (code, lang) => { void parseSync(path, code, { lang, sourceType: 'module' }).program }
  parsed(text, lang)
  const code = lang === 'ts' ? transformSync(path, text, { lang, target: 'esnext', tsconfig: false, typescript: { onlyRemoveTypeImports: true } }).code : text
  parsed(code, 'js')
  return require(experimental).moduleRunnerTransform(path, code).then((transformed) => { parsed('(function () {' + transformed.code + '})', 'js') })
}
new Worker('const trial = ' + trial + '\\nprocess.on("uncaughtException", () => {})\\nPromise.resolve(require("node:worker_threads").workerData).then(trial).catch(() => {})', {
  eval: true, workerData: JSON.parse(require('node:fs').readFileSync(0, 'utf8')), resourceLimits: { stackSizeMb: ${TRIAL_STACK_MIB} },
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
  const input = JSON.stringify({ utils: require.resolve('rolldown/utils'), experimental: require.resolve('rolldown/experimental'), path, lang, text })
  const { status, error } = spawnSync(process.execPath, ['-e', TRIAL], { input, stdio: ['pipe', 'ignore', 'ignore'], timeout: TRIAL_MS, killSignal: 'SIGKILL' })
  if (error !== undefined && status === null && (error as NodeJS.ErrnoException).code !== 'ETIMEDOUT') throw error
  if (status !== 0) throw new InputError('the strategy does not load: it is nested too deep', { position: { file: path }, hint: 'about a thousand brackets in one another are as many as the parser takes' })
  shallow.add(text)
}
