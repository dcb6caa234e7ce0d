import { zstdDecompressSync } from 'node:zlib'
import type { ColumnMetaData, SchemaElement } from 'hyparquet'
import { parquetHeader } from 'hyparquet/src/column.js'
import { decompressPage } from 'hyparquet/src/datapage.js'
import { readPlain } from 'hyparquet/src/plain.js'
import { compressors } from 'hyparquet-compressors'
import { inBlocks } from '../../unit/rowBlocks.ts'
import { DAY_US } from '../../unit/time.ts'
import { CodedValues } from './codedCells.ts'
import type { ColumnRooms } from './columnRooms.ts'
import { readCodes } from './packedCodes.ts'

/** Numbers, instants in µs since the epoch, or these or texts by code. A list where cells are empty: null stands for each of those. */
export type FlatValues = Numbers | CodedValues | readonly unknown[]

type Numbers = Float64Array | Float32Array | Int32Array | BigInt64Array

/** What a type of Parquet becomes here. */
type Kind = 'double' | 'float' | 'int32' | 'int64' | 'text' | 'days' | 'ms' | 'us' | 'ns'

/** A column of a row group, with its element of the schema. It lies in no group of columns. */
export interface ColumnChunk {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly element: SchemaElement
  readonly data: ColumnMetaData
  readonly rows: number
  /** Where numbers go. */
  readonly rooms: ColumnRooms
}

/**
 * The values of a column, some of which lie in its rooms or its bytes. Null for one that is left to hyparquet: lists, types and encodings that are rare, and
 * whatever is damaged, of which hyparquet says what is wrong.
 */
export function flatValues(chunk: ColumnChunk): FlatValues | null {
  const kind = kindOf(chunk.element)
  if (kind === null || chunk.element.repetition_type === 'REPEATED') return null
  try {
    return kind === 'text' ? textsOf(chunk) : numbersOf(kind, chunk)
  } catch {
    return null
  }
}

function kindOf({ type, converted_type: converted, logical_type: logical }: SchemaElement): Kind | null {
  const isPlain = converted === undefined && logical === undefined
  const isSigned = logical === undefined || (logical.type === 'INTEGER' && logical.isSigned)
  switch (type) {
    case 'DOUBLE': return isPlain ? 'double' : null
    case 'FLOAT': return isPlain ? 'float' : null
    case 'BYTE_ARRAY': return (converted === undefined || converted === 'UTF8') && (logical === undefined || logical.type === 'STRING') ? 'text' : null
    case 'INT32':
      if (converted === 'DATE') return 'days'
      return isSigned && (converted === undefined || converted === 'INT_32' || converted === 'INT_16' || converted === 'INT_8') ? 'int32' : null
    case 'INT64':
      if (converted === 'TIMESTAMP_MILLIS') return 'ms'
      if (converted === 'TIMESTAMP_MICROS') return 'us'
      if (converted === undefined && logical?.type === 'TIMESTAMP') return ({ MILLIS: 'ms', MICROS: 'us', NANOS: 'ns' } as const)[logical.unit]
      return isSigned && (converted === undefined || converted === 'INT_64') ? 'int64' : null
    default: return null
  }
}

/** A page of a flat column. */
interface Page {
  readonly isDictionary: boolean
  /** Whether its values are places in the dictionary. */
  readonly isCoded: boolean
  /** How many rows it has, and how many of them are not empty. */
  readonly rows: number
  readonly count: number
  /** 1 for each row that is not empty; null where none is empty. */
  readonly filled: Uint8Array | null
  readonly view: DataView<ArrayBuffer>
  /** Where its values begin. */
  readonly offset: number
}

