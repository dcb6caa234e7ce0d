import { deserialize, serialize } from 'node:v8'
import { PostingField, PostingRows } from '../../../src/ledger/postingRows.ts'
import type { Image } from '../../../src/unit/snapshot.ts'
import { NEVER_US } from '../../../src/unit/time.ts'
import { EventCell, EventRows } from '../../../src/venue/eventRows.ts'
import { ParlayCommand, ParlayOp } from '../../../src/venue/parlay/protocol/commands.ts'
import type { ParlayProfile } from '../../../src/venue/parlay/protocol/profile.ts'
import type { ParlayView } from '../../../src/venue/parlay/protocol/view.ts'
import { type ParlayVenue, parlayVenue } from '../../../src/venue/parlay/venue.ts'
import { commandOf, fill, type ModelCommand } from './command.ts'
import { concrete } from './concrete.ts'
import { type Coverage, observe, observeCommand, observeRows } from './coverage.ts'
import { commandText, differenceOf, textOf } from './differences.ts'
import { type Intent, instantOf } from './intents.ts'
import { breachesOf } from './invariants.ts'
import type { Tally } from './moment.ts'
import { advance, deadlinesOf, lastDeadlineBefore, nextDeadline, perform } from './model.ts'
import { accountsOf, type Row, rowsOf } from './namedRows.ts'
import type { Posting } from './rows.ts'
import { ACCOUNTS } from './scene.ts'
import { tallied } from './tally.ts'
import { emptyState, type State } from './state.ts'
import { viewOf } from './view.ts'

/** Venue and reference model on the same commands, compared after each. A difference is thrown, with the way to it. */

export const START_US = 1_750_000_000_000_000

interface Side {
  readonly venue: ParlayVenue
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
export type MakeVenue = typeof parlayVenue

function newSide(profile: ParlayProfile, make: MakeVenue): Side {
  const sequence = { next: 1 }
  const events = new EventRows(sequence, 0, 16)
  const postings = new PostingRows(sequence, 0, 16)
  return { venue: make(profile, events, postings), events, postings }
}

/** Funds and markets that every run begins with; three keys are shared by two or three markets. */
const PRELUDE: readonly ModelCommand[] = [
  ...[[1], [1, 2], [2], [], [3], [4], [3, 5], []].map((list, market) =>
    commandOf(ParlayOp.listMarket, 0, { market, closeUs: START_US + 40_000_000 + market * 37_000_000, list })),
  ...[0, 1, 2, 3].map((account) => commandOf(ParlayOp.deposit, account, { amountMicros: 2_000_000_000 })),
  commandOf(ParlayOp.deposit, 4, { amountMicros: 30_000_000 }),
]

/** Plays the intents against both sides under the profile, and replays the whole at the end. */
export function duel(profile: ParlayProfile, intents: readonly Intent[], coverage: Coverage, make: MakeVenue = parlayVenue): void {
  const run = new Duel(profile, coverage, make)
  for (const command of PRELUDE) run.applyAt(START_US, command)
  for (const intent of intents) run.play(intent)
  run.finish()
}

/** Commands, or pulses (null), each at microseconds after the start. */
export type Script = readonly (readonly [afterUs: number, command: ModelCommand | null])[]

/** The same for a script; returns the model's last state. */
export function duelOf(profile: ParlayProfile, script: Script, coverage: Coverage): State {
  const run = new Duel(profile, coverage, parlayVenue)
  for (const command of PRELUDE) run.applyAt(START_US, command)
  for (const [afterUs, command] of script) {
    if (command === null) run.pulseAt(START_US + afterUs)
    else run.applyAt(START_US + afterUs, command)
  }
  run.finish()
  return run.state
}

/** Accounts that the views are asked for: of the runs, and strangers. */
const ASKED: readonly number[] = [...ACCOUNTS, 77, 5_000]
/** Every so many steps all numbers are compared, in the others only what changed in the model. */
const FULL_EVERY = 16

class Duel {
  state: State
  private nowUs = START_US
  private lastSeq = 0
  private side: Side
  private steps = 0
  private tally: Tally = { netDepositsMicros: new Map(), pendingTransactions: new Map() }
  private readonly profile: ParlayProfile
  private readonly coverage: Coverage
  private readonly make: MakeVenue
  private readonly calls: Call[] = []
  private readonly allRows: Row[] = []
  private readonly command = new ParlayCommand()

