import { join } from 'node:path'
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { readTable } from '../../src/arrow/tableReader.ts'
import { runScenario } from '../../src/scenario/run.ts'
import { newFolder, prepared, QUICKSTART_STORE } from './small.ts'

/** Both services: makers that miss a fifth of the requests, and makers that are away a third of the time. */
const BOTH = `version: 1
name: deliveries
mode: interactive
services: { parlay: { profile: parlay@2.1 }, outcome: { profile: outcome@1 } }
history: { store: ${QUICKSTART_STORE}, from: 2025-06-19T22:30:00Z, to: 2025-06-19T23:30:00Z }
arrivals: { until: 10m, max: 300 }
bettors:
  - { kind: impatient, name: sellers, service: parlay, n: 60, every: 5m, holdMin: 10s, holdMax: 3m }
  - { kind: impatient, name: leavers, service: outcome, n: 60, every: 5m, holdMin: 10s, holdMax: 3m }
makers:
  - { use: fixed-margin, name: steady, service: parlay, capital: 50000 USDC, params: { bid: 3% } }
  - { use: shade, name: careless, service: parlay, capital: 50000 USDC, params: { bid: 5% }, faults: { ignore: 20% } }
  - { use: fixed-margin, name: flaky, service: outcome, capital: 50000 USDC, params: { bid: 3% }, faults: { disconnect: { every: 2m, for: 1m } } }
record: { deliveries: true }
`

type Row = Readonly<Record<string, string | number | null>>

function rowsOf(dir: string, name: string): Row[] {
  const table = readTable(join(dir, 'tables', `${name}.arrow`))
  const columns = table.columnNames.filter((column) => table.typeOf(column) !== 'enumList').map((column) => table.column(column))
  return Array.from({ length: table.rowCount }, (_, row) => Object.fromEntries(columns.map(({ name: column, valid, codes, values, texts, numbers }) => (
    [column, valid !== null && valid[row] === 0 ? null : codes !== undefined ? values![codes[row]!]! : (texts ?? numbers!)[row]!]))))
}

async function played(text: string): Promise<{ readonly dir: string; readonly manifest: { readonly digest: string; readonly counts: Readonly<Record<string, number>>; readonly tables: object } }> {
  const parts = await prepared(text)
  const { path } = await runScenario(parts.loaded, parts.prepared, { target: { path: join(newFolder(), 'run'), force: false, numbered: false } })
  return { dir: path, manifest: JSON.parse(readFileSync(join(path, 'manifest.json'), 'utf8')) }
}

it('deliveries of a run say what reached each maker, what did not, and why', async () => {
  const { dir, manifest } = await played(BOTH)
  const deliveries = rowsOf(dir, 'deliveries')
  const requests = rowsOf(dir, 'requests')
  const of = (maker: string, fate: string, handler = 'onRequest'): Row[] => deliveries.filter((row) => row['maker'] === maker && row['fate'] === fate && row['handler'] === handler)
  // The manifest's counts of requests by what became of them are those of the rows.
  for (const [service, maker] of [['parlay', 'steady'], ['parlay', 'careless'], ['outcome', 'flaky']] as const) {
    const counts = ['delivered to', 'away:', 'ignored:'].map((fate) => manifest.counts[`${fate} ${service}:${maker}`])
    expect([maker, ...['delivered', 'away', 'ignored'].map((fate) => of(maker, fate).length)]).toEqual([maker, ...counts])
    // Every version of a request was delivered to the maker, or missed. Generations that begin with a failed acceptance are told to nobody.
    const versions = requests.filter((row) => row['service'] === service && row['version'] === 1).map((row) => row['request'])
    const told = deliveries.filter((row) => row['maker'] === maker && row['handler'] === 'onRequest' && row['version'] === 1).map((row) => row['request'])
    expect([maker, told.toSorted()]).toEqual([maker, versions.toSorted()])
  }
  expect(of('steady', 'away').length + of('steady', 'ignored').length + of('careless', 'away').length + of('flaky', 'ignored').length).toBe(0)
  expect(of('careless', 'ignored').length).toBeGreaterThan(10)
  expect(of('flaky', 'away').length).toBeGreaterThan(10)
  // A request arrives after it was made, and a quote of its maker later still.
  const createdAt = new Map(requests.map((row) => [`${row['service']} ${row['request']} ${row['version']}`, Number(row['created_at'])]))
  const arrivedAt = new Map(deliveries.filter(({ handler, fate }) => handler === 'onRequest' && fate === 'delivered')
    .map((row) => [`${row['service']} ${row['maker']} ${row['request']}`, Number(row['at'])]))
  for (const row of of('steady', 'delivered')) expect(Number(row['at'])).toBeGreaterThan(createdAt.get(`parlay ${row['request']} ${row['version']}`)!)
  const quotes = rowsOf(dir, 'quotes')
  expect(quotes.length).toBeGreaterThan(50)
  for (const quote of quotes) expect(Number(quote['submitted_at'])).toBeGreaterThan(arrivedAt.get(`${quote['service']} ${quote['maker']} ${quote['request']}`)!)
  // A last look names its quote, and a position its own number.
  const acceptances = rowsOf(dir, 'acceptances').filter(({ service }) => service === 'parlay').map(({ quote }) => quote)
  expect(deliveries.filter(({ service, handler, fate }) => service === 'parlay' && handler === 'onSelected' && fate === 'delivered').map(({ quote }) => quote).toSorted())
    .toEqual(acceptances.toSorted())
  const positions = new Set(rowsOf(dir, 'positions').map((row) => `${row['service']} ${row['position']}`))
  const opened = deliveries.filter(({ handler }) => handler === 'onOpened')
  expect(opened.length).toBeGreaterThan(10)
  expect(opened.filter((row) => !positions.has(`${row['service']} ${row['position']}`))).toEqual([])
  const auctions = new Set(rowsOf(dir, 'auctions').map((row) => `${row['service']} ${row['auction']}`))
  const asked = deliveries.filter(({ handler }) => handler === 'onCashOut' || handler === 'onBidTaken')
  expect(asked.length).toBeGreaterThan(10)
  expect(asked.filter((row) => !auctions.has(`${row['service']} ${row['auction']}`))).toEqual([])
})

it('a run without them has no such table, and is the same run', async () => {
  const [withRows, without] = [await played(BOTH), await played(BOTH.replace('record: { deliveries: true }\n', ''))]
  expect(Object.keys(without.manifest.tables)).not.toContain('deliveries')
  expect(without.manifest.digest).toBe(withRows.manifest.digest)
  expect(Object.entries(without.manifest.tables).filter(([name, table]) => JSON.stringify(table) !== JSON.stringify((withRows.manifest.tables as Record<string, unknown>)[name]))).toEqual([])
})
