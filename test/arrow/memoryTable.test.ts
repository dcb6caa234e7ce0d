import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { MemoryTable, MemoryTables } from '../../src/arrow/memoryTable.ts'
import type { RowWriter } from '../../src/arrow/rowWriter.ts'
import { readTable } from '../../src/arrow/tableReader.ts'
import type { ColumnSpec, TableSpec } from '../../src/arrow/tableSchema.ts'
import { TableWriter } from '../../src/arrow/tableWriter.ts'
import { Bug } from '../../src/unit/assert.ts'

let folder: string
beforeAll(() => { folder = mkdtempSync(join(tmpdir(), 'parlor-memory-')) })
afterAll(() => rmSync(folder, { recursive: true }))

const column = (name: string, type: ColumnSpec['type'], rest: Partial<ColumnSpec> = {}): ColumnSpec => ({ name, type, about: `about ${name}`, ...rest })

const SPEC: TableSpec = {
  name: 'every',
  about: 'a column of every type that is kept, and one that is not',
  columns: [
    column('seq', 'int64'), column('at', 'timeUs', { nullable: true }), column('market', 'int32', { nullable: true }), column('weight', 'float64', { nullable: true }),
    column('won', 'bool'), column('side', 'enum', { nullable: true, values: ['yes', 'no'] }), column('legs', 'enumList', { nullable: true, values: ['a', 'b', 'c'] }),
    column('note', 'text', { nullable: true }),
  ],
}
const KEPT = SPEC.columns.map(({ name }) => name).filter((name) => name !== 'note')

interface Row {
  readonly at: number | null
  readonly market: number | null
  readonly weight: number | null
  readonly won: boolean
  readonly side: string | null
  readonly legs: readonly number[] | null
}

function write(writer: RowWriter, rows: readonly Row[]): void {
  rows.forEach(({ at, market, weight, won, side, legs }, i) => {
    writer.row()
    writer.int(0, i)
    if (at !== null) writer.int(1, at)
    if (market !== null) writer.int(2, market)
    if (weight !== null) writer.float(3, weight)
    writer.bool(4, won)
    if (side !== null) writer.label(5, side)
    if (legs !== null) writer.list(6, legs, 0, legs.length)
    writer.text(7, `row ${i}`)
  })
  writer.finish()
}

const row = fc.record<Row>({
  at: fc.option(fc.maxSafeInteger()), market: fc.option(fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 })), weight: fc.option(fc.double({ noNaN: true })), won: fc.boolean(),
  side: fc.option(fc.constantFrom('yes', 'no')), legs: fc.option(fc.array(fc.nat(2), { maxLength: 4 })),
})

/** Texts and numbers of a column, whatever arrays they lie in. */
function cellsOf(table: Pick<MemoryTable, 'column'>, name: string): unknown {
  const { type, about, valid, numbers, codes, values, offsets } = table.column(name)
  return { type, about, valid, values, ...Object.fromEntries(Object.entries({ numbers, codes, offsets }).map(([key, array]) => [key, array && [...array]])) }
}

test('columns in memory are those of the file with the same rows', () => {
  fc.assert(fc.property(fc.array(row, { maxLength: 700, size: 'max' }), (rows) => {
    const [memory, file] = [new MemoryTable(SPEC, { seed: '7' }, KEPT), new TableWriter(SPEC, join(folder, 'every.arrow'), { seed: '7' }, { isDurable: false })]
    write(memory, rows)
    write(file, rows)
    const read = readTable(file.path)
    expect([memory.rowCount, memory.batchCount, memory.columnNames, memory.metadata['seed']]).toEqual([read.rowCount, read.batchCount, read.columnNames, read.metadata['seed']])
    for (const name of KEPT) expect([name, cellsOf(memory, name)]).toEqual([name, cellsOf(read, name)])
    expect([...memory.numbers('seq', 'int64')]).toEqual([...read.numbers('seq', 'int64')])
  }), { numRuns: 20 })
})

test('what a file refuses is refused when the column is read', () => {
  const of = (set: (writer: MemoryTable, row: number) => void): MemoryTable => {
    const table = new MemoryTable(SPEC, {}, KEPT)
    const first = table.row()
    table.cells[first] = 1
    table.cells[first + 4] = 1
    set(table, first)
    table.finish()
    return table
  }
  expect(() => of((table, first) => { table.cells[first] = NaN }).column('seq')).toThrow('leave seq empty')
  expect(() => of((table, first) => { table.cells[first + 2] = 0.5 }).column('market')).toThrow('0.5 does not fit column market')
  expect(() => of((table, first) => { table.cells[first + 4] = 2 }).column('won')).toThrow('2 does not fit column won')
  expect(() => of((table, first) => { table.cells[first + 5] = 2 }).column('side')).toThrow('2 does not fit column side')
  expect(() => of((table, first) => { table.cells[first + 2] = 5 }).numbers('market', 'int64')).toThrow('holds int32, expected int64')
  expect(() => of(() => {}).numbers('market')).toThrow('column market has empty cells')
  expect(() => of((table) => { table.int(2, 2 ** 31) })).toThrow(Bug)
  expect(() => of((table) => { table.label(5, 'maybe') })).toThrow('maybe does not fit column side')
})

test('a column that was not kept is no column to read, and a table of which none is kept is not read', () => {
  const tables = new MemoryTables({ every: ['seq'] })
  const [read, unread] = [tables.begin(SPEC, {}), tables.begin({ ...SPEC, name: 'other' }, {})]
  for (const table of [read, unread]) write(table, [{ at: 1, market: null, weight: null, won: true, side: 'no', legs: [1, 2] }])
  expect([read.isRead, unread.isRead, read.has('at'), read.rowCount, unread.rowCount]).toEqual([true, false, true, 1, 1])
  expect([...tables.open('every').numbers('seq')]).toEqual([0])
  expect(() => tables.open('every').column('at')).toThrow('column at of table every is read and was not kept')
  expect([tables.has('other'), tables.has('third')]).toEqual([true, false])
  expect(() => new MemoryTables({ every: ['missing'] }).begin(SPEC, {})).toThrow('has no column missing')
})
