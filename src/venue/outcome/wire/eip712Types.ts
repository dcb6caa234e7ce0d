import type { Hex } from 'viem'

/** Name and version of the EIP-712 domain; chain and vault are the others of its fields. */
export const DOMAIN_NAME = 'Outcome-Market RFQ'
export const DOMAIN_VERSION = '1'

export interface TypedField {
  readonly name: string
  readonly type: string
}

/** Splits `type name, type name` into fields. */
const fieldsOf = (text: string): readonly TypedField[] =>
  text.split(', ').map((field) => ({ type: field.split(' ')[0]!, name: field.split(' ')[1]! }))

/** Types of everything that is signed. Amounts are atomic units of USDC, times unix seconds (OM-032), UUIDs and outcome ids texts. */
export const TYPES = {
  Leg: fieldsOf('string outcomeId, string side'),
  Quote: fieldsOf('string maker, string rfqId, uint64 generation, uint256 netStake, uint256 payout, uint64 takerFeeBps, uint64 feeBps, uint64 expiry, Leg[] legs'),
  CashoutQuote: fieldsOf('string maker, string rfqId, uint64 generation, bytes32 positionId, uint256 price, uint64 feeBps, uint64 expiry, Leg[] legs'),
  Acceptance: fieldsOf('string taker, string rfqId, bytes32 quoteId, string acceptanceId, uint256 stake, uint256 core, uint256 payout, uint64 takerFeeBps, uint64 feeBps, uint64 validAfter, uint64 validBefore'),
  CashoutAcceptance: fieldsOf('string seller, string rfqId, bytes32 quoteId, string acceptanceId, uint256 price, uint64 feeBps, bytes32 positionId'),
  Confirmation: fieldsOf('string maker, string rfqId, bytes32 quoteId, string acceptanceId, uint256 payout, uint64 takerFeeBps, uint64 feeBps'),
  CashoutConfirmation: fieldsOf('string maker, string rfqId, bytes32 quoteId, string acceptanceId, uint256 price, uint64 feeBps, bytes32 positionId'),
  Withdrawal: fieldsOf('string account, uint256 amount, uint64 takerFeeBps, uint64 feeBps, uint64 validAfter, uint64 validBefore, string requestKey'),
  ExitWithdrawal: fieldsOf('string account, uint256 amount, uint64 takerFeeBps, uint64 feeBps, uint64 exitExpiry, uint64 validAfter, uint64 validBefore, string requestKey'),
  CollateralReduction: fieldsOf('string maker, uint256 amount, uint64 takerFeeBps, uint64 feeBps, string requestKey'),
  IssueKey: fieldsOf('string account, string challengeId, string label, string[] scopes, uint64 expiresInDays'),
} as const
export type PrimaryType = Exclude<keyof typeof TYPES, 'Leg'>

/** A type as EIP-712 writes it, without the types that it names. */
export const structText = (name: string, fields: readonly TypedField[]): string => `${name}(${fields.map((field) => `${field.type} ${field.name}`).join(',')})`

/** The text whose hash stands for a type (`encodeType` of EIP-712): behind the type itself stands the one that it names, which only `Leg` can be. */
export const encodedType = (name: PrimaryType): string => {
  const fields: readonly TypedField[] = TYPES[name]
  return structText(name, fields) + (fields.some(({ type }) => type === 'Leg[]') ? structText('Leg', TYPES.Leg) : '')
}

/** A leg as it is signed: a decimal outcome_id, and YES or NO. */
export interface TypedLeg {
  readonly outcomeId: string
  readonly side: string
}

export type TypedValue = string | bigint | readonly string[] | readonly TypedLeg[]

export interface TypedMessage {
  readonly primaryType: PrimaryType
  readonly message: Readonly<Record<string, TypedValue>>
}

export interface TypedDomain {
  readonly name: string
  readonly version: string
  readonly chainId: number
  readonly verifyingContract: Hex
}
