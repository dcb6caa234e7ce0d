// Makes the source of one import by DuckDB, and says what is in it: `makePart.ts PLAN FOLDER`, where PLAN is a PartPlan as JSON.
import { join } from 'node:path'
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import { DAY_US } from '../../src/unit/time.ts'
import { ASK, ASK_SIZE, BID, BID_SIZE, closesUsOf, type DaySum, INSTANTS, type MarketCounts, NUMBERS, type PartPlan, SPREAD, type Stretch, SUM_MODULUS } from './plan.ts'

const HOUR_US = DAY_US / 24
const MARKETS_AN_EVENT = 4
const CATEGORIES = ['politics', 'sports', 'weather', 'economics']

const tickerOf = (market: string): string => `'MKT-' || lpad((${market})::varchar, 7, '0')`
const stamp = (us: string | number): string => `make_timestamptz((${us})::bigint)`

/** Numbers of the draws of a part differ from those of all others. */
const draw = (part: number, purpose: number, below: string | number): string => `(hash(i * 16 + ${purpose}, ${part}) % (${below})::ubigint)::bigint`

/** Quotes of a part: their instants are all different, and out of order by some places. */
function quotes({ part, ticks, fromUs, stepUs, traded: { from, to } }: PartPlan): string {
  const offset = `i * ${stepUs} + ${draw(part, 0, stepUs * SPREAD)}`
  return `select ${stamp(`${fromUs} + moved - moved % ${SPREAD} + i % ${SPREAD}`)} as ts, ${tickerOf('market')} as ticker, cents / 100.0 as bid, (cents + spread) / 100.0 as ask,
    bid_size::int as bid_size, ask_size::int as ask_size
    from (select i, ${offset} as moved, ${from} + ${draw(part, 1, to - from)} as market, 1 + ${draw(part, 2, 95)} as cents, 1 + ${draw(part, 3, 3)} as spread,
      ${draw(part, 4, 5000)} as bid_size, ${draw(part, 5, 5000)} as ask_size from range(${ticks}) t(i))`
}

const listing = ({ markets, parts, fromUs }: PartPlan, { from, to }: Stretch): string => `select ${tickerOf('i')} as ticker, 'EVENT-' || (i // ${MARKETS_AN_EVENT}) as event,
  'Will number ' || i || ' come true before the end of the month?' as title, ['${CATEGORIES.join("', '")}'][1 + (i // ${MARKETS_AN_EVENT}) % ${CATEGORIES.length}] as category,
  ${stamp(fromUs)} as opened_at, ${stamp(closesUsOf(markets, parts, 'i'))} as closes_at from range(${from}, ${to}) t(i)`

const IS_YES = 'hash(i, 7) % 3 = 0'
const results = ({ markets, parts }: PartPlan, { from, to }: Stretch): string =>
  `select ${tickerOf('i')} as ticker, case when ${IS_YES} then 'yes' else 'no' end as result, ${stamp(`${closesUsOf(markets, parts, 'i')} + ${HOUR_US}`)} as settled_at from range(${from}, ${to}) t(i)`

/** Ticks by day, and the sum over them, of the file as it lies there. */
const sumsOf = (path: string): string => {
  const us = 'epoch_us(ts)'
  const value = `round(bid * 1e6)::hugeint * ${BID} + round(ask * 1e6)::hugeint * ${ASK} + bid_size * ${BID_SIZE} + ask_size * ${ASK_SIZE}`
  const weight = `(${us} % ${INSTANTS} + 1) * (substr(ticker, 5)::bigint % ${NUMBERS} + 1)`
  return `select (${us} // ${DAY_US})::double as day, count(*)::double as ticks, (sum((${value}) * ${weight}) % ${SUM_MODULUS})::double as sum from read_parquet('${path}') group by 1 order by 1`
}

/** What a part is made of. */
export interface MadePart {
  readonly days: readonly DaySum[]
  readonly counts: MarketCounts
}

async function rowsOf(connection: DuckDBConnection, query: string): Promise<Record<string, number>[]> {
  return (await connection.runAndReadAll(query)).getRowObjectsJS() as Record<string, number>[]
}

/** Writes `prices.parquet`, and `markets.parquet` and `results.parquet` where the part has some. */
export async function makePart(plan: PartPlan, folder: string): Promise<MadePart> {
  const connection = await (await DuckDBInstance.create(':memory:', { threads: '2' })).connect()
  const { listed, resolved } = plan
  const write = async (name: string, query: string): Promise<string> => {
    const path = join(folder, name)
    await connection.run(`copy (${query}) to '${path}' (format parquet, compression zstd, row_group_size 262144)`)
    return path
  }
  const prices = await write('prices.parquet', quotes(plan))
  if (listed.to > listed.from) await write('markets.parquet', listing(plan, listed))
  if (resolved.to > resolved.from) await write('results.parquet', results(plan, resolved))
  const [yes] = await rowsOf(connection, `select (count(*) filter (${IS_YES}))::double as yes from range(${resolved.from}, ${resolved.to}) t(i)`)
  const days = (await rowsOf(connection, sumsOf(prices))) as unknown as DaySum[]
  connection.closeSync()
  return { days, counts: { markets: listed.to - listed.from, yes: yes!.yes!, no: resolved.to - resolved.from - yes!.yes! } }
}
