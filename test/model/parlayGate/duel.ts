import { isDeepStrictEqual } from 'node:util'
import { deserialize, serialize } from 'node:v8'
import { PostingField, PostingRows } from '../../../src/ledger/postingRows.ts'
import type { Image } from '../../../src/unit/snapshot.ts'
import { EventCell, EventRows } from '../../../src/venue/eventRows.ts'
import { type ParlayGate, parlayGate } from '../../../src/venue/parlay/gate/gate.ts'
import { ParlayCode } from '../../../src/venue/parlay/protocol/codes.ts'
import { PARLAY_OP_NAMES, ParlayCommand, ParlayOp, RotateSecret, SetEndpoint } from '../../../src/venue/parlay/protocol/commands.ts'
import { PARLAY_EVENT_NAMES, ParlayEvent } from '../../../src/venue/parlay/protocol/events.ts'
import type { ParlayGateProfile } from '../../../src/venue/parlay/protocol/gate.ts'
import { PARLAY_SETTINGS } from '../../../src/venue/parlay/protocol/profile.ts'
import { parlayVenue } from '../../../src/venue/parlay/venue.ts'
import { profileOf } from '../../../src/venue/profile.ts'
import { isOfKind, type Row, rowsOf } from '../parlay/namedRows.ts'
import { commandOf, fill, type GateCommand } from './command.ts'
import { concrete } from './concrete.ts'
import { type Coverage } from './coverage.ts'
import { type Intent, instantOf } from './intents.ts'
import { endOf } from './limits.ts'
import { Mirror } from './mirror.ts'
import { deadlinesOf } from './model.ts'
import { ACCOUNTS } from './scene.ts'
import { viewOf } from './view.ts'

/** Gate and reference model on the same commands, compared after each. A difference is thrown, with the way to it. */

export const START_US = 1_750_000_000_000_000
const SERVICE = 1

/** The venue inside has recoveries, windows and retention short enough to end within a run. */
const PROFILE = profileOf(PARLAY_SETTINGS, {
  requestExpiryMs: 8_000, requestRetentionMs: 5_000, chainRecoveryMs: 300, mirrorRecoveryMs: 200, settlementRetryMs: 400,
  auctionRetentionMs: 5_000,
})

interface Side {
  readonly gate: ParlayGate
  readonly events: EventRows
  readonly postings: PostingRows
}

function newSide(gateProfile: ParlayGateProfile, nextSeq = 1): Side {
  const sequence = { next: nextSeq }
  const events = new EventRows(sequence, SERVICE)
  const postings = new PostingRows(sequence, SERVICE)
  return { gate: parlayGate(parlayVenue(PROFILE, events, postings), gateProfile, events), events, postings }
}

/** One call of the gate, for the replay. Null for a pulse. */
interface Call {
  readonly nowUs: number
  readonly command: GateCommand | null
}

/** What every run begins with: markets, funds, and endpoints with a secret; account 3 has one without. */
const PRELUDE: readonly (readonly [afterUs: number, command: GateCommand])[] = [
  ...[0, 1, 2, 3, 4, 5].map((market) => [0, commandOf(ParlayOp.listMarket, 0, { market, closeUs: START_US + 1e13 })] as const),
  ...ACCOUNTS.map((account) => [account, commandOf(ParlayOp.deposit, account, { amountMicros: 2_000_000_000 })] as const),
  ...[[0, 0], [1, 0], [1, 1], [2, 1], [3, 0]].flatMap(([account, value], i) => [
    [5_000_000 + i, commandOf(ParlayOp.setEndpoint, account!, { [SetEndpoint.ownerKind]: value!, [SetEndpoint.events]: value === 1 ? 7 : 127 })] as const,
    ...(account === 3 ? [] : [[5_000_000 + i, commandOf(ParlayOp.rotateSecret, account!, { [RotateSecret.ownerKind]: value! })] as const]),
  ]),
]
const PRELUDE_ENDS_US = START_US + 10_000_000

/** Commands, or pulses (null), each at microseconds after the prelude. */
export type Script = readonly (readonly [afterUs: number, command: GateCommand | null])[]

/** Plays the intents against both sides under the profile, and replays the whole at the end. */
export function duel(gateProfile: ParlayGateProfile, intents: readonly Intent[], coverage: Coverage): void {
  const run = new Duel(gateProfile, coverage)
  for (const intent of intents) run.play(intent)
  run.replay()
}

/** The same for a script; returns the rows of each step, as the gate wrote them. */
export function duelOf(gateProfile: ParlayGateProfile, script: Script, coverage: Coverage): Row[][] {
  const run = new Duel(gateProfile, coverage)
  const rows = script.map(([afterUs, command]) => {
    const nowUs = PRELUDE_ENDS_US + afterUs
    return command === null ? run.pulseAt(nowUs) : run.applyAt(nowUs, command)
  })
  run.replay()
  return rows
}

