import { deserialize, serialize } from 'node:v8'
import { PostingField, PostingRows } from '../../../src/ledger/postingRows.ts'
import type { Image } from '../../../src/unit/snapshot.ts'
import { NEVER_US } from '../../../src/unit/time.ts'
import { EventCell, EventRows } from '../../../src/venue/eventRows.ts'
import { AccountRole, BindAccount, OutcomeCommand, OutcomeOp } from '../../../src/venue/outcome/protocol/commands.ts'
import type { OutcomeProfile } from '../../../src/venue/outcome/protocol/profile.ts'
import type { OutcomeView } from '../../../src/venue/outcome/protocol/view.ts'
import { type OutcomeVenue, outcomeVenue } from '../../../src/venue/outcome/venue.ts'
import { endsAreFinal } from './bookInvariants.ts'
import { commandOf, fill, type ModelCommand } from './command.ts'
import { concrete } from './concrete.ts'
import { idOf } from './concreteOperator.ts'
import { type Coverage, observe, observeCommand, observeRows } from './coverage.ts'
import { commandText, differenceOf, textOf } from './differences.ts'
import { type Intent, instantOf } from './intents.ts'
import { breachesOf, OF_SINGLE_STEPS } from './invariants.ts'
import { advance, deadlinesOf, lastDeadlineBefore, nextDeadline, OutcomeModel, perform } from './model.ts'
import { accountsOf, type Row, rowsOf } from './namedRows.ts'
import { type Posting, SERVICE } from './rows.ts'
import { MAKERS, OPERATOR, PARTICIPANTS, STRANGERS_KNOWN } from './scene.ts'
import { emptyState, type State } from './state.ts'
import { count, newTally, type Tally } from './tally.ts'
import { viewOf } from './view.ts'

/** Venue and reference model on the same commands, compared after each. A difference is thrown, with the way to it. */

/** A whole second, and no batch of the default profile. */
export const START_US = 1_750_000_000_000_000

interface Side {
  readonly venue: OutcomeVenue
  readonly events: EventRows
  readonly postings: PostingRows
}

/** One call of the venue, for the replay. */
interface Call {
  readonly nowUs: number
  /** Null for a pulse. */
  readonly command: ModelCommand | null
}

/** Makes the venue that is compared with the model. */
export type MakeVenue = typeof outcomeVenue

function newSide(profile: OutcomeProfile, make: MakeVenue): Side {
  const sequence = { next: 1 }
  const events = new EventRows(sequence, SERVICE, 16)
  const postings = new PostingRows(sequence, SERVICE, 16)
  return { venue: make(profile, events, postings), events, postings }
}

const RICH_MICROS = 2_000_000_000
const POOR_MICROS = 30_000_000

const isPoor = (account: number): boolean => account === PARTICIPANTS.at(-1) || account === MAKERS.at(-1)

/** Outcomes, identities and funds that every run begins with. */
const PRELUDE: readonly ModelCommand[] = [
  ...Array.from({ length: 8 }, (_, outcome) =>
    commandOf(OutcomeOp.listOutcome, OPERATOR, { outcome, closeUs: START_US + 40_000_000 + outcome * 37_000_000, list: idOf(outcome) })),
  ...PARTICIPANTS.map((value) => commandOf(OutcomeOp.bindAccount, OPERATOR, { value, [BindAccount.role]: AccountRole.participant })),
  ...MAKERS.map((value) => commandOf(OutcomeOp.bindAccount, OPERATOR, { value, [BindAccount.role]: AccountRole.maker })),
  ...[...PARTICIPANTS, ...MAKERS].map((account) =>
    commandOf(OutcomeOp.deposit, account, { amountMicros: isPoor(account) ? POOR_MICROS : RICH_MICROS })),
]

/** Plays the intents against both sides under the profile, and replays the whole at the end. */
export function duel(profile: OutcomeProfile, intents: readonly Intent[], coverage: Coverage, make: MakeVenue = outcomeVenue): void {
  const run = new Duel(profile, coverage, make)
  for (const command of PRELUDE) run.applyAt(START_US, command)
  for (const intent of intents) run.play(intent)
  run.finish()
}

