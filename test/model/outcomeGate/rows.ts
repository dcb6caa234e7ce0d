import { EventCell, type EventRows } from '../../../src/venue/eventRows.ts'
import type { KindName } from '../../venue/outcome/cellNames.ts'
import { type Row as NamedRow, rowAt } from '../outcome/namedRows.ts'

/** An event row by the names of its kind, with its number in the session. */
export type Row<N extends KindName = KindName> = NamedRow<N> & { readonly seq: number }

/** The rows as plain objects. */
export const rowsOf = (events: EventRows): Row[] => Array.from({ length: events.count }, (_, i) => {
  const at = events.row(i)
  return { seq: events.read(at, EventCell.seq), ...rowAt(events, at) }
})
