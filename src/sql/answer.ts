/**
 * A cell of an answer. An integer of 64 bits or more is a bigint, and a decimal a text with all its digits. An instant is ISO 8601 with
 * microseconds. What JavaScript has no value for (an interval, a map, bytes) is DuckDB's text of it.
 */
export type AnswerCell = null | boolean | number | bigint | string | readonly AnswerCell[] | { readonly [field: string]: AnswerCell }

export interface AnswerColumn {
  /** Unique: the second column `a` is `a:1`. */
  readonly name: string
  /** The type in DuckDB's words: `BIGINT`, `VARCHAR[]`, `TIMESTAMP WITH TIME ZONE`. */
  readonly type: string
}

/** What a query gives. */
export interface Answer {
  readonly columns: readonly AnswerColumn[]
  /** The rows in the order of the answer, with a cell for each column. */
  readonly rows: readonly (readonly AnswerCell[])[]
}
