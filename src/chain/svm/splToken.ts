import { PublicKey, SystemProgram, TransactionInstruction } from '@solana/web3.js'
import { TOKEN_PROGRAM, USDC_MINT } from './layout.ts'
import type { ChainAccount } from './liteValidator.ts'
import { findProgramAddress } from './programAddress.ts'

const ASSOCIATED_TOKEN_PROGRAM = new PublicKey('ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL')
export const USDC_DECIMALS = 6

export const MINT_BYTES = 82
export const TOKEN_ACCOUNT_BYTES = 165
const AMOUNT_AT = 64
const STATE_AT = 108
const INITIALIZED = 1
const CREATE_IDEMPOTENT = 1

/** Where a wallet's tokens of a mint lie: its associated token account. */
export function tokenAddress(owner: PublicKey, mint: PublicKey = USDC_MINT): PublicKey {
  const seeds = [owner.toBuffer(), TOKEN_PROGRAM.toBuffer(), mint.toBuffer()]
  return findProgramAddress(seeds, ASSOCIATED_TOKEN_PROGRAM).address
}

/** Makes the associated token account of `owner` unless it is there. */
export function createTokenAccount(payer: PublicKey, owner: PublicKey, address: PublicKey, mint: PublicKey = USDC_MINT): TransactionInstruction {
  const key = (pubkey: PublicKey, isSigner: boolean, isWritable: boolean) => ({ pubkey, isSigner, isWritable })
  return new TransactionInstruction({
    programId: ASSOCIATED_TOKEN_PROGRAM,
    keys: [
      key(payer, true, true), key(address, false, true), key(owner, false, false), key(mint, false, false),
      key(SystemProgram.programId, false, false), key(TOKEN_PROGRAM, false, false),
    ],
    data: Buffer.of(CREATE_IDEMPOTENT),
  })
}

/** A token account as it lies on the chain, of `amount` in the mint's smallest unit. */
export function tokenAccount(owner: PublicKey, amount: bigint, lamports: bigint, mint: PublicKey = USDC_MINT): ChainAccount {
  const data = Buffer.alloc(TOKEN_ACCOUNT_BYTES)
  mint.toBuffer().copy(data, 0)
  owner.toBuffer().copy(data, 32)
  data.writeBigUInt64LE(amount, AMOUNT_AT)
  data.writeUInt8(INITIALIZED, STATE_AT)
  return { lamports, data, owner: TOKEN_PROGRAM }
}

/** A mint as it lies on the chain, with no authorities. */
export function mintAccount(supply: bigint, decimals: number, lamports: bigint): ChainAccount {
  const data = Buffer.alloc(MINT_BYTES)
  data.writeBigUInt64LE(supply, 36)
  data.writeUInt8(decimals, 44)
  data.writeUInt8(INITIALIZED, 45)
  return { lamports, data, owner: TOKEN_PROGRAM }
}

/** Tokens in an account of the Token program, in the mint's smallest unit; 0 of one that is not there. */
export const tokenAmount = (account: { readonly owner: PublicKey; readonly data: Buffer } | null): bigint =>
  account === null || !account.owner.equals(TOKEN_PROGRAM) ? 0n : account.data.readBigUInt64LE(AMOUNT_AT)
