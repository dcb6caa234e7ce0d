// History at scale: `npm run soak -- --history [TICKS] [--markets N] [--workers N]` makes recordings part by part, imports each in a process of its own, and
// compares what the store has with what was made. 10⁹ ticks by default, or 2·10⁸ where the disk has no room for so many, and 200,000 markets.
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statfsSync, statSync, writeFileSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { DAY_US, isoOfTimeUs } from '../src/unit/time.ts'
import type { MadePart } from './historySoak/makePart.ts'
import { dayTroubles, DAYS_A_PART, type MarketCounts, type PartPlan, peakTroubles, planOf, SOAK_MAP } from './historySoak/plan.ts'
import type { StoreSums } from './historySoak/sumStore.ts'
import { RUNNER } from './room.ts'

const PARLOR = join(import.meta.dirname, '../bin/parlor.mjs')
const USAGE = join(import.meta.dirname, 'historySoak/usage.mjs')
const STEP = join(import.meta.dirname, 'historySoak/step.ts')

const scenarioOf = (fromUs: number): string => `version: 1
mode: interactive
services: { parlay: { profile: parlay@2.1 } }
history: { store: soak, from: ${isoOfTimeUs(fromUs)}, to: ${isoOfTimeUs(fromUs + DAY_US)}, maxAge: 4h }
arrivals: { until: 2h, max: 300 }
settlement: { lag: 10m, missing: void, scalar: void }
bettors: [{ kind: noise, n: 100, bankroll: 2000 USDC, every: 4h, legsMax: 3 }]
makers: [{ use: fixed-margin, capital: 100000 USDC, params: { margin: 4% } }]
inference: { cluster: gameDay }
`

/** What a process took, and what it printed. */
interface Step {
  readonly wallSeconds: number
  readonly cpuSeconds: number
  readonly peakBytes: number
  readonly out: string
}

/** The store and, of the largest part, the source and the sorted runs that wait to be merged, bytes a tick. */
const [STORE_BYTES, PART_BYTES] = [32, 70]
const [USUAL_TICKS, FEWER_TICKS] = [1_000_000_000, 200_000_000]

function neededBytes(ticks: number, markets: number): number {
  return ticks * STORE_BYTES + Math.max(...planOf(ticks, markets).map((part) => part.ticks)) * PART_BYTES
}

/** As many ticks as were asked for, or as there is room for. */
function ticksFor(asked: number | null, markets: number, folder: string): number {
  const { bavail, bsize } = statfsSync(folder)
  const free = bavail * bsize
  const ticks = asked ?? (free >= neededBytes(USUAL_TICKS, markets) ? USUAL_TICKS : FEWER_TICKS)
  if (free < neededBytes(ticks, markets)) throw new Error(`${ticks} ticks need ${Math.ceil(neededBytes(ticks, markets) / 1e9)} GB in ${folder}, where ${Math.floor(free / 1e9)} GB are free`)
  return ticks
}

/** Runs the steps of a soak in a folder, and prints a row of the table for each. */
class Steps {
  declare readonly room: string
  declare readonly workers: string

  constructor(room: string, workers: string) {
    this.room = room
    this.workers = workers
    console.log(rowOf(['', 'ticks', 'ticks/s', 'wall s', 'CPU s', 'peak MB']))
  }

  parlor(name: string, ticks: number, ...words: readonly string[]): Step {
    return this.play(name, ticks, [PARLOR, ...words])
  }

  own<Result>(name: string, ticks: number, ...words: readonly string[]): Result {
    return JSON.parse(this.play(name, ticks, [RUNNER, STEP, ...words]).out.trim().split('\n').at(-1)!) as Result
  }

  private play(name: string, ticks: number, words: readonly string[]): Step {
    const usage = join(this.room, 'usage.json')
    const startedMs = performance.now()
    const { status, stdout, stderr, error } = spawnSync(process.execPath, ['--import', USAGE, ...words], { encoding: 'utf8', cwd: this.room, env: { ...process.env, PARLOR_SOAK_USAGE: usage } })
    if (status !== 0) throw new Error(`${name}: ${error?.message ?? `${stderr}${stdout}`}`)
    const wallSeconds = (performance.now() - startedMs) / 1000
    const step = { wallSeconds, ...JSON.parse(readFileSync(usage, 'utf8')) as Pick<Step, 'cpuSeconds' | 'peakBytes'>, out: stdout }
    const { format } = new Intl.NumberFormat('en', { maximumFractionDigits: 0 })
    console.log(rowOf([name, ticks === 0 ? '' : format(ticks), ticks === 0 ? '' : format(ticks / wallSeconds), wallSeconds.toFixed(1), step.cpuSeconds.toFixed(1), format(step.peakBytes / 1e6)]))
    return step
  }
}

