import type { Hex } from 'viem'
import { Side } from '../../../market/sides.ts'
import { assert, Bug } from '../../../unit/assert.ts'
import { NONE } from '../../../unit/none.ts'
import { SCOPE_NAMES } from '../protocol/access.ts'
import { CHAIN_ID, ConfirmationTerms, KeyIssueTerms, type SignedTerms, TERMS_FIELDS, type TermsDigest, TermsKind } from '../protocol/terms.ts'
import { DOMAIN_NAME, DOMAIN_VERSION, type PrimaryType, type TypedDomain, type TypedMessage, type TypedValue, TYPES } from './eip712Types.ts'
import type { WireIdentity } from './identity.ts'
import { KeptTags } from './keptTags.ts'
import { StructHasher } from './structHash.ts'

/** Decimal outcome_id of an outcome's number. */
export type OutcomeIdOf = (outcome: number) => string

/** Text of the label that an issue-key challenge was made for; terms carry its length in characters only. */
export type LabelOf = (challenge: number, length: number) => string

/** The label of a simulated key, which is nothing but a length. */
export const simulatedLabel: LabelOf = (_, length) => 'x'.repeat(length)

/** The domain of every signature of a session: chain 999 (OM-005) and the session's vault. */
export const domainOf = (identity: WireIdentity): TypedDomain =>
  ({ name: DOMAIN_NAME, version: DOMAIN_VERSION, chainId: CHAIN_ID, verifyingContract: identity.vault() })

type Named = (typeof TERMS_FIELDS)[number]

/** The fields of `SignedTerms` that each type takes besides kind and account; legs apart (docs/conformance/outcome.md, "Signed terms"). */
const TERMS_OF_TYPE: Readonly<Record<PrimaryType, readonly Named[]>> = {
  Quote: ['rfq', 'generation', 'stakeMicros', 'payoutMicros', 'takerFeeBps', 'feeBps', 'expiryS', 'legCount'],
  CashoutQuote: ['rfq', 'generation', 'position', 'payoutMicros', 'feeBps', 'expiryS', 'legCount'],
  Acceptance: ['rfq', 'quote', 'key', 'stakeMicros', 'coreMicros', 'payoutMicros', 'takerFeeBps', 'feeBps', 'validAfterS', 'validBeforeS'],
  CashoutAcceptance: ['rfq', 'quote', 'key', 'payoutMicros', 'feeBps', 'position'],
  Confirmation: ['rfq', 'quote', ConfirmationTerms.acceptance, 'payoutMicros', 'takerFeeBps', 'feeBps'],
  CashoutConfirmation: ['rfq', 'quote', ConfirmationTerms.acceptance, 'payoutMicros', 'feeBps', 'position'],
  Withdrawal: ['payoutMicros', 'takerFeeBps', 'feeBps', 'validAfterS', 'validBeforeS', 'key'],
  ExitWithdrawal: ['payoutMicros', 'takerFeeBps', 'feeBps', 'expiryS', 'validAfterS', 'validBeforeS', 'key'],
  CollateralReduction: ['payoutMicros', 'takerFeeBps', 'feeBps', 'key'],
  IssueKey: ['challenge', KeyIssueTerms.scopes, 'payoutMicros', 'expiryS'],
}

/** Type of the terms: a quote or acceptance without a stake, a confirmation without an entry rate is of a cash-out; a withdrawal may be without an Exit. */
export function primaryTypeOf(terms: SignedTerms): PrimaryType {
  switch (terms.kind) {
    case TermsKind.quote: return terms.stakeMicros === NONE ? 'CashoutQuote' : 'Quote'
    case TermsKind.acceptance: return terms.stakeMicros === NONE ? 'CashoutAcceptance' : 'Acceptance'
    case TermsKind.confirmation: return terms.takerFeeBps === NONE ? 'CashoutConfirmation' : 'Confirmation'
    case TermsKind.withdrawal: return terms.expiryS === NONE ? 'Withdrawal' : 'ExitWithdrawal'
    case TermsKind.reduction: return 'CollateralReduction'
    case TermsKind.keyIssue: return 'IssueKey'
    default: throw new Bug(`no terms of kind ${terms.kind} are signed`)
  }
}

/** The field of a type that may be −1: a key without an end, and a request that came without a key. */
const OPTIONAL: Readonly<Partial<Record<PrimaryType, Named>>> = { IssueKey: 'expiryS', Withdrawal: 'key', ExitWithdrawal: 'key', CollateralReduction: 'key' }

/** Why these are no terms of their type: they lack a field, or have one that the type does not take and nobody would sign. */
function objectionTo(terms: SignedTerms, type: PrimaryType): string | null {
  for (const field of TERMS_FIELDS) {
    if (field === 'kind') continue
    const value = terms[field]
    if (field === 'account' || TERMS_OF_TYPE[type].includes(field)) {
      const isLeftOut = OPTIONAL[type] === field && value === NONE
      if (!isLeftOut && !(Number.isSafeInteger(value) && value >= 0)) return `lack ${field}`
    } else if (value !== (field === 'legCount' ? 0 : NONE)) return `have no ${field}`
  }
  return null
}

/**
 * What a wallet shows and signs for these terms: every id as the wire writes it. Throws Bug for terms of another kind, that lack
 * a field, or have one that their type does not take.
 */
