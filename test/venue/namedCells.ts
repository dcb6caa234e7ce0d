import { NONE } from '../../src/unit/none.ts'
import type { Cell, RowCells } from '../../src/venue/eventCells.ts'
import { EVENT_STRIDE, EventCell, readCell } from '../../src/venue/eventRows.ts'

/** What the cells of a kind of event row are called: name and offset. */
export type CellNames = Readonly<Record<string, number>>

/** The names of a kind, made ready for many rows. */
interface CellTable {
  readonly entries: readonly (readonly [name: string, cell: Cell<string>])[]
  /** Cells that the kind has no name for. */
  readonly nameless: readonly Cell<string>[]
}

const COMMON = new Set<number>(Object.values(EventCell))
const OFFSETS = Array.from({ length: EVENT_STRIDE }, (_, offset) => offset as Cell<string>)
const tables = new WeakMap<CellNames, CellTable>()

function tableOf(names: CellNames): CellTable {
  const known = tables.get(names)
  if (known !== undefined) return known
  const entries = Object.entries(names).map(([name, offset]) => [name, offset as Cell<string>] as const)
  const table = { entries, nameless: OFFSETS.filter((offset) => !COMMON.has(offset) && !entries.some(([, cell]) => cell === offset)) }
  tables.set(names, table)
  return table
}

/** Every cell of the row by its name, −1 where it is not set. Throws where a cell without a name is set. Cells of every kind of row are left out. */
export function cellsByName(row: RowCells, names: CellNames): Record<string, number> {
  const { entries, nameless } = tableOf(names)
  for (const cell of nameless) {
    if (readCell(row, cell) !== NONE) throw new Error(`a row has ${readCell(row, cell)} in cell ${cell}, which has no name among ${Object.keys(names).join(', ')}`)
  }
  const cells: Record<string, number> = {}
  for (const [name, cell] of entries) cells[name] = readCell(row, cell)
  return cells
}

/** The cells of the row that are set, by their names; throws where one has none. */
export const namedCells = (row: RowCells, names: CellNames): Record<string, number> =>
  Object.fromEntries(Object.entries(cellsByName(row, names)).filter(([, value]) => value !== NONE))

/** The cell called `name`; throws where there is none. Precondition: the row that it is used for has these names. */
export function cellNamed(names: CellNames, name: string): Cell<string> {
  const offset = names[name]
  if (offset === undefined) throw new Error(`no cell is called ${name}: there are ${Object.keys(names).join(', ')}`)
  return offset as Cell<string>
}
