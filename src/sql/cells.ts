import type * as DuckDB from '@duckdb/node-api'
import { isoOfTimeUs } from '../unit/time.ts'
import type { AnswerCell } from './answer.ts'

/** The first and the last microsecond of the years that ISO 8601 writes with four digits. */
const [FIRST_US, LAST_US] = [-62_167_219_200_000_000n, 253_402_300_799_999_999n]

/** A value of DuckDB as a cell. `duckdb` is the module, which is loaded late. */
export function cellOf(duckdb: typeof DuckDB, value: DuckDB.DuckDBValue): AnswerCell {
  if (value === null || typeof value !== 'object') return value
  if (value instanceof duckdb.DuckDBListValue || value instanceof duckdb.DuckDBArrayValue) return value.items.map((item) => cellOf(duckdb, item))
  if (value instanceof duckdb.DuckDBStructValue) return Object.fromEntries(Object.entries(value.entries).map(([field, inner]) => [field, cellOf(duckdb, inner)]))
  if (value instanceof duckdb.DuckDBTimestampTZValue) return isoOf(value.micros) ?? value.toString()
  if (value instanceof duckdb.DuckDBTimestampValue) return isoOf(value.micros)?.replace(/Z$/, '') ?? value.toString()
  return value.toString()
}

/** Null of an instant that ISO 8601 has no four digits for, as infinity. */
const isoOf = (micros: bigint): string | null => (micros < FIRST_US || micros > LAST_US ? null : isoOfTimeUs(Number(micros)))
