// Measures virtual time that waits for clients: `node tools/bundle/run.mjs bench/lockstep.ts [REQUESTS] [MAKERS]`. `parlor serve --clock lockstep`
// plays in a process of its own; the makers are clients in this one, over loopback, and quote on every request. Rates are from the first turn
// to the end: of the wall, which every other program on the machine slows, and of the CPU time of the serving process (Linux, else left out).
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { QUICKSTART_STORE } from '../test/scenario/small.ts'
import { type Act, LockstepClient, type Turn } from '../test/serve/lockstep/lockstepClient.ts'

const LAUNCHER = join(import.meta.dirname, '..', 'bin', 'parlor.mjs')
const LATENCY = '{ broadcast: { base: 5ms, jitter: 20ms }, quote: { base: 20ms, jitter: 100ms }, confirm: { base: 50ms, jitter: 1s } }'
const [requests = 2000, makers = 1] = process.argv.slice(2).map(Number)

interface Credentials {
  readonly control: { readonly url: string }
  readonly parlay: { readonly url: string; readonly seats: Readonly<Record<string, { readonly api_key: string; readonly control_token: string }>> }
}

const scenario = `version: 1
mode: interactive
services: { parlay: { profile: parlay@2.1, gate: {} } }
history: { store: ${QUICKSTART_STORE}, from: 2025-06-19T22:30:00Z, to: 2025-06-19T23:30:00Z }
arrivals: { max: ${requests} }
bettors: [{ kind: noise, n: 500, every: 5m }]
makers:
${Array.from({ length: makers }, (_, i) => `  - { external: true, name: ours-${i + 1}, capital: 1000000 USDC, latency: ${LATENCY} }\n`).join('')}`

function quotes(_: Turn, { frames }: { readonly frames: readonly string[] }): readonly Act[] {
  return frames.flatMap((frame): Act[] => {
    const event = /^id: \d+\nevent: quote_request\ndata: (.*)$/.exec(frame)
    if (event === null) return []
    const { id, version, request_hash } = JSON.parse(event[1]!) as { readonly id: string; readonly version: number; readonly request_hash: string }
    return [{ method: 'PUT', path: `/v1/mm/quote-requests/${id}/quote`, body: JSON.stringify({ request_version: version, request_hash, payout_odds: 2 }) }]
  })
}

/** CPU time of a process so far, s; NaN where the system does not say. */
function cpuSecondsOf(pid: number): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
    // utime and stime, in ticks of 10 ms (proc(5)).
    return (Number(fields[11]) + Number(fields[12])) / 100
  } catch {
    return NaN
  }
}

async function credentialsOf(path: string): Promise<Credentials> {
  for (;;) {
    try {
      return JSON.parse(readFileSync(path, 'utf8')) as Credentials
    } catch {
      await sleep(50)
    }
  }
}

const room = mkdtempSync(join(tmpdir(), 'parlor-lockstep-'))
try {
  const [file, keys] = [join(room, 'live.yaml'), join(room, 'keys.json')]
  writeFileSync(file, scenario)
  const child = spawn(process.execPath, [LAUNCHER, 'serve', file, '--clock', 'lockstep', '--out', join(room, 'run'), '--credentials', keys, '--no-report', '--json'], { stdio: ['ignore', 'pipe', 'inherit'] })
  let out = ''
  child.stdout.on('data', (data: Buffer) => { out += data.toString() })
  const ended = new Promise((resolve) => { child.on('close', resolve) })
  const { control, parlay: { url, seats } } = await credentialsOf(keys)
  const clients = await Promise.all(Object.values(seats).map(({ api_key, control_token }) => LockstepClient.connect({
    url, controlUrl: control.url.replace('http', 'ws'), token: control_token, headers: { 'x-api-key': api_key }, streams: ['/v1/mm/stream'], act: quotes,
  })))
  const beganMs = performance.now()
  const beganCpu = cpuSecondsOf(child.pid!)
  await Promise.all(clients.map(({ over }) => over))
  const cpu = cpuSecondsOf(child.pid!) - beganCpu
  const seconds = (performance.now() - beganMs) / 1000
  await ended
  const { turns, calls } = JSON.parse(out.slice(out.lastIndexOf('\n{') + 1)) as { readonly turns: number; readonly calls: number }
  console.log(`${requests} requests, ${makers} maker${makers === 1 ? '' : 's'} over the wire: ${turns} turns and ${calls} calls in ${seconds.toFixed(1)} s, ${Math.round(turns / seconds)} turns/s${Number.isNaN(cpu) ? '' : `, ${Math.round(turns / cpu)} turns per CPU-second of the serving process`}`)
} finally {
  rmSync(room, { recursive: true, force: true })
}
