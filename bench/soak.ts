// Plays many requests with recording on and prints the resident size as it goes: `npm run soak [-- REQUESTS] [--service outcome]`.
// With --minutes it plays venue, gate and their reference models side by side instead: `npm run soak -- --minutes N`, or `--duel` until
// stopped. `--of venue|gate|outcome|outcome-gate --seed S --path P` plays one run again. `--crash` crashes each command at each of its
// system calls (test/crash/commands.ts, with `--sample N --only league --seed S`). `--lockstep` plays makers over the wire behind a proxy that
// reorders connections, by clients of the tests and by the code of `parlor trade`, in 24 rounds and in 20 of each kind (`--rounds N --seed S
// --only wire|trade`), to the digest of the same makers inside. `--wire` sends a million malformed calls and frames to each service (`--calls N
// --seed S`), holds ten thousand connections open beside those that are served (`--connections N`), and sends spoilt bytes, frames and headers over
// sockets, a hundredth as many of each. `--import` damages files that parlor imports, `--runs N` of each kind (`--seed S --only KIND`). `--history
// [TICKS] [--markets N] [--workers N]` imports recordings part by part into one store, and compares it with what was made. `--queue` plays a sweep
// on the workers of a queue whose processes, server, networks and disks fail at drawn moments (test/fleet/troubles, `--rounds N --seed S`).
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { widenInlining } from '../src/cli/v8.ts'
import { Session } from '../src/engine/session.ts'
import { Digest } from '../src/record/digest.ts'
import { SERVICE_NAMES } from '../src/unit/services.ts'
import { MINUTE_US } from '../src/unit/time.ts'
import { cpuSeconds } from './cpuSeconds.ts'
import { duelSoak } from './duelSoak.ts'
import { recorderOf } from './recording.ts'
import { workload } from './workload.ts'

const { values: options, positionals } = parseArgs({
  options: {
    crash: { type: 'boolean', default: false }, history: { type: 'boolean', default: false }, queue: { type: 'boolean', default: false }, markets: { type: 'string', default: '200000' }, workers: { type: 'string', default: '1' }, import: { type: 'boolean', default: false }, runs: { type: 'string', default: '1000' }, lockstep: { type: 'boolean', default: false }, rounds: { type: 'string' }, wire: { type: 'boolean', default: false }, calls: { type: 'string', default: '1000000' }, connections: { type: 'string', default: '10000' }, sample: { type: 'string' }, only: { type: 'string', default: '' }, duel: { type: 'boolean', default: false }, minutes: { type: 'string' }, of: { type: 'string' }, seed: { type: 'string' }, path: { type: 'string' },
    service: { type: 'string', default: 'parlay' },
  },
  allowPositionals: true,
})
if (options.crash) {
  const { crashCommands } = await import('../test/crash/commands.ts')
  process.exit(await crashCommands({ seed: Number(options.seed ?? Date.now() % 1e6), sample: Number(options.sample ?? Infinity), only: options.only }) ? 0 : 1)
}
if (options.lockstep) {
  const [{ lockstepSoak }, { tradeSoak }] = await Promise.all([import('./lockstepSoak.ts'), import('./tradeSoak.ts')])
  const settings = (rounds: number) => ({ rounds: Number(options.rounds ?? rounds), seed: Number(options.seed ?? 1) })
  const isWireSame = options.only === 'trade' || await lockstepSoak(settings(24))
  const isTradeSame = options.only === 'wire' || await tradeSoak(settings(20))
  process.exit(isWireSame && isTradeSame ? 0 : 1)
}
if (options.wire) {
  const env = { ...process.env, PARLOR_SOAK: options.calls, PARLOR_SOAK_SEED: options.seed ?? String(Date.now() % 1e6), PARLOR_SOAK_CONNECTIONS: options.connections }
  console.log(`seed ${env.PARLOR_SOAK_SEED}`)
  const files = SERVICE_NAMES.map((name) => `test/serve/${name}/exchanges/malformed.test.ts`)
  process.exit(spawnSync('vitest', ['run', '--testTimeout', '0', ...files, 'test/serve/http/hostile.test.ts', 'test/serve/http/fuzz.test.ts'], { env, stdio: 'inherit' }).status ?? 1)
}
if (options.import) {
  const env = { ...process.env, PARLOR_FUZZ_RUNS: options.runs, PARLOR_FUZZ_SEED: options.seed ?? String(Date.now() % 1e9), PARLOR_FUZZ_ONLY: options.only }
  process.exit(spawnSync('vitest', ['run', '--testTimeout', '0', '--reporter', 'verbose', 'test/feed/fuzz/fuzz.test.ts'], { env, stdio: 'inherit' }).status ?? 1)
}
if (options.queue) {
  const env = { ...process.env, PARLOR_TROUBLES: options.rounds ?? '200', PARLOR_TROUBLES_SEED: options.seed ?? String(Date.now() % 1e6) }
  process.exit(spawnSync('vitest', ['run', '--reporter', 'verbose', 'test/fleet/troubles.test.ts'], { env, stdio: 'inherit' }).status ?? 1)
}
if (options.history) {
  const { historySoak } = await import('./historySoak.ts')
  process.exit(historySoak({ ticks: positionals[0] === undefined ? null : Number(positionals[0]), markets: Number(options.markets), workers: options.workers }) ? 0 : 1)
}
if (options.duel || options.minutes !== undefined || options.of !== undefined) {
  const minutes = Number(options.minutes ?? Infinity)
  const seed = Number(options.seed ?? Date.now() % 1e9)
  process.exit(await duelSoak({ minutes, of: options.of ?? null, seed, path: options.path ?? null }) ? 0 : 1)
}

// As the command line does.
widenInlining()
const requests = Number(positionals[0] ?? 1_000_000)
const service = SERVICE_NAMES.find((name) => name === options.service)
if (service === undefined) throw new Error(`--service is one of ${SERVICE_NAMES.join(', ')}, not ${options.service}`)
const steps = 10
const megabytes = (bytes: number): number => Math.round(bytes / 1e6)

const room = mkdtempSync(join(tmpdir(), 'parlor-soak-'))
try {
  const config = workload(requests, [], {
    service, ticksPerRequest: 1, marketLifeUs: 64 * MINUTE_US, ...(service === 'outcome' ? { legsMin: 1 } : {}),
  })
  const digest = new Digest()
  const recorder = recorderOf(config, room, { reference: null, equityEveryUs: 60 * MINUTE_US })
  const session = new Session({ ...config, sinks: [digest, recorder] })
  const started = process.cpuUsage()
  console.log(`history in memory: ${config.ticks.count} ticks, ${config.marketCount} markets; resident ${megabytes(process.memoryUsage.rss())} MB`)
  let next = requests / steps
  session.runToEnd(undefined, () => {
    if (session.counts.arrivals < next) return
    console.log(`${String(session.counts.arrivals).padStart(9)} requests  resident ${megabytes(process.memoryUsage.rss())} MB  ${cpuSeconds(started).toFixed(1)} CPU-s`)
    next += requests / steps
  })
  const { arrivals, rows, auctions, sales } = session.counts
  if (auctions > 0) console.log(`${auctions} positions offered, ${sales} sold`)
  console.log(`${arrivals} requests, ${rows} rows, all tables: ${Math.round(arrivals / cpuSeconds(started))} requests/s, `
    + `peak resident ${megabytes(process.resourceUsage().maxRSS * 1024)} MB, digest ${digest.hex().slice(0, 16)}`)
} finally {
  rmSync(room, { recursive: true })
}
