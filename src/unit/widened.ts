import type { TypedColumn } from './snapshot.ts'

/** A longer copy of a column, twice its length or `atLeast`, whichever is more; the rest is zero. */
export function widened<C extends TypedColumn>(column: C, atLeast = 0): C {
  const wider = new (column.constructor as new (length: number) => C)(Math.max(atLeast, column.length * 2))
  wider.set(column as never)
  return wider
}
