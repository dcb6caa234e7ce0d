import type { TableWriter } from '../arrow/tableWriter.ts'
import { legColumnCount } from './tableShape.ts'

/** Sets a float cell, or leaves it empty when the value is NaN, our "unknown". */
export function floatOrNull(writer: TableWriter, column: number, value: number): void {
  if (!Number.isNaN(value)) writer.float(column, value)
}

/** The `market_1`, `side_1`, … cells from `firstColumn` on; legs beyond the columns are only counted. */
export function writeLegs(
  writer: TableWriter, firstColumn: number, markets: Int32Array, sides: Uint8Array, from: number, legCount: number,
): void {
  const shown = legColumnCount(legCount)
  for (let i = 0; i < shown; i++) {
    writer.code(firstColumn + 2 * i, markets[from + i]!)
    writer.code(firstColumn + 2 * i + 1, sides[from + i]!)
  }
}
