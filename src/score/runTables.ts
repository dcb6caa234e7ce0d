import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type ReadTable, readTable, type TableColumn, type TableRows } from '../arrow/tableReader.ts'
import type { ColumnType } from '../arrow/tableSchema.ts'
import { assert } from '../unit/assert.ts'
import { InputError } from '../unit/inputError.ts'

export type { TableRows } from '../arrow/tableReader.ts'

/** Where the tables of a session are. */
export interface TableSource {
  /** Whether there is a table. Older runs have fewer tables. */
  has(name: string): boolean
  /** A whole table. Throws InputError when there is no such table or it is damaged. */
  open(name: string): ReadTable
}

/** The tables of a run's folder. */
function tablesIn(dir: string): TableSource {
  const pathOf = (name: string): string => join(dir, 'tables', `${name}.arrow`)
  return { has: (name) => existsSync(pathOf(name)), open: (name) => readTable(pathOf(name)) }
}

/** The tables of a session, read batch by batch, so that only the columns of one batch are converted at a time. */
export class RunTables {
  private readonly source: TableSource
  private readonly service: string | null

  /**
   * @param from a run's folder, or where else the tables are.
   * @param service the service whose rows are read, or null for all rows of a run with one service.
   */
  constructor(from: string | TableSource, service: string | null = null) {
    this.source = typeof from === 'string' ? tablesIn(from) : from
    this.service = service
  }

  /** Whether the run has other services too. */
  get isOneOfSeveral(): boolean {
    return this.service !== null
  }

  /** A whole table, for its dictionaries and its metadata. Throws InputError when there is no such table or it is damaged. */
  open(name: string): ReadTable {
    return this.source.open(name)
  }

  /** Whether the run has a table. Older runs have fewer tables. */
  has(name: string): boolean {
    return this.source.has(name)
  }

  rowCount(name: string): number {
    if (this.service === null) return this.open(name).rowCount
    let count = 0
    for (const batch of this.batches(name)) count += batch.rowCount
    return count
  }

  /** The batches of a table, in order: of a run with several services the rows of its own. An empty table gives one empty batch, which carries its dictionaries. */
  * batches(name: string): Generator<TableRows> {
    const table = this.open(name)
    for (let b = 0; b < table.batchCount; b++) {
      const batch = table.batch(b)
      // A table without the column is about what all services share.
      yield this.service === null || !batch.has('service') ? batch : new SelectedRows(batch, rowsOf(batch, this.service), table.path)
    }
  }
}

/** Services of a run, in the order of their numbers. Throws InputError for a run without tables. */
export function servicesOf(dir: string): string[] {
  const tables = tablesIn(dir)
  if (!tables.has('requests')) throw new InputError('the run has no tables', { position: { file: dir }, hint: 'its scenario says record: { tables: false }' })
  return servicesIn(tables)
}

/** The same of tables of which `requests` is one. */
export function servicesIn(tables: TableSource): string[] {
  const requests = tables.open('requests')
  return requests.metadata['services']?.split(' ') ?? [...requests.column('service').values!]
}

function rowsOf(batch: TableRows, service: string): Int32Array {
  const { codes, values } = batch.column('service')
  const wanted = values!.indexOf(service)
  return Int32Array.from(Array.from(codes!.keys()).filter((row) => codes![row] === wanted))
}

/** Some of the rows of a table. */
class SelectedRows implements TableRows {
  readonly rowCount: number
  private readonly table: TableRows
  private readonly rows: Int32Array
  private readonly path: string

  constructor(table: TableRows, rows: Int32Array, path: string) {
    this.path = path
    this.table = table
    this.rows = rows
    this.rowCount = rows.length
  }

  has(name: string): boolean {
    return this.table.has(name)
  }

  column(name: string): TableColumn {
    const { rows } = this
    const { numbers, codes, texts, valid, offsets, ...rest } = this.table.column(name)
    const picked = valid === null ? null : Uint8Array.from(rows, (row) => valid[row]!)
    return {
      ...rest, valid: picked === null || picked.every((bit) => bit === 1) ? null : picked,
      ...(numbers === undefined ? {} : { numbers: Float64Array.from(rows, (row) => numbers[row]!) }),
      ...(codes === undefined ? {} : offsets === undefined ? { codes: rows.map((row) => codes[row]!) } : pickedLists(codes, offsets, rows)),
      ...(texts === undefined ? {} : { texts: Array.from(rows, (row) => texts[row]!) }),
    }
  }

  numbers(name: string, ...types: readonly ColumnType[]): Float64Array | Int32Array | Uint8Array {
    const { numbers, valid, type } = this.column(name)
    const isOfType = numbers !== undefined && (types.length === 0 || types.includes(type))
    if (isOfType && valid === null) return numbers
    const why = isOfType ? 'has empty cells' : `holds ${type}, expected ${types.join(' or ') || 'numbers'}`
    throw new InputError(`column ${name} ${why}`, { position: { file: this.path } })
  }
}

function pickedLists(codes: Int32Array, offsets: Int32Array, rows: Int32Array): { codes: Int32Array; offsets: Int32Array } {
  const begins = new Int32Array(rows.length + 1)
  for (let i = 0; i < rows.length; i++) begins[i + 1] = begins[i]! + offsets[rows[i]! + 1]! - offsets[rows[i]!]!
  const picked = new Int32Array(begins[rows.length]!)
  for (let i = 0; i < rows.length; i++) picked.set(codes.subarray(offsets[rows[i]!], offsets[rows[i]! + 1]), begins[i])
  return { codes: picked, offsets: begins }
}

/** Names of one kind (makers, clusters, …) across tables and batches, numbered in order of appearance. */
export class Names {
  readonly list: string[] = []
  private readonly numbers = new Map<string, number>()

  number(name: string): number {
    let number = this.numbers.get(name)
    if (number === undefined) {
      number = this.list.push(name) - 1
      this.numbers.set(name, number)
    }
    return number
  }

  /** Numbers of an enum column's cells, −1 where empty. The whole dictionary gets numbers. */
  of(table: TableRows, column: string): Int32Array {
    return this.ofColumn(table.column(column))
  }

  /** The same of a column that has been read. Of lists it gives the numbers of all items. */
  ofColumn({ codes, values }: TableColumn): Int32Array {
    return numbersOf(codes!, values!.map((value) => this.number(value)))
  }
}

/** Cells of an enum column as indices of `values`, −1 where a cell is empty or none of them. */
export function codesIn(values: readonly string[], table: TableRows, column: string): Int32Array {
  const read = table.column(column)
  return numbersOf(read.codes!, read.values!.map((value) => values.indexOf(value)))
}

// Loops from here on: V8 drops the compiled code of a closure with the closure, and would compile it again for each session of a sweep.

/** The number of each code, −1 where the cell is empty. */
function numbersOf(codes: Int32Array, numbers: readonly number[]): Int32Array {
  const all = new Int32Array(codes.length)
  for (let i = 0; i < codes.length; i++) all[i] = codes[i]! < 0 ? -1 : numbers[codes[i]!]!
  return all
}

/** Numbers of a column with NaN where it is empty. */
export function orNaN(table: TableRows, column: string): Float64Array {
  const { numbers, valid } = table.column(column)
  assert(numbers !== undefined, `column ${column} holds numbers`)
  const all = new Float64Array(numbers)
  if (valid !== null) for (let i = 0; i < all.length; i++) if (valid[i] === 0) all[i] = NaN
  return all
}
