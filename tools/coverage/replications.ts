import { parseArgs } from 'node:util'
import { join } from 'node:path'
import { readTable, type TableColumn } from '../../src/arrow/tableReader.ts'
import { clusterInterval, ratio } from '../../src/stats/clusterInterval.ts'
import { counterUniform } from '../../src/stats/counterUniform.ts'
import { fixed } from '../../src/unit/numberText.ts'

/**
 * Prints how often 95 % intervals over replications of one history hold the truth, which is taken to be the mean of all replications of a sweep
 * with one point. Replications are drawn from them, as many at a time as an interval is to rest on (docs/validation.md).
 *
 * node tools/coverage/replications.ts runs/sweep-many --parlays 160 --draws 4000
 */
const { values, positionals: [dir = ''] } = parseArgs({ allowPositionals: true, options: { parlays: { type: 'string', default: '160' }, draws: { type: 'string', default: '4000' } } })
/** An interval over fewer is not measured. */
const REPLICATIONS_MIN = 5
const table = readTable(join(dir, 'sweep.arrow'))
const numbers = (name: string): Float64Array => table.column(name).numbers as Float64Array
const textOf = ({ codes, values: words, texts }: TableColumn, row: number): string => texts?.[row] ?? words![codes![row]!] ?? ''

/** By maker and replication: the sums over clusters of profit, luck-adjusted profit and parlays. */
const sums = new Map<string, Map<number, [cash: number, adjusted: number, parlays: number]>>()
const [maker, cluster] = [table.column('maker'), table.column('cluster')]
const [replication, profit, luck, parlays] = ['replication', 'profit', 'luck', 'undrawn'].map(numbers) as [Float64Array, Float64Array, Float64Array, Float64Array]
for (let row = 0; row < table.rowCount; row++) {
  if (textOf(cluster, row) === '') continue
  const own = sums.get(textOf(maker, row)) ?? new Map<number, [number, number, number]>()
  sums.set(textOf(maker, row), own)
  const sum = own.get(replication[row]!) ?? [0, 0, 0]
  own.set(replication[row]!, sum)
  sum[0] += profit[row]!
  sum[1] += profit[row]! - luck[row]!
  sum[2] += parlays[row]!
}

/** Shares of draws in which the mean of all lies below the interval over so many replications, and above it. */
function missesOf(all: readonly number[], count: number, key: string): readonly [below: number, above: number] {
  const uniform = counterUniform(key)
  const draws = Number(values.draws)
  const mean = all.reduce((sum, one) => sum + one, 0) / all.length
  let [at, below, above] = [0, 0, 0]
  for (let draw = 0; draw < draws; draw++) {
    const cells = Float64Array.from({ length: 2 * count }, (_, i) => (i % 2 === 1 ? 1 : all[Math.floor(uniform(at++) * all.length)]!))
    const { low, high } = clusterInterval({ width: 2, cells }, ratio(0, 1))
    if (low === null || high === null) continue
    if (mean < low) below++
    if (mean > high) above++
  }
  return [below / draws, above / draws]
}

const rows = [['maker', 'parlays of each', 'replications', 'cash holds %', 'too high %', 'too low %', 'luck-adjusted holds %', 'too high %', 'too low %']]
for (const [name, own] of sums) {
  const all = [...own.values()]
  const each = all.reduce((sum, [, , count]) => sum + count, 0) / all.length
  const needed = Math.max(REPLICATIONS_MIN, Math.ceil(Number(values.parlays) / each))
  for (const count of [needed, 2 * needed]) {
    const cells = [0, 1].flatMap((column) => {
      const [below, above] = missesOf(all.map((sum) => sum[column]!), count, `${name}/${column}/${count}`)
      return [1 - below - above, below, above].map((share) => fixed(100 * share, 1))
    })
    rows.push([name, fixed(each, 1), String(count), ...cells])
  }
}
const widths = rows[0]!.map((_, k) => Math.max(...rows.map((row) => row[k]!.length)))
for (const row of rows) console.log(row.map((cell, k) => (k === 0 ? cell.padEnd(widths[k]!) : cell.padStart(widths[k]!))).join('  '))
