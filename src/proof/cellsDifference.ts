import { readTable, type Table } from '../arrow/tableReader.ts'
import { parquetRows } from '../feed/parquetRows.ts'
import { plural, thousands } from '../unit/numberText.ts'
import { isoOfTimeUs } from '../unit/time.ts'
import { type Difference, moreText, NOTHING } from './difference.ts'

type Cell = string | number | bigint | boolean | null

interface Column {
  /** Its type, and what it says about itself. */
  readonly head: string
  readonly at: (row: number) => Cell
  readonly shown: (cell: Cell) => string
}

/** The cells of a file, of whichever format. */
interface Cells {
  readonly names: readonly string[]
  readonly rowCount: number
  readonly metadata: Readonly<Record<string, string>>
  readonly column: (name: string) => Column
}

const quoted = (cell: Cell): string => (typeof cell === 'string' ? JSON.stringify(cell) : Object.is(cell, -0) ? '-0' : String(cell))

/** Where two Arrow tables differ: their cells, or else their columns and metadata; null where all of these are the same. Throws InputError for what is no table. */
export const arrowDifference = (found: string, expected: string): Difference | null => cellsDifference(arrowCells(readTable(found)), arrowCells(readTable(expected)))

/** The same of two Parquet files, which have no metadata that are compared. */
export async function parquetDifference(found: string, expected: string): Promise<Difference | null> {
  const [cells, expectedCells] = await Promise.all([parquetCells(found), parquetCells(expected)])
  return cellsDifference(cells, expectedCells)
}

function arrowCells(table: Table): Cells {
  return {
    names: table.columnNames, rowCount: table.rowCount, metadata: table.metadata,
    column: (name) => {
      const { type, about, valid, numbers, codes, values, texts } = table.column(name)
      const cellAt = (row: number): Cell => {
        if (valid !== null && valid[row] === 0) return null
        if (codes !== undefined) return values![codes[row]!] ?? null
        return texts === undefined ? numbers![row]! : texts[row]!
      }
      return { head: `${type}: ${about}`, at: cellAt, shown: type === 'timeUs' ? (cell) => (typeof cell === 'number' ? isoOfTimeUs(cell) : quoted(cell)) : quoted }
    },
  }
}

async function parquetCells(path: string): Promise<Cells> {
  const { columns, rows } = await parquetRows(path)
  return { names: columns, rowCount: rows.length, metadata: {}, column: (name) => ({ head: '', at: (row) => (rows[row]![name] ?? null) as Cell, shown: quoted }) }
}

function cellsDifference(found: Cells, expected: Cells): Difference | null {
  const rows = found.rowCount === expected.rowCount ? '' : `${plural(found.rowCount, 'row')}, expected ${thousands(expected.rowCount)}`
  if (found.names.join('\n') !== expected.names.join('\n')) {
    return { at: 'columns', found: namesBeside(found.names, expected.names), expected: namesBeside(expected.names, found.names), more: rows }
  }
  const both = Math.min(found.rowCount, expected.rowCount)
  let first: Omit<Difference, 'more'> | null = null
  let [firstRow, count] = [Infinity, 0]
  for (const name of found.names) {
    const [column, expectedColumn] = [found.column(name), expected.column(name)]
    if (column.head !== expectedColumn.head) return { at: `column ${name}`, found: column.head, expected: expectedColumn.head, more: rows }
    for (let row = 0; row < both; row++) {
      const [cell, expectedCell] = [column.at(row), expectedColumn.at(row)]
      if (Object.is(cell, expectedCell)) continue
      count++
      if (row >= firstRow) continue
      firstRow = row
      first = { at: `row ${thousands(row + 1)}, column ${name}`, found: column.shown(cell), expected: expectedColumn.shown(expectedCell) }
    }
  }
  if (first !== null) return { ...first, more: rows === '' ? (count === 1 ? '' : moreText(count - 1, 'cell')) : rows }
  if (rows !== '') return { at: 'rows', found: thousands(found.rowCount), expected: thousands(expected.rowCount), more: '' }
  return metadataDifference(found.metadata, expected.metadata)
}

/** The names of a list that the other has not, or all of them where only their order differs. */
function namesBeside(names: readonly string[], others: readonly string[]): string {
  const own = names.filter((name) => !others.includes(name))
  if (own.length > 0) return own.join(', ')
  return others.every((name) => names.includes(name)) ? names.join(', ') : NOTHING
}

function metadataDifference(found: Cells['metadata'], expected: Cells['metadata']): Difference | null {
  const key = [...Object.keys(expected), ...Object.keys(found)].find((name) => found[name] !== expected[name])
  return key === undefined ? null : { at: `metadata ${key}`, found: found[key] ?? NOTHING, expected: expected[key] ?? NOTHING, more: '' }
}
