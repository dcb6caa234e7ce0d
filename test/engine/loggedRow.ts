import type { Cell, Cells, Kind, Row } from '../../src/venue/eventCells.ts'
import { EventCell, type EventRows, readCell } from '../../src/venue/eventRows.ts'
import { type CellNames, namedCells } from '../venue/namedCells.ts'

/** An event row as a plain object: the cells of every row, its list, and the cells of its kind `C` by their names, NONE where a cell is not set. */
export type LoggedRow<C = object> = {
  readonly seq: number
  readonly atUs: number
  readonly service: number
  readonly kind: number
  readonly cause: number
  readonly list: readonly number[]
} & { readonly [name in keyof C & string]: number }

/** Throws where a cell is set that `names` does not name. */
export function loggedRow(rows: EventRows, row: Row, names: CellNames): LoggedRow {
  const own = rows.rowCells(row)
  namedCells(own, names)
  const cells = Object.fromEntries(Object.entries(names).map(([name, offset]) => [name, readCell(own, offset as Cell<string>)]))
  const { seq, atUs, service, kind, cause } = EventCell
  return {
    seq: readCell(own, seq), atUs: readCell(own, atUs), service: readCell(own, service), kind: readCell(own, kind), cause: readCell(own, cause),
    list: [...rows.list(row)], ...cells,
  }
}

/** Those of the kinds, which `cells` are of. */
export const ofKind = <N extends string, C>(rows: readonly LoggedRow[], kinds: Kind<N> | readonly Kind<N>[], _cells: Cells<N, C>): LoggedRow<C>[] =>
  rows.filter(({ kind }) => [kinds].flat().includes(kind as Kind<N>)) as LoggedRow<C>[]