  constructor(profile: ParlayProfile, coverage: Coverage, make: MakeVenue) {
    this.profile = profile
    this.coverage = coverage
    this.make = make
    this.state = emptyState(profile)
    this.side = newSide(profile, make)
  }

  play(intent: Intent): void {
    const nowUs = instantOf(intent.time, this.nowUs, this.state, this.profile)
    for (const { atUs } of deadlinesOf(this.state, this.profile)) {
      if (atUs === nowUs) {
        this.coverage.onDeadline++
        break
      }
    }
    if (intent.kind === 'pulse') return this.pulseAt(nowUs)
    if (intent.kind === 'restore') return this.restore()
    const scene = { state: advance(this.state, this.profile, nowUs).state, nowUs, profile: this.profile }
    this.applyAt(nowUs, concrete(intent, scene)!)
  }

  applyAt(nowUs: number, unnumbered: ModelCommand): void {
    const command = { ...unnumbered, seq: ++this.lastSeq }
    const earlier = advance(this.state, this.profile, lastDeadlineBefore(nowUs, command), this.observe)
    const own = perform(earlier.state, this.profile, nowUs, command)
    this.observe(earlier.state, own.state)
    observeCommand(this.coverage, command, earlier.state, own.rows)
    this.compare({
      nowUs, command, middle: earlier.state, after: own.state, rows: [...earlier.rows, ...own.rows],
      postings: [...earlier.postings, ...own.postings], ownPostingCount: own.postings.length,
    })
  }

