import { NONE } from '../../../unit/none.ts'
import { OutcomeCode } from '../protocol/codes.ts'
import { isIdempotencyKey, type OutcomeCommand } from '../protocol/commands.ts'
import { ConfirmationTerms, SignedTerms, TermsKind } from '../protocol/terms.ts'
import { PositionWord } from './positionRows.ts'
import { QuoteCell, QuoteWord } from './quoteRows.ts'
import { RfqCell, RfqWord } from './rfqRows.ts'
import type { OutcomeState } from './state.ts'

/** The terms that the builders below fill and return. They are valid until the next builder is called. */
const built = new SignedTerms()

/**
 * Why the command's signature of `terms` is refused, or ok (OM-016, OM-212…215). `authority` is the signer that may bind the
 * account at this instant.
 */
export function refusalOfSignature(s: OutcomeState, c: OutcomeCommand, terms: SignedTerms, authority: number): number {
  if (!(Number.isInteger(c.signer) && c.signer >= 0) || c.termsTag !== s.termsDigest(terms)) return OutcomeCode.invalidSignature
  return c.signer === authority ? OutcomeCode.ok : OutcomeCode.wrongAuthority
}

/** Terms of a quote on RFQ `r`, at the rates in force and with the net stake under them. A cash-out quote has the position's rates. */
export function quoteTerms(s: OutcomeState, c: OutcomeCommand, r: number, netStakeMicros: number): SignedTerms {
  const { rfqs, positions } = s
  built.reset(TermsKind.quote, c.account)
  built.rfq = rfqs.cells[r + RfqCell.number]!
  built.generation = rfqs.cells[r + RfqCell.generation]!
  built.payoutMicros = c.payoutMicros
  built.expiryS = c.expiryS
  const position = rfqs.cells[r + RfqCell.position]!
  if (position === NONE) {
    built.stakeMicros = netStakeMicros
    setRatesInForce(s)
  } else {
    built.position = position
    built.feeBps = positions.words[positions.rowOf(position) + PositionWord.feeBps]!
  }
  const from = rfqs.legsFrom(r)
  const end = from + rfqs.words[r + RfqWord.legCount]!
  for (let i = from; i < end; i++) built.leg(rfqs.legOutcomes[i]!, rfqs.legSides[i]!)
  return built
}

/** Terms of an acceptance of quote `q`. Those of an entry have the rates in force and its funding, those of a sale the position's rates. */
export function acceptanceTerms(s: OutcomeState, c: OutcomeCommand, q: number): SignedTerms {
  const { rfqs, quotes } = s
  const rfq = quotes.words[q + QuoteWord.rfq]!
  built.reset(TermsKind.acceptance, c.account)
  built.rfq = rfqs.cells[rfq + RfqCell.number]!
  built.quote = quotes.cells[q + QuoteCell.number]!
  built.key = c.key
  built.payoutMicros = quotes.cells[q + QuoteCell.payoutMicros]!
  built.position = rfqs.cells[rfq + RfqCell.position]!
  if (built.position !== NONE) {
    built.feeBps = quotes.words[q + QuoteWord.feeBps]!
    return built
  }
  setRatesInForce(s)
  built.stakeMicros = rfqs.cells[rfq + RfqCell.stakeMicros]!
  built.coreMicros = Math.max(0, c.coreMicros)
  built.validAfterS = c.validAfterS
  built.validBeforeS = c.validBeforeS
  return built
}

/** Terms of the confirmation of acceptance number `acceptance` of quote `q`, at the quote's rates. */
export function confirmationTerms(s: OutcomeState, q: number, acceptance: number): SignedTerms {
  const { rfqs, quotes } = s
  const rfq = quotes.words[q + QuoteWord.rfq]!
  built.reset(TermsKind.confirmation, quotes.words[q + QuoteWord.maker]!)
  built.rfq = rfqs.cells[rfq + RfqCell.number]!
  built.position = rfqs.cells[rfq + RfqCell.position]!
  built.quote = quotes.cells[q + QuoteCell.number]!
  built[ConfirmationTerms.acceptance] = acceptance
  built.payoutMicros = quotes.cells[q + QuoteCell.payoutMicros]!
  built.takerFeeBps = quotes.words[q + QuoteWord.takerFeeBps]!
  built.feeBps = quotes.words[q + QuoteWord.feeBps]!
  return built
}

export function withdrawalTerms(s: OutcomeState, c: OutcomeCommand): SignedTerms {
  built.reset(TermsKind.withdrawal, c.account)
  setRequestKey(c)
  setRatesInForce(s)
  built.payoutMicros = c.amountMicros
  built.expiryS = c.exitUntilS
  built.validAfterS = c.validAfterS
  built.validBeforeS = c.validBeforeS
  return built
}

export function reductionTerms(s: OutcomeState, c: OutcomeCommand): SignedTerms {
  built.reset(TermsKind.reduction, c.account)
  setRequestKey(c)
  setRatesInForce(s)
  built.payoutMicros = c.amountMicros
  return built
}

/** The key names the request, so that the signature is of no use to another request. Without a key, which a gate refuses, none is signed. */
function setRequestKey(c: OutcomeCommand): void {
  built.key = isIdempotencyKey(c.key) ? c.key : NONE
}

/** Every signature binds to the rates of the deployment (OM-105). */
function setRatesInForce(s: OutcomeState): void {
  built.takerFeeBps = s.terms.takerFeeBps
  built.feeBps = s.terms.feeBps
}
