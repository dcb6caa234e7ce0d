/**
 * Packs parlor, installs the package into an empty TypeScript project, and tries there what README promises: `npm run package`. Needs the
 * registry, or npm's cache. `--keep` leaves the project.
 */
import { spawnSync } from 'node:child_process'
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { stripVTControlCharacters } from 'node:util'
import { nodeBeside } from '../../bin/node.mjs'
import { brokenLinks } from './links.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const LIMIT_MS = 600_000

interface Tried {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

/** A user's shell has no packages of this checkout on its path, and so the host's Node. */
const path = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => !folder.includes('node_modules')).join(delimiter)
const env = { ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('npm_'))), PATH: path }

function tryOut(cwd: string, command: string, ...args: string[]): Tried {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd, env, encoding: 'utf8', timeout: LIMIT_MS, shell: process.platform === 'win32' })
  if (error !== undefined) throw error
  return { code: status, out: stdout, err: stderr }
}

function must(cwd: string, command: string, ...args: string[]): Tried {
  const tried = tryOut(cwd, command, ...args)
  if (tried.code !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${tried.code}:\n${tried.out}\n${tried.err}`)
  return tried
}

function expect(what: string, isSo: boolean, seen: string): void {
  if (!isSo) throw new Error(`${what}; seen: ${seen}`)
  console.log(`✓ ${what}`)
}

const MAKER = `import { maker, pct, SECOND_US, usd } from 'parlor'

export default maker({ margin: pct(4), cap: usd(200) }, (p) => ({
  onRequest(request, desk) {
    const fair = desk.price(request.legs, { priceType: 'ask', maxAgeUs: 30 * SECOND_US })
    if (!fair || desk.exposure(request.legs).worst > p.cap) return desk.pass('risk')
    desk.quote(request, { probability: fair * (1 + p.margin), validUs: 8 * SECOND_US })
  },
}))
`

const MAKER_TEST = `import { fakeMaker } from 'parlor'
import mine from './mine.ts'

export const made: ReturnType<typeof fakeMaker> = fakeMaker(mine)
// @ts-expect-error A parameter of a maker is none of its own.
mine.nothing
`

const BETTOR = `import { bettor, SECOND_US, Side, usd } from 'parlor'

export default bettor({ stake: usd(10) }, (p) => ({
  onArrival(intent, desk) {
    intent.setLeg(0, 0, Side.yes)
    intent.setLeg(1, 1, Side.no)
    intent.setLegCount(2)
    desk.requestQuote(intent, { betMicros: p.stake, minOddsE4: 10_000, decideInUs: 2 * SECOND_US })
  },
  onDecision(intent, desk) {
    desk.commit(intent)
    // @ts-expect-error A stake is a number.
    const wrong: string = p.stake
    void wrong
  },
}))
`

const PROGRAM = `import { maker, pct, SECOND_US } from 'parlor'
import { type Interrupted, loadScenario, readTables, run, type ScenarioInput, verify } from 'parlor/actions'

const mine = maker({ margin: pct(4) }, (p) => ({
  onRequest(request, desk) {
    const fair = desk.price(request.legs, { priceType: 'ask', maxAgeUs: 30 * SECOND_US })
    if (!fair) return desk.pass('no price')
    desk.quote(request, { probability: fair * (1 + p.margin), validUs: 8 * SECOND_US })
  },
}))

const scenario: ScenarioInput = {
  version: 1, mode: 'interactive', services: { parlay: { profile: 'parlay@2.1' } }, history: { store: 'quickstart' }, arrivals: { max: 300 },
  settlement: { missing: 'void' }, bettors: [{ kind: 'noise', n: 100 }], makers: [{ use: 'mine', params: { margin: '3%' } }],
}
let share = 0
const played = await run(loadScenario(scenario), { strategies: { mine }, onProgress: (progress) => { share = progress.share } })
const quotes = played.tables.get('quotes')
console.log('in memory', share, played.digest.length, quotes.rowCount > 0, [...quotes.rows('maker')].every(({ maker }) => maker === 'mine'))

const file = await run(loadScenario({ ...scenario, makers: [{ use: './mine.ts' }] }), { out: 'runs/file' })
const tables = await readTables(file.path, { tables: ['quotes'] })
const { ok } = await verify(file.path)
console.log('in a folder', tables.get('quotes').rowCount > 0, ok)

// @ts-expect-error A scenario has no such setting.
export const wrong: ScenarioInput = { ...scenario, maker: [] }
export type Ended = Interrupted
`

function compilerOptions(skipLibCheck: boolean): string {
  return JSON.stringify({
    compilerOptions: {
      module: 'nodenext', target: 'esnext', strict: true, noEmit: true, allowImportingTsExtensions: true, types: [], skipLibCheck,
    },
    files: ['mine.ts', 'mineTested.ts', 'bettor.ts', 'program.ts'],
  })
}

/** The package's file, packed as `npm publish` would. */
function packed(room: string): string {
  // npm keeps what prepack prints apart from its own JSON.
  must(ROOT, 'npm', 'pack', '--silent', '--pack-destination', room)
  const [file] = globSync('*.tgz', { cwd: room })
  return join(room, file!)
}

function install(project: string, tarball: string): void {
  mkdirSync(project)
  writeFileSync(join(project, 'package.json'), JSON.stringify({ name: 'bare', private: true, type: 'module' }))
  const { devDependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { devDependencies: Record<string, string> }
  const first = must(project, 'npm', 'install', '--prefer-offline', '--no-audit', '--no-fund', tarball)
  expect(`npm warns of nothing on Node ${must(project, 'node', '--version').out.trim()}`, !/warn/i.test(first.err), first.err)
  console.log(`  node_modules: ${must(project, 'du', '-sm', 'node_modules').out.split('\t')[0]} MB`)
  must(project, 'npm', 'install', '--prefer-offline', '--no-audit', '--no-fund', '--save-dev', `typescript@${devDependencies['typescript']}`)
}

function typeCheck(project: string): void {
  writeFileSync(join(project, 'mine.ts'), MAKER)
  writeFileSync(join(project, 'mineTested.ts'), MAKER_TEST)
  writeFileSync(join(project, 'bettor.ts'), BETTOR)
  writeFileSync(join(project, 'program.ts'), PROGRAM)
  for (const skipLibCheck of [true, false]) {
    writeFileSync(join(project, 'tsconfig.json'), compilerOptions(skipLibCheck))
    const { code, out } = tryOut(project, 'npx', 'tsc', '-p', '.')
    expect(`a maker, its test, a bettor and a program are type-checked with skipLibCheck ${skipLibCheck}`, code === 0, out)
  }
}

function play(project: string): void {
  const quickstart = join('node_modules', 'parlor', 'scenarios', 'quickstart.yaml')
  const run = ['parlor', 'run', quickstart, '--set', 'arrivals.max=300', '--quiet', '--no-report']
  must(project, 'npx', ...run, '--out', 'runs/quickstart')
  expect('the quick start runs, and is verified', must(project, 'npx', 'parlor', 'verify', 'runs/quickstart').code === 0, '')
  const mine = ['--set', 'makers.0.use=./mine.ts', '--set', 'makers.0.name=mine', '--set', 'makers.0.params={}']
  writeFileSync(join(project, 'mine.yaml'), readFileSync(join(project, quickstart), 'utf8'))
  must(project, 'npx', 'parlor', 'run', 'mine.yaml', '--set', 'arrivals.max=300', '--quiet', '--no-report', ...mine, '--out', 'runs/mine')
  const summary = readFileSync(join(project, 'runs/mine/summary.json'), 'utf8')
  expect('a maker of the project plays', summary.includes('"mine"'), summary.slice(0, 300))
  const chained = tryOut(project, 'npx', ...run, '--set', 'chain=svm', '--out', 'runs/chained')
  const command = 'npm install @solana/web3.js@1.99.0 litesvm@1.4.1'
  expect(`what a chain needs is said: ${command}`, chained.code === 2 && chained.err.includes(command), chained.err)
}

/** A program runs on Node 24 or newer: here on the one that comes along. */
function act(project: string): void {
  const { node, missing } = nodeBeside(pathToFileURL(join(project, 'node_modules', 'parlor', 'bin', 'node.mjs')).href)
  if (node === undefined) throw new Error(missing)
  const { out } = must(project, node, 'program.ts')
  expect('a program plays a scenario and a strategy that are its objects, and files', out === 'in memory 1 64 true true\nin a folder true true\n', out)
}

/** What `parlor init` makes is installed, played and tested as its README says. */
function tryDesk(project: string, tarball: string): void {
  must(project, 'npx', 'parlor', 'init', '../my-desk', '--package', tarball)
  const desk = join(project, '..', 'my-desk')
  const installed = must(desk, 'npm', 'install', '--prefer-offline', '--no-audit', '--no-fund')
  expect('npm warns of nothing in a new project', !/warn/i.test(installed.err), installed.err)
  must(desk, 'npm', 'run', 'play', '--', '--quiet', '--no-report')
  const summary = readFileSync(join(desk, 'runs/scenario/summary.json'), 'utf8')
  expect('the scenario of a new project runs with its maker', summary.includes('"mine"'), summary.slice(0, 300))
  const tested = tryOut(desk, 'npm', 'test')
  expect('the test of its maker passes', tested.code === 0 && /Tests +3 passed/.test(stripVTControlCharacters(tested.out)), tested.out + tested.err)
  writeFileSync(join(desk, 'program.ts'), 'console.log(new AbortController().signal.aborted, process.pid)\n')
  const typed = tryOut(desk, 'npm', 'run', 'types')
  expect('its files are type-checked, with what Node has', typed.code === 0, typed.out)
  const checked = tryOut(desk, 'npx', 'parlor', 'check', 'maker.ts')
  expect('parlor check finds nothing wrong with its maker', checked.code === 0 && checked.out.includes('nothing is wrong'), checked.out + checked.err)
  writeFileSync(join(desk, 'wrong.ts'), readFileSync(join(desk, 'maker.ts'), 'utf8').replace('8 * SECOND_US', 'p.cap'))
  const wrong = tryOut(desk, 'npx', 'parlor', 'check', 'wrong.ts')
  expect('and says where another one has a wrong unit', wrong.code === 2 && /^wrong\.ts:10:\d+: TS2322: /.test(wrong.err), wrong.out + wrong.err)
  const again = tryOut(project, 'npx', 'parlor', 'init', '../my-desk')
  expect('a new project is not written over', again.code === 2 && again.err.includes('the folder is not empty'), again.err)
}

function tryPackage(room: string): void {
  const project = join(room, 'bare')
  const tarball = packed(room)
  install(project, tarball)
  typeCheck(project)
  play(project)
  act(project)
  const asked = tryOut(project, 'npx', 'parlor', 'sql', 'runs/quickstart', 'select 1')
  const adding = 'npm install @duckdb/node-api@1.5.5-r.5'
  expect(`what questions in SQL need is said: ${adding}`, asked.code === 2 && asked.err.includes(adding), asked.err)
  tryDesk(project, tarball)
  const links = brokenLinks(join(project, 'node_modules', 'parlor'))
  expect('the links of README lead to files of the package', links.length === 0, links.join(', '))
}

const room = mkdtempSync(join(tmpdir(), 'parlor-package-'))
try {
  tryPackage(room)
} finally {
  if (process.argv.includes('--keep')) console.log(`kept: ${join(room, 'bare')}`)
  else rmSync(room, { recursive: true, force: true })
}
