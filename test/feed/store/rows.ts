import type { ImportReport } from '../../../src/feed/importReport.ts'
import { type MarketDraft, NOT_STATED } from '../../../src/feed/marketDraft.ts'
import type { StoreHead } from '../../../src/feed/store/storeHead.ts'
import { type StoreContent, StoreWriter, type StoreWriting } from '../../../src/feed/store/storeWriter.ts'
import type { Ticks } from '../../../src/market/ticks.ts'

/** 2025-06-19 00:00 UTC. */
export const DAY = 1_750_291_200_000_000
export const DAY_US = 86_400_000_000

/** Stamp, market, bid, ask, sizes and last price. */
export type Row = readonly [atUs: number, market: number, bidE6: number, askE6: number, bidSize: number, askSize: number, lastE6: number]

export const draftOf = (ticker: string, rest: Partial<MarketDraft> = {}): MarketDraft =>
  ({ ...NOT_STATED, ticker, venue: 'venue_b', event: 'E', series: 'S', category: 'sports', title: ticker, exclusionKeys: ['event:E'], openUs: DAY, ...rest })

export const contentOf = (markets: readonly MarketDraft[], report: Partial<ImportReport> = {}): StoreContent => ({
  markets,
  report: ({ ticks, afterClose }) => ({
    format: 'made', files: [], inputRows: ticks, acceptedRows: ticks, quarantinedRows: 0, troubles: [], markets: markets.length, ticks, coverage: { afterClose }, ...report,
  }),
})

/** Writes rows, in the order in which they come, as a store. */
export async function writeRows(path: string, markets: readonly MarketDraft[], rows: readonly Row[], options: StoreWriting = {}, report: Partial<ImportReport> = {}): Promise<StoreHead> {
  const writer = await StoreWriter.begin(path, options)
  try {
    for (const row of rows) writer.add(...row)
    return await writer.finish(contentOf(markets, report))
  } catch (error) {
    throw writer.giveUp(error)
  }
}

export const rowsOf = ({ count, atUs, market, bidE6, askE6, bidSize, askSize, lastE6 }: Ticks): Row[] =>
  Array.from({ length: count }, (_, i): Row => [atUs[i]!, market[i]!, bidE6[i]!, askE6[i]!, bidSize[i]!, askSize[i]!, lastE6[i]!])
