import fc from 'fast-check'
import { concat, type Hex, keccak256, pad, stringToHex } from 'viem'
import { describe, expect, it } from 'vitest'
import { SignedTerms, TERMS_FIELDS, TermsKind } from '../../../../src/venue/outcome/protocol/terms.ts'
import { WireIdentity } from '../../../../src/venue/outcome/wire/identity.ts'
import { TYPES } from '../../../../src/venue/outcome/wire/eip712Types.ts'
import { digestOf, domainOf, eip712TermsTag, primaryTypeOf, tagOfDigest, typedMessageOf } from '../../../../src/venue/outcome/wire/typedData.ts'
import { identity, origins, outcomeIdOf } from './rows.ts'

type Fields = Partial<Record<(typeof TERMS_FIELDS)[number], number>>

function terms(kind: number, account: number, fields: Fields, ...legs: readonly (readonly [number, number])[]): SignedTerms {
  const made = Object.assign(new SignedTerms().reset(kind, account), fields)
  for (const [outcome, side] of legs) made.leg(outcome, side)
  return made
}

/** Terms of each type, with every field that docs/conformance/outcome.md gives them. */
const SCENES: Readonly<Record<string, SignedTerms>> = {
  Quote: terms(TermsKind.quote, 20, {
    rfq: 2, generation: 1, stakeMicros: 24_950_000, payoutMicros: 99_000_000, takerFeeBps: 20, feeBps: 100, expiryS: 1_750_379_010,
  }, [3, 1], [5, 0]),
  CashoutQuote: terms(TermsKind.quote, 20, {
    rfq: 2, generation: 1, position: 4, payoutMicros: 40_000_000, feeBps: 100, expiryS: 1_750_379_010,
  }, [3, 1], [5, 0]),
  Acceptance: terms(TermsKind.acceptance, 10, {
    rfq: 2, quote: 5, key: 7, payoutMicros: 99_000_000, stakeMicros: 25_000_000, coreMicros: 0, takerFeeBps: 20, feeBps: 100,
    validAfterS: 1_750_378_980, validBeforeS: 1_750_379_880,
  }),
  CashoutAcceptance: terms(TermsKind.acceptance, 10, { rfq: 2, quote: 5, key: 7, payoutMicros: 40_000_000, feeBps: 100, position: 4 }),
  Confirmation: terms(TermsKind.confirmation, 20, { rfq: 2, quote: 5, value: 1, payoutMicros: 99_000_000, takerFeeBps: 20, feeBps: 100 }),
  CashoutConfirmation: terms(TermsKind.confirmation, 20, { rfq: 2, quote: 5, value: 1, payoutMicros: 40_000_000, feeBps: 100, position: 4 }),
  Withdrawal: terms(TermsKind.withdrawal, 10, {
    payoutMicros: 5_000_000, takerFeeBps: 20, feeBps: 100, validAfterS: 1_750_378_980, validBeforeS: 1_750_383_480, key: 7,
  }),
  ExitWithdrawal: terms(TermsKind.withdrawal, 10, {
    payoutMicros: 5_000_000, takerFeeBps: 20, feeBps: 100, expiryS: 1_750_379_040, validAfterS: 1_750_378_980, validBeforeS: 1_750_383_480, key: 7,
  }),
  CollateralReduction: terms(TermsKind.reduction, 20, { payoutMicros: 5_000_000, takerFeeBps: 20, feeBps: 100, key: 7 }),
  IssueKey: terms(TermsKind.keyIssue, 10, { challenge: 3, value: 5, payoutMicros: 8, expiryS: 30 }),
}
const TYPE_NAMES = Object.keys(SCENES)

function copyOf(of: SignedTerms): SignedTerms {
  const copy = Object.assign(new SignedTerms(), Object.fromEntries(TERMS_FIELDS.map((field) => [field, of[field]])))
  copy.legs.set(of.legs)
  return copy
}
const digest = (of: SignedTerms): Hex => digestOf(of, identity, outcomeIdOf)

