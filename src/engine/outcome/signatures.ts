import { decimalOfLimbs } from '../../venue/outcome/protocol/outcomeId.ts'
import { cheapTermsTag, type TermsDigest } from '../../venue/outcome/protocol/terms.ts'
import { type EntityOrigins, WireIdentity } from '../../venue/outcome/wire/identity.ts'
import { eip712TermsTag, type OutcomeIdOf } from '../../venue/outcome/wire/typedData.ts'

/**
 * How the session's signers and its venue turn terms into tags. EIP-712 digests name entities by their ids, which are
 * made of `origins`; without those a tag is a cheap mixing.
 */
export function termsDigestOf(outcomeIdOf: OutcomeIdOf, seed: string, origins: EntityOrigins | null): TermsDigest {
  return origins === null ? cheapTermsTag : eip712TermsTag(new WireIdentity(seed, origins), outcomeIdOf)
}

/** outcome_ids as texts, by market number, from their limbs. */
export function outcomeTexts(outcomeIds: readonly (readonly number[])[]): OutcomeIdOf {
  const texts = outcomeIds.map(decimalOfLimbs)
  return (outcome) => texts[outcome]!
}
