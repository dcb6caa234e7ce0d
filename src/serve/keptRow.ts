import type { RowCells } from '../venue/eventCells.ts'
import { EventCell, readCell } from '../venue/eventRows.ts'

/** A row with its list that outlives the rows of its chunk. */
export type KeptRow<N extends string = string> = RowCells<N> & { readonly pool: Int32Array }

export const seqOf = (row: RowCells): number => readCell(row, EventCell.seq)
