import { PostingCause } from '../../../src/ledger/ledger.ts'
import { NONE } from '../../../src/unit/none.ts'
import { ParlayCode } from '../../../src/venue/parlay/protocol/codes.ts'
import { ParlayFault, ParlayOp } from '../../../src/venue/parlay/protocol/commands.ts'
import { ParlayEvent, ParlayStatus, QuoteState, RequestState, VaultEffect } from '../../../src/venue/parlay/protocol/events.ts'
import type { ModelCommand } from './command.ts'
import type { Answer } from './namedRows.ts'
import { isIntegerIn } from './numbers.ts'
import { LIST_MAX } from './operator.ts'
import { end, expireRequest, invalidateLive, listOfLegs, writeBest } from './requests.ts'
import { executeFill, touch, writeStatus } from './positions.ts'
import { escrow, free, move, pot, reserved, type Turn, write, writeReply } from './rows.ts'
import { scheduleSettlements } from './settlement.ts'
import {
  bestQuoteOf, freeOf, isFaultOn, isFenced, liveQuotesOf, type Position, type Quote, type Request, type Selection,
} from './state.ts'
import { vaultOf } from './vaults.ts'
import { startTransaction } from './vaultTransactions.ts'

/** Selects the best eligible quote and waits for its maker: no reply yet (null). */
export function commitRequest(turn: Turn, command: ModelCommand): Answer | null {
  const { state } = turn
  if (!isCommitValid(command)) return { code: ParlayCode.invalid }
  const request = state.requests.get(command.request)
  if (request === undefined) return { code: ParlayCode.notFound }
  if (request.owner !== command.account) return { code: ParlayCode.forbidden }
  if (request.state !== RequestState.active) return { code: ParlayCode.conflict }
  const isBlocked = request.selection !== null || isFaultOn(state, ParlayFault.chainDisabled) || isFenced(state, request.owner)
  if (isBlocked) return { code: ParlayCode.commitFailedRetryable }
  if (request.version !== command.version) return { code: ParlayCode.quoteChanged }
  if (!request.legs.every((leg) => isMarketLive(turn, leg.market))) return { code: ParlayCode.marketNotLive }
  const atOrAboveFloor = liveQuotesOf(state, request.number).filter((quote) => quote.oddsE4 >= command.oddsE4)
  if (atOrAboveFloor.length === 0) return { code: ParlayCode.quoteExpired }
  if (freeOf(state, request.owner) < request.betMicros) return { code: ParlayCode.commitFailed }
  const covered = atOrAboveFloor.filter((quote) => !command.list.includes(quote.maker) && isCovered(turn, request, quote))
  const eligible = covered.filter((quote) => !isFenced(state, quote.maker))
  // A fence goes by itself, so a quote that only its maker's fence keeps back is worth another try.
  if (eligible.length === 0) return { code: covered.length > 0 ? ParlayCode.commitFailedRetryable : ParlayCode.commitFailed }
  select(turn, request, eligible.reduce((best, quote) => (quote.oddsE4 > best.oddsE4 ? quote : best)), command.seq)
  return null
}

function isCommitValid({ request, version, quote, bookSeq, oddsE4, listCount }: ModelCommand): boolean {
  return [request, version, quote, bookSeq, oddsE4].every(Number.isInteger) && isIntegerIn(listCount, 0, LIST_MAX) &&
    version >= 1 && quote >= 1 && bookSeq >= 0 && oddsE4 >= 10_001
}

function isMarketLive({ state, atUs }: Turn, number: number): boolean {
  const market = state.markets.get(number)!
  return market.listed && !market.halted && market.result === NONE && atUs < market.closeUs
}

/** Whether the maker's free balance covers the risk, and the bet as well when it is the bettor's own. */
function isCovered({ state }: Pick<Turn, 'state'>, request: Request, quote: Quote): boolean {
  const bet = quote.maker === request.owner ? request.betMicros : 0
  return freeOf(state, quote.maker) >= quote.riskMicros + bet
}

/** Whether that is so and the maker's vault is not fenced. */
export const isCollateralised = (turn: Pick<Turn, 'state'>, request: Request, quote: Quote): boolean =>
  isCovered(turn, request, quote) && !isFenced(turn.state, quote.maker)

function select(turn: Turn, request: Request, quote: Quote, commitSeq: number): void {
  const confirmByUs = turn.atUs + turn.profile.confirmationMs * 1000
  quote.state = QuoteState.reserved
  request.selection = { quote: quote.number, commitSeq, confirmByUs }
  move(turn, PostingCause.hold, free(request.owner), reserved(request.owner), request.betMicros, request.number)
  move(turn, PostingCause.hold, free(quote.maker), reserved(quote.maker), quote.riskMicros, request.number)
  write(turn, ParlayEvent.quoteSelected, {
    ...aboutSelected(request, quote), oddsE4: quote.oddsE4, riskMicros: quote.riskMicros, betMicros: request.betMicros,
    netStakeMicros: quote.stakeMicros, confirmBeforeUs: confirmByUs, list: listOfLegs(request.legs),
  })
}

const aboutSelected = (request: Request, quote: Quote) =>
  ({ maker: quote.maker, owner: request.owner, request: request.number, version: request.version, quote: quote.number })

interface Pending {
  readonly request: Request
  readonly selection: Selection
  readonly quote: Quote
}

