import { NONE } from '../../../src/unit/none.ts'
import { FIRST_GATE_OP } from '../../../src/venue/contract.ts'
import { PARLAY_CODES, ParlayCode } from '../../../src/venue/parlay/protocol/codes.ts'
import { ParlayOp } from '../../../src/venue/parlay/protocol/commands.ts'
import { AuctionRoute, AuctionState, BidState, ParlayEvent, PositionOutcome, QuoteState, RequestState, VaultEffect, VaultStatus } from '../../../src/venue/parlay/protocol/events.ts'
import type { ModelCommand } from './command.ts'
import { isOfKind, type Row, rowsOfKind } from './namedRows.ts'
import { parlayStatusOf, type Position, type State } from './state.ts'

/** The transitions of docs/readings.md, "Tables of states", tables request, quote and position, that must be reached. */
export const TRANSITIONS: readonly string[] = [
  'request none→active', 'request active→active by update', 'request active→active by failed commit',
  'request active→committed', 'request active→cancelled', 'request active→expired', 'request committed, update refused',
  'request committed, commit refused', 'request cancelled, update refused', 'request cancelled, commit refused',
  'request expired, update refused', 'request expired, commit refused', 'request committed→evicted',
  'request cancelled→evicted', 'request expired→evicted', 'quote none→live', 'quote live→replaced', 'quote live→withdrawn',
  'quote live→expired', 'quote live→reserved', 'quote reserved→filled', 'quote reserved→failed',
  'quote live→invalidated by update', 'quote live→invalidated by committed', 'quote live→invalidated by cancelled',
  'quote live→invalidated by expired', 'parlay open→quoted', 'parlay quoted→open', 'parlay quoted→accepted',
  'parlay accepted→executed', 'parlay accepted→confirmed', 'parlay confirmed→executed', 'parlay confirmed→failed',
  'parlay accepted→quoted', 'parlay accepted→open', 'parlay accepted→expired',
  'parlay open→cancelled', 'parlay quoted→cancelled', 'parlay open→expired', 'parlay quoted→expired',
  'parlay executed→settled', 'parlay executed→boughtBack', 'position none→executed', 'position none→confirmed',
  'position confirmed→executed', 'position confirmed→failed', 'position confirmed→decided', 'position executed→boughtBack',
  'position executed→executed by transfer', 'position executed→settled lost', 'position executed→settled won',
  'position executed→settled void', 'selection declined', 'selection timed out',
  'position settled at the first try', 'position settled at a later try', 'settlement delayed by the chain',
  'settlement delayed by the fill',
  'auction none→active', 'auction active→committed closes', 'auction active→committed transfers', 'auction active→cancelled by seller',
  'auction active→cancelled by decision', 'auction active→expired', 'auction committed→evicted', 'auction cancelled→evicted',
  'auction expired→evicted', 'bid none→live', 'bid live→replaced', 'bid live→expired', 'bid live→won', 'bid live→failed',
  'bid live→invalidated by committed', 'bid live→invalidated by cancelled', 'bid live→invalidated by expired',
  ...['deposit', 'withdrawal', 'fill'].flatMap((effect) => [
    `${effect} none→chainPending`, `${effect} none→balancePending`, `${effect} chainPending→balancePending`, `${effect} chainPending→failed`,
    `${effect} balancePending→completed`,
  ]),
  'execution none→balancePending', 'execution balancePending→completed',
]

/** Opcodes and codes that are the venue's own. */
const OPS = Object.entries(ParlayOp).filter(([, op]) => op < FIRST_GATE_OP && op !== ParlayOp.setDeliveries)
const CODES = Object.entries(PARLAY_CODES).filter(([code]) => Number(code) < ParlayCode.unauthorized)

const ACCEPTED: readonly number[] = [ParlayCode.ok, ParlayCode.alreadyExpired, ParlayCode.chainPending, ParlayCode.balancePending, ParlayCode.partialVaultOnly]

