import { csvTable } from './csvTable.ts'
import { type InputFile, isParquet } from './inputFiles.ts'
import { jsonTable } from './jsonTable.ts'
import { newestFirst } from './newestFirst.ts'
import { parquetTable } from './parquetTable.ts'
import type { RowFormat, RowLayout, RowTable } from './rowBatch.ts'
import { SHAPES } from './shapes/shapes.ts'
import { shapedTable } from './shapes/shapedTable.ts'
import { textHead } from './textBytes.ts'

/** Names of files with an object in each line. */
const LINES_OF_JSON = /\.(?:ndjson|jsonl)(?:\.[a-z\d]+)?$/i

/**
 * What the first bytes of a file say, whatever its name: Parquet has a mark, and JSON begins with a bracket. All else is taken for CSV, but for a file
 * that is named as lines of JSON and has some: its first line is damaged.
 */
export function formatOf(file: InputFile): RowFormat {
  if (isParquet(file)) return 'parquet'
  const head = textHead(file).toString('latin1')
  const isJson = /^\s*(?:\{|\[\s*[[{\]])/.test(head.slice(0, 256)) || (LINES_OF_JSON.test(file.name) && /\n\s*\{/.test(head))
  return isJson ? 'ndjson' : 'csv'
}

/** Looks into a file of rows. Throws InputError for one that is damaged. */
export async function openTable(file: InputFile, layout: RowLayout = {}): Promise<RowTable> {
  const table = await tableOf(file, layout)
  return layout.newestFirst === undefined ? table : newestFirst(table, layout.newestFirst)
}

async function tableOf(file: InputFile, layout: RowLayout): Promise<RowTable> {
  const format = formatOf(file)
  if (layout.shape !== undefined) return shapedTable(file, format, SHAPES[layout.shape])
  if (format === 'parquet') return parquetTable(file)
  return format === 'csv' ? csvTable(file, layout) : jsonTable(file, layout)
}
