import { PublicKey } from '@solana/web3.js'

/** Native USDC, the one mint that the vault knows (program/token.h). */
export const USDC_MINT = new PublicKey('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v')
export const TOKEN_PROGRAM = new PublicKey('TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA')

/** The end of a delegation that is not taken back. */
export const DELEGATED_S = 2n ** 63n - 1n

/** First byte of an instruction's data (program/vault.c). */
export const VaultInstruction = {
  initialize: 0, createUser: 1, setDelegation: 2, deposit: 3, withdraw: 4, open: 5, settle: 6, buyback: 7, transfer: 8, collect: 9,
} as const
export type VaultInstruction = (typeof VaultInstruction)[keyof typeof VaultInstruction]

/** How a position stands; of `settle` the outcome. */
export const ChainPositionState = { open: 1, lost: 2, won: 3, void: 4, boughtBack: 5 } as const
export type ChainPositionState = (typeof ChainPositionState)[keyof typeof ChainPositionState]

/** Flags of a position: what its profit fee falls on besides the holder's win and its sale to the backer. */
export const PositionFlag = { feeOnMaker: 1, feeOnTransfer: 2 } as const

/** Why the vault refuses an instruction: custom errors by number (program/errors.h). */
export const VAULT_ERRORS = {
  100: 'unknownInstruction',
  101: 'wrongLength',
  102: 'wrongAccountCount',
  103: 'notSigner',
  104: 'notWritable',
  105: 'wrongProgram',
  106: 'wrongOwner',
  107: 'wrongType',
  108: 'wrongAddress',
  109: 'wrongMint',
  110: 'wrongTokenAuthority',
  111: 'unusableTokenAccount',
  112: 'wrongOperator',
  113: 'wrongWallet',
  114: 'sameAccount',
  115: 'badValue',
  116: 'zeroAmount',
  117: 'sumOverflow',
  118: 'insufficientBalance',
  119: 'insufficientTokens',
  120: 'sequenceGap',
  121: 'notDelegated',
  122: 'wrongFee',
  123: 'feeAboveCap',
  124: 'priceAbovePayout',
  125: 'buyerIsBacker',
  126: 'tokensNotMoved',
  127: 'addressTaken',
  128: 'unknownRent',
  129: 'positionHasOtherTerms',
  130: 'positionEndedOtherwise',
  131: 'sequenceHasOtherTerms',
  150: 'alreadyInitialized',
  151: 'userExists',
  152: 'sequenceDone',
  153: 'positionExists',
  154: 'positionEnded',
} as const satisfies Readonly<Record<number, string>>
export type VaultErrorName = (typeof VAULT_ERRORS)[keyof typeof VAULT_ERRORS]

/** From this number on a refusal says that what was asked for has happened before. */
const FIRST_DONE = 150

export interface VaultRefusal {
  readonly name: VaultErrorName
  /** Whether the error says that the same instruction has landed before. */
  readonly done: boolean
}

/** What a custom error of the vault says, or null of a number that is none of its own: of the System or the Token program. */
export function vaultRefusal(code: number): VaultRefusal | null {
  const name = (VAULT_ERRORS as Readonly<Record<number, VaultErrorName>>)[code]
  return name === undefined ? null : { name, done: code >= FIRST_DONE }
}

/** Bytes of the vault's accounts (program/state.h). */
export const CONFIG_BYTES = 152
export const USER_BYTES = 80
export const POSITION_BYTES = 168
export const CONFIG_TAG = Buffer.from('vConfig1')
export const USER_TAG = Buffer.from('vUserAc1')
export const POSITION_TAG = Buffer.from('vPositn1')

