import type { Ticks } from '../../market/ticks.ts'
import type { MarketLasts } from '../../market/tickSource.ts'
import { tickColumns } from '../tickBuffer.ts'

const KINDS = ['latest', 'withBook', 'withPrice'] as const

/** The last tick of a kind of each market, over all lists: of several of one instant, that of the last list. */
function lastTicks(lists: readonly Ticks[], marketCount: number): Ticks {
  const listOf = new Int32Array(marketCount).fill(-1)
  const rowOf = new Int32Array(marketCount)
  let count = 0
  for (const [k, { count: rows, market, atUs }] of lists.entries()) {
    for (let row = 0; row < rows; row++) {
      const m = market[row]!
      const known = listOf[m]!
      if (known < 0) count++
      else if (lists[known]!.atUs[rowOf[m]!]! > atUs[row]!) continue
      listOf[m] = k
      rowOf[m] = row
    }
  }
  const ticks = { count, ...tickColumns(count) }
  let to = 0
  for (let m = 0; m < marketCount; m++) {
    if (listOf[m]! < 0) continue
    const [list, row] = [lists[listOf[m]!]!, rowOf[m]!]
    for (const name of ['atUs', 'market', 'bidE6', 'askE6', 'bidSize', 'askSize', 'lastE6'] as const) ticks[name][to] = list[name][row]!
    to++
  }
  return ticks
}

/** What several pieces of history leave behind together. Their times may overlap. */
export function foldLasts(pieces: readonly MarketLasts[], marketCount: number): MarketLasts {
  if (pieces.length === 1) return pieces[0]!
  const first = new Float64Array(marketCount).fill(Infinity)
  const last = new Float64Array(marketCount).fill(-Infinity)
  for (const { markets, firstUs, lastUs } of pieces) {
    for (const [row, m] of markets.entries()) {
      first[m] = Math.min(first[m]!, firstUs[row]!)
      last[m] = Math.max(last[m]!, lastUs[row]!)
    }
  }
  const [latest, withBook, withPrice] = KINDS.map((kind) => lastTicks(pieces.map((piece) => piece[kind]), marketCount)) as [Ticks, Ticks, Ticks]
  return {
    markets: latest.market, firstUs: Float64Array.from(latest.market, (m) => first[m]!), lastUs: Float64Array.from(latest.market, (m) => last[m]!), latest, withBook, withPrice,
  }
}
