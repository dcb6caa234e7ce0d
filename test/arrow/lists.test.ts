import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { tableFromIPC } from 'apache-arrow'
import { parquetMetadata, parquetReadObjects } from 'hyparquet'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { legListsOf } from '../../src/arrow/legLists.ts'
import { writeParquet } from '../../src/arrow/parquet.ts'
import { listOf, readTable } from '../../src/arrow/tableReader.ts'
import type { ColumnSpec, TableSpec } from '../../src/arrow/tableSchema.ts'
import { TableWriter } from '../../src/arrow/tableWriter.ts'
import { InputError } from '../../src/unit/inputError.ts'

let folder: string
beforeAll(() => { folder = mkdtempSync(join(tmpdir(), 'parlor-lists-')) })
afterAll(() => rmSync(folder, { recursive: true }))

const VALUES = ['a', 'b', 'c']
const spec = (column: Partial<ColumnSpec> = {}): TableSpec => ({
  name: 't', about: '', columns: [{ name: 'n', type: 'int64', about: '' }, { name: 'legs', type: 'enumList', values: VALUES, about: '', ...column }],
})

/** Writes a table of the lists, whose codes lie in an array behind one that is not theirs. */
function write(name: string, lists: readonly (readonly number[] | null)[], batchRows: number, column: Partial<ColumnSpec> = {}): string {
  const path = join(folder, `${name}-${batchRows}.arrow`)
  const writer = new TableWriter(spec(column), path, {}, { batchRows })
  lists.forEach((list, i) => {
    writer.row()
    writer.int(0, i)
    if (list !== null) writer.list(1, Int32Array.of(2, ...list), 1, list.length)
  })
  writer.finish()
  return path
}

function read(path: string): (string[] | null)[] {
  const table = readTable(path)
  const column = table.column('legs')
  return Array.from({ length: table.rowCount }, (_, row) => (column.valid !== null && column.valid[row] === 0 ? null : listOf(column, row)))
}

const words = (list: readonly number[] | null): string[] | null => (list === null ? null : list.map((code) => VALUES[code]!))

describe.each([1, 2, 3, 128, 65_536])('lists in batches of %i rows', (batchRows) => {
  test('come back as they were written, empty ones and none at all too', () => {
    const lists = [[0, 2], [], null, [1, 1, 1], [], [2]]
    const path = write('few', lists, batchRows, { nullable: true })
    expect(read(path)).toEqual([['a', 'c'], [], null, ['b', 'b', 'b'], [], ['c']])
    const foreign = tableFromIPC(readFileSync(path))
    expect(String(foreign.schema.fields[1]!.type)).toBe('List<Dictionary<Int8, Utf8>>')
    expect([...foreign.getChild('legs')!].map((list) => (list === null ? null : [...list as Iterable<string>]))).toEqual(lists.map(words))
  })

  test('come back when rows and items outgrow the room that there is at first', () => {
    const lists = Array.from({ length: 1_500 }, (_, i) => Array.from({ length: i % 61 }, (_leg, k) => (i + k) % 3))
    expect(read(write('many', lists, batchRows))).toEqual(lists.map(words))
  })

  test('are lists in Parquet', async () => {
    const arrow = write('parquet', [[0, 2], [], [1]], batchRows)
    const bytes = readFileSync(writeParquet(arrow))
    const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer
    expect(parquetMetadata(file).schema.map(({ name, repetition_type, converted_type }) => [name, repetition_type, converted_type])).toEqual([
      ['root', undefined, undefined], ['n', 'REQUIRED', undefined], ['legs', 'REQUIRED', 'LIST'], ['list', 'REPEATED', undefined], ['element', 'REQUIRED', 'UTF8'],
    ])
    expect(await parquetReadObjects({ file })).toEqual([{ n: 0n, legs: ['a', 'c'] }, { n: 1n, legs: [] }, { n: 2n, legs: ['b'] }])
  })
})

test('the same lists give the same bytes, in a table of one batch and whatever was written before', () => {
  const [a, b] = [write('a', [[0], [1, 2]], 7), write('b', [[0], [1, 2]], 7)]
  expect(readFileSync(a).equals(readFileSync(b))).toBe(true)
})

test.each([[3], [-1], [0.5], [NaN]])('the code %s, which no value has, is refused', (code) => {
  const writer = new TableWriter(spec(), join(folder, 'refused.arrow'))
  writer.row()
  expect(() => { writer.list(1, [code], 0, 1) }).toThrow(`${code} does not fit column legs (enumList) of table t`)
  writer.abort()
})

test('a row without its list is refused where the column has no empty cells', () => {
  const writer = new TableWriter(spec(), join(folder, 'empty.arrow'))
  writer.row()
  writer.int(0, 1)
  expect(() => { writer.finish() }).toThrow('rows of table t leave legs empty')
})

test.each([
  ['falls', [0, 7, 6], 'a list of column legs ends before it begins'], ['leads out of the items', [0, 7, 29], 'column legs has fewer items than its lists'],
  ['begins below them', [-1, 7, 20], 'column legs has fewer items than its lists'], ['leads out and comes back', [0, 29, 20], 'a list of column legs ends before it begins'],
])('an offset that %s is damage', (_what, offsets, message) => {
  const path = write('damaged', [Array(7).fill(0), Array(13).fill(1)], 100)
  const bytes = readFileSync(path)
  const at = bytes.indexOf(Buffer.from(Int32Array.of(0, 7, 20).buffer))
  expect(at).toBeGreaterThan(0)
  Buffer.from(Int32Array.from(offsets).buffer).copy(bytes, at)
  writeFileSync(path, bytes)
  expect(() => read(path)).toThrow(InputError)
  expect(() => read(path)).toThrow(message)
})

describe('the legs of a table', () => {
  const words = ['M0', 'M1', 'M2']
  const oldSpec: TableSpec = {
    name: 'positions', about: '', columns: [1, 2].flatMap((leg): ColumnSpec[] => [
      { name: `market_${leg}`, type: 'enum', values: words, nullable: true, about: '' }, { name: `side_${leg}`, type: 'enum', values: ['no', 'yes'], nullable: true, about: '' },
    ]),
  }

  test.each([1, 2, 9])('that has a column for each leg are lists too, in batches of %i rows', (batchRows) => {
    const path = join(folder, `old-${batchRows}.arrow`)
    const writer = new TableWriter(oldSpec, path, {}, { batchRows })
    for (const legs of [[[2, 1], [0, 0]], [[1, 0]], [[0, 1], [2, 1]]]) {
      writer.row()
      for (const [i, [market, side]] of legs.entries()) {
        writer.code(2 * i, market!)
        writer.code(2 * i + 1, side!)
      }
    }
    writer.finish()
    const { markets, sides } = legListsOf(readTable(path))
    expect([0, 1, 2].map((row) => listOf(markets, row))).toEqual([['M2', 'M0'], ['M1'], ['M0', 'M2']])
    expect([0, 1, 2].map((row) => listOf(sides, row))).toEqual([['yes', 'no'], ['no'], ['yes', 'yes']])
  })

  test('are missed by name where it has none', () => {
    expect(() => legListsOf(readTable(write('none', [[0]], 9)))).toThrow('no column leg_markets')
  })
})
