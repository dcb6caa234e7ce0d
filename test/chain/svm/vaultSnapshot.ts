import type { PublicKey } from '@solana/web3.js'
import { expect } from 'vitest'
import {
  ChainPositionState, type ConfigAccount, decodeConfig, decodePosition, decodeUser, type PositionAccount, TOKEN_PROGRAM, type UserAccount,
} from '../../../src/chain/svm/layout.ts'
import type { ProgramHarness } from './programHarness.ts'

/** Everything that the vault holds, by address, and all token accounts. */
export interface VaultSnapshot {
  readonly config: ConfigAccount
  readonly users: ReadonlyMap<string, UserAccount>
  readonly positions: ReadonlyMap<string, PositionAccount>
  readonly tokens: ReadonlyMap<string, TokenHolding>
}

export interface TokenHolding {
  readonly mint: string
  readonly authority: string
  readonly amount: bigint
}

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')

/** Addresses and keys of a snapshot are in hexadecimal digits. */
export const hexOf = (address: PublicKey): string => hex(address.toBytes())

export function snapshotOf(harness: ProgramHarness): VaultSnapshot {
  const users = new Map<string, UserAccount>()
  const positions = new Map<string, PositionAccount>()
  for (const found of harness.svm.getProgramAccounts(harness.program.programId.toBytes())) {
    const [address, data] = [hex(found.address), found.account().data()]
    const [user, position] = [decodeUser(data), decodePosition(data)]
    if (user !== null) users.set(address, user)
    else if (position !== null) positions.set(address, position)
    else expect(decodeConfig(data)).not.toBeNull()
  }
  const tokens = new Map<string, TokenHolding>()
  for (const found of harness.svm.getProgramAccounts(TOKEN_PROGRAM.toBytes())) {
    const data = Buffer.from(found.account().data())
    if (data.length !== 165) continue
    tokens.set(hex(found.address), { mint: hex(data.subarray(0, 32)), authority: hex(data.subarray(32, 64)), amount: data.readBigUInt64LE(64) })
  }
  return { config: harness.config(), users, positions, tokens }
}

/** Asserts that the vault owes what its parts come to, and that its tokens are exactly that. */
export function expectSolvent(harness: ProgramHarness, vault: VaultSnapshot): void {
  let sum = vault.config.houseMicros
  for (const { balanceMicros } of vault.users.values()) sum += balanceMicros
  for (const { state, stakeMicros, riskMicros, takerFeeMicros } of vault.positions.values()) {
    if (state === ChainPositionState.open) sum += stakeMicros + riskMicros + takerFeeMicros
  }
  expect(vault.config.owedMicros).toBe(sum)
  expect(vault.tokens.get(hexOf(harness.program.vault))!.amount).toBe(sum)
}