  pulseAt(nowUs: number): void {
    const { state, rows, postings } = advance(this.state, this.profile, nowUs, this.observe)
    this.compare({ nowUs, command: null, middle: state, after: state, rows, postings, ownPostingCount: 0 })
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

  private readonly observe = (before: State, after: State): void => observe(this.coverage, before, after)

  private compare(expected: {
    nowUs: number, command: ModelCommand | null, middle: State, after: State, rows: readonly Row[], postings: readonly Posting[],
    ownPostingCount: number
  }): void {
    const { nowUs, command, after } = expected
    const { venue, events, postings } = this.side
    const grossBefore = new Map(ACCOUNTS.map((account) => [account as number, venue.view.balance(account).grossMicros]))
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
    this.tally = tallied(this.tally, rows)
    const before = this.state
    this.state = after
    if (++this.steps % FULL_EVERY === 0) this.compareAll()
    else this.compareChanged(before, rows)
    this.checkDeadline(after, nowUs)
    const breaches = breachesOf({
      profile: this.profile, nowUs, command, before, middle: expected.middle, after, rows, postings: moved,
      ownPostings: moved.slice(moved.length - expected.ownPostingCount), view: venue.view, grossBefore, tally: this.tally, accounts: ACCOUNTS,
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
      ...Array.from({ length: events.count }, (_, row) => events.read(events.row(row), EventCell.seq)),
      ...Array.from({ length: postings.count }, (_, row) => postings.get(row, PostingField.seq)),
    ].sort((a, b) => a - b)
    seqs.forEach((seq, i) => {
      if (seq !== firstSeq + i) this.fail(`row sequence ${seq} in place of ${firstSeq + i}`)
    })
  }

  /** Every answer of the view, of unknown numbers and accounts too. */
  private compareAll(): void {
    const { lastRequest, lastQuote, lastPosition, lastAuction, lastBid } = this.state
    const numbers = (last: number): number[] => Array.from({ length: last + 2 }, (_, number) => number)
    this.compareAccounts(ASKED)
    this.compareNumbers('request', numbers(lastRequest))
    this.compareNumbers('quote', numbers(lastQuote))
    this.compareNumbers('position', numbers(lastPosition))
    this.compareNumbers('auction', numbers(lastAuction))
    this.compareNumbers('bid', numbers(lastBid))
  }

  /** What the step changed in the model, with all that stands in the same book, and the accounts that its rows name. */
  private compareChanged(before: State, rows: readonly Row[]): void {
    const after = this.state
    const requests = new Set(changedOf(before.requests, after.requests).map(({ number }) => number))
    for (const { request } of changedOf(before.quotes, after.quotes)) requests.add(request)
    const auctions = new Set(changedOf(before.auctions, after.auctions).map(({ number }) => number))
    for (const { auction } of changedOf(before.bids, after.bids)) auctions.add(auction)
    this.compareNumbers('request', requests)
    this.compareNumbers('quote', numbersWhere([before.quotes, after.quotes], ({ request }) => requests.has(request)))
    this.compareNumbers('position', changedOf(before.positions, after.positions).map(({ number }) => number))
    this.compareNumbers('auction', auctions)
    this.compareNumbers('bid', numbersWhere([before.bids, after.bids], ({ auction }) => auctions.has(auction)))
    const named = new Set(rows.flatMap(accountsOf))
    this.compareAccounts(ASKED.filter((account) => named.has(account)))
  }

  private compareAccounts(accounts: readonly number[]): void {
    this.same('totals', 0, viewOf(this.state).totals(), this.side.venue.view.totals())
    for (const what of ['portfolio', 'positionsOf', 'quotesOf'] as const) this.compareNumbers(what, accounts)
  }

  private compareNumbers(what: Exclude<keyof ParlayView, 'totals'>, numbers: Iterable<number>): void {
    const model = viewOf(this.state)
    const { view } = this.side.venue
    for (const number of numbers) this.same(what, number, model[what](number), view[what](number))
  }

  private same(what: string, number: number, expected: object | null, got: object | null): void {
    const difference = differenceOf(expected ?? undefined, got ?? undefined)
    if (difference !== null) this.fail(`${what} ${number}: ${difference}\nmodel: ${JSON.stringify(expected)}\nvenue: ${JSON.stringify(got)}`)
  }

  private checkDeadline(after: State, nowUs: number): void {
    const nextUs = this.side.venue.nextDeadlineUs()
    const dueUs = nextDeadline(after, this.profile)?.atUs ?? NEVER_US
    if (nextUs > dueUs) this.fail(`the venue's next deadline is ${nextUs}, the model's ${dueUs}`)
    if (nextUs < nowUs) this.fail(`a deadline at ${nextUs} is left at ${nowUs}`)
  }

  private fail(about: string): never {
    const way = this.calls.map(({ nowUs, command }) => `${nowUs - START_US} µs ${command === null ? 'pulse' : commandText(command)}`)
    throw new Error(`${about}\nprofile: ${JSON.stringify(this.profile)}\ncalls after the prelude:\n${way.slice(PRELUDE.length).join('\n')}`)
  }
}

/** Objects that came, went or differ; the latter as they are now. The model copies those that it leaves alone too. */
function changedOf<T extends object>(before: ReadonlyMap<number, T>, after: ReadonlyMap<number, T>): T[] {
  const changed: T[] = []
  for (const [number, item] of after) if (!isSame(before.get(number), item)) changed.push(item)
  for (const [number, item] of before) if (!after.has(number)) changed.push(item)
  return changed
}

function isSame<T extends object>(before: T | undefined, after: T): boolean {
  if (before === undefined) return false
  for (const name in after) if (!Object.is(before[name], after[name])) return false
  return true
}

function numbersWhere<T extends object>(maps: readonly ReadonlyMap<number, T>[], isWanted: (item: T) => boolean): Set<number> {
  const numbers = new Set<number>()
  for (const map of maps) for (const [number, item] of map) if (isWanted(item)) numbers.add(number)
  return numbers
}

const POSTING_FIELDS = Object.entries(PostingField).filter(([name]) => name !== 'seq')

function postingsOf(postings: PostingRows): Posting[] {
  return Array.from({ length: postings.count }, (_, row) => {
    const shown: Record<string, number> = {}
    for (const [name, field] of POSTING_FIELDS) shown[name] = postings.get(row, field)
    return shown as unknown as Posting
  })
}
