import type { TypedColumn } from './snapshot.ts'

/** A copy of a column with twice its length, or with length `atLeast` where that is more. The rest is zero. */
export function widened<C extends TypedColumn>(column: C, atLeast = 0): C {
  const wider = new (column.constructor as new (length: number) => C)(Math.max(atLeast, column.length * 2))
  wider.set(column as never)
  return wider
}
