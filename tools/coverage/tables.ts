import { parseArgs } from 'node:util'
import { cashOf } from '../../src/score/figureBasis.ts'
import { fixed, significant } from '../../src/unit/numberText.ts'
import { COVERED_FIGURES, missesOf } from '../../src/validation/coverage.ts'
import { METHODS } from './methods.ts'

/**
 * Prints how often 95 % intervals of drawn books hold the truth, by legs, clusters and parlays of a cluster (docs/validation.md).
 *
 * node tools/coverage/tables.ts --legs 2 --clusters 5,10 --parlays 4,20 --books 2000 --move 3 --closes quote,near:50 --methods t,percentile
 *
 * `--clusters needed` takes as many as cash of these legs needs. A close is near the `quote`, `near:50` half of the way from there to the
 * result, or the result itself in half of the markets, `decided:50`.
 */
const { values } = parseArgs({
  options: {
    legs: { type: 'string', default: '2 5' }, clusters: { type: 'string', default: '5,10,20,40' }, parlays: { type: 'string', default: '4,20' },
    books: { type: 'string', default: '2000' }, move: { type: 'string', default: '3' }, closes: { type: 'string', default: 'quote' }, methods: { type: 'string', default: 'shipped' },
    figures: { type: 'string', default: 'luck-adjusted,profit,hold' },
  },
})
const numbers = (list: string): number[] => list.split(',').map(Number)
const clustersOf = (legs: readonly number[]): number[] => (values.clusters === 'needed' ? [cashOf(Math.max(...legs)).clustersMin] : numbers(values.clusters))
const closeOf = (text: string): { near?: number; decided?: number } => (text === 'quote' ? {} : { [text.split(':')[0]!]: Number(text.split(':')[1]) / 100 })
const percent = (share: number): string => fixed(100 * share, 1)

const books = Number(values.books)
const figures = COVERED_FIGURES.filter(({ name }) => values.figures.split(',').includes(name))
const TEXTS = new Set([3, 4, 5])
const rows = [['legs', 'clusters', 'parlays', 'close', 'method', 'figure', 'held %', '±', 'too high %', 'too low %', 'none', 'width']]
for (const written of values.legs.split(' ')) {
  const legs = numbers(written)
  for (const clusters of clustersOf(legs)) {
    for (const parlays of numbers(values.parlays)) {
      for (const close of values.closes.split(',')) {
        for (const method of values.methods.split(',')) {
          const misses = missesOf({ legs, parlays, move: Number(values.move) / 100, ...closeOf(close) }, clusters, books, 'coverage', figures, METHODS[method])
          for (const [i, { intervals, below, above, none, width }] of misses.entries()) {
            const missed = (below + above) / intervals
            rows.push([
              written, String(clusters), String(parlays), close, method, figures[i]!.name, percent(1 - missed), percent(1.96 * Math.sqrt((missed * (1 - missed)) / intervals)),
              percent(below / intervals), percent(above / intervals), String(none), significant(width),
            ])
          }
        }
      }
    }
  }
}
const widths = rows[0]!.map((_, k) => Math.max(...rows.map((row) => row[k]!.length)))
for (const row of rows) console.log(row.map((cell, k) => (TEXTS.has(k) ? cell.padEnd(widths[k]!) : cell.padStart(widths[k]!))).join('  ').trimEnd())
