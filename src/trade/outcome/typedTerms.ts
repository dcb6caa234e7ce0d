import { secp256k1 } from '@noble/curves/secp256k1'
import type { Hex } from 'viem'
import { bytesToHex, hashTypedData, hexToBytes } from 'viem/utils'

const fieldsOf = (text: string): readonly { readonly name: string; readonly type: string }[] =>
  text.split(', ').map((field) => ({ type: field.split(' ')[0]!, name: field.split(' ')[1]! }))

/** What makers and bettors sign (docs/conformance/outcome.md, "Signed terms"). */
const TYPES = {
  Leg: fieldsOf('string outcomeId, string side'),
  Quote: fieldsOf('string maker, string rfqId, uint64 generation, uint256 netStake, uint256 payout, uint64 takerFeeBps, uint64 feeBps, uint64 expiry, Leg[] legs'),
  CashoutQuote: fieldsOf('string maker, string rfqId, uint64 generation, bytes32 positionId, uint256 price, uint64 feeBps, uint64 expiry, Leg[] legs'),
  Confirmation: fieldsOf('string maker, string rfqId, bytes32 quoteId, string acceptanceId, uint256 payout, uint64 takerFeeBps, uint64 feeBps'),
  CashoutConfirmation: fieldsOf('string maker, string rfqId, bytes32 quoteId, string acceptanceId, uint256 price, uint64 feeBps, bytes32 positionId'),
  Acceptance: fieldsOf('string taker, string rfqId, bytes32 quoteId, string acceptanceId, uint256 stake, uint256 core, uint256 payout, uint64 takerFeeBps, uint64 feeBps, uint64 validAfter, uint64 validBefore'),
  CashoutAcceptance: fieldsOf('string seller, string rfqId, bytes32 quoteId, string acceptanceId, uint256 price, uint64 feeBps, bytes32 positionId'),
} as const
export type SignedType = Exclude<keyof typeof TYPES, 'Leg'>

const DOMAIN = { name: 'Outcome-Market RFQ', version: '1' } as const
const V_OFFSET = 27

/** Who signs, and for which deployment. */
export interface Signer {
  readonly chainId: number
  readonly vault: string
  readonly privateKey: string
}

/** The EIP-712 signature of terms: r, s in the lower half, and v of 27 or 28, 65 bytes in lowercase hex. */
export function signedTerms({ chainId, vault, privateKey }: Signer, primaryType: SignedType, message: Readonly<Record<string, unknown>>): Hex {
  const domain = { ...DOMAIN, chainId, verifyingContract: vault as Hex }
  const digest = hashTypedData({ domain, types: TYPES, primaryType, message } as Parameters<typeof hashTypedData>[0])
  const signature = secp256k1.sign(hexToBytes(digest), hexToBytes(privateKey as Hex), { lowS: true, prehash: false })
  return `${bytesToHex(signature.toCompactRawBytes())}${(V_OFFSET + signature.recovery).toString(16)}`
}