/** Commands, or pulses (null), each at microseconds after the start; a command may be made from the model's state then. */
export type Script = readonly (readonly [afterUs: number, command: ModelCommand | ((state: State) => ModelCommand) | null])[]

/** The same for a script; returns the model's last state. */
export function duelOf(profile: OutcomeProfile, script: Script, coverage: Coverage): State {
  const run = new Duel(profile, coverage, outcomeVenue)
  for (const command of PRELUDE) run.applyAt(START_US, command)
  for (const [afterUs, step] of script) {
    const nowUs = START_US + afterUs
    if (step === null) run.pulseAt(nowUs)
    else run.applyAt(nowUs, typeof step === 'function' ? step(run.stateAt(nowUs)) : step)
  }
  run.finish()
  run.replayModel()
  return run.state
}

/** Answers of the view by account. */
const LISTS = ['acceptancesOf', 'positionsOf', 'openRfqsOf', 'liveQuotesOf', 'operationsOf'] as const

/** Every so many steps all numbers are compared, in the others only what changed in the model. */
const FULL_EVERY = 16

class Duel {
  state: State
  private nowUs = START_US
  private lastSeq = 0
  private side: Side
  private steps = 0
  private readonly tally: Tally = newTally()
  private readonly profile: OutcomeProfile
  private readonly coverage: Coverage
  private readonly make: MakeVenue
  private readonly calls: Call[] = []
  private readonly allRows: Row[] = []
  private readonly command = new OutcomeCommand()

  constructor(profile: OutcomeProfile, coverage: Coverage, make: MakeVenue) {
    this.profile = profile
    this.coverage = coverage
    this.make = make
    this.state = emptyState(profile)
    this.side = newSide(profile, make)
  }

  /** The model's state at an instant, after its deadlines. */
  stateAt(nowUs: number): State {
    return advance(this.state, this.profile, nowUs).state
  }

  play(intent: Intent): void {
    const nowUs = instantOf(intent.time, this.nowUs, this.state, this.profile)
    for (const { atUs } of deadlinesOf(this.state)) {
      if (atUs === nowUs) {
        this.coverage.onDeadline++
        break
      }
    }
    if (intent.kind === 'pulse') return this.pulseAt(nowUs)
    if (intent.kind === 'restore') return this.restore()
    this.applyAt(nowUs, concrete(intent, { state: this.stateAt(nowUs), nowUs, profile: this.profile })!)
  }

  applyAt(nowUs: number, unnumbered: ModelCommand): void {
    const command = { ...unnumbered, seq: ++this.lastSeq }
    const earlier = advance(this.state, this.profile, lastDeadlineBefore(nowUs, command), this.observe)
    const own = perform(earlier.state, this.profile, nowUs, command)
    this.observe(earlier.state, own.state)
    observeCommand(this.coverage, command, earlier.state, own.rows)
    this.compare({
      nowUs, command, middle: earlier.state, after: own.state, rows: [...earlier.rows, ...own.rows],
      postings: [...earlier.postings, ...own.postings],
    })
  }

  pulseAt(nowUs: number): void {
    const { state, rows, postings } = advance(this.state, this.profile, nowUs, this.observe)
    this.compare({ nowUs, command: null, middle: state, after: state, rows, postings })
    const nextUs = this.side.venue.nextDeadlineUs()
    if (nextUs <= nowUs) this.fail(`a deadline at ${nextUs} is left after the pulse`)
  }

  /** Goes on with a fresh venue that was given the image of the present one. */
  private restore(): void {
    const { venue } = this.side
    const image = deserialize(serialize(venue.snapshot())) as Image
    const fresh = newSide(this.profile, this.make)
    fresh.venue.restore(image)
    if (fresh.venue.stateHash() !== venue.stateHash()) this.fail('the restored venue has another state hash')
    if (fresh.venue.nextDeadlineUs() !== venue.nextDeadlineUs()) this.fail('the restored venue has another next deadline')
    this.side = fresh
    this.compareAll()
  }

