import { NONE } from '../../../src/unit/none.ts'
import { ParlayCode } from '../../../src/venue/parlay/protocol/codes.ts'
import { CancelReason, ParlayEvent, ParlayStatus, QuoteState, RequestState } from '../../../src/venue/parlay/protocol/events.ts'
import { type ModelCommand, tagOf } from './command.ts'
import type { Answer, EventKind } from './namedRows.ts'
import { isIntegerIn } from './numbers.ts'
import { type Turn, write } from './rows.ts'
import { bestQuoteOf, type Leg, liveQuotesOf, type Quote, type Request, type State } from './state.ts'

export function createRequest(turn: Turn, command: ModelCommand): Answer {
  if (!isBodyValid(turn, command)) return { code: ParlayCode.invalid }
  const refusal = refusalOfLegs(turn, command.legs)
  if (refusal !== null) return { code: refusal }
  const request: Request = {
    number: ++turn.state.lastRequest, owner: command.account, state: RequestState.active, version: 1, bookSeq: 0,
    betMicros: command.betMicros, legs: [...command.legs], expiresAtUs: expiryFrom(turn), selection: null, endedAtUs: null,
  }
  turn.state.requests.set(request.number, request)
  writeContent(turn, request, ParlayEvent.requestCreated)
  return answerOf(request)
}

export function updateRequest(turn: Turn, command: ModelCommand): Answer {
  if (!Number.isInteger(command.request) || !isBodyValid(turn, command)) return { code: ParlayCode.invalid }
  const refusal = refusalOfOwner(turn.state, command) ?? refusalOfLegs(turn, command.legs)
  if (refusal !== null) return { code: refusal }
  const request = turn.state.requests.get(command.request)!
  emptyBook(turn, request)
  request.version += 1
  request.betMicros = command.betMicros
  request.legs = [...command.legs]
  request.expiresAtUs = expiryFrom(turn)
  writeContent(turn, request, ParlayEvent.requestUpdated)
  return answerOf(request)
}

export function cancelRequest(turn: Turn, command: ModelCommand): Answer {
  if (!Number.isInteger(command.request)) return { code: ParlayCode.invalid }
  const refusal = refusalOfOwner(turn.state, command)
  if (refusal !== null) return { code: refusal }
  const request = turn.state.requests.get(command.request)!
  emptyBook(turn, request)
  end(turn, request, RequestState.cancelled, ParlayEvent.requestCancelled)
  const about = { owner: request.owner, request: request.number, version: request.version }
  write(turn, ParlayEvent.statusChanged, { ...about, status: ParlayStatus.cancelled })
  write(turn, ParlayEvent.positionCancelled, { ...about, reason: CancelReason.userCancelled })
  return { code: ParlayCode.ok }
}

/** The request's window is over. Precondition: active, and no selection pending. */
export function expireRequest(turn: Turn, request: Request): void {
  emptyBook(turn, request)
  end(turn, request, RequestState.expired, ParlayEvent.requestExpired)
}

/** Forgets an ended request and its quotes: from now on 404. */
export function evictRequest(turn: Turn, request: Request): void {
  turn.state.requests.delete(request.number)
  for (const quote of turn.state.quotes.values()) {
    if (quote.request === request.number) turn.state.quotes.delete(quote.number)
  }
}

/** Ends an active request; its event shows the state of the book then. */
export function end(
  turn: Turn, request: Request, state: number, event: EventKind<'requestCommitted' | 'requestCancelled' | 'requestExpired'>,
): void {
  request.state = state
  request.endedAtUs = turn.atUs
  if (state !== RequestState.committed) turn.state.endedRequests = [...turn.state.endedRequests, { owner: request.owner, state }]
  write(turn, event, { owner: request.owner, request: request.number, version: request.version, bookSeq: request.bookSeq })
}

