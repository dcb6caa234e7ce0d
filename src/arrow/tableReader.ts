import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs'
import { type Data, type Field, type RecordBatch, RecordBatchReader, type Schema, type Vector } from 'apache-arrow'
import { InputError } from '../unit/inputError.ts'
import { checkFrame } from './arrowFrame.ts'
import { knowCompression } from './bodyCompression.ts'
import { type ColumnType, columnTypeOf } from './tableSchema.ts'

const WORD = 4_294_967_296
/** High words of the safe integers: −2²¹ … 2²¹ − 1. */
const HIGH_LIMIT = 2_097_152
const MAGIC = 'ARROW1'
/** What follows the footer: its length, and the name of the format again. */
export const FOOTER_END_BYTES = 4 + MAGIC.length
const READ_AT_ONCE = 1 << 30

/** One column of a table, whole. Of `numbers`, `codes` and `texts` one is there, by type. */
export interface TableColumn {
  readonly name: string
  readonly type: ColumnType
  readonly about: string
  /** 1 where the cell has a value; null when every cell has one. */
  readonly valid: Uint8Array | null
  /** `timeUs`, `micros`, `oddsE4`, `int64`, `float64` as doubles (safe integers), `int32` as words, `bool` as 0 and 1. 0 where empty. */
  readonly numbers?: Float64Array | Int32Array | Uint8Array
  /** `enum`: index into `values`, −1 where empty. `enumList`: those of all rows, one after the other. */
  readonly codes?: Int32Array
  /** `enumList`: where the codes of each row begin, and after the last where they end. */
  readonly offsets?: Int32Array
  readonly values?: readonly string[]
  /** `text`; '' where empty. */
  readonly texts?: readonly string[]
}

/** The rows of a table, or some of them. */
export type TableRows = Pick<Table, 'rowCount' | 'has' | 'column' | 'numbers'>

/** A table, wherever it lies. */
export interface ReadTable extends TableRows, Pick<Table, 'path' | 'metadata' | 'columnNames' | 'batchCount'> {
  batch(index: number): TableRows
}

/** The bytes of a file. Throws InputError where there is none that can be read. */
export function readWhole(path: string): Uint8Array {
  let descriptor: number
  try {
    if (!statSync(path).isFile()) throw new Error('no plain file')
    descriptor = openSync(path, 'r')
  } catch (error) {
    throw new InputError('cannot read the file', { position: { file: path }, hint: 'check the path', cause: error })
  }
  try {
    const bytes = new Uint8Array(fstatSync(descriptor).size)
    let from = 0
    while (from < bytes.byteLength) {
      const read = readSync(descriptor, bytes, from, Math.min(READ_AT_ONCE, bytes.byteLength - from), from)
      if (read === 0) throw new InputError('the file shrank while it was read', { position: { file: path } })
      from += read
    }
    return bytes
  } finally {
    closeSync(descriptor)
  }
}

/** Checks how a file begins and how it ends. Returns the length of its footer. */
export function checkEnds(head: Uint8Array, end: Uint8Array, fileBytes: number, path: string): number {
  const textAt = (bytes: Uint8Array, from: number): string => String.fromCharCode(...bytes.subarray(from, from + MAGIC.length))
  const fail = (message: string): never => {
    throw new InputError(message, { position: { file: path }, hint: 'expected an Arrow IPC file that was written to its end' })
  }
  if (fileBytes < MAGIC.length || textAt(head, 0) !== MAGIC) fail('not an Arrow file')
  if (fileBytes < 2 * MAGIC.length + 4 || textAt(end, end.byteLength - MAGIC.length) !== MAGIC) fail('the Arrow file is truncated')
  const footer = new DataView(end.buffer, end.byteOffset).getInt32(end.byteLength - FOOTER_END_BYTES, true)
  if (footer <= 0 || footer > fileBytes - FOOTER_END_BYTES - MAGIC.length) fail('the Arrow file is damaged: no footer')
  return footer
}

/** Whether the cell of a row of a batch has a value. Bitmaps may begin inside a byte. */
const filled = (data: Data, row: number): boolean => {
  const bit = data.offset + row
  return ((data.nullBitmap[bit >> 3]! >> (bit & 7)) & 1) === 1
}

