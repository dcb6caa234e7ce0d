import { BatchFile, type CheckOpen } from '../../arrow/batchFile.ts'
import type { DepthRows } from '../../market/depth.ts'
import { InputError } from '../../unit/inputError.ts'
import { type DepthColumns, depthColumns } from './depthColumns.ts'
import { depthFaultOf, firstDepthFault } from './depthFaults.ts'
import { levelColumns } from './depthTable.ts'
import { type DepthBatch, type DepthPartHead, STORE_FILE } from './storeHead.ts'

/** A file of a store's depth, batch by batch. Markets are numbered as the store's catalogue numbers them. */
export class PartDepth {
  private declare readonly file: BatchFile
  private declare readonly columns: readonly string[]
  /** The number of a market by the file's own code of it. */
  private declare readonly numberOf: Int32Array
  private declare readonly batches: readonly DepthBatch[]
  private declare readonly head: DepthPartHead
  private declare readonly isByMarket: boolean

  /**
   * Throws InputError for a file that is no such table, that has markets which `numberOf` does not know, or that is not as its head says.
   * @param check refuses a file that is open and that is not the store's.
   * @param isByMarket whether it is what a part leaves behind: a row of each market, in any order of time.
   */
  constructor(path: string, head: DepthPartHead, levels: number, numberOf: (ticker: string) => number | undefined, check: CheckOpen, isByMarket = false) {
    this.file = BatchFile.open(path, check)
    this.head = head
    this.isByMarket = isByMarket
    this.columns = levelColumns(levels)
    this.numberOf = Int32Array.from(this.file.valuesOf('market'), (ticker) => numberOf(ticker) ?? this.fail(`it has books of ${ticker}, which no file of markets has`))
    this.batches = (isByMarket ? undefined : head.batches) ?? Array.from({ length: this.file.batchCount }, (_, i) => this.extentOf(i))
    const rows = this.batches.reduce((sum, batch) => sum + batch.rows, 0)
    if (this.batches.length !== this.file.batchCount || rows !== head.rows) this.fail(`it has ${this.file.batchCount} batches and ${rows} rows, and ${STORE_FILE} says otherwise`)
    if (isByMarket) return
    this.batches.forEach(({ firstUs, lastUs }, i) => {
      const afterUs = i === 0 ? head.firstUs : this.batches[i - 1]!.lastUs
      if (!(firstUs >= afterUs && lastUs >= firstUs)) this.fail(`batch ${i + 1} begins before the one before ends`)
    })
    if (this.batches.at(-1)!.lastUs > head.lastUs) this.fail(`it ends after the instant in ${STORE_FILE}`)
  }

  get batchHeads(): readonly DepthBatch[] {
    return this.batches
  }

  /** Rows of a batch. Throws InputError, with the row, for books that a store may not have. */
  read(index: number): DepthRows {
    const { rows: count, firstUs, lastUs } = this.batches[index]!
    const table = this.file.batch(index)
    if (table.rowCount !== count) this.fail(`batch ${index + 1} has ${table.rowCount} rows, and ${STORE_FILE} says ${count}`)
    const atUs = table.numbers('at', 'timeUs') as Float64Array
    const found: DepthColumns = { atUs, market: table.codesOf('market'), cells: this.columns.map((name) => table.numbers(name, 'int32') as Int32Array) }
    const markets = this.numberOf.length
    const row = firstDepthFault(found, count, markets, this.isByMarket)
    if (row >= 0) this.fail(`row ${this.batches.slice(0, index).reduce((sum, { rows }) => sum + rows, 0) + row + 1}: ${depthFaultOf(found, row, markets)}`)
    if (!this.isByMarket && count > 0 && (atUs[0]! < firstUs || atUs[count - 1]! > lastUs)) this.fail(`batch ${index + 1} has rows outside of the time that ${STORE_FILE} says`)
    return { count, ...found, market: found.market.map((code) => this.numberOf[code]!) }
  }

  /** What a part leaves behind: the rows of all batches, by market. Throws InputError for two rows of a market, and for an instant outside of the part. */
  last(): DepthRows {
    const { firstUs, lastUs } = this.head
    const pieces = this.batches.map((_, batch) => this.read(batch))
    for (const { count, atUs } of pieces) for (let row = 0; row < count; row++) if (!(atUs[row]! >= firstUs && atUs[row]! <= lastUs)) this.fail(`it has a row of ${atUs[row]}, outside of its part`)
    const all = lastRows(this.columns.length, pieces, Math.max(0, ...this.numberOf) + 1)
    if (all.count !== this.head.rows) this.fail('it has two rows of one market')
    return all
  }

  private extentOf(index: number): DepthBatch {
    const at = this.file.batch(index).numbers('at', 'timeUs') as Float64Array
    if (at.length === 0) this.fail(`batch ${index + 1} has no rows`)
    return { rows: at.length, firstUs: at[0]!, lastUs: at.at(-1)! }
  }

  private fail(message: string): never {
    throw new InputError(message, { position: { file: this.file.path }, hint: 'import the history again' })
  }
}

/** The last row of each market of pieces that follow each other, by market. */
function lastRows(cellCount: number, pieces: Iterable<DepthRows>, marketCount: number): DepthRows {
  const latest = depthColumns(0, marketCount)
  const cells = Array.from({ length: cellCount }, () => new Int32Array(marketCount))
  latest.atUs.fill(NaN)
  for (const { count, atUs, market, cells: from } of pieces) {
    for (let row = 0; row < count; row++) {
      const m = market[row]!
      latest.atUs[m] = atUs[row]!
      for (let cell = 0; cell < cellCount; cell++) cells[cell]![m] = from[cell]![row]!
    }
  }
  const markets = Array.from({ length: marketCount }, (_, market) => market).filter((market) => !Number.isNaN(latest.atUs[market]))
  const words = (column: Int32Array): Int32Array => Int32Array.from(markets, (market) => column[market]!)
  return { count: markets.length, atUs: Float64Array.from(markets, (market) => latest.atUs[market]!), market: Int32Array.from(markets), cells: cells.map(words) }
}

/** What batches that follow each other leave behind, by market. */
export const lastDepthByRows = (levels: number, batches: readonly (() => DepthRows)[], marketCount: number): DepthRows =>
  lastRows(levelColumns(levels).length, (function* () { for (const read of batches) yield read() })(), marketCount)