class Duel {
  private readonly mirror: Mirror
  private side: Side
  private readonly profile: ParlayGateProfile
  private readonly coverage: Coverage
  private readonly calls: Call[] = []
  private readonly allRows: Row[] = []
  /** Place of an event row among all, by seq. */
  private readonly places = new Map<number, number>()
  private readonly command = new ParlayCommand()
  private nowUs = START_US
  private lastSeq = 0

  constructor(profile: ParlayGateProfile, coverage: Coverage) {
    this.profile = profile
    this.coverage = coverage
    this.mirror = new Mirror(profile, PROFILE, SERVICE, coverage)
    this.side = newSide(profile)
    for (const [afterUs, command] of PRELUDE) this.applyAt(START_US + afterUs, command)
    this.pulseAt(PRELUDE_ENDS_US)
  }

  play(intent: Intent): void {
    const nowUs = instantOf(intent.time, this.nowUs, this.ahead())
    if (intent.kind === 'pulse') return void this.pulseAt(nowUs)
    if (intent.kind === 'restore') return this.restore()
    // What the intent means is settled by the state before the deadlines of its instant, so that it may come too late.
    for (let i = 0; i < intent.times; i++) {
      const scene = { state: this.mirror.state, nowUs, trade: this.mirror.trade }
      this.applyAt(nowUs, concrete({ ...intent, pick: intent.pick + i }, scene))
    }
  }

  /** Deadlines, and ends of windows. */
  private *ahead(): Generator<number> {
    const { state, venue } = this.mirror
    for (const { atUs } of deadlinesOf(state)) yield atUs
    for (const window of state.windows.values()) yield endOf(window, this.profile)
    yield venue.nextDeadlineUs()
  }

  applyAt(nowUs: number, unnumbered: GateCommand): Row[] {
    const command = { ...unnumbered, seq: ++this.lastSeq }
    return this.compare(nowUs, command, this.mirror.apply(nowUs, command))
  }

  pulseAt(nowUs: number): Row[] {
    const rows = this.compare(nowUs, null, this.mirror.pulse(nowUs))
    const nextUs = this.side.gate.nextDeadlineUs()
    if (nextUs <= nowUs) this.fail(`a deadline at ${nextUs} is left after the pulse`)
    return rows
  }

  private compare(nowUs: number, command: GateCommand | null, expected: readonly Row[]): Row[] {
    const { gate, events, postings } = this.side
    const firstSeq = events.sequence.next
    this.nowUs = nowUs
    this.calls.push({ nowUs, command })
    this.coverage.steps++
    events.clear()
    postings.clear()
    if (command === null) gate.pulse(nowUs)
    else gate.apply(nowUs, fill(this.command, command))
    this.checkSequence(firstSeq)
    const rows = this.placed()
    for (let i = 0; i < Math.max(expected.length, rows.length); i++) {
      const difference = differenceOf(expected[i], rows[i])
      if (difference !== null) this.fail(`row ${i}: ${difference}\nmodel:\n${textOf(expected)}\ngate:\n${textOf(rows)}`)
    }
    this.allRows.push(...rows)
    this.compareViews()
    const dueUs = this.mirror.nextUs()
    if (gate.nextDeadlineUs() > dueUs) this.fail(`the gate's next deadline is ${gate.nextDeadlineUs()}, the model's ${dueUs}`)
    return rows
  }

  /** The rows written last, the seq that a queued delivery names as the place of its row. */
  private placed(): Row[] {
    const { events } = this.side
    for (let i = 0; i < events.count; i++) this.places.set(events.read(events.row(i), EventCell.seq), this.places.size + 1)
    return rowsOf(events).map((row) =>
      isOfKind(row, ParlayEvent.deliveryQueued) ? { ...row, eventSeq: this.places.get(row.eventSeq) ?? NaN } : row)
  }

  /** Event and posting rows of a step share one gapless sequence. */
  private checkSequence(firstSeq: number): void {
    const { events, postings } = this.side
    const seqs = [
      ...Array.from({ length: events.count }, (_, row) => events.read(events.row(row), EventCell.seq)),
      ...Array.from({ length: postings.count }, (_, row) => postings.get(row, PostingField.seq)),
    ].sort((a, b) => a - b)
    seqs.forEach((seq, i) => {
      if (seq !== firstSeq + i) this.fail(`row sequence ${seq} in place of ${firstSeq + i}`)
    })
  }

