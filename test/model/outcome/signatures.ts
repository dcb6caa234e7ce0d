import { NONE } from '../../../src/unit/none.ts'
import { OutcomeCode } from '../../../src/venue/outcome/protocol/codes.ts'
import { KEY_MAX } from '../../../src/venue/outcome/protocol/commands.ts'
import { cheapTermsTag, SignedTerms, TermsKind } from '../../../src/venue/outcome/protocol/terms.ts'
import type { ModelCommand } from './command.ts'
import type { Answer } from './namedRows.ts'
import { isIntegerIn } from './numbers.ts'
import { type Acceptance, isCashOut, type Leg, type Quote, type Rfq, type State } from './state.ts'

/** The tags of signed terms: what a command must carry so that its signature is one of these terms. */

type Fields = Partial<Pick<SignedTerms,
  'rfq' | 'generation' | 'quote' | 'key' | 'stakeMicros' | 'payoutMicros' | 'takerFeeBps' | 'feeBps' | 'coreMicros' | 'expiryS' | 'validAfterS'
  | 'validBeforeS' | 'value' | 'position'>>

function tagOf(kind: number, account: number, fields: Fields, legs: readonly Leg[] = []): number {
  const terms = new SignedTerms().reset(kind, account)
  Object.assign(terms, fields)
  for (const leg of legs) terms.leg(leg.outcome, leg.side)
  return cheapTermsTag(terms)
}

/** What a quote offers, beside the RFQ that it is for. */
export interface Offer {
  readonly payoutMicros: number
  readonly expiryS: number
  /** −1 of a cash-out; the fee rate at entry too. */
  readonly netStakeMicros: number
  readonly takerFeeBps: number
  readonly feeBps: number
}

export function quoteTag(maker: number, rfq: Rfq, { payoutMicros, expiryS, netStakeMicros, takerFeeBps, feeBps }: Offer): number {
  const { number, generation, position, legs } = rfq
  const fields = { rfq: number, generation, stakeMicros: netStakeMicros, payoutMicros, takerFeeBps, feeBps, expiryS, position }
  return tagOf(TermsKind.quote, maker, fields, legs)
}

/** `coreMicros` as sent. */
export type Funding = Pick<ModelCommand, 'key' | 'coreMicros' | 'validAfterS' | 'validBeforeS'>

/** Rates that a signer binds to: those in force, unless it signs about a position that has its own. */
export type Rates = Pick<State, 'takerFeeBps' | 'feeBps'>

const ratesOf = ({ takerFeeBps, feeBps }: Rates): Rates => ({ takerFeeBps, feeBps })

export function acceptanceTag(inForce: Rates, rfq: Rfq, quote: Quote, { key, coreMicros, validAfterS, validBeforeS }: Funding): number {
  const { number, payoutMicros } = quote
  const funding = isCashOut(rfq) ? { feeBps: quote.feeBps, position: rfq.position }
    : { ...ratesOf(inForce), stakeMicros: rfq.stakeMicros, coreMicros: coreMicros === NONE ? 0 : coreMicros, validAfterS, validBeforeS }
  return tagOf(TermsKind.acceptance, rfq.owner, { rfq: rfq.number, quote: number, key, payoutMicros, ...funding })
}

export const confirmationTag = ({ position }: Rfq, quote: Quote, acceptance: Acceptance): number => tagOf(TermsKind.confirmation, quote.maker, {
  position, rfq: quote.rfq, quote: quote.number, value: acceptance.number, payoutMicros: quote.payoutMicros, ...ratesOf(quote),
})

/** Key that the payout of a command binds: its own, or none when that is no key. */
const requestKeyOf = (key: number): number => (isIntegerIn(key, 1, KEY_MAX) ? key : NONE)

export type Payout = Pick<ModelCommand, 'key' | 'amountMicros' | 'exitUntilS' | 'validAfterS' | 'validBeforeS'>

export const withdrawalTag = (inForce: Rates, account: number, { key, amountMicros, exitUntilS, validAfterS, validBeforeS }: Payout): number => tagOf(TermsKind.withdrawal, account, {
  ...ratesOf(inForce), key: requestKeyOf(key), payoutMicros: amountMicros, expiryS: exitUntilS, validAfterS, validBeforeS,
})

export const reductionTag = (inForce: Rates, account: number, { key, amountMicros }: Pick<ModelCommand, 'key' | 'amountMicros'>): number =>
  tagOf(TermsKind.reduction, account, { ...ratesOf(inForce), key: requestKeyOf(key), payoutMicros: amountMicros })

/** What is wrong with a command's signature, for terms with the tag and their authority; null when it is good. */
export function refusalOfSignature({ signer, termsTag }: ModelCommand, tag: number, authority: number): Answer | null {
  if (!isIntegerIn(signer, 0, Number.MAX_SAFE_INTEGER) || termsTag !== tag) return { code: OutcomeCode.invalidSignature }
  return signer === authority ? null : { code: OutcomeCode.wrongAuthority }
}

/** An account's wallet signs as the account's number. */
export const walletOf = (account: number): number => account

export const quoteSignerOf = (state: State, maker: number): number => state.accounts.get(maker)!.signer
