import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { writeParquet } from '../arrow/parquet.ts'
import { checkParts } from '../parts/parts.ts'
import { readManifest } from '../record/manifest.ts'
import { reading } from '../result/check.ts'
import { LeasedFolder } from '../result/leasedFolder.ts'
import { placeOf } from '../result/place.ts'
import type { Answer } from './answer.ts'
import { answerOf, DUCKDB } from './askedTables.ts'

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
    const { tables, files } = readManifest(from)
    const names = Object.keys(tables)
    const made = new LeasedFolder(tmpdir(), 'parlor-sql-')
    // The run's own Parquet, where it has some.
    const pathOf = (name: string): string => {
      const { file } = tables[name]!
      const own = file.replace(/\.arrow$/, '.parquet')
      if (own !== file && files !== undefined && Object.hasOwn(files, own)) return resolve(placeOf(from, own))
      return resolve(writeParquet(placeOf(from, file), join(made.path, `${names.indexOf(name)}.parquet`)))
    }
    const hint = names.length === 0 ? 'the run has no tables' : `the tables are ${names.join(', ')}; docs/tables.md has their columns, as does \`describe ${names[0]!}\``
    try {
      made.make()
      return await answerOf(query, { names, pathOf, made: made.path, subject: 'a run', hint, signal })
    } finally {
      made.remove()
    }
  })
}
