import { AccountKind, PostingCause } from '../../../ledger/ledger.ts'
import type { Kind, KindOf } from '../../eventCells.ts'
import { NONE } from '../../../unit/none.ts'
import { FundsMoved } from '../protocol/events.ts'
import type { ParlayState } from './state.ts'

/** Makes the account's vault if it has none: with a deposit or its first filled position (PQ-223, readings A35). */
export function openVault(s: ParlayState, account: number): void {
  const vaults = s.vaults
  if (account >= vaults.count) {
    vaults.count = account + 1
    vaults.ensure(vaults.count)
    s.ledger.ensureAccounts(vaults.count)
  }
  vaults.exists[account] = 1
}

/** Credits the account's vault, made if there is none (readings A35). */
export function credit(s: ParlayState, account: number, amountMicros: number): void {
  openVault(s, account)
  const { external, free } = AccountKind
  s.ledger.post(s.nowUs, PostingCause.deposit, external, external, free, account, amountMicros, NONE, NONE)
}

/** What the account has reserved and what it backs open positions with, in microUSDC. */
export function lockedMicros(s: ParlayState, account: number): number {
  return s.ledger.reservedMicros(account) + (s.vaults.has(account) ? s.vaults.backedMicros[account]! : 0)
}

/** Writes the row that money reached or left the vault, with the gross balance after it (PQ-297, PQ-298). */
export function tellFunds(s: ParlayState, kind: Kind<KindOf<typeof FundsMoved>>, account: number, amountMicros: number): void {
  const row = s.events.open(s.nowUs, kind, s.cause)
  s.events.write(row, FundsMoved.account, account)
  s.events.write(row, FundsMoved.amountMicros, amountMicros)
  s.events.write(row, FundsMoved.grossBalanceMicros, s.ledger.freeMicros(account) + lockedMicros(s, account))
}