/** EIP-712 by its definition, without a library but for the hash. */
const text = (value: string): Hex => keccak256(stringToHex(value))
const word = (value: bigint): Hex => pad(`0x${value.toString(16).padStart(2, '0')}`, { size: 32 })
const words = (...parts: Hex[]): Hex => keccak256(concat(parts))
const separator = words(
  // keccak256 of EIP712Domain(string name,string version,uint256 chainId,address verifyingContract), as contracts have it.
  '0x8b73c3c69bb8fe3d512ecc4cf759cc79239f7b179b0ffacaa9a75d522b39400f',
  text('Outcome-Market RFQ'), text('1'), word(999n), pad('0xbb922b6bfd6e586eb46fce4c5b08cf392616a164', { size: 32 }),
)
const signable = (struct: Hex): Hex => words('0x1901', separator, struct)

describe('typed data', () => {
  it('OM-005 OM-148 binds every signature to chain 999 and the vault of the session', () => {
    expect(domainOf(identity)).toEqual({
      name: 'Outcome-Market RFQ', version: '1', chainId: 999, verifyingContract: '0xbb922b6bfd6e586eb46fce4c5b08cf392616a164',
    })
    const other = new WireIdentity('session 8', origins())
    for (const name of TYPE_NAMES) expect(digestOf(SCENES[name]!, other, outcomeIdOf)).not.toBe(digest(SCENES[name]!))
  })

  it('OM-148 hashes a quote as EIP-712 defines it', () => {
    const legType = text('Leg(string outcomeId,string side)')
    const type = text('Quote(string maker,string rfqId,uint64 generation,uint256 netStake,uint256 payout,uint64 takerFeeBps,' +
      'uint64 feeBps,uint64 expiry,Leg[] legs)Leg(string outcomeId,string side)')
    const legs = words(
      words(legType, text('1180591620717411303427'), text('YES')),
      words(legType, text('1180591620717411303429'), text('NO')),
    )
    const quote = words(type, text(identity.account(20)), text(identity.rfq(2)), word(1n), word(24_950_000n), word(99_000_000n), word(20n), word(100n),
      word(1_750_379_010n), legs)
    expect(digest(SCENES['Quote']!)).toBe(signable(quote))
  })

  it('OM-148 hashes a cash-out\'s quote as EIP-712 defines it', () => {
    const legType = text('Leg(string outcomeId,string side)')
    const type = text('CashoutQuote(string maker,string rfqId,uint64 generation,bytes32 positionId,uint256 price,uint64 feeBps,' +
      'uint64 expiry,Leg[] legs)Leg(string outcomeId,string side)')
    const legs = words(
      words(legType, text('1180591620717411303427'), text('YES')),
      words(legType, text('1180591620717411303429'), text('NO')),
    )
    const quote = words(type, text(identity.account(20)), text(identity.rfq(2)), word(1n), identity.position(4), word(40_000_000n), word(100n),
      word(1_750_379_010n), legs)
    expect(digest(SCENES['CashoutQuote']!)).toBe(signable(quote))
  })

  it('OM-148 hashes an acceptance as EIP-712 defines it', () => {
    const type = text('Acceptance(string taker,string rfqId,bytes32 quoteId,string acceptanceId,uint256 stake,uint256 core,uint256 payout,' +
      'uint64 takerFeeBps,uint64 feeBps,uint64 validAfter,uint64 validBefore)')
    const acceptance = words(type, text(identity.account(10)), text(identity.rfq(2)), identity.quote(5), text('00000000-0007-7207-b958-b12cd9217eac'),
      word(25_000_000n), word(0n), word(99_000_000n), word(20n), word(100n), word(1_750_378_980n), word(1_750_379_880n))
    expect(digest(SCENES['Acceptance']!)).toBe(signable(acceptance))
  })

  it('OM-105 OM-148 hashes confirmations of both kinds as EIP-712 defines them', () => {
    const entryType = text('Confirmation(string maker,string rfqId,bytes32 quoteId,string acceptanceId,uint256 payout,uint64 takerFeeBps,uint64 feeBps)')
    const cashoutType = text('CashoutConfirmation(string maker,string rfqId,bytes32 quoteId,string acceptanceId,uint256 price,uint64 feeBps,bytes32 positionId)')
    const common = [text(identity.account(20)), text(identity.rfq(2)), identity.quote(5), text(identity.acceptance(1))] as const
    const entry = words(entryType, ...common, word(99_000_000n), word(20n), word(100n))
    expect(digest(SCENES['Confirmation']!)).toBe(signable(entry))
    expect(digest(SCENES['CashoutConfirmation']!)).toBe(signable(words(cashoutType, ...common, word(40_000_000n), word(100n), identity.position(4))))
  })

  it('OM-105 OM-148 hashes a cash-out\'s acceptance as EIP-712 defines it', () => {
    const type = text('CashoutAcceptance(string seller,string rfqId,bytes32 quoteId,string acceptanceId,uint256 price,uint64 feeBps,bytes32 positionId)')
    const acceptance = words(type, text(identity.account(10)), text(identity.rfq(2)), identity.quote(5), text('00000000-0007-7207-b958-b12cd9217eac'),
      word(40_000_000n), word(100n), identity.position(4))
    expect(digest(SCENES['CashoutAcceptance']!)).toBe(signable(acceptance))
  })

  it('OM-105 OM-148 hashes withdrawals and collateral reductions as EIP-712 defines them', () => {
    const types = [
      'Withdrawal(string account,uint256 amount,uint64 takerFeeBps,uint64 feeBps,uint64 validAfter,uint64 validBefore,string requestKey)',
      'ExitWithdrawal(string account,uint256 amount,uint64 takerFeeBps,uint64 feeBps,uint64 exitExpiry,uint64 validAfter,uint64 validBefore,string requestKey)',
      'CollateralReduction(string maker,uint256 amount,uint64 takerFeeBps,uint64 feeBps,string requestKey)',
    ].map(text)
    const bound = [word(5_000_000n), word(20n), word(100n)] as const
    const span = [word(1_750_378_980n), word(1_750_383_480n)] as const
    const [taker, maker] = [text(identity.account(10)), text(identity.account(20))]
    const key = text('00000000-0007-7207-b958-b12cd9217eac')
    expect(digest(SCENES['Withdrawal']!)).toBe(signable(words(types[0]!, taker, ...bound, ...span, key)))
    expect(digest(SCENES['ExitWithdrawal']!)).toBe(signable(words(types[1]!, taker, ...bound, word(1_750_379_040n), ...span, key)))
    expect(digest(SCENES['CollateralReduction']!)).toBe(signable(words(types[2]!, maker, ...bound, text(identity.idempotencyKey(20, 7)))))
    // A request without a key.
    for (const [i, name, rest] of [[0, 'Withdrawal', [taker, ...bound, ...span]], [2, 'CollateralReduction', [maker, ...bound]]] as const) {
      expect(digest(Object.assign(copyOf(SCENES[name]!), { key: -1 }))).toBe(signable(words(types[i]!, ...rest, text(''))))
    }
  })

  it('OM-148 hashes the request of a key as EIP-712 defines it', () => {
    const type = text('IssueKey(string account,string challengeId,string label,string[] scopes,uint64 expiresInDays)')
    const hashed = (label: string, scopes: readonly string[], days: bigint): Hex => signable(words(
      type, text(identity.account(10)), text(identity.challenge(3)), text(label), words(...scopes.map(text)), word(days)))
    expect(digest(SCENES['IssueKey']!)).toBe(hashed('xxxxxxxx', ['account:read', 'quote:accept'], 30n))
    const bot = digestOf(SCENES['IssueKey']!, identity, outcomeIdOf, () => 'the bot ')
    expect(bot).toBe(hashed('the bot ', ['account:read', 'quote:accept'], 30n))
    expect(digest(Object.assign(copyOf(SCENES['IssueKey']!), { expiryS: -1 }))).toBe(hashed('xxxxxxxx', ['account:read', 'quote:accept'], 0n))
  })

  it.each(TYPE_NAMES)('OM-032 writes times of %s in unix seconds, ids as the wire does', (name) => {
    const { primaryType, message } = typedMessageOf(SCENES[name]!, identity, outcomeIdOf)
    expect(primaryType).toBe(name)
    expect(Object.keys(message)).toEqual(TYPES[primaryType].map((field) => field.name))
    expect(message).toMatchObject({
      Quote: { maker: identity.account(20), rfqId: identity.rfq(2), netStake: 24_950_000n, expiry: 1_750_379_010n },
      CashoutQuote: { maker: identity.account(20), positionId: identity.position(4), price: 40_000_000n, expiry: 1_750_379_010n },
      Acceptance: { quoteId: identity.quote(5), acceptanceId: identity.idempotencyKey(10, 7), validAfter: 1_750_378_980n, validBefore: 1_750_379_880n },
      CashoutAcceptance: { seller: identity.account(10), price: 40_000_000n, positionId: identity.position(4) },
      Confirmation: { maker: identity.account(20), acceptanceId: identity.acceptance(1), takerFeeBps: 20n, feeBps: 100n },
      CashoutConfirmation: { maker: identity.account(20), acceptanceId: identity.acceptance(1), price: 40_000_000n, feeBps: 100n, positionId: identity.position(4) },
      Withdrawal: { account: identity.account(10), amount: 5_000_000n, validAfter: 1_750_378_980n, validBefore: 1_750_383_480n, requestKey: identity.idempotencyKey(10, 7) },
      ExitWithdrawal: { exitExpiry: 1_750_379_040n },
      CollateralReduction: { maker: identity.account(20), amount: 5_000_000n, requestKey: identity.idempotencyKey(20, 7) },
      IssueKey: { scopes: ['account:read', 'quote:accept'], expiresInDays: 30n },
    }[name]!)
  })

  it('OM-032 a session whose dates are shifted signs shifted times, and no other number is another', () => {
    const shifted = new WireIdentity('session 7', origins(), null, 3_600_000_000)
    const of = (name: string, wire: WireIdentity) => typedMessageOf(SCENES[name]!, wire, outcomeIdOf).message
    const moved = TYPE_NAMES.flatMap((name) => {
      const [before, after] = [of(name, identity), of(name, shifted)]
      return Object.keys(before).filter((field) => typeof before[field] === 'bigint' && before[field] !== after[field])
        .map((field) => [name, field, Number(after[field] as bigint) - Number(before[field] as bigint)])
    })
    expect(moved).toEqual([
      ['Quote', 'expiry', 3600], ['CashoutQuote', 'expiry', 3600], ['Acceptance', 'validAfter', 3600], ['Acceptance', 'validBefore', 3600],
      ['Withdrawal', 'validAfter', 3600], ['Withdrawal', 'validBefore', 3600], ['ExitWithdrawal', 'exitExpiry', 3600],
      ['ExitWithdrawal', 'validAfter', 3600], ['ExitWithdrawal', 'validBefore', 3600],
    ])
  })

  it('has another digest for each type', () => {
    expect(new Set(TYPE_NAMES.map((name) => digest(SCENES[name]!))).size).toBe(10)
    expect(TYPE_NAMES).toEqual(Object.keys(TYPES).filter((name) => name !== 'Leg'))
  })
})

