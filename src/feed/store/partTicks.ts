import { BatchFile } from '../../arrow/batchFile.ts'
import type { Ticks } from '../../market/ticks.ts'
import { InputError } from '../../unit/inputError.ts'
import { columnsFrom, tickColumns, type TickColumns } from '../tickBuffer.ts'
import { type PartBatch, type PartHead, STORE_FILE } from './storeHead.ts'
import { faultOf, firstFault } from './tickFaults.ts'

/** The ticks of a part of a store, batch by batch. Markets are numbered as the store's catalogue numbers them. */
export class PartTicks {
  private declare readonly file: BatchFile
  /** The number of a market by the part's own code of it. */
  private declare readonly numberOf: Int32Array
  private declare readonly batches: readonly PartBatch[]

  /**
   * Throws InputError for a file that is no part, that has markets which `numberOf` does not know, or that is not as its head says.
   * @param check refuses a file that is open and that is not the store's.
   */
  constructor(path: string, head: PartHead, numberOf: (ticker: string) => number | undefined, check: (file: number) => void) {
    this.file = BatchFile.open(path, check)
    this.numberOf = Int32Array.from(this.file.valuesOf('market'), (ticker) => numberOf(ticker) ?? this.fail(`it has ticks of ${ticker}, which no file of markets has`))
    this.batches = head.batches ?? Array.from({ length: this.file.batchCount }, (_, i) => this.extentOf(i))
    const ticks = this.batches.reduce((sum, batch) => sum + batch.ticks, 0)
    if (this.batches.length !== this.file.batchCount || ticks !== head.ticks) this.fail(`it has ${this.file.batchCount} batches and ${ticks} ticks, and ${STORE_FILE} says otherwise`)
    this.batches.forEach(({ firstUs, lastUs }, i) => {
      const afterUs = i === 0 ? head.firstUs : this.batches[i - 1]!.lastUs
      if (!(firstUs >= afterUs && lastUs >= firstUs)) this.fail(`batch ${i + 1} begins before the one before ends`)
    })
    if (this.batches.at(-1)!.lastUs > head.lastUs) this.fail(`it ends after the instant in ${STORE_FILE}`)
  }

  get batchHeads(): readonly PartBatch[] {
    return this.batches
  }

  /** Ticks of a batch, in `into` where it is given. Throws InputError, with the row, for ticks that a store may not have. */
  read(index: number, into?: TickColumns): Ticks {
    const { ticks: count, firstUs, lastUs } = this.batches[index]!
    const table = this.file.batch(index)
    if (table.rowCount !== count) this.fail(`batch ${index + 1} has ${table.rowCount} rows, and ${STORE_FILE} says ${count}`)
    const found: TickColumns = {
      atUs: table.numbers('at', 'timeUs') as Float64Array,
      market: table.codesOf('market'),
      bidE6: table.numbers('bid_e6', 'int32') as Int32Array,
      askE6: table.numbers('ask_e6', 'int32') as Int32Array,
      bidSize: table.numbers('bid_size', 'int32') as Int32Array,
      askSize: table.numbers('ask_size', 'int32') as Int32Array,
      lastE6: table.numbers('last_e6', 'int32') as Int32Array,
    }
    const row = firstFault(found, count, this.numberOf.length)
    if (row >= 0) this.fail(`row ${this.rowsBefore(index) + row + 1}: ${faultOf(found, row, this.numberOf.length)}`)
    if (count > 0 && (found.atUs[0]! < firstUs || found.atUs[count - 1]! > lastUs)) this.fail(`batch ${index + 1} has ticks outside of the time that ${STORE_FILE} says`)
    const to = into === undefined ? { ...found, market: tickColumns(0).market } : columnsFrom(into, 0, count)
    if (into !== undefined) copy(found, to)
    return { count, ...to, market: numbered(found.market, this.numberOf, into === undefined ? new Int32Array(count) : to.market) }
  }

  private extentOf(index: number): PartBatch {
    const at = this.file.batch(index).numbers('at', 'timeUs') as Float64Array
    if (at.length === 0) this.fail(`batch ${index + 1} has no rows`)
    return { ticks: at.length, firstUs: at[0]!, lastUs: at.at(-1)! }
  }

  private rowsBefore(index: number): number {
    return this.batches.slice(0, index).reduce((sum, { ticks }) => sum + ticks, 0)
  }

  private fail(message: string): never {
    throw new InputError(message, { position: { file: this.file.path }, hint: 'import the history again' })
  }
}

function copy(from: TickColumns, to: TickColumns): void {
  to.atUs.set(from.atUs)
  to.bidE6.set(from.bidE6)
  to.askE6.set(from.askE6)
  to.bidSize.set(from.bidSize)
  to.askSize.set(from.askSize)
  to.lastE6.set(from.lastE6)
}

function numbered(codes: Int32Array, numberOf: Int32Array, to: Int32Array): Int32Array {
  for (let i = 0; i < codes.length; i++) to[i] = numberOf[codes[i]!]!
  return to
}
