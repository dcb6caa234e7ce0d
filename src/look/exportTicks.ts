import { closeSync, openSync, rmSync, writeSync } from 'node:fs'
import { ParquetColumns } from '../arrow/parquetColumns.ts'
import { publish, syncFile, temporaryNameOf } from '../arrow/wholeFile.ts'
import type { OpenStore } from '../feed/store/openStore.ts'
import { isoOfTimeUs } from '../unit/time.ts'
import type { ExportTable } from './exportTable.ts'
import type { Proceed } from './storeRuns.ts'

/** What is exported of a store. */
export interface Exporting {
  readonly table: ExportTable
  /** Is told the rows that were read. Nothing is left where it throws. */
  readonly proceed: Proceed
}

/** Rows of a row group of Parquet, and of a piece of CSV. */
const GROUP_ROWS = 131_072
const PIECE_ROWS = 8_192

const csvCell = (text: string): string => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

/** Rows as CSV, in pieces that end with a line. Instants are ISO 8601 with microseconds, UTC. */
export async function* csvOf(store: OpenStore, { table, proceed }: Exporting): AsyncGenerator<string, number, void> {
  const tickers = store.catalogue.markets.map(({ ticker }) => csvCell(ticker))
  let [piece, rows, written, read] = [`${table.columns.map(({ name }) => name).join(',')}\n`, 0, 0, 0]
  for (const run of table.runs()) {
    await proceed(read)
    read += run.rows
    for (let from = 0; from < run.rows; from += PIECE_ROWS) {
      run.each(from, Math.min(run.rows, from + PIECE_ROWS), (atUs, market, cells) => {
        piece += `${isoOfTimeUs(atUs)},${tickers[market]!},${cells.map((cell) => cell ?? '').join(',')}\n`
        rows++
      })
      if (rows < PIECE_ROWS) continue
      yield piece
      written += rows
      ;[piece, rows] = ['', 0]
    }
  }
  yield piece
  return written + rows
}

/** Writes rows as CSV, whole or not at all. Returns the rows. */
export const writeCsv = (store: OpenStore, path: string, exporting: Exporting): Promise<number> => whole(path, async (temporary) => {
  const file = openSync(temporary, 'w')
  try {
    const pieces = csvOf(store, exporting)
    for (;;) {
      const { value, done } = await pieces.next()
      if (done === true) return value
      const bytes = Buffer.from(value)
      for (let from = 0; from < bytes.length;) from += writeSync(file, bytes, from)
    }
  } finally {
    closeSync(file)
  }
})

/** Writes rows as Parquet, whole or not at all. Returns the rows. */
export const writeParquet = (store: OpenStore, path: string, { table, proceed }: Exporting, isDurable = true): Promise<number> => whole(path, async (temporary) => {
  const { markets } = store.catalogue
  const file = new ParquetColumns(temporary, table.columns, { dataHash: store.head.dataHash })
  let cells: unknown[][] = table.columns.map(() => [])
  let [written, read] = [0, 0]
  const flush = (): void => {
    file.write(cells, cells[0]!.length)
    written += cells[0]!.length
    cells = table.columns.map(() => [])
  }
  for (const run of table.runs()) {
    await proceed(read)
    read += run.rows
    run.each(0, run.rows, (atUs, market, prices) => {
      cells[0]!.push(BigInt(atUs))
      cells[1]!.push(markets[market]!.ticker)
      prices.forEach((price, i) => { cells[i + 2]!.push(price) })
      if (cells[0]!.length === GROUP_ROWS) flush()
    })
  }
  flush()
  file.finish()
  return written
}, isDurable)

async function whole(path: string, write: (temporary: string) => Promise<number>, isDurable = true): Promise<number> {
  const temporary = temporaryNameOf(path)
  try {
    const rows = await write(temporary)
    if (isDurable) syncFile(temporary)
    publish(temporary, path, isDurable)
    return rows
  } catch (error) {
    rmSync(temporary, { force: true })
    throw error
  }
}
