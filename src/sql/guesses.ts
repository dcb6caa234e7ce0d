import { nearestName } from '../unit/nearestName.ts'

/** How DuckDB names a table that is not there. It knows only tables that the query names, and so guesses among its own. */
const NO_TABLE = /^Catalog Error: Table with name "?([^\s"]+)"? does not exist/
/** How it names a column that is not there. */
const NO_COLUMN = [/Referenced column "([^"]+)" not found in FROM clause/, /does not have a column named "([^"]+)"/, /^Binder Error: Column "([^"]+)" (?:in|does not exist)/]
const ITS_GUESS = /^(?:Did you mean|Candidate bindings:)/
const QUOTED = /"([^"]+)"/g

/**
 * DuckDB's message about a query, with our guess at a misspelled name first. DuckDB's own list of columns follows where it names others too.
 *
 * @param tables all tables of the run
 * @param columns those of the tables that the query names
 */
export function withGuess(message: string, tables: readonly string[], columns: readonly string[]): string {
  const [first = '', ...rest] = message.split('\n')
  const itsLists = rest.filter((line) => ITS_GUESS.test(line))
  const place = rest.filter((line) => !ITS_GUESS.test(line)).join('\n').trim()
  const table = NO_TABLE.exec(first)?.[1]
  if (table !== undefined) return said(first, nearestName(table, tables), [], place)
  const column = NO_COLUMN.map((about) => about.exec(first)?.[1]).find((name) => name !== undefined)
  if (column === undefined) return message
  // Columns that the query itself makes are known to DuckDB alone.
  const its = itsLists.flatMap((line) => [...line.matchAll(QUOTED)].map(([, name]) => name!))
  const near = nearestName(column, [...its, ...columns])
  return near === undefined ? message : said(first, near, its.some((name) => name !== near) ? itsLists : [], place)
}

/** `place` is where in the query the mistake is, as DuckDB draws it; empty where it does not. */
const said = (first: string, guess: string | undefined, itsLists: readonly string[], place: string): string =>
  [first, ...(guess === undefined ? [] : [`Did you mean "${guess}"?`]), ...itsLists, ...(place === '' ? [] : ['', place])].join('\n')
