import { NONE } from '../../../src/unit/none.ts'
import { OutcomeCode } from '../../../src/venue/outcome/protocol/codes.ts'
import { AccountRole, OutcomeFault } from '../../../src/venue/outcome/protocol/commands.ts'
import { OutcomeEvent, QuoteState, RfqState } from '../../../src/venue/outcome/protocol/events.ts'
import type { Call } from './call.ts'
import type { ModelCommand } from './command.ts'
import { netStakeOf, oddsOf } from './money.ts'
import type { Answer, EventKind, Fields } from './namedRows.ts'
import { isGeneration, isInteger, isIntegerIn, usOfMs, usOfSecond } from './numbers.ts'
import { aboutRfq, invalid, OK, type Turn, write } from './rows.ts'
import { type Offer, quoteSignerOf, quoteTag, refusalOfSignature } from './signatures.ts'
import {
  change, freeOf, isCashOut, isFaultOn, isLive, itemsOf, listedQuotesOf, liveQuoteBy, put, type Quote, quotesOf, type Rfq, type State, sumOf,
} from './state.ts'

/** A maker's quote; its live one on the RFQ gives way. */
export const submitQuote: Call = {
  role: AccountRole.maker,
  stopsWithFinancialActions: true,
  fieldsRefusal(_turn, { rfq, generation, payoutMicros, expiryS }) {
    if (!isInteger(rfq)) return invalid('rfq')
    if (!isGeneration(generation)) return invalid('generation')
    if (!isIntegerIn(payoutMicros, 1, Number.MAX_SAFE_INTEGER)) return invalid('payout')
    return isInteger(expiryS) ? null : invalid('expiry')
  },
  perform(turn, command) {
    const { state } = turn
    const { account } = command
    const rfq = state.rfqs.get(command.rfq)
    if (rfq === undefined) return { code: OutcomeCode.notFound }
    const offer = offerOf(state, rfq, command)
    const riskMicros = riskOfOffer(state, rfq, account, offer)
    const refusal = refusalOfState(turn, rfq, command, offer) ?? refusalOfTerms(turn, rfq, offer) ??
      refusalOfSignature(command, quoteTag(account, rfq, offer), quoteSignerOf(state, account)) ??
      refusalOfMeans(turn, rfq, account, riskMicros)
    if (refusal !== null) return refusal
    return submit(turn, rfq, account, offer, riskMicros)
  },
}

/** What the command offers on the RFQ at the fees in force. */
export function offerOf(state: State, rfq: Rfq, { payoutMicros, expiryS }: Pick<ModelCommand, 'payoutMicros' | 'expiryS'>): Offer {
  if (isCashOut(rfq)) {
    // A position that ended took its RFQ with it: there is nothing to offer for, and the RFQ is not open.
    const feeBps = state.positions.get(rfq.position)?.feeBps ?? NONE
    return { payoutMicros, expiryS, netStakeMicros: NONE, takerFeeBps: NONE, feeBps }
  }
  const { takerFeeBps, feeBps } = state
  return { payoutMicros, expiryS, netStakeMicros: netStakeOf(rfq.stakeMicros, takerFeeBps), takerFeeBps, feeBps }
}

/** What the offer can cost the maker: its part of the pot, or the price, of which the backing maker pays nothing. */
export function riskOfOffer(state: State, rfq: Rfq, maker: number, { payoutMicros, netStakeMicros }: Offer): number {
  if (!isCashOut(rfq)) return payoutMicros - netStakeMicros
  return state.positions.get(rfq.position)?.backer === maker ? 0 : payoutMicros
}

function refusalOfState({ state, profile }: Turn, rfq: Rfq, { account, generation }: ModelCommand, { netStakeMicros }: Offer): Answer | null {
  if (rfq.owner === account) return { code: OutcomeCode.forbidden }
  if (isWaitingFor(state, rfq, account)) return { code: OutcomeCode.stateConflict }
  if (rfq.state === RfqState.inFlight) return { code: OutcomeCode.rfqGenerationInFlight }
  if (rfq.state !== RfqState.open) return { code: OutcomeCode.rfqNotOpen }
  if (generation !== NONE && generation !== rfq.generation) return { code: OutcomeCode.rfqGenerationStale }
  if (!isCashOut(rfq) && netStakeMicros < profile.netStakeMinMicros) return { code: OutcomeCode.stateConflict }
  return isFaultOn(state, OutcomeFault.quoteExposureStale) ? { code: OutcomeCode.quoteExposureStale } : null
}

