// The number of offers on a request that the maker `shade` assumes, worked out from its quotes, and the real number, in the second
// half of runs where it has its default margin and curse: `node tools/docs/rivalsOfShade.ts RUN…`.
import { basename, join } from 'node:path'
import { type Table, readTable } from '../../src/arrow/tableReader.ts'

const [MARGIN, CURSE] = [0.02, 0.05]
/** A quote at the highest odds of the service does not show its mark-up. */
const ODDS_MAX_E4 = 1000e4
const columns = ['run', 'offers', 'estimated', '5 %', '95 %', 'its mark-up %']

function lineOf(run: string): string[] {
  const quotes: Table = readTable(join(run, 'tables', 'quotes.arrow'))
  const numbers = (name: string): ArrayLike<number> => quotes.column(name).numbers!
  const [request, stake, risk, fair] = [numbers('request'), numbers('net_stake_micros'), numbers('risk_micros'), numbers('fair')]
  const [odds, submittedAt] = [numbers('quoted_odds_e4'), numbers('submitted_at')]
  const maker = Array.from(quotes.column('maker').codes!, (code) => quotes.column('maker').values![code])
  const makersOf = Map.groupBy(maker.keys(), (row) => request[row]!)
  const rows = [...maker.keys()].filter((row) => maker[row] === 'shade' && odds[row]! < ODDS_MAX_E4).sort((a, b) => submittedAt[a]! - submittedAt[b]!)
  const second = rows.slice(rows.length >> 1)
  const markUps = second.map((row) => stake[row]! / (stake[row]! + risk[row]!) / fair[row]! - 1)
  // The margin is `margin` + `curse`·(n − 1)/(n + 1).
  const offers = markUps.map((markUp) => (1 + (markUp - MARGIN) / CURSE) / (1 - (markUp - MARGIN) / CURSE)).sort((a, b) => a - b)
  const truly = mean(second.map((row) => new Set(makersOf.get(request[row]!)!.map((of) => maker[of])).size))
  const at = (share: number): number => offers[Math.floor(share * (offers.length - 1))]!
  return [basename(run), ...[truly, mean(offers), at(0.05), at(0.95)].map((value) => value.toFixed(2)), (100 * mean(markUps)).toFixed(2)]
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length

const lines = [columns, ...process.argv.slice(2).map(lineOf)]
const widths = columns.map((_, column) => Math.max(...lines.map((line) => line[column]!.length)))
const padded = (cell: string, column: number): string => (column === 0 ? cell.padEnd(widths[0]!) : cell.padStart(widths[column]!))
for (const line of lines) console.log(line.map(padded).join('  '))
