import { readFileSync, statSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { CsvError, parse } from 'csv-parse/sync'
import { InputError } from '../unit/inputError.ts'
import { requireColumns } from './csvRows.ts'

/** One field of a CSV file, and its line, from 1. */
export interface CsvField {
  readonly text: string
  readonly line: number
}

/**
 * The fields of one column of a CSV file with a header, which is read whole and is gzipped if its name ends in `.gz`. Throws InputError
 * for a file that cannot be read, is no CSV, lacks the column or has it twice, and for a row that is wider or narrower than the header.
 */
export function readColumn(file: string, column: string): CsvField[] {
  const records = recordsOf(file)
  const header = records[0]?.record ?? []
  requireColumns(file, [column], header)
  const place = header.indexOf(column)
  if (header.lastIndexOf(column) !== place) throw new InputError(`has two columns ${column}`, { position: { file, line: 1 }, hint: 'expected each name once' })
  return records.slice(1).map(({ record, info }) => {
    const { lines: line } = info
    if (record.length === header.length) return { text: record[place]!, line }
    throw new InputError(`has ${record.length} fields, expected ${header.length} as in the header`, { position: { file, line } })
  })
}

interface CsvRecord {
  readonly record: readonly string[]
  readonly info: { readonly lines: number }
}

function recordsOf(file: string): CsvRecord[] {
  const position = { file }
  // A pipe would be waited for without end.
  if (statSync(file, { throwIfNoEntry: false })?.isFile() === false) throw new InputError('is no plain file', { position })
  try {
    const bytes = readFileSync(file)
    const text = file.endsWith('.gz') ? gunzipSync(bytes) : bytes
    return parse(text, { bom: true, relax_column_count: true, skip_empty_lines: true, info: true }) as unknown as CsvRecord[]
  } catch (cause) {
    if (cause instanceof CsvError) throw new InputError(cause.message, { position, hint: 'the file is not well-formed CSV', cause })
    const code = (cause as { code?: string }).code ?? (cause as Error).message
    throw new InputError(code === 'ENOENT' ? 'no such file' : `cannot be read (${code})`, { position, cause })
  }
}
