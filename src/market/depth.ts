/**
 * Offsets of what one level of a book is within its cells. Prices are those of YES in millionths of a dollar, sizes are whole contracts. All
 * are −1 where the side has no such level. Levels of a side follow each other, the best first.
 */
export const Level = { bidE6: 0, bidSize: 1, askE6: 2, askSize: 3 } as const
export const LEVEL_CELLS = 4
/** Most levels of a side that a store keeps. */
export const LEVELS_MAX = 50

/** Books as they were after each change of their best levels, in time order, as columns. */
export interface DepthRows {
  readonly count: number
  /** When the change could be seen. */
  readonly atUs: Float64Array
  readonly market: Int32Array
  /** A column for each cell of each level: that of level `l` and offset `c` is `cells[l * LEVEL_CELLS + c]`. */
  readonly cells: readonly Int32Array[]
}

/** Rows that follow each other, which are loaded when somebody comes to them. */
export interface DepthPiece {
  /** Stamps of its first and its last row, µs. */
  readonly firstUs: number
  readonly lastUs: number
  /** Of rows of one instant, those of the piece with the lower rank come first; those of one rank are in order of the pieces. */
  readonly rank: number
  readonly rows: () => DepthRows
}

/** The depth of a history: pieces by their first stamp, some of which may overlap in time. */
export interface DepthSource {
  /** How many levels of a side its rows have. */
  readonly levels: number
  readonly pieces: readonly DepthPiece[]
  /** Rows from this instant on are never shown. */
  readonly untilUs: number
}
