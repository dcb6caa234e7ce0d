import { mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { join, relative } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { start } from '../cli/parlor.ts'
import { contentsOf, forgetLeases } from '../crash/outcome.ts'
import type { Draw } from '../draws.ts'
import { readRun } from './tables.ts'
import type { Finding } from './world.ts'

const LOOK_MS = 5
/** A kill may come when the process has just begun, or after its end: moments are drawn over this share of the time from its first file to its end. */
const MOMENTS = 1.1
const KILLS_MAX = 2

/** How long a process took to its first file and from there to its end, ms; null: it was killed. */
interface Took {
  readonly fromFirstFileMs: number | null
  readonly code: number | null
  readonly err: string
}

/**
 * Plays the scenario by the command line in a process of its own, kills such processes at drawn moments, and runs the same command again: the
 * run must have the bytes of the one that nobody killed, and nothing may be left beside it.
 */
export async function checkKills(scenario: string, digest: string, room: string, draw: Draw): Promise<Finding[]> {
  const place = join(room, 'kills')
  mkdirSync(place)
  try {
    const more = draw(2) === 0 ? ['--no-report'] : []
    const ran = (name: string, killAfterMs: number): Promise<Took> => ofProcess(place, name, ['run', scenario, '--out', name, '--force', '--quiet', ...more], killAfterMs)
    const whole = await ran('whole', Infinity)
    if (whole.code !== 0) return [finding(`the command line ends with ${whole.code}: ${whole.err}`)]
    const played = readRun(join(place, 'whole')).manifest.digest
    if (played !== digest) return [finding(`the command line plays ${played.slice(0, 12)}, expected ${digest.slice(0, 12)}`)]
    const moments: string[] = []
    for (let kills = 1 + draw(KILLS_MAX); kills > 0; kills--) {
      const share = (MOMENTS * draw(1000)) / 1000
      const { fromFirstFileMs } = await ran('killed', share * whole.fromFirstFileMs!)
      if (fromFirstFileMs === null) moments.push(`${Math.round(100 * share)} %`)
      // So much time goes by that nobody takes the process for alive.
      forgetLeases(place)
    }
    const again = await ran('killed', Infinity)
    const about = moments.length === 0 ? 'played twice' : `killed after ${moments.join(' and ')} of its time and run again`
    if (again.code !== 0) return [finding(`${about}, the command line ends with ${again.code}: ${again.err}`)]
    return differences(place).map((difference) => finding(`${about}: ${difference}`))
  } finally {
    rmSync(place, { recursive: true, force: true })
  }
}

const finding = (about: string): Finding => ({ check: 'kill', about })

/** How the run that was killed differs from the whole one, and what lies beside both. */
export function differences(place: string): string[] {
  const beside = readdirSync(place).filter((name) => name !== 'whole' && name !== 'killed').map((name) => `${name} is left beside it`)
  const [whole, killed] = [contentsOf(join(place, 'whole')), contentsOf(join(place, 'killed'))]
  const more = [...killed.keys()].filter((name) => !whole.has(name)).map((name) => `${name} is left in it`)
  return [...beside, ...more, ...[...whole].filter(([name, bytes]) => killed.get(name) !== bytes).map(([name]) => `${name} ${killed.has(name) ? 'differs' : 'is missing'}`)]
}

/** The text of a file, null where there is none. */
function textOf(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return null
  }
}

/** Runs a command in a folder, and kills it so long after the first file of its run. */
async function ofProcess(place: string, name: string, args: readonly string[], killAfterMs: number): Promise<Took> {
  const lease = join(place, name, '.lease')
  const before = textOf(lease)
  const { child, ended } = start(place, args.map((arg) => (arg.startsWith('/') ? relative(place, arg) : arg)))
  while (child.exitCode === null && child.signalCode === null && [null, before].includes(textOf(lease))) await sleep(LOOK_MS)
  const firstFileAtMs = performance.now()
  const killing = killAfterMs === Infinity ? null : setTimeout(() => { child.kill('SIGKILL') }, killAfterMs)
  const { code, signal, err } = await ended
  if (killing !== null) clearTimeout(killing)
  return { fromFirstFileMs: signal === 'SIGKILL' ? null : performance.now() - firstFileAtMs, code, err: err.trim().split('\n').at(-1) ?? '' }
}
