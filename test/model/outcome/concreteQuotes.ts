import { NONE } from '../../../src/unit/none.ts'
import { OutcomeOp } from '../../../src/venue/outcome/protocol/commands.ts'
import { QuoteState, RfqState } from '../../../src/venue/outcome/protocol/events.ts'
import type { ModelCommand } from './command.ts'
import { signed } from './concreteTrade.ts'
import type { Intent } from './intents.ts'
import { usOfMs } from './numbers.ts'
import { offerOf } from './quotes.ts'
import { type Fields, flawOf, makerOf, NEVER_NUMBER, ownerOr, pickOf, type Scene, secondAfter, secondBefore } from './scene.ts'
import { confirmationTag, quoteSignerOf, quoteTag } from './signatures.ts'
import {
  freeOf, isCashOut, isLive, itemsOf, liveQuoteBy, pendingAcceptances, pendingOn, type Quote, quotesOf, type Rfq, type State,
} from './state.ts'

/** Commands of makers about quotes that intents become. */

export const openRfqs = (state: State): Rfq[] => itemsOf(state.rfqs, (rfq) => rfq.state === RfqState.open)

export const liveQuotes = (state: State): Quote[] => itemsOf(state.quotes, isLive)

export function submitQuote(intent: Intent, scene: Scene): Fields {
  const { state, profile, nowUs } = scene
  const open = openRfqs(state)
  const isOther = open.length === 0 || (intent.flaw >= 60 && intent.flaw < 66)
  const cashouts = open.filter(isCashOut)
  const wanted = cashouts.length > 0 && intent.who % 2 === 0 ? cashouts : open
  const rfq = pickOf(isOther ? otherRfqs(intent, state) : wanted, intent.pick)
  const maker = rfq === undefined ? makerOf(intent, scene) : makerFor(intent, scene, rfq)
  const [leastS, mostS] = expiryWindowOf(scene, rfq)
  const generations = [NONE, rfq?.generation ?? 1]
  const expiries = [mostS, mostS - 1, leastS, leastS + 1, Math.floor((leastS + mostS) / 2), mostS]
  const fields = {
    rfq: rfq?.number ?? NEVER_NUMBER, generation: generations[intent.pick % 2]!, payoutMicros: payoutOf(intent, scene, rfq, maker),
    expiryS: expiries[intent.amount % expiries.length]!,
  }
  const limit = rfq !== undefined && isCashOut(rfq) ? state.positions.get(rfq.position)?.payoutMicros ?? 1 : profile.payoutMaxMicros
  const net = rfq === undefined ? 1 : offerOf(state, rfq, fields).netStakeMicros
  const flaws: Partial<ModelCommand>[] = [
    { generation: fields.generation === NONE ? 2 : fields.generation + 1 }, { generation: Math.max(1, fields.generation - 1) },
    { generation: 0 }, { generation: 0.5 }, { generation: NaN }, { payoutMicros: 0 }, { payoutMicros: NaN }, { payoutMicros: 1.5 },
    { payoutMicros: limit + 1 }, { payoutMicros: Math.max(1, net) }, { payoutMicros: limit }, { expiryS: leastS - 1 },
    { expiryS: mostS + 1 }, { expiryS: secondBefore(nowUs) }, { expiryS: NaN }, { expiryS: leastS + 0.5 }, { expiryS: 1e300 }, { rfq: 0.5 }, { rfq: 0 }, { rfq: NaN },
    { payoutMicros: net + freeOf(state, maker) + 1 }, { payoutMicros: Math.max(1, freeOf(state, maker) + 1) },
  ]
  const sent = { ...fields, ...flawOf(intent, 84, flaws) }
  const known = state.rfqs.get(sent.rfq)
  const account = ownerOr(intent, maker, known?.owner ?? 0)
  const signer = state.accounts.get(account)?.signer ?? account
  const tag = known === undefined ? 0 : quoteTag(account, known, offerOf(state, known, sent))
  return [OutcomeOp.submitQuote, account, { ...sent, ...signed(intent, signer, tag) }]
}

/** Any RFQ, often one that waits for its maker. */
function otherRfqs(intent: Intent, state: State): Rfq[] {
  const inFlight = itemsOf(state.rfqs, (rfq) => rfq.state === RfqState.inFlight)
  return inFlight.length > 0 && intent.flaw < 64 ? inFlight : itemsOf(state.rfqs)
}

/** The backing maker of a position quotes for its cash-out often, and the one whose quote is accepted now and then. */
function makerFor(intent: Intent, scene: Scene, rfq: Rfq): number {
  const backer = scene.state.positions.get(rfq.position)?.backer
  if (backer !== undefined && backer !== rfq.owner && intent.who % 7 < 3) return backer
  const accepted = quotesOf(scene.state, rfq.number).find(({ state }) => state === QuoteState.accepted)
  if (accepted !== undefined && intent.who % 2 === 0) return accepted.maker
  const maker = makerOf(intent, scene)
  return maker === rfq.owner && intent.flaw < 90 ? makerOf({ ...intent, who: intent.who + 1 }, scene) : maker
}

