import { type Data, makeData, RecordBatch, type Schema, Struct, Vector } from 'apache-arrow'
import { assert } from '../unit/assert.ts'
import { ArrowFile } from './arrowFile.ts'
import { WideCells } from './numberCells.ts'
import { arrowSchemaOf, type ColumnSpec, type TableSpec } from './tableSchema.ts'
import { textData } from './textCells.ts'
import { WholeFile } from './wholeFile.ts'

export interface ColumnsWriting {
  /** The most rows of a batch. */
  readonly batchRows: number
  /** Whether the bodies of batches are compressed by ZSTD. */
  readonly isCompressed?: boolean
  /** Whether the file waits for the disk. A generation does so for all of its files. */
  readonly isDurable?: boolean
}

/**
 * Writes a table batch by batch from columns that lie in memory already: instants of `timeUs` as doubles, `int32` as words, and `enum` as
 * codes of 32 bits. No cell is empty. The file is whole or not there: it appears under its name at `finish`.
 */
export class ColumnsWriter {
  private declare readonly schema: Schema
  private declare readonly file: WholeFile
  private declare readonly arrow: ArrowFile
  private declare readonly writers: readonly ((cells: Float64Array | Int32Array, rows: number) => Data)[]

  constructor(spec: TableSpec, path: string, metadata: Readonly<Record<string, string>>, { batchRows, isCompressed = false, isDurable = true }: ColumnsWriting) {
    this.schema = arrowSchemaOf(spec, metadata)
    this.writers = spec.columns.map((column, i) => this.writerOf(spec.name, column, i, batchRows))
    this.file = new WholeFile(path, isDurable)
    this.arrow = new ArrowFile(this.file, isCompressed)
  }

  /** Writes the first `rows` cells of each column, in the order of the spec, as a record batch. */
  batch(columns: readonly (Float64Array | Int32Array)[], rows: number): void {
    const children = this.writers.map((write, i) => write(columns[i]!, rows))
    this.arrow.write(new RecordBatch(this.schema, makeData({ type: new Struct(this.schema.fields), length: rows, nullCount: 0, children })))
  }

  /** Completes the file and gives it its name. When that fails nothing stays on the disk. */
  finish(): void {
    try {
      this.arrow.close()
      this.file.finish()
    } catch (error) {
      this.abort()
      throw error
    }
  }

  /** Gives the table up: nothing stays on the disk. Harmless after `finish`. */
  abort(): void {
    this.file.abort()
  }

  private writerOf(table: string, column: ColumnSpec, index: number, batchRows: number): (cells: Float64Array | Int32Array, rows: number) => Data {
    const { type } = this.schema.fields[index]!
    if (column.type === 'timeUs') {
      const wide = new WideCells(table, column, type, batchRows)
      return (cells, rows) => {
        wide.take(cells as Float64Array, 0, 1, 0, rows)
        return wide.data(rows)
      }
    }
    assert(column.type === 'int32' || (column.type === 'enum' && column.isWide === true), `column ${column.name} is not written as a column`)
    const dictionary = column.type === 'enum' ? { dictionary: new Vector([textData(column.values!)]) } : {}
    return (cells, rows) => makeData({ type, length: rows, nullCount: 0, data: cells.subarray(0, rows), ...dictionary } as never)
  }
}
