// Makes quotes of 1,000 markets by DuckDB, in order of time: `make.ts ROWS DAYS PARQUET CSV`.
import { DuckDBInstance } from '@duckdb/node-api'

const [rowsText, daysText, parquet, csv] = process.argv.slice(2)
const [rows, days] = [Number(rowsText), Number(daysText)]
const DAY_US = 86_400_000_000
const FIRST_US = 20_254 * DAY_US
const stepUs = Math.floor((days * DAY_US) / rows)
const quotes = (time: string): string => `select ${time}(${FIRST_US} + i * ${stepUs} + (hash(i) % ${stepUs})::bigint) as ts,
  'MKT-' || lpad((hash(i * 7 + 1) % 1000)::varchar, 6, '0') as ticker, p / 100.0 as bid, (p + 1 + hash(i + 5) % 3) / 100.0 as ask,
  (hash(i + 11) % 5000)::int as bid_size, (hash(i + 13) % 5000)::int as ask_size from (select i, (1 + hash(i * 31) % 95)::int as p from range(${rows}) t(i))`
const connection = await (await DuckDBInstance.create()).connect()
await connection.run(`copy (${quotes('make_timestamptz')}) to '${parquet}' (format parquet, compression zstd, row_group_size 262144)`)
await connection.run(`copy (${quotes('')}) to '${csv}' (format csv, header)`)
console.log('{}')
