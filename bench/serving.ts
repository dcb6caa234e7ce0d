// Measures a served session beside the same HTTP server with a constant body: `npm run bench:serving [-- SECONDS]`. `parlor serve`,
// the constant body and the clients are processes of their own, over loopback. First clients send quotes as fast as they are answered, which
// gives what is accepted per CPU-second of the serving process (Linux). Then quotes come at half of that rate, whatever becomes of them, and
// each is timed from when it was due until its best-quote event has come to the streams of all makers. The constant body is measured anew
// before each row.
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { QUICKSTART_STORE } from '../test/scenario/small.ts'
import type { Load, Loaded } from './serving/clients.ts'

const HERE = join(import.meta.dirname, 'serving')
const LAUNCHER = join(import.meta.dirname, '..', 'bin', 'parlor.mjs')
const MAKERS = [1, 20, 200]
/** Answers that are waited for at once while the most is looked for. */
const AT_ONCE = 64
/** A server is warm after so many quotes. Requests live for 90 s, which is more than it may take. */
const WARM_QUOTES = 20_000
const WARM_S = 40
const seconds = Number(process.argv[2] ?? 8)

interface Credentials {
  readonly parlay: { readonly url: string; readonly seats: Readonly<Record<string, { readonly role: string; readonly api_key: string }>> }
}

/** No limit of the gate binds, and nobody but the clients asks or quotes. */
const scenarioOf = (makers: number): string => `version: 1
mode: interactive
services: { parlay: { profile: parlay@2.1, gate: { set: { quoteServiceLimit: 1000000000, authenticatedLimit: 1000000000, publicLimit: 1000000000 } } } }
history: { store: ${QUICKSTART_STORE} }
arrivals: { until: 60m }
bettors: [{ external: true, name: asks, bankroll: 1000000 USDC }]
makers:
${Array.from({ length: makers }, (_, i) => `  - { external: true, name: maker-${i + 1}, capital: 1000000 USDC, latency: { feed: 0ms, broadcast: 0ms, quote: 0ms, confirm: 0ms } }\n`).join('')}`

/** CPU time of a process so far, s (proc(5), ticks of 10 ms); NaN where the system does not say. */
function cpuSecondsOf({ pid }: ChildProcess): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
    return (Number(fields[11]) + Number(fields[12])) / 100
  } catch {
    return NaN
  }
}

/** Threads of a server by what they are to it, as Node names them (Linux). */
const THREADS = { MainThread: 'HTTP', WorkerThread: 'session', V8Worker: 'V8' } as const

/** CPU time of a process so far by kind of thread, s; nothing where the system does not say. */
function threadSecondsOf({ pid }: ChildProcess): Record<string, number> {
  const seconds: Record<string, number> = {}
  try {
    for (const task of readdirSync(`/proc/${pid}/task`)) {
      const [, name, rest] = /\((.*)\) (.*)/.exec(readFileSync(`/proc/${pid}/task/${task}/stat`, 'utf8'))!
      const fields = rest!.split(' ')
      const kind = THREADS[name as keyof typeof THREADS] ?? 'others'
      seconds[kind] = (seconds[kind] ?? 0) + (Number(fields[11]) + Number(fields[12])) / 100
    }
  } catch {}
  return seconds
}

async function whenThere(file: string, server: ChildProcess): Promise<Credentials> {
  while (!existsSync(file)) {
    if (server.exitCode !== null) throw new Error(`parlor serve ended with ${server.exitCode}`)
    await sleep(50)
  }
  return JSON.parse(readFileSync(file, 'utf8')) as Credentials
}

/** Lets clients load a server, in a process of their own. */
async function load(terms: Load): Promise<Loaded> {
  const child = spawn(process.execPath, [join(HERE, 'clients.ts'), JSON.stringify(terms)], { stdio: ['ignore', 'pipe', 'inherit'] })
  let said = ''
  child.stdout.on('data', (data: Buffer) => { said += data.toString() })
  const status = await new Promise((resolve) => { child.on('close', resolve) })
  if (status !== 0) throw new Error(`the clients ended with ${String(status)}`)
  return JSON.parse(said) as Loaded
}