/** The pages of a chunk. Throws for one that is not read here. */
function* pagesOf({ bytes, element, data: { codec }, rows }: ColumnChunk): Generator<Page, void> {
  const reader = { view: new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength), offset: 0 }
  const isOptional = element.repetition_type !== 'REQUIRED'
  const plain = (packed: Uint8Array, size: number): DataView<ArrayBuffer> => {
    const page = decompressPage(packed, size, codec, DECOMPRESSORS)
    return new DataView(page.buffer as ArrayBuffer, page.byteOffset, page.byteLength)
  }
  for (let left = rows; left > 0;) {
    const { compressed_page_size: length, uncompressed_page_size: size, data_page_header: first, data_page_header_v2: second, dictionary_page_header: dictionary } = parquetHeader(reader)
    const packed = bytes.subarray(reader.offset, reader.offset + length)
    if (packed.length !== length) throw new Error('a page that is cut off')
    reader.offset += length
    if (dictionary !== undefined) yield { isDictionary: true, isCoded: false, rows: 0, count: dictionary.num_values, filled: null, view: plain(packed, size), offset: 0 }
    else if (first !== undefined) {
      const { num_values: count, encoding, definition_level_encoding: levels } = first
      // Before memory is taken for them: a header may lie.
      if (count > left) throw new Error('more values than rows')
      if (isOptional && levels !== 'RLE') throw new Error(`levels in ${levels} are not read here`)
      const view = plain(packed, size)
      const offset = isOptional ? LENGTH_BYTES + view.getUint32(0, true) : 0
      const filled = isOptional ? filledOf(view, LENGTH_BYTES, offset, count) : null
      yield { isDictionary: false, isCoded: isCoded(encoding), rows: count, count: countOf(filled, count), filled, view, offset }
      left -= count
    } else if (second !== undefined && second.repetition_levels_byte_length === 0) {
      const { num_values: count, encoding, definition_levels_byte_length: levels } = second
      if (count > left || levels > packed.length) throw new Error('more values than rows')
      const filled = isOptional ? filledOf(new DataView(packed.buffer, packed.byteOffset, levels), 0, levels, count) : null
      const values = packed.subarray(levels)
      const view = second.is_compressed === false ? new DataView(values.buffer, values.byteOffset, values.byteLength) : plain(values, size - levels)
      yield { isDictionary: false, isCoded: isCoded(encoding), rows: count, count: countOf(filled, count), filled, view, offset: 0 }
      left -= count
    } else throw new Error('a page that is not read here')
  }
}

/** A page that a damaged header says to be huge is not reserved as a whole. What is full to the last byte would be made longer. */
const [CHUNK_BYTES_MAX, ROOM_BYTES] = [1 << 22, 64]

const DECOMPRESSORS: typeof compressors = {
  ...compressors,
  ZSTD: (bytes: Uint8Array, size: number) => {
    try {
      return zstdDecompressSync(bytes, { maxOutputLength: Math.max(1, size), chunkSize: Math.min(CHUNK_BYTES_MAX, Math.max(0, size) + ROOM_BYTES) })
    } catch {
      return compressors.ZSTD!(bytes, size)
    }
  },
}

function isCoded(encoding: string): boolean {
  if (encoding === 'PLAIN') return false
  if (encoding === 'RLE_DICTIONARY' || encoding === 'PLAIN_DICTIONARY') return true
  throw new Error(`the encoding ${encoding} is not read here`)
}

const LENGTH_BYTES = 4
const countOf = (filled: Uint8Array | null, rows: number): number => (filled === null ? rows : filled.reduce((sum, bit) => sum + bit, 0))

/** Whether levels are one run of 1, as those of most pages. */
function isOneRun(view: DataView, from: number, end: number, rows: number): boolean {
  let header = 0
  let at = from
  for (let shift = 0, byte = 128; byte >= 128 && at < end; shift += 7) {
    byte = view.getUint8(at++)
    header += (byte & 127) * 2 ** shift
  }
  return header === rows * 2 && at < end && view.getUint8(at) === 1
}

/** Levels of 0 and 1 as runs and as bits, in bytes `from`…`end`−1. Null where no row is empty. */
function filledOf(view: DataView, from: number, end: number, rows: number): Uint8Array | null {
  if (isOneRun(view, from, end, rows)) return null
  const filled = new Uint8Array(rows)
  let areAll = true
  let at = from
  for (let row = 0; row < rows;) {
    let header = 0
    for (let shift = 0, byte = 128; byte >= 128; shift += 7) {
      byte = view.getUint8(at++)
      header += (byte & 127) * 2 ** shift
    }
    const length = Math.floor(header / 2)
    if (length === 0) continue
    if (header % 2 === 0) {
      const level = view.getUint8(at++)
      if (level > 1) throw new Error('a level of a list')
      if (level === 0) areAll = false
      filled.fill(level, row, row + length)
      row += length
    } else {
      for (let group = 0; group < length && row < rows; group++) {
        const bits = view.getUint8(at++)
        for (let bit = 0; bit < 8 && row < rows; bit++, row++) {
          filled[row] = bits >> bit & 1
          if (filled[row] === 0) areAll = false
        }
      }
    }
  }
  if (at > end) throw new Error('levels that reach into the values')
  return areAll ? null : filled
}

