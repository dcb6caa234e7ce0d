import { feeFloor, type Micros } from '../../unit/micros.ts'
import { NONE } from '../../unit/none.ts'
import { IssueKey, type OutcomeCommand } from '../../venue/outcome/protocol/commands.ts'
import { ConfirmationTerms, KeyIssueTerms, SignedTerms, TermsKind } from '../../venue/outcome/protocol/terms.ts'
import { signaturePort } from '../../venue/outcome/wire/signing.ts'
import { digestOrNull } from '../../venue/outcome/wire/typedData.ts'
import type { Served } from './served.ts'

/**
 * Puts on commands who signed them. A client signs the EIP-712 digest of the terms with the ids and dates of the wire. Whoever signed them
 * signed the service's own terms, whose fingerprint the command then carries. A signature of other terms leads to nobody who is known.
 */
export class SignedCommands {
  private declare readonly served: Served
  private readonly terms = new SignedTerms()

  constructor(served: Served) {
    this.served = served
  }

  quote(c: OutcomeCommand, signature: string): void {
    const { records } = this.served
    const rfq = records.rfqs.rfq(c.rfq)
    if (rfq === null) return
    const { rates } = records
    const terms = this.terms.reset(TermsKind.quote, c.account)
    terms.rfq = rfq.number
    terms.generation = rfq.generation
    terms.payoutMicros = c.payoutMicros
    terms.expiryS = c.expiryS
    if (rfq.position === NONE) {
      terms.stakeMicros = rfq.stakeMicros - feeFloor(rfq.stakeMicros as Micros, rates.takerFeeBps)
      terms.takerFeeBps = rates.takerFeeBps
      terms.feeBps = rates.feeBps
    } else {
      terms.position = rfq.position
      terms.feeBps = rfq.feeBps
    }
    for (const { outcome, side } of rfq.legs) terms.leg(outcome, side)
    this.put(c, signature)
  }

  accept(c: OutcomeCommand, signature: string): void {
    const { records } = this.served
    const quote = records.quote(c.quote)
    if (quote === null) return
    const { rates } = records
    const rfq = records.rfqs.rfq(quote.rfq)!
    const terms = this.terms.reset(TermsKind.acceptance, c.account)
    terms.rfq = rfq.number
    terms.quote = quote.number
    terms.key = c.key
    terms.payoutMicros = quote.payoutMicros
    terms.position = rfq.position
    if (rfq.position !== NONE) terms.feeBps = quote.feeBps
    else {
      terms.takerFeeBps = rates.takerFeeBps
      terms.feeBps = rates.feeBps
      terms.stakeMicros = rfq.stakeMicros
      terms.coreMicros = Math.max(0, c.coreMicros)
      terms.validAfterS = c.validAfterS
      terms.validBeforeS = c.validBeforeS
    }
    this.put(c, signature)
  }

  confirmation(c: OutcomeCommand, signature: string): void {
    const { records } = this.served
    const quote = records.quote(c.quote)
    const acceptance = records.acceptanceOfQuote(c.quote)
    if (quote === null || acceptance === null) return
    const terms = this.terms.reset(TermsKind.confirmation, c.account)
    terms.rfq = quote.rfq
    terms.position = records.rfqs.rfq(quote.rfq)!.position
    terms.quote = quote.number
    terms[ConfirmationTerms.acceptance] = acceptance.number
    terms.payoutMicros = quote.payoutMicros
    terms.takerFeeBps = quote.takerFeeBps
    terms.feeBps = quote.feeBps
    this.put(c, signature)
  }

  withdrawal(c: OutcomeCommand, signature: string): void {
    const terms = this.payment(TermsKind.withdrawal, c)
    terms.expiryS = c.exitUntilS
    terms.validAfterS = c.validAfterS
    terms.validBeforeS = c.validBeforeS
    this.put(c, signature)
  }

  reduction(c: OutcomeCommand, signature: string): void {
    this.payment(TermsKind.reduction, c)
    this.put(c, signature)
  }

  /** @param label that of the request, which must be that of its challenge. */
  keyIssue(c: OutcomeCommand, signature: string, label: string): void {
    if (this.served.records.keys.labelOf(c.challenge) !== label) return
    const terms = this.terms.reset(TermsKind.keyIssue, c.account)
    terms.challenge = c.challenge
    terms[KeyIssueTerms.scopes] = c[IssueKey.scopes]
    terms.payoutMicros = c.validMs
    terms.expiryS = c.expiryDays
    this.put(c, signature, label)
  }

  private payment(kind: number, c: OutcomeCommand): SignedTerms {
    const { rates } = this.served.records
    const terms = this.terms.reset(kind, c.account)
    terms.key = c.key < 0 ? NONE : c.key
    terms.takerFeeBps = rates.takerFeeBps
    terms.feeBps = rates.feeBps
    terms.payoutMicros = c.amountMicros
    return terms
  }

  private put(c: OutcomeCommand, signature: string, label?: string): void {
    const { identity, names, wallets, termsTag, isTurnedAway } = this.served
    if (isTurnedAway(c)) return
    const labelOf = label === undefined ? undefined : () => label
    const port = signaturePort(
      (terms) => digestOrNull(terms, identity, (outcome) => names.outcomeId(outcome), labelOf), (address) => wallets.signerOf(address),
    )
    c.signer = port.verify(this.terms, signature).signer
    if (c.signer !== NONE) c.termsTag = termsTag(this.terms)
  }
}
