import type { Hex } from 'viem'
import { idOfText, legsHashOf, type VaultTerms, vaultTermsOf } from '../../../src/chain/evm/terms.ts'
import type { EvmSigner } from '../../../src/chain/evm/signer.ts'
import { type TypedDomain, type TypedMessage, TYPES } from '../../../src/venue/outcome/wire/eip712Types.ts'
import { digestBy, type Party, type VaultStage } from './contractHarness.ts'

export const LEGS = [{ outcomeId: '1234567890', side: 'YES' }, { outcomeId: '98765432109876543210', side: 'NO' }] as const

/** Signs what the wire's types say, by viem. */
export const signTyped = ({ primaryType, message }: TypedMessage, signer: EvmSigner, domain: TypedDomain): Hex =>
  signer.sign(digestBy(domain, TYPES, primaryType, message))

export const rfqTextOf = (number: number): string => `01976f00-0000-7000-8000-${String(number).padStart(12, '0')}`
export const keyTextOf = (number: number): string => `01976f00-0000-7000-9000-${String(number).padStart(12, '0')}`
export const positionIdOf = (number: number): Hex => idOfText(`position ${number}`)
export const quoteIdOf = (number: number): Hex => idOfText(`quote ${number}`)

/** An entry as both sides agree on it; sums in microUSDC, times in seconds of the chain's clock. */
export interface Entry {
  readonly number: number
  readonly taker: Party
  readonly maker: Party
  readonly stake: bigint
  readonly netStake: bigint
  readonly payout: bigint
  readonly takerFeeBps: bigint
  readonly feeBps: bigint
  readonly core: bigint
  readonly expiryS: number
  readonly acceptedAtS: number
  readonly validAfterS: number
  readonly validBeforeS: number
}

/** 10.000001 USDC at 0.25%: a fee of 25,000 (25,000.0025 rounded down) and a net stake of 9,975,001. */
export const entryAt = (nowS: number, taker: Party, maker: Party, changes: Partial<Entry> = {}): Entry => ({
  number: 1, taker, maker, stake: 10_000_001n, netStake: 9_975_001n, payout: 30_000_007n, takerFeeBps: 25n, feeBps: 150n, core: 0n,
  expiryS: nowS + 10, acceptedAtS: nowS, validAfterS: nowS - 5, validBeforeS: nowS + 300, ...changes,
})

export interface Messages {
  readonly quote: TypedMessage
  readonly acceptance: TypedMessage
  readonly confirmation: TypedMessage
}

export function entryMessages(entry: Entry): Messages {
  const { number, taker, maker, payout, takerFeeBps, feeBps } = entry
  const rates = { takerFeeBps, feeBps }
  const names = { rfqId: rfqTextOf(number), quoteId: quoteIdOf(number), acceptanceId: keyTextOf(number) }
  return {
    quote: { primaryType: 'Quote', message: {
      maker: maker.accountText, rfqId: names.rfqId, generation: 1n, netStake: entry.netStake, payout, ...rates,
      expiry: BigInt(entry.expiryS), legs: LEGS,
    } },
    acceptance: { primaryType: 'Acceptance', message: {
      taker: taker.accountText, ...names, stake: entry.stake, core: entry.core, payout, ...rates,
      validAfter: BigInt(entry.validAfterS), validBefore: BigInt(entry.validBeforeS),
    } },
    confirmation: { primaryType: 'Confirmation', message: { maker: maker.accountText, ...names, payout, ...rates } },
  }
}

const withField = (typed: TypedMessage, fields: TypedMessage['message']): TypedMessage => ({ ...typed, message: { ...typed.message, ...fields } })

/** The messages under another key of the taker's. */
export const withKey = ({ quote, acceptance, confirmation }: Messages, acceptanceId: string): Messages => ({
  quote, acceptance: withField(acceptance, { acceptanceId }), confirmation: withField(confirmation, { acceptanceId }),
})

/** A trade as the vault takes it. */
export interface SignedTradeArgs {
  readonly acceptedAt: bigint
  readonly quote: VaultTerms
  readonly acceptance: VaultTerms
  readonly confirmation: VaultTerms
  readonly quoteSignature: Hex
  readonly acceptanceSignature: Hex
  readonly confirmationSignature: Hex
}

export interface FillArgs extends SignedTradeArgs {
  readonly positionId: Hex
  readonly coreSignature: Hex
}

