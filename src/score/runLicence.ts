import { type Licence, licenceOf, type SettledMarket } from './licence.ts'
import { codesIn, Names, orNaN, type RunTables } from './runTables.ts'

const RESULTS = ['yes', 'no', 'void'] as const
const RESULTS_BY = ['recorded', 'drawn', 'policy'] as const

/** How far the closing prices of a run are calibrated, from its table of markets. Null for an older run, which has no closes. */
export function licenceOfRun(tables: RunTables): Licence | null {
  if (!tables.has('markets')) return null
  const table = tables.open('markets')
  if (!table.has('closing_price')) return null
  const markets: SettledMarket[] = []
  const names = new Names()
  for (let b = 0; b < table.batchCount; b++) {
    const batch = table.batch(b)
    const [cluster, closing] = [names.of(batch, 'cluster'), orNaN(batch, 'closing_price')]
    const [result, resultBy] = [codesIn(RESULTS, batch, 'result'), codesIn(RESULTS_BY, batch, 'result_by')]
    for (let row = 0; row < batch.rowCount; row++) {
      markets.push({ cluster: names.list[cluster[row]!]!, closing: closing[row]!, result: RESULTS[result[row]!]!, resultBy: RESULTS_BY[resultBy[row]!]! })
    }
  }
  return licenceOf(markets)
}
