import { rmSync } from 'node:fs'
import { fileWriter, ParquetWriter } from 'hyparquet-writer'
import type { ColumnType } from './tableSchema.ts'
import { listOf, readTable, type Table, type TableColumn } from './tableReader.ts'
import { publish, syncFile, temporaryNameOf } from './wholeFile.ts'

type SchemaElement = ConstructorParameters<typeof ParquetWriter>[0]['schema'][number]

/** The elements of a column: one, and three of a list. */
function elementsOf(type: ColumnType, name: string, nullable: boolean): SchemaElement[] {
  if (type !== 'enumList') return [elementOf(type, name, nullable)]
  const head = { name, repetition_type: nullable ? 'OPTIONAL' : 'REQUIRED' } as const
  return [
    { ...head, converted_type: 'LIST', logical_type: { type: 'LIST' }, num_children: 1 }, { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
    elementOf('text', 'element', false),
  ]
}

function elementOf(type: Exclude<ColumnType, 'enumList'>, name: string, nullable: boolean): SchemaElement {
  const head = { name, repetition_type: nullable ? 'OPTIONAL' : 'REQUIRED' } as const
  switch (type) {
    case 'timeUs': return {
      ...head, type: 'INT64', converted_type: 'TIMESTAMP_MICROS',
      logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MICROS' },
    }
    case 'micros':
    case 'oddsE4':
    case 'int64': return { ...head, type: 'INT64' }
    case 'int32': return { ...head, type: 'INT32' }
    case 'float64': return { ...head, type: 'DOUBLE' }
    case 'bool': return { ...head, type: 'BOOLEAN' }
    case 'enum':
    case 'text': return { ...head, type: 'BYTE_ARRAY', converted_type: 'UTF8', logical_type: { type: 'STRING' } }
  }
}

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
  const elements = table.columnNames.flatMap((name) => elementsOf(table.typeOf(name), name, table.isNullable(name)))
  const writer = new ParquetWriter({
    writer: fileWriter(path),
    schema: [{ name: 'root', num_children: table.columnNames.length }, ...elements],
    kvMetadata: [...Object.entries(table.metadata), ['columns', notesOf(table)] as const].map(([key, value]) => ({ key, value })),
    createdBy: 'parlor',
  })
  for (let b = 0; b < table.batchCount; b++) {
    const batch = table.batch(b)
    if (batch.rowCount === 0) continue
    const columnData = table.columnNames.map((name) => ({ name, data: cellsOf(batch.column(name), batch.rowCount) }))
    void writer.write({ columnData, rowGroupSize: batch.rowCount })
  }
  void writer.finish()
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
