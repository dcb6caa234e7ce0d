import { NONE } from '../../../src/unit/none.ts'
import { ParlayEvent, VaultEffect, VaultStatus } from '../../../src/venue/parlay/protocol/events.ts'
import type { Tally } from './moment.ts'
import { type Row, rowsOfKind } from './namedRows.ts'

/** The sums with those of further rows. */
export function tallied(tally: Tally, rows: readonly Row[]): Tally {
  const netDepositsMicros = new Map(tally.netDepositsMicros)
  const pendingTransactions = new Map(tally.pendingTransactions)
  const fence = ({ account, backer, effect }: Row<'vaultTransactionStarted' | 'vaultTransactionChanged'>, by: number): void => {
    if (effect === VaultEffect.execution) return
    for (const party of new Set([account, backer])) if (party !== NONE) bump(pendingTransactions, party, by)
  }
  for (const row of rowsOfKind(rows, ParlayEvent.fundsDeposited)) bump(netDepositsMicros, row.account, row.amountMicros)
  for (const row of rowsOfKind(rows, ParlayEvent.fundsWithdrawn)) bump(netDepositsMicros, row.account, -row.amountMicros)
  for (const row of rowsOfKind(rows, ParlayEvent.vaultTransactionStarted, ParlayEvent.vaultTransactionChanged)) {
    if (row.kind === ParlayEvent.vaultTransactionStarted) fence(row, 1)
    else if (row.status === VaultStatus.completed || row.status === VaultStatus.failed) fence(row, -1)
  }
  return { netDepositsMicros, pendingTransactions }
}

function bump(sums: Map<number, number>, account: number, by: number): void {
  sums.set(account, (sums.get(account) ?? 0) + by)
}