interface Row {
  /** Accepted a second, and per CPU-second of the server; ms until it was told at half of the most, by quantile. */
  readonly figures: readonly number[]
  /** CPU time of a quote by kind of thread, µs. */
  readonly threads: Readonly<Record<string, number>>
}

async function rowOf(server: ChildProcess, terms: Omit<Load, 'seconds' | 'perSecond' | 'atOnce'>): Promise<Row> {
  // The compiler has its time first: on a busy machine it takes longer, and not more quotes.
  await load({ ...terms, seconds: WARM_S, quotes: WARM_QUOTES, atOnce: AT_ONCE })
  const [beganCpu, began] = [cpuSecondsOf(server), threadSecondsOf(server)]
  const most = await load({ ...terms, seconds, atOnce: AT_ONCE })
  const perCpuSecond = most.accepted / (cpuSecondsOf(server) - beganCpu)
  const threads = Object.fromEntries(Object.entries(threadSecondsOf(server)).map(([kind, s]) => [kind, (s - (began[kind] ?? 0)) * 1e6 / most.accepted]))
  const half = await load({ ...terms, seconds, perSecond: most.accepted / seconds / 2 })
  return { figures: [most.accepted / seconds, perCpuSecond, half.p50Ms, half.p99Ms], threads }
}

async function servedRow(room: string, makers: number): Promise<Row> {
  const [file, keys] = [join(room, `${makers}.yaml`), join(room, `${makers}.json`)]
  writeFileSync(file, scenarioOf(makers))
  const server = spawn(process.execPath, [LAUNCHER, 'serve', file, '--out', join(room, `run-${makers}`), '--credentials', keys, '--no-report'], { stdio: ['ignore', 'ignore', 'inherit'] })
  const ended = new Promise((resolve) => { server.on('close', resolve) })
  const { parlay: { url, seats } } = await whenThere(keys, server)
  const keysOf = (role: string): string[] => Object.values(seats).filter((seat) => seat.role === role).map(({ api_key }) => api_key)
  const row = await rowOf(server, { url, makers: keysOf('maker'), bettor: keysOf('bettor')[0]! })
  server.kill('SIGTERM')
  await ended
  return row
}

async function constantRow(): Promise<Row> {
  const server = spawn(process.execPath, [join(HERE, 'constantBody.ts')], { stdio: ['ignore', 'pipe', 'inherit'] })
  const url = await new Promise<string>((resolve) => { server.stdout.once('data', (data: Buffer) => { resolve(data.toString().trim()) }) })
  const row = await rowOf(server, { url, makers: ['key'], bettor: null })
  server.kill()
  return row
}

const room = mkdtempSync(join(tmpdir(), 'parlor-serving-'))
try {
  const print = (name: string, { figures: [most, perCpuSecond, p50Ms, p99Ms], threads }: Row, constant: number): void => {
    console.log(`${name.padEnd(34)}${Math.round(most!).toString().padStart(8)}${Math.round(perCpuSecond!).toString().padStart(12)}${(perCpuSecond! / constant).toFixed(2).padStart(8)}${p50Ms!.toFixed(2).padStart(9)}${p99Ms!.toFixed(2).padStart(9)}`)
    console.log(`  µs of CPU a quote by thread: ${Object.entries(threads).map(([kind, us]) => `${kind} ${Math.round(us)}`).join(', ')}`)
  }
  console.log('quotes accepted'.padEnd(34) + ['a second', 'a CPU-s', 'ratio', 'p50, ms', 'p99, ms'].map((text, i) => text.padStart([8, 12, 8, 9, 9][i]!)).join(''))
  for (const makers of MAKERS) {
    // Right before each row, since other programs on the machine come and go.
    const constant = await constantRow()
    print('the same server, a constant body', constant, constant.figures[1]!)
    print(`parlor serve, ${makers} maker${makers === 1 ? '' : 's'} on streams`, await servedRow(room, makers), constant.figures[1]!)
  }
} finally {
  rmSync(room, { recursive: true, force: true })
}
