// Plays the workload in a process of its own and prints its rates as a line of JSON:
// `node tools/bundle/run.mjs bench/engine.ts REQUESTS [--service outcome] [--record digest|tables] [--gate] [--answers] [--makers rooms|trusted]`; with --shares what became of requests.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { widenInlining } from '../src/cli/v8.ts'
import { assert } from '../src/unit/assert.ts'
import { cpuSeconds } from './cpuSeconds.ts'
import { MAKER_KINDS, makersOf } from './makerFiles.ts'
import { Measured, PART_OPTIONS } from './measured.ts'
import { playedShares } from './shares.ts'

/** Sessions, and requests of each, after which the code is as fast as it gets. In the second session V8 drops its assumptions about constants. */
const WARM_SESSIONS = 3
const WARM_REQUESTS = 40_000

const { values: { shares, makers, ...parts }, positionals: [requestsText = '100000'] } =
  parseArgs({ options: { ...PART_OPTIONS, shares: { type: 'boolean', default: false }, makers: { type: 'string', default: 'function' } }, allowPositionals: true })

function rates(measured: Measured): object {
  for (let i = 0; i < WARM_SESSIONS; i++) measured.playFirst(WARM_REQUESTS)
  const { session } = measured.begin()
  const before = process.cpuUsage()
  session.runToEnd()
  const seconds = cpuSeconds(before)
  measured.checkAnswers()
  const { arrivals, messages, commands } = session.counts
  return { requestsPerSecond: arrivals / seconds, eventsPerSecond: (messages + commands + measured.config.ticks.count) / seconds }
}

// As the command line does.
widenInlining()
const room = mkdtempSync(join(tmpdir(), 'parlor-engine-'))
try {
  const kind = MAKER_KINDS.find((name) => name === makers)
  assert(kind !== undefined, 'makers are of one function, or of files')
  const measured = new Measured(Number(requestsText), parts, room, await makersOf(kind, room))
  console.log(JSON.stringify(shares ? playedShares(measured.config) : rates(measured)))
} finally {
  rmSync(room, { recursive: true })
}
