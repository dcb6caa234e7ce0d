import { clusterInterval } from '../stats/clusterInterval.ts'
import { type Interval, withoutInterval } from '../stats/interval.ts'
import { CONDITIONAL } from '../stats/replicatedSums.ts'
import { keyText } from './figures.ts'
import type { PointProfits } from './pointProfits.ts'

/** Differences to a baseline by maker (`keyText`) and point counted from 0, paired: what replications and clusters did to both points cancels. */
export type BaselineDifferences = ReadonlyMap<string, ReadonlyMap<number, Interval>>

/** How much more each maker earned at each point than at the baseline, USDC of one session on average. A maker that the baseline does not have has none. */
export function differencesTo(baseline: number, profits: PointProfits): BaselineDifferences {
  return new Map(profits.keys.map((key) => {
    const { points, rows, unit, short } = profits.rowsOf(key)
    const base = points.indexOf(baseline)
    const count = rows.cells.length / rows.width
    const differenceAt = (column: number): Interval => {
      // A column of ones: where nothing differs, a row counts too.
      const cells = Float64Array.from({ length: 2 * count }, (_, i) => {
        const row = Math.floor(i / 2) * rows.width
        return i % 2 === 1 ? 1 : rows.cells[row + column]! - rows.cells[row + base]!
      })
      const interval = clusterInterval({ width: 2, cells }, ([sum, ones]) => (unit === 'clusters' ? sum! : sum! / ones!))
      const label = unit === 'clusters' ? interval.label : `${interval.label.replace('cluster', 'replication')}, ${CONDITIONAL}`
      return short === null || interval.low === null ? { ...interval, label } : { ...withoutInterval(interval.estimate ?? NaN, count, short), label: short }
    }
    const others = base < 0 ? [] : points.flatMap((point, column) => (point === baseline ? [] : [[point, differenceAt(column)] as const]))
    return [keyText(key), new Map(others)]
  }))
}
