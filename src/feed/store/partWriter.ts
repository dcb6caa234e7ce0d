import { join } from 'node:path'
import { ColumnsWriter } from '../../arrow/columnsWriter.ts'
import { assert } from '../../unit/assert.ts'
import { type TickColumns, tickColumns } from '../tickBuffer.ts'
import { LatestTicks, writeLast } from './latestTicks.ts'
import { lastName, type PartBatch, type PartHead } from './storeHead.ts'
import { faultOf, firstFault } from './tickFaults.ts'
import { BATCH_ROWS, ticksTableOf, TICKS_VERSION } from './ticksTable.ts'

/** Room for the ticks of a batch. */
export const batchColumns = (): TickColumns => tickColumns(BATCH_ROWS)

/** Writes a part of a store and what it leaves behind: ticks of a day, in order. */
export class PartWriter {
  private declare readonly folder: string
  private declare readonly name: string
  private declare readonly tickers: readonly string[]
  private declare readonly writer: ColumnsWriter
  private declare readonly latest: LatestTicks
  private declare readonly columns: TickColumns
  private readonly batches: PartBatch[] = []
  private rows = 0

  /**
   * @param tickers of its markets, in order: ticks name them by their place
   * @param columns room for the ticks of a batch (`batchColumns`), which one part after the other may use
   */
  constructor(folder: string, name: string, tickers: readonly string[], columns = batchColumns()) {
    this.columns = columns
    this.folder = folder
    this.name = name
    this.tickers = tickers
    this.latest = new LatestTicks(tickers.length)
    this.writer = new ColumnsWriter(ticksTableOf(tickers), join(folder, name), { version: String(TICKS_VERSION) }, { batchRows: BATCH_ROWS, isCompressed: true, isDurable: false })
  }

  /** Takes rows `from`…`to`−1 of a block. `codeOf` gives the place in `tickers` by the block's market. */
  take(block: TickColumns, from: number, to: number, codeOf: Int32Array): void {
    const { latest } = this
    for (let at = from; at < to;) {
      const { columns } = this
      const rows = Math.min(to - at, BATCH_ROWS - this.rows)
      for (let i = 0, row = this.rows; i < rows; i++, row++, at++) {
        const atUs = columns.atUs[row] = block.atUs[at]!
        const market = columns.market[row] = codeOf[block.market[at]!]!
        const bidE6 = columns.bidE6[row] = block.bidE6[at]!
        const askE6 = columns.askE6[row] = block.askE6[at]!
        const bidSize = columns.bidSize[row] = block.bidSize[at]!
        const askSize = columns.askSize[row] = block.askSize[at]!
        const lastE6 = columns.lastE6[row] = block.lastE6[at]!
        latest.take(market, atUs, bidE6, askE6, bidSize, askSize, lastE6)
      }
      this.rows += rows
      if (this.rows === BATCH_ROWS) this.flush()
    }
  }

  /** Completes the files. Null, and no file, for a part without ticks. */
  finish(): PartHead | null {
    if (this.rows > 0) this.flush()
    if (this.batches.length === 0) {
      this.abort()
      return null
    }
    this.writer.finish()
    writeLast(join(this.folder, lastName(this.name)), this.tickers, this.latest)
    return {
      name: this.name,
      ticks: this.batches.reduce((sum, { ticks }) => sum + ticks, 0),
      firstUs: this.batches[0]!.firstUs,
      lastUs: this.batches.at(-1)!.lastUs,
      markets: this.latest.marketCount,
      batches: this.batches,
    }
  }

  /** Gives the part up. Harmless after `finish`. */
  abort(): void {
    this.writer.abort()
  }

  private flush(): void {
    const { columns: { atUs, market, bidE6, askE6, bidSize, askSize, lastE6 }, rows } = this
    const fault = firstFault(this.columns, rows, this.tickers.length)
    assert(fault < 0, `a tick for ${this.name}: ${faultOf(this.columns, Math.max(0, fault), this.tickers.length)}`)
    this.writer.batch([atUs, market, bidE6, askE6, bidSize, askSize, lastE6], rows)
    this.batches.push({ ticks: rows, firstUs: atUs[0]!, lastUs: atUs[rows - 1]! })
    this.rows = 0
  }
}