export interface ConfigAccount {
  readonly operator: PublicKey
  /** The token account with all USDC of the vault. */
  readonly vault: PublicKey
  readonly houseMicros: bigint
  /** All balances, pots, escrows and the house. */
  readonly owedMicros: bigint
  /** Number, amount and target of the last collection, which are zeros before the first. */
  readonly collectSequence: bigint
  readonly collectedMicros: bigint
  readonly collectedTo: PublicKey
  /** How many deposits all wallets have made. */
  readonly deposits: bigint
  readonly bump: number
}

export interface UserAccount {
  readonly wallet: PublicKey
  readonly balanceMicros: bigint
  /** The number of the last deposit or withdrawal. The next one carries one more. */
  readonly sequence: bigint
  /** Amount and kind of that deposit or withdrawal, which are 0 and `initialize` before the first. */
  readonly lastMicros: bigint
  readonly lastTag: VaultInstruction
  /** Seconds of Unix time before which the operator may trade for the wallet: {@link DELEGATED_S} without an end, 0 never. */
  readonly delegatedUntilS: bigint
}

export interface PositionAccount {
  readonly id: Uint8Array
  /** Wallets. */
  readonly holder: PublicKey
  readonly backer: PublicKey
  readonly stakeMicros: bigint
  readonly riskMicros: bigint
  readonly takerFeeMicros: bigint
  readonly basisMicros: bigint
  /** The price of the buyback that ended the position, else 0. */
  readonly priceMicros: bigint
  /** How often the position was transferred. The next transfer carries one more. */
  readonly transfers: bigint
  /** Price of the last transfer, else 0. */
  readonly transferMicros: bigint
  readonly takerFeeBps: number
  readonly profitFeeBps: number
  readonly flags: number
  readonly state: ChainPositionState
}

/** The vault's accounts out of their data, or null of data that are none. Whether the program owns the account is for the caller to check. */
export function decodeConfig(data: Uint8Array): ConfigAccount | null {
  const b = taggedBytes(data, CONFIG_BYTES, CONFIG_TAG)
  return b && {
    operator: keyAt(b, 8), vault: keyAt(b, 40), houseMicros: b.readBigUInt64LE(72), owedMicros: b.readBigUInt64LE(80),
    collectSequence: b.readBigUInt64LE(88), collectedMicros: b.readBigUInt64LE(96), collectedTo: keyAt(b, 104),
    deposits: b.readBigUInt64LE(136), bump: b[144]!,
  }
}

export function decodeUser(data: Uint8Array): UserAccount | null {
  const b = taggedBytes(data, USER_BYTES, USER_TAG)
  return b && {
    wallet: keyAt(b, 8), balanceMicros: b.readBigUInt64LE(40), sequence: b.readBigUInt64LE(48), lastMicros: b.readBigUInt64LE(56),
    delegatedUntilS: b.readBigInt64LE(64), lastTag: b[72] as VaultInstruction,
  }
}

export function decodePosition(data: Uint8Array): PositionAccount | null {
  const b = taggedBytes(data, POSITION_BYTES, POSITION_TAG)
  return b && {
    id: Uint8Array.prototype.slice.call(b, 8, 40), holder: keyAt(b, 40), backer: keyAt(b, 72),
    stakeMicros: b.readBigUInt64LE(104), riskMicros: b.readBigUInt64LE(112), takerFeeMicros: b.readBigUInt64LE(120),
    basisMicros: b.readBigUInt64LE(128), priceMicros: b.readBigUInt64LE(136), transfers: b.readBigUInt64LE(144),
    transferMicros: b.readBigUInt64LE(152), takerFeeBps: b.readUInt16LE(160), profitFeeBps: b.readUInt16LE(162), flags: b[164]!,
    state: b[165] as ChainPositionState,
  }
}

function taggedBytes(data: Uint8Array, length: number, tag: Buffer): Buffer | null {
  const bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength)
  return bytes.length === length && bytes.subarray(0, tag.length).equals(tag) ? bytes : null
}

const keyAt = (bytes: Buffer, at: number): PublicKey => new PublicKey(bytes.subarray(at, at + 32))
