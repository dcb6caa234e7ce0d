import { join } from 'node:path'
import { InputError } from '../../unit/inputError.ts'
import { isoOfTimeUs } from '../../unit/time.ts'
import type { MarketDraft } from '../marketDraft.ts'
import { DayRuns } from './dayRuns.ts'
import { DepthBuffer, type DepthColumns, depthRowBytes, depthRuns } from './depthColumns.ts'
import { DepthOverlap } from './depthOverlap.ts'
import { DepthPartWriter } from './depthPartWriter.ts'
import type { MarketCodes } from './marketCodes.ts'
import type { OpenStore } from './openStore.ts'
import type { OverlapRule } from './overlap.ts'
import type { RunKind } from './runColumns.ts'
import { mergeRuns } from './runMerge.ts'
import { dayOf, type DepthPartHead, depthName } from './storeHead.ts'

/** Rows that are sorted at once have so many bytes, and as many again while they are sorted. */
const RUN_BYTES = 80_000_000
/** Sorted rows that wait on the disk to be merged. */
const SPILL_FILE = 'depth.bin'

/** What is known when all rows have been added. */
export interface DepthContent {
  readonly before: OpenStore | null
  readonly number: number
  /** Rows name them by their place. */
  readonly markets: readonly MarketDraft[]
  readonly codes: MarketCodes
  readonly rule: OverlapRule
}

/** Writes the depth of a store from rows that come in any order, as `StoreWriter` writes its ticks. */
export class DepthWriter {
  declare readonly levels: number
  count = 0
  private declare readonly folder: string
  private declare readonly kind: RunKind<DepthColumns>
  private declare readonly runs: DayRuns<DepthColumns>
  private declare readonly buffer: DepthBuffer
  private declare readonly runRows: number

  /** @param folder of the generation. @param runRows the most rows that are sorted in memory at once. */
  constructor(levels: number, folder: string, runRows = Math.floor(RUN_BYTES / depthRowBytes(levels))) {
    this.levels = levels
    this.folder = folder
    this.kind = depthRuns(levels)
    this.runs = new DayRuns(this.kind, join(folder, SPILL_FILE))
    this.buffer = new DepthBuffer(levels)
    this.runRows = runRows
  }

  add(atUs: number, market: number, levels: Int32Array): void {
    if (this.buffer.count === this.runRows) this.spill(false)
    this.buffer.add(atUs, market, levels)
    this.count++
  }

  /** Merges what was added into parts. Throws InputError for books that contradict those of the store. */
  finish({ before, number, markets, codes, rule }: DepthContent): DepthPartHead[] {
    this.spill(true)
    const numbers = new Map(before?.catalogue.markets.map(({ ticker, number: known }) => [ticker, known]))
    const numberOf = Int32Array.from(markets, ({ ticker }) => numbers.get(ticker) ?? -1)
    const parts = this.runs.days.flatMap((day) => {
      const { tickers, codeOf } = codes.of(this.runs.marketsOf(day))
      const old = before?.depth?.parts.filter(({ firstUs }) => dayOf(firstUs) === day) ?? []
      const overlap = old.length === 0 ? null : new DepthOverlap(before!, old, numberOf, rule)
      const part = new DepthPartWriter(this.folder, depthName(day, number), this.levels, tickers)
      try {
        mergeRuns(this.kind, this.runs.runsOf(day), this.runRows, (block, from, to) => {
          for (let row = from; row < to; row++) if (overlap === null || overlap.isNew(block, row)) part.take(block, row, codeOf[block.market[row]!]!)
        })
        if (rule === 'refuse' && overlap !== null && overlap.different > 0) refuse(overlap, before!.path, markets)
        return part.finish() ?? []
      } catch (error) {
        part.abort()
        throw error
      }
    })
    this.close()
    return parts
  }

  /** Removes what lies on the disk. */
  close(): void {
    this.runs.close()
  }

  private spill(isLast: boolean): void {
    this.runs.take(this.buffer, isLast)
    this.buffer.count = 0
  }
}

function refuse({ different, first }: DepthOverlap, path: string, markets: readonly MarketDraft[]): never {
  const { market, atUs } = first!
  throw new InputError(`${different} books have other levels than the store has of the same market and instant; the first is of ${markets[market]!.ticker} at ${isoOfTimeUs(atUs)}`, {
    position: { file: path }, hint: '--overlap first keeps those of the store, --overlap last lets these follow them',
  })
}
