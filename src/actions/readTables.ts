import { readWhole, type Table, type TableColumn, tableIn } from '../arrow/tableReader.ts'
import { readManifest } from '../record/manifest.ts'
import { reading } from '../result/check.ts'
import { placeOf } from '../result/place.ts'
import { InputError } from '../unit/inputError.ts'
import { nearestName } from '../unit/nearestName.ts'
import { acting } from './options.ts'
import type { Cell, ResultColumn, ResultTable, ResultTables } from './tables.ts'

export interface ReadTablesOptions {
  /** The tables to read, by name. The default is all of them. */
  readonly tables?: readonly string[]
}

/**
 * Reads tables of a run into memory, as they were written: each must have the hash that the manifest names.
 *
 * @param folder the folder of a run
 * @returns the tables, each as Arrow IPC bytes, as columns and as rows
 * @throws InputError for a folder without a run, and for a table that the run does not have
 * @throws RunFailure of the kind `damaged` where a file is not as it was written
 * @example
 * const tables = await readTables('runs/quickstart', { tables: ['quotes'] })
 * const quotes = tables.get('quotes')
 * console.log(quotes.rowCount, quotes.column('risk_micros').numbers)
 * for (const { maker } of quotes.rows('maker')) console.log(maker)
 */
export const readTables = (folder: string, { tables }: ReadTablesOptions = {}): Promise<ResultTables> =>
  acting(() => reading(folder, (from) => tablesIn(from, tables)))

/** The tables that the manifest in a folder names, or some of them. Throws InputError for one that it does not name. */
export function tablesIn(folder: string, names?: readonly string[]): ResultTables {
  const { tables } = readManifest(folder)
  return tableSet((names ?? Object.keys(tables)).map((name) => {
    const table = Object.hasOwn(tables, name) ? tables[name] : undefined
    if (table === undefined) throw noTable(name, Object.keys(tables))
    const path = placeOf(folder, table.file)
    return new ReadTable(name, readWhole(path), path)
  }))
}

function tableSet(all: readonly ResultTable[]): ResultTables {
  const byName = new Map(all.map((table) => [table.name, table]))
  return {
    names: [...byName.keys()],
    has: (name) => byName.has(name),
    get: (name) => {
      const table = byName.get(name)
      if (table === undefined) throw noTable(name, [...byName.keys()])
      return table
    },
  }
}

function noTable(name: string, names: readonly string[]): InputError {
  const near = nearestName(name, names)
  return new InputError(`no table ${name}${near === undefined ? '' : `; did you mean ${near}?`}`, { hint: names.length === 0 ? 'the run has no tables' : `expected ${names.join(', ')}` })
}

/** A table whose bytes were read, and are understood when a column is asked for. */
class ReadTable implements ResultTable {
  readonly name: string
  readonly bytes: Uint8Array
  private readonly path: string
  private understood: Table | null = null

  constructor(name: string, bytes: Uint8Array, path: string) {
    this.name = name
    this.bytes = bytes
    this.path = path
  }

  get rowCount(): number {
    return this.table.rowCount
  }

  get columnNames(): readonly string[] {
    return this.table.columnNames
  }

  get metadata(): Readonly<Record<string, string>> {
    return this.table.metadata
  }

  column(name: string): ResultColumn {
    return this.table.column(name)
  }

  * rows(...columns: readonly string[]): Generator<Record<string, Cell>> {
    const read = (columns.length === 0 ? this.columnNames : columns).map((name) => this.table.column(name))
    for (let row = 0; row < this.rowCount; row++) yield Object.fromEntries(read.map((column) => [column.name, cellOf(column, row)]))
  }

  private get table(): Table {
    return (this.understood ??= tableIn(this.bytes, this.path))
  }
}

function cellOf({ valid, type, numbers, codes, offsets, values, texts }: TableColumn, row: number): Cell {
  if (valid !== null && valid[row] === 0) return null
  if (offsets !== undefined) return Array.from(codes!.subarray(offsets[row], offsets[row + 1]), (code) => values![code]!)
  if (codes !== undefined) return values![codes[row]!] ?? null
  if (texts !== undefined) return texts[row]!
  return type === 'bool' ? numbers![row] === 1 : numbers![row]!
}
