// Plays the workload beside the programs of ../shared/peers, interleaved: `npm run bench [-- REQUESTS [ROUNDS]] [--gate]`;
// with `--service outcome` plays it on the outcome service beside the parlay service, without those programs.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

interface Measured {
  readonly evps: number
  readonly rfqps: number
  readonly line: Record<string, number | string>
}

interface Program {
  readonly name: string
  readonly run: () => Measured
}

const { values: options, positionals: [requestsText = '100000', roundsText = '3'] } = parseArgs({
  options: { gate: { type: 'boolean', default: false }, service: { type: 'string', default: 'parlay' } }, allowPositionals: true,
})
const requests = Number(requestsText)
const rounds = Number(roundsText)
const SIMPY_REQUESTS = Math.min(requests, 5_000)
const peers = fileURLToPath(new URL('../../shared/peers/reference-rfq/', import.meta.url))
const room = mkdtempSync(join(tmpdir(), 'parlor-bench-'))

function measure(command: string, args: readonly string[], cwd?: string): Measured {
  const { stdout, stderr, status } = spawnSync(command, args, { encoding: 'utf8', cwd })
  if (status !== 0) throw new Error(`${command} ${args.join(' ')}: ${stderr}`)
  const line = JSON.parse(stdout.trim().split('\n').at(-1)!) as Record<string, number>
  return { evps: line.evps!, rfqps: line.rfqps!, line }
}

const works = (command: string, args: readonly string[]): boolean => spawnSync(command, args, { stdio: 'ignore' }).status === 0

function peerPrograms(): Program[] {
  if (!existsSync(peers)) {
    console.log(`no peers at ${peers}: parlor alone`)
    return []
  }
  const programs: Program[] = []
  const binary = join(room, 'reference')
  if (works('g++', ['-O3', '-march=native', '-o', binary, join(peers, 'reference.cpp')])) {
    programs.push({ name: 'C++ timing wheel', run: () => measure(binary, [String(requests), 'wheel', '1']) })
  } else console.log('the C++ program cannot be built here: skipped')
  const python = join(room, 'venv/bin/python')
  if (works('python3', ['-m', 'venv', join(room, 'venv')]) && works(python, ['-m', 'pip', 'install', '-q', 'simpy'])) {
    programs.push({ name: 'SimPy', run: () => measure(python, ['reference_simpy.py', String(SIMPY_REQUESTS)], peers) })
  } else console.log('SimPy cannot be installed here: skipped')
  return programs
}

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1]!

const parlor = fileURLToPath(new URL('parlor.ts', import.meta.url))
const play = (name: string, ...args: string[]): Program => ({ name, run: () => measure(process.execPath, [parlor, String(requests), ...args]) })
const ours = options.service === 'outcome' ? 'parlay service' : 'parlor, all rules'
const parlay = play(`${ours}, digest`, 'digest')
const programs: Program[] = [
  parlay,
  play(`${ours}, no sink`, 'none'),
  ...(options.gate ? [play('parlor behind its gate', 'none', '--gate')] : []),
  ...(options.service === 'outcome'
    ? [play('outcome service, digest', 'digest', '--service', 'outcome'), play('outcome service, no sink', 'none', '--service', 'outcome')]
    : peerPrograms()),
]
const results = new Map<Program, Measured[]>(programs.map((program) => [program, []]))
try {
  for (let round = 0; round < rounds; round++) for (const program of programs) results.get(program)!.push(program.run())
} finally {
  rmSync(room, { recursive: true })
}

const percent = (x: number | string): string => `${(Number(x) * 100).toFixed(1)} %`
console.log(`${requests} requests, ${rounds} rounds interleaved, medians per CPU-second, warm`)
for (const program of programs.filter(({ name }) => name.endsWith(', digest'))) {
  const { lapse, miss, trade, digest, peakMB } = results.get(program)![0]!.line
  const of = options.service === 'outcome' ? ` of ${program.name}` : ''
  console.log(`shape${of}: lapse ${percent(lapse!)}, miss ${percent(miss!)}, trade ${percent(trade!)}; digest ${digest}; peak ${peakMB} MB`)
}
const rate = (program: Program): number => median(results.get(program)!.map((m) => m.rfqps))
const yardsticks = options.service === 'outcome' ? [parlay] : programs.filter((program) => !program.name.startsWith('parlor'))
console.log(['implementation'.padEnd(28), 'requests/s'.padStart(12), 'events/s'.padStart(12), ...yardsticks.map((y) => `÷ ${y.name.split(',')[0]}`.padStart(20))].join(''))
for (const program of programs) {
  const events = median(results.get(program)!.map((m) => m.evps))
  const ratios = yardsticks.map((y) => (rate(program) / rate(y)).toFixed(3).padStart(20))
  console.log([program.name.padEnd(28), String(rate(program)).padStart(12), String(events).padStart(12), ...ratios].join(''))
}
