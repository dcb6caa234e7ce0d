import { NONE } from '../../../src/unit/none.ts'
import { ParlayOp } from '../../../src/venue/parlay/protocol/commands.ts'
import { AuctionState, BidState, ParlayEvent, QuoteState, RequestState } from '../../../src/venue/parlay/protocol/events.ts'
import { tagOf } from './command.ts'
import type { Invariant } from './moment.ts'
import { type Row, rowsOfKind } from './namedRows.ts'
import { areLegsDisjoint } from './requests.ts'
import { isCollateralised } from './selection.ts'
import { holderOf, type Leg, liveQuotesOf, openPositions, pendingRequests, type State } from './state.ts'

/** INV-09: a position opens by its maker's confirmation inside the window. INV-26: the window is that of the profile. */
export const confirmedInTime: Invariant = ({ rows, command, middle, after, nowUs, profile }, claim) => {
  for (const row of rowsOfKind(rows, ParlayEvent.positionOpened)) {
    const selection = middle.requests.get(row.request)?.selection ?? null
    claim(command?.op === ParlayOp.confirmSelection && row.cause === command.seq, `position ${row.position} without a confirmation`)
    claim(selection !== null && selection.quote === row.quote, `position ${row.position} without a selection`)
    claim(selection !== null && nowUs < selection.confirmByUs, `position ${row.position} confirmed late`)
    claim(middle.quotes.get(row.quote)!.maker === command?.account, `position ${row.position} confirmed by another`)
  }
  for (const row of rowsOfKind(rows, ParlayEvent.quoteSelected)) {
    const windowMs = (row.confirmBeforeUs - row.atUs) / 1000
    claim(windowMs === profile.confirmationMs, `window of quote ${row.quote}`)
  }
  const isOperators = command !== null && command.op < ParlayOp.deposit
  for (const { number, selection } of pendingRequests(after)) {
    const isInTime = isOperators ? selection.confirmByUs >= nowUs : selection.confirmByUs > nowUs
    claim(isInTime, `selection of request ${number} outlived its window`)
  }
}

/** INV-11: at most one position per request, of its only filled quote, and one winner per auction. */
export const oneTradePerRequest: Invariant = ({ before, after, rows }, claim) => {
  const tradedBefore = [...before.positions.values()].map((position) => position.request)
  const opened = rowsOfKind(rows, ParlayEvent.positionOpened).map((row) => row.request)
  for (const request of opened) claim(!tradedBefore.includes(request), `request ${request} traded again`)
  const traded = [...after.positions.values()].map((position) => position.request)
  for (const request of traded) claim(traded.indexOf(request) === traded.lastIndexOf(request), `request ${request} traded twice`)
  for (const row of rowsOfKind(rows, ParlayEvent.bidWon)) {
    const wins = [...after.bids.values()].filter((bid) => bid.auction === row.auction && bid.state === BidState.won)
    claim(!after.auctions.has(row.auction) || wins.length === 1, `auction ${row.auction} won ${wins.length} times`)
  }
}

/** INV-12: the version rises by one per update, and the hash is that of what is stored. */
export const versionsRise: Invariant = ({ before, after, rows, view }, claim) => {
  for (const request of after.requests.values()) {
    const shown = view.request(request.number)!
    const updates = rowsOfKind(rows, ParlayEvent.requestUpdated).filter((row) => row.request === request.number).length
    claim(shown.version === (before.requests.get(request.number)?.version ?? 1) + updates, `version of request ${request.number}`)
    claim(shown.contentTag === tagOf(shown.legs, shown.betMicros), `hash of request ${request.number}`)
  }
}

const BOOK_STEPS = [
  ParlayEvent.quoteReplaced, ParlayEvent.quoteSubmitted, ParlayEvent.quoteWithdrawn, ParlayEvent.quoteExpired, ParlayEvent.quoteInvalidated,
  ParlayEvent.quoteFailed,
] as const