  private compareViews(): void {
    const model = viewOf(this.mirror.state)
    const { gateView, view } = this.side.gate
    this.same('last limit', model.lastLimit(), gateView.lastLimit())
    const { lastKey } = this.mirror.state
    for (const number of [0, 1, lastKey, lastKey + 1, -1, 0.5, NaN]) this.same(`key ${number}`, model.key(number), gateView.key(number))
    for (const account of [...ACCOUNTS, 1_100, 2_147_483_646]) {
      this.same(`keys of ${account}`, model.keysOf(account), gateView.keysOf(account))
      if (model.isLive(account) !== gateView.isLive(account)) this.fail(`account ${account} is live on one side only`)
      for (const owner of [0, 1]) {
        this.same(`endpoint ${account}/${owner}`, model.endpoint(account, owner), gateView.endpoint(account, owner))
        this.same(`deliveries of ${account}/${owner}`, model.deliveriesOf(account, owner), gateView.deliveriesOf(account, owner))
      }
      this.same(`balance of ${account}`, this.mirror.venue.view.balance(account), view.balance(account))
    }
    this.same('totals', this.mirror.venue.view.totals(), view.totals())
  }

  private same(what: string, expected: object | null, got: object | null): void {
    if (isDeepStrictEqual(expected, got)) return
    const [a, b] = [expected, got].map((value) => JSON.stringify(sorted(value)))
    this.fail(`${what}\nmodel: ${a}\ngate:  ${b}`)
  }

  /** Goes on with a fresh gate that was given the image of the present one. */
  private restore(): void {
    const { gate, events } = this.side
    const fresh = newSide(this.profile, events.sequence.next)
    fresh.gate.restore(deserialize(serialize(gate.snapshot())) as Image)
    if (fresh.gate.stateHash() !== gate.stateHash()) this.fail('the restored gate has another state hash')
    if (fresh.gate.nextDeadlineUs() !== gate.nextDeadlineUs()) this.fail('the restored gate has another next deadline')
    this.side = fresh
    this.compareViews()
  }

  /** Runs every call again in a fresh gate (INV-30). */
  replay(): void {
    const last = this.side
    const before = [...this.allRows]
    this.side = newSide(this.profile)
    this.places.clear()
    const rows = this.calls.flatMap(({ nowUs, command }) => {
      this.side.events.clear()
      if (command === null) this.side.gate.pulse(nowUs)
      else this.side.gate.apply(nowUs, fill(this.command, command))
      return this.placed()
    })
    for (let i = 0; i < Math.max(rows.length, before.length); i++) {
      const difference = differenceOf(before[i], rows[i])
      if (difference !== null) this.fail(`the replay differs in row ${i}: ${difference}`)
    }
    if (this.side.gate.stateHash() !== last.gate.stateHash()) this.fail('the replay ends with another state hash')
  }

  private fail(about: string): never {
    const way = this.calls.slice(PRELUDE.length + 1)
      .map(({ nowUs, command }) => `${nowUs - PRELUDE_ENDS_US} µs ${command === null ? 'pulse' : commandText(command)}`)
    throw new Error(`${about}\nprofile: ${JSON.stringify(this.profile)}\ncalls after the prelude:\n${way.join('\n')}`)
  }
}

/** Where two rows differ, or null. */
function differenceOf(expected: Row | undefined, got: Row | undefined): string | null {
  if (expected === undefined) return got === undefined ? null : 'only the gate has it'
  if (got === undefined) return 'only the model has it'
  for (const name of Object.keys(expected) as (keyof Row)[]) {
    const [a, b] = [expected[name], got[name]]
    if (Object.is(a, b) || (typeof a === 'object' && JSON.stringify(a) === JSON.stringify(b))) continue
    return `${name} is ${JSON.stringify(a)} in the model, ${JSON.stringify(b)} in the gate`
  }
  return null
}

/** The same object with its names in order, so that texts can be compared by eye. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, one]) => [name, sorted(one)]))
}

const CODE_NAMES = Object.fromEntries(Object.entries(ParlayCode).map(([name, code]) => [code, name]))

function textOf(rows: readonly Row[]): string {
  return rows.map((row) => {
    const fields = Object.entries(row)
      .filter(([name, value]) => value !== -1 && name !== 'service' && name !== 'kind' && JSON.stringify(value) !== '[]')
    const shown = fields.map(([name, value]) => {
      return `${name} ${name === 'code' && row.kind === ParlayEvent.reply ? CODE_NAMES[value as number] : JSON.stringify(value)}`
    })
    return `  ${PARLAY_EVENT_NAMES[row.kind]} ${shown.join(', ')}`
  }).join('\n')
}

function commandText(command: GateCommand): string {
  const fields = Object.entries(command).filter(([name, value]) => name !== 'op' && value !== -1 && JSON.stringify(value) !== '[]')
  return `${PARLAY_OP_NAMES[command.op] ?? `op ${command.op}`} ${fields.map(([name, value]) => `${name} ${String(value)}`).join(', ')}`
}
