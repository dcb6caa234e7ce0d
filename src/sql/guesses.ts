import { nearestName } from '../unit/nearestName.ts'

/** How DuckDB names a table that is not there. It knows only tables that the query names, and so guesses among its own. */
const NO_TABLE = /^Catalog Error: Table with name "?([^\s"]+)"? does not exist/
/** How it names a column that is not there. */
const NO_COLUMN = [/Referenced column "([^"]+)" not found in FROM clause/, /does not have a column named "([^"]+)"/, /^Binder Error: Column "([^"]+)" (?:in|does not exist)/]
const ITS_GUESS = /^(?:Did you mean|Candidate bindings:)/
const QUOTED = /"([^"]+)"/g

/**
 * DuckDB's message about a query, with our guess at a misspelled name in the place of its own.
 *
 * @param tables all tables of the run
 * @param columns those of the tables that the query names
 */
export function withGuess(message: string, tables: readonly string[], columns: readonly string[]): string {
  const [first = '', ...rest] = message.split('\n')
  const table = NO_TABLE.exec(first)?.[1]
  if (table !== undefined) return said(first, nearestName(table, tables), rest.filter((line) => !ITS_GUESS.test(line)))
  const column = NO_COLUMN.map((about) => about.exec(first)?.[1]).find((name) => name !== undefined)
  if (column === undefined) return message
  // Columns that the query itself makes are known to DuckDB alone.
  const its = rest.filter((line) => ITS_GUESS.test(line)).flatMap((line) => [...line.matchAll(QUOTED)].map(([, name]) => name!))
  const near = nearestName(column, [...its, ...columns])
  return near === undefined ? message : said(first, near, rest.filter((line) => !ITS_GUESS.test(line)))
}

const said = (first: string, guess: string | undefined, rest: readonly string[]): string =>
  [first, ...(guess === undefined ? [] : [`Did you mean "${guess}"?`]), ...rest].join('\n')
