import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { pipeline, Readable } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'
import { constants, createGunzip, gunzipSync } from 'node:zlib'
import { CsvError, parse } from 'csv-parse'
import { InputError } from '../unit/inputError.ts'
import type { FileTally } from './importTally.ts'

const CHUNK_BYTES = 1 << 18

/** One field for each column that was asked for. */
export type FieldsOf<Columns extends readonly string[]> = { readonly [At in keyof Columns]: string }

interface Batch {
  readonly records: readonly string[][]
  /** Line of each record, from 1. */
  readonly lines: readonly number[]
}

/** The column names of a CSV file, gzipped if its name ends in `.gz`. */
export async function csvColumns(file: string): Promise<readonly string[]> {
  const handle = await open(file).catch((cause: unknown) => unreadable(file, cause))
  try {
    const { buffer, bytesRead } = await handle.read({ buffer: Buffer.alloc(1 << 16), position: 0 })
    const head = buffer.subarray(0, bytesRead)
    const text = file.endsWith('.gz') ? gunzipSync(head, { finishFlush: constants.Z_SYNC_FLUSH }) : head
    const first = withoutMark(text.toString('utf8').split(/\r?\n/, 1)[0]!)
    return first.split(',').map((name) => name.replace(/^"(.*)"$/, '$1'))
  } catch (cause) {
    return unreadable(file, cause)
  } finally {
    await handle.close()
  }
}

/**
 * Streams a CSV file: `onRow` gets the fields of `columns`, in that order, and the line. Every row is counted in `tally`.
 * A row that is wider or narrower than the header is quarantined as `ragged row`. Throws InputError for a file that
 * cannot be read, is cut off, or lacks a column.
 */
export async function readCsv<const Columns extends readonly string[]>(
  file: string,
  columns: Columns,
  tally: FileTally,
  onRow: (fields: FieldsOf<Columns>, line: number) => void,
): Promise<void> {
  let header: readonly string[] | undefined
  let places: number[] = []
  let asStored = false
  for await (const { records, lines } of batches(file)) {
    for (let i = 0; i < records.length; i += 1) {
      const record = records[i]!
      const line = lines[i]!
      if (header === undefined) {
        header = record
        places = columns.map((name) => record.indexOf(name))
        requireColumns(file, columns, record)
        asStored = places.every((place, at) => place === at)
        continue
      }
      tally.read()
      if (record.length !== header.length) {
        tally.quarantine('ragged row', line, `${record.length} fields where the header has ${header.length}`)
        continue
      }
      // The record is as wide as the header, which has every column.
      const fields = asStored ? record : places.map((place) => record[place]!)
      onRow(fields as readonly string[] as FieldsOf<Columns>, line)
    }
  }
  if (header === undefined) requireColumns(file, columns, [])
}

/** Throws InputError at line 1 unless every wanted column is there. */
export function requireColumns(file: string, wanted: readonly string[], found: readonly string[]): void {
  const missing = wanted.filter((name) => !found.includes(name))
  if (missing.length === 0) return
  throw new InputError(`no column ${missing.join(', ')}`, {
    position: { file, line: 1 },
    hint: `the columns expected are ${wanted.join(', ')}`,
  })
}

/** Lines without a quote are split, which is some ten times faster. From the first quote on csv-parse reads the file. */
async function* batches(file: string): AsyncGenerator<Batch> {
  const chunks = textOf(file)
  let rest = ''
  let line = 0
  for (;;) {
    const { value, done } = await chunks.next()
    const text = line === 0 ? withoutMark(rest + (value ?? '')) : rest + (value ?? '')
    if (text.includes('"')) {
      yield* quotedBatches(file, text, chunks, line)
      return
    }
    const records: string[][] = []
    const lines: number[] = []
    const add = (row: string) => {
      line += 1
      const bare = row.endsWith('\r') ? row.slice(0, -1) : row
      if (bare === '') return
      records.push(bare.split(','))
      lines.push(line)
    }
    let start = 0
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', start)) {
      add(text.slice(start, end))
      start = end + 1
    }
    rest = text.slice(start)
    if (done === true && rest !== '') add(rest)
    yield { records, lines }
    if (done === true) return
  }
}

async function* quotedBatches(file: string, first: string, chunks: AsyncGenerator<string>, linesBefore: number): AsyncGenerator<Batch> {
  async function* remaining() {
    yield first
    yield* chunks
  }
  const parser = parse({ relax_column_count: true, relax_quotes: true, skip_empty_lines: true, info: true })
  const parsed = pipeline(Readable.from(remaining()), parser, () => {})
  try {
    for await (const { record, info } of parsed as AsyncIterable<{ record: string[]; info: { lines: number } }>) {
      yield { records: [record], lines: [linesBefore + info.lines] }
    }
  } catch (cause) {
    if (!(cause instanceof CsvError)) throw cause
    throw new InputError(cause.message, { position: { file }, hint: 'the file is not well-formed CSV', cause })
  }
}

async function* textOf(file: string): AsyncGenerator<string, undefined> {
  const source = createReadStream(file, { highWaterMark: CHUNK_BYTES })
  const bytes = file.endsWith('.gz') ? pipeline(source, createGunzip({ chunkSize: CHUNK_BYTES }), () => {}) : source
  const decoder = new StringDecoder('utf8')
  try {
    for await (const chunk of bytes) yield decoder.write(chunk as Buffer)
  } catch (cause) {
    unreadable(file, cause)
  }
  yield decoder.end()
  return undefined
}

const withoutMark = (text: string) => (text.startsWith('\uFEFF') ? text.slice(1) : text)

function unreadable(file: string, cause: unknown): never {
  const code = (cause as { code?: string }).code ?? ''
  if (code.startsWith('Z_')) {
    throw new InputError('the gzip data is cut off or damaged', { position: { file }, hint: 'fetch the file again', cause })
  }
  throw new InputError(`cannot be read (${code || (cause as Error).message})`, { position: { file }, cause })
}
