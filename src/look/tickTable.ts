import type { ParquetColumn } from '../arrow/parquetColumns.ts'
import { NO_PRICE } from '../market/ticks.ts'
import type { TickRun } from './storeRuns.ts'

/** The columns of exported ticks. They are those of a part of a store, but for the instant: `at` is a word of SQL. What is −1 there is empty here. */
export const TICK_COLUMNS: readonly ParquetColumn[] = [
  { name: 'seen_at', type: 'timeUs', isNullable: false },
  { name: 'market', type: 'text', isNullable: false },
  { name: 'bid_e6', type: 'int32', isNullable: true },
  { name: 'ask_e6', type: 'int32', isNullable: true },
  { name: 'bid_size', type: 'int32', isNullable: true },
  { name: 'ask_size', type: 'int32', isNullable: true },
  { name: 'last_e6', type: 'int32', isNullable: true },
]

/** Which markets are exported, by number. Null: all of them. */
export type Chosen = Uint8Array | null

/** Calls back for each tick of a run that is chosen. The cells after stamp and market are null where there is nothing. */
export function eachTick({ ticks, from, to }: TickRun, chosen: Chosen, call: (atUs: number, market: number, cells: readonly (number | null)[]) => void): void {
  const { atUs, market, bidE6, askE6, bidSize, askSize, lastE6 } = ticks
  const cell = (value: number): number | null => (value === NO_PRICE ? null : value)
  for (let i = from; i < to; i++) {
    const number = market[i]!
    if (chosen !== null && chosen[number] === 0) continue
    call(atUs[i]!, number, [cell(bidE6[i]!), cell(askE6[i]!), cell(bidSize[i]!), cell(askSize[i]!), cell(lastE6[i]!)])
  }
}
