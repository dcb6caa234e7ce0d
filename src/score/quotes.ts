import type { ClusteredSums } from './clusteredSums.ts'
import { MakerColumn } from './columns.ts'
import type { FailedFills } from './failedFills.ts'
import { WinCurves } from './winCurve.ts'
import type { RequestVersions } from './requests.ts'
import { codesIn, type Names, orNaN, type RunTables, type TableRows } from './runTables.ts'

const STATES = ['filled', 'open', 'failed'] as const
const [FILLED, OPEN, FAILED] = [0, 1, 2] as const

/** The values that a filled quote rested on, NaN where they are not known. */
export interface FilledQuote {
  readonly fair: number
  readonly fairProduct: number
  /** V at submission, and the product of the legs' values. */
  readonly reference: number
  readonly product: number
  readonly rivals: number
}

/** One pass over the quotes: how many there are, on how many versions, how many were filled, and the win curves. */
export class Quotes {
  count = 0
  readonly byMaker: Float64Array
  /** By maker: confirmed quotes whose fill failed on the chain. They are no fills. */
  readonly chainFailed: Float64Array
  /** Filled quotes by number. */
  readonly filled = new Map<number, FilledQuote>()
  readonly curves: WinCurves
  private readonly failed: FailedFills
  private readonly sums: ClusteredSums
  private readonly versions: RequestVersions
  private readonly makerCount: number
  /** Bits by version and maker: the maker quoted the version. Then: its quote was filled, lost or failed. */
  private readonly quoted: Uint8Array
  private readonly committed: Uint8Array

  constructor(tables: RunTables, makers: Names, versions: RequestVersions, failed: FailedFills, sums: ClusteredSums) {
    this.makerCount = makers.list.length
    this.failed = failed
    this.byMaker = new Float64Array(this.makerCount)
    this.chainFailed = new Float64Array(this.makerCount)
    this.curves = new WinCurves(this.makerCount)
    this.sums = sums
    this.versions = versions
    const bytes = Math.ceil(versions.count * this.makerCount / 8)
    this.quoted = new Uint8Array(bytes)
    this.committed = new Uint8Array(bytes)
    for (const batch of tables.batches('quotes')) this.read(batch, makers.of(batch, 'maker'))
  }

  private read(batch: TableRows, makers: Int32Array): void {
    const { byMaker, curves, sums, versions } = this
    const quote = batch.numbers('quote', 'int64')
    const request = batch.numbers('request', 'int64')
    const version = batch.numbers('version', 'int32')
    const stake = batch.numbers('net_stake_micros', 'micros')
    const risk = batch.numbers('risk_micros', 'micros')
    const rivals = batch.numbers('competing_quotes', 'int32')
    const lost = batch.numbers('traded_away', 'bool')
    const state = codesIn(STATES, batch, 'state')
    const [fair, fairProduct] = [orNaN(batch, 'fair'), orNaN(batch, 'fair_product')]
    const [reference, product] = [orNaN(batch, 'reference'), orNaN(batch, 'reference_product')]
    this.count += batch.rowCount
    for (let row = 0; row < batch.rowCount; row++) {
      const maker = makers[row]!
      const chosen = state[row] === FILLED
      const filled = chosen && !this.failed.hasQuote(quote[row]!)
      byMaker[maker]!++
      if (chosen && !filled) this.chainFailed[maker]!++
      if (filled) this.filled.set(quote[row]!, { fair: fair[row]!, fairProduct: fairProduct[row]!, reference: reference[row]!, product: product[row]!, rivals: rivals[row]! })
      const at = versions.find(request[row]!, version[row]!)
      if (at >= 0) {
        const cluster = versions.clusterOf(at)
        if (this.isFirst(this.quoted, at, maker)) sums.add(maker, cluster, MakerColumn.quotedVersions, 1)
        if (filled) sums.add(maker, cluster, MakerColumn.fills, 1)
        const isCommitted = chosen || lost[row] === 1 || state[row] === FAILED
        if (isCommitted && this.isFirst(this.committed, at, maker)) sums.add(maker, cluster, MakerColumn.committedVersions, 1)
      }
      const margin = 100 * (stake[row]! / (stake[row]! + risk[row]!) - reference[row]!)
      if (state[row] === OPEN || Number.isNaN(margin)) curves.leave(maker)
      else curves.add(maker, margin, rivals[row]!, filled)
    }
  }

  /** Whether the maker's bit of the version is new in `seen`. Sets the bit. */
  private isFirst(seen: Uint8Array, version: number, maker: number): boolean {
    const bit = version * this.makerCount + maker
    const mask = 1 << (bit & 7)
    const at = Math.floor(bit / 8)
    if ((seen[at]! & mask) !== 0) return false
    seen[at]! |= mask
    return true
  }
}