export function typedMessageOf(
  terms: SignedTerms, identity: WireIdentity, outcomeIdOf: OutcomeIdOf, labelOf: LabelOf = simulatedLabel,
): TypedMessage {
  const primaryType = primaryTypeOf(terms)
  const objection = objectionTo(terms, primaryType)
  if (objection !== null) throw new Bug(`terms of type ${primaryType} ${objection}`)
  const values = primaryType === 'IssueKey' ? keyIssueValues(terms, identity, labelOf) : tradeValues(terms, identity, outcomeIdOf)
  return { primaryType, message: Object.fromEntries(TYPES[primaryType].map(({ name }) => [name, values[name]!()])) }
}

/** How each field of a type is read off the terms; only those that the type has are called. */
type Values = Readonly<Record<string, () => TypedValue>>

function tradeValues(terms: SignedTerms, identity: WireIdentity, outcomeIdOf: OutcomeIdOf): Values {
  const account = (): string => identity.account(terms.account)
  const money = (): bigint => BigInt(terms.payoutMicros)
  const seconds = (s: number): bigint => BigInt(identity.seconds(s))
  return {
    account, maker: account, taker: account, seller: account,
    rfqId: () => identity.rfq(terms.rfq),
    generation: () => BigInt(terms.generation),
    quoteId: () => identity.quote(terms.quote),
    positionId: () => identity.position(terms.position),
    acceptanceId: () => (terms.kind === TermsKind.confirmation
      ? identity.acceptance(terms[ConfirmationTerms.acceptance]) : identity.idempotencyKey(terms.account, terms.key)),
    // No idempotency key is an empty text, so that it can stand for none.
    requestKey: () => (terms.key === NONE ? '' : identity.idempotencyKey(terms.account, terms.key)),
    netStake: () => BigInt(terms.stakeMicros), stake: () => BigInt(terms.stakeMicros), core: () => BigInt(terms.coreMicros),
    payout: money, price: money, amount: money,
    takerFeeBps: () => BigInt(terms.takerFeeBps), feeBps: () => BigInt(terms.feeBps),
    expiry: () => seconds(terms.expiryS), exitExpiry: () => seconds(terms.expiryS),
    validAfter: () => seconds(terms.validAfterS), validBefore: () => seconds(terms.validBeforeS),
    legs: () => Array.from({ length: terms.legCount }, (_, i) => ({
      outcomeId: outcomeIdOf(terms.legs[i * 2]!), side: terms.legs[i * 2 + 1] === Side.yes ? 'YES' : 'NO',
    })),
  }
}

function keyIssueValues(terms: SignedTerms, identity: WireIdentity, labelOf: LabelOf): Values {
  return {
    account: () => identity.account(terms.account),
    challengeId: () => identity.challenge(terms.challenge),
    label: () => {
      const label = labelOf(terms.challenge, terms.payoutMicros)
      assert([...label].length === terms.payoutMicros, 'the terms of a key carry the length of its label')
      return label
    },
    scopes: () => SCOPE_NAMES.filter((_, bit) => (terms[KeyIssueTerms.scopes] & (1 << bit)) !== 0),
    // No key lives 0 days, so that 0 can stand for one without an end.
    expiresInDays: () => BigInt(terms.expiryS === NONE ? 0 : terms.expiryS),
  }
}

/** One for each session: what its terms have in common is hashed once. */
const hashers = new WeakMap<WireIdentity, StructHasher>()

function hasherOf(identity: WireIdentity): StructHasher {
  let hasher = hashers.get(identity)
  if (hasher === undefined) hashers.set(identity, hasher = new StructHasher(domainOf(identity)))
  return hasher
}

/** EIP-712 digest of the terms, synchronously. Throws Bug as {@link typedMessageOf} does. */
export const digestOf = (terms: SignedTerms, identity: WireIdentity, outcomeIdOf: OutcomeIdOf, labelOf?: LabelOf): Hex =>
  hasherOf(identity).digest(typedMessageOf(terms, identity, outcomeIdOf, labelOf))

/** The fingerprint that commands carry of a digest: its first 52 bits, as an integer. */
export const tagOfDigest = (digest: Hex): number => parseInt(digest.slice(2, 15), 16)

/** The digest, or null where there is none: terms that lack a field, which a client's request may, cannot be signed. */
export function digestOrNull(terms: SignedTerms, identity: WireIdentity, outcomeIdOf: OutcomeIdOf, labelOf?: LabelOf): Hex | null {
  return objectionTo(terms, primaryTypeOf(terms)) === null ? digestOf(terms, identity, outcomeIdOf, labelOf) : null
}

/**
 * The fingerprint of terms by their EIP-712 digest, for a session that signs in earnest. −1, the tag of nothing signed, where
 * there is no digest: a signer that was not told a field cannot sign. What a signer signed its service checks a little later, so that
 * the last fingerprints are kept.
 */
export function eip712TermsTag(identity: WireIdentity, outcomeIdOf: OutcomeIdOf, labelOf?: LabelOf): TermsDigest {
  const kept = new KeptTags()
  return (terms) => {
    const known = kept.find(terms)
    if (known !== NONE) return known
    const digest = digestOrNull(terms, identity, outcomeIdOf, labelOf)
    return digest === null ? NONE : kept.keep(terms, tagOfDigest(digest))
  }
}
