import { Bug } from '../unit/assert.ts'
import { NONE } from '../unit/none.ts'

/** A cell with a value, of a column that may be empty. NaN would silently leave the cell empty, and is a bug here. */
export function present(value: number): number {
  // The comparison is false for NaN and for undefined, which a read beyond the end of an array gives.
  if (!(value <= Infinity)) throw new Bug('a cell that has a value is NaN')
  return value
}

/** A cell that is empty where the value is −1, the machines' "none". An unknown probability is NaN already and needs no conversion. */
export const orEmpty = (value: number): number => (value === NONE ? NaN : present(value))

/** Copies the cells of a row. A loop: TypedArray.prototype.set costs several times as much for so few cells. */
export function copyCells(from: Float64Array, first: number, to: Float64Array, at: number, count: number): void {
  for (let i = 0; i < count; i++) to[at + i] = from[first + i]!
}
