import type { FileTally } from '../importTally.ts'
import { type Cells, ValueCells } from '../rows/cells.ts'
import type { OfferedObjects } from '../rows/objectAccount.ts'
import type { PieceEnds, RowBatch, RowTable, TablePiece } from '../rows/rowBatch.ts'
import type { TickSink } from '../tickSink.ts'
import { DepthBooks } from './depthBooks.ts'
import { DepthRows } from './depthRows.ts'
import { AskedColumns, RowFilter } from './fields.ts'
import type { Mapping, MappingSection } from './mapping.ts'
import { MarketList } from './marketList.ts'
import type { LastTicks } from './lastTicks.ts'
import { MarketRows } from './marketRows.ts'
import type { SectionRows } from './sectionRows.ts'
import { TopRows, TradeRows } from './topRows.ts'
import type { TradeShelf } from './tradeShelf.ts'

/** Columns that a file of a section has: of each list one. */
export function neededColumns(mapping: Mapping, section: MappingSection): readonly (readonly string[])[] {
  if (section.needs !== null) return section.needs.map((column) => [column])
  const columns = new AskedColumns()
  const list = new MarketList()
  const nowhere: TickSink = { add() {}, count: 0 }
  readersOf(section, { mapping, list, sink: nowhere, books: new DepthBooks(list, nowhere, false) }, columns)
  return columns.needed
}

/** Where the rows of a section go. */
export interface Reading {
  readonly mapping: Mapping
  readonly list: MarketList
  readonly books: DepthBooks
  readonly sink: TickSink
  readonly shelf?: TradeShelf | undefined
  readonly last?: LastTicks | undefined
}

function rowsOf(section: MappingSection, { mapping, list, books, sink, shelf, last }: Reading, columns: AskedColumns): SectionRows {
  const tools = { columns, list, sink, shelf, last, venues: mapping.venues }
  switch (section.kind) {
    case 'quotes':
    case 'candles': return new TopRows(section, tools)
    case 'trades': return new TradeRows(section, tools)
    case 'depth': return new DepthRows(section, tools, books)
    default: return new MarketRows(section, tools, mapping.venues)
  }
}

export const readersOf = (section: MappingSection, reading: Reading, columns: AskedColumns) =>
  ({ rows: rowsOf(section, reading, columns), filter: new RowFilter(section, columns.place) })

/** The rows of a table, or of a piece of it. Columns that it lacks are empty. Only a table that is read as a whole has objects that are offered. */
export async function* batchesOf(table: RowTable, columns: readonly string[], tally: FileTally, piece: { readonly of: TablePiece; readonly ends: PieceEnds } | null = null, offered?: OfferedObjects): AsyncGenerator<RowBatch, void> {
  const there = columns.filter((column) => table.has(column))
  const places = columns.map((column) => there.indexOf(column))
  const batches = piece === null ? table.batches(there, tally, offered) : table.pieceBatches!(there, tally, piece.of, piece.ends)
  for await (const batch of batches) {
    if (there.length === columns.length) yield batch
    else yield { ...batch, cells: places.map((place) => (place < 0 ? NO_CELLS : batch.cells[place]!)) }
  }
}

const NO_CELLS: Cells = new ValueCells([])
