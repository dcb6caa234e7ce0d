import { open, type FileHandle } from 'node:fs/promises'
import { crc32 } from 'node:zlib'
import { type AsyncBuffer, type ColumnMetaData, type FileMetaData, parquetMetadataAsync, parquetScan, type SchemaElement } from 'hyparquet'
import { parquetHeader } from 'hyparquet/src/column.js'
import { compressors } from 'hyparquet-compressors'
import { InputError } from '../../unit/inputError.ts'
import { inBlocks } from '../../unit/rowBlocks.ts'
import { DAY_US } from '../../unit/time.ts'
import type { FileTally } from '../importTally.ts'
import { type Cells, Float32Cells, InstantCells, Int64Cells, NumberCells, RoundedDecimalCells, ValueCells } from './cells.ts'
import { CodedCells, CodedValues } from './codedCells.ts'
import { ColumnRooms } from './columnRooms.ts'
import { requireOnce } from './csvTable.ts'
import { DecimalCells, isExactDecimal, withStoredDecimals } from './decimals.ts'
import { type FlatValues, flatValues } from './flatColumn.ts'
import type { InputFile } from './inputFiles.ts'
import { namedColumns } from './nestedColumns.ts'
import { isTimeOfDay, timeOfDayText } from './timeOfDay.ts'
import type { RowBatch, RowTable, TablePiece } from './rowBatch.ts'

/** Row groups are read by so many rows at a time where the file has indexes of its pages. */
const PART_ROWS = 1 << 18
/** Columns of larger groups are not in memory as a whole. */
const FLAT_ROWS_MAX = 1 << 20

/** Instants as µs since the epoch, nanoseconds rounded up. */
const instants = {
  timestampFromMilliseconds: (ms: bigint) => Number(ms) * 1000,
  timestampFromMicroseconds: (us: bigint) => Number(us),
  timestampFromNanoseconds: (ns: bigint) => Number((ns + 999n) / 1000n),
  dateFromDays: (days: number) => days * DAY_US,
}

/** Looks into a Parquet file. Throws InputError for one that is cut off or damaged. */
export async function parquetTable(file: InputFile): Promise<RowTable> {
  const handle = await open(file.path)
  let metadata: FileMetaData
  try {
    metadata = await parquetMetadataAsync(bufferOf(file, handle)).catch((cause: unknown) => damaged(file.name, cause))
  } finally {
    await handle.close()
  }
  if (!saysItsRows(metadata)) throw damagedError(file.name)
  const columns = namedColumns(metadata).map(({ name }) => name)
  // Pieces are read one after the other.
  const rooms = new ColumnRooms()
  return {
    format: 'parquet',
    columns,
    shows: (column) => columns.includes(column),
    has: (column) => columns.includes(column),
    batches: (wanted, tally) => parquetBatches({ file, metadata, first: 0, end: metadata.row_groups.length, rooms: null }, wanted, tally),
    pieces: ({ parquetRows }) => piecesOf(metadata, parquetRows),
    async* pieceBatches(wanted, tally, { from, to }, ends) {
      ends.began = from
      yield* parquetBatches({ file, metadata, first: from, end: to, rooms }, wanted, tally)
      ends.ended = to
    },
  }
}

/** Row groups that follow each other, with so many rows together, or one larger group. */
function piecesOf({ row_groups: groups }: FileMetaData, rows: number): TablePiece[] {
  const pieces: TablePiece[] = []
  for (let from = 0; from < groups.length;) {
    let to = from + 1
    let count = Number(groups[from]!.num_rows)
    while (to < groups.length && count + Number(groups[to]!.num_rows) <= rows) count += Number(groups[to++]!.num_rows)
    pieces.push({ from, to, isExact: true })
    from = to
  }
  return pieces
}

function bufferOf(file: InputFile, handle: FileHandle): AsyncBuffer {
  const { length } = file
  return {
    byteLength: length,
    async slice(from, to = length) {
      return (await bytesAt(file, handle, from < 0 ? Math.max(0, length + from) : from, to < 0 ? length + to : to)).buffer
    },
  }
}

/** Bytes `from`…`to`−1 of a file, as far as it has them. */
async function bytesAt({ name, start, length }: InputFile, handle: FileHandle, from: number, to: number, rooms?: ColumnRooms): Promise<Uint8Array<ArrayBuffer>> {
  const count = Math.min(to, length) - from
  if (!Number.isSafeInteger(from) || !Number.isSafeInteger(count) || count < 0) throw damagedError(name)
  const bytes = rooms?.take(Uint8Array, count) ?? new Uint8Array(count)
  for (let done = 0; done < count;) {
    const { bytesRead } = await handle.read(bytes, done, count - done, start + from + done)
    if (bytesRead === 0) throw damagedError(name)
    done += bytesRead
  }
  return bytes
}

