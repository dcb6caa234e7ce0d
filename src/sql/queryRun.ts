import type * as DuckDB from '@duckdb/node-api'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { writeParquet } from '../arrow/parquet.ts'
import { checkParts } from '../parts/parts.ts'
import { type Manifest, readManifest } from '../record/manifest.ts'
import { reading } from '../result/check.ts'
import { LeasedFolder } from '../result/leasedFolder.ts'
import { placeOf } from '../result/place.ts'
import { Interrupted } from '../unit/interrupted.ts'
import { InputError } from '../unit/inputError.ts'
import type { Answer } from './answer.ts'
import { cellOf } from './cells.ts'
import { withGuess } from './guesses.ts'

const DUCKDB = '@duckdb/node-api'

/** One thread, so that sums of floats and rows without an order come out the same each time. Nothing is fetched, and no secrets of the user are read. */
const SETTINGS = { threads: '1', autoinstall_known_extensions: 'false', autoload_known_extensions: 'false', allow_persistent_secrets: 'false' }

/** How often it is looked whether the query is to end. */
const LOOK_MS = 50

/** Words of queries that ask which tables there are, or that name tables in other ways than SQL does. */
const ABOUT_TABLES = /\b(?:show|describe|information_schema|duckdb_\w+|pg_\w+|sqlite_\w+|pragma\w*|query\w*)\b/i

/** What is left of a text without a statement. */
const NO_STATEMENT = /^(?:\s|;|--[^\n]*(?:\n|$)|\/\*[^]*?\*\/)*$/

/**
 * Answers one SELECT about the tables of a run, each of which is a view. The run's Parquet is read where the run has some, and otherwise Parquet
 * that is made of its tables for the query, and removed. DuckDB opens no other file, and the run stays as it is.
 *
 * @param signal ends the query
 * @throws InputError where the query is wrong, with DuckDB's message, and where DuckDB is not installed
 * @throws DamagedResult where a file of the run is not as it was written
 */
export async function queryRun(folder: string, query: string, signal: AbortSignal): Promise<Answer> {
  checkParts('parlor sql', [DUCKDB])
  return reading(folder, async (from) => {
    const manifest = readManifest(from)
    const made = new LeasedFolder(tmpdir(), 'parlor-sql-')
    try {
      made.make()
      return await answerOf(query, { from, manifest, made: made.path, signal })
    } finally {
      made.remove()
    }
  })
}

interface AskedRun {
  /** Where the files of the run are read. */
  readonly from: string
  readonly manifest: Manifest
  /** A folder for files that are made. */
  readonly made: string
  readonly signal: AbortSignal
}

async function answerOf(query: string, run: AskedRun): Promise<Answer> {
  const duckdb = await import('@duckdb/node-api')
  const names = Object.keys(run.manifest.tables)
  const wrong = wrongQuery(names)
  if (NO_STATEMENT.test(query)) throw wrong('there is no query')
  const instance = await duckdb.DuckDBInstance.create(':memory:', SETTINGS)
  const connection = await instance.connect()
  // An interruption that comes before DuckDB has begun is forgotten.
  const stopping = setInterval(() => { if (run.signal.aborted) connection.interrupt() }, LOOK_MS)
  try {
    const asked = askedOf(query, names)
    await makeViews(duckdb, connection, asked, run)
    const guessing = async (message: string, cause: unknown): Promise<InputError> => wrong(withGuess(message, names, await columnsOf(duckdb, connection, asked)), cause)
    return await attempted(() => selected(duckdb, connection, query, wrong), run.signal, guessing)
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
async function makeViews(duckdb: typeof DuckDB, connection: DuckDB.DuckDBConnection, names: readonly string[], run: AskedRun): Promise<void> {
  const paths = names.map((name) => parquetOf(name, run))
  for (const [i, name] of names.entries()) {
    if (run.signal.aborted) throw new Interrupted('interrupted')
    await connection.run(`create view ${duckdb.quotedIdentifier(name)} as select * from read_parquet(${duckdb.quotedString(paths[i]!)})`)
  }
  await connection.run(`
    set TimeZone = 'UTC'; set temp_directory = ${duckdb.quotedString(join(run.made, 'spilled'))};
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

/** The path of a table as Parquet, of the run's own where it has some. */
function parquetOf(name: string, { from, manifest, made, signal }: AskedRun): string {
  if (signal.aborted) throw new Interrupted('interrupted')
  const { file } = manifest.tables[name]!
  const own = file.replace(/\.arrow$/, '.parquet')
  if (own !== file && manifest.files !== undefined && Object.hasOwn(manifest.files, own)) return resolve(placeOf(from, own))
  return resolve(writeParquet(placeOf(from, file), join(made, `${Object.keys(manifest.tables).indexOf(name)}.parquet`)))
}

/** Gives the rows of a query that is one SELECT. Others could write into the files that DuckDB may open. */
async function selected(duckdb: typeof DuckDB, connection: DuckDB.DuckDBConnection, query: string, wrong: (message: string) => InputError): Promise<Answer> {
  const statements = await connection.extractStatements(query)
  if (statements.count !== 1) throw wrong(`expected one SELECT, got ${statements.count} statements; a PIVOT is one where it lists its values: PIVOT … ON … IN (…)`)
  const statement = await statements.prepare(0)
  if (statement.statementType !== duckdb.StatementType.SELECT) throw wrong(`expected a SELECT, got a statement of the kind ${duckdb.StatementType[statement.statementType]}: a run is only read`)
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

const wrongQuery = (names: readonly string[]) => (message: string, cause?: unknown): InputError =>
  new InputError(message, { cause, hint: names.length === 0 ? 'the run has no tables' : `the tables are ${names.join(', ')}; docs/tables.md has their columns, as does \`describe ${names[0]!}\`` })
