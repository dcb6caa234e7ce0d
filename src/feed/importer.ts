import type { Market } from '../market/market.ts'
import type { Ticks } from '../market/ticks.ts'
import type { ImportReport } from './importReport.ts'
import type { ImportTally } from './importTally.ts'
import type { MarketDraft } from './marketDraft.ts'
import type { TickSink } from './tickSink.ts'

/** An import that is in memory. */
export interface ImportResult {
  /** Numbers are dense from 0, in order of ticker. */
  readonly markets: readonly Market[]
  /** Sorted by (atUs, order of arrival in the source). */
  readonly ticks: Ticks
  readonly report: ImportReport
}

/** What an importer knows when it has read everything. */
export interface ImportedMarkets {
  /** Ticks name them by their place. */
  readonly markets: readonly MarketDraft[]
  /** What it counted of its source, beside what holds for every format (`reportOf`). */
  readonly coverage?: Readonly<Record<string, number>>
}

/** What the store that is added to has already, if there is one, and which of two facts holds. */
export interface KnownMarkets {
  /** Whether what an import states of a market holds where it contradicts the store, or a row before. Otherwise the first stays. */
  readonly isLaterHeld: boolean
  marketOf(ticker: string): MarketDraft | undefined
  /** From when on a market has a book in the store, µs; Infinity for one that has none. It may be as early as the market's first price of that day. */
  bookFromUs(ticker: string): number
  /** Whether the store has prices or empty books of a market. */
  hasTicks(ticker: string): boolean
}

/** Reads files of one format. Throws InputError for files that are missing, unreadable or of another format. */
export interface Importer {
  readonly format: string
  /** One line for `parlor import --help`. */
  readonly about: string
  /** Reads files, as far as they are files of the format: ticks go to `ticks` in order of arrival, and every row into the account of `tally`. What is left out of a draft ('' and no keys) is not stated. */
  read(files: readonly string[], ticks: TickSink, tally: ImportTally, known?: KnownMarkets): Promise<ImportedMarkets>
}
