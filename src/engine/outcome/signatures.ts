import { decimalOfLimbs } from '../../venue/outcome/protocol/outcomeId.ts'
import { cheapTermsTag, type TermsDigest } from '../../venue/outcome/protocol/terms.ts'
import { type EntityOrigins, WireIdentity } from '../../venue/outcome/wire/identity.ts'
import { eip712TermsTag } from '../../venue/outcome/wire/typedData.ts'
import type { OutcomeServiceConfig } from '../config.ts'

/**
 * How the session's signers and its venue turn terms into tags. EIP-712 digests name entities by their ids, which are
 * made of `origins`; without those a tag is a cheap mixing.
 */
export function termsDigestOf({ outcomeIds }: OutcomeServiceConfig, seed: string, origins: EntityOrigins | null): TermsDigest {
  if (origins === null) return cheapTermsTag
  const texts = outcomeIds.map(decimalOfLimbs)
  return eip712TermsTag(new WireIdentity(seed, origins), (outcome) => texts[outcome]!)
}
