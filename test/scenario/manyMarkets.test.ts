import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parquetWriteBuffer } from 'hyparquet-writer'
import { expect, it } from 'vitest'
import { listOf, readTable } from '../../src/arrow/tableReader.ts'
import { writeReport } from '../../src/report/folderReport.ts'
import { loadScenario } from '../../src/scenario/load.ts'
import { prepareScenario, runScenario } from '../../src/scenario/run.ts'
import { newFolder, put } from './small.ts'

/** More than the 2¹⁵ codes of a column of 16 bits. */
const MARKETS = 40_000
const FROM_MS = Date.UTC(2025, 5, 19, 12)
const MINUTE_MS = 60_000
const tickerOf = (market: number): string => `market-${String(market).padStart(5, '0')}`

/** Two prices of each market, a quarter of an hour apart. */
function writePrices(path: string): void {
  const rows = [0, 15].flatMap((minutes) => Array.from({ length: MARKETS }, (_, market) => ({ minutes, market })))
  const column = (name: string, type: 'STRING' | 'DOUBLE' | 'INT32' | 'TIMESTAMP', of: (row: (typeof rows)[number]) => unknown) => ({ name, type, data: rows.map(of) })
  writeFileSync(path, Buffer.from(parquetWriteBuffer({ columnData: [
    column('timestamp', 'TIMESTAMP', ({ minutes }) => new Date(FROM_MS + minutes * MINUTE_MS)), column('market_slug', 'STRING', ({ market }) => tickerOf(market)),
    column('question', 'STRING', ({ market }) => `Will ${market} come?`), column('price', 'DOUBLE', ({ minutes }) => 0.4 + minutes / 100), column('outcome', 'INT32', () => 1), column('category', 'STRING', () => 'sports'),
  ] as never })))
}

it('40,000 markets are imported, played, recorded and reported, each under its own name', async () => {
  const folder = newFolder()
  writePrices(join(folder, 'prices.parquet'))
  const legs = [[3, 32_766], [32_767, 32_768], [32_769, 39_999]] as const
  const requests = legs.map(([one, other], i) => `{ at: ${60 + i}s, bet: 10 USDC, legs: [${tickerOf(one)} yes, ${tickerOf(other)} yes] }`)
  const loaded = loadScenario(put(folder, 'many.yaml', `version: 1
mode: interactive
services: { parlay: { profile: parlay@2.1 } }
history: { store: ./store, legs: mid, maxAge: 1h, import: { format: polymarket-price-history, files: [./prices.parquet] } }
settlement: { lag: 1m }
bettors: [{ kind: scripted, requests: [${requests.join(', ')}] }]
makers: [{ use: fixed-margin, capital: 50000 USDC }]
`))
  const ready = await prepareScenario(loaded)
  expect(ready.store.catalogue.markets).toHaveLength(MARKETS)
  const { path } = await runScenario(loaded, ready, { target: { path: join(folder, 'run'), numbered: false, force: false } })

  const positions = readTable(join(path, 'tables', 'positions.arrow'))
  const markets = positions.column('leg_markets')
  expect(Array.from({ length: positions.rowCount }, (_, row) => listOf(markets, row))).toEqual(legs.map((pair) => pair.map(tickerOf)))
  const { codes, values } = positions.column('outcome')
  expect(Array.from(codes!, (code) => values![code])).toEqual(['won', 'won', 'won'])
  expect(await writeReport(path)).toBe('run')
})
