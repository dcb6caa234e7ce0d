import { asyncBufferFromFile, type FileMetaData, parquetMetadataAsync, parquetReadObjects } from 'hyparquet'
import { compressors } from 'hyparquet-compressors'
import { InputError } from '../unit/inputError.ts'
import { requireColumns } from './csvRows.ts'
import type { FileTally } from './importTally.ts'

/** One row by column name. Instants are µs since the epoch, and those without a time zone are read as UTC. Integers may be bigint. */
export type ParquetRow = Readonly<Record<string, unknown>>

const instants = {
  timestampFromMilliseconds: (ms: bigint) => Number(ms) * 1000,
  timestampFromMicroseconds: (us: bigint) => Number(us),
  timestampFromNanoseconds: (ns: bigint) => Number(ns / 1000n),
}

/** The column names of a Parquet file. */
export async function parquetColumns(file: string): Promise<readonly string[]> {
  const { metadata } = await openParquet(file)
  return columnsOf(metadata)
}

/** The columns of a Parquet file, and its rows. Throws InputError for one that is missing or cut off. */
export async function parquetRows(file: string): Promise<{ readonly columns: readonly string[]; readonly rows: readonly ParquetRow[] }> {
  const { buffer, metadata } = await openParquet(file)
  const columns = columnsOf(metadata)
  return { columns, rows: await rowsOf(file, { buffer, metadata }, columns) }
}

/** Reads a Parquet file, with rows counted from 1. Throws InputError for a file that is missing, cut off or lacks a column. */
export async function readParquet(
  file: string,
  columns: readonly string[],
  tally: FileTally,
  onRow: (row: ParquetRow, number: number) => void,
): Promise<void> {
  const { buffer, metadata } = await openParquet(file)
  requireColumns(file, columns, columnsOf(metadata))
  const rows = await rowsOf(file, { buffer, metadata }, columns)
  tally.read(rows.length)
  for (let i = 0; i < rows.length; i += 1) onRow(rows[i]!, i + 1)
}

async function openParquet(file: string) {
  try {
    const buffer = await asyncBufferFromFile(file)
    return { buffer, metadata: await parquetMetadataAsync(buffer) }
  } catch (cause) {
    return damaged(file, cause)
  }
}

const rowsOf = (file: string, { buffer, metadata }: Awaited<ReturnType<typeof openParquet>>, columns: readonly string[]): Promise<ParquetRow[]> =>
  parquetReadObjects({ file: buffer, metadata, columns: [...columns], compressors, parsers: instants }).catch((cause: unknown) => damaged(file, cause))

const columnsOf = (metadata: FileMetaData) => metadata.schema.slice(1).map((element) => element.name)

function damaged(file: string, cause: unknown): never {
  const code = (cause as { code?: string }).code
  if (code !== undefined) throw new InputError(`cannot be read (${code})`, { position: { file }, cause })
  throw new InputError('is not a complete Parquet file', { position: { file }, hint: 'fetch the file again', cause })
}