  /** Compares everything once more, and runs every call again in a fresh venue (INV-30). */
  finish(): void {
    this.compareAll()
    const again = newSide(this.profile, this.make)
    for (const { nowUs, command } of this.calls) {
      if (command === null) again.venue.pulse(nowUs)
      else again.venue.apply(nowUs, fill(this.command, command))
    }
    const rows = rowsOf(again.events)
    if (rows.length !== this.allRows.length) this.fail(`the replay wrote ${rows.length} rows in place of ${this.allRows.length}`)
    rows.forEach((row, i) => {
      const difference = differenceOf(this.allRows[i]!, row)
      if (difference !== null) this.fail(`the replay differs in row ${i}: ${difference}`)
    })
    if (again.venue.stateHash() !== this.side.venue.stateHash()) this.fail('the replay ends with another state hash')
  }

  /** Runs every call again in a model that is fed as a venue is. */
  replayModel(): void {
    const model = new OutcomeModel(this.profile)
    const rows: Row[] = []
    for (const { nowUs, command } of this.calls) {
      if (command === null) model.pulse(nowUs)
      else model.apply(nowUs, fill(this.command, command))
      rows.push(...model.rows)
    }
    this.compareLists('row of the model fed by commands', rows, this.allRows)
    this.same('totals', 0, model.view.totals(), this.side.venue.view.totals())
  }

  private readonly observe = (before: State, after: State): void => {
    observe(this.coverage, before, after)
    const { claims } = this.coverage
    endsAreFinal(before, after, (holds, about) => {
      claims.set(OF_SINGLE_STEPS, (claims.get(OF_SINGLE_STEPS) ?? 0) + 1)
      if (!holds) this.fail(`${OF_SINGLE_STEPS}: ${about}`)
    })
  }

  private compare(expected: {
    nowUs: number, command: ModelCommand | null, middle: State, after: State, rows: readonly Row[], postings: readonly Posting[],
  }): void {
    const { nowUs, command, middle, after } = expected
    const { venue, events, postings } = this.side
    const firstSeq = events.sequence.next
    events.clear()
    postings.clear()
    this.nowUs = nowUs
    this.calls.push({ nowUs, command })
    if (command === null) venue.pulse(nowUs)
    else venue.apply(nowUs, fill(this.command, command))

    const rows = rowsOf(events)
    const moved = postingsOf(postings)
    this.compareLists('row', expected.rows, rows)
    this.compareLists('posting', expected.postings, moved)
    this.checkSequence(firstSeq)
    count(this.tally, rows, moved)
    const before = this.state
    this.state = after
    if (++this.steps % FULL_EVERY === 0) this.compareAll()
    else this.compareChanged(before, rows)
    this.checkDeadline(nowUs)
    const breaches = breachesOf({
      profile: this.profile, nowUs, command, before, middle, after, rows, postings: moved, tally: this.tally,
    }, this.coverage.claims)
    if (breaches.length > 0) this.fail(breaches.join('\n'))
    observeRows(this.coverage, rows)
    this.coverage.steps++
    this.allRows.push(...rows)
  }

  private compareLists(what: string, expected: readonly (Row | Posting)[], got: readonly (Row | Posting)[]): void {
    for (let i = 0; i < Math.max(expected.length, got.length); i++) {
      const difference = differenceOf(expected[i], got[i])
      if (difference !== null) this.fail(`${what} ${i}: ${difference}\nmodel:\n${textOf(expected)}\nvenue:\n${textOf(got)}`)
    }
  }

  /** Event and posting rows of a step share one gapless sequence, each in rising order. */
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

