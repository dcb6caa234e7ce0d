// Plays the workload in a process of its own and prints its rates as a line of JSON:
// `node bench/engine.ts REQUESTS [--service outcome] [--record digest|tables] [--gate] [--answers]`; with --shares what became of requests.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { widenInlining } from '../src/cli/v8.ts'
import type { SessionConfig } from '../src/engine/config.ts'
import { Session } from '../src/engine/session.ts'
import { Digest } from '../src/record/digest.ts'
import type { Sink } from '../src/record/sink.ts'
import { assert } from '../src/unit/assert.ts'
import { SERVICE_NAMES } from '../src/unit/services.ts'
import { Answers } from './answers.ts'
import { cpuSeconds } from './cpuSeconds.ts'
import { recorderOf } from './recording.ts'
import { playedShares } from './shares.ts'
import { OPEN_GATE, workload } from './workload.ts'

/** Sessions and requests of each after which the code is as fast as it gets: with a second one V8 drops what it took for constant. */
const WARM_SESSIONS = 3
const WARM_REQUESTS = 40_000

const { values: options, positionals: [requestsText = '100000'] } = parseArgs({
  options: {
    service: { type: 'string', default: 'parlay' }, record: { type: 'string', default: 'none' }, gate: { type: 'boolean', default: false },
    answers: { type: 'boolean', default: false }, shares: { type: 'boolean', default: false },
  },
  allowPositionals: true,
})

// As the command line does.
widenInlining()
const service = SERVICE_NAMES.find((name) => name === options.service)!
const plain = workload(Number(requestsText), [], { service })
const config: SessionConfig = options.gate ? { ...plain, parlay: { ...plain.parlay!, gate: OPEN_GATE } } : plain
const room = mkdtempSync(join(tmpdir(), 'parlor-engine-'))

function newSinks(): Sink[] {
  if (options.record === 'none') return []
  const digest = new Digest()
  return options.record === 'tables' ? [digest, recorderOf(config, room)] : [digest]
}

const sessionOf = (answers: Answers | null, sinks: readonly Sink[]): Session =>
  new Session({ ...(answers?.read(config) ?? config), sinks })

/** Plays the first requests of the session that is measured next. */
function warm(answers: Answers | null): void {
  for (let i = 0; i < WARM_SESSIONS; i++) {
    const sinks = newSinks()
    const session = sessionOf(answers, sinks)
    while (session.counts.arrivals < WARM_REQUESTS && session.run(session.chunkSteps));
    for (const sink of sinks) sink.abort()
  }
}

function measure(): object {
  const answers = options.answers ? new Answers() : null
  if (answers !== null) new Session(answers.written(config)).runToEnd()
  warm(answers)
  const session = sessionOf(answers, newSinks())
  const before = process.cpuUsage()
  session.runToEnd()
  const seconds = cpuSeconds(before)
  assert(answers?.areRead !== false, 'the session that reads its answers asks for each of them')
  const { arrivals, messages, commands } = session.counts
  return { requestsPerSecond: arrivals / seconds, eventsPerSecond: (messages + commands + config.ticks.count) / seconds }
}

try {
  console.log(JSON.stringify(options.shares ? playedShares(config) : measure()))
} finally {
  rmSync(room, { recursive: true })
}
