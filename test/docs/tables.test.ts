import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { tableDictionary } from '../../src/record/dictionary.ts'
import { TABLES_PAGE, tablesText } from '../../tools/docs/tables.ts'

const { tables, rejections } = tableDictionary()
const columns = tables.flatMap(({ name: table, columns: of }) => of.map((column) => ({ at: `${table}.${column.name}`, ...column })))
/** Columns of the words of a protocol, which the page lists apart or as they are. */
const OF_PROTOCOLS = ['op', 'rejection', 'code', 'reason', 'retry', 'field', 'event']

describe('the dictionary of the tables', () => {
  it('is what the schema says; `npm run docs:tables` writes it', () => {
    expect(readFileSync(TABLES_PAGE, 'utf8')).toBe(tablesText(tableDictionary()))
  })

  it('has a line for every column, and no column twice', () => {
    expect(columns.length).toBeGreaterThan(250)
    expect(columns.filter(({ about }) => about.length < 3 || about.includes('\n')).map(({ at }) => at)).toEqual([])
    expect(new Set(columns.map(({ at }) => at)).size).toBe(columns.length)
  })

  it('says beside a column what an empty cell says, and not within its line', () => {
    expect(columns.filter(({ null: empty }) => empty !== undefined).length).toBeGreaterThan(90)
    expect(columns.filter(({ about, null: empty = 'x' }) => empty === '' || /\bnull\b/.test(about)).map(({ at }) => at)).toEqual([])
  })

  it('explains every word of an enumeration that is none of a protocol', () => {
    const silent = columns.filter(({ name, values = [] }) => !OF_PROTOCOLS.includes(name) && values.some(({ meaning = '' }) => meaning === ''))
    expect(silent.map(({ at }) => at)).toEqual([])
    const words = columns.filter(({ name, values }) => !OF_PROTOCOLS.includes(name) && values !== undefined)
    expect(words.length).toBeGreaterThan(30)
  })

  it('warns of every number that each service begins at 1, and of no other', () => {
    const ofService = ['request', 'quote', 'acceptance', 'filled_quote', 'operation', 'reduction', 'position', 'auction', 'bid', 'transaction', 'delivery', 'credential', 'debit_owner', 'credit_owner']
    expect(columns.filter(({ name, join }) => (join !== undefined) !== ofService.includes(name)).map(({ at }) => at)).toEqual([])
  })

  it.for(['rejection', 'code', 'reason', 'retry'] as const)('has every %s that a refusal can have among the rejections', (key) => {
    const listed = new Set(rejections.map((one) => one[key]))
    const words = tables.find(({ name }) => name === 'rejections')!.columns.find(({ name }) => name === key)!.values!.map(({ value }) => value)
    const answers = ['ok', 'alreadyExpired', 'chainPending', 'balancePending', 'declined', 'timedOut']
    expect(words.length).toBeGreaterThan(2)
    expect(words.filter((word) => !listed.has(word))).toEqual(key === 'rejection' ? answers : [])
  })
})
