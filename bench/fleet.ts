// What a queue costs beside the sessions that it hands out, with 1, 2 and 4 worker processes of one thread each:
// `npm run bench:fleet [-- --tasks 20000] [--sessions 24] [--workers 1,2,4] [--only empty,idle,played]`. It needs redis-server.
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { ownBuild } from '../src/fleet/build.ts'
import { Deliveries } from '../src/fleet/queue/deliveries.ts'
import { QueueLink } from '../src/fleet/queue/link.ts'
import { LifeSign, living, processName } from '../src/fleet/queue/roster.ts'
import { DEFAULT_CALL_LIMITS } from '../src/scenario/strategyLimits.ts'
import { canonicalDigest } from '../src/scenario/canonical.ts'
import { assert } from '../src/unit/assert.ts'
import { machineText, thisMachine } from './machine.ts'
import { RUNNER } from './room.ts'

const { values: options } = parseArgs({ options: { tasks: { type: 'string', default: '20000' }, sessions: { type: 'string', default: '24' }, workers: { type: 'string', default: '1,2,4' }, only: { type: 'string', default: 'empty,idle,played' } } })
const [tasks, sessions] = [Number(options.tasks), Number(options.sessions)]
const counts = options.workers.split(',').map(Number)
const LAUNCHER = fileURLToPath(new URL('../bin/parlor.mjs', import.meta.url))
const SCENARIO = fileURLToPath(new URL('../scenarios/quickstart.yaml', import.meta.url))
const EMPTY = fileURLToPath(new URL('fleet/emptyWorker.ts', import.meta.url))

