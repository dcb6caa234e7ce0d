import type * as DuckDB from '@duckdb/node-api'
import { join } from 'node:path'
import { InputError } from '../unit/inputError.ts'
import { Interrupted } from '../unit/interrupted.ts'
import type { Answer } from './answer.ts'
import { cellOf } from './cells.ts'
import { withGuess } from './guesses.ts'

/** The package that answers. */
export const DUCKDB = '@duckdb/node-api'

/** One thread, so that sums of floats and rows without an order come out the same each time. Nothing is fetched, and no secrets of the user are read. */
const SETTINGS = { threads: '1', autoinstall_known_extensions: 'false', autoload_known_extensions: 'false', allow_persistent_secrets: 'false' }

/** How often it is looked whether the query is to end. */
const LOOK_MS = 50

/** Words of queries that ask which tables there are, or that name tables in other ways than SQL does. */
const ABOUT_TABLES = /\b(?:show|describe|information_schema|duckdb_\w+|pg_\w+|sqlite_\w+|pragma\w*|query\w*)\b/i

/** What is left of a text without a statement. */
const NO_STATEMENT = /^(?:\s|;|--[^\n]*(?:\n|$)|\/\*[^]*?\*\/)*$/

/** Tables that queries are about. Each is a Parquet file. */
export interface AskedTables {
  readonly names: readonly string[]
  /** The path of a table that a query names. Nothing else is read. */
  pathOf(name: string): string | Promise<string>
  /** A folder for what does not fit into memory. */
  readonly made: string
  /** What is only read, as `a run`. */
  readonly subject: string
  /** What helps who asks for something that is not there. */
  readonly hint: string
  readonly signal: AbortSignal
}

/**
 * Answers one SELECT about tables, each of which is a view. DuckDB opens no file but those of the tables that the query names.
 *
 * @throws InputError where the query is wrong, with DuckDB's message
 * @throws Interrupted by the signal
 */
export async function answerOf(query: string, tables: AskedTables): Promise<Answer> {
  const duckdb = await import('@duckdb/node-api')
  const { names, signal } = tables
  const wrong = (message: string, cause?: unknown): InputError => new InputError(message, { cause, hint: tables.hint })
  if (NO_STATEMENT.test(query)) throw wrong('there is no query')
  const instance = await duckdb.DuckDBInstance.create(':memory:', SETTINGS)
  const connection = await instance.connect()
  // An interruption that comes before DuckDB has begun is forgotten.
  const stopping = setInterval(() => { if (signal.aborted) connection.interrupt() }, LOOK_MS)
  try {
    const asked = askedOf(query, names)
    await makeViews(duckdb, connection, asked, tables)
    const guessing = async (message: string, cause: unknown): Promise<InputError> => wrong(withGuess(message, names, await columnsOf(duckdb, connection, asked)), cause)
    return await attempted(() => selected(duckdb, connection, query, wrong, tables.subject), signal, guessing)
  } finally {
    clearInterval(stopping)
    connection.closeSync()
    instance.closeSync()
  }
}

/** The tables whose names stand in a query, or all of them where it may ask for others. Parquet is made of no more than these. */
function askedOf(query: string, names: readonly string[]): readonly string[] {
  if (ABOUT_TABLES.test(query)) return names
  const words = new Set(query.toLowerCase().split(/\W+/))
  return names.filter((name) => words.has(name))
}

/** Makes a view of each table, and then shuts everything but their files. */
async function makeViews(duckdb: typeof DuckDB, connection: DuckDB.DuckDBConnection, names: readonly string[], { pathOf, made, signal }: AskedTables): Promise<void> {
  const paths: string[] = []
  for (const name of names) {
    if (signal.aborted) throw new Interrupted('interrupted')
    paths.push(await pathOf(name))
  }
  for (const [i, name] of names.entries()) {
    if (signal.aborted) throw new Interrupted('interrupted')
    await connection.run(`create view ${duckdb.quotedIdentifier(name)} as select * from read_parquet(${duckdb.quotedString(paths[i]!)})`)
  }
  await connection.run(`
    set TimeZone = 'UTC'; set temp_directory = ${duckdb.quotedString(join(made, 'spilled'))};
    set allowed_paths = [${paths.map((path) => duckdb.quotedString(path)).join(', ')}]; set enable_external_access = false; set lock_configuration = true`)
}

/** The columns of views, one after the other. */
async function columnsOf(duckdb: typeof DuckDB, connection: DuckDB.DuckDBConnection, names: readonly string[]): Promise<string[]> {
  const columns: string[] = []
  for (const name of names) {
    const described = await connection.runAndReadAll(`describe ${duckdb.quotedIdentifier(name)}`)
    columns.push(...described.getRows().map(([column]) => String(column)))
  }
  return columns
}

/** Gives the rows of a query that is one SELECT. Others could write into the files that DuckDB may open. */
async function selected(duckdb: typeof DuckDB, connection: DuckDB.DuckDBConnection, query: string, wrong: (message: string) => InputError, subject: string): Promise<Answer> {
  const statements = await connection.extractStatements(query)
  if (statements.count !== 1) throw wrong(`expected one SELECT, got ${statements.count} statements; a PIVOT is one where it lists its values: PIVOT … ON … IN (…)`)
  const statement = await statements.prepare(0)
  if (statement.statementType !== duckdb.StatementType.SELECT) throw wrong(`expected a SELECT, got a statement of the kind ${duckdb.StatementType[statement.statementType]}: ${subject} is only read`)
  const result = await statement.runAndReadAll()
  const types = result.columnTypes()
  return {
    columns: result.deduplicatedColumnNames().map((name, i) => ({ name, type: String(types[i]) })),
    rows: result.getRows().map((row) => row.map((value) => cellOf(duckdb, value))),
  }
}

/** What DuckDB throws is a mistake in the query, or our own interruption. */
async function attempted<T>(act: () => T | Promise<T>, signal: AbortSignal, wrong: (message: string, cause: unknown) => Promise<InputError>): Promise<T> {
  try {
    return await act()
  } catch (error) {
    if (signal.aborted) throw new Interrupted('interrupted')
    if (error instanceof InputError || !(error instanceof Error)) throw error
    throw await wrong(error.message.replace(/^Failed to extract statements: /, '').trimEnd(), error)
  }
}
