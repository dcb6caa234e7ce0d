import { NONE } from '../../../src/unit/none.ts'
import { ParlayCode } from '../../../src/venue/parlay/protocol/codes.ts'
import { ParlayFault } from '../../../src/venue/parlay/protocol/commands.ts'
import { ParlayEvent, QuoteState, RequestState } from '../../../src/venue/parlay/protocol/events.ts'
import { type ModelCommand, tagOf } from './command.ts'
import { termsOf } from './money.ts'
import type { Answer, EventKind } from './namedRows.ts'
import { isIntegerIn } from './numbers.ts'
import { writeBest, writeOfQuote } from './requests.ts'
import { type Turn, write } from './rows.ts'
import { bestQuoteOf, freeOf, isFaultOn, isFenced, lastQuoteOf, type Quote, type Request } from './state.ts'

/** A maker's quote; its former live one on the request gives way in the same step of the book. */
export function submitQuote(turn: Turn, command: ModelCommand): Answer {
  const { state, profile } = turn
  if (!isSubmissionValid(turn, command)) return { code: ParlayCode.invalid }
  const request = state.requests.get(command.request)
  if (request === undefined) return { code: ParlayCode.notFound }
  if (request.state !== RequestState.active) return { code: ParlayCode.requestNotActive }
  const former = lastQuoteOf(state, request.number, command.account)
  if (former?.state === QuoteState.reserved) return { code: ParlayCode.conflict }
  if (isStale(request, command.version, command.contentTag)) return { code: ParlayCode.versionMismatch }
  if (isFaultOn(state, ParlayFault.feeUnavailable)) return { code: ParlayCode.feeUnavailable }
  if (isFaultOn(state, ParlayFault.collateralUnavailable) || isFenced(state, command.account)) {
    return { code: ParlayCode.collateralCheckUnavailable }
  }
  const terms = termsOf(request.betMicros, state.takerFeeBps, command.oddsE4)
  const available = freeOf(state, command.account)
  if (available < terms.riskMicros) {
    return { code: ParlayCode.insufficientCollateral, requiredMicros: terms.riskMicros, availableMicros: available }
  }
  const best = bestQuoteOf(state, request.number)
  request.bookSeq += 1
  if (former?.state === QuoteState.live) {
    former.state = QuoteState.replaced
    writeOfQuote(turn, request, former, ParlayEvent.quoteReplaced)
  }
  const validMs = command.validMs === NONE ? profile.quoteValidityDefaultMs : command.validMs
  const quote: Quote = {
    number: ++state.lastQuote, request: request.number, maker: command.account, version: request.version, oddsE4: command.oddsE4,
    takerFeeBps: state.takerFeeBps, ...terms, validUntilUs: turn.atUs + validMs * 1000, state: QuoteState.live,
  }
  state.quotes.set(quote.number, quote)
  write(turn, ParlayEvent.quoteSubmitted, {
    maker: quote.maker, request: request.number, version: request.version, quote: quote.number, bookSeq: request.bookSeq,
    oddsE4: quote.oddsE4, riskMicros: quote.riskMicros, takerFeeBps: quote.takerFeeBps, netStakeMicros: quote.stakeMicros,
    expiresAtUs: quote.validUntilUs,
  })
  writeBest(turn, request, best)
  return {
    code: ParlayCode.ok, version: request.version, quote: quote.number, bookSeq: request.bookSeq, oddsE4: quote.oddsE4,
    takerFeeBps: quote.takerFeeBps, expiresAtUs: quote.validUntilUs,
  }
}

function isSubmissionValid({ profile }: Turn, command: ModelCommand): boolean {
  const { version, contentTag, oddsE4, validMs, request } = command
  return Number.isInteger(request) && Number.isInteger(version) && version >= 1 &&
    Number.isInteger(contentTag) && contentTag >= 0 &&
    isIntegerIn(oddsE4, profile.oddsE4Min, profile.oddsE4Max) &&
    (validMs === NONE || isIntegerIn(validMs, profile.quoteValidityMinMs, profile.quoteValidityMaxMs))
}

export function withdrawQuote(turn: Turn, command: ModelCommand): Answer {
  const { version, contentTag } = command
  const isValid = Number.isInteger(command.request) &&
    Number.isInteger(version) && (version === NONE || version >= 1) &&
    Number.isInteger(contentTag) && (contentTag === NONE || contentTag >= 0)
  if (!isValid) return { code: ParlayCode.invalid }
  const request = turn.state.requests.get(command.request)
  if (request === undefined) return { code: ParlayCode.notFound }
  if (request.state !== RequestState.active) return { code: ParlayCode.requestNotActive }
  if (isStale(request, version, contentTag)) return { code: ParlayCode.versionMismatch }
  const quote = lastQuoteOf(turn.state, request.number, command.account)
  if (quote?.state === QuoteState.reserved) return { code: ParlayCode.conflict }
  if (quote?.state === QuoteState.live) {
    leaveBook(turn, request, quote, QuoteState.withdrawn, ParlayEvent.quoteWithdrawn)
    return { code: ParlayCode.ok, version: request.version, quote: quote.number, bookSeq: request.bookSeq }
  }
  if (quote?.state === QuoteState.expired && quote.version === request.version) {
    return { code: ParlayCode.alreadyExpired, version: request.version, quote: quote.number }
  }
  return { code: ParlayCode.noActiveQuote }
}

/** The quote's validity is over. Precondition: it is live. */
export function expireQuote(turn: Turn, quote: Quote): void {
  leaveBook(turn, turn.state.requests.get(quote.request)!, quote, QuoteState.expired, ParlayEvent.quoteExpired)
}

function leaveBook(turn: Turn, request: Request, quote: Quote, state: number, event: EventKind<'quoteWithdrawn' | 'quoteExpired'>): void {
  const best = bestQuoteOf(turn.state, request.number)
  quote.state = state
  request.bookSeq += 1
  writeOfQuote(turn, request, quote, event)
  writeBest(turn, request, best)
}

/** Whether a version or tag that was given (not −1) is not the request's own. */
const isStale = (request: Request, version: number, tag: number): boolean =>
  (version !== NONE && version !== request.version) || (tag !== NONE && tag !== tagOf(request.legs, request.betMicros))