/** The trade of these messages, signed by the taker's wallet and the maker's quote signer. */
export function signMessages(messages: Messages, taker: EvmSigner, maker: EvmSigner, domain: TypedDomain, acceptedAtS: number): SignedTradeArgs {
  return {
    acceptedAt: BigInt(acceptedAtS),
    quote: vaultTermsOf(messages.quote),
    acceptance: vaultTermsOf(messages.acceptance),
    confirmation: vaultTermsOf(messages.confirmation),
    quoteSignature: signTyped(messages.quote, maker, domain),
    acceptanceSignature: signTyped(messages.acceptance, taker, domain),
    confirmationSignature: signTyped(messages.confirmation, maker, domain),
  }
}

/** The fill of an entry that taker and maker signed. */
export function fillOf(stage: VaultStage, entry: Entry, domain: TypedDomain = stage.domain): FillArgs {
  const { taker, maker, core, number } = entry
  const messages = entryMessages(entry)
  const nonce = digestBy(domain, TYPES, 'Acceptance', messages.acceptance.message)
  return {
    positionId: positionIdOf(number),
    ...signMessages(messages, taker.wallet, maker.quoteSigner, domain, entry.acceptedAtS),
    coreSignature: core > 0n ? stage.authorizationOf(taker.wallet, core, BigInt(entry.validBeforeS), nonce) : '0x',
  }
}

export interface Sale {
  /** The number of the RFQ, the quote and the acceptance. */
  readonly number: number
  readonly position: number
  readonly seller: Party
  readonly maker: Party
  readonly price: bigint
  readonly feeBps: bigint
  readonly expiryS: number
  readonly acceptedAtS: number
  readonly legs: readonly { readonly outcomeId: string; readonly side: string }[]
}

export const saleAt = (nowS: number, seller: Party, maker: Party, changes: Partial<Sale> = {}): Sale => ({
  number: 101, position: 1, seller, maker, price: 12_345_678n, feeBps: 150n, expiryS: nowS + 10, acceptedAtS: nowS, legs: LEGS, ...changes,
})

export function saleMessages({ number, position, seller, maker, price, feeBps, expiryS, legs }: Sale): Messages {
  const names = { rfqId: rfqTextOf(number), quoteId: quoteIdOf(number), acceptanceId: keyTextOf(number) }
  const positionId = positionIdOf(position)
  return {
    quote: { primaryType: 'CashoutQuote', message: {
      maker: maker.accountText, rfqId: names.rfqId, generation: 1n, positionId, price, feeBps, expiry: BigInt(expiryS), legs,
    } },
    acceptance: { primaryType: 'CashoutAcceptance', message: { seller: seller.accountText, ...names, price, feeBps, positionId } },
    confirmation: { primaryType: 'CashoutConfirmation', message: { maker: maker.accountText, ...names, price, feeBps, positionId } },
  }
}

export const cashoutOf = (stage: VaultStage, sale: Sale): SignedTradeArgs =>
  signMessages(saleMessages(sale), sale.seller.wallet, sale.maker.quoteSigner, stage.domain, sale.acceptedAtS)

export const LEGS_HASH: Hex = legsHashOf(LEGS)

/** A withdrawal, an Exit's when `exitExpiryS` is given, and its signature by the party's wallet. */
export function withdrawalOf(
  stage: VaultStage, { accountText, wallet }: Party,
  { amount, key = 1, exitExpiryS, validAfterS = stage.nowS - 5, validBeforeS = stage.nowS + 300 }:
  { amount: bigint; key?: number; exitExpiryS?: number; validAfterS?: number; validBeforeS?: number },
): readonly [VaultTerms, Hex] {
  const shared = {
    account: accountText, amount, takerFeeBps: 25n, feeBps: 150n,
    validAfter: BigInt(validAfterS), validBefore: BigInt(validBeforeS), requestKey: keyTextOf(key),
  }
  const typed: TypedMessage = exitExpiryS === undefined
    ? { primaryType: 'Withdrawal', message: shared }
    : { primaryType: 'ExitWithdrawal', message: { ...shared, exitExpiry: BigInt(exitExpiryS) } }
  return [vaultTermsOf(typed), signTyped(typed, wallet, stage.domain)]
}

export const reductionIdOf = (number: number): Hex => idOfText(`reduction ${number}`)

/** Arguments of a reduction. */
export function reductionOf(stage: VaultStage, { accountText, wallet }: Party, amount: bigint, number = 1): readonly [Hex, VaultTerms, Hex] {
  const typed: TypedMessage = { primaryType: 'CollateralReduction', message: {
    maker: accountText, amount, takerFeeBps: 25n, feeBps: 150n, requestKey: keyTextOf(number),
  } }
  return [reductionIdOf(number), vaultTermsOf(typed), signTyped(typed, wallet, stage.domain)]
}