interface GroupsOf {
  readonly file: InputFile
  readonly metadata: FileMetaData
  /** Row groups `first`…`end`−1. */
  readonly first: number
  readonly end: number
  /** Where each group is read, after the one before. Null where rows of groups are kept. */
  readonly rooms: ColumnRooms | null
}

async function* parquetBatches({ file, metadata, first, end, rooms: again }: GroupsOf, wanted: readonly string[], tally: FileTally): AsyncGenerator<RowBatch, void> {
  const columns = namedColumns(metadata)
  const stored = withStoredDecimals(metadata)
  requireOnce(file.name, wanted, columns.map(({ name }) => name))
  const asked = wanted.map((name) => columns.find((column) => column.name === name)!)
  const tops = [...new Set(asked.map(({ top }) => top))]
  const handle = await open(file.path)
  try {
    const buffer = bufferOf(file, handle)
    let groupStart = metadata.row_groups.slice(0, first).reduce((sum, { num_rows: rows }) => sum + Number(rows), 0)
    for (const group of metadata.row_groups.slice(first, end)) {
      const rows = Number(group.num_rows)
      const kept = rows <= FLAT_ROWS_MAX ? new Map() as KeptBytes : null
      const rooms = again ?? new ColumnRooms()
      rooms.reuse()
      const bad = await damagedPage((from, to) => bytesAt(file, handle, from, to, kept === null ? undefined : rooms), group, tops, kept)
      if (bad !== undefined) {
        tally.read(rows)
        tally.quarantine('damaged page', groupStart + 1, bad, rows)
      } else {
        const flat = asked.map(({ top, element, pick }) => (pick === null ? flatOf(top, element, group, { kept, rows, rooms }) : null))
        // A scan keeps the columns that were read last: each row group has one of its own.
        const scan = await parquetScan({ file: buffer, metadata: stored, columns: tops, compressors, parsers: instants }).catch((cause: unknown) => damaged(file.name, cause))
        const step = hasIndexes(group, tops) ? PART_ROWS : rows
        const numbers = rooms.take(Float64Array, Math.min(step, rows))
        for (let from = 0; from < rows; from += step) {
          const rowStart = groupStart + from
          const rowEnd = groupStart + Math.min(rows, from + step)
          const count = rowEnd - rowStart
          const cells: Cells[] = []
          for (const [i, { top, element, pick }] of asked.entries()) {
            const there = flat[i]!
            if (there !== null) {
              cells.push(there instanceof CodedValues ? new CodedCells(cellsOf(element, there.values), there.values.length, there.rows(from, from + count)) : cellsOf(element, partOf(there, from, from + count)))
              continue
            }
            const values = await scan.readColumn({ column: top, rowStart, rowEnd }).catch((cause: unknown) => damaged(file.name, cause))
            if (values.length !== count) damaged(file.name, undefined)
            cells.push(cellsOf(element, pick === null ? values : Array.from(values as ArrayLike<unknown>, pick)))
          }
          inBlocks(count, (one, to) => { countFrom(rowStart + 1, numbers, one, to) })
          yield { count, numbers, cells }
        }
      }
      groupStart += rows
    }
  } finally {
    await handle.close()
  }
}

/** Typed arrays are not copied. */
const partOf = (values: Exclude<FlatValues, CodedValues>, from: number, to: number): ArrayLike<unknown> => (ArrayBuffer.isView(values) ? values.subarray(from, to) : values.slice(from, to))

/** What can be decoded at once of a column, null where hyparquet decodes it. */
function flatOf(column: string, element: SchemaElement, group: RowGroup, { kept, rows, rooms }: { readonly kept: KeptBytes | null; readonly rows: number; readonly rooms: ColumnRooms }): FlatValues | null {
  const data = group.columns.find(({ meta_data: one }) => one?.path_in_schema.length === 1 && one.path_in_schema[0] === column)?.meta_data
  const bytes = data && kept?.get(data)
  return bytes === undefined ? null : flatValues({ bytes, element, data: data!, rows, rooms })
}

/** Whether the row groups have the rows that the file says that it has: a damaged end of a file says negative ones, or none. */
function saysItsRows({ num_rows: all, row_groups: groups }: FileMetaData): boolean {
  const rows = groups.map(({ num_rows: count }) => Number(count))
  return rows.every((count) => Number.isSafeInteger(count) && count >= 0) && rows.reduce((sum, count) => sum + count, 0) === Number(all)
}