/** The selection that a maker's answer names, or why it names none. */
function pendingOf(turn: Turn, command: ModelCommand): Pending | Answer {
  if (!Number.isInteger(command.request) || !Number.isInteger(command.quote)) return { code: ParlayCode.invalid }
  const request = turn.state.requests.get(command.request)
  if (request === undefined) return { code: ParlayCode.notFound }
  const { selection } = request
  if (selection === null || selection.quote !== command.quote) return { code: ParlayCode.noPendingSelection }
  const quote = turn.state.quotes.get(selection.quote)!
  if (quote.maker !== command.account) return { code: ParlayCode.noPendingSelection }
  return { request, selection, quote }
}

export function confirmSelection(turn: Turn, command: ModelCommand): Answer {
  const pending = pendingOf(turn, command)
  if ('code' in pending) return pending
  const { request, selection, quote } = pending
  const best = bestQuoteOf(turn.state, request.number)
  const position = openPosition(turn, request, quote)
  quote.state = QuoteState.filled
  request.selection = null
  write(turn, ParlayEvent.quoteFilled, { ...aboutSelected(request, quote), position: position.number, oddsE4: quote.oddsE4 })
  writeStatus(turn, request.owner, position, ParlayStatus.accepted)
  writeStatus(turn, request.owner, position, ParlayStatus.confirmed)
  invalidateLive(turn, request)
  writeBest(turn, request, best)
  end(turn, request, RequestState.committed, ParlayEvent.requestCommitted)
  write(turn, ParlayEvent.positionOpened, {
    holder: request.owner, backer: position.backer, request: request.number, version: request.version, quote: quote.number,
    position: position.number, oddsE4: quote.oddsE4, netStakeMicros: position.stakeMicros, payoutMicros: position.payoutMicros,
    takerFeeMicros: position.takerFeeMicros, profitFeeBps: position.profitFeeBps, list: listOfLegs(position.legs),
  })
  fund(turn, request.owner, position)
  writeReply(turn, selection.commitSeq, request.owner, ParlayOp.commitRequest, {
    code: ParlayCode.ok, request: request.number, version: request.version, quote: quote.number, oddsE4: quote.oddsE4,
    position: position.number, maker: quote.maker, confirmBeforeUs: selection.confirmByUs,
  })
  scheduleSettlements(turn)
  return { code: ParlayCode.ok, version: request.version, quote: quote.number, position: position.number }
}

function openPosition(turn: Turn, request: Request, quote: Quote): Position {
  const { state } = turn
  const number = ++state.lastPosition
  vaultOf(state, request.owner)
  vaultOf(state, quote.maker)
  move(turn, PostingCause.commit, reserved(request.owner), pot(number), quote.stakeMicros, request.number)
  move(turn, PostingCause.commit, reserved(request.owner), escrow(number), quote.takerFeeMicros, request.number)
  move(turn, PostingCause.commit, reserved(quote.maker), pot(number), quote.riskMicros, request.number)
  const position: Position = {
    number, request: request.number, version: request.version, quote: quote.number, backer: quote.maker, legs: request.legs,
    betMicros: request.betMicros, oddsE4: quote.oddsE4, stakeMicros: quote.stakeMicros,
    riskMicros: quote.riskMicros, payoutMicros: quote.payoutMicros, takerFeeMicros: quote.takerFeeMicros,
    takerFeeBps: quote.takerFeeBps, profitFeeBps: state.profitFeeBps,
    holdings: [{ account: request.owner, costMicros: request.betMicros, basisMicros: quote.stakeMicros, left: null }],
    isFunded: false, settlesAtUs: null, outcome: null, end: null,
  }
  touch(turn, request.owner, quote.maker)
  state.positions.set(number, position)
  return position
}

/** The position is funded at once, or by a transaction while the chain is at fault. */
function fund(turn: Turn, holder: number, position: Position): void {
  const { number, backer, betMicros, riskMicros } = position
  const fill = { effect: VaultEffect.fill, account: holder, backer, position: number, amountMicros: betMicros + riskMicros }
  if (startTransaction(turn, fill) === null) executeFill(turn, position)
}

/** A decline is an immediate miss (readings A11). Writes its own replies. */
export function declineSelection(turn: Turn, command: ModelCommand): Answer | null {
  const pending = pendingOf(turn, command)
  if ('code' in pending) return pending
  failSelection(turn, pending, command)
  return null
}

/** The confirmation deadline is reached. Precondition: a selection is pending. */
export function missConfirmation(turn: Turn, request: Request, selection: Selection): void {
  failSelection(turn, { request, selection, quote: turn.state.quotes.get(selection.quote)! }, null)
}

function failSelection(turn: Turn, { request, selection, quote }: Pending, decline: ModelCommand | null): void {
  const best = bestQuoteOf(turn.state, request.number)
  quote.state = QuoteState.failed
  request.selection = null
  request.bookSeq += 1
  move(turn, PostingCause.release, reserved(request.owner), free(request.owner), request.betMicros, request.number)
  move(turn, PostingCause.release, reserved(quote.maker), free(quote.maker), quote.riskMicros, request.number)
  write(turn, ParlayEvent.quoteFailed, {
    ...aboutSelected(request, quote), isDeclined: decline === null ? 0 : 1, bookSeq: request.bookSeq,
  })
  writeBest(turn, request, best)
  writeReply(turn, selection.commitSeq, request.owner, ParlayOp.commitRequest, {
    code: ParlayCode.mmConfirmationTimeout, request: request.number, version: request.version, quote: quote.number, maker: quote.maker,
  })
  if (decline !== null) {
    writeReply(turn, decline.seq, decline.account, decline.op, {
      code: ParlayCode.ok, request: request.number, version: request.version, quote: quote.number,
    })
  }
  if (turn.atUs >= request.expiresAtUs) expireRequest(turn, request)
}