/** How far each field reaches in {@link origins}; the others reach as far as a command's may. */
const REACH: Partial<Record<string, readonly [number, number]>> = {
  account: [0, 16_777_215], rfq: [1, 6], takerFeeBps: [0, 10_000], feeBps: [0, 10_000], challenge: [1, 1e6], key: [1, 268_435_455],
}
function reachOf(field: string, name: string): readonly [number, number] {
  if (field === 'value') return name.endsWith('Confirmation') ? [1, 3] : name === 'IssueKey' ? [1, 511] : [1, 1e9]
  if (name === 'IssueKey' && field === 'payoutMicros') return [1, 80]
  if (name === 'IssueKey' && field === 'expiryS') return [1, 90]
  return REACH[field] ?? [0, Number.MAX_SAFE_INTEGER]
}

describe('any change of any field', () => {
  it.each(TYPE_NAMES)('OM-148 OM-212 changes the digest and the fingerprint of %s', (name) => {
    const scene = SCENES[name]!
    const tagOf = eip712TermsTag(identity, outcomeIdOf)
    const fields = TERMS_FIELDS.filter((field) => field !== 'kind' && field !== 'legCount' && scene[field] !== -1)
    const change = fc.constantFrom(...fields).chain((field) => {
      const [min, max] = reachOf(field, name)
      return fc.tuple(fc.constant(field), fc.integer({ min, max }).filter((value) => value !== scene[field]))
    })
    fc.assert(fc.property(change, ([field, value]) => {
      const changed = Object.assign(copyOf(scene), { [field]: value })
      expect(digest(changed)).not.toBe(digest(scene))
      expect(tagOf(changed)).not.toBe(tagOf(scene))
    }), { numRuns: 40 })
  })

  it.each(['Quote', 'CashoutQuote'])('OM-148 OM-212 changes the digest of %s, leg by leg', (name) => {
    const scene = SCENES[name]!
    const changes: ((legs: SignedTerms) => unknown)[] = [
      (t) => { t.legs[0] = 4 }, (t) => { t.legs[1] = 0 }, (t) => { t.legs[2] = 6 }, (t) => { t.legs[3] = 1 }, (t) => t.leg(9, 1),
      (t) => { t.legCount = 1 }, (t) => t.legs.set([5, 0, 3, 1]),
    ]
    const digests = changes.map((change) => {
      const changed = copyOf(scene)
      change(changed)
      return digest(changed)
    })
    expect(new Set([digest(scene), ...digests]).size).toBe(8)
  })

  it('does not count what a reused object held before', () => {
    const reused = copyOf(SCENES['Quote']!)
    Object.assign(reused.reset(TermsKind.reduction, 20), { payoutMicros: 5_000_000, takerFeeBps: 20, feeBps: 100, key: 7 })
    expect(digest(reused)).toBe(digest(SCENES['CollateralReduction']!))
  })
})

