import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { PublicKey } from '@solana/web3.js'
import type { SvmKeys } from './keys.ts'
import { USDC_MINT } from './layout.ts'
import type { ChainAccount } from './liteValidator.ts'
import { mintAccount, tokenAccount, tokenAddress, USDC_DECIMALS } from './splToken.ts'

/** More lamports than the rent of a mint or a token account is on any network. */
const RENT_LAMPORTS = 10_000_000n
const U64_MAX = 2n ** 64n - 1n

/** What a session's wallets hold when its chain begins. */
export interface FundedWallets {
  /** Wallets 0 … `count` − 1 hold it. */
  readonly count: number
  /** What each wallet holds, microUSDC. */
  readonly micros: bigint
}

export interface GenesisAccount extends ChainAccount {
  readonly address: PublicKey
}

/** The USDC mint, and the token account of each wallet. */
export function genesisAccounts(keys: SvmKeys, { count, micros }: FundedWallets): GenesisAccount[] {
  const held = BigInt(count) * micros
  const supply = held < U64_MAX ? held : U64_MAX
  return [
    { address: USDC_MINT, ...mintAccount(supply, USDC_DECIMALS, RENT_LAMPORTS) },
    ...Array.from({ length: count }, (_, account): GenesisAccount => {
      const { address } = keys.wallet(account)
      return { address: tokenAddress(address), ...tokenAccount(address, micros, RENT_LAMPORTS) }
    }),
  ]
}

/** Writes a file for each account into a new folder, as `solana account --output json` does and `--account-dir` takes them. */
export function writeAccounts(folder: string, accounts: readonly GenesisAccount[]): void {
  mkdirSync(folder)
  for (const { address, lamports, data, owner } of accounts) {
    const pubkey = address.toBase58()
    writeFileSync(join(folder, `${pubkey}.json`), JSON.stringify({ pubkey, account: {
      lamports: Number(lamports), data: [Buffer.from(data).toString('base64'), 'base64'], owner: owner.toBase58(), executable: false, rentEpoch: 0,
      space: data.length,
    } }))
  }
}
