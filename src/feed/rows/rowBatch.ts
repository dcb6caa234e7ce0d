import type { FileTally } from '../importTally.ts'
import type { Cells } from './cells.ts'
import type { OfferedObjects } from './objectAccount.ts'
import type { ShapeName } from './shapes/shapeNames.ts'

/** Some rows of a table, as columns. They hold until the next batch is asked for. */
export interface RowBatch {
  readonly count: number
  /** Numbers of the rows, from 1: lines of a text, or rows of a Parquet file. */
  readonly numbers: ArrayLike<number>
  /** One for each column that was asked for, in that order. */
  readonly cells: readonly Cells[]
  /** Places of the rows that stand for lists without items (`isEmptyKept`). */
  readonly empty?: ReadonlySet<number> | undefined
}

/** How the rows of a text lie in it. What is left out is found out. */
export interface RowLayout {
  /** One character between the fields of CSV. */
  readonly delimiter?: string | undefined
  /** Names of the columns of a CSV file that has no header. */
  readonly names?: readonly string[] | undefined
  /** Where in a JSON object its rows lie (`itemsAt`). A column that a row lacks is that of the objects around it. */
  readonly rows?: readonly string[] | undefined
  /** A list without items is a row, too, which has what the objects around it have. Otherwise it is none. */
  readonly isEmptyKept?: boolean | undefined
  /** Rows that code makes of what lies in the file (`SHAPES`). */
  readonly shape?: ShapeName | undefined
  /** The column with the time, where a file may begin with the newest row: rows of one time are turned around then (`newestFirst`). */
  readonly newestFirst?: string | undefined
}

/** A stretch of a table that is read by itself: bytes of a CSV file, or row groups of a Parquet file. */
export interface TablePiece {
  readonly from: number
  readonly to: number
  /** Whether a row begins at `from`. Else reading begins with the next line, if `from` lies within one. */
  readonly isExact: boolean
}

/** Where the rows of a piece began and ended: the next piece holds what follows if it begins where this one ended. */
export interface PieceEnds {
  began: number
  ended: number
  /** By how much the numbers of the rows of the next piece are higher than it counts them. */
  lines: number
}

/** How large pieces are, about. */
export interface PieceSizes {
  readonly csvBytes: number
  readonly parquetRows: number
}

/** A file of rows that has been looked into. */
export interface RowTable {
  readonly format: RowFormat
  /** Column names. Of NDJSON, the paths that its first rows have. */
  readonly columns: readonly string[]
  /** Of CSV, what stands between the fields. */
  readonly delimiter?: string | undefined
  /** Whether the first rows have a column. */
  shows(column: string): boolean
  /** Whether a column can be asked for. */
  has(column: string): boolean
  /**
   * The rows by batches. A row that is damaged is counted and quarantined in `tally`; the caller counts what it gets. Throws InputError for a
   * file that cannot be read, is cut off, or lacks a column.
   *
   * @param offered objects that are not of the part are passed over. Only files of JSON have objects
   */
  batches(columns: readonly string[], tally: FileTally, offered?: OfferedObjects): AsyncGenerator<RowBatch, void>
  /** The pieces of the table, in order; absent where it is read as a whole. They depend on the file alone. */
  readonly pieces?: (sizes: PieceSizes) => readonly TablePiece[]
  /** The same of one piece, which tells its ends in `ends` when it has been read. Rows of CSV count from the first line of the piece. */
  readonly pieceBatches?: (columns: readonly string[], tally: FileTally, piece: TablePiece, ends: PieceEnds) => AsyncGenerator<RowBatch, void>
}

export const ROW_FORMATS = ['csv', 'ndjson', 'parquet'] as const
export type RowFormat = (typeof ROW_FORMATS)[number]
