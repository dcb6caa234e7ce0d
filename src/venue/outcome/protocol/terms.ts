/** Kinds of signed terms (design.md, decision 17; docs/conformance/outcome.md, "Signed terms"). */
export const TermsKind = { quote: 1, acceptance: 2, confirmation: 3, withdrawal: 4, reduction: 5, keyIssue: 6 } as const

/** What `value` of terms is called, kind by kind. Only the fingerprint knows it by another name. */
export const ConfirmationTerms = { acceptance: 'value' } as const
/** `scopes`: mask of them. */
export const KeyIssueTerms = { scopes: 'value' } as const

/** Chain to which every signature binds (OM-005). */
export const CHAIN_ID = 999

/**
 * Signed terms as numbers, reused: what a signer signs, by `kind`. docs/conformance/outcome.md says which fields each kind
 * sets. The others are −1. `legCount` pairs (outcome, side) stand in `legs`.
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
  /** Everything that is signed about a cash-out names its position. */
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

/** Turns terms into the 52-bit fingerprint of commands: that of the EIP-712 digest, or a cheap one. The manifest says which. */
export type TermsDigest = (terms: SignedTerms) => number

/** The number fields of the terms that are being mixed, in the order of TERMS_FIELDS. */
const mixed = new Float64Array(TERMS_FIELDS.length)

/**
 * The cheap fingerprint mixes all fields in the order of TERMS_FIELDS and then the legs, without cryptography. Every field changes it, and
 * −0 counts as 0. Both lanes are locals of one loop and stay in registers, because makers and venue each make a fingerprint for every quote.
 */
export const cheapTermsTag: TermsDigest = (terms) => {
  putFields(terms)
  let high = 0x9e3779b1 | 0
  let low = 0x85ebca6b | 0
  for (let i = 0; i < mixed.length; i++) {
    const value = mixed[i]!
    high = Math.imul(high ^ (value | 0), 0x7feb352d)
    high ^= high >>> 15
    low = Math.imul(low ^ (Math.floor(value / 4294967296) | 0) ^ high, 0x846ca68b)
    low ^= low >>> 13
  }
  const { legs, legCount } = terms
  for (let i = 0; i < legCount * 2; i++) {
    const value = legs[i]!
    high = Math.imul(high ^ value, 0x7feb352d)
    high ^= high >>> 15
    // The upper bits of an int32 as a double are its sign.
    low = Math.imul(low ^ (value >> 31) ^ high, 0x846ca68b)
    low ^= low >>> 13
  }
  return (high >>> 12) * 4294967296 + ((low ^ (low >>> 16)) >>> 0)
}

/** The numbers of the terms in the order of TERMS_FIELDS, until they are asked for again. */
export function termsNumbers(terms: SignedTerms): Float64Array {
  putFields(terms)
  return mixed
}

/** The fields are read by their names, because reading one through a variable name costs ten times as much. */
function putFields(terms: SignedTerms): void {
  mixed[0] = terms.kind
  mixed[1] = terms.account
  mixed[2] = terms.rfq
  mixed[3] = terms.generation
  mixed[4] = terms.quote
  mixed[5] = terms.key
  mixed[6] = terms.stakeMicros
  mixed[7] = terms.payoutMicros
  mixed[8] = terms.takerFeeBps
  mixed[9] = terms.feeBps
  mixed[10] = terms.coreMicros
  mixed[11] = terms.expiryS
  mixed[12] = terms.validAfterS
  mixed[13] = terms.validBeforeS
  mixed[14] = terms.challenge
  mixed[15] = terms.value
  mixed[16] = terms.position
  mixed[17] = terms.legCount
}
