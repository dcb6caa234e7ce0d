import type { RowFormat, RowLayout } from '../rows/rowBatch.ts'
import type { NumberForm } from './numberText.ts'

/** What rows of a file are. */
export const MAPPING_KINDS = ['quotes', 'trades', 'candles', 'depth', 'markets', 'results'] as const
export type MappingKind = (typeof MAPPING_KINDS)[number]

export const TIME_UNITS = ['s', 'ms', 'us', 'ns'] as const
export type TimeUnit = (typeof TIME_UNITS)[number]

export const PRICE_UNITS = ['dollars', 'cents', 'probability', 'percent', 'american', 'decimal'] as const
export type PriceUnit = (typeof PRICE_UNITS)[number]

/** The services' own venues. */
export type ServiceVenue = 'venue_a' | 'venue_b'
/** Names of venues that need no `venues`. */
export const KNOWN_VENUES: Readonly<Record<string, ServiceVenue>> = { venue_a: 'venue_a', venue_b: 'venue_b', kalshi: 'venue_a', polymarket: 'venue_b' }

/** What of a column's text is taken: all before or after a mark, the first or the last one. Nothing where the mark is not there. */
export interface Cut {
  readonly side: 'before' | 'after'
  readonly mark: string
  readonly which: 'first' | 'last'
}

/** A text that is made of columns and of constant parts, in order. Of `firstOf` the first is taken that has something. */
export type TextField = readonly ({ readonly column: string; readonly cut?: Cut | undefined } | { readonly constant: string } | { readonly isFileName: true; readonly cut?: Cut | undefined } | { readonly firstOf: readonly TextField[] })[]

/** Columns of which the first is taken that has something. */
export type ColumnField = readonly string[]

export const CELL_TYPES = ['text', 'number'] as const

/** Columns with prices, of which the first is taken that has something. */
export type PriceField = readonly {
  readonly column: string
  /** Null where it is that of the part. */
  readonly unit: PriceUnit | null
  /** Only cells of this type count, where it is said. */
  readonly type: (typeof CELL_TYPES)[number] | null
  /** A price of 0 means that there is none. */
  readonly isZeroNone: boolean
}[]

/** Which instant a time means that the clocks show twice: the earlier one, the later one, or the one that the order of the rows tells. */
export const REPEATED_RULES = ['first', 'second', 'order'] as const
export type RepeatedRule = (typeof REPEATED_RULES)[number]

/** Of the four units, the only one in which a number lies between 2000 and 2100. */
export const ANY_UNIT = 'any'

/** Columns of which the first is taken that has something. */
export type TimeField = readonly TimeColumn[]

/** Times of facts, which may be the same in all rows. */
export type FactTimeField = readonly (TimeColumn | TimeConstant)[]

export interface TimeColumn extends TimeForm {
  /** The column of the time of day, where the other one has the date. */
  readonly with?: string
  readonly column: string
}

export interface TimeConstant extends TimeForm {
  readonly constant: string
}

/** How a time is written. */
export interface TimeForm {
  /** Of numbers. Null where the column has none. */
  readonly unit: TimeUnit | typeof ANY_UNIT | null
  /** `UTC`, an offset as `+02:00`, or an IANA name: for times that name none. */
  readonly zone: string | null
  /** As `MM/dd/yyyy HH:mm:ss`; null for ISO 8601. */
  readonly pattern: string | null
  /** Null where such rows are set aside. */
  readonly repeated: RepeatedRule | null
}

export interface PriceRule extends NumberForm {
  readonly unit: PriceUnit
  /** Prices that are no whole millionths are rounded to the nearest, half to even. Otherwise they are set aside. */
  readonly isRounded: boolean
}

/** When rows are seen. */
export interface ClockField {
  readonly time: TimeField | null
  readonly received: TimeField | null
  readonly seenAt: 'time' | 'received' | 'later'
  /** Added to the time, µs: a candle that is stamped with its start is seen at its end. */
  readonly shiftUs: number
}

/** Words for two or more meanings, in lower case. */
export type Words = ReadonlyMap<string, string>

/** Columns of a row that has the top of a book. A side that is null is never there. */
export interface TopFields {
  readonly bid: PriceField | null
  readonly ask: PriceField | null
  readonly noBid: PriceField | null
  readonly noAsk: PriceField | null
  readonly bidSize: ColumnField | null
  readonly askSize: ColumnField | null
  readonly noBidSize: ColumnField | null
  readonly noAskSize: ColumnField | null
  readonly last: PriceField | null
}

