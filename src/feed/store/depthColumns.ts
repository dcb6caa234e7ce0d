import { type DepthRows, LEVEL_CELLS } from '../../market/depth.ts'
import type { Column, RunKind } from './runColumns.ts'

/** Columns of depth, of any length. */
export type DepthColumns = Omit<DepthRows, 'count'>

export const depthColumns = (levels: number, capacity: number): DepthColumns => ({
  atUs: new Float64Array(capacity), market: new Int32Array(capacity), cells: Array.from({ length: levels * LEVEL_CELLS }, () => new Int32Array(capacity)),
})

const listOf = ({ atUs, market, cells }: DepthColumns): readonly Column[] => [atUs, market, ...cells]
const ofList = ([atUs, market, ...cells]: readonly Column[]): DepthColumns => ({ atUs: atUs as Float64Array, market: market as Int32Array, cells: cells as Int32Array[] })

/** How many bytes a row has, so that as much memory is used whatever the levels are. */
export const depthRowBytes = (levels: number): number => 8 + 4 + levels * LEVEL_CELLS * 4

export const depthRuns = (levels: number): RunKind<DepthColumns> =>
  ({ make: (capacity) => depthColumns(levels, capacity), list: listOf, of: ofList })

const FIRST_ROWS = 1 << 10

/** Rows of depth in order of arrival. */
export class DepthBuffer implements DepthColumns {
  count = 0
  atUs = new Float64Array(FIRST_ROWS)
  market = new Int32Array(FIRST_ROWS)
  declare cells: Int32Array[]

  constructor(levels: number) {
    this.cells = depthColumns(levels, FIRST_ROWS).cells as Int32Array[]
  }

  add(atUs: number, market: number, levels: Int32Array): void {
    if (this.count === this.atUs.length) this.grow()
    const row = this.count++
    this.atUs[row] = atUs
    this.market[row] = market
    const { cells } = this
    for (let cell = 0; cell < cells.length; cell++) cells[cell]![row] = levels[cell]!
  }

  private grow(): void {
    const wider = <Of extends Column>(column: Of): Of => {
      const copy = new (column.constructor as new (length: number) => Of)(column.length * 2)
      copy.set(column)
      return copy
    }
    this.atUs = wider(this.atUs)
    this.market = wider(this.market)
    this.cells = this.cells.map(wider)
  }
}