/** Cells that the buffers of a column's part have room for. */
function cellsOf({ values, valueOffsets, offset }: Data, type: ColumnType): number {
  if (type === 'text' || type === 'enumList') return (valueOffsets as Int32Array).length - 1
  return (values as Int32Array).length * (type === 'bool' ? 8 : 1) - (type === 'bool' ? offset : 0)
}

/** A table that has been read; columns are converted when they are asked for. */
export class Table {
  declare readonly path: string
  declare readonly rowCount: number
  /** The schema's metadata: table name, identity of the run, … */
  declare readonly metadata: Readonly<Record<string, string>>
  declare readonly columnNames: readonly string[]
  private declare readonly schema: Schema
  private declare readonly batches: readonly RecordBatch[]

  constructor(path: string, schema: Schema, batches: readonly RecordBatch[]) {
    this.path = path
    this.schema = schema
    this.batches = batches
    this.rowCount = batches.reduce((rows, batch) => rows + batch.numRows, 0)
    this.metadata = Object.fromEntries(schema.metadata)
    this.columnNames = schema.fields.map((field) => field.name)
  }

  get batchCount(): number {
    return this.batches.length
  }

  /** A table of one of the batches, for readers that cannot hold all of it. */
  batch(index: number): Table {
    return new Table(this.path, this.schema, [this.batches[index]!])
  }

  has(name: string): boolean {
    return this.columnNames.includes(name)
  }

  /** Whether the column may have empty cells, by the schema. */
  isNullable(name: string): boolean {
    return this.schema.fields[this.indexOf(name)]!.nullable
  }

  /** What the file says of a column: `about`, `unit`, `scale`, `null`, `join` and `values`, as far as it says them (tableSchema.ts). */
  notesOf(name: string): Readonly<Record<string, string>> {
    return Object.fromEntries(this.schema.fields[this.indexOf(name)]!.metadata)
  }

  /** What a column holds. Throws InputError when it is missing or of a type that parlor does not write. */
  typeOf(name: string): ColumnType {
    const field: Field = this.schema.fields[this.indexOf(name)]!
    const type = columnTypeOf(field)
    if (type === null) throw this.mistake(`column ${name} has the type ${String(field.type)}, which parlor does not read`)
    return type
  }

  /** A column whole, under the conditions of {@link typeOf}. Throws InputError where its parts are not as long as its rows. */
  column(name: string): TableColumn {
    try {
      return this.columnOf(name)
    } catch (error) {
      if (error instanceof RangeError || error instanceof TypeError) throw damaged(this.path, error)
      throw error
    }
  }

  private columnOf(name: string): TableColumn {
    const type = this.typeOf(name)
    const index = this.indexOf(name)
    const field: Field = this.schema.fields[index]!
    const parts = this.batches.map((batch) => batch.data.children[index]!)
    if (parts.some((data) => cellsOf(data, type) < data.length)) throw this.mistake(`column ${name} has fewer cells than rows`)
    const head = { name, type, about: field.metadata.get('about') ?? '', valid: this.validityOf(parts) }
    if (type === 'enum') return { ...head, ...this.wordsByValue(parts, this.rowCount) }
    if (type === 'enumList') return { ...head, ...this.listsOf(parts, name) }
    if (type === 'text') return { ...head, texts: this.batches.flatMap((batch) => textsOf(batch.getChildAt(index)!)) }
    if (type === 'int32') return { ...head, numbers: this.wordsOf(parts, head.valid) }
    if (type === 'bool') return { ...head, numbers: this.bitsOf(parts, head.valid) }
    if (type === 'float64') return { ...head, numbers: this.floatsOf(parts, head.valid) }
    return { ...head, numbers: this.integersOf(parts, head.valid, name) }
  }

  /** The numbers of a column that has no empty cell and is of one of the given types. */
  numbers(name: string, ...types: readonly ColumnType[]): Float64Array | Int32Array | Uint8Array {
    const column = this.column(name)
    if (column.numbers === undefined || (types.length > 0 && !types.includes(column.type))) {
      throw this.mistake(`column ${name} holds ${column.type}, expected ${types.length > 0 ? types.join(' or ') : 'numbers'}`)
    }
    if (column.valid !== null) throw this.mistake(`column ${name} has empty cells`)
    return column.numbers
  }

