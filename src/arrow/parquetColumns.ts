import { closeSync, openSync } from 'node:fs'
import { fileWriter, ParquetWriter } from 'hyparquet-writer'
import type { ColumnType } from './tableSchema.ts'

type SchemaElement = ConstructorParameters<typeof ParquetWriter>[0]['schema'][number]

/** A column of a Parquet file. */
export interface ParquetColumn {
  readonly name: string
  readonly type: ColumnType
  readonly isNullable: boolean
}

/** The elements of a column: one, and three of a list. */
function elementsOf({ name, type, isNullable }: ParquetColumn): SchemaElement[] {
  if (type !== 'enumList') return [elementOf(type, name, isNullable)]
  const head = { name, repetition_type: isNullable ? 'OPTIONAL' : 'REQUIRED' } as const
  return [
    { ...head, converted_type: 'LIST', logical_type: { type: 'LIST' }, num_children: 1 }, { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
    elementOf('text', 'element', false),
  ]
}

function elementOf(type: Exclude<ColumnType, 'enumList'>, name: string, isNullable: boolean): SchemaElement {
  const head = { name, repetition_type: isNullable ? 'OPTIONAL' : 'REQUIRED' } as const
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

/** A Parquet file (Snappy) that is written a group of rows at a time. It is whole once it is finished. */
export class ParquetColumns {
  private declare readonly columns: readonly ParquetColumn[]
  private declare readonly writer: ParquetWriter

  /** @param notes metadata of the file. */
  constructor(path: string, columns: readonly ParquetColumn[], notes: Readonly<Record<string, string>> = {}) {
    // A path that cannot be written is said before the first row is made.
    closeSync(openSync(path, 'w'))
    this.columns = columns
    this.writer = new ParquetWriter({
      writer: fileWriter(path),
      schema: [{ name: 'root', num_children: columns.length }, ...columns.flatMap(elementsOf)],
      kvMetadata: Object.entries(notes).map(([key, value]) => ({ key, value })),
      createdBy: 'parlor',
    })
  }

  /** Writes a row group. Cells, column by column: a bigint for integers of 64 bits, null where there is nothing. */
  write(cells: readonly unknown[][], rows: number): void {
    if (rows === 0) return
    void this.writer.write({ columnData: this.columns.map(({ name }, i) => ({ name, data: cells[i]! })), rowGroupSize: rows })
  }

  finish(): void {
    void this.writer.finish()
  }
}
