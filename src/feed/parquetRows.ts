import { InputError } from '../unit/inputError.ts'
import { requireColumns } from './csvRows.ts'
import { FileTally } from './importTally.ts'
import { inputFile } from './rows/inputFiles.ts'
import { parquetTable } from './rows/parquetTable.ts'
import type { RowTable } from './rows/rowBatch.ts'

/** One row by column name. Instants are µs since the epoch, and those without a time zone are read as UTC. Integers may be bigint. */
export type ParquetRow = Readonly<Record<string, unknown>>

const tableOf = async (file: string): Promise<RowTable> => parquetTable(await inputFile(file))

/** The column names of a Parquet file. */
export const parquetColumns = async (file: string): Promise<readonly string[]> => (await tableOf(file)).columns

/** The columns of a Parquet file, and its rows. Throws InputError for one that is missing, cut off or damaged. */
export async function parquetRows(file: string): Promise<{ readonly columns: readonly string[]; readonly rows: readonly ParquetRow[] }> {
  const [rows, tally] = [[] as ParquetRow[], new FileTally(file)]
  const table = await tableOf(file)
  await readTable(table, table.columns, tally, (row) => rows.push(row))
  const [trouble] = tally.troubles()
  if (trouble !== undefined) throw new InputError(trouble.about, { position: { file, line: trouble.firstRow }, hint: 'fetch the file again' })
  return { columns: table.columns, rows }
}

/**
 * Reads a Parquet file, with rows counted from 1. Rows of a group with a damaged page are quarantined in `tally`. Throws InputError for a file that is
 * missing, cut off, lacks a column or has one twice.
 */
export async function readParquet(
  file: string,
  columns: readonly string[],
  tally: FileTally,
  onRow: (row: ParquetRow, number: number) => void,
): Promise<void> {
  const table = await tableOf(file)
  requireColumns(file, columns, table.columns)
  await readTable(table, columns, tally, onRow)
}

async function readTable(table: RowTable, columns: readonly string[], tally: FileTally, onRow: (row: ParquetRow, number: number) => void): Promise<void> {
  for await (const { count, numbers, cells } of table.batches(columns, tally)) {
    tally.read(count)
    for (let row = 0; row < count; row += 1) onRow(Object.fromEntries(columns.map((name, place) => [name, cells[place]!.value(row)])), numbers[row]!)
  }
}