  /** The codes of an `enum` column as they stand in the file, under the conditions of {@link typeOf}. Throws InputError for empty cells. */
  codesOf(name: string): Int32Array {
    const parts = this.wordParts(name)
    if (parts.length === 1 && parts[0]!.values instanceof Int32Array) return (parts[0]!.values as Int32Array).subarray(0, this.rowCount)
    const codes = new Int32Array(this.rowCount)
    let from = 0
    for (const data of parts) {
      codes.set((data.values as Int32Array).subarray(0, data.length), from)
      from += data.length
    }
    return codes
  }

  /** The values of an `enum` column by code. */
  valuesOf(name: string): readonly string[] {
    const dictionary = this.wordParts(name)[0]!.dictionary!
    return Array.from({ length: dictionary.length }, (_, code) => String(dictionary.get(code)))
  }

  private wordParts(name: string): Data[] {
    const type = this.typeOf(name)
    if (type !== 'enum') throw this.mistake(`column ${name} holds ${type}, expected enum`)
    const parts = this.batches.map((batch) => batch.data.children[this.indexOf(name)]!)
    if (parts.some((data) => cellsOf(data, type) < data.length)) throw this.mistake(`column ${name} has fewer cells than rows`)
    if (parts.some((data) => data.nullCount > 0)) throw this.mistake(`column ${name} has empty cells`)
    return parts
  }

  private indexOf(name: string): number {
    const index = this.columnNames.indexOf(name)
    if (index < 0) throw this.mistake(`no column ${name}`, `its columns are ${this.columnNames.join(', ')}`)
    return index
  }

  private mistake(message: string, hint?: string): InputError {
    return new InputError(message, { position: { file: this.path }, ...(hint === undefined ? {} : { hint }) })
  }

  private validityOf(parts: readonly Data[]): Uint8Array | null {
    if (parts.every((data) => data.nullCount === 0)) return null
    const valid = new Uint8Array(this.rowCount).fill(1)
    let from = 0
    for (const data of parts) {
      if (data.nullCount > 0) for (let i = 0; i < data.length; i++) if (!filled(data, i)) valid[from + i] = 0
      from += data.length
    }
    return valid
  }

  private integersOf(parts: readonly Data[], valid: Uint8Array | null, name: string): Float64Array {
    const numbers = new Float64Array(this.rowCount)
    let from = 0
    for (const data of parts) {
      const long = data.values as BigInt64Array
      const words = new Int32Array(long.buffer, long.byteOffset, data.length * 2)
      for (let i = 0; i < data.length; i++) {
        if (valid !== null && valid[from + i] === 0) continue
        const high = words[i * 2 + 1]!
        const number = high * WORD + (words[i * 2]! >>> 0)
        if (high >= HIGH_LIMIT || high < -HIGH_LIMIT || !Number.isSafeInteger(number)) {
          throw this.mistake(`row ${from + i + 1} of column ${name} leaves the safe integers: ${long[i]}`)
        }
        numbers[from + i] = number
      }
      from += data.length
    }
    return numbers
  }

  private wordsOf(parts: readonly Data[], valid: Uint8Array | null): Int32Array {
    if (parts.length === 1 && valid === null) return (parts[0]!.values as Int32Array).subarray(0, this.rowCount)
    const words = new Int32Array(this.rowCount)
    let from = 0
    for (const data of parts) {
      words.set((data.values as Int32Array).subarray(0, data.length), from)
      from += data.length
    }
    if (valid !== null) for (let i = 0; i < words.length; i++) if (valid[i] === 0) words[i] = 0
    return words
  }

  private floatsOf(parts: readonly Data[], valid: Uint8Array | null): Float64Array {
    if (parts.length === 1 && valid === null) return (parts[0]!.values as Float64Array).subarray(0, this.rowCount)
    const floats = new Float64Array(this.rowCount)
    let from = 0
    for (const data of parts) {
      floats.set((data.values as Float64Array).subarray(0, data.length), from)
      from += data.length
    }
    if (valid !== null) for (let i = 0; i < floats.length; i++) if (valid[i] === 0) floats[i] = 0
    return floats
  }