function countFrom(first: number, into: Float64Array, from: number, to: number): void {
  for (let i = from; i < to; i += 1) into[i] = first + i
}

type RowGroup = FileMetaData['row_groups'][number]
type KeptBytes = Map<ColumnMetaData, Uint8Array<ArrayBuffer>>

const chunksOf = (group: RowGroup, wanted: readonly string[]) => group.columns.filter(({ meta_data: data }) => wanted.includes(data?.path_in_schema[0] ?? ''))

const hasIndexes = (group: RowGroup, wanted: readonly string[]): boolean => chunksOf(group, wanted).every(({ offset_index_offset: at }) => at !== undefined)

/** No writer makes larger pages: more is a damaged number, for which nobody should reserve memory. */
const PAGE_BYTES_MAX = 1 << 30

/**
 * What is wrong with the first page that is damaged: its checksum is not that of its bytes, where it has one, or its header says what cannot be. A decoder
 * that believed such a header would count to billions. `kept` gets the bytes of each column.
 */
async function damagedPage(read: (from: number, to: number) => Promise<Uint8Array<ArrayBuffer>>, group: RowGroup, wanted: readonly string[], kept: KeptBytes | null): Promise<string | undefined> {
  for (const { meta_data: data } of chunksOf(group, wanted)) {
    if (data === undefined) continue
    // Some writers say 0 for no dictionary.
    const start = Math.min(Number(data.dictionary_page_offset) || Number(data.data_page_offset), Number(data.data_page_offset))
    const name = data.path_in_schema.join('.')
    const bytes = await read(start, start + Number(data.total_compressed_size))
    kept?.set(data, bytes)
    const view = new DataView(bytes.buffer, 0, bytes.length)
    const reader = { view, offset: 0 }
    let left = Number(data.num_values)
    try {
      while (reader.offset < view.byteLength - 1) {
        const header = parquetHeader(reader)
        const page = bytes.subarray(reader.offset, reader.offset + header.compressed_page_size)
        if (page.length !== header.compressed_page_size) throw new Error('a page that is cut off')
        reader.offset += page.length
        if (header.crc !== undefined && crc32(page) !== header.crc >>> 0) return `a page of column ${name} is not what its checksum says`
        const values = valuesOf(header, data.encodings)
        // A dictionary may have more values than the rows of its group use, of a byte each at least.
        const isDictionary = header.dictionary_page_header !== undefined
        if (!isDictionary) left -= values
        const most = isDictionary ? header.uncompressed_page_size : Number(data.num_values)
        if (!(values >= 0 && left >= 0 && values <= most && header.uncompressed_page_size >= 0 && header.uncompressed_page_size <= PAGE_BYTES_MAX)) {
          return `a page of column ${name} says what cannot be`
        }
      }
    } catch {
      return `the pages of column ${name} cannot be told apart`
    }
  }
  return undefined
}

/** How many values a page says that it has. NaN where it says so in an encoding that its column does not have. */
function valuesOf(header: ReturnType<typeof parquetHeader>, encodings: readonly string[]): number {
  const { data_page_header: first, data_page_header_v2: second, dictionary_page_header: dictionary } = header
  const page = first ?? second
  if (page !== undefined) return encodings.includes(page.encoding) ? page.num_values : NaN
  return dictionary?.num_values ?? NaN
}

function cellsOf(element: SchemaElement, values: ArrayLike<unknown>): Cells {
  const { type, converted_type: converted, logical_type: logical } = element
  if (logical?.type === 'TIMESTAMP') return new InstantCells(values, !logical.isAdjustedToUTC)
  if (converted === 'TIMESTAMP_MILLIS' || converted === 'TIMESTAMP_MICROS') return new InstantCells(values, false)
  if (type === 'INT96' || converted === 'DATE') return new InstantCells(values, true)
  if (isExactDecimal(element)) return new DecimalCells(values, element.scale ?? 0)
  if (converted === 'DECIMAL') return new RoundedDecimalCells(values, element.scale ?? 0)
  if (isTimeOfDay(element)) return new ValueCells(Array.from(values, (value) => timeOfDayText(value, element)))
  if (type === 'FLOAT') return new Float32Cells(values)
  if (values instanceof Float64Array || values instanceof Int32Array) return new NumberCells(values)
  return values instanceof BigInt64Array ? new Int64Cells(values) : new ValueCells(values)
}

const damagedError = (file: string, cause?: unknown) => new InputError('is not a complete Parquet file', { position: { file }, hint: 'fetch the file again', cause })

function damaged(file: string, cause: unknown): never {
  if (cause instanceof InputError) throw cause
  throw damagedError(file, cause)
}
