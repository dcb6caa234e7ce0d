import { rmSync } from 'node:fs'
import { ParquetColumns } from './parquetColumns.ts'
import type { ColumnType } from './tableSchema.ts'
import { listOf, readTable, type Table, type TableColumn } from './tableReader.ts'
import { publish, syncFile, temporaryNameOf } from './wholeFile.ts'

const isLong = (type: ColumnType): boolean => type === 'timeUs' || type === 'micros' || type === 'oddsE4' || type === 'int64'

/** The cells as hyparquet-writer wants them: bigint for 64-bit integers, null where empty. */
function cellsOf(column: TableColumn, rows: number): unknown[] {
  const cells: unknown[] = Array.from({ length: rows })
  for (let i = 0; i < rows; i++) {
    if (column.valid !== null && column.valid[i] === 0) cells[i] = null
    else if (column.offsets !== undefined) cells[i] = listOf(column, i)
    else if (column.codes !== undefined) cells[i] = column.values![column.codes[i]!]
    else if (column.texts !== undefined) cells[i] = column.texts[i]
    else if (isLong(column.type)) cells[i] = BigInt(column.numbers![i]!)
    else cells[i] = column.type === 'bool' ? column.numbers![i] === 1 : column.numbers![i]
  }
  return cells
}

/** What the Arrow file says of its columns, by column, as JSON: a column of Parquet has no metadata of its own. */
const notesOf = (table: Table): string => JSON.stringify(Object.fromEntries(table.columnNames.map((name) => [name, table.notesOf(name)])))

function writeBatches(table: Table, path: string): void {
  const columns = table.columnNames.map((name) => ({ name, type: table.typeOf(name), isNullable: table.isNullable(name) }))
  const file = new ParquetColumns(path, columns, { ...table.metadata, columns: notesOf(table) })
  for (let b = 0; b < table.batchCount; b++) {
    const batch = table.batch(b)
    file.write(table.columnNames.map((name) => cellsOf(batch.column(name), batch.rowCount)), batch.rowCount)
  }
  file.finish()
}

/**
 * Writes the content of an Arrow table of ours as Parquet (Snappy), with a row group for each record batch, whole or not at all. The file's
 * metadata are those of the schema and, as JSON under `columns`, those of the fields.
 * @param isDurable false: nothing waits for the disk.
 * @returns the path of the file: unless given, that of the Arrow file with the ending `.parquet`.
 */
export function writeParquet(arrowPath: string, parquetPath = arrowPath.replace(/\.arrow$/, '') + '.parquet', isDurable = true): string {
  const table = readTable(arrowPath)
  const temporary = temporaryNameOf(parquetPath)
  try {
    writeBatches(table, temporary)
    if (isDurable) syncFile(temporary)
    publish(temporary, parquetPath, isDurable)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw error
  }
  return parquetPath
}
