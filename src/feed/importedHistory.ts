import type { Market, MarketOutcome } from '../market/market.ts'
import { assert } from '../unit/assert.ts'
import { NEVER_US } from '../unit/time.ts'
import type { ImportedMarkets, Importer, ImportResult } from './importer.ts'
import type { ImportReport } from './importReport.ts'
import { ImportTally } from './importTally.ts'
import { catalogueOf, completed, type MarketDraft, numbersOf } from './marketDraft.ts'
import { TickBuffer } from './tickBuffer.ts'

/** What is counted of the ticks of an import. */
export interface TickCounts {
  readonly ticks: number
  /** Ticks after the scheduled close of their market. */
  readonly afterClose: number
  /** Ticks that the store had already, and that were left out. */
  readonly equal?: number
  /** Ticks that an earlier file of the import had, and that were left out. */
  readonly twice?: number
  /** Ticks that are others than the store or an earlier file has of the market and instant. */
  readonly different?: number
  /** Results that contradict the store, and that were left out. */
  readonly contradictions?: number
}

export const TICKS_AFTER_CLOSE = 'ticks after the scheduled close'
export const TICKS_KNOWN = 'ticks that the store had'

export const CONTRADICTIONS = 'results that contradict the store'

/** Closes the account of an import, whose markets have tickers of their own. */
export function reportOf(format: string, tally: ImportTally, { markets, coverage = {} }: ImportedMarkets, { ticks, afterClose, equal = 0, twice = 0, different = 0, contradictions = 0 }: TickCounts): ImportReport {
  const tickers = new Set(markets.map(({ ticker }) => ticker))
  assert(tickers.size === markets.length, 'two markets of an import have one ticker')
  return {
    format,
    ...tally.close(),
    markets: markets.length,
    ticks,
    coverage: {
      ...coverageOf(markets), [TICKS_AFTER_CLOSE]: afterClose, ...coverage,
      ...(equal > 0 ? { [TICKS_KNOWN]: equal } : {}),
      ...(twice > 0 ? { 'ticks that an earlier file had': twice } : {}),
      ...(different > 0 ? { 'ticks that contradict earlier ones': different } : {}),
      ...(contradictions > 0 ? { [CONTRADICTIONS]: contradictions } : {}),
    },
  }
}

/** An import of which everything is in memory: its markets numbered by ticker, and its ticks sorted. */
export function importedHistory(format: string, tally: ImportTally, drafts: readonly MarketDraft[], ticks: TickBuffer, coverage: Readonly<Record<string, number>> = {}): ImportResult {
  const whole = drafts.map(completed)
  const { markets } = catalogueOf(whole)
  const sorted = ticks.sorted(numbersOf(drafts))
  const afterClose = ticksAfterClose(markets, sorted.atUs, sorted.market)
  return { markets, ticks: sorted, report: reportOf(format, tally, { markets: whole, coverage }, { ticks: sorted.count, afterClose }) }
}

/** Reads files into memory. */
export async function importedFiles({ format, read }: Importer, files: readonly string[]): Promise<ImportResult> {
  const [ticks, tally] = [new TickBuffer(), new ImportTally()]
  const { markets, coverage } = await read(files, ticks, tally)
  return importedHistory(format, tally, markets, ticks, coverage)
}

/** Markets by what is known of them. */
export function coverageOf(markets: readonly MarketDraft[]): Record<string, number> {
  const count = (of: (market: MarketDraft) => boolean): number => markets.filter(of).length
  const resolved = (outcome: MarketOutcome): number => count((market) => market.outcome === outcome)
  return {
    'resolved yes': resolved('yes'),
    'resolved no': resolved('no'),
    'resolved void': resolved('void'),
    'resolved scalar': resolved('scalar'),
    unresolved: count((market) => market.outcome === null),
    'resolved without settlement time': count((market) => market.outcome !== null && market.settledUs === null),
    'without scheduled close': count((market) => market.scheduledCloseUs === null),
  }
}

function ticksAfterClose(markets: readonly Market[], atUs: Float64Array, market: Int32Array): number {
  const closeUs = markets.map(({ scheduledCloseUs }) => scheduledCloseUs ?? NEVER_US)
  let after = 0
  for (let i = 0; i < atUs.length; i += 1) if (atUs[i]! > closeUs[market[i]!]!) after += 1
  return after
}
