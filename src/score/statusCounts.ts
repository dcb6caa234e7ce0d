import { tallyOf, type Tally } from './requests.ts'
import { codesIn, type RunTables } from './runTables.ts'

const DELIVERY_STATUSES = ['delivered', 'dead_letter', 'failed', 'pending'] as const
/** In the order of the `vault_transactions` table. */
const EFFECTS = ['deposit', 'withdrawal', 'fill', 'execution'] as const
const EXECUTION = EFFECTS.indexOf('execution')
const TRANSACTION_STATUSES = ['completed', 'failed', 'chain_pending', 'balance_pending'] as const

/** Webhook deliveries by their last status. */
export interface DeliveriesSummary extends Tally<(typeof DELIVERY_STATUSES)[number]> {
  readonly count: number
  readonly attempts: number
  readonly redeliveries: number
}

/** Transactions of vaults that the chain held up, by their last status. */
export interface VaultTransactionsSummary extends Tally<(typeof TRANSACTION_STATUSES)[number]> {
  readonly count: number
}

/** Null for a run that delivered nothing. */
export function deliveriesOf(tables: RunTables): DeliveriesSummary | null {
  // Rows of one delivery are in order, and the last one has its status.
  const last = new Map<number, { readonly status: number; readonly attempts: number; readonly redeliveries: number }>()
  for (const batch of tables.batches('webhooks')) {
    const delivery = batch.numbers('delivery', 'int64')
    const [attempts, redeliveries] = [batch.numbers('attempts', 'int32'), batch.numbers('redeliveries', 'int32')]
    const status = codesIn(DELIVERY_STATUSES, batch, 'status')
    for (let row = 0; row < batch.rowCount; row++) {
      last.set(delivery[row]!, { status: status[row]!, attempts: attempts[row]!, redeliveries: redeliveries[row]! })
    }
  }
  if (last.size === 0) return null
  const counts = new Float64Array(DELIVERY_STATUSES.length)
  let [attempts, redeliveries] = [0, 0]
  for (const delivery of last.values()) {
    counts[delivery.status]!++
    attempts += delivery.attempts
    redeliveries += delivery.redeliveries
  }
  return { count: last.size, attempts, redeliveries, ...tallyOf(DELIVERY_STATUSES, counts) }
}

/** Null for a run whose chain held nothing up. An execution does not count: it takes time on a healthy chain too. */
export function vaultTransactionsOf(tables: RunTables): VaultTransactionsSummary | null {
  const counts = new Float64Array(TRANSACTION_STATUSES.length)
  let count = 0
  for (const batch of tables.batches('vault_transactions')) {
    const [effect, status] = [codesIn(EFFECTS, batch, 'effect'), codesIn(TRANSACTION_STATUSES, batch, 'status')]
    for (let row = 0; row < batch.rowCount; row++) {
      if (effect[row] === EXECUTION) continue
      counts[status[row]!]!++
      count++
    }
  }
  return count === 0 ? null : { count, ...tallyOf(TRANSACTION_STATUSES, counts) }
}
