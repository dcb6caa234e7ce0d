import type { Answer } from '../sql/answer.ts'
import { throwIfAborted } from '../unit/interrupted.ts'
import { type ActionOptions, acting, signalOf } from './options.ts'

export type { Answer as SqlAnswer, AnswerCell as SqlCell, AnswerColumn as SqlColumn } from '../sql/answer.ts'

/**
 * Answers one SELECT about the tables of a run, each of which is a view of its name (docs/tables.md). The run is only read. Needs the package
 * `@duckdb/node-api`, which parlor comes without.
 *
 * @param folder the folder of a run
 * @param query a SELECT in DuckDB's SQL
 * @returns the columns and the rows
 * @throws InputError for a folder without a run, for a wrong query, with DuckDB's message, and where DuckDB is not installed
 * @throws RunFailure of the kind `damaged` where a file of the run is not as it was written
 * @throws Interrupted by the signal
 * @example
 * const { rows } = await sql('runs/quickstart', 'select maker, count(*) from quotes group by maker order by maker')
 */
export const sql = (folder: string, query: string, options: Pick<ActionOptions, 'signal'> = {}): Promise<Answer> => acting(async () => {
  throwIfAborted(options.signal)
  const { queryRun } = await import('../sql/queryRun.ts')
  return queryRun(folder, query, signalOf(options))
})
