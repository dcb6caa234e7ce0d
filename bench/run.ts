// Plays the workload beside the programs of ../shared/peers, interleaved: `npm run bench [-- REQUESTS [ROUNDS]] [--gate]`.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

interface Measured {
  readonly evps: number
  readonly rfqps: number
  readonly line: Record<string, number | string>
}

interface Program {
  readonly name: string
  readonly run: () => Measured
}

const withGate = process.argv.includes('--gate')
const [, , requestsText = '100000', roundsText = '3'] = process.argv.filter((argument) => argument !== '--gate')
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
const programs: Program[] = [
  { name: 'parlor, all rules, digest', run: () => measure(process.execPath, [parlor, String(requests), 'digest']) },
  { name: 'parlor, all rules, no sink', run: () => measure(process.execPath, [parlor, String(requests), 'none']) },
  ...(withGate ? [{ name: 'parlor behind its gate', run: () => measure(process.execPath, [parlor, String(requests), 'none', '--gate']) }] : []),
  ...peerPrograms(),
]
const results = new Map<Program, Measured[]>(programs.map((program) => [program, []]))
try {
  for (let round = 0; round < rounds; round++) for (const program of programs) results.get(program)!.push(program.run())
} finally {
  rmSync(room, { recursive: true })
}

const shape = results.get(programs[0]!)![0]!.line
const percent = (x: number | string): string => `${(Number(x) * 100).toFixed(1)} %`
console.log(`${requests} requests, ${rounds} rounds interleaved, medians per CPU-second, warm`)
console.log(`shape: lapse ${percent(shape.lapse!)}, miss ${percent(shape.miss!)}, trade ${percent(shape.trade!)}; digest ${shape.digest}; peak ${shape.peakMB} MB`)
const rate = (program: Program): number => median(results.get(program)!.map((m) => m.rfqps))
const yardsticks = programs.filter((program) => !program.name.startsWith('parlor'))
console.log(['implementation'.padEnd(28), 'requests/s'.padStart(12), 'events/s'.padStart(12), ...yardsticks.map((y) => `÷ ${y.name}`.padStart(20))].join(''))
for (const program of programs) {
  const events = median(results.get(program)!.map((m) => m.evps))
  const ratios = yardsticks.map((y) => (rate(program) / rate(y)).toFixed(3).padStart(20))
  console.log([program.name.padEnd(28), String(rate(program)).padStart(12), String(events).padStart(12), ...ratios].join(''))
}
