import { parseArgs } from 'node:util'
import { COVERED_FIGURES, missesOf } from '../../src/validation/coverage.ts'
import { fixed, significant } from '../../src/unit/numberText.ts'
import { METHODS } from './methods.ts'

/**
 * Prints how often 95 % intervals of drawn books hold the truth, by legs, clusters and parlays of a cluster (docs/validation.md).
 *
 * node tools/coverage/tables.ts --legs 2 --clusters 5,10 --parlays 4,20 --books 2000 --move 3 --methods t,percentile
 */
const { values } = parseArgs({
  options: {
    legs: { type: 'string', default: '2 5' }, clusters: { type: 'string', default: '5,10,20,40' }, parlays: { type: 'string', default: '4,20' },
    books: { type: 'string', default: '2000' }, move: { type: 'string', default: '3' }, methods: { type: 'string', default: 'shipped' },
    figures: { type: 'string', default: 'luck-adjusted,profit,hold' },
  },
})
const numbers = (list: string): number[] => list.split(',').map(Number)
const books = Number(values.books)
const figures = COVERED_FIGURES.filter(({ name }) => values.figures.split(',').includes(name))
const rows = [['legs', 'clusters', 'parlays', 'method', 'figure', 'held %', '±', 'too high %', 'too low %', 'none', 'width']]
for (const legs of values.legs.split(' ')) {
  for (const clusters of numbers(values.clusters)) {
    for (const parlays of numbers(values.parlays)) {
      for (const method of values.methods.split(',')) {
        const misses = missesOf({ legs: numbers(legs), parlays, move: Number(values.move) / 100 }, clusters, books, 'coverage', figures, METHODS[method])
        for (const [i, { intervals, below, above, none, width }] of misses.entries()) {
          const missed = (below + above) / intervals
          const percent = (share: number): string => fixed(100 * share, 1)
          rows.push([
            legs, String(clusters), String(parlays), method, figures[i]!.name, percent(1 - missed), percent(1.96 * Math.sqrt((missed * (1 - missed)) / intervals)),
            percent(below / intervals), percent(above / intervals), String(none), significant(width),
          ])
        }
      }
    }
  }
}
const widths = rows[0]!.map((_, k) => Math.max(...rows.map((row) => row[k]!.length)))
for (const row of rows) console.log(row.map((cell, k) => (k === 3 || k === 4 ? cell.padEnd(widths[k]!) : cell.padStart(widths[k]!))).join('  ').trimEnd())
