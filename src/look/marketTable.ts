import { type ParquetColumn, ParquetColumns } from '../arrow/parquetColumns.ts'
import type { Market } from '../market/market.ts'

type Cell = string | number | bigint | boolean | readonly string[] | null

const text = (name: string, of: (market: Market) => string | null): MarketColumn => ({ name, type: 'text', isNullable: true, of: (market) => of(market) || null })
const instant = (name: string, of: (market: Market) => number | null): MarketColumn => ({ name, type: 'timeUs', isNullable: true, of: (market) => { const us = of(market); return us === null ? null : BigInt(us) } })

interface MarketColumn extends ParquetColumn {
  of(market: Market): Cell
}

/** The columns of exported markets. A cell is null where the source says nothing. */
export const MARKET_COLUMNS: readonly MarketColumn[] = [
  { name: 'market', type: 'text', isNullable: false, of: ({ ticker }) => ticker },
  text('venue', ({ venue }) => venue), text('event', ({ event }) => event), text('series', ({ series }) => series), text('category', ({ category }) => category),
  text('title', ({ title }) => title), text('game', ({ game }) => game), text('ladder', ({ ladder }) => ladder),
  { name: 'exclusion_keys', type: 'enumList', isNullable: false, of: ({ exclusionKeys }) => exclusionKeys },
  { name: 'exclusive', type: 'bool', isNullable: true, of: ({ listing }) => listing?.isExclusive ?? null },
  instant('open_at', ({ openUs }) => openUs), instant('scheduled_close_at', ({ scheduledCloseUs }) => scheduledCloseUs),
  instant('scheduled_close_known_at', ({ scheduledCloseKnownUs }) => scheduledCloseKnownUs), instant('actual_close_at', ({ actualCloseUs }) => actualCloseUs),
  text('outcome', ({ outcome }) => outcome),
  { name: 'settlement_e6', type: 'int32', isNullable: true, of: ({ settlementE6 }) => settlementE6 },
  instant('settled_at', ({ settledUs }) => settledUs),
]

/** Writes markets as Parquet. Instants are µs since the epoch, UTC. */
export function writeMarketsParquet(path: string, markets: readonly Market[]): string {
  const file = new ParquetColumns(path, MARKET_COLUMNS)
  file.write(MARKET_COLUMNS.map((column) => markets.map((market) => column.of(market))), markets.length)
  file.finish()
  return path
}
