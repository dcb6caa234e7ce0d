import { inspect, isDeepStrictEqual } from 'node:util'
import { deserialize, serialize } from 'node:v8'
import { PostingField, PostingRows } from '../../../src/ledger/postingRows.ts'
import type { Image } from '../../../src/unit/snapshot.ts'
import { EventCell, EventRows } from '../../../src/venue/eventRows.ts'
import { type OutcomeGate, outcomeGate } from '../../../src/venue/outcome/gate/gate.ts'
import { OUTCOME_CODES } from '../../../src/venue/outcome/protocol/codes.ts'
import { BindAccount, OUTCOME_OP_NAMES, OutcomeCommand, OutcomeOp } from '../../../src/venue/outcome/protocol/commands.ts'
import { OUTCOME_EVENT_NAMES, OutcomeEvent } from '../../../src/venue/outcome/protocol/events.ts'
import type { OutcomeGateProfile } from '../../../src/venue/outcome/protocol/gate.ts'
import { OUTCOME_SETTINGS, type OutcomeProfile } from '../../../src/venue/outcome/protocol/profile.ts'
import { cheapTermsTag } from '../../../src/venue/outcome/protocol/terms.ts'
import { outcomeVenue } from '../../../src/venue/outcome/venue.ts'
import { profileOf } from '../../../src/venue/profile.ts'
import { commandOf, fill, type GateCommand } from './command.ts'
import { concrete } from './concrete.ts'
import { type Coverage } from './coverage.ts'
import { keyTermsOf } from './credentials.ts'
import { type Intent, instantOf } from './intents.ts'
import { endOf } from './limits.ts'
import { Mirror } from './mirror.ts'
import { deadlinesOf, forgettingsOf } from './model.ts'
import { type Row, rowsOf } from './rows.ts'
import { ACCOUNTS, MAKERS } from './scene.ts'
import { keptUntilUs } from './streams.ts'
import { viewOf } from './view.ts'

/** Gate and reference model on the same commands, compared after each. A difference is thrown, with the way to it. */

const SECOND_US = 1_000_000
const DAY_US = 86_400 * SECOND_US
export const START_US = 1_750_000_000_000_000
const SERVICE = 2

/** The venue inside has windows and retention short enough to end within a run. */
const PROFILE: Partial<OutcomeProfile> = {
  retentionMs: 5_000, operationMs: 400, settlementEveryMs: 3_000, rfqIntentLimit: 4, confirmMs: 1_500, reductionDelayMs: 4_000,
}

interface Side {
  readonly gate: OutcomeGate
  readonly events: EventRows
  readonly postings: PostingRows
}

/** One call of the gate, for the replay. Null for a pulse. */
interface Call {
  readonly nowUs: number
  readonly command: GateCommand | null
}

/** What every run begins with: outcomes, funds, and keys that expire `1 day` later, soon after the prelude. */
const PRELUDE: readonly (readonly [afterUs: number, command: GateCommand])[] = [
  ...[0, 1, 2, 3].map((account) => [0, commandOf(OutcomeOp.bindAccount, -1, { [BindAccount.bound]: account, [BindAccount.role]: MAKERS.includes(account as 2) ? 1 : 0 })] as const),
  ...Array.from({ length: 8 }, (_, outcome) =>
    [0, commandOf(OutcomeOp.listOutcome, -1, { outcome, closeUs: START_US + 1e13, list: [1_000 + outcome] })] as const),
  ...[0, 1, 2, 3].map((account) => [0, commandOf(OutcomeOp.deposit, account, { amountMicros: 2_000_000_000 })] as const),
  ...[0, 1, 2, 3].flatMap((account, i) => {
    const request = { scopes: [63, 61, 479, 66][account]!, scopeCount: 1, labelLength: 1, expiryDays: 1 }
    const fields = { value: request.scopes, value2: 1, validMs: 1, expiryDays: 1, origin: 0 }
    const proof = { challenge: i + 1, signer: account, termsTag: cheapTermsTag(keyTermsOf(account, i + 1, request)), key: 1 }
    const afterUs = (6 + 4 * i) * SECOND_US + i
    return [
      [afterUs, commandOf(OutcomeOp.challengeKey, account, fields)], [afterUs, commandOf(OutcomeOp.issueKey, account, { ...fields, ...proof })],
    ] as const
  }),
]
const PRELUDE_ENDS_US = START_US + DAY_US