/** Invalidates the live quotes as one step of the book, if there are any. */
export function invalidateLive(turn: Turn, request: Request): void {
  const live = liveQuotesOf(turn.state, request.number)
  if (live.length > 0) request.bookSeq += 1
  for (const quote of live) {
    quote.state = QuoteState.invalidated
    writeOfQuote(turn, request, quote, ParlayEvent.quoteInvalidated)
  }
}

function emptyBook(turn: Turn, request: Request): void {
  const best = bestQuoteOf(turn.state, request.number)
  invalidateLive(turn, request)
  writeBest(turn, request, best)
}

/** An event about a quote that shows the book's sequence number after it. */
export function writeOfQuote(
  turn: Turn, request: Request, quote: Quote, event: EventKind<'quoteReplaced' | 'quoteWithdrawn' | 'quoteExpired' | 'quoteInvalidated'>,
): void {
  write(turn, event, {
    maker: quote.maker, request: request.number, version: request.version, quote: quote.number, bookSeq: request.bookSeq,
  })
}

/** Writes bestQuoteChanged if the best quote is another than `before`. */
export function writeBest(turn: Turn, request: Request, before: Quote | null): void {
  const best = bestQuoteOf(turn.state, request.number)
  if (best?.number === before?.number) return
  write(turn, ParlayEvent.bestQuoteChanged, {
    maker: best?.maker ?? NONE, owner: request.owner, request: request.number, version: request.version, quote: best?.number ?? NONE,
    bookSeq: request.bookSeq, oddsE4: best?.oddsE4 ?? NONE, expiresAtUs: best?.validUntilUs ?? NONE,
  })
}

function writeContent(turn: Turn, request: Request, event: EventKind<'requestCreated' | 'requestUpdated'>): void {
  write(turn, event, {
    owner: request.owner, request: request.number, version: request.version, bookSeq: request.bookSeq, betMicros: request.betMicros,
    contentTag: tagOf(request.legs, request.betMicros), expiresAtUs: request.expiresAtUs, list: listOfLegs(request.legs),
  })
}

export const listOfLegs = (legs: readonly Leg[]): number[] => legs.flatMap((leg) => [leg.market, leg.side])

const answerOf = (request: Request): Answer => ({
  code: ParlayCode.ok, request: request.number, version: request.version, bookSeq: request.bookSeq, expiresAtUs: request.expiresAtUs,
})

const expiryFrom = (turn: Turn): number => turn.atUs + turn.profile.requestExpiryMs * 1000

function isBodyValid({ profile }: Turn, { legs, betMicros }: ModelCommand): boolean {
  return isIntegerIn(legs.length, profile.legsMin, profile.legsMax) &&
    legs.every((leg) => leg.side === 0 || leg.side === 1) &&
    isIntegerIn(betMicros, profile.betMinMicros, profile.betMaxMicros)
}

/** What stops the owner's change of a request; null when nothing does. */
function refusalOfOwner(state: State, command: ModelCommand): number | null {
  const request = state.requests.get(command.request)
  if (request === undefined) return ParlayCode.notFound
  if (request.owner !== command.account) return ParlayCode.forbidden
  if (request.state !== RequestState.active || request.selection !== null) return ParlayCode.conflict
  return null
}

function refusalOfLegs({ state, atUs }: Turn, legs: readonly Leg[]): number | null {
  for (const leg of legs) {
    const market = state.markets.get(leg.market)
    if (market === undefined || !market.listed) return ParlayCode.legMarketNotFound
    if (atUs >= market.closeUs || market.result !== NONE) return ParlayCode.legMarketExpired
  }
  return areLegsDisjoint(state, legs) ? null : ParlayCode.legsExcluded
}

/** Whether no two legs have the same market or share an exclusion key. */
export function areLegsDisjoint(state: State, legs: readonly Leg[]): boolean {
  return legs.every((leg, i) => legs.slice(i + 1).every((later) => {
    const keys = state.markets.get(leg.market)!.keys
    const laterKeys = state.markets.get(later.market)!.keys
    return leg.market !== later.market && !keys.some((key) => laterKeys.includes(key))
  }))
}