export interface TradeFields {
  readonly price: PriceField | null
  readonly noPrice: PriceField | null
  /** Says of which outcome the price is. */
  readonly outcome: { readonly column: string; readonly words: Words } | null
}

export interface DepthFields {
  /** Rows of one level each, or rows with lists of levels. */
  readonly levels:
    | { readonly side: { readonly column: string; readonly words: Words }; readonly price: PriceField; readonly size: ColumnField }
    | { readonly bids: PriceField | null; readonly asks: PriceField | null }
  /** The size is the level's new one, or what is added to it. */
  readonly change: 'set' | 'add'
  /** Which rows belong to snapshots. */
  readonly snapshot: 'always' | 'never' | { readonly column: string; readonly words: ReadonlySet<string> }
  /** Rows of one snapshot agree in these columns, besides market and time. */
  readonly group: readonly string[]
  /** The second side are bids for NO, at 1 less the ask of YES. */
  readonly areBothBids: boolean
  readonly sequence: string | null
  /** Rows of changes are levels of one message and have its number. Otherwise a row with the number of the one before stands twice. */
  readonly areNumbersShared: boolean
  /** Columns that name the stream in which the numbers have no gaps. Empty where that is the market. */
  readonly stream: readonly string[]
  /** Columns, of which the first that has something names the session that took the row. Null where nobody says. */
  readonly session: ColumnField | null
  /** Files that overlap in time are sessions of their own. */
  readonly areFilesSessions: boolean
}

export const MARKET_TEXTS = ['title', 'event', 'series', 'category', 'game', 'ladder', 'exclusion', 'subcategory', 'frequency', 'eventTitle'] as const
export type MarketText = (typeof MARKET_TEXTS)[number]
export const MARKET_TIMES = ['open', 'close', 'closed', 'settled'] as const
export type MarketTime = (typeof MARKET_TIMES)[number]

export interface MarketFields {
  readonly texts: Readonly<Partial<Record<MarketText, TextField>>>
  readonly times: Readonly<Partial<Record<MarketTime, FactTimeField>>>
  /** What other files call the market. */
  readonly also: TextField | null
  readonly venue: TextField | null
  readonly exclusive: TextField | null
  readonly result: { readonly field: TextField; readonly words: Words } | null
  /** What YES is worth of a market that settles in between. */
  readonly value: PriceField | null
}

export interface TickerFields {
  readonly texts: Readonly<Partial<Record<MarketText, TextField>>>
  readonly exclusive: TextField | null
}

interface SectionOf<Kind extends MappingKind> {
  readonly kind: Kind
  /** Patterns of file names with `*` and `?`; null where the columns tell the files. */
  readonly match: readonly string[] | null
  /** Of its files. Absent where whoever reads the mapping says it. */
  readonly format?: RowFormat | undefined
  readonly layout: RowLayout
  /** Columns that tell a file of this part. The others may be missing then. Null where all have to be there. */
  readonly needs: readonly string[] | null
  /** A row is read when each of these columns has one of its texts. */
  readonly where: readonly { readonly column: string; readonly texts: ReadonlySet<string> }[]
  /** A row is read when it has something in each of these columns. */
  readonly having: readonly string[]
  readonly market: TextField
}

/** What rows with prices say of their market, where no file of markets says it. */
export interface MarketHints {
  readonly event: TextField | null
  readonly venue: TextField | null
}

export interface QuotesSection extends SectionOf<'quotes' | 'candles'>, MarketHints {
  readonly clock: ClockField
  readonly prices: PriceRule
  readonly top: TopFields
}
export interface TradesSection extends SectionOf<'trades'>, MarketHints {
  readonly clock: ClockField
  readonly prices: PriceRule
  readonly trade: TradeFields
}
export interface DepthSection extends SectionOf<'depth'>, MarketHints {
  readonly clock: ClockField
  readonly prices: PriceRule
  readonly depth: DepthFields
}
export interface MarketsSection extends SectionOf<'markets' | 'results'> {
  readonly prices: PriceRule
  readonly facts: MarketFields
}
export type MappingSection = QuotesSection | TradesSection | DepthSection | MarketsSection

/** How files of somebody's own become markets and prices (docs/import.md). */
export interface Mapping {
  /** What the report calls the format. */
  readonly name: string
  /** One line about the files. */
  readonly about: string
  /** Of markets whose section says none. */
  readonly venue: string
  readonly venues: ReadonlyMap<string, ServiceVenue>
  /** What tickers say of markets, where neither a row nor the store does. Their only column is `ticker`. */
  readonly tickers: TickerFields
  /** How many levels of both sides of books a store keeps. Absent: none. */
  readonly depth?: number
  readonly sections: readonly MappingSection[]
}
