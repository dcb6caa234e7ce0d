/** Kinds of signed terms (design.md, decision 17; docs/conformance/outcome.md, "Signed terms"). */
export const TermsKind = { quote: 1, acceptance: 2, confirmation: 3, withdrawal: 4, reduction: 5, keyIssue: 6 } as const

/** Chain to which every signature binds (OM-005). */
export const CHAIN_ID = 999

/**
 * Signed terms as numbers, reused: what a signer of `kind` puts its name to. Which fields each kind sets is in
 * docs/conformance/outcome.md; the others are −1. `legCount` pairs (outcome, side) stand in `legs`.
 */
export class SignedTerms {
  kind = 0
  account = -1
  rfq = -1
  generation = -1
  quote = -1
  key = -1
  stakeMicros = -1
  payoutMicros = -1
  takerFeeBps = -1
  feeBps = -1
  coreMicros = -1
  expiryS = -1
  validAfterS = -1
  validBeforeS = -1
  challenge = -1
  value = -1
  /** Of everything that is signed about a cash-out. */
  position = -1
  legCount = 0
  readonly legs = new Int32Array(128)

  reset(kind: number, account: number): this {
    this.kind = kind
    this.account = account
    this.rfq = this.generation = this.quote = this.key = this.stakeMicros = this.payoutMicros = -1
    this.takerFeeBps = this.feeBps = this.coreMicros = this.expiryS = this.validAfterS = this.validBeforeS = -1
    this.challenge = this.value = this.position = -1
    this.legCount = 0
    return this
  }

  leg(outcome: number, side: number): this {
    this.legs[this.legCount * 2] = outcome
    this.legs[this.legCount++ * 2 + 1] = side
    return this
  }
}

/** Fields of signed terms in the order in which a fingerprint takes them. */
export const TERMS_FIELDS = [
  'kind', 'account', 'rfq', 'generation', 'quote', 'key', 'stakeMicros', 'payoutMicros', 'takerFeeBps', 'feeBps', 'coreMicros', 'expiryS',
  'validAfterS', 'validBeforeS', 'challenge', 'value', 'position', 'legCount',
] as const satisfies readonly (keyof SignedTerms)[]

/** How terms become the 52-bit fingerprint that commands carry: of their EIP-712 digest, or a cheap one; the manifest says which. */
export type TermsDigest = (terms: SignedTerms) => number

/** The mixing of the fields so far, in two lanes. */
const lanes = new Int32Array(2)

function mix(value: number): void {
  let high = Math.imul(lanes[0]! ^ (value | 0), 0x7feb352d)
  high ^= high >>> 15
  const low = Math.imul(lanes[1]! ^ (Math.floor(value / 4294967296) | 0) ^ high, 0x846ca68b)
  lanes[0] = high
  lanes[1] = low ^ (low >>> 13)
}

/** The cheap fingerprint: a mixing of all fields in the order of TERMS_FIELDS, no cryptography. Every field changes it; −0 counts as 0. */
export const cheapTermsTag: TermsDigest = (terms) => {
  lanes[0] = 0x9e3779b1
  lanes[1] = 0x85ebca6b
  mix(terms.kind)
  mix(terms.account)
  mix(terms.rfq)
  mix(terms.generation)
  mix(terms.quote)
  mix(terms.key)
  mix(terms.stakeMicros)
  mix(terms.payoutMicros)
  mix(terms.takerFeeBps)
  mix(terms.feeBps)
  mix(terms.coreMicros)
  mix(terms.expiryS)
  mix(terms.validAfterS)
  mix(terms.validBeforeS)
  mix(terms.challenge)
  mix(terms.value)
  mix(terms.position)
  mix(terms.legCount)
  const { legs, legCount } = terms
  for (let i = 0; i < legCount * 2; i++) mix(legs[i]!)
  const low = lanes[1]
  return (lanes[0] >>> 12) * 4294967296 + ((low ^ (low >>> 16)) >>> 0)
}
