import { describe, expect, it } from 'vitest'
import { deliveryTable } from '../../src/record/deliveryTable.ts'
import { DirectoryCodes } from '../../src/record/directory.ts'
import { marketTable } from '../../src/record/marketTable.ts'
import { openTables } from '../../src/record/openTables.ts'
import { logTable, passTable } from '../../src/record/toldTables.ts'
import { TICKS_TABLE } from '../../src/feed/store/ticksTable.ts'
import { MarkColumn } from '../../src/score/columns.ts'
import { SCORE_COLUMNS, SCORE_FIGURES } from '../../src/score/scores.ts'
import { leagueTableSpec } from '../../src/sweep/leagueTable.ts'
import { sweepTableSpec } from '../../src/sweep/sweepTable.ts'
import { CITING, pageOf } from './texts.ts'

/** Any name: names are no words of ours. */
const NAME = 'a name'
/** Columns whose values are the words of a protocol, which its own page explains. */
const OF_PROTOCOLS = ['op', 'rejection', 'code', 'reason', 'retry', 'field', 'event', 'service']
const UNIT = /_(?:at|micros|e4|e6|e9|bps|us|ms|s|count|size)$|(?<=[a-z])60s$/

interface Column {
  readonly name: string
  readonly values?: readonly string[]
}

const columns: { readonly name: string; readonly values: readonly string[] }[] = []
const addAll = (of: readonly Column[]): void => { columns.push(...of.map(({ name, values = [] }) => ({ name, values }))) }
const CODES = new DirectoryCodes({
  accounts: [{ name: NAME, role: 'both', group: NAME }], markets: [{ ticker: NAME, cluster: NAME, category: NAME }],
})
openTables((shape) => {
  addAll(shape.spec.columns)
  return [undefined as never, shape.at]
}, CODES)
for (const { spec } of [deliveryTable(CODES), marketTable(CODES, []), logTable(), passTable(CODES)]) addAll(spec.columns)
const SUMS = [...SCORE_COLUMNS, ...Object.keys(MarkColumn).map((name) => `${name}60s`)]
for (const { columns: of } of [sweepTableSpec(['an axis'], SUMS, SCORE_FIGURES), leagueTableSpec(SUMS), TICKS_TABLE]) addAll(of)

const { text } = pageOf('docs/glossary.md')
const section = (heading: string): string[] => text.split(`\n## ${heading}\n`)[1]!.split('\n## ')[0]!.split('\n').filter((line) => line.startsWith('| `'))
const named = (cell: string): string[] => [...cell.matchAll(/`([^`]+)`/g)].map((match) => match[1]!)
const firstCells = (heading: string): string[] => section(heading).flatMap((line) => named(line.split(' | ')[0]!))

const stem = (name: string): string => name.replace(UNIT, '')
const names = new Set(columns.map(({ name }) => name).filter((name) => !name.startsWith('set_')))
const values = new Set(columns.filter(({ name }) => !OF_PROTOCOLS.includes(name)).flatMap((column) => column.values)
  .filter((value) => ![NAME, 'mixed', 'none', 'no', 'yes'].includes(value)))

describe('the glossary', () => {
  it('has every column of the tables of runs, sweeps, leagues and stores, and no other', () => {
    expect(names.size).toBeGreaterThan(170)
    const told = new Set(firstCells('Columns'))
    expect([...names].filter((name) => !told.has(name) && !told.has(stem(name)))).toEqual([])
    const real = new Set([...names, ...[...names].map(stem)])
    expect([...told].filter((name) => !real.has(name))).toEqual([])
  })

  it('has every value that says how something stands or ended, and no other', () => {
    expect(values.size).toBeGreaterThan(50)
    const told = new Set(firstCells('Values'))
    expect([...values].filter((value) => !told.has(value))).toEqual([])
    expect([...told].filter((value) => !values.has(value))).toEqual([])
  })
})

describe('the page of figures', () => {
  it('names what a summary has', () => {
    const rows = pageOf('docs/metrics.md').text.split("\n## A maker's figures\n")[1]!.split('\n').filter((line) => line.startsWith('| ')).slice(2)
    const keys = new Set(rows.flatMap((row) => named(row.split(' | ')[1]!)).flatMap((path) => path.split(/[.[\]]+/)).filter((key) => key !== ''))
    const known = new Set(CITING.filter(({ path }) => path.startsWith('src/score/')).flatMap((one) => [...one.text.matchAll(/\breadonly (\w+)\??:/g)].map((match) => match[1]!)))
    expect(keys.size).toBeGreaterThan(20)
    expect([...keys].filter((key) => !known.has(key))).toEqual([])
  })
})
