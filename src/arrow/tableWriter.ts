import { makeData, RecordBatch, type Schema, Struct } from 'apache-arrow'
import { assert } from '../unit/assert.ts'
import { ArrowFile } from './arrowFile.ts'
import type { AsciiLine } from './asciiLine.ts'
import { columnCells } from './cellsByType.ts'
import type { ColumnCells } from './columnCells.ts'
import { BLOCK_ROWS, RowWriter } from './rowWriter.ts'
import { arrowSchemaOf, type TableSpec } from './tableSchema.ts'
import { CodeCells, CodeListCells, TextCells } from './textCells.ts'
import { WholeFile } from './wholeFile.ts'

const BATCH_ROWS = 65_536

/**
 * Writes one table row by row as an Arrow IPC file, in record batches of a fixed height: memory is bounded by one
 * batch. The file is whole or not there: it appears under its name at `finish`.
 */
export class TableWriter extends RowWriter {
  declare readonly path: string
  private declare readonly batchRows: number
  private declare readonly schema: Schema
  private declare readonly file: WholeFile
  private declare readonly arrow: ArrowFile
  private declare readonly columns: readonly ColumnCells[]
  /** Rows of the batch that are in its columns. */
  private batched = 0
  private batches = 0

  constructor(
    spec: TableSpec,
    path: string,
    metadata: Readonly<Record<string, string>> = {},
    { batchRows = BATCH_ROWS, isDurable, isCompressed }: { readonly batchRows?: number; readonly isDurable?: boolean; readonly isCompressed?: boolean } = {},
  ) {
    super(spec, Math.min(BLOCK_ROWS, batchRows))
    assert(Number.isSafeInteger(batchRows) && batchRows > 0, `batch of ${batchRows} rows`)
    this.path = path
    this.batchRows = batchRows
    this.schema = arrowSchemaOf(spec, metadata)
    this.columns = spec.columns.map((column, i) => columnCells(spec.name, column, this.schema.fields[i]!.type, batchRows))
    this.file = new WholeFile(path, isDurable)
    this.arrow = new ArrowFile(this.file, isCompressed)
  }

  get isRead(): boolean {
    return true
  }

  codeOf(column: number, value: string): number {
    const cells: ColumnCells = this.columns[column]!
    if (!(cells instanceof CodeCells)) this.refuse(column, value)
    return cells.code(value)
  }

  /** Completes the file and gives it its name. When that fails nothing stays on the disk. */
  finish(): void {
    try {
      this.takeBlock()
      // An empty table still gets a batch: the dictionaries travel with it.
      if (this.batched > 0 || this.batches === 0) this.flush()
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

  protected appendText(column: number, value: string): number {
    const cells: ColumnCells = this.columns[column]!
    return cells instanceof TextCells ? cells.append(value) : this.refuse(column, value)
  }

  protected appendAscii(column: number, { bytes, length }: AsciiLine): number {
    const cells: ColumnCells = this.columns[column]!
    return cells instanceof TextCells ? cells.appendAscii(bytes, length) : this.refuse(column, 'a text')
  }

  protected appendList(column: number, codes: ArrayLike<number>, from: number, count: number): number {
    const cells: ColumnCells = this.columns[column]!
    return cells instanceof CodeListCells ? cells.append(codes, from, count) : this.refuse(column, 'a list')
  }

  /** A block never lies in two batches. */
  protected takeRows(rows: number): number {
    const { cells, columns, width, batched } = this
    const end = batched + rows
    for (let i = 0; i < columns.length; i++) columns[i]!.take(cells, i, width, batched, end)
    this.batched = end
    if (end === this.batchRows) this.flush()
    return Math.min(BLOCK_ROWS, this.batchRows - this.batched)
  }

  private flush(): void {
    const rows = this.batched
    const children = this.columns.map((cells) => cells.data(rows))
    const type = new Struct(this.schema.fields)
    this.arrow.write(new RecordBatch(this.schema, makeData({ type, length: rows, nullCount: 0, children })))
    this.batches++
    this.batched = 0
  }
}