const room = mkdtempSync(join(tmpdir(), 'parlor-bench-fleet-'))
const port = await new Promise<number>((resolve) => {
  const server = createServer().listen(0, '127.0.0.1', () => {
    const { port: free } = server.address() as { port: number }
    server.close(() => { resolve(free) })
  })
})
const url = `redis://127.0.0.1:${port}`
const server = spawn('redis-server', ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--dir', room], { stdio: 'ignore' })
const link = await opened()

async function opened(): Promise<QueueLink> {
  for (let tries = 0; ; tries++) {
    try {
      return await QueueLink.open(url, (line) => { console.error(line) }, new AbortController().signal)
    } catch (error) {
      if (tries === 50) throw error
      await new Promise((resolve) => { setTimeout(resolve, 100) })
    }
  }
}

interface Traffic {
  readonly commands: number
  readonly bytes: number
  /** CPU of the server, µs. */
  readonly cpuUs: number
}

async function traffic(): Promise<Traffic> {
  const text = await link.redis.info('stats') + await link.redis.info('cpu')
  const figure = (name: string): number => Number(new RegExp(`^${name}:([\\d.]+)`, 'm').exec(text)![1])
  return { commands: figure('total_commands_processed'), bytes: figure('total_net_input_bytes') + figure('total_net_output_bytes'), cpuUs: 1e6 * (figure('used_cpu_user') + figure('used_cpu_sys')) }
}

/** Starts processes, and waits until all live. */
async function workersOf(count: number, start: (i: number) => ChildProcess): Promise<ChildProcess[]> {
  const children = Array.from({ length: count }, (_, i) => start(i))
  while ((await living(link, 'workers')).length < count) await new Promise((resolve) => { setTimeout(resolve, 50) })
  return children
}

const textOf = (child: ChildProcess): Promise<string> => new Promise((resolve) => {
  let text = ''
  child.stdout!.on('data', (data: Buffer) => { text += data.toString() })
  child.once('close', () => { resolve(text) })
})

/** Tasks of no length, which nobody plays: what is left is the queue. */
async function empty(count: number): Promise<string> {
  const children = await workersOf(count, () => spawn(process.execPath, [RUNNER, EMPTY, url], { stdio: 'ignore' }))
  const run = processName()
  const deliveries = new Deliveries(link, { build: ownBuild(), run, say: (line) => { console.error(line) }, terms: { results: room, isTrusted: false, limitMs: null, limits: DEFAULT_CALL_LIMITS } })
  const sign = new LifeSign(link, { kind: 'runs', name: run, fault: (error) => { throw error }, sign: () => ({ build: ownBuild(), about: 'bench', done: 0, failed: 0, of: tasks, refusals: [], failures: [] }) })
  await sign.tell()
  const wanted = (from: number, to: number): Promise<unknown> => Promise.all(Array.from({ length: to - from }, (_, i) => {
    const seed = `bench/${from + i}`
    return deliveries.want({ id: canonicalDigest(seed), spec: { scenario: SCENARIO, set: ['makers.0.params.margin=4%'], seed } })
  }))
  await wanted(0, 2000)
  const [before, beganMs] = [await traffic(), performance.now()]
  await wanted(2000, 2000 + tasks)
  const [after, ms] = [await traffic(), performance.now() - beganMs]
  await sign.end()
  await deliveries.close()
  for (const child of children) child.kill('SIGKILL')
  await link.redis.flushall()
  return row(count, [Math.round(tasks / (ms / 1000)), ((after.bytes - before.bytes) / tasks).toFixed(0), ((after.commands - before.commands) / tasks).toFixed(3), ((after.cpuUs - before.cpuUs) / tasks).toFixed(1)])
}

/** What workers ask while a command has nothing for them. */
async function idle(count: number): Promise<string> {
  const children = await workersOf(count, (i) => spawn(process.execPath, [LAUNCHER, 'worker', '--queue', url, '--threads', '1', '--tasks', join(room, `idle-${i}`)], { stdio: 'ignore' }))
  const sign = new LifeSign(link, { kind: 'runs', name: processName(), fault: (error) => { throw error }, sign: () => ({ build: ownBuild(), about: 'bench', done: 0, failed: 0, of: 0, refusals: [], failures: [] }) })
  await sign.tell()
  await new Promise((resolve) => { setTimeout(resolve, 4000) })
  const [before, beganMs] = [await traffic(), performance.now()]
  await new Promise((resolve) => { setTimeout(resolve, 10_000) })
  const [after, seconds] = [await traffic(), (performance.now() - beganMs) / 1000]
  await sign.end()
  for (const child of children) child.kill('SIGKILL')
  await link.redis.flushall()
  return row(count, [((after.commands - before.commands) / seconds / count).toFixed(1), ((after.bytes - before.bytes) / seconds / count).toFixed(0), ((after.cpuUs - before.cpuUs) / seconds).toFixed(0)])
}

/** Sessions of the quickstart, as commands play them. */
async function played(count: number): Promise<string> {
  const folder = join(room, `played-${count}`)
  const children = await workersOf(count, (i) => spawn(process.execPath, [LAUNCHER, 'worker', '--queue', url, '--threads', '1', '--tasks', join(folder, `tasks-${i}`), '--json'], { stdio: ['ignore', 'pipe', 'ignore'] }))
  const told = children.map(textOf)
  const before = await traffic()
  const command = spawn(process.execPath, [LAUNCHER, 'sweep', SCENARIO, '--replications', String(sessions), '--queue', url, '--results', join(folder, 'results'), '--tasks', join(folder, 'reading'), '--out', join(folder, 'out'), '--json'], { stdio: ['ignore', 'pipe', 'inherit'] })
  const { seconds, played: ends } = JSON.parse(await textOf(command)) as { seconds: number; played: number }
  const after = await traffic()
  assert(ends === sessions, 'all sessions were played')
  for (const child of children) child.kill('SIGTERM')
  const playing = (await Promise.all(told)).map((text) => (JSON.parse(text) as { seconds: number }).seconds).reduce((sum, own) => sum + own, 0)
  await link.redis.flushall()
  return row(count, [seconds.toFixed(1), playing.toFixed(1), `${(100 * (1 - playing / (count * seconds))).toFixed(1)} %`, ((after.bytes - before.bytes) / sessions).toFixed(0), ((after.cpuUs - before.cpuUs) / sessions).toFixed(0)])
}

const row = (count: number, cells: readonly (number | string)[]): string => [String(count).padStart(7), ...cells.map((cell) => String(cell).padStart(15))].join(' ')

const PARTS = [
  { name: 'empty', title: `${tasks} tasks of no length`, heads: ['tasks a second', 'bytes a task', 'commands a task', 'µs of Redis'], of: empty },
  { name: 'idle', title: 'a command that has nothing to play', heads: ['commands/s each', 'bytes/s each', 'µs/s of Redis'], of: idle },
  { name: 'played', title: `${sessions} sessions of quickstart`, heads: ['s of wall', 's of play', 'not playing', 'bytes a task', 'µs of Redis'], of: played },
]

try {
  console.log(`${machineText(thisMachine())}; load ${loadavg()[0]!.toFixed(1)}`)
  for (const { name, title, heads, of } of PARTS.filter((part) => options.only.split(',').includes(part.name))) {
    console.log(`\n${name}: ${title}\n${['workers', ...heads.map((head) => head.padStart(15))].join(' ')}`)
    for (const count of counts) console.log(await of(count))
  }
} finally {
  link.close()
  server.kill('SIGKILL')
  rmSync(room, { recursive: true, force: true })
}