/** Whether the RFQ waits for the maker to confirm its quote. */
export const isWaitingFor = (state: State, rfq: Rfq, maker: number): boolean =>
  quotesOf(state, rfq.number).some((quote) => quote.maker === maker && quote.state === QuoteState.accepted)

function refusalOfTerms({ state, profile, atUs }: Turn, rfq: Rfq, { payoutMicros, expiryS, netStakeMicros }: Offer): Answer | null {
  const expiresAtUs = usOfSecond(expiryS)
  const [leastUs, mostUs] = isCashOut(rfq)
    ? [atUs + usOfMs(profile.cashoutExpiryMinMs), atUs + usOfMs(profile.cashoutExpiryMaxMs)]
    : [atUs + 1, atUs + usOfMs(profile.entryExpiryMaxMs)]
  if (expiresAtUs < leastUs || expiresAtUs > mostUs) return invalid('expiry')
  const isInLimits = isCashOut(rfq) ? payoutMicros <= state.positions.get(rfq.position)!.payoutMicros
    : payoutMicros > netStakeMicros && payoutMicros <= profile.payoutMaxMicros
  return isInLimits ? null : invalid('payout')
}

function refusalOfMeans({ state, profile }: Turn, rfq: Rfq, maker: number, riskMicros: number): Answer | null {
  const freeMicros = freeOf(state, maker)
  if (freeMicros < riskMicros) return { code: OutcomeCode.quoteCapacityExceeded, requiredMicros: riskMicros, availableMicros: freeMicros }
  const replacedMicros = liveQuoteBy(state, rfq.number, maker)?.riskMicros ?? 0
  const togetherMicros = quotedOf(state, maker) - replacedMicros + riskMicros
  const limitMicros = profile.exposureMultiple * freeMicros
  return togetherMicros <= limitMicros ? null : { code: OutcomeCode.quoteExposureLimit, requiredMicros: togetherMicros, availableMicros: limitMicros }
}

/** Risk of the maker's live quotes together. */
export const quotedOf = (state: State, maker: number): number =>
  sumOf(itemsOf(state.quotes, (quote) => isLive(quote) && quote.maker === maker), (quote) => quote.riskMicros)

function submit(turn: Turn, rfq: Rfq, maker: number, offer: Offer, riskMicros: number): Answer {
  const { state, profile, atUs } = turn
  const former = liveQuoteBy(state, rfq.number, maker)
  if (former !== undefined) leave(turn, rfq, former, QuoteState.replaced, OutcomeEvent.quoteReplaced)
  const { payoutMicros, netStakeMicros, takerFeeBps, feeBps } = offer
  const expiresAtUs = usOfSecond(offer.expiryS)
  const hiddenUs = usOfMs(isCashOut(rfq) ? profile.cashoutHiddenMs : profile.entryHiddenMs)
  const quote = put(state.quotes, {
    number: ++state.lastQuote, rfq: rfq.number, maker, state: QuoteState.live, generation: rfq.generation, netStakeMicros, payoutMicros,
    riskMicros, takerFeeBps, feeBps, signer: quoteSignerOf(state, maker), expiresAtUs,
    listedUntilUs: expiresAtUs - atUs > hiddenUs ? expiresAtUs - hiddenUs : null,
  })
  write(turn, OutcomeEvent.quoteCreated, { ...aboutTerms(rfq, quote), takerFeeBps, expiresAtUs })
  tellBest(turn, rfq)
  return {
    ...OK, ...aboutRfq(rfq), quote: quote.number, oddsE4: oddsOf(payoutMicros, netStakeMicros), riskMicros, expiresAtUs,
  }
}

