import { join } from 'node:path'
import { ColumnsWriter } from '../../arrow/columnsWriter.ts'
import { LEVEL_CELLS } from '../../market/depth.ts'
import { assert } from '../../unit/assert.ts'
import { type DepthColumns, depthColumns } from './depthColumns.ts'
import { depthFaultOf, firstDepthFault } from './depthFaults.ts'
import { DEPTH_BATCH_ROWS, DEPTH_VERSION, depthTableOf } from './depthTable.ts'
import { type DepthBatch, type DepthPartHead, lastName } from './storeHead.ts'

const NO_TIME = NaN

/** Writes a part of a store's depth and what it leaves behind: rows of a day, in order. */
export class DepthPartWriter {
  private declare readonly folder: string
  private declare readonly name: string
  private declare readonly levels: number
  private declare readonly tickers: readonly string[]
  private declare readonly writer: ColumnsWriter
  private declare readonly columns: DepthColumns
  /** The latest row of each market. */
  private declare readonly latest: DepthColumns
  private readonly batches: DepthBatch[] = []
  private rows = 0

  /** @param tickers of its markets, in order: rows name them by their place. */
  constructor(folder: string, name: string, levels: number, tickers: readonly string[]) {
    this.folder = folder
    this.name = name
    this.levels = levels
    this.tickers = tickers
    this.columns = depthColumns(levels, DEPTH_BATCH_ROWS)
    this.latest = depthColumns(levels, tickers.length)
    this.latest.atUs.fill(NO_TIME)
    this.writer = this.writerOf(name, DEPTH_BATCH_ROWS)
  }

  /** Takes row `from` of a block. @param market its place in `tickers`. */
  take(block: DepthColumns, from: number, market: number): void {
    const { columns, latest, rows } = this
    columns.atUs[rows] = latest.atUs[market] = block.atUs[from]!
    columns.market[rows] = latest.market[market] = market
    for (let cell = 0; cell < block.cells.length; cell++) columns.cells[cell]![rows] = latest.cells[cell]![market] = block.cells[cell]![from]!
    if (++this.rows === DEPTH_BATCH_ROWS) this.flush()
  }

  /** Completes the files. Null, and no file, for a part without rows. */
  finish(): DepthPartHead | null {
    if (this.rows > 0) this.flush()
    if (this.batches.length === 0) {
      this.abort()
      return null
    }
    this.writer.finish()
    const markets = this.writeLast()
    return {
      name: this.name, rows: this.batches.reduce((sum, { rows }) => sum + rows, 0), firstUs: this.batches[0]!.firstUs, lastUs: this.batches.at(-1)!.lastUs, markets, batches: this.batches,
    }
  }

  /** Gives the part up. Harmless after `finish`. */
  abort(): void {
    this.writer.abort()
  }

  private writerOf(name: string, batchRows: number): ColumnsWriter {
    return new ColumnsWriter(depthTableOf(this.levels, this.tickers), join(this.folder, name), { version: String(DEPTH_VERSION) }, { batchRows, isCompressed: true, isDurable: false })
  }

  /** Writes the latest row of each market that has one, in order of ticker. Returns how many there are. */
  private writeLast(): number {
    const { latest, tickers } = this
    const places = tickers.flatMap((_, market) => (Number.isNaN(latest.atUs[market]) ? [] : [market]))
    const words = (column: Int32Array): Int32Array => Int32Array.from(places, (market) => column[market]!)
    const writer = this.writerOf(lastName(this.name), places.length)
    try {
      writer.batch([Float64Array.from(places, (market) => latest.atUs[market]!), words(latest.market), ...latest.cells.map(words)], places.length)
      writer.finish()
    } catch (error) {
      writer.abort()
      throw error
    }
    return places.length
  }

  private flush(): void {
    const { columns, rows } = this
    assert(columns.cells.length === this.levels * LEVEL_CELLS, 'a column for each cell of each level')
    const fault = firstDepthFault(columns, rows, this.tickers.length)
    assert(fault < 0, `a row for ${this.name}: ${depthFaultOf(columns, Math.max(0, fault), this.tickers.length)}`)
    this.writer.batch([columns.atUs, columns.market, ...columns.cells], rows)
    this.batches.push({ rows, firstUs: columns.atUs[0]!, lastUs: columns.atUs[rows - 1]! })
    this.rows = 0
  }
}