const PARQUET_TYPE = { double: 'DOUBLE', float: 'FLOAT', int32: 'INT32', days: 'INT32', int64: 'INT64', ms: 'INT64', us: 'INT64', ns: 'INT64' } as const

function numbersOf(kind: Exclude<Kind, 'text'>, chunk: ColumnChunk): FlatValues {
  const { rows, rooms } = chunk
  /** Instants go into `room` where it is given. */
  const read = ({ view, offset, count }: Page, room?: Float64Array): Numbers => {
    if (count === 0) return new Float64Array(0)
    const type = PARQUET_TYPE[kind]
    // hyparquet would go on behind the page.
    if (offset + count * (type === 'INT32' || type === 'FLOAT' ? 4 : 8) > view.byteLength) throw new Error('values that are cut off')
    const found = readPlain({ view, offset }, type, count, undefined)
    return isInstant(kind) ? instantsOf(kind, found as Int32Array | BigInt64Array, room) : found as Numbers
  }
  /** While pages have codes alone. */
  let coded: PageCodes | null = null
  let values: Numbers | null = null
  /** Where cells are empty. */
  let sparse: unknown[] | null = null
  let dictionary: Numbers = new Float64Array(0)
  let done = 0
  for (const page of pagesOf(chunk)) {
    if (page.isDictionary) {
      if (done > 0) throw new Error('a dictionary behind other pages')
      dictionary = read(page)
      coded = new PageCodes(rooms.take(Int32Array, rows), dictionary.length)
      continue
    }
    if (coded !== null && page.isCoded) {
      coded.take(page, done)
      done += page.rows
      continue
    }
    if (coded !== null) {
      // Pages without codes follow those that have some.
      if (coded.hasEmpty) sparse = coded.picked(dictionary, done)
      else (values = numbersFor(kind, chunk) as Float64Array).set(picked(dictionary, coded.codes.subarray(0, done)) as Float64Array)
      coded = null
    }
    values ??= numbersFor(kind, chunk)
    const room: Float64Array<ArrayBuffer> | undefined = isInstant(kind) && !page.isCoded && page.filled === null && sparse === null ? values.subarray(done, done + page.count) as Float64Array<ArrayBuffer> : undefined
    const found: Numbers = page.isCoded ? picked(dictionary, codesOf(page, dictionary.length)) : read(page, room)
    if (page.filled !== null) {
      sparse ??= Array.from<unknown>(values.subarray(0, done))
      let next = 0
      for (const isFilled of page.filled) sparse.push(isFilled === 1 ? found[next++] : null)
    } else if (sparse !== null) sparse = sparse.concat(Array.from<unknown>(found))
    // A page that has all rows is not copied.
    else if (page.count === rows && found.constructor === values.constructor) values = found
    // Their types are the same, which the compiler does not see.
    else if (room === undefined && page.count > 0) (values as Float64Array).set(found as Float64Array, done)
    done += page.rows
  }
  if (coded !== null && done > 0) return new CodedValues(coded.hasEmpty ? [...dictionary, null] : dictionary, coded.codes)
  return sparse ?? values ?? numbersFor(kind, chunk)
}

const isInstant = (kind: Kind): kind is 'days' | 'ms' | 'us' | 'ns' => kind === 'days' || kind === 'ms' || kind === 'us' || kind === 'ns'

const numbersFor = (kind: Exclude<Kind, 'text'>, { rows, rooms }: ColumnChunk): Numbers =>
  (kind === 'float' ? rooms.take(Float32Array, rows) : kind === 'int32' ? rooms.take(Int32Array, rows) : kind === 'int64' ? rooms.take(BigInt64Array, rows) : rooms.take(Float64Array, rows))