  private bitsOf(parts: readonly Data[], valid: Uint8Array | null): Uint8Array {
    const bools = new Uint8Array(this.rowCount)
    let from = 0
    for (const data of parts) {
      const bits = data.values as Uint8Array
      for (let i = 0; i < data.length; i++) {
        const bit = data.offset + i
        if (valid === null || valid[from + i] === 1) bools[from + i] = (bits[bit >> 3]! >> (bit & 7)) & 1
      }
      from += data.length
    }
    return bools
  }

  /** Codes and where they begin. Offsets that fall, or lead out of the items, are an InputError. */
  private listsOf(parts: readonly Data[], name: string): Pick<TableColumn, 'codes' | 'values' | 'offsets'> {
    const offsets = new Int32Array(this.rowCount + 1)
    const items: Data[] = []
    let [row, count] = [0, 0]
    for (const data of parts) {
      const own = data.valueOffsets as Int32Array
      const child = data.children[0]!
      const [from, to] = [own[0]!, own[data.length]!]
      if (!(from >= 0 && to >= from && to <= child.length && to <= cellsOf(child, 'enum'))) throw this.mistake(`column ${name} has fewer items than its lists`)
      for (let i = 0; i < data.length; i++) {
        if (own[i + 1]! < own[i]! || own[i + 1]! > to) throw this.mistake(`a list of column ${name} ends before it begins`)
        offsets[++row] = count + own[i + 1]! - from
      }
      items.push(child.slice(from, to - from))
      count += to - from
    }
    return { ...this.wordsByValue(items, count), offsets }
  }

  private wordsByValue(parts: readonly Data[], count: number): { codes: Int32Array; values: readonly string[] } {
    const codes = new Int32Array(count)
    const values: string[] = []
    const codeOf = new Map<string, number>()
    const translations = new Map<Vector, Int32Array>()
    let from = 0
    for (const data of parts) {
      const translation = translationOf(data.dictionary!, translations, values, codeOf)
      const own = data.values as Int8Array
      for (let i = 0; i < data.length; i++) {
        if (data.nullCount > 0 && !filled(data, i)) codes[from + i] = -1
        else if (own[i]! >= 0 && own[i]! < translation.length) codes[from + i] = translation[own[i]!]!
        else throw this.mistake(`row ${from + i + 1} names value ${own[i]} of a dictionary of ${translation.length}`)
      }
      from += data.length
    }
    return { codes, values }
  }
}

/** Maps the codes of a batch's dictionary to those of the whole column, because foreign files may change dictionaries between batches. */
function translationOf(
  dictionary: Vector, known: Map<Vector, Int32Array>, values: string[], codeOf: Map<string, number>,
): Int32Array {
  let translation = known.get(dictionary)
  if (translation !== undefined) return translation
  translation = new Int32Array(dictionary.length)
  for (let code = 0; code < dictionary.length; code++) {
    const value = String(dictionary.get(code))
    let common = codeOf.get(value)
    if (common === undefined) {
      common = values.push(value) - 1
      codeOf.set(value, common)
    }
    translation[code] = common
  }
  known.set(dictionary, translation)
  return translation
}

function textsOf(vector: Vector): string[] {
  const texts: string[] = []
  for (let i = 0; i < vector.length; i++) texts.push((vector.get(i) as string | null) ?? '')
  return texts
}

/**
 * Reads an Arrow IPC file. A missing, foreign, truncated or damaged file gives an InputError that names it.
 */
export const readTable = (path: string): Table => tableIn(readWhole(path), path)

/** The table in the bytes of an Arrow IPC file. Mistakes name `path`. */
export function tableIn(bytes: Uint8Array, path: string): Table {
  checkEnds(bytes, bytes, bytes.byteLength, path)
  knowCompression()
  try {
    checkFrame(bytes, path)
    const reader = RecordBatchReader.from(bytes)
    // The reader forgets its schema at the end.
    const { schema } = reader.open()
    return new Table(path, schema, [...reader])
  } catch (error) {
    throw damaged(path, error)
  }
}

export const damaged = (path: string, error: unknown): InputError => (error instanceof InputError ? error : new InputError('the Arrow file is damaged', {
  position: { file: path }, hint: error instanceof Error ? error.message : String(error), cause: error,
}))

/** The words of row `row` of an `enumList` column. */
export const listOf = ({ codes, values, offsets }: TableColumn, row: number): string[] =>
  Array.from(codes!.subarray(offsets![row], offsets![row + 1]), (code) => values![code]!)
