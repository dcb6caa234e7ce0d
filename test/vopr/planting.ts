// Plants each fault of planted.ts into a copy of the sources, and looks whether the simulated world finds it: `npm run vopr -- --planted`.
import { spawn } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { InputError } from '../../src/unit/inputError.ts'
import { type Planted, PLANTED } from './planted.ts'
import { isOfPlanted, isVerdict, type SearchEnd, searchEndOf, type Verdict } from './verdict.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
/** What the copy has of its own. Everything else is read where it lies. */
const COPIED = ['src', 'test', 'tools', 'bin', 'package.json', 'tsconfig.json', 'vitest.config.ts']
const RUN = join('test', 'vopr', 'run.ts')

export interface PlantedSettings {
  /** For each fault and each of its starts. */
  readonly minutes: number
  /** Faults whose name or file has this. */
  readonly only: string
  /** First seed of the first start. */
  readonly seed: number
  /** How often each fault is looked for, each time from other seeds on. */
  readonly starts: number
}

const SEEDS_APART = 100_000

/** The seeds and the time of a fault that a test notices mean nothing. */
const NOTICED = -1

/** Looks for all planted faults, and prints what found each. Returns whether each was found from every start. */
export async function lookForPlanted({ minutes, only, seed, starts }: PlantedSettings): Promise<boolean> {
  const room = mkdtempSync(join(tmpdir(), 'parlor-planted-'))
  process.once('SIGINT', () => {
    rmSync(room, { recursive: true, force: true })
    process.exit(130)
  })
  try {
    copyInto(room)
    console.log('| fault | where | found by | seeds | CPU-s |\n|---|---|---|---|---|')
    const medians: number[] = []
    let [missed, tested] = [0, 0]
    for (const planted of PLANTED.filter(({ name, file }) => `${name} ${file}`.includes(only))) {
      const found: (Verdict | null)[] = []
      if (planted.test !== undefined) found.push(await noticed(room, planted, planted.test))
      else for (let start = 0; start < starts; start++) found.push(await lookFor(room, planted, seed + start * SEEDS_APART, minutes))
      const met = found.filter((one) => one !== null)
      const isMissed = met.length < found.length
      if (isMissed) missed++
      else if (planted.test !== undefined) tested++
      else medians.push(median(met.map(({ seeds }) => seeds)))
      const cell = (of: (one: Verdict) => number): string => (isMissed || planted.test !== undefined ? '–' : String(median(met.map(of))))
      const by = [...new Set(met.map(({ check }) => check))].join(', ')
      console.log(`| ${planted.name} | \`${planted.file.slice(4)}\` | ${by || 'nothing'} | ${cell(({ seeds }) => seeds)} | ${cell(({ cpuSeconds }) => cpuSeconds)} |`)
    }
    console.log(`\n${medians.length} found, ${tested} noticed by tests, ${missed} missed${medians.length === 0 ? '' : `; median of ${median(medians)} seeds, most ${Math.max(...medians)}`}`)
    return missed === 0
  } finally {
    rmSync(room, { recursive: true, force: true })
  }
}

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!

/** A copy of the sources; packages and data stay where they are. */
function copyInto(room: string): void {
  for (const name of COPIED) cpSync(join(ROOT, name), join(room, name), { recursive: true })
  symlinkSync(join(ROOT, 'data'), join(room, 'data'))
  mkdirSync(join(room, 'node_modules'))
  for (const name of readdirSync(join(ROOT, 'node_modules'))) if (name !== '.cache') symlinkSync(join(ROOT, 'node_modules', name), join(room, 'node_modules', name))
}

/** Changes the copy of one file, and returns it as it was. */
function plant(room: string, { name, file, text, replacement }: Planted): string {
  const path = join(room, file)
  const source = readFileSync(path, 'utf8')
  if (source.split(text).length !== 2) throw new InputError(`${file} does not have the text of "${name}" once`, { hint: text })
  writeFileSync(path, source.replace(text, () => replacement))
  return source
}

/** What finds a fault, which the same seed does not find without it, null for nothing. */
async function lookFor(room: string, planted: Planted, seed: number, minutes: number): Promise<Verdict | null> {
  const original = plant(room, planted)
  const end = await search(room, seed, minutes).finally(() => { writeFileSync(join(room, planted.file), original) })
  if (end === 'nothing') return null
  if (!isVerdict(end)) {
    console.log(`${planted.name}: the search from seed ${seed} on broke off (${end.brokenOff}): ${end.last}`)
    return null
  }
  const failing = seed + end.seeds - 1
  const without = await search(room, failing, 0)
  if (isOfPlanted(end, without)) return end
  console.log(`${planted.name}: seed ${failing} says ${end.check}, and without the fault ${isVerdict(without) ? without.check : 'it breaks off'}, too`)
  return null
}

/** The test that fails with a fault and passes without it, null for none. */
async function noticed(room: string, planted: Planted, test: string): Promise<Verdict | null> {
  const failed = async (): Promise<boolean> => {
    const child = spawn(process.execPath, [join(room, 'node_modules', 'vitest', 'vitest.mjs'), 'run', test], { cwd: room, env: { ...process.env, NO_COLOR: '1' }, stdio: ['ignore', 'pipe', 'pipe'] })
    let output = ''
    child.stdout.on('data', (chunk: Buffer) => { output += chunk.toString() })
    child.stderr.on('data', (chunk: Buffer) => { output += chunk.toString() })
    const code = await new Promise((resolve) => { child.on('close', resolve) })
    if (code !== 0 && !/Tests .*\d+ failed/.test(output)) throw new Error(`${test} did not run: ${output.trimEnd().split('\n').at(-1)}`)
    return code !== 0
  }
  const original = plant(room, planted)
  const isNoticed = await failed().finally(() => { writeFileSync(join(room, planted.file), original) })
  if (!isNoticed) return null
  if (!(await failed())) return { seeds: NOTICED, cpuSeconds: NOTICED, check: `\`${test}\``, about: '' }
  console.log(`${planted.name}: ${test} fails without the fault, too`)
  return null
}

/** @param minutes 0: this seed alone. */
function search(room: string, seed: number, minutes: number): Promise<SearchEnd> {
  const child = spawn(process.execPath, [join(room, RUN), '--seed', String(seed), '--minutes', String(minutes), '--no-shrink'], { cwd: room, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => { output += chunk.toString() })
  child.stderr.on('data', (chunk: Buffer) => { output += chunk.toString() })
  return new Promise((resolve) => { child.on('close', (code, signal) => { resolve(searchEndOf(code ?? signal!, output)) }) })
}
