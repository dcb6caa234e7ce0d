// Plays many requests with recording on and prints the resident size as it goes: `npm run soak [-- REQUESTS]`.
// With --minutes plays venue, gate and their reference models side by side instead: `npm run soak -- --minutes N`, or `--duel` until
// stopped; `--of venue|gate --seed S --path P` plays one run again.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { widenInlining } from '../src/cli/inlining.ts'
import { Session } from '../src/engine/session.ts'
import { Digest } from '../src/record/digest.ts'
import { Recorder } from '../src/record/recorder.ts'
import { MINUTE_US } from '../src/unit/time.ts'
import { duelSoak } from './duelSoak.ts'
import { workload } from './workload.ts'

const { values: options, positionals } = parseArgs({
  options: {
    duel: { type: 'boolean', default: false }, minutes: { type: 'string' }, of: { type: 'string' }, seed: { type: 'string' }, path: { type: 'string' },
  },
  allowPositionals: true,
})
if (options.duel || options.minutes !== undefined || options.of !== undefined) {
  const minutes = Number(options.minutes ?? Infinity)
  const seed = Number(options.seed ?? Date.now() % 1e9)
  process.exit(await duelSoak({ minutes, of: options.of ?? null, seed, path: options.path ?? null }) ? 0 : 1)
}

// As the command line does.
widenInlining()
const requests = Number(positionals[0] ?? 1_000_000)
const steps = 10
const megabytes = (bytes: number): number => Math.round(bytes / 1e6)
const cpuSeconds = (since: NodeJS.CpuUsage): number => {
  const { user, system } = process.cpuUsage(since)
  return (user + system) / 1e6
}

const room = mkdtempSync(join(tmpdir(), 'parlor-soak-'))
try {
  const config = workload(requests, [], 1, 64 * MINUTE_US)
  const accounts = [
    ...config.parlay!.cohorts.flatMap(({ name, bettors }) => Array.from({ length: bettors }, () => ({ name, role: 'bettor' as const, group: name }))),
    ...config.parlay!.makers.map(({ name }) => ({ name, role: 'maker' as const, group: name })),
  ]
  const markets = Array.from({ length: config.marketCount }, (_, i) => ({ ticker: `B${i}`, cluster: `C${i % 100}` }))
  const digest = new Digest()
  const recorder = new Recorder({
    dir: room, cast: { accounts, markets }, legsMax: config.parlay!.profile.legsMax, identity: {}, reference: null, equityEveryUs: 60 * MINUTE_US,
  })
  const session = new Session({ ...config, sinks: [digest, recorder] })
  const started = process.cpuUsage()
  console.log(`history in memory: ${config.ticks.count} ticks, ${config.marketCount} markets; resident ${megabytes(process.memoryUsage.rss())} MB`)
  let next = requests / steps
  session.runToEnd(undefined, () => {
    if (session.counts.arrivals < next) return
    console.log(`${String(session.counts.arrivals).padStart(9)} requests  resident ${megabytes(process.memoryUsage.rss())} MB  ${cpuSeconds(started).toFixed(1)} CPU-s`)
    next += requests / steps
  })
  const { arrivals, rows } = session.counts
  console.log(`${arrivals} requests, ${rows} rows, all tables: ${Math.round(arrivals / cpuSeconds(started))} requests/s, `
    + `peak resident ${Math.round(process.resourceUsage().maxRSS / 1024)} MB, digest ${digest.hex().slice(0, 16)}`)
} finally {
  rmSync(room, { recursive: true })
}