/** The codes of pages that follow each other. That of an empty cell is behind those of the dictionary. */
class PageCodes {
  declare readonly codes: Int32Array
  hasEmpty = false
  private declare readonly limit: number

  /** @param codes room for them */
  constructor(codes: Int32Array, limit: number) {
    this.codes = codes
    this.limit = limit
  }

  take(page: Page, from: number): void {
    const { codes, limit } = this
    if (page.filled === null) return page.count === 0 ? undefined : readCodes(page.view, page.offset, codes.subarray(from, from + page.rows), limit)
    this.hasEmpty = true
    const found = codesOf(page, limit)
    let next = 0
    for (let i = 0; i < page.rows; i++) codes[from + i] = page.filled[i] === 1 ? found[next++]! : limit
  }

  /** The values of the first rows. */
  picked(dictionary: Numbers, rows: number): unknown[] {
    return Array.from(this.codes.subarray(0, rows), (code) => dictionary[code] ?? null)
  }
}

/** The places in a dictionary that a page says. Throws for one that the dictionary does not have. */
function codesOf({ view, offset, count }: Page, limit: number): Int32Array {
  const codes = new Int32Array(count)
  if (count > 0) readCodes(view, offset, codes, limit)
  return codes
}

function picked(dictionary: Numbers, codes: Int32Array): Numbers {
  const found = new (dictionary.constructor as new (length: number) => Numbers)(codes.length)
  for (let i = 0; i < codes.length; i++) found[i] = dictionary[codes[i]!]!
  return found
}

/** Instants as µs since the epoch, nanoseconds rounded up. */
function instantsOf(kind: 'days' | 'ms' | 'us' | 'ns', values: Int32Array | BigInt64Array, into: Float64Array = new Float64Array(values.length)): Float64Array {
  if (values instanceof Int32Array) for (let i = 0; i < into.length; i++) into[i] = values[i]! * DAY_US
  else if (kind === 'ns') for (let i = 0; i < into.length; i++) into[i] = Number((values[i]! + 999n) / 1000n)
  else {
    const words = new Int32Array(values.buffer, values.byteOffset, values.length * 2)
    const scale = kind === 'ms' ? 1000 : 1
    inBlocks(into.length, (from, to) => { readWords(words, scale, into, from, to) })
  }
  return into
}

function readWords(words: Int32Array, scale: number, into: Float64Array, from: number, to: number): void {
  for (let i = from; i < to; i++) into[i] = (words[i * 2 + 1]! * 2 ** 32 + (words[i * 2]! >>> 0)) * scale
}

function textsOf(chunk: ColumnChunk): CodedValues {
  const codes = chunk.rooms.take(Int32Array, chunk.rows)
  const texts: (string | null)[] = []
  // Behind the texts of the dictionary are those of pages without one, and what stands for empty cells.
  let coded = 0
  let emptyCode = -1
  let done = 0
  for (const page of pagesOf(chunk)) {
    if (page.isDictionary) {
      if (texts.length > 0) throw new Error('a dictionary behind other pages')
      addTexts(page, texts)
      coded = texts.length
      continue
    }
    const first = texts.length
    const found = page.isCoded ? codesOf(page, coded) : null
    if (found === null) addTexts(page, texts)
    if (page.filled !== null && emptyCode < 0) emptyCode = texts.push(null) - 1
    let next = 0
    if (found !== null && page.filled === null) codes.set(found, done)
    else for (let i = 0; i < page.rows; i++) {
      if (page.filled !== null && page.filled[i] === 0) codes[done + i] = emptyCode
      else codes[done + i] = found === null ? first + next++ : found[next++]!
    }
    done += page.rows
  }
  return new CodedValues(texts, codes)
}

const decoder = new TextDecoder()

function addTexts({ view, offset, count }: Page, texts: (string | null)[]): void {
  const data = Buffer.from(view.buffer, view.byteOffset, view.byteLength)
  let at = offset
  for (let i = 0; i < count; i++) {
    const from = at + 4
    at = from + view.getUint32(at, true)
    if (at > data.length) throw new Error('a text that is cut off')
    let isAscii = true
    for (let k = from; k < at; k++) if (data[k]! >= 128) isAscii = false
    texts.push(isAscii ? data.toString('latin1', from, at) : decoder.decode(data.subarray(from, at)))
  }
}