/** What a series of runs reached. */
export interface Coverage {
  readonly transitions: Map<string, number>
  readonly codes: Map<number, number>
  readonly given: Map<number, number>
  /** Commands that were not refused; a commit that selects counts, whatever its maker does then. */
  readonly accepted: Map<number, number>
  /** Claims that each invariant made, by its ids. */
  readonly claims: Map<string, number>
  steps: number
  onDeadline: number
}

export const newCoverage = (): Coverage =>
  ({ transitions: new Map(), codes: new Map(), given: new Map(), accepted: new Map(), claims: new Map(), steps: 0, onDeadline: 0 })

/** Records what one command or deadline changed. */
export function observe(coverage: Coverage, before: State, after: State): void {
  for (const name of changes(before, after)) bump(coverage.transitions, name)
}

/** Records a command and the rows that it wrote itself. */
export function observeCommand(coverage: Coverage, command: ModelCommand, middle: State, rows: readonly Row[]): void {
  const isKnown = OPS.some(([, op]) => op === command.op)
  const own = rowsOfKind(rows, ParlayEvent.reply).find((row) => row.cause === command.seq)
  if (isKnown) bump(coverage.given, command.op)
  const isAccepted = own === undefined || ACCEPTED.includes(own.code)
  if (isKnown && isAccepted) bump(coverage.accepted, command.op)
  const request = middle.requests.get(command.request)
  if (own?.code === ParlayCode.conflict && request !== undefined && request.state !== RequestState.active) {
    const name = command.op === ParlayOp.updateRequest ? 'update' : command.op === ParlayOp.commitRequest ? 'commit' : 'cancel'
    bump(coverage.transitions, `request ${nameOf(RequestState, request.state)}, ${name} refused`)
  }
}

export function observeRows(coverage: Coverage, rows: readonly Row[]): void {
  for (const row of rows) {
    if (isOfKind(row, ParlayEvent.reply)) bump(coverage.codes, row.code)
    if (isOfKind(row, ParlayEvent.auctionCommitted)) bump(coverage.transitions, `auction active→committed ${nameOf(AuctionRoute, row.route)}`)
    if (isOfKind(row, ParlayEvent.auctionCancelled)) {
      bump(coverage.transitions, `auction active→cancelled by ${row.reason === 0 ? 'seller' : 'decision'}`)
    }
    if (isOfKind(row, ParlayEvent.positionTransferred)) bump(coverage.transitions, 'position executed→executed by transfer')
    if (isOfKind(row, ParlayEvent.quoteFailed)) bump(coverage.transitions, row.isDeclined === 1 ? 'selection declined' : 'selection timed out')
  }
}

function* changes(before: State, after: State): Generator<string> {
  for (const request of after.requests.values()) {
    const former = before.requests.get(request.number)
    if (former === undefined) yield 'request none→active'
    else {
      if (former.state !== request.state) yield `request active→${nameOf(RequestState, request.state)}`
      else if (former.version !== request.version) yield 'request active→active by update'
      else if (former.selection !== null && request.selection === null) yield 'request active→active by failed commit'
      const status = parlayStatusOf(after, request)
      const formerStatus = parlayStatusOf(before, former)
      if (status !== formerStatus) yield `parlay ${formerStatus}→${status}`
    }
  }
  for (const request of before.requests.values()) {
    if (!after.requests.has(request.number)) yield `request ${nameOf(RequestState, request.state)}→evicted`
  }
  for (const quote of after.quotes.values()) {
    const former = before.quotes.get(quote.number)
    if (former === undefined) yield 'quote none→live'
    else if (former.state !== quote.state) {
      const request = after.requests.get(quote.request)!
      const by = request.state === RequestState.active ? 'update' : nameOf(RequestState, request.state)
      const isInvalidated = quote.state === QuoteState.invalidated
      yield `quote ${nameOf(QuoteState, former.state)}→${nameOf(QuoteState, quote.state)}${isInvalidated ? ` by ${by}` : ''}`
    }
  }
  for (const position of after.positions.values()) {
    const former = before.positions.get(position.number)
    const status = statusOf(position)
    if (former === undefined) yield `position none→${position.isFunded ? 'executed' : 'confirmed'}`
    else if (statusOf(former) !== status) {
      yield `position ${statusOf(former) === 'decided' ? 'executed' : statusOf(former)}→${status}`
      if (position.end?.how === 'settled') yield `position settled at ${former.outcome === null ? 'the first' : 'a later'} try`
    }
    if (position.outcome !== null && position.end === null && former?.settlesAtUs !== position.settlesAtUs) {
      yield `settlement delayed by the ${position.isFunded ? 'chain' : 'fill'}`
      if (!position.isFunded && former?.outcome === null) yield 'position confirmed→decided'
    }
  }
  yield* changesOfCashout(before, after)
}

