// Changes sources one operator at a time and runs the tests nearest to each change: `npm run mutation -- [--sample N | --each N] [--only PART]
// [--changed REVISION] [--minutes N] [--least PERCENT] [--seed S] [--workers N]`.
import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { isBelow } from './chance.ts'
import { changedSince } from './changedLines.ts'
import { type Mutant, mutantsOf } from './mutants.ts'
import { importsUnder, nearestTests } from './nearestTests.ts'
import { isUntold } from './untold.ts'
import { judge, measure } from './verdict.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const FOLDERS = ['ledger', 'venue', 'engine', 'agent', 'result', 'record', 'score', 'stats', 'feed', 'sweep', 'scenario', 'serve', 'trade']
/** So many tests of other folders at most are tried on a mutant that those of its own folder let pass. */
const OTHERS_MOST = 12

const { values } = parseArgs({
  options: {
    sample: { type: 'string' }, each: { type: 'string' }, only: { type: 'string' }, changed: { type: 'string' }, minutes: { type: 'string' },
    least: { type: 'string' }, seed: { type: 'string', default: '1' }, workers: { type: 'string', default: '2' },
  },
})

const sources = globSync(FOLDERS.map((folder) => `src/${folder}/**/*.ts`), { cwd: ROOT }).sort()
const changed = values.changed === undefined ? undefined : changedSince(ROOT, values.changed)
const all = sources.filter((file) => values.only === undefined || values.only.split(',').some((part) => file.includes(part)))
  .flatMap((file) => mutantsOf(join(ROOT, file), readFileSync(join(ROOT, file), 'utf8')))
  .filter(({ file, line }) => changed === undefined || changed.get(relative(ROOT, file))?.has(line) === true)
  .filter((mutant) => !isUntold(relative(ROOT, mutant.file), mutant))
const chosen = sampled(all)
const imports = importsUnder(ROOT)

console.log(`${all.length} mutants in ${new Set(all.map(({ file }) => file)).size} files; ${chosen.length} to try`)
const [first] = chosen.flatMap((mutant) => testsOf(mutant).slice(0, 1))
if (first !== undefined) await measure(first)

interface Count { killed: number; timedOut: number; survived: number }
const survivors: Mutant[] = []
const byOperator = new Map<string, Count>()
const byFolder = new Map<string, Count>()
const until = values.minutes === undefined ? Infinity : performance.now() + Number(values.minutes) * 60_000
let next = 0
let tried = 0
// Ctrl-C ends with the mutants under way, and the table of those tried.
process.once('SIGINT', () => { next = chosen.length })
await Promise.all(Array.from({ length: Number(values.workers) }, async () => {
  for (let mutant = chosen[next++]; mutant !== undefined && performance.now() < until; mutant = chosen[next++]) await attempt(mutant)
}))

const row = (name: string, ...cells: (string | number)[]): string => `${name.padEnd(24)}${cells.map((cell) => String(cell).padStart(11)).join('')}`
const total = print('folder', byFolder)
print('operator', byOperator)
survivors.sort((a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : a.start - b.start))
console.log(`\n${survivors.length} survivors`)
for (const mutant of survivors) console.log(described(mutant))
if (values.least !== undefined && isBelow(total.killed + total.timedOut, tried, Number(values.least) / 100)) {
  console.log(`\n${tried} were tried, and so few were noticed as are hardly ever where ${values.least} % are`)
  process.exitCode = 1
}

async function attempt(mutant: Mutant): Promise<void> {
  const tests = testsOf(mutant)
  const { verdict, file, ms } = tests.length === 0 ? { verdict: 'survived', file: '', ms: 0 } as const : await judge(mutant, tests)
  for (const [tally, name] of [[byOperator, mutant.operator], [byFolder, folderOf(mutant)]] as const) {
    const count = tally.get(name) ?? { killed: 0, timedOut: 0, survived: 0 }
    count[verdict]++
    tally.set(name, count)
  }
  tried++
  if (verdict === 'survived') survivors.push(mutant)
  console.log(`${verdict.padEnd(9)} ${(ms / 1000).toFixed(1).padStart(6)} s  ${described(mutant)}${tests.length === 0 ? '   no test reaches it' : verdict === 'survived' ? '' : `   by ${file}`}`)
}

function print(heading: string, tally: ReadonlyMap<string, Count>): Count {
  const sum = { killed: 0, timedOut: 0, survived: 0 }
  console.log(`\n${row(heading, 'killed', 'timed out', 'survived', 'score')}`)
  for (const [name, count] of [...tally].sort(([a], [b]) => (a < b ? -1 : 1))) {
    console.log(row(name, count.killed, count.timedOut, count.survived, `${shareOf(count).toFixed(1)} %`))
    sum.killed += count.killed
    sum.timedOut += count.timedOut
    sum.survived += count.survived
  }
  console.log(row('all', sum.killed, sum.timedOut, sum.survived, `${shareOf(sum).toFixed(1)} %`))
  return sum
}

function shareOf({ killed, timedOut, survived }: Count): number {
  return 100 * (killed + timedOut) / Math.max(1, killed + timedOut + survived)
}

/** The tests of a mutant. Where venues meet their models, the duels come last. */
function testsOf({ file }: Mutant): string[] {
  const source = relative(ROOT, file)
  const tests = nearestTests(source, imports, OTHERS_MOST)
  return /^src\/(?:venue\/(?:parlay|outcome)\/(?!wire)|ledger)/.test(source) ? [...tests, 'test/mutation/duels.ts'] : tests
}

function folderOf({ file }: Mutant): string {
  return relative(ROOT, file).split('/')[1]!
}

/** Those with the least hashes of (seed, place): a mutant stays in the sample when others come or go. With `--each`, folders take turns. */
function sampled(mutants: readonly Mutant[]): Mutant[] {
  const rank = (mutant: Mutant): string =>
    createHash('sha256').update(`${values.seed} ${relative(ROOT, mutant.file)} ${mutant.operator} ${mutant.replacement} ${mutant.text}`).digest('hex')
  const ranked = (of: readonly Mutant[]): Mutant[] =>
    of.map((mutant) => ({ mutant, key: rank(mutant) })).sort((a, b) => (a.key < b.key ? -1 : 1)).map(({ mutant }) => mutant)
  if (values.each !== undefined) {
    const folders = [...Map.groupBy(mutants, folderOf).values()].map(ranked)
    return Array.from({ length: Number(values.each) }, (_, i) => folders.flatMap((of) => of.slice(i, i + 1))).flat()
  }
  if (values.sample !== undefined) return ranked(mutants).slice(0, Number(values.sample))
  return changed === undefined ? [...mutants] : ranked(mutants)
}

function described({ file, line, operator, replacement, text }: Mutant): string {
  return `${relative(ROOT, file)}:${line} ${operator} → ${replacement === ';' ? 'removed' : replacement === '' ? 'dropped' : replacement}   ${text}`
}