function expiryWindowOf({ nowUs, profile }: Scene, rfq: Rfq | undefined): [leastS: number, mostS: number] {
  return rfq !== undefined && isCashOut(rfq)
    ? [secondAfter(nowUs + usOfMs(profile.cashoutExpiryMinMs)), secondBefore(nowUs + usOfMs(profile.cashoutExpiryMaxMs))]
    : [secondAfter(nowUs + 1), secondBefore(nowUs + usOfMs(profile.entryExpiryMaxMs))]
}

/** A payout or price that the maker can mostly afford, now and then at the edge of its means. */
function payoutOf(intent: Intent, { state, profile }: Scene, rfq: Rfq | undefined, maker: number): number {
  if (rfq === undefined) return 2_000_000
  const free = freeOf(state, maker)
  if (isCashOut(rfq)) {
    const { payoutMicros = 1, netStakeMicros = 1 } = state.positions.get(rfq.position) ?? {}
    const middle = Math.floor((netStakeMicros + payoutMicros) / 2)
    const prices = [netStakeMicros, Math.ceil(netStakeMicros / 2), netStakeMicros + 1, 1, middle, free, payoutMicros]
    return Math.min(payoutMicros, Math.max(1, prices[intent.amount % prices.length]!))
  }
  const net = offerOf(state, rfq, { payoutMicros: 0, expiryS: 0 }).netStakeMicros
  const exposureLeft = profile.exposureMultiple * free - itemsOf(state.quotes, (quote) => isLive(quote) && quote.maker === maker)
    .reduce((sum, quote) => sum + quote.riskMicros, 0) + (liveQuoteBy(state, rfq.number, maker)?.riskMicros ?? 0)
  const risks = [
    net, Math.ceil(net / 3), net * 2, 1, Math.ceil(net / 2), free, Math.min(free, exposureLeft), Math.min(free, exposureLeft + 1),
    1_000_000 + intent.amount,
  ]
  const risk = risks[intent.amount % risks.length]!
  const isProper = intent.flaw < 55 && intent.amount % 9 < 5
  return Math.max(1, Math.min(profile.payoutMaxMicros, net + Math.max(1, isProper ? Math.min(risk, free, exposureLeft) : risk)))
}

export function cancelQuote(intent: Intent, scene: Scene): Fields {
  const { state } = scene
  const live = liveQuotes(state)
  const quote = pickOf(intent.flaw < 70 && live.length > 0 ? live : itemsOf(state.quotes), intent.pick)
  const bad = [0.5, NaN, 1e300, NEVER_NUMBER]
  const number = intent.flaw >= 96 ? bad[intent.pick % bad.length]! : quote?.number ?? NEVER_NUMBER
  return [OutcomeOp.cancelQuote, ownerOr(intent, quote?.maker, makerOf(intent, scene)), { quote: number }]
}

export function confirmQuote(intent: Intent, scene: Scene): Fields {
  const { state } = scene
  const quote = quoteToAnswer(intent, scene)
  const account = ownerOr(intent, quote?.maker, makerOf(intent, scene))
  const acceptance = quote === undefined ? undefined : pendingOn(state, quote.number)
  const tag = quote === undefined || acceptance === undefined ? 0 : confirmationTag(state.rfqs.get(quote.rfq)!, quote, acceptance)
  const signer = quote === undefined ? 0 : quoteSignerOf(state, quote.maker)
  return [OutcomeOp.confirmQuote, account, { quote: badQuoteOr(intent, quote), ...signed(intent, signer, tag) }]
}

export function declineQuote(intent: Intent, scene: Scene): Fields {
  const quote = quoteToAnswer(intent, scene)
  return [OutcomeOp.declineQuote, ownerOr(intent, quote?.maker, makerOf(intent, scene)), { quote: badQuoteOr(intent, quote) }]
}

function quoteToAnswer(intent: Intent, { state }: Scene): Quote | undefined {
  const pending = pickOf(pendingAcceptances(state), intent.pick)
  if (pending !== undefined && intent.flaw < 95) return state.quotes.get(pending.quote)
  return pickOf(itemsOf(state.quotes), intent.pick)
}

const badQuoteOr = (intent: Intent, quote: Quote | undefined): number => {
  const bad = [0.5, NaN, NEVER_NUMBER, 1e300]
  return intent.flaw >= 91 && intent.flaw < 95 ? bad[intent.pick % bad.length]! : quote?.number ?? NEVER_NUMBER
}
