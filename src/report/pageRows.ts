import type { RunTables, TableRows } from '../score/runTables.ts'

/** Calls `read` with every batch of a table. A run of an older version may not have the table, and then there is no call. */
export function eachBatch(tables: RunTables, name: string, read: (batch: TableRows) => void): void {
  if (tables.has(name)) for (const batch of tables.batches(name)) read(batch)
}

/** A column as numbers, NaN where it is empty. */
export function numbersOf(batch: TableRows, name: string): Float64Array {
  const { numbers, valid } = batch.column(name)
  const read = new Float64Array(numbers!)
  if (valid !== null) for (let row = 0; row < read.length; row++) if (valid[row] === 0) read[row] = NaN
  return read
}

/** The same, but all NaN for an older run without such a column. */
export function laterNumbersOf(batch: TableRows, name: string): Float64Array {
  try {
    return numbersOf(batch, name)
  } catch {
    return new Float64Array(batch.rowCount).fill(NaN)
  }
}

/** A column of names; null where a cell is empty. */
export function namesOf(batch: TableRows, name: string): (string | null)[] {
  const { codes, values } = batch.column(name)
  return Array.from(codes!, (code) => (code < 0 ? null : values![code]!))
}

/** Numbers of names in a list; −1 where the cell is empty or not in the list. */
export function indicesOf(batch: TableRows, name: string, list: readonly string[]): Int32Array {
  const { codes, values } = batch.column(name)
  const indices = values!.map((value) => list.indexOf(value))
  return codes!.map((code) => (code < 0 ? -1 : indices[code]!))
}

/** Numbers with the greatest counts, at most `most` of them: the greater count first, of equal ones the lower number. */
export const greatest = (counts: ReadonlyMap<number, number>, most: number): number[] =>
  [...counts].sort(([a, ofA], [b, ofB]) => ofB - ofA || a - b).slice(0, most).map(([number]) => number)
