import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { OpenStore } from '../feed/store/openStore.ts'
import { tickExport } from '../look/exportTable.ts'
import { writeParquet } from '../look/exportTicks.ts'
import { writeMarketsParquet } from '../look/marketTable.ts'
import type { Proceed, Stretch } from '../look/storeRuns.ts'
import { checkParts } from '../parts/parts.ts'
import { LeasedFolder } from '../result/leasedFolder.ts'
import type { Answer } from './answer.ts'
import { answerOf, DUCKDB } from './askedTables.ts'

/** Views of a store. */
const NAMES = ['ticks', 'markets'] as const
const HINT = 'the views are ticks and markets; docs/data.md has their columns, as does `describe ticks`'

export interface AskedStore {
  readonly store: OpenStore
  /** Ticks that the view `ticks` has. */
  readonly stretch: Stretch
  /** Is told the ticks that were made ready. */
  readonly proceed: Proceed
  readonly signal: AbortSignal
}

/**
 * Answers one SELECT about a price store. Parquet is made of the markets, and of the ticks within the stretch where the query names them, and
 * removed. DuckDB opens no other file.
 *
 * @throws InputError where the query is wrong, with DuckDB's message, where DuckDB is not installed, and for a store that is damaged
 * @throws Interrupted by the signal
 */
export async function queryStore(query: string, { store, stretch, proceed, signal }: AskedStore): Promise<Answer> {
  checkParts('parlor data sql', [DUCKDB])
  const made = new LeasedFolder(tmpdir(), 'parlor-sql-')
  const pathOf = async (name: string): Promise<string> => {
    const path = resolve(join(made.path, `${name}.parquet`))
    if (name === 'markets') return writeMarketsParquet(path, store.catalogue.markets)
    await writeParquet(store, path, { table: tickExport(store, stretch, null), proceed }, false)
    return path
  }
  try {
    made.make()
    return await answerOf(query, { names: NAMES, pathOf, made: made.path, subject: 'a store', hint: HINT, signal })
  } finally {
    made.remove()
  }
}
