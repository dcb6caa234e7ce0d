import type { AuctionRow, RequestRow, SelectionRow } from '../../src/agent/rows.ts'
import { Action, isKnown } from '../../src/agent/vocabulary.ts'
import type { ExternalCall } from '../../src/engine/externalCalls.ts'
import { NONE } from '../../src/unit/none.ts'
import { OutcomeOp } from '../../src/venue/outcome/protocol/commands.ts'
import type { OutcomeProfile } from '../../src/venue/outcome/protocol/profile.ts'
import { ConfirmationTerms, SignedTerms, type TermsDigest, TermsKind } from '../../src/venue/outcome/protocol/terms.ts'
import { ParlayOp } from '../../src/venue/parlay/protocol/commands.ts'

interface Quoted {
  readonly oddsE4: number
  readonly probability: number
  readonly validUs: number
  readonly memoE9: number
  readonly productE9: number
  readonly contentTag: number
  readonly nowUs: number
}
type Bid = Pick<Quoted, 'validUs' | 'memoE9' | 'productE9' | 'nowUs'> & { readonly priceMicros: number }

/** How a maker outside of the session says in a service's words what its strategy wishes; null: nothing yet. */
export interface Words {
  quote(request: RequestRow, quoted: Quoted): ExternalCall | null
  withdraw(request: number): ExternalCall | null
  bid(auction: AuctionRow, bid: Bid): ExternalCall | null
  decide(selection: SelectionRow, confirm: boolean): ExternalCall | null
  /** An answer has come: what has waited for it. */
  answered(action: Action, isTaken: boolean, request: number, quote: number): readonly ExternalCall[]
}

const MS_US = 1000
const SECOND_US = 1_000_000

export const PARLAY_WORDS: Words = {
  quote: ({ request, version }, { oddsE4, validUs, memoE9, productE9, contentTag }) =>
    ({ op: ParlayOp.submitQuote, fields: { request, version, contentTag, oddsE4, validMs: Math.floor(validUs / MS_US), memoE9, productE9 } }),
  withdraw: (request) => ({ op: ParlayOp.withdrawQuote, fields: { request } }),
  bid: ({ auction }, { priceMicros, validUs, memoE9, productE9 }) =>
    ({ op: ParlayOp.submitBid, fields: { auction, amountMicros: priceMicros, validMs: Math.floor(validUs / MS_US), memoE9, productE9 } }),
  decide: ({ request, quote }, confirm) => ({ op: confirm ? ParlayOp.confirmSelection : ParlayOp.declineSelection, fields: { request, quote } }),
  answered: () => [],
}

/** What a maker of the outcome service knows of itself and of the deployment. */
export interface OutcomeMaker {
  readonly account: number
  readonly profile: OutcomeProfile
  readonly termsTag: TermsDigest
  /** The longest way of what it sends, µs. */
  readonly slowestUs: number
}

/** The quotes of a maker on one request: how many are not answered, and the last one that the service took. */
interface Own { underWay: number; quote: number; isWithdrawn: boolean }

/**
 * The words of the outcome service: a quote pays floor(net stake ∕ probability) and is good until a whole second, terms are signed, and a
 * withdrawal names its quote, so that it waits until the maker knows it.
 */
export class OutcomeWords implements Words {
  private readonly maker: OutcomeMaker
  private readonly terms = new SignedTerms()
  private readonly own = new Map<number, Own>()
  /** Above the keys that the session itself makes up for its accounts. */
  private keys = 2 ** 27

  constructor(maker: OutcomeMaker) {
    this.maker = maker
  }