  /** Every answer of the view, of unknown numbers and accounts too. */
  private compareAll(): void {
    const { lastRfq, lastQuote, lastAcceptance, lastOperation, lastPosition } = this.state
    const numbers = (last: number): number[] => [...Array.from({ length: last + 2 }, (_, number) => number), -1]
    this.compareNumbers('rfq', numbers(lastRfq))
    this.compareNumbers('listedQuotes', numbers(lastRfq))
    this.compareNumbers('quote', numbers(lastQuote))
    this.compareNumbers('acceptance', numbers(lastAcceptance))
    this.compareNumbers('acceptanceOfQuote', numbers(lastQuote))
    this.compareNumbers('operation', numbers(lastOperation))
    this.compareNumbers('position', numbers(lastPosition))
    this.compareNumbers('isListed', [...this.state.outcomes.keys(), -1, 500])
    const accounts = [...this.state.accounts.keys(), ...STRANGERS_KNOWN, -1]
    for (const what of LISTS) this.compareNumbers(what, accounts)
    this.compareMoney(accounts)
  }

  private compareMoney(accounts: readonly number[]): void {
    this.compareNumbers('balance', accounts)
    this.compareNumbers('capital', accounts)
    this.same('totals', 0, viewOf(this.state, this.nowUs).totals(), this.side.venue.view.totals())
  }

  /** What the step changed in the model, and the money of those whom its rows name. */
  private compareChanged(before: State, rows: readonly Row[]): void {
    const after = this.state
    this.compareNumbers('rfq', changedNumbers(before.rfqs, after.rfqs))
    this.compareNumbers('quote', changedNumbers(before.quotes, after.quotes))
    this.compareNumbers('listedQuotes', changedNumbers(before.rfqs, after.rfqs))
    this.compareNumbers('acceptance', changedNumbers(before.acceptances, after.acceptances))
    this.compareNumbers('operation', changedNumbers(before.operations, after.operations))
    this.compareNumbers('position', changedNumbers(before.positions, after.positions))
    this.compareNumbers('isListed', changedNumbers(before.outcomes, after.outcomes))
    this.compareMoney([...new Set(rows.flatMap(accountsOf))])
  }

  private compareNumbers(what: Exclude<keyof OutcomeView, 'totals'>, numbers: readonly number[]): void {
    const model = viewOf(this.state, this.nowUs)
    const { view } = this.side.venue
    for (const number of numbers) this.same(what, number, model[what](number), view[what](number))
  }

  private same(what: string, number: number, expected: object | boolean | null, got: object | boolean | null): void {
    const difference = differenceOf({ answer: expected }, { answer: got })
    if (difference === null) return
    this.fail(`${what} ${number}: ${difference}\nmodel: ${JSON.stringify(expected)}\nvenue: ${JSON.stringify(got)}`)
  }

  private checkDeadline(nowUs: number): void {
    const nextUs = this.side.venue.nextDeadlineUs()
    const dueUs = nextDeadline(this.state)?.atUs ?? NEVER_US
    if (nextUs > dueUs) this.fail(`the venue's next deadline is ${nextUs}, the model's ${dueUs}`)
    if (nextUs < nowUs) this.fail(`a deadline at ${nextUs} is left at ${nowUs}`)
  }

  private fail(about: string): never {
    const way = this.calls.map(({ nowUs, command }) => `${nowUs - START_US} µs ${command === null ? 'pulse' : commandText(command)}`)
    throw new Error(`${about}\nprofile: ${JSON.stringify(this.profile)}\ncalls after the prelude:\n${way.slice(PRELUDE.length).join('\n')}`)
  }
}

/** Numbers whose objects came, went or are other ones. */
const changedNumbers = <T>(before: ReadonlyMap<number, T>, after: ReadonlyMap<number, T>): number[] =>
  [...new Set([...before.keys(), ...after.keys()])].filter((number) => before.get(number) !== after.get(number))

const POSTING_FIELDS = Object.entries(PostingField).filter(([name]) => name !== 'seq')

function postingsOf(postings: PostingRows): Posting[] {
  return Array.from({ length: postings.count }, (_, row) => {
    const shown: Record<string, number> = {}
    for (const [name, field] of POSTING_FIELDS) shown[name] = postings.get(row, field)
    return shown as unknown as Posting
  })
}
