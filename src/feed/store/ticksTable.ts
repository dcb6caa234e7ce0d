import type { ColumnSpec, TableSpec } from '../../arrow/tableSchema.ts'

/** The most rows of a record batch. */
export const BATCH_ROWS = 262_144
/** The version of the tables of ticks alone. */
export const TICKS_VERSION = 2

const MARKET: ColumnSpec = { name: 'market', type: 'enum', isWide: true, about: 'ticker of the market' }

/** The top of a book and the last price, of one tick. */
const priceColumns = (prefix: string, whose: string): ColumnSpec[] => [
  { name: `${prefix}bid_e6`, type: 'int32', about: `best bid${whose}, millionths of a dollar` },
  { name: `${prefix}ask_e6`, type: 'int32', about: `best ask${whose}, millionths of a dollar` },
  { name: `${prefix}bid_size`, type: 'int32', about: `contracts at the best bid${whose}` },
  { name: `${prefix}ask_size`, type: 'int32', about: `contracts at the best ask${whose}` },
  { name: `${prefix}last_e6`, type: 'int32', about: `last trade or the only price of the source${whose}, millionths of a dollar` },
]

/** A part of a store: `parts/DAY.K.arrow`. */
export const TICKS_TABLE: TableSpec = {
  name: 'ticks',
  about: 'top of book of YES, one row per update, in time order; -1 where there is nothing',
  columns: [{ name: 'at', type: 'timeUs', about: 'when the update could be seen' }, MARKET, ...priceColumns('', '')],
}

const earlier = (name: string, about: string): ColumnSpec[] => [
  { name: `${name}_at`, type: 'timeUs', nullable: true, about: `instant of the last update with ${about}`, whenNull: 'there was none' },
  ...priceColumns(`${name}_`, `, of the last update with ${about}`),
]

/** What a part leaves behind: `parts/DAY.K.last.arrow`. */
export const LAST_TABLE: TableSpec = {
  name: 'last',
  about: 'what stood at the end of a part, one row per market; -1 where there is nothing',
  columns: [
    MARKET,
    { name: 'ticks', type: 'int64', about: 'updates of the market in the part' },
    { name: 'first_at', type: 'timeUs', about: 'instant of its first update' },
    { name: 'last_at', type: 'timeUs', about: 'instant of its last update' },
    ...priceColumns('', ', of the last update'),
    ...earlier('book', 'a bid or an ask'),
    ...earlier('price', 'a bid, an ask or a last price'),
  ],
}

const withTickers = (spec: TableSpec, tickers: readonly string[]): TableSpec =>
  ({ ...spec, columns: spec.columns.map((column) => (column.name === MARKET.name ? { ...column, values: tickers } : column)) })

/** The tables of a part whose markets have these tickers. */
export const ticksTableOf = (tickers: readonly string[]): TableSpec => withTickers(TICKS_TABLE, tickers)
export const lastTableOf = (tickers: readonly string[]): TableSpec => withTickers(LAST_TABLE, tickers)
