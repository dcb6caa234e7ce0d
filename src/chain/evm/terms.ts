import type { Address, Hex } from 'viem'
import { concatHex, keccak256, numberToHex, padHex, stringToHex } from 'viem/utils'
import { assert } from '../../unit/assert.ts'
import { CHAIN_ID } from '../../venue/outcome/protocol/terms.ts'
import { DOMAIN_NAME, DOMAIN_VERSION, encodedType, structText, type TypedDomain, type TypedMessage, TYPES } from '../../venue/outcome/wire/eip712Types.ts'

/** A struct of the vault: each field a word, texts as the keccak-256 of their bytes, legs as the hash of their array (`legsHash`). */
export type VaultTerms = Readonly<Record<string, bigint | Hex>>

/** What wallets sign for the vault besides the service's types. */
export const VAULT_TYPES = {
  Registration: [
    { name: 'account', type: 'string' }, { name: 'owner', type: 'address' }, { name: 'quoteSigner', type: 'address' },
  ],
  QuoteSignerChange: [
    { name: 'account', type: 'string' }, { name: 'quoteSigner', type: 'address' }, { name: 'since', type: 'uint64' },
    { name: 'nonce', type: 'uint64' },
  ],
} as const

/** EIP-3009, as USDC has it: the payee alone can use it. */
export const AUTHORIZATION_TYPES = {
  ReceiveWithAuthorization: [
    { name: 'from', type: 'address' }, { name: 'to', type: 'address' }, { name: 'value', type: 'uint256' },
    { name: 'validAfter', type: 'uint256' }, { name: 'validBefore', type: 'uint256' }, { name: 'nonce', type: 'bytes32' },
  ],
} as const

const hashOfText = (text: string): Hex => keccak256(stringToHex(text))

const LEG_TYPE = hashOfText(structText('Leg', TYPES.Leg))
const DOMAIN_TYPE = hashOfText('EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)')
const DEPOSIT_TYPE = hashOfText('Deposit(string account,string depositId)')
const AUTHORIZATION_TYPE = hashOfText(structText('ReceiveWithAuthorization', AUTHORIZATION_TYPES.ReceiveWithAuthorization))
const REGISTRATION_TYPE = hashOfText(structText('Registration', VAULT_TYPES.Registration))
const QUOTE_SIGNER_TYPE = hashOfText(structText('QuoteSignerChange', VAULT_TYPES.QuoteSignerChange))

type PrimaryType = TypedMessage['primaryType']

/** Hash of each type's text. */
const TYPE_HASHES = new Map((Object.keys(TYPES) as (keyof typeof TYPES)[]).filter((name) => name !== 'Leg').map((name) => [name, hashOfText(encodedType(name))]))

const word = (value: bigint | Hex): Hex => (typeof value === 'bigint' ? numberToHex(value, { size: 32 }) : padHex(value, { size: 32 }))
const hashOfWords = (...words: readonly (bigint | Hex)[]): Hex => keccak256(concatHex(words.map(word)))

/** What a text stands as on the chain, and in what is signed: accounts, RFQs, acceptances and requests by their ids of the wire. */
export const idOfText = hashOfText

/** Hash of the legs as EIP-712 has it. */
export const legsHashOf = (legs: readonly { readonly outcomeId: string; readonly side: string }[]): Hex =>
  keccak256(concatHex(legs.map(({ outcomeId, side }) => hashOfWords(LEG_TYPE, hashOfText(outcomeId), hashOfText(side)))))

type Legs = Parameters<typeof legsHashOf>[0]

/** The vault's struct of a message. */
export function vaultTermsOf({ primaryType, message }: TypedMessage): VaultTerms {
  assert(primaryType !== 'IssueKey', 'a vault is told of no keys')
  return Object.fromEntries(TYPES[primaryType].map(({ name, type }) => {
    const value = message[name]!
    if (type === 'Leg[]') return ['legsHash', legsHashOf(value as Legs)]
    return [name, type === 'string' ? hashOfText(value as string) : value as bigint | Hex]
  }))
}

/** EIP-712 hash of a struct of the vault; the same as of the message that it stands for. */
export function structHashOf(primaryType: PrimaryType, terms: VaultTerms): Hex {
  const words = TYPES[primaryType].map(({ name }) => terms[name === 'legs' ? 'legsHash' : name]!)
  return hashOfWords(TYPE_HASHES.get(primaryType)!, ...words)
}

export const registrationHashOf = (accountId: Hex, owner: Address, quoteSigner: Address): Hex =>
  hashOfWords(REGISTRATION_TYPE, accountId, owner, quoteSigner)

/**
 * @param since second of Unix time from which on it signs.
 * @param nonce how often the account's quote signer has changed before.
 */
export const quoteSignerHashOf = (accountId: Hex, quoteSigner: Address, since: bigint, nonce: bigint): Hex =>
  hashOfWords(QUOTE_SIGNER_TYPE, accountId, quoteSigner, since, nonce)

/**
 * The digest is the nonce of the authorization that funds a deposit. The authorization thus names the vault and the account, and is good
 * for one deposit. For a core part the nonce is the digest of its acceptance.
 */
export const depositHashOf = (accountId: Hex, depositId: Hex): Hex => hashOfWords(DEPOSIT_TYPE, accountId, depositId)

/** EIP-712 hash of the authorization that the vault uses: valid from the start on, to the vault. */
export const authorizationHashOf = (from: Address, vault: Address, amount: bigint, validBefore: bigint, nonce: Hex): Hex =>
  hashOfWords(AUTHORIZATION_TYPE, from, vault, amount, 0n, validBefore, nonce)

/** The domain of a vault on the chain. */
export const vaultDomainOf = (vault: Address): TypedDomain =>
  ({ name: DOMAIN_NAME, version: DOMAIN_VERSION, chainId: CHAIN_ID, verifyingContract: vault })

export const separatorOf = ({ name, version, chainId, verifyingContract }: TypedDomain): Hex =>
  hashOfWords(DOMAIN_TYPE, hashOfText(name), hashOfText(version), BigInt(chainId), verifyingContract)

/** What is signed of a struct in a domain. */
export const digestOfStruct = (separator: Hex, structHash: Hex): Hex => keccak256(concatHex(['0x1901', separator, structHash]))