/** INV-13: book_seq never falls, is 0 only for an untouched book, and each step of the book has its own value. */
export const bookSeqRises: Invariant = ({ before, after, rows, view }, claim) => {
  const last = new Map<number, Row<'quoteSubmitted' | 'quoteReplaced'>>()
  for (const row of rowsOfKind(rows, ...BOOK_STEPS)) {
    const former = last.get(row.request)
    const seq = former?.bookSeq ?? before.requests.get(row.request)?.bookSeq ?? 0
    const isSameStep = former !== undefined && (row.kind === ParlayEvent.quoteInvalidated
      ? former.kind === ParlayEvent.quoteInvalidated
      : row.kind === ParlayEvent.quoteSubmitted && former.kind === ParlayEvent.quoteReplaced)
    claim(row.bookSeq === (isSameStep ? seq : seq + 1), `book_seq ${row.bookSeq} of quote ${row.quote} after ${seq}`)
    last.set(row.request, row)
  }
  for (const request of after.requests.values()) {
    const shown = view.request(request.number)!
    const seq = last.get(request.number)?.bookSeq ?? before.requests.get(request.number)?.bookSeq ?? 0
    const isTouched = [...after.quotes.values()].some((quote) => quote.request === request.number)
    claim(shown.bookSeq === seq, `book_seq of request ${request.number} rose without an event`)
    claim(shown.bookSeq > 0 === isTouched, `book_seq 0 of request ${request.number}`)
  }
}

/** INV-14: live quotes are of the current version and in time; only such a one, not excluded, is selected. */
export const liveQuotesAreCurrent: Invariant = ({ after, middle, rows, command, nowUs, view }, claim) => {
  const isOperators = command !== null && command.op < ParlayOp.deposit
  for (const request of after.requests.values()) {
    for (const { number } of liveQuotesOf(after, request.number)) {
      const shown = view.quote(number)!
      claim(shown.version === view.request(request.number)!.version, `version of live quote ${number}`)
      claim(shown.validUntilUs > nowUs || (isOperators && shown.validUntilUs === nowUs), `live quote ${number} is over`)
      claim(request.state === RequestState.active, `live quote ${number} on an ended request`)
    }
  }
  for (const row of rowsOfKind(rows, ParlayEvent.quoteSelected)) {
    const quote = middle.quotes.get(row.quote)!
    const isEligible = quote.state === QuoteState.live && quote.version === row.version && quote.validUntilUs > row.atUs
    claim(isEligible, `selected quote ${row.quote}`)
    claim(!command!.list.includes(row.maker), `selected maker ${row.maker} was excluded`)
  }
}

/** INV-15: the selected odds are at or above the floor and those of every other eligible collateralised quote. */
export const bestIsSelected: Invariant = ({ rows, middle, command }, claim) => {
  for (const row of rowsOfKind(rows, ParlayEvent.quoteSelected)) {
    claim(row.oddsE4 >= command!.oddsE4, `quote ${row.quote} is below the floor`)
    const request = middle.requests.get(row.request)!
    for (const rival of liveQuotesOf(middle, row.request)) {
      if (command!.list.includes(rival.maker) || !isCollateralised({ state: middle }, request, rival)) continue
      const isWorse = rival.oddsE4 < row.oddsE4 || (rival.oddsE4 === row.oddsE4 && rival.number >= row.quote)
      claim(isWorse, `quote ${rival.number} beats ${row.quote}`)
    }
  }
}

/** INV-16: at most one live or reserved quote per maker and request, one live bid per maker and auction. */
export const oneQuotePerMaker: Invariant = ({ after }, claim) => {
  const standing = [...after.quotes.values()].filter(({ state }) => state === QuoteState.live || state === QuoteState.reserved)
  const makers = standing.map((quote) => `${quote.request}/${quote.maker}`)
  for (const maker of makers) claim(makers.indexOf(maker) === makers.lastIndexOf(maker), `two standing quotes of request/maker ${maker}`)
  const bidders = [...after.bids.values()].filter(({ state }) => state === BidState.live).map((bid) => `${bid.auction}/${bid.maker}`)
  for (const one of bidders) claim(bidders.indexOf(one) === bidders.lastIndexOf(one), `two live bids of auction/maker ${one}`)
}

/** INV-17: ended requests, quotes, auctions and bids do not change again, ended positions do not return. */
export const endsAreFinal: Invariant = ({ before, after, view }, claim) => {
  for (const request of before.requests.values()) {
    const shown = view.request(request.number)
    if (request.state === RequestState.active || shown === null) continue
    const isSame = shown.state === request.state && shown.version === request.version && shown.bookSeq === request.bookSeq
    claim(isSame, `request ${request.number}`)
  }
  for (const quote of before.quotes.values()) {
    const now = after.quotes.get(quote.number)
    if (quote.state === QuoteState.live || quote.state === QuoteState.reserved || now === undefined) continue
    claim(now.state === quote.state, `quote ${quote.number}`)
  }
  for (const position of before.positions.values()) {
    if (position.end !== null) claim(view.position(position.number) === null, `position ${position.number}`)
  }
  for (const { number, state, wonBy } of before.auctions.values()) {
    const shown = view.auction(number)
    if (state === AuctionState.active || shown === null) continue
    claim(shown.state === state && (wonBy === NONE || shown.bestBid === wonBy), `auction ${number}`)
  }
  for (const { number, state } of before.bids.values()) {
    const now = after.bids.get(number)
    claim(state === BidState.live || now === undefined || now.state === state, `bid ${number}`)
  }
}

