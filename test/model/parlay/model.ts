import { NONE } from '../../../src/unit/none.ts'
import { FIRST_PARTICIPANT_OP } from '../../../src/venue/contract.ts'
import { ParlayCode } from '../../../src/venue/parlay/protocol/codes.ts'
import { ParlayOp } from '../../../src/venue/parlay/protocol/commands.ts'
import { AuctionState, BidState, QuoteState, RequestState } from '../../../src/venue/parlay/protocol/events.ts'
import type { ParlayProfile } from '../../../src/venue/parlay/protocol/profile.ts'
import { expireBid, submitBid } from './bids.ts'
import { cancelCashout, commitCashout, evictAuction, expireAuction, openCashout } from './cashOut.ts'
import type { ModelCommand } from './command.ts'
import { deposit, submitTransaction, withdraw } from './funds.ts'
import { isIntegerIn } from './numbers.ts'
import { delistMarket, haltMarket, listMarket, resolveMarket, resumeMarket, setFault, setFees, setWallet } from './operator.ts'
import { expireQuote, submitQuote, withdrawQuote } from './quotes.ts'
import { cancelRequest, createRequest, evictRequest, expireRequest, updateRequest } from './requests.ts'
import type { Answer, Row } from './namedRows.ts'
import { type Posting, type Turn, writeReply } from './rows.ts'
import { commitRequest, confirmSelection, declineSelection, missConfirmation } from './selection.ts'
import { settle } from './settlement.ts'
import { copyOf, heldBy, pendingTransactions, type State } from './state.ts'
import { stepTransaction } from './vaultTransactions.ts'

/**
 * Reference model of the parlay quote service: `step` runs a command, `advance` the deadlines. Written from
 * the specification, the readings and docs/conformance/parlay.md alone, for clarity and not for speed; states that it
 * returns are never changed afterwards.
 */
export interface Result {
  readonly state: State
  readonly rows: readonly Row[]
  readonly postings: readonly Posting[]
}

/** Called with the states before and after each single deadline and command. */
export type Observer = (before: State, after: State) => void

type Handler = (turn: Turn, command: ModelCommand) => Answer | null

const HANDLERS: Readonly<Record<number, Handler>> = {
  [ParlayOp.listMarket]: listMarket,
  [ParlayOp.haltMarket]: haltMarket,
  [ParlayOp.resumeMarket]: resumeMarket,
  [ParlayOp.delistMarket]: delistMarket,
  [ParlayOp.resolveMarket]: resolveMarket,
  [ParlayOp.setFees]: setFees,
  [ParlayOp.setFault]: setFault,
  [ParlayOp.setWallet]: setWallet,
  [ParlayOp.deposit]: deposit,
  [ParlayOp.withdraw]: withdraw,
  [ParlayOp.walletWithdraw]: withdraw,
  [ParlayOp.submitTransaction]: submitTransaction,
  [ParlayOp.createRequest]: createRequest,
  [ParlayOp.updateRequest]: updateRequest,
  [ParlayOp.cancelRequest]: cancelRequest,
  [ParlayOp.commitRequest]: commitRequest,
  [ParlayOp.submitQuote]: submitQuote,
  [ParlayOp.withdrawQuote]: withdrawQuote,
  [ParlayOp.confirmSelection]: confirmSelection,
  [ParlayOp.declineSelection]: declineSelection,
  [ParlayOp.openCashout]: openCashout,
  [ParlayOp.cancelCashout]: cancelCashout,
  [ParlayOp.commitCashout]: commitCashout,
  [ParlayOp.submitBid]: submitBid,
}

const REQUEST_OPS: readonly number[] = [
  ParlayOp.updateRequest, ParlayOp.cancelRequest, ParlayOp.commitRequest, ParlayOp.submitQuote, ParlayOp.withdrawQuote,
  ParlayOp.confirmSelection, ParlayOp.declineSelection,
]
const AUCTION_OPS: readonly number[] = [ParlayOp.cancelCashout, ParlayOp.commitCashout, ParlayOp.submitBid]

/** The deadlines that come first, then the command: those at `nowUs` too before a participant's, not before an operator's. */
export function step(state: State, profile: ParlayProfile, nowUs: number, command: ModelCommand): Result {
  const earlier = advance(state, profile, lastDeadlineBefore(nowUs, command))
  const own = perform(earlier.state, profile, nowUs, command)
  return { state: own.state, rows: [...earlier.rows, ...own.rows], postings: [...earlier.postings, ...own.postings] }
}

/** The latest instant whose deadlines run before the command; instants are integers. */
export const lastDeadlineBefore = (nowUs: number, command: ModelCommand): number =>
  command.op < FIRST_PARTICIPANT_OP ? nowUs - 1 : nowUs

/** Runs every deadline at or before `nowUs`, each at its own time. */
export function advance(state: State, profile: ParlayProfile, nowUs: number, observe: Observer = () => {}): Result {
  const rows: Row[] = []
  const postings: Posting[] = []
  for (;;) {
    const due = nextDeadline(state, profile)
    if (due === null || due.atUs > nowUs) return { state, rows, postings }
    const before = state
    state = copyOf(before)
    due.run({ state, profile, atUs: due.atUs, cause: NONE, rows, postings })
    observe(before, state)
  }
}

