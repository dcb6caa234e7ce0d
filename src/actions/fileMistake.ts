/** One thing that is wrong with a strategy file. Line and column count from 1. */
export interface FileMistake {
  /** Relative to the present folder. */
  readonly file: string
  readonly line?: number
  readonly column?: number
  /** TypeScript's number of a mistake of types, as `TS2322`. */
  readonly code?: string
  readonly message: string
  readonly hint?: string
}
