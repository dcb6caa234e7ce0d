import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Mutant } from './mutants.ts'

export type Verdict = 'killed' | 'timedOut' | 'survived'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const CONFIG = fileURLToPath(new URL('vitest.config.ts', import.meta.url))
const VITEST = join(ROOT, 'node_modules/vitest/vitest.mjs')
/** A file has this multiple of what it takes on the unchanged source, and this time at least; one that was not measured yet has longer. */
const LIMIT_FACTOR = 4
const LIMIT_MS_MIN = 30_000
const UNMEASURED_MS = 90_000

interface Outcome {
  readonly verdict: Verdict
  /** The file that was under way when the verdict fell. */
  readonly file: string
  readonly ms: number
}

/** What each test file takes on the unchanged source, ms. A file is measured when a verdict rests on it. */
const measured = new Map<string, Promise<number>>()

/** Throws where a test fails on the unchanged source. */
export function measure(file: string): Promise<number> {
  const known = measured.get(file) ?? run([file]).then(({ verdict, ms }) => {
    if (verdict !== 'survived') throw new Error(`${file} fails on the unchanged source: no verdict can rest on it`)
    return ms
  })
  measured.set(file, known)
  return known
}

/** Runs the tests on the mutant, and says what became of it and by which file. */
export async function judge(mutant: Mutant, tests: readonly string[]): Promise<Outcome> {
  const outcome = await run(tests, mutant)
  if (outcome.verdict === 'survived') return outcome
  const wasMeasured = measured.has(outcome.file)
  const ms = await measure(outcome.file)
  // A file that turns out to be slow gets the time that it needs.
  return outcome.verdict === 'timedOut' && !wasMeasured && ms * LIMIT_FACTOR > UNMEASURED_MS ? run(tests, mutant) : outcome
}

async function run(tests: readonly string[], mutant?: Mutant): Promise<Outcome> {
  const env: NodeJS.ProcessEnv = { ...process.env, PARLOR_TESTS: JSON.stringify(tests) }
  if (mutant !== undefined) {
    env['PARLOR_MUTANT'] = JSON.stringify(mutant)
    const [, service] = /src\/venue\/(parlay|outcome)\//.exec(mutant.file) ?? []
    // A change of a service's own sources meets that service's duels alone.
    if (service !== undefined) env['PARLOR_SERVICE'] = service
  }
  const limits = new Map<string, number>()
  for (const file of tests) {
    const known = measured.get(file)
    if (known !== undefined && mutant !== undefined) limits.set(file, Math.max(LIMIT_MS_MIN, LIMIT_FACTOR * await known))
  }
  const started = performance.now()
  let file = tests[0]!
  const { promise, resolve } = Promise.withResolvers<Outcome>()
  const end = (verdict: Verdict): void => resolve({ verdict, file, ms: performance.now() - started })
  const child = spawn(process.execPath, [VITEST, 'run', '--config', CONFIG], { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'ignore'], detached: true })
  const stop = (): void => {
    end('timedOut')
    process.kill(-child.pid!, 'SIGKILL')
  }
  const unlimited = mutant === undefined
  let timer = unlimited ? undefined : setTimeout(stop, UNMEASURED_MS)
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    for (const [, word, about] of text.matchAll(/^@ (begins|passed|failed) (.*)$/gm)) {
      clearTimeout(timer)
      file = about!
      if (word === 'failed') return end('killed')
      timer = unlimited ? undefined : setTimeout(stop, limits.get(file) ?? UNMEASURED_MS)
    }
  })
  child.on('exit', (code) => {
    clearTimeout(timer)
    end(code === 0 ? 'survived' : 'killed')
  })
  return promise
}