/** Runs the command alone, with one reply now or, for a commit that selects, later. */
export function perform(state: State, profile: ParlayProfile, nowUs: number, command: ModelCommand): Result {
  const turn: Turn = { state: copyOf(state), profile, atUs: nowUs, cause: command.seq, rows: [], postings: [] }
  if (!isAccountOf(command)) {
    const account = Number.isNaN(command.account) ? NONE : command.account
    writeReply(turn, command.seq, account, command.op, { code: ParlayCode.invalid })
    return turn
  }
  const handler = HANDLERS[command.op]
  const answer = handler === undefined ? { code: ParlayCode.invalid } : handler(turn, command)
  if (answer !== null) {
    writeReply(turn, command.seq, command.account, command.op, { ...subjectOf(turn.state, command), ...answer })
  }
  return turn
}

const ACCOUNT_MAX = 16_777_215

/** Account numbers end there; nobody, −1, only gives operator commands. */
const isAccountOf = ({ account, op }: ModelCommand): boolean =>
  isIntegerIn(account, op < FIRST_PARTICIPANT_OP ? NONE : 0, ACCOUNT_MAX)

/** What the command names, as sent, if it is known: a request, an auction, or an open position of the account's to sell. */
function subjectOf(state: State, { op, account, request, auction, position }: ModelCommand): Omit<Answer, 'code'> {
  if (REQUEST_OPS.includes(op) && state.requests.has(request)) return { request }
  if (AUCTION_OPS.includes(op) && state.auctions.has(auction)) return { auction }
  if (op === ParlayOp.openCashout && heldBy(state, account).some((one) => one.number === position)) return { position }
  return {}
}

interface Deadline {
  readonly atUs: number
  readonly rank: number
  readonly number: number
  readonly run: (turn: Turn) => void
}

/** The deadline that comes first by time, rank and number, or null. */
export function nextDeadline(state: State, profile: ParlayProfile): Deadline | null {
  let first: Deadline | null = null
  for (const deadline of deadlinesOf(state, profile)) {
    if (first === null || precedes(deadline, first)) first = deadline
  }
  return first
}

const precedes = (a: Deadline, b: Deadline): boolean =>
  a.atUs !== b.atUs ? a.atUs < b.atUs : a.rank !== b.rank ? a.rank < b.rank : a.number < b.number

/** Every deadline that the state holds; each acts on the copies in the turn's state. */
export function* deadlinesOf(state: State, profile: ParlayProfile): Generator<Deadline> {
  for (const { number, nextAtUs } of pendingTransactions(state)) {
    yield { atUs: nextAtUs!, rank: 0, number, run: (turn) => stepTransaction(turn, turn.state.transactions.get(number)!) }
  }
  for (const { number, state: stands, validUntilUs } of state.quotes.values()) {
    if (stands === QuoteState.live) {
      yield { atUs: validUntilUs, rank: 1, number, run: (turn) => expireQuote(turn, turn.state.quotes.get(number)!) }
    }
  }
  for (const { number, state: stands, selection, expiresAtUs, endedAtUs } of state.requests.values()) {
    const own = (turn: Turn) => turn.state.requests.get(number)!
    if (selection !== null) {
      yield { atUs: selection.confirmByUs, rank: 2, number: selection.quote, run: (turn) => missConfirmation(turn, own(turn), selection) }
    } else if (stands === RequestState.active) {
      yield { atUs: expiresAtUs, rank: 3, number, run: (turn) => expireRequest(turn, own(turn)) }
    }
    if (endedAtUs !== null) {
      yield { atUs: endedAtUs + profile.requestRetentionMs * 1000, rank: 5, number, run: (turn) => evictRequest(turn, own(turn)) }
    }
  }
  for (const { number, settlesAtUs, end } of state.positions.values()) {
    if (settlesAtUs !== null && end === null) {
      yield { atUs: settlesAtUs, rank: 4, number, run: (turn) => settle(turn, turn.state.positions.get(number)!) }
    }
  }
  for (const { number, state: stands, validUntilUs } of state.bids.values()) {
    if (stands === BidState.live) {
      yield { atUs: validUntilUs, rank: 6, number, run: (turn) => expireBid(turn, turn.state.bids.get(number)!) }
    }
  }
  for (const { number, state: stands, endsAtUs, endedAtUs } of state.auctions.values()) {
    const own = (turn: Turn) => turn.state.auctions.get(number)!
    if (stands === AuctionState.active) {
      yield { atUs: endsAtUs, rank: 7, number, run: (turn) => expireAuction(turn, own(turn)) }
    }
    if (endedAtUs !== null) {
      yield { atUs: endedAtUs + profile.auctionRetentionMs * 1000, rank: 7, number, run: (turn) => evictAuction(turn, own(turn)) }
    }
  }
}
