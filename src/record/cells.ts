import { legColumnCount } from './tableShape.ts'

const NONE = -1

/** A cell of a table: empty where the value is −1, the machines' "none". An unknown probability, NaN, is empty as it is. */
export const orEmpty = (value: number): number => (value === NONE ? NaN : value)

/** Copies the cells of a row. A loop: TypedArray.prototype.set costs several times as much for so few cells. */
export function copyCells(from: Float64Array, first: number, to: Float64Array, at: number, count: number): void {
  for (let i = 0; i < count; i++) to[at + i] = from[first + i]!
}

/** Sets the `market_1`, `side_1`, … cells from `first` on; legs beyond the columns are only counted. */
export function writeLegs(
  cells: Float64Array, first: number, markets: Int32Array, sides: Uint8Array, from: number, legCount: number,
): void {
  const shown = legColumnCount(legCount)
  for (let i = 0; i < shown; i++) {
    cells[first + 2 * i] = markets[from + i]!
    cells[first + 2 * i + 1] = sides[from + i]!
  }
}
