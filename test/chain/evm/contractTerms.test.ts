import type { Abi, Address, Hex } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { compile, sourceUrl } from '../../../tools/vaultContract/compile.ts'
import {
  AUTHORIZATION_TYPES, authorizationHashOf, depositHashOf, digestOfStruct, idOfText, quoteSignerHashOf, registrationHashOf, separatorOf,
  structHashOf, VAULT_TYPES, vaultDomainOf, vaultTermsOf,
} from '../../../src/chain/evm/terms.ts'
import { SignedTerms, TermsKind } from '../../../src/venue/outcome/protocol/terms.ts'
import { type TypedMessage, TYPES } from '../../../src/venue/outcome/wire/eip712Types.ts'
import { typedMessageOf } from '../../../src/venue/outcome/wire/typedData.ts'
import { identity, outcomeIdOf } from '../../venue/outcome/wire/rows.ts'
import { digestBy, type Deployed, signerOf, VaultStage } from './contractHarness.ts'
import { noAnvil, skipped } from './bundledAnvil.ts'

const VAULT_ADDRESS: Address = '0x1234567890abcdef1234567890abcdef12345678'
const RATES = { takerFeeBps: 25, feeBps: 150 }
const TRADE = { rfq: 2, quote: 5, payoutMicros: 99_000_001 }

type Fields = Partial<Omit<SignedTerms, 'legs' | 'reset' | 'leg'>>
const termsOf = (kind: number, account: number, fields: Fields): SignedTerms => Object.assign(new SignedTerms().reset(kind, account), fields)
const withLegs = (terms: SignedTerms): SignedTerms => terms.leg(3, 1).leg(5, 0).leg(9, 0)

/** Terms of every type that the vault knows, as the service makes them. */
const TERMS = {
  Quote: withLegs(termsOf(TermsKind.quote, 20, {
    ...RATES, rfq: 2, generation: 3, stakeMicros: 24_950_000, payoutMicros: 99_000_001, expiryS: 1_750_379_010,
  })),
  CashoutQuote: withLegs(termsOf(TermsKind.quote, 20, {
    rfq: 2, generation: 1, position: 4, payoutMicros: 40_000_000, feeBps: 100, expiryS: 1_750_379_010,
  })),
  Acceptance: termsOf(TermsKind.acceptance, 10, {
    ...RATES, ...TRADE, key: 7, stakeMicros: 25_000_000, coreMicros: 1, validAfterS: 1_750_378_980, validBeforeS: 1_750_379_880,
  }),
  CashoutAcceptance: termsOf(TermsKind.acceptance, 10, { ...TRADE, key: 7, feeBps: 100, position: 4 }),
  Confirmation: termsOf(TermsKind.confirmation, 20, { ...TRADE, ...RATES, value: 1 }),
  CashoutConfirmation: termsOf(TermsKind.confirmation, 20, { ...TRADE, value: 1, feeBps: 100, position: 4 }),
  Withdrawal: termsOf(TermsKind.withdrawal, 10, { ...RATES, payoutMicros: 5, validAfterS: 1_750_378_980, validBeforeS: 1_750_383_480, key: 7 }),
  ExitWithdrawal: termsOf(TermsKind.withdrawal, 10, {
    ...RATES, payoutMicros: 5, expiryS: 1_750_379_040, validAfterS: 1_750_378_980, validBeforeS: 1_750_383_480, key: 7,
  }),
  CollateralReduction: termsOf(TermsKind.reduction, 20, { ...RATES, payoutMicros: 5_000_000, key: 7 }),
}
const MESSAGES: readonly TypedMessage[] = Object.values(TERMS).map((terms) => typedMessageOf(terms, identity, outcomeIdOf))
const named = MESSAGES.map((message) => [message.primaryType, message] as const)

describe('terms of the vault', () => {
  it('are of every type that is signed, but of keys', () => {
    const signed = Object.keys(TYPES).filter((type) => type !== 'Leg' && type !== 'IssueKey')
    expect(new Set(MESSAGES.map(({ primaryType }) => primaryType))).toEqual(new Set(signed))
  })

  it.each(named)('of type %s hash to what wallets sign', (primaryType, typed) => {
    const domain = vaultDomainOf(VAULT_ADDRESS)
    const digest = digestOfStruct(separatorOf(domain), structHashOf(primaryType, vaultTermsOf(typed)))
    expect(digest).toBe(digestBy(domain, TYPES, primaryType, typed.message))
  })

  it('hash authorizations of USDC as EIP-3009 has them', () => {
    const usdc = { name: 'USD Coin', version: '2', chainId: 999, verifyingContract: signerOf(1).address }
    const nonce = idOfText('nonce')
    const message = { from: signerOf(2).address, to: VAULT_ADDRESS, value: 7n, validAfter: 0n, validBefore: 9n, nonce }
    expect(digestOfStruct(separatorOf(usdc), authorizationHashOf(message.from, message.to, 7n, 9n, nonce)))
      .toBe(digestBy(usdc, AUTHORIZATION_TYPES, 'ReceiveWithAuthorization', message))
  })
})

describe.skipIf(noAnvil)(`digests of the vault on its chain${skipped}`, () => {
  let stage: VaultStage
  let probe: Deployed
  const read = (functionName: string, args: readonly unknown[]): Promise<Hex> => stage.read<Hex>(functionName, args, probe)
  const signed = (types: object, primaryType: string, message: object): Hex => digestBy(vaultDomainOf(probe.address), types, primaryType, message)

  beforeAll(async () => {
    stage = await VaultStage.open()
    const artifact = compile('TermsProbe', [new URL('TermsProbe.sol', import.meta.url), sourceUrl('Terms.sol')])
    probe = await stage.deploy(artifact.abi as Abi, artifact.bytecode as Hex, [])
  })
  afterAll(() => stage.close())

  it.each(named)('of a %s are those that wallets sign', async (primaryType, typed) => {
    expect(await read(`digestOf${primaryType}`, [vaultTermsOf(typed)])).toBe(signed(TYPES, primaryType, typed.message))
  })

  it('of what is signed for the vault alone are those of its types', async () => {
    const account = identity.account(10)
    const [owner, quoteSigner] = [signerOf(1).address, signerOf(2).address]
    const separator = separatorOf(vaultDomainOf(probe.address))
    const registration = await read('digestOfRegistration', [idOfText(account), owner, quoteSigner])
    expect(registration).toBe(signed(VAULT_TYPES, 'Registration', { account, owner, quoteSigner }))
    expect(registration).toBe(digestOfStruct(separator, registrationHashOf(idOfText(account), owner, quoteSigner)))
    const change = await read('digestOfQuoteSignerChange', [idOfText(account), quoteSigner, 7n, 3n])
    expect(change).toBe(signed(VAULT_TYPES, 'QuoteSignerChange', { account, quoteSigner, since: 7n, nonce: 3n }))
    expect(change).toBe(digestOfStruct(separator, quoteSignerHashOf(idOfText(account), quoteSigner, 7n, 3n)))
    const deposit = await read('digestOfDeposit', [idOfText(account), idOfText('deposit 8')])
    const types = { Deposit: [{ name: 'account', type: 'string' }, { name: 'depositId', type: 'string' }] }
    expect(deposit).toBe(signed(types, 'Deposit', { account, depositId: 'deposit 8' }))
    expect(deposit).toBe(digestOfStruct(separator, depositHashOf(idOfText(account), idOfText('deposit 8'))))
  })
})
