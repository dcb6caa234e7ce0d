import { NONE } from '../../../src/venue/eventRows.ts'
import { ParlayEvent, VaultEffect, VaultStatus } from '../../../src/venue/parlay/protocol/events.ts'
import type { Tally } from './moment.ts'
import type { Row } from './rows.ts'

/** The sums with those of further rows. */
export function tallied(tally: Tally, rows: readonly Row[]): Tally {
  const netDepositsMicros = new Map(tally.netDepositsMicros)
  const pendingTransactions = new Map(tally.pendingTransactions)
  const fence = ({ account, other, amountB }: Row, by: number): void => {
    if (amountB === VaultEffect.execution) return
    for (const party of new Set([account, other])) if (party !== NONE) bump(pendingTransactions, party, by)
  }
  for (const row of rows) {
    if (row.kind === ParlayEvent.fundsDeposited) bump(netDepositsMicros, row.account, row.amountA)
    if (row.kind === ParlayEvent.fundsWithdrawn) bump(netDepositsMicros, row.account, -row.amountA)
    if (row.kind === ParlayEvent.vaultTransactionStarted) fence(row, 1)
    const isOver = row.code === VaultStatus.completed || row.code === VaultStatus.failed
    if (row.kind === ParlayEvent.vaultTransactionChanged && isOver) fence(row, -1)
  }
  return { netDepositsMicros, pendingTransactions }
}

function bump(sums: Map<number, number>, account: number, by: number): void {
  sums.set(account, (sums.get(account) ?? 0) + by)
}
