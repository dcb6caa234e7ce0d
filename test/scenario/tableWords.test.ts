import { join } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { readTable, type Table } from '../../src/arrow/tableReader.ts'
import { journalTable } from '../../src/record/logTables.ts'
import { tableDictionary } from '../../src/record/dictionary.ts'
import { commonFields, type Opcode, opcodes } from '../../src/record/opcodes.ts'
import { runScenario } from '../../src/scenario/run.ts'
import { newFolder, prepared, QUICKSTART_STORE } from './small.ts'

const COLUMNS = journalTable().spec.columns.map(({ name }) => name)
/** Columns of every row. */
const OF_ROWS = ['seq', 'service', 'command', 'at', 'op', 'more']

/** What an opcode's commands may have, as `column` or `more.field`. */
const placesOf = ({ service, fields }: Opcode): Set<string> =>
  new Set([...commonFields(service), ...fields].map(({ column, field }) => (column === 'more' ? `more.${field}` : column)))

/** Both services behind their gates, with cash-outs, faults, refusals, and money that goes out. */
const BOTH = `version: 1
name: both
mode: interactive
services:
  parlay:
    profile: parlay@2.1
    walletsOff: [house]
    gate:
      keys: { life: 4m, renewAfter: 30s }
      endpoints: [{ of: house, answers: { serverError: 20% }, delay: 10ms }, { of: sellers, first: 5, outages: { every: 2m, for: 30s }, redeliver: true }]
    faults: [{ fault: chainUnclear, from: 3m, for: 1m }]
  outcome: { profile: outcome@1, gate: { keys: { life: 1d }, resnapshots: [{ channel: maker, at: 5m }] }, faults: [{ fault: chainStalled, from: 3m, for: 1m }] }
history: { store: ${QUICKSTART_STORE}, from: 2025-06-19T22:30:00Z, to: 2025-06-19T23:30:00Z }
arrivals: { until: 10m, max: 200 }
bettors:
  - { kind: impatient, name: sellers, service: parlay, n: 60, every: 5m, holdMin: 10s, holdMax: 3m }
  - { kind: impatient, name: leavers, service: outcome, n: 60, every: 5m, holdMin: 10s, holdMax: 3m }
makers:
  - { use: fixed-margin, name: house, service: parlay, capital: 50000 USDC, params: { bid: 3% }, faults: { disconnect: { every: 3m, for: 20s } } }
  - { use: shade, name: other, service: parlay, capital: 50000 USDC, params: { bid: 5% } }
  - { use: fixed-margin, name: street, service: outcome, capital: 50000 USDC, params: { bid: 3% } }
`

let path: string
beforeAll(async () => {
  const parts = await prepared(BOTH)
  path = (await runScenario(parts.loaded, parts.prepared, { target: { path: join(newFolder(), 'run'), force: false, numbered: false } })).path
})

const tableOf = (name: string): Table => readTable(join(path, 'tables', `${name}.arrow`))
/** The cells of a column as texts; '' where empty. */
function cellsOf(table: Table, name: string): string[] {
  const { codes, values, numbers, texts, valid } = table.column(name)
  return Array.from({ length: table.rowCount }, (_, row) => (valid !== null && valid[row] === 0 ? '' : codes !== undefined ? values![codes[row]!]! : String((numbers ?? texts)![row])))
}

it('the dictionary names every field that commands of a session have', () => {
  const journal = tableOf('journal')
  const columns = new Map(COLUMNS.map((name) => [name, journal.column(name)]))
  const word = (name: string, row: number): string => columns.get(name)!.values![columns.get(name)!.codes![row]!]!
  const isThere = (name: string, row: number): boolean => columns.get(name)!.valid === null || columns.get(name)!.valid![row] === 1
  const places = new Map(opcodes().map((one) => [`${one.service} ${one.op}`, placesOf(one)]))
  const [unnamed, played] = [new Set<string>(), new Set<string>()]
  for (let row = 0; row < journal.rowCount; row++) {
    const op = `${word('service', row)} ${word('op', row)}`
    played.add(op)
    const found = COLUMNS.filter((name) => !OF_ROWS.includes(name) && isThere(name, row))
    const more = columns.get('more')!.texts![row]!.split(' ').filter((part) => part !== '').map((part) => `more.${part.split('=')[0]!}`)
    for (const place of [...found, ...more]) if (!places.get(op)!.has(place)) unnamed.add(`${op}: ${place}`)
  }
  expect([...unnamed]).toEqual([])
  expect([...played].toSorted()).toEqual(expect.arrayContaining([
    'outcome acceptQuote', 'outcome openCashout', 'outcome submitQuote', 'parlay answerDelivery', 'parlay commitCashout', 'parlay commitRequest', 'parlay openStream', 'parlay submitBid',
  ]))
  expect(played.size).toBeGreaterThan(30)
})

it('the key that the dictionary gives each table names one row of it', () => {
  const keyed = tableDictionary().tables.filter(({ key, of }) => key.length > 0 && of !== 'a run of `parlor serve`')
  expect(keyed.length).toBeGreaterThan(14)
  for (const { name, key } of keyed) {
    const table = tableOf(name)
    const columns = key.map((column) => cellsOf(table, column))
    const keys = Array.from({ length: table.rowCount }, (_, row) => columns.map((cells) => cells[row]!).join(' '))
    expect([name, keys.filter((one, row) => keys.indexOf(one) !== row)]).toEqual([name, []])
  }
})

it('numbers that the dictionary says to join with the service are those of both services, and others are of one', () => {
  const shared: string[] = []
  for (const { name, key, columns } of tableDictionary().tables) {
    const [number] = columns.filter((column) => column.name === key.at(-1))
    if (key.length !== 2 || number?.join !== 'with service') continue
    const table = tableOf(name)
    const services = cellsOf(table, 'service')
    const numbers = cellsOf(table, number.name)
    const of = (service: string): Set<string> => new Set(numbers.filter((_, row) => services[row] === service))
    const parlay = of('parlay')
    if ([...of('outcome')].some((one) => parlay.has(one))) shared.push(`${name}.${number.name}`)
  }
  expect(shared).toEqual(['quotes.quote', 'positions.position', 'settlements.position', 'auctions.auction', 'bids.bid'])
})