  quote({ request, version, netStakeMicros, legs }: RequestRow, { probability, validUs, memoE9, productE9, nowUs }: Quoted): ExternalCall {
    const { profile } = this.maker
    const payoutMicros = Math.max(netStakeMicros + 1, Math.min(profile.payoutMaxMicros, Math.floor(netStakeMicros / probability)))
    const expiryS = Math.floor((nowUs + Math.min(Math.floor(validUs / MS_US), profile.entryExpiryMaxMs) * MS_US) / SECOND_US)
    const own = this.own.get(request) ?? { underWay: 0, quote: NONE, isWithdrawn: false }
    own.underWay++
    this.own.set(request, own)
    const terms = this.quoteTerms(request, version, payoutMicros, expiryS, legs)
    terms.stakeMicros = netStakeMicros
    terms.takerFeeBps = profile.takerFeeBps
    terms.feeBps = profile.feeBps
    return this.signed(OutcomeOp.submitQuote, { rfq: request, generation: version, payoutMicros, expiryS, memoE9, productE9 })
  }

  bid({ auction, version, position, profitFeeBps, legs }: AuctionRow, { priceMicros, validUs, memoE9, productE9, nowUs }: Bid): ExternalCall {
    const { profile: { cashoutExpiryMinMs, cashoutExpiryMaxMs }, slowestUs } = this.maker
    const nearestS = Math.ceil((nowUs + slowestUs + cashoutExpiryMinMs * MS_US) / SECOND_US)
    const furthestS = Math.floor((nowUs + cashoutExpiryMaxMs * MS_US) / SECOND_US)
    const expiryS = Math.min(furthestS, Math.max(nearestS, Math.floor((nowUs + Math.floor(validUs / MS_US) * MS_US) / SECOND_US)))
    const terms = this.quoteTerms(auction, version, priceMicros, expiryS, legs)
    terms.position = position
    terms.feeBps = profitFeeBps
    return this.signed(OutcomeOp.submitQuote, { rfq: auction, generation: version, payoutMicros: priceMicros, expiryS, memoE9, productE9 })
  }

  decide({ request, quote, selection, position, payoutMicros, riskMicros }: SelectionRow, confirm: boolean): ExternalCall {
    if (!confirm) return { op: OutcomeOp.declineQuote, fields: { quote } }
    const { account, profile: { takerFeeBps, feeBps } } = this.maker
    const terms = this.terms.reset(TermsKind.confirmation, account)
    const isBid = isKnown(position)
    terms.rfq = request
    terms.quote = quote
    terms[ConfirmationTerms.acceptance] = selection
    terms.position = isBid ? position : NONE
    terms.payoutMicros = isBid ? riskMicros : payoutMicros
    if (!isBid) terms.takerFeeBps = takerFeeBps
    terms.feeBps = feeBps
    return this.signed(OutcomeOp.confirmQuote, { quote }, false)
  }

  withdraw(request: number): ExternalCall | null {
    const own = this.own.get(request)
    if (own === undefined || own.underWay === 0) return cancel(request, own?.quote ?? NONE)
    own.isWithdrawn = true
    return null
  }

  answered(action: Action, isTaken: boolean, request: number, quote: number): readonly ExternalCall[] {
    const own = this.own.get(request)
    if (action !== Action.submitQuote || own === undefined) return []
    own.underWay--
    if (isTaken) own.quote = quote
    if (own.underWay > 0 || !own.isWithdrawn) return []
    own.isWithdrawn = false
    return [cancel(request, own.quote)]
  }

  private quoteTerms(rfq: number, generation: number, payoutMicros: number, expiryS: number, { count, markets, sides }: RequestRow['legs']): SignedTerms {
    const terms = this.terms.reset(TermsKind.quote, this.maker.account)
    terms.rfq = rfq
    terms.generation = generation
    terms.payoutMicros = payoutMicros
    terms.expiryS = expiryS
    for (let i = 0; i < count; i++) terms.leg(markets[i]!, sides[i]!)
    return terms
  }

  private signed(op: number, fields: Readonly<Record<string, number>>, hasKey = true): ExternalCall {
    const { account, termsTag } = this.maker
    return { op, fields: { ...fields, signer: account, termsTag: termsTag(this.terms), ...(hasKey && { key: ++this.keys }) } }
  }
}

/** It names the request too, so that a withdrawal of a quote that was refused has the way of one. */
const cancel = (rfq: number, quote: number): ExternalCall => ({ op: OutcomeOp.cancelQuote, fields: { rfq, quote } })
