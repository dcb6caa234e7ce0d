import type { Cell, RowCells } from '../../src/venue/eventCells.ts'
import { EVENT_STRIDE, EventCell, NONE, readCell } from '../../src/venue/eventRows.ts'

/** What the cells of a kind of event row are called: name and offset. */
export type CellNames = Readonly<Record<string, number>>

const COMMON = new Set<number>(Object.values(EventCell))

/** The cells of the row that are set, by their names; throws where one has none. What every row has is left out. */
export function namedCells(row: RowCells, names: CellNames): Record<string, number> {
  const cells = Array.from({ length: EVENT_STRIDE }, (_, offset) => readCell(row, offset as Cell<string>))
  const known = new Set(Object.values(names))
  const nameless = cells.findIndex((value, offset) => value !== NONE && !COMMON.has(offset) && !known.has(offset))
  if (nameless >= 0) throw new Error(`a row has ${cells[nameless]} in cell ${nameless}, which has no name among ${Object.keys(names).join(', ')}`)
  return Object.fromEntries(Object.entries(names).filter(([, offset]) => cells[offset] !== NONE).map(([name, offset]) => [name, cells[offset]!]))
}

/** The cell called `name`; throws where there is none. Precondition: the row that it is used for has these names. */
export function cellNamed(names: CellNames, name: string): Cell<string> {
  const offset = names[name]
  if (offset === undefined) throw new Error(`no cell is called ${name}: there are ${Object.keys(names).join(', ')}`)
  return offset as Cell<string>
}