const rowOf = ([name, ...cells]: readonly string[]): string => `${name!.padEnd(28)}${cells.map((cell) => cell.padStart(14)).join('')}`

/** Makes a source, imports it, and deletes it. */
function importPart(steps: Steps, plan: PartPlan, source: string): { readonly made: MadePart; readonly peakBytes: number } {
  mkdirSync(source)
  const made = steps.own<MadePart>(`make part ${plan.part}`, plan.ticks, 'make', JSON.stringify(plan), source)
  const append = plan.part === 0 ? [] : ['--append']
  const { peakBytes } = steps.parlor(`import part ${plan.part}`, plan.ticks, 'import', 'parquet', source, '--map', join(steps.room, 'map.yaml'), '--into', 'soak', '--workers', steps.workers, ...append)
  rmSync(source, { recursive: true })
  return { made, peakBytes }
}

/** Returns whether all held. Throws where a step fails, and where there is no room on the disk. */
export function historySoak({ ticks: asked, markets, workers }: { readonly ticks: number | null; readonly markets: number; readonly workers: string }): boolean {
  const room = mkdtempSync(join(tmpdir(), 'parlor-soak-history-'))
  try {
    const ticks = ticksFor(asked, markets, room)
    const plans = planOf(ticks, markets)
    console.log(`${ticks} ticks and ${markets} markets in ${plans.length} parts of ${DAYS_A_PART} days, --workers ${workers}; load ${loadavg()[0]!.toFixed(1)}`)
    writeFileSync(join(room, 'map.yaml'), SOAK_MAP)
    // Bundling and compiling are not what is measured.
    spawnSync(process.execPath, [PARLOR, 'schema', 'mapping'], { stdio: 'ignore' })
    const steps = new Steps(room, workers)
    const imported = plans.map((plan) => importPart(steps, plan, join(room, 'source')))
    const made = imported.flatMap((one) => one.made.days)
    const counts = imported.map((one) => one.made.counts).reduce((a, b): MarketCounts => ({ markets: a.markets + b.markets, yes: a.yes + b.yes, no: a.no + b.no }))
    const bytes = statSync(join(room, 'store/soak/store.json')).size
    steps.parlor('data verify', ticks, 'data', 'verify', 'soak')
    const listed = steps.parlor('data ls', 0, 'data', 'ls').out
    const found = steps.own<StoreSums>('sums of the store', ticks, 'sum', join(room, 'store/soak'))
    const fromUs = plans[Math.floor(plans.length / 2)]!.fromUs + DAY_US
    const scenario = join(room, 'day.yaml')
    writeFileSync(scenario, scenarioOf(fromUs))
    steps.parlor('run of one day', 0, 'run', scenario, '--out', join(room, 'run'), '--quiet', '--no-report')
    const { firstMs } = steps.own<{ readonly firstMs: number }>('until its first event', 0, 'first', scenario)
    console.log(`first event after ${(firstMs / 1000).toFixed(1)} s; store.json has ${(bytes / 1e3).toFixed(0)} kB; load ${loadavg()[0]!.toFixed(1)}\n${listed.trim()}`)
    const asText = ({ markets: all, yes, no }: MarketCounts): string => `${all} markets, ${yes} with yes and ${no} with no`
    const troubles = [
      ...dayTroubles(made, found.days), ...peakTroubles(imported.map(({ peakBytes }) => peakBytes)),
      ...asText(counts) === asText(found.counts) ? [] : [`${asText(counts)} were made, and the store has ${asText(found.counts)}`],
      ...made.reduce((sum, day) => sum + day.ticks, 0) === ticks ? [] : ['the source has not as many ticks as were asked for'],
    ]
    console.log(troubles.length === 0 ? `${made.length} days are as they were made` : troubles.join('\n'))
    return troubles.length === 0
  } finally {
    rmSync(room, { recursive: true, force: true })
  }
}
