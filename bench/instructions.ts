// Instructions and cache misses of a request, simulated by valgrind: hardly any machine's business, and the same again within a few per
// cent. `node bench/instructions.ts [--service outcome] [--record digest|tables] [--v8=FLAGS]`, some four minutes; `--play N` is what valgrind
// runs, FLAGS are switches of V8 that it runs with.
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { widenInlining } from '../src/cli/v8.ts'
import type { ServiceName } from '../src/engine/config.ts'
import { Session } from '../src/engine/session.ts'
import { Digest } from '../src/record/digest.ts'
import type { Sink } from '../src/record/sink.ts'
import { assert } from '../src/unit/assert.ts'
import { SERVICE_NAMES } from '../src/unit/services.ts'
import { recorderOf } from './recording.ts'
import { Room, STRIP_TYPES, works } from './room.ts'
import { workload } from './workload.ts'

/** Sessions that warm the compiler up, and the two sizes whose difference counts: what only the beginning costs falls out. */
const WARM = [12_000, 12_000]
const SIZES = [3_000, 13_000] as const
/** First-level caches of 32 kB and a second-level one of 512 kB, in lines of 64 bytes, eight to a set. */
const CACHES = ['--I1=32768,8,64', '--D1=32768,8,64', '--LL=524288,8,64']
/** What cachegrind counts, in its order: instructions, reads and writes, each with its misses of the first and of the last level. */
const COUNTS = ['Ir', 'I1mr', 'ILmr', 'Dr', 'D1mr', 'DLmr', 'Dw', 'D1mw', 'DLmw'] as const
/** Where cachegrind knows no function: what V8 has compiled from JavaScript. */
const COMPILED = 'fn=???'

/** Of compiled JavaScript alone: what the compiler and the collector do differs from run to run. */
function countsOf(file: string): number[] {
  const counts = COUNTS.map(() => 0)
  let isCompiled = false
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    if (line.startsWith('fn=')) isCompiled = line === COMPILED
    if (isCompiled && /^\d/.test(line)) line.split(' ').slice(1).forEach((text, i) => { counts[i]! += Number(text) })
  }
  return counts
}

/** What a row is called by the value of `--record`. */
const RECORDED: Readonly<Record<string, string>> = { none: 'no sink', digest: 'digest', tables: 'all tables and digest' }

async function simulate(room: Room, requests: number, v8: readonly string[], session: readonly string[]): Promise<number[]> {
  const out = join(room.dir, `counts.${requests}`)
  // One thread, so that it does not depend on the machine when a function is compiled.
  const node = [process.execPath, '--single-threaded', ...v8, '--import', STRIP_TYPES, fileURLToPath(import.meta.url)]
  const args = ['--tool=cachegrind', '--cache-sim=yes', ...CACHES, '--smc-check=all-non-file', `--cachegrind-out-file=${out}`]
  const env = { ...process.env, NODE_COMPILE_CACHE: join(room.dir, 'compiled') }
  const child = spawn('valgrind', [...args, ...node, '--play', String(requests), ...session], { stdio: 'ignore', env })
  const status = await new Promise((resolve) => { child.on('exit', resolve) })
  if (status !== 0) throw new Error(`valgrind ended with ${String(status)}`)
  return countsOf(out)
}

async function measure(service: string, record: string, v8: readonly string[]): Promise<void> {
  const room = new Room()
  try {
    const [few, many] = await Promise.all(SIZES.map((requests) => simulate(room, requests, v8, ['--service', service, '--record', record])))
    const cells = many!.map((count, i) => Math.round((count - few![i]!) / (SIZES[1] - SIZES[0])))
    console.log(`${service} service, ${RECORDED[record]}, compiled JavaScript, counts of a request`)
    for (const row of [COUNTS, cells]) console.log(row.map((cell) => String(cell).padStart(8)).join(''))
  } finally {
    room.close()
  }
}

function play(room: Room, requests: number, service: ServiceName, record: string): void {
  const plain = workload(requests, [], { service })
  const sinks: Sink[] = record === 'none' ? [] : [new Digest()]
  if (record === 'tables') sinks.push(recorderOf(plain, room.dir))
  new Session({ ...plain, sinks }).runToEnd()
}

const { values } = parseArgs({
  options: {
    service: { type: 'string', default: 'parlay' }, record: { type: 'string', default: 'none' }, v8: { type: 'string', default: '' },
    play: { type: 'string' },
  },
})
const service = SERVICE_NAMES.find((name) => name === values.service)!
assert(RECORDED[values.record] !== undefined, `--record ${values.record}: ${Object.keys(RECORDED).join(', ')}`)
if (values.play !== undefined) {
  widenInlining()
  const room = new Room()
  try {
    for (const requests of [...WARM, Number(values.play)]) play(room, requests, service, values.record)
  } finally {
    room.close()
  }
} else if (works('valgrind', ['--version'])) await measure(service, values.record, values.v8.split(' ').filter((flag) => flag !== ''))
else console.error('left out: there is no valgrind here')