/** INV-18: when a request takes its content, its legs exclude each other nowhere and their number is right. */
export const legsAreDisjoint: Invariant = ({ rows, after, profile }, claim) => {
  for (const row of rowsOfKind(rows, ParlayEvent.requestCreated, ParlayEvent.requestUpdated)) {
    const legs: Leg[] = []
    for (let i = 0; i < row.list.length; i += 2) legs.push({ market: row.list[i]!, side: row.list[i + 1]! })
    claim(legs.length >= profile.legsMin && legs.length <= profile.legsMax, `leg count of request ${row.request}`)
    claim(areLegsDisjoint(after, legs), `legs of request ${row.request}`)
  }
}

/** INV-19: bets, odds, validities, stakes and payouts of what is stored lie within their limits. */
export const withinLimits: Invariant = ({ after, profile, view, rows }, claim) => {
  for (const request of after.requests.values()) {
    const { betMicros } = view.request(request.number)!
    claim(betMicros >= profile.betMinMicros && betMicros <= profile.betMaxMicros, `bet of request ${request.number}`)
  }
  for (const { number, oddsE4, stakeMicros } of after.quotes.values()) {
    claim(oddsE4 >= profile.oddsE4Min && oddsE4 <= profile.oddsE4Max, `odds of quote ${number}`)
    claim(stakeMicros >= 0 && stakeMicros <= profile.betMaxMicros, `stake of quote ${number}`)
  }
  for (const row of rowsOfKind(rows, ParlayEvent.quoteSubmitted)) {
    const validMs = (row.expiresAtUs - row.atUs) / 1000
    claim(validMs >= profile.quoteValidityMinMs && validMs <= profile.quoteValidityMaxMs, `validity of quote ${row.quote}`)
  }
  for (const { number, stakeMicros, payoutMicros } of openPositions(after)) {
    claim(payoutMicros >= stakeMicros && payoutMicros <= stakeMicros * 1000, `payout of position ${number}`)
  }
}

/** INV-21: a position has one holder and one backer; a transfer changes the holder alone. */
export const partiesStay: Invariant = ({ before, view, rows }, claim) => {
  for (const position of openPositions(before)) {
    const { number, backer, stakeMicros, payoutMicros, takerFeeMicros, takerFeeBps, profitFeeBps, request, quote } = position
    const shown = view.position(number)
    if (shown === null) continue
    const holder = rowsOfKind(rows, ParlayEvent.positionTransferred).findLast((row) => row.position === number)?.buyer ?? holderOf(position)
    claim(shown.holder === holder && shown.backer === backer, `parties of position ${number}`)
    const isSame = shown.stakeMicros === stakeMicros && shown.payoutMicros === payoutMicros && shown.takerFeeMicros === takerFeeMicros &&
      shown.takerFeeBps === takerFeeBps && shown.profitFeeBps === profitFeeBps && shown.request === request && shown.quote === quote
    claim(isSame, `terms of position ${number}`)
  }
}

/** INV-30: rows follow time. Replays are compared by the driver. */
export const timeIsMonotone: Invariant = ({ rows, postings, nowUs }, claim) => {
  let atUs = 0
  for (const row of rows) {
    claim(row.atUs >= atUs && row.atUs <= nowUs, `instant ${row.atUs} of a row`)
    atUs = row.atUs
  }
  for (const posting of postings) claim(posting.atUs <= nowUs, `instant ${posting.atUs} of a posting`)
}

/** The contract: one reply to each command, at once or to a pending commit later. */
export const oneReplyEach: Invariant = ({ rows, before, after, command }, claim) => {
  const owed = (state: State): number[] => pendingRequests(state).map((request) => request.selection.commitSeq)
  const expected = [...owed(before), ...(command === null ? [] : [command.seq])].filter((seq) => !owed(after).includes(seq))
  const given = rowsOfKind(rows, ParlayEvent.reply).map((row) => row.cause)
  claim(!given.includes(NONE), 'a reply to no command')
  const inOrder = (seqs: readonly number[]): string => seqs.toSorted((a, b) => a - b).join()
  claim(inOrder(given) === inOrder(expected), `replies to ${inOrder(given)} where ${inOrder(expected)} were owed`)
}
