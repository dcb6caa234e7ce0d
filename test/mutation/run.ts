// Changes the venues one operator at a time and runs their tests on each change: `npm run mutation -- [--sample N] [--seed S] [--only PART]`.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { type Mutant, mutantsOf } from './mutants.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const SOURCES = ['src/venue/parlay', 'src/venue/outcome', 'src/ledger']
const CONFIG = fileURLToPath(new URL('vitest.config.ts', import.meta.url))
const VITEST = join(ROOT, 'node_modules/vitest/vitest.mjs')
/** The clock kills a mutant that makes a test run for ever: after this multiple of the time of the unchanged source, and after this time at least. */
const TIMEOUT_FACTOR = 4
const TIMEOUT_MIN_MS = 120_000

const { values } = parseArgs({
  options: { sample: { type: 'string' }, seed: { type: 'string', default: '1' }, only: { type: 'string' }, workers: { type: 'string', default: '2' } },
})

const sources = SOURCES.flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts')).sort().map((name) => join(ROOT, folder, name)))
const all = sources.filter((file) => values.only === undefined || file.includes(values.only)).flatMap((file) => mutantsOf(file, readFileSync(file, 'utf8')))
const chosen = values.sample === undefined ? all : sampleOf(all, Number(values.sample))

console.log(`${all.length} mutants in ${sources.length} files; ${chosen.length} to try`)
const services = [...new Set(chosen.map(({ file }) => serviceOf(file)))]
let timeoutMs = Infinity
let slowestMs = 0
for (const service of services) {
  for (const duels of [false, true]) {
    const started = performance.now()
    if (await run(undefined, service, duels) !== 'survived') throw new Error('the tests fail on the unchanged source')
    slowestMs = Math.max(slowestMs, performance.now() - started)
  }
}
timeoutMs = Math.max(TIMEOUT_MIN_MS, TIMEOUT_FACTOR * slowestMs)

const survivors: Mutant[] = []
const tally = new Map<string, { killed: number; timedOut: number; survived: number }>()
let done = 0
let tried = 0
// Ctrl-C ends with the mutants under way, and the table of those tried.
process.once('SIGINT', () => { done = chosen.length })
await Promise.all(Array.from({ length: Number(values.workers) }, async () => {
  for (let mutant = chosen[done++]; mutant !== undefined; mutant = chosen[done++]) await attempt(mutant)
}))

const row = (name: string, ...cells: (string | number)[]): string => `${name.padEnd(34)}${cells.map((cell) => String(cell).padStart(9)).join('')}`
console.log(`\n${row('operator', 'killed', 'timed out', 'survived', 'score')}`)
const total = { killed: 0, timedOut: 0, survived: 0 }
for (const [operator, count] of [...tally].sort(([a], [b]) => (a < b ? -1 : 1))) {
  console.log(row(operator, count.killed, count.timedOut, count.survived, score(count)))
  total.killed += count.killed
  total.timedOut += count.timedOut
  total.survived += count.survived
}
console.log(row('all', total.killed, total.timedOut, total.survived, score(total)))
survivors.sort((a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : a.start - b.start))
console.log(`\n${survivors.length} survivors`)
for (const mutant of survivors) console.log(described(mutant))

async function attempt(mutant: Mutant): Promise<void> {
  const service = serviceOf(mutant.file)
  const byRules = await run(mutant, service, false)
  const outcome = byRules === 'survived' ? await run(mutant, service, true) : byRules
  const count = tally.get(mutant.operator) ?? { killed: 0, timedOut: 0, survived: 0 }
  count[outcome]++
  if (++tried % 25 === 0) console.log(`${tried} tried`)
  tally.set(mutant.operator, count)
  if (outcome === 'survived') {
    survivors.push(mutant)
    console.log(`survived  ${described(mutant)}`)
  }
}

/** The service to which a source belongs; undefined when it is of both. */
function serviceOf(file: string): string | undefined {
  return /src\/venue\/(parlay|outcome)\//.exec(file)?.[1]
}

function run(mutant: Mutant | undefined, service: string | undefined, duels: boolean): Promise<'killed' | 'timedOut' | 'survived'> {
  const env = {
    ...process.env, ...(mutant === undefined ? {} : { PARLOR_MUTANT: JSON.stringify(mutant) }),
    ...(service === undefined ? {} : { PARLOR_SERVICE: service }), ...(duels ? { PARLOR_DUELS: '1' } : {}),
  }
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [VITEST, 'run', '--config', CONFIG], { cwd: ROOT, env, stdio: 'ignore', detached: true })
    const timer = timeoutMs === Infinity ? undefined : setTimeout(() => {
      resolve('timedOut')
      process.kill(-child.pid!, 'SIGKILL')
    }, timeoutMs)
    child.on('exit', (code) => {
      clearTimeout(timer)
      resolve(code === 0 ? 'survived' : 'killed')
    })
  })
}

/** The `count` mutants with the least hashes of (seed, place): a mutant stays in the sample when others come or go. */
function sampleOf(mutants: readonly Mutant[], count: number): Mutant[] {
  const rank = (mutant: Mutant): string =>
    createHash('sha256').update(`${values.seed} ${relative(ROOT, mutant.file)} ${mutant.operator} ${mutant.replacement} ${mutant.text}`).digest('hex')
  return mutants.map((mutant) => ({ mutant, key: rank(mutant) })).sort((a, b) => (a.key < b.key ? -1 : 1)).slice(0, count).map(({ mutant }) => mutant)
}

function score({ killed, timedOut, survived }: { killed: number; timedOut: number; survived: number }): string {
  return `${(100 * (killed + timedOut) / Math.max(1, killed + timedOut + survived)).toFixed(1)} %`
}

function described({ file, line, operator, replacement, text }: Mutant): string {
  return `${relative(ROOT, file)}:${line} ${operator} → ${replacement === ';' ? 'removed' : replacement === '' ? 'dropped' : replacement}   ${text}`
}