/** What a type may go without: the end of a key's life, the key of a request. */
const LEFT_OUT: Partial<Record<string, string>> = { IssueKey: 'expiryS', Withdrawal: 'key', ExitWithdrawal: 'key', CollateralReduction: 'key' }

describe('terms that no command has', () => {
  it.each(TYPE_NAMES)('are refused, when %s has a field that its type does not take', (name) => {
    const scene = SCENES[name]!
    const changed = (field: (typeof TERMS_FIELDS)[number]): SignedTerms => Object.assign(copyOf(scene), { [field]: 1 })
    const unnamed = TERMS_FIELDS.filter((field) => field !== 'kind' && scene[field] === -1 && primaryTypeOf(changed(field)) === name)
    expect(unnamed.length).toBeGreaterThan(3)
    for (const field of unnamed) expect(() => digest(changed(field))).toThrow(`terms of type ${name} have no ${field}`)
    if (scene.legCount === 0) expect(() => digest(copyOf(scene).leg(1, 1))).toThrow('have no legCount')
  })

  it.each(TYPE_NAMES)('are refused, when %s lacks a field; they have no fingerprint', (name) => {
    const scene = SCENES[name]!
    const named = TERMS_FIELDS.filter((field) => field !== 'kind' && field !== 'legCount' && scene[field] !== -1)
    for (const field of named) {
      for (const value of [-1, 0.5, NaN, -2]) {
        const changed = Object.assign(copyOf(scene), { [field]: value })
        const isOtherType = value === -1 && primaryTypeOf(changed) !== name
        if (isOtherType || (value === -1 && LEFT_OUT[name] === field)) continue
        expect(() => digest(changed)).toThrow(`terms of type ${name} lack ${field}`)
        expect(eip712TermsTag(identity, outcomeIdOf)(changed)).toBe(-1)
      }
    }
    expect(named.length).toBeGreaterThan(1)
  })

  it.each([0, 7, -1])('are refused, when their kind is %i', (kind) => {
    expect(() => digest(terms(kind, 1, {}))).toThrow(`no terms of kind ${kind}`)
  })

  it('are refused, when a label is not as long as they say', () => {
    expect(() => digestOf(SCENES['IssueKey']!, identity, outcomeIdOf, () => 'seven ch')).not.toThrow()
    expect(() => digestOf(SCENES['IssueKey']!, identity, outcomeIdOf, () => 'seven c')).toThrow('length of its label')
    expect(() => digestOf(SCENES['IssueKey']!, identity, outcomeIdOf, () => '🙂🙂🙂🙂🙂🙂🙂🙂')).not.toThrow()
  })
})

describe('the fingerprint', () => {
  it('is the first 52 bits of the digest', () => {
    expect(tagOfDigest('0x1234567890abcdef0000000000000000000000000000000000000000000000ff')).toBe(0x1234567890abc)
    expect(tagOfDigest(`0x${'f'.repeat(64)}`)).toBe(4_503_599_627_370_495)
    expect(eip712TermsTag(identity, outcomeIdOf)(SCENES['Quote']!)).toBe(parseInt(digest(SCENES['Quote']!).slice(2, 15), 16))
  })
})