const statusOf = ({ end, outcome, isFunded, settlesAtUs }: Position): string =>
  end === null ? (!isFunded ? 'confirmed' : settlesAtUs !== null ? 'decided' : 'executed')
    : end.how === 'settled' ? `settled ${nameOf(PositionOutcome, outcome!)}` : end.how

function* changesOfCashout(before: State, after: State): Generator<string> {
  for (const auction of after.auctions.values()) {
    const former = before.auctions.get(auction.number)
    if (former === undefined) yield 'auction none→active'
    else if (former.state !== auction.state && auction.state === AuctionState.expired) yield 'auction active→expired'
  }
  for (const auction of before.auctions.values()) {
    if (!after.auctions.has(auction.number)) yield `auction ${nameOf(AuctionState, auction.state)}→evicted`
  }
  for (const bid of after.bids.values()) {
    const former = before.bids.get(bid.number)
    if (former === undefined) yield 'bid none→live'
    else if (former.state !== bid.state) {
      const end = nameOf(AuctionState, after.auctions.get(bid.auction)!.state)
      yield `bid live→${nameOf(BidState, bid.state)}${bid.state === BidState.invalidated ? ` by ${end}` : ''}`
    }
  }
  for (const { number, effect, status } of after.transactions.values()) {
    const former = before.transactions.get(number)
    if (former?.status === status) continue
    yield `${nameOf(VaultEffect, effect)} ${former === undefined ? 'none' : nameOf(VaultStatus, former.status)}→${nameOf(VaultStatus, status)}`
  }
}

/** Everything that should have been reached and was not; empty when all was. */
export function missing(coverage: Coverage, leastAccepted: number): string[] {
  const lines = TRANSITIONS.filter((name) => !coverage.transitions.has(name)).map((name) => `transition ${name}`)
  for (const [code, { name }] of CODES) if (!coverage.codes.has(Number(code))) lines.push(`code ${name}`)
  for (const [name, op] of OPS) {
    const share = (coverage.accepted.get(op) ?? 0) / (coverage.given.get(op) ?? NONE)
    if (!(share >= leastAccepted)) lines.push(`accepted share of ${name}: ${share.toFixed(3)}`)
  }
  return lines
}

/** How many commands of the venue's own were played. */
export const commandsOf = (coverage: Coverage): number => [...coverage.given.values()].reduce((sum, count) => sum + count, 0)

/** The counts as text. */
export function table(coverage: Coverage): string {
  const lines = [`${coverage.steps} steps, ${coverage.onDeadline} exactly on a deadline`, '', 'command                given  accepted']
  for (const [name, op] of OPS) {
    const given = coverage.given.get(op) ?? 0
    const accepted = coverage.accepted.get(op) ?? 0
    lines.push(`${name.padEnd(20)} ${String(given).padStart(7)}  ${`${Math.round((100 * accepted) / given)} %`.padStart(8)}`)
  }
  const pair = (name: string, count: number) => `${name.padEnd(40)} ${String(count).padStart(7)}`
  lines.push('', ...CODES.map(([code, { name }]) => pair(`code ${name}`, coverage.codes.get(Number(code)) ?? 0)))
  lines.push('', ...TRANSITIONS.map((name) => pair(name, coverage.transitions.get(name) ?? 0)))
  lines.push('', ...[...coverage.claims].map(([ids, count]) => pair(`claims of ${ids}`, count)))
  return lines.join('\n')
}

const nameOf = (values: Readonly<Record<string, number>>, value: number): string =>
  Object.keys(values).find((name) => values[name] === value)!

function bump<K>(counts: Map<K, number>, key: K): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}
