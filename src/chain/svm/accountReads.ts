import type { AccountInfo, PublicKey } from '@solana/web3.js'
import { ask, type SvmNetwork } from './svmNetwork.ts'

/** Accounts that one request may ask for. */
const ACCOUNTS_PER_REQUEST = 100

/** Accounts in the order of their keys; null where there is none. */
export async function readAccounts(network: SvmNetwork, keys: readonly PublicKey[]): Promise<(AccountInfo<Buffer> | null)[]> {
  const accounts: (AccountInfo<Buffer> | null)[] = []
  for (let at = 0; at < keys.length; at += ACCOUNTS_PER_REQUEST) {
    const part = keys.slice(at, at + ACCOUNTS_PER_REQUEST)
    accounts.push(...await ask(network, (connection) => connection.getMultipleAccountsInfo(part)))
  }
  return accounts
}
