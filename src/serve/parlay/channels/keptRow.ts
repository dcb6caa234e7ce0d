import type { Row, RowCells } from '../../../venue/eventCells.ts'
import { EVENT_STRIDE, EventCell, type EventRows, readCell } from '../../../venue/eventRows.ts'

/** A row with its list that outlives the rows of its chunk. */
export type KeptRow<N extends string = string> = RowCells<N> & { readonly pool: Int32Array }

export function keptRow<N extends string>(events: EventRows, row: Row<N>): KeptRow<N> {
  const { cells, first } = events.rowCells(row)
  const copy = Float64Array.from({ length: EVENT_STRIDE }, (_, i) => cells[first + i]!)
  copy[EventCell.listStart] = 0
  return { cells: copy, first: 0 as Row<N>, pool: events.list(row).slice() }
}

export const seqOf = (row: RowCells): number => readCell(row, EventCell.seq)
