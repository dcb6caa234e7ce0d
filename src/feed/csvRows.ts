import { InputError } from '../unit/inputError.ts'
import type { FileTally } from './importTally.ts'
import type { ByteCells } from './rows/byteCells.ts'
import type { Cells } from './rows/cells.ts'
import { csvTable } from './rows/csvTable.ts'
import { inputFile } from './rows/inputFiles.ts'
import type { RowTable } from './rows/rowBatch.ts'

/** One field for each column that was asked for. */
export type FieldsOf<Columns extends readonly string[]> = { readonly [At in keyof Columns]: string }

const tableOf = async (file: string): Promise<RowTable> => csvTable(await inputFile(file), { delimiter: ',' })

/** The column names of a CSV file, which may be compressed. */
export const csvColumns = async (file: string): Promise<readonly string[]> => (await tableOf(file)).columns

/**
 * Streams a CSV file, which may be compressed: `onRow` gets the fields of `columns`, in that order and without spaces around them, and the line.
 * Every row is counted in `tally`. A row that is damaged in itself, or wider or narrower than the header, is quarantined. Throws InputError for a
 * file that cannot be read, is cut off, lacks a column or has one twice.
 */
export async function readCsv<const Columns extends readonly string[]>(
  file: string,
  columns: Columns,
  tally: FileTally,
  onRow: (fields: FieldsOf<Columns>, line: number) => void,
): Promise<void> {
  const table = await tableOf(file)
  requireColumns(file, columns, table.columns)
  for await (const { count, numbers, cells } of table.batches(columns, tally)) {
    tally.read(count)
    // One text for all cells is decoded in half the time. The cells of a batch have the same bytes.
    const whole = (cells[0] as ByteCells).whole()
    const textOf = whole === undefined ? (column: Cells, row: number) => column.text(row) : (column: Cells, row: number) => (column as ByteCells).textIn(whole, row)
    for (let row = 0; row < count; row += 1) onRow(cells.map((column) => textOf(column, row)) as readonly string[] as FieldsOf<Columns>, numbers[row]!)
  }
}

/** Throws InputError at line 1 unless every wanted column is there. */
export function requireColumns(file: string, wanted: readonly string[], found: readonly string[]): void {
  const missing = wanted.filter((name) => !found.includes(name))
  if (missing.length === 0) return
  throw new InputError(`no column ${missing.join(', ')}`, {
    position: { file, line: 1 },
    hint: `the columns expected are ${wanted.join(', ')}`,
  })
}
