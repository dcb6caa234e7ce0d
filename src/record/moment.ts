import type { Row } from '../venue/eventCells.ts'
import { EventCell, type EventRows } from '../venue/eventRows.ts'

/** When something happened, and its place in the total order. */
export interface Moment {
  readonly seq: number
  readonly atUs: number
}

export const momentOf = (events: EventRows, row: Row): Moment => ({ seq: events.read(row, EventCell.seq), atUs: events.read(row, EventCell.atUs) })
