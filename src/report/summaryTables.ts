import { join } from 'node:path'
import { readTable, type Table } from '../arrow/tableReader.ts'

/** The tables of a run's folder, read batch by batch: columns of one batch at a time are converted. */
export class RunTables {
  private readonly dir: string

  constructor(dir: string) {
    this.dir = dir
  }

  /** Throws InputError when there is no such table or it is damaged. */
  open(name: string): Table {
    return readTable(join(this.dir, 'tables', `${name}.arrow`))
  }

  /** The batches of a table, in order; of an empty table one empty batch, as its dictionaries travel with it. */
  * batches(name: string): Generator<Table> {
    const table = this.open(name)
    for (let b = 0; b < table.batchCount; b++) yield table.batch(b)
  }
}

/** Names of one kind (makers, clusters, …) across tables and batches, numbered as they come. */
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

  /** Numbers of an enum column's cells; −1 where empty. The whole dictionary gets numbers. */
  of(table: Table, column: string): Int32Array {
    const { codes, values } = table.column(column)
    const numbers = values!.map((value) => this.number(value))
    return codes!.map((code) => (code < 0 ? -1 : numbers[code]!))
  }
}

/** Cells of an enum column as indices of `values`; −1 where empty or where the cell is none of them. */
export function codesIn(values: readonly string[], table: Table, column: string): Int32Array {
  const read = table.column(column)
  const codes = read.values!.map((value) => values.indexOf(value))
  return read.codes!.map((code) => (code < 0 ? -1 : codes[code]!))
}

/** Numbers of a column with NaN where it is empty. */
export function orNaN(table: Table, column: string): Float64Array {
  const { numbers, valid } = table.column(column)
  return Float64Array.from(numbers!, (number, i) => (valid === null || valid[i] === 1 ? number : NaN))
}
