import { tallyOf, type Tally } from './requests.ts'
import { codesIn, type RunTables } from './runTables.ts'

/** In the order of the `operations` table. */
const KINDS = ['fill', 'cashout', 'withdrawal', 'reduction'] as const
const STATUSES = ['done', 'failed', 'pending'] as const

/** Operations of the outcome service and reductions of collateral: how many there are of each kind and of each last status. */
export interface OperationsSummary extends Tally<(typeof KINDS)[number]>, Tally<(typeof STATUSES)[number]> {
  readonly count: number
  /** Steps that the chain put off. */
  readonly putOff: number
}

/** Null for a run without any. */
export function operationsOf(tables: RunTables): OperationsSummary | null {
  if (!tables.has('operations')) return null
  const byKind = new Float64Array(KINDS.length)
  const byStatus = new Float64Array(STATUSES.length)
  let [count, putOff] = [0, 0]
  for (const batch of tables.batches('operations')) {
    const [kind, status] = [codesIn(KINDS, batch, 'kind'), codesIn(STATUSES, batch, 'status')]
    const times = batch.numbers('stall_count', 'int32')
    for (let row = 0; row < batch.rowCount; row++) {
      byKind[kind[row]!]!++
      byStatus[status[row]!]!++
      putOff += times[row]!
      count++
    }
  }
  return count === 0 ? null : { count, ...tallyOf(KINDS, byKind), ...tallyOf(STATUSES, byStatus), putOff }
}
