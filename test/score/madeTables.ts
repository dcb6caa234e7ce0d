import type { RunTables } from '../../src/score/runTables.ts'

export type Row = Readonly<Record<string, number | string | null>>

/** Tables of these rows, in which a text is a word of a dictionary, and null an empty cell. */
export function tablesOf(tables: Readonly<Record<string, readonly Row[]>>, metadata: Readonly<Record<string, string>> = {}): RunTables {
  const batches = (table: string) => {
    const rows = tables[table]!
    const columnOf = (name: string) => {
      const cells = rows.map((row) => row[name] ?? null)
      const values = [...new Set(cells.filter((cell) => typeof cell === 'string'))]
      return {
        values, codes: Int32Array.from(cells, (cell) => values.indexOf(cell as string)), numbers: Float64Array.from(cells, (cell) => (typeof cell === 'number' ? cell : 0)),
        valid: Uint8Array.from(cells, (cell) => (cell === null ? 0 : 1)),
      }
    }
    return [{ rowCount: rows.length, column: columnOf, numbers: (name: string) => columnOf(name).numbers }]
  }
  const open = (table: string) => ({ metadata, has: (name: string) => tables[table]!.some((row) => name in row) })
  return { batches, open, has: (table: string) => table in tables } as unknown as RunTables
}
