import type { Ticks } from '../../market/ticks.ts'
import { columnsFrom, inTimeOrder, tickColumns } from '../tickBuffer.ts'

/** Ticks of several lists in order of time; those of one instant are in the order of the lists, and of their rows. */
export function joinTicks(lists: readonly Ticks[]): Ticks {
  const [only] = lists
  if (lists.length === 1) return only!
  const count = lists.reduce((sum, ticks) => sum + ticks.count, 0)
  const columns = tickColumns(count)
  let from = 0
  for (const { count: rows, ...ticks } of lists) {
    const to = columnsFrom(columns, from, from += rows)
    for (const name of ['atUs', 'market', 'bidE6', 'askE6', 'bidSize', 'askSize', 'lastE6'] as const) to[name].set(ticks[name].subarray(0, rows))
  }
  return inTimeOrder({ count, ...columns })
}
