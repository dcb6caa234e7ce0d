import { checkColumns } from '../arrow/olderRun.ts'
import { orNaN, RunTables } from '../score/runTables.ts'
import { InputError } from '../unit/inputError.ts'
import type { DrawnMarket } from './outcomeBits.ts'

/** A market of a run: how it is drawn anew, and when its result decides it, µs. `drawn` is null where it was void. */
export interface RunMarket {
  readonly drawn: DrawnMarket | null
  readonly resultUs: number
  readonly recorded: 'yes' | 'no' | 'void'
  /** The value of YES at its close, 0…1. NaN where there is none. */
  readonly closing: number
}

/** The markets of a run by ticker, and the correlation of their outcomes. */
export interface DrawnWorld {
  readonly markets: ReadonlyMap<string, RunMarket>
  readonly correlation: number
}

/** Throws InputError where the tables of a run do not say how outcomes are drawn. */
export function readMarkets(dir: string): DrawnWorld {
  const tables = new RunTables(dir)
  if (!tables.has('markets')) throw new InputError('an older version made the run: it has no table of markets', { position: { file: dir }, hint: AGAIN })
  const table = tables.open('markets')
  checkColumns(table, ['closing_price', 'redrawn_by', 'redrawn_group', 'redrawn_from', 'redrawn_to'])
  const names = (column: string): (string | null)[] => {
    const { codes, values } = table.column(column)
    return Array.from(codes!, (code) => values![code] ?? null)
  }
  const [tickers, sources, groups, results] = [names('ticker'), names('redrawn_by'), names('redrawn_group'), names('result')]
  const [from, to, closing, resultUs] = [orNaN(table, 'redrawn_from'), orNaN(table, 'redrawn_to'), orNaN(table, 'closing_price'), table.numbers('result_at', 'timeUs')]
  const markets = new Map(tickers.map((ticker, row): [string, RunMarket] => {
    const recorded = results[row] as RunMarket['recorded']
    const source = sources[row]!
    const drawn = recorded === 'void' ? null : source === null ? standing(ticker!, recorded) : { source, group: groups[row]!, from: from[row]!, to: to[row]! }
    return [ticker!, { drawn, resultUs: resultUs[row]!, recorded, closing: closing[row]! }]
  }))
  return { markets, correlation: Number(table.metadata['outcome_correlation'] ?? 0) }
}

const AGAIN = 'run the scenario again (docs/compatibility.md): no command converts the tables of a run'

/** A result that every redraw has. */
const standing = (ticker: string, result: 'yes' | 'no'): DrawnMarket => ({ source: ticker, group: ticker, from: 0, to: result === 'yes' ? 1 : 0 })
