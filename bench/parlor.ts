// Plays the workload in a process of its own and prints one line of JSON: `node bench/parlor.ts REQUESTS [digest|none] [--gate] [--service outcome]`.
import { widenInlining } from '../src/cli/inlining.ts'
import { Session } from '../src/engine/session.ts'
import { Digest } from '../src/record/digest.ts'
import { Field } from '../src/venue/eventRows.ts'
import { OutcomeEvent } from '../src/venue/outcome/protocol/events.ts'
import type { Batch, Sink } from '../src/record/sink.ts'
import { ParlayEvent } from '../src/venue/parlay/protocol/events.ts'
import { OPEN_GATE, workload } from './workload.ts'

/** Counts the ends of requests; outside the measured run. */
class Ends implements Sink {
  readonly counts = new Float64Array(128)
  flush({ parlay, outcome }: Batch): void {
    const { events } = (parlay ?? outcome)!
    for (let row = 0; row < events.count; row++) this.counts[events.get(row, Field.kind)]!++
  }
  finish(): void {}
  abort(): void {}
}

// As the command line does.
widenInlining()
const service = process.argv.includes('--service') ? process.argv[process.argv.indexOf('--service') + 1] : 'parlay'
if (service !== 'parlay' && service !== 'outcome') throw new Error(`--service is parlay or outcome, not ${service}`)
const requests = Number(process.argv[2] ?? 100_000)
const ends = new Ends()
new Session(workload(Math.min(requests, 60_000), [ends], { service })).runToEnd()

const digest = new Digest()
const plain = workload(requests, process.argv[3] === 'none' ? [] : [digest], { service })
const config = process.argv.includes('--gate') ? { ...plain, parlay: { ...plain.parlay!, gate: OPEN_GATE } } : plain
const session = new Session(config)
const before = process.cpuUsage()
session.runToEnd()
const { user, system } = process.cpuUsage(before)
const seconds = (user + system) / 1e6
const { counts } = session
const events = counts.messages + config.ticks.count + counts.commands
const kinds = service === 'parlay'
  ? { created: ParlayEvent.requestCreated, traded: ParlayEvent.requestCommitted, missed: ParlayEvent.quoteFailed }
  : { created: OutcomeEvent.rfqCreated, traded: OutcomeEvent.rfqFilled, missed: OutcomeEvent.quoteFailed }
const share = (kind: number): number => ends.counts[kind]! / ends.counts[kinds.created]!
const trade = share(kinds.traded)
const miss = share(kinds.missed)
console.log(JSON.stringify({
  impl: 'parlor', n: counts.arrivals, ev: events, evps: Math.round(events / seconds), rfqps: Math.round(counts.arrivals / seconds),
  rows: counts.rows, trade, miss, lapse: 1 - trade - miss, peakMB: Math.round(process.resourceUsage().maxRSS / 1024),
  digest: digest.hex().slice(0, 16),
}))