/** Commands, or pulses (null), each at microseconds after the prelude. */
export type Script = readonly (readonly [afterUs: number, command: GateCommand | null])[]

/** Plays the intents against both sides under the profile, and replays the whole at the end. */
export function duel(gateProfile: OutcomeGateProfile, intents: readonly Intent[], coverage: Coverage): void {
  const run = new Duel(gateProfile, profileOf(OUTCOME_SETTINGS, PROFILE), coverage)
  for (const intent of intents) run.play(intent)
  run.replay()
}

/** The same for a script; returns the rows of each step, as the gate wrote them. */
export function duelOf(
  gateProfile: OutcomeGateProfile, script: Script, coverage: Coverage, venueOverrides: Partial<OutcomeProfile> = {},
): Row[][] {
  const run = new Duel(gateProfile, profileOf(OUTCOME_SETTINGS, { ...PROFILE, ...venueOverrides }), coverage)
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
  private readonly profile: OutcomeGateProfile
  private readonly venueProfile: OutcomeProfile
  private readonly coverage: Coverage
  private readonly calls: Call[] = []
  private readonly allRows: Row[] = []
  private readonly command = new OutcomeCommand()
  private nowUs = START_US
  private lastSeq = 0

  constructor(profile: OutcomeGateProfile, venueProfile: OutcomeProfile, coverage: Coverage) {
    this.profile = profile
    this.venueProfile = venueProfile
    this.coverage = coverage
    this.mirror = new Mirror(profile, venueProfile, SERVICE, coverage)
    this.side = this.newSide()
    for (const [afterUs, command] of PRELUDE) this.applyAt(START_US + afterUs, command)
    this.pulseAt(PRELUDE_ENDS_US)
  }

  private newSide(nextSeq = 1): Side {
    const sequence = { next: nextSeq }
    const events = new EventRows(sequence, SERVICE)
    const postings = new PostingRows(sequence, SERVICE)
    return { gate: outcomeGate(outcomeVenue(this.venueProfile, events, postings), this.profile, events), events, postings }
  }

  play(intent: Intent): void {
    const nowUs = instantOf(intent.time, this.nowUs, this.ahead())
    if (intent.kind === 'pulse') return void this.pulseAt(nowUs)
    if (intent.kind === 'restore') return this.restore()
    // What the intent means is settled by the state before the deadlines of its instant, so that it may come too late.
    for (let i = 0; i < intent.times; i++) {
      const { state, trade } = this.mirror
      this.applyAt(nowUs, concrete({ ...intent, pick: intent.pick + i }, { state, profile: this.profile, nowUs, trade }))
    }
  }

  /** Deadlines, and ends of windows. */
  private *ahead(): Generator<number> {
    const { state, frame, venue } = this.mirror
    for (const { atUs } of deadlinesOf(state, frame)) yield atUs
    yield* forgettingsOf(state, frame)
    if (state.log.length > 0) yield keptUntilUs(state.log[0]!, this.profile.replayWindowMs)
    for (const { closeUs } of state.outcomes.values()) yield closeUs
    for (const window of state.windows.values()) yield endOf(window, this.profile)
    for (const { untilUs, isUsed } of state.challenges.values()) if (!isUsed) yield untilUs
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
    const rows = rowsOf(events)
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

  /** Event and posting rows of a step share one gapless sequence. */
  private checkSequence(firstSeq: number): void {
    const { events, postings } = this.side
    const seqs = [
      ...Array.from({ length: events.count }, (_, i) => events.read(events.row(i), EventCell.seq)),
      ...Array.from({ length: postings.count }, (_, row) => postings.get(row, PostingField.seq)),
    ].sort((a, b) => a - b)
    seqs.forEach((seq, i) => {
      if (seq !== firstSeq + i) this.fail(`row sequence ${seq} in place of ${firstSeq + i}`)
    })
  }

  private compareViews(): void {
    const { state, venue } = this.mirror
    const model = viewOf(state)
    const { gateView, view } = this.side.gate
    this.same('last limit', model.lastLimit(), gateView.lastLimit())
    this.same('remembered answers', model.rememberedCount(), gateView.rememberedCount())
    const last = state.lastCredential
    for (const number of [0, last - 3, last - 2, last - 1, last, last + 1, -1, 0.5, NaN]) {
      this.same(`credential ${number}`, model.credential(number), gateView.credential(number))
    }
    for (const { credential } of state.streams.values()) this.same(`credential ${credential}`, model.credential(credential), gateView.credential(credential))
    for (const number of [...state.streams.keys(), 0, 1, state.lastStream, state.lastStream + 1, -1, 0.5, NaN]) {
      this.same(`stream ${number}`, model.stream(number), gateView.stream(number))
    }
    for (const account of [...ACCOUNTS, 16_777_215]) {
      this.same(`live keys of ${account}`, model.liveKeysOf(account), gateView.liveKeysOf(account))
      this.same(`streams of ${account}`, model.streamsOf(account), gateView.streamsOf(account))
    }
    for (const account of ACCOUNTS) this.same(`balance of ${account}`, venue.view.balance(account), view.balance(account))
    this.same('totals', venue.view.totals(), view.totals())
  }

  private same(what: string, expected: unknown, got: unknown): void {
    if (!isDeepStrictEqual(expected, got)) this.fail(`${what}\nmodel: ${inspect(expected)}\ngate:  ${inspect(got)}`)
  }

  /** Goes on with a fresh gate that was given the image of the present one. */
  private restore(): void {
    const { gate, events } = this.side
    const fresh = this.newSide(events.sequence.next)
    fresh.gate.restore(deserialize(serialize(gate.snapshot())) as Image)
    if (fresh.gate.stateHash() !== gate.stateHash()) this.fail('the restored gate has another state hash')
    if (fresh.gate.nextDeadlineUs() !== gate.nextDeadlineUs()) this.fail('the restored gate has another next deadline')
    this.side = fresh
    this.compareViews()
  }

  /** Runs every call again in a fresh gate (INV-30). */
  replay(): void {
    const last = this.side
    this.side = this.newSide()
    const rows = this.calls.flatMap(({ nowUs, command }) => {
      this.side.events.clear()
      this.side.postings.clear()
      if (command === null) this.side.gate.pulse(nowUs)
      else this.side.gate.apply(nowUs, fill(this.command, command))
      return rowsOf(this.side.events)
    })
    for (let i = 0; i < Math.max(rows.length, this.allRows.length); i++) {
      const difference = differenceOf(this.allRows[i], rows[i])
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
  const [model, gate] = [expected, got] as unknown as readonly Readonly<Record<string, unknown>>[]
  for (const name of new Set([...Object.keys(expected), ...Object.keys(got)])) {
    const [a, b] = [model![name], gate![name]]
    if (Object.is(a, b) || (typeof a === 'object' && JSON.stringify(a) === JSON.stringify(b))) continue
    return `${name} is ${shown(a)} in the model, ${shown(b)} in the gate`
  }
  return null
}

const shown = (value: unknown): string => (Object.is(value, -0) ? '-0' : typeof value === 'number' ? String(value) : JSON.stringify(value))

function textOf(rows: readonly Row[]): string {
  return rows.map((row) => {
    const fields = Object.entries(row)
      .filter(([name, value]) => value !== -1 && name !== 'service' && name !== 'kind' && JSON.stringify(value) !== '[]')
    const isCode = (name: string): boolean => name === 'code' || (name === 'reason' && row.kind === OutcomeEvent.streamClosed)
    return `  ${OUTCOME_EVENT_NAMES[row.kind]} ${fields.map(([name, value]) =>
      `${name} ${isCode(name) ? OUTCOME_CODES[value as number]!.name : shown(value)}`).join(', ')}`
  }).join('\n')
}

function commandText(command: GateCommand): string {
  const fields = Object.entries(command).filter(([name, value]) => name !== 'op' && value !== -1 && JSON.stringify(value) !== '[]')
  return `${OUTCOME_OP_NAMES[command.op] ?? `op ${command.op}`} ${fields.map(([name, value]) => `${name} ${Array.isArray(value) ? JSON.stringify(value) : shown(value)}`).join(', ')}`
}