export const cancelQuote: Call = {
  role: AccountRole.maker,
  stopsWithFinancialActions: false,
  fieldsRefusal: (_turn, { quote }) => (isInteger(quote) ? null : invalid('quote')),
  perform(turn, { account, quote: number }) {
    const quote = turn.state.quotes.get(number)
    if (quote === undefined || quote.maker !== account) return { code: OutcomeCode.quoteNotFound }
    if (!isLive(quote)) return { code: codeOfEnd(quote) ?? OutcomeCode.stateConflict }
    const rfq = turn.state.rfqs.get(quote.rfq)!
    leave(turn, rfq, quote, QuoteState.cancelled, OutcomeEvent.quoteCancelled)
    tellBest(turn, rfq)
    return { ...OK, ...aboutRfq(rfq), quote: number }
  },
}

/** The code of a quote that its maker or the time has ended, else null. */
export function codeOfEnd({ state }: Quote): number | null {
  if (state === QuoteState.expired) return OutcomeCode.quoteExpired
  if (state === QuoteState.cancelled) return OutcomeCode.quoteCancelled
  return state === QuoteState.replaced ? OutcomeCode.quoteReplaced : null
}

/** A quote comes near its expiry and is listed no more. Precondition: it is live and listed. */
export function hide(turn: Turn, quote: Quote): void {
  change(turn.state.quotes, quote.number, { listedUntilUs: null })
  tellBest(turn, turn.state.rfqs.get(quote.rfq)!)
}

/** Precondition: it is live. */
export function expire(turn: Turn, quote: Quote): void {
  const rfq = turn.state.rfqs.get(quote.rfq)!
  leave(turn, rfq, quote, QuoteState.expired, OutcomeEvent.quoteExpired)
  tellBest(turn, rfq)
}

/** The RFQ is cancelled or filled by another: its live quotes are dead. */
export function killLive(turn: Turn, rfq: Rfq): void {
  for (const quote of quotesOf(turn.state, rfq.number).filter(isLive)) leave(turn, rfq, quote, QuoteState.dead, OutcomeEvent.quoteDead)
  tellBest(turn, rfq)
}

type QuoteEnd = 'quoteReplaced' | 'quoteCancelled' | 'quoteExpired' | 'quoteDead'

function leave(turn: Turn, rfq: Rfq, quote: Quote, state: number, kind: EventKind<QuoteEnd>): void {
  change(turn.state.quotes, quote.number, { state })
  write(turn, kind, aboutQuote(rfq, quote))
}

/** What every row of a quote carries. */
export const aboutQuote = (rfq: Rfq, quote: Quote) => ({ ...aboutRfq(rfq), quote: quote.number, maker: quote.maker, owner: rfq.owner })

/** Fields of the rows that show a quote's terms. The price of a cash-out is its payout, too. */
export function aboutTerms(rfq: Rfq, quote: Quote): Fields<'quoteCreated' | 'quoteAccepted'> {
  const { payoutMicros, netStakeMicros, riskMicros } = quote
  if (isCashOut(rfq)) return { ...aboutQuote(rfq, quote), priceMicros: payoutMicros, payoutMicros }
  return { ...aboutQuote(rfq, quote), oddsE4: oddsOf(payoutMicros, netStakeMicros), riskMicros, netStakeMicros, payoutMicros }
}

/**
 * Writes bestQuoteChanged if the best listed quote is another than the one last told of. A quote whose listing ends now is none (OM-266),
 * but the one last told of is the best until its own listing ends: where a worse one leaves at that instant before it, nothing is told.
 */
export function tellBest(turn: Turn, rfq: Rfq): void {
  const { state } = turn
  const { number, owner } = rfq
  const toldOf = state.rfqs.get(number)!.bestQuote
  const best = listedQuotesOf(state, number).find((quote) => quote.number === toldOf || quote.listedUntilUs! > turn.atUs)
  if ((best?.number ?? NONE) === toldOf) return
  change(state.rfqs, number, { bestQuote: best?.number ?? NONE })
  if (best === undefined) return write(turn, OutcomeEvent.bestQuoteChanged, { ...aboutRfq(rfq), owner })
  const { payoutMicros, netStakeMicros, expiresAtUs } = best
  const worth = isCashOut(rfq) ? { priceMicros: payoutMicros } : { oddsE4: oddsOf(payoutMicros, netStakeMicros), payoutMicros }
  write(turn, OutcomeEvent.bestQuoteChanged, { ...aboutQuote(rfq, best), ...worth, expiresAtUs })
}
