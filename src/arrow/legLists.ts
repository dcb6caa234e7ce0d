import type { Table, TableColumn } from './tableReader.ts'

/** Legs of a table's rows: their markets and their sides, as columns of lists. */
export interface LegLists {
  readonly markets: TableColumn
  readonly sides: TableColumn
}

/** Legs that tables before schema version 5 had columns for: `market_1`, `side_1`, … They left out further legs. */
const LEG_COLUMNS_MAX = 8

/** The legs of a table of requests or positions, of a run of an older version too. Throws InputError where it has none. */
export function legListsOf(table: Pick<Table, 'rowCount' | 'has' | 'column'>): LegLists {
  if (table.has('leg_markets') || !table.has('market_1')) return { markets: table.column('leg_markets'), sides: table.column('leg_sides') }
  const legs = Array.from({ length: LEG_COLUMNS_MAX }, (_, i) => i + 1).filter((leg) => table.has(`market_${leg}`))
  return { markets: joined(legs.map((leg) => table.column(`market_${leg}`)), table.rowCount), sides: joined(legs.map((leg) => table.column(`side_${leg}`)), table.rowCount) }
}

/** One column of lists of several columns of words: the cells of a row that are not empty. */
function joined(columns: readonly TableColumn[], rows: number): TableColumn {
  const codeOf = new Map<string, number>()
  const translations = columns.map(({ values }) => values!.map((value) => {
    const code = codeOf.get(value) ?? codeOf.size
    codeOf.set(value, code)
    return code
  }))
  const codes: number[] = []
  const offsets = new Int32Array(rows + 1)
  for (let row = 0; row < rows; row++) {
    for (let i = 0; i < columns.length; i++) {
      const code = columns[i]!.codes![row]!
      if (code >= 0) codes.push(translations[i]![code]!)
    }
    offsets[row + 1] = codes.length
  }
  const { name, about } = columns[0]!
  return { name, about, type: 'enumList', valid: null, codes: Int32Array.from(codes), values: [...codeOf.keys()], offsets }
}
