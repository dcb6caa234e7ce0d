// Looks for faults for ever: `npm run vopr -- [--minutes N] [--seed S]`. Each seed draws a scenario, which is played in every way (checks.ts). The
// first fault ends it: its seed is printed, and a small scenario that shows it.
// `--scenario FILE` examines one file, and `--planted [--starts N] [--only PART]` looks whether the planted faults are found (planting.ts).
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { InputError } from '../../src/unit/inputError.ts'
import { type Costly, examine, NOTHING_COSTLY } from './checks.ts'
import type { Written } from './dice.ts'
import { worldOf } from './grammar.ts'
import { checkModels } from './models.ts'
import { shrunk } from './shrink.ts'
import { kindOf } from './verdict.ts'
import { type Finding, put, roomFor, textsOf } from './world.ts'

const { values } = parseArgs({
  options: {
    minutes: { type: 'string' }, seed: { type: 'string' }, scenario: { type: 'string' }, 'no-shrink': { type: 'boolean', default: false },
    planted: { type: 'boolean', default: false }, starts: { type: 'string' }, only: { type: 'string' },
  },
})
/** One seed in so many is played as a sweep, one in so many by processes that are killed, and one in so many is settled on chains. */
const SWEEP_EVERY = 16
const KILL_EVERY = 16
const CHAIN_EVERY = 32
const SHRINK_MS = 60_000
const TELL_MS = 10_000

if (values.planted) {
  const { lookForPlanted } = await import('./planting.ts')
  const { minutes, only, seed, starts } = values
  process.exit(await lookForPlanted({ minutes: Number(minutes ?? 10), only: only ?? '', seed: Number(seed ?? 1), starts: Number(starts ?? 3) }) ? 0 : 1)
}
process.exit(await look() ? 0 : 1)

/** Whether nothing was found. */
async function look(): Promise<boolean> {
  const room = mkdtempSync(join(tmpdir(), 'parlor-vopr-'))
  try {
    const drawn = roomFor(room)
    if (values.scenario !== undefined) return tell(await findingsOf(values.scenario, room, 1, { sweeps: true, chains: true, kills: true }))
    const first = Number(values.seed ?? Date.now() % 1e9)
    const endsAtMs = Date.now() + 60_000 * Number(values.minutes ?? Infinity)
    let refused = 0
    let toldAtMs = Date.now()
    // A minute may end before the next seed that is drawn for chains, so one of both services comes first, unless a seed is asked for.
    const seeds = values.seed === undefined ? [settledSeed(first)] : []
    console.log(`from seed ${first} on${seeds.length === 0 ? '' : `, after ${seeds[0]}, which is settled on both chains`}`)
    for (let played = 1; ; played++) {
      const seed = seeds[played - 1] ?? first + played - 1 - seeds.length
      const world = worldOf(seed)
      const costly = { sweeps: seed % SWEEP_EVERY === 0, kills: seed % KILL_EVERY === KILL_EVERY / 2, chains: seed % CHAIN_EVERY === 1 }
      const findings = await findingsOf(put(join(drawn, `${seed}.yaml`), world), room, seed, costly)
      if (findings !== 'refused') findings.push(...checkModels(seed))
      rmSync(drawn, { recursive: true })
      if (findings === 'refused') {
        refused++
        if (played === seeds.length) seeds.push(settledSeed(seed + 1))
      }
      if (findings !== 'refused' && findings.length > 0) {
        console.log(`seed ${seed} fails after ${played} seeds and ${(process.cpuUsage().user / 1e6).toFixed(0)} s of CPU time; again: npm run vopr -- --seed ${seed}`)
        tell(findings)
        if (!values['no-shrink']) await shrink(world, findings[0]!, seed, room, drawn, costly)
        return false
      }
      const isOver = Date.now() >= endsAtMs
      if (isOver || Date.now() - toldAtMs >= TELL_MS) {
        toldAtMs = Date.now()
        console.log(`${played} seeds, up to ${seed}: nothing found${refused === 0 ? '' : `; ${refused} refused as no scenario`}`)
      }
      if (isOver) return true
    }
  } finally {
    rmSync(room, { recursive: true, force: true })
  }
}

/** The first seed from this one on that is drawn for chains and has both services, so that both chains are settled on. */
function settledSeed(from: number): number {
  for (let seed = from; ; seed++) {
    if (seed % CHAIN_EVERY === 1 && Object.keys(worldOf(seed).scenario['services']!).length === 2) return seed
  }
}

/** What is wrong with a scenario; a scenario that cannot be played is none, and everything else that throws is a finding. */
async function findingsOf(path: string, room: string, seed: number, costly: Costly): Promise<Finding[] | 'refused'> {
  try {
    return await examine(path, room, seed, costly)
  } catch (error) {
    if (error instanceof InputError && error.message.startsWith('no market of the store')) return 'refused'
    const { name, message, stack = '', cause } = error as Error
    if (error instanceof InputError) return [{ check: name, about: message }]
    const at = (cause instanceof Error ? cause.stack ?? '' : stack).split('\n').find((line) => line.includes('    at ')) ?? ''
    return [{ check: name, about: `${message}${at === '' ? '' : `\n${at}`}` }]
  }
}

/** What must be played again to meet a finding again. */
function costlyFor({ check }: Finding, costly: Costly): Costly {
  if (check === 'sweep') return { ...NOTHING_COSTLY, sweeps: costly.sweeps }
  return check === 'kill' ? { ...NOTHING_COSTLY, kills: costly.kills } : { ...NOTHING_COSTLY, chains: costly.chains }
}

function tell(findings: readonly Finding[] | 'refused'): boolean {
  if (findings === 'refused') {
    console.log('it is no scenario that can be played')
    return false
  }
  for (const { check, about } of findings) console.log(`  ${check}: ${about}`)
  return findings.length === 0
}

async function shrink(scenario: Written, finding: Finding, seed: number, room: string, drawn: string, costly: Costly): Promise<void> {
  // A model has commands of its own, which soak shrinks.
  if (finding.check === 'model') return
  const kind = kindOf(finding)
  const small = await shrunk(scenario, async (candidate) => {
    const findings = await findingsOf(put(join(drawn, 'smaller.yaml'), candidate), room, seed, costlyFor(finding, costly))
    return findings !== 'refused' && findings.some((found) => kindOf(found) === kind)
  }, Date.now() + SHRINK_MS)
  console.log(`\nA small scenario that shows it, to be kept in test/vopr/kept:\n\n${textsOf(small)}`)
}
