import { createHash } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { gunzipSync, zstdDecompressSync } from 'node:zlib'
import { InputError } from '../../unit/inputError.ts'
import type { FileTally } from '../importTally.ts'
import { parquetRows } from '../parquetRows.ts'
import { csvTable } from '../rows/csvTable.ts'
import { inputFile } from '../rows/inputFiles.ts'

/** A row of a file as it stands there, and its line, or in Parquet its number; from 1. */
export interface WrittenRow {
  readonly line: number
  readonly row: unknown
  /** Set: the line is no row at all, and why. */
  readonly fault?: string
}

export interface WrittenRows {
  readonly sha256: string
  readonly rows: readonly WrittenRow[]
}

/**
 * The rows of a log: NDJSON, CSV (`.csv`) or Parquet (`.parquet`); the first two may be compressed (`.gz`, `.zst`). Throws InputError for a file
 * that is not there or that is damaged. Rows of CSV that are damaged in themselves are not among the rows, but in the account of `tally`.
 */
export async function readWritten(file: string, tally: FileTally): Promise<WrittenRows> {
  // A pipe would be waited for without end.
  if (statSync(file, { throwIfNoEntry: false })?.isFile() === false) throw new InputError('is no plain file', { position: { file } })
  let bytes: Buffer
  try {
    bytes = readFileSync(file)
  } catch (cause) {
    const { code } = cause as { code?: string }
    throw new InputError(code === 'ENOENT' ? 'no such file' : `cannot be read (${code ?? (cause as Error).message})`, { position: { file }, cause })
  }
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  if (file.endsWith('.parquet')) return { sha256, rows: await rowsOfParquet(file) }
  if (/\.csv(\.gz|\.zst)?$/.test(file)) return { sha256, rows: await rowsOfCsv(file, tally) }
  const text = textOf(file, bytes)
  return { sha256, rows: rowsOfJson(text) }
}

/** A text is held in memory, and cannot be much longer in one piece. */
const TEXT_BYTES_MAX = 500_000_000

const tooLong = (file: string): InputError => new InputError(`has more than ${TEXT_BYTES_MAX} bytes of text`, { position: { file }, hint: 'expected a log in several files, or in CSV' })

function textOf(file: string, bytes: Buffer): string {
  try {
    const limit = { maxOutputLength: TEXT_BYTES_MAX }
    const plain = file.endsWith('.gz') ? gunzipSync(bytes, limit) : file.endsWith('.zst') ? zstdDecompressSync(bytes, limit) : bytes
    if (plain.length > TEXT_BYTES_MAX) throw tooLong(file)
    return new TextDecoder('utf-8', { fatal: true }).decode(plain)
  } catch (cause) {
    if (cause instanceof InputError) throw cause
    if ((cause as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE') throw tooLong(file)
    const isText = cause instanceof TypeError
    throw new InputError(isText ? 'is no UTF-8 text' : 'the compressed data are cut off or damaged', { position: { file }, cause })
  }
}

function rowsOfJson(text: string): WrittenRow[] {
  const rows: WrittenRow[] = []
  for (const [i, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue
    try {
      rows.push({ line: i + 1, row: JSON.parse(line) })
    } catch {
      rows.push({ line: i + 1, row: null, fault: 'is no JSON object' })
    }
  }
  return rows
}

/** Damaged rows go into the account of `tally`. */
async function rowsOfCsv(file: string, tally: FileTally): Promise<WrittenRow[]> {
  const table = csvTable(await inputFile(file), { delimiter: ',' })
  const rows: WrittenRow[] = []
  for await (const { count, numbers, cells } of table.batches(table.columns, tally)) {
    for (let i = 0; i < count; i += 1) rows.push({ line: numbers[i]!, row: Object.fromEntries(table.columns.map((name, place) => [name, cells[place]!.text(i)])) })
  }
  return rows
}

/** Timestamps of Parquet are numbers of microseconds: the field is then read as one that says so. */
async function rowsOfParquet(file: string): Promise<WrittenRow[]> {
  const { rows } = await parquetRows(file)
  return rows.map((row, i) => ({
    line: i + 1,
    row: Object.fromEntries(Object.entries(row).map(([field, value]) => {
      const isInstant = /^(at|valid_until|withdrawn_at)$/.test(field) && typeof value === 'number'
      return [isInstant ? `${field}_us` : field, value]
    })),
  }))
}
