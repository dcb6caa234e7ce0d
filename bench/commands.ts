// What a person waits for: commands as a shell starts them, in wall and CPU time. `node tools/bundle/run.mjs bench/commands.ts [--rounds N] [--only NAME,…]`.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { rangeOf } from './figures.ts'
import { short } from './short.ts'

const ROOT = join(import.meta.dirname, '..')
const PARLOR = join(ROOT, 'bin', 'parlor.mjs')
const RECORDED = join(ROOT, '..', 'shared', 'data')

/** How long a command took, s. CPU time is that of all threads and processes that it began, chains among them. */
interface Took {
  readonly wallS: number
  readonly cpuS: number
}

interface Measured {
  readonly name: string
  readonly args: readonly string[]
  /** Whether code is compiled anew, as in a checkout where nothing has run yet. Its bundle is there. */
  readonly isCold?: boolean
  /** Whether it reads data that do not come with parlor. */
  readonly isRecorded?: boolean
}

const played = (name: string, out = name, ...args: readonly string[]): readonly string[] => ['run', join(ROOT, 'scenarios', `${name}.yaml`), '--out', out, '--force', '--quiet', ...args]

const ONCHAIN = 'run onchain'
const OFFCHAIN = 'run onchain, chain: none'
const COMMANDS: readonly Measured[] = [
  { name: '--help', args: ['--help'] },
  { name: 'run quickstart, cold', args: played('quickstart'), isCold: true },
  { name: 'run quickstart', args: played('quickstart') },
  { name: 'verify quickstart', args: ['verify', 'quickstart'] },
  { name: ONCHAIN, args: played('onchain') },
  { name: OFFCHAIN, args: played('onchain', 'offchain', '--set', 'chain=none') },
  { name: 'reconcile onchain', args: ['reconcile', 'onchain', '--chain', 'both'] },
  { name: 'run mlb-night', args: played('mlb-night'), isRecorded: true },
  { name: 'league', args: ['league', join(ROOT, 'scenarios', 'league.yaml'), '--out', 'league', '--force'], isRecorded: true },
]

/** Runs a command in a folder. Throws what it says when it fails. */
function timed({ name, args, isCold = false }: Measured, folder: string, compiled: string): Took {
  const cache = isCold ? mkdtempSync(join(folder, 'cold-')) : compiled
  const startedMs = performance.now()
  // The shell adds up what it waited for. Node does not tell it of processes that it began.
  const { status, stdout, stderr } = spawnSync('sh', ['-c', '"$@" >&2; code=$?; times; exit $code', 'sh', process.execPath, PARLOR, ...args], {
    cwd: folder, encoding: 'utf8', env: { ...process.env, NODE_COMPILE_CACHE: cache }, maxBuffer: 1 << 26,
  })
  const wallS = (performance.now() - startedMs) / 1000
  if (status !== 0) throw new Error(`parlor ${name}: ${stderr}`)
  const ofChildren = stdout.trim().split('\n').at(-1)!
  const cpuS = [...ofChildren.matchAll(/(\d+)m([\d.]+)s/g)].reduce((sum, [, minutes, seconds]) => sum + 60 * Number(minutes) + Number(seconds), 0)
  return { wallS, cpuS }
}

const { values: options } = parseArgs({ options: { rounds: { type: 'string', default: '3' }, only: { type: 'string' } } })
const wanted = options.only?.split(',')
const commands = COMMANDS.filter(({ name, isRecorded = false }) => (wanted === undefined ? !isRecorded || existsSync(RECORDED) : wanted.some((word) => name.includes(word))))
const folder = mkdtempSync(join(tmpdir(), 'parlor-bench-'))
const took = new Map<string, Took[]>(commands.map(({ name }) => [name, []]))
try {
  // The first round makes the bundle, stores and compiled code, and is left out.
  for (let round = 0; round <= Number(options.rounds); round++) {
    for (const command of commands) {
      const one = timed(command, folder, join(folder, 'compiled'))
      if (round > 0) took.get(command.name)!.push(one)
    }
  }
  print()
} finally {
  rmSync(folder, { recursive: true, force: true })
}

function print(): void {
  const width = Math.max(...commands.map(({ name }) => name.length))
  console.log(`seconds of ${options.rounds} rounds in turns: median (lowest – highest)\n${''.padEnd(width)}  ${'CPU'.padStart(20)}  ${'wall'.padStart(20)}`)
  for (const [name, all] of took) console.log(`${name.padEnd(width)}  ${rangeText(all.map(({ cpuS }) => cpuS))}  ${rangeText(all.map(({ wallS }) => wallS))}`)
  const [on, off] = [ONCHAIN, OFFCHAIN].map((name) => took.get(name))
  if (on === undefined || off === undefined) return
  const [onS, offS] = [on, off].map((all) => rangeOf(all.map(({ cpuS }) => cpuS)).median) as [number, number]
  const { chains } = JSON.parse(readFileSync(join(folder, 'onchain', 'settlement.json'), 'utf8')) as { readonly chains: readonly { readonly recovery: { readonly calls: number } }[] }
  const calls = chains.reduce((sum, { recovery }) => sum + recovery.calls, 0)
  console.log(`settling takes ${short(onS - offS)} CPU-seconds, ${Math.round(100 * (onS - offS) / onS)} % of the run: ${Math.round(calls / (onS - offS))} of its ${calls} calls a CPU-second, each signed, landed and compared`)
}

function rangeText(values: readonly number[]): string {
  const { median, low, high } = rangeOf(values)
  return `${short(median)} (${short(low)} – ${short(high)})`.padStart(20)
}
