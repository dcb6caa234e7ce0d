import {
  Bool, DataType, Dictionary, Field, Float64, Int16, Int32, Int64, Int8, List, Precision, Schema, TimestampMicrosecond, TimeUnit, Utf8,
} from 'apache-arrow'
import { assert } from '../unit/assert.ts'

/**
 * What a column holds. `timeUs`: µs since the epoch, UTC. `micros`: microUSDC. `oddsE4`: decimal odds × 10,000.
 * `enum`: one of a fixed list of texts; `enumList`: any number of them. All integers but `int32` are 64 bits wide on disk and safe integers in memory.
 */
export type ColumnType = 'timeUs' | 'micros' | 'oddsE4' | 'int32' | 'int64' | 'float64' | 'bool' | 'enum' | 'enumList' | 'text'

export interface ColumnSpec {
  /** snake_case, unique in its table. */
  readonly name: string
  readonly type: ColumnType
  /** Whether a cell may be empty. The default is no: a row that leaves the cell out is then a bug. */
  readonly nullable?: boolean
  /** For `enum` and `enumList`: the whole dictionary, in this order from the first batch on. */
  readonly values?: readonly string[]
  /** For `enum`: whether codes have 32 bits, however few values there are, so that files with other values have the same schema. */
  readonly isWide?: boolean
  /** One line for the reader of the file. It is in the field's metadata, as are the three below. */
  readonly about: string
  /** What an empty cell says. A nullable column of a run has it. */
  readonly whenNull?: string
  /** Whether it holds numbers that each service begins at 1: a join on it needs the column `service` too. */
  readonly isOfService?: boolean
  /** For `enum`: what the values mean, by value. */
  readonly meanings?: Readonly<Record<string, string>>
  /** For `enum`: of which kind the values are, where every file has its own. It is not in the file. */
  readonly namesOf?: string
}

export interface TableSpec {
  readonly name: string
  readonly columns: readonly ColumnSpec[]
  readonly about: string
}

const INT8_CODES = 128
const INT16_CODES = 32_768

/** The narrowest type that holds the codes of so many values. */
function codeTypeOf(values: number): Int8 | Int16 | Int32 {
  if (values <= INT8_CODES) return new Int8()
  return values <= INT16_CODES ? new Int16() : new Int32()
}

function dataTypeOf(column: ColumnSpec, dictionaryId: number): DataType {
  switch (column.type) {
    case 'timeUs': return new TimestampMicrosecond('UTC')
    case 'micros':
    case 'oddsE4':
    case 'int64': return new Int64()
    case 'int32': return new Int32()
    case 'float64': return new Float64()
    case 'bool': return new Bool()
    case 'text': return new Utf8()
    case 'enum': return dictionaryOf(column, dictionaryId)
    case 'enumList': return new List(new Field('item', dictionaryOf(column, dictionaryId), false))
  }
}

function dictionaryOf({ name, values, isWide }: ColumnSpec, id: number): Dictionary {
  assert(values !== undefined && values.length > 0, `enum column ${name} has no values`)
  // The id is given, because arrow-js would count over the whole process, and bytes would depend on what was written before.
  return new Dictionary(new Utf8(), isWide === true ? new Int32() : codeTypeOf(values.length), id)
}

/** `value: meaning; value: meaning`, in the order of the keys. */
const meaningsText = (meanings: Readonly<Record<string, string>>): string => Object.keys(meanings).map((value) => `${value}: ${meanings[value]!}`).join('; ')

/** What the numbers of a type are, and by which power of ten they are scaled. */
export const UNITS: { readonly [type in ColumnType]?: { readonly unit: string; readonly scale?: string } } = {
  timeUs: { unit: 'microseconds since the Unix epoch, UTC' }, micros: { unit: 'microUSDC' }, oddsE4: { unit: 'decimal odds', scale: '4' },
}

function fieldOf(column: ColumnSpec, index: number): Field {
  const metadata = new Map([['about', column.about], ...Object.entries(UNITS[column.type] ?? {})])
  if (column.whenNull !== undefined) metadata.set('null', column.whenNull)
  if (column.isOfService === true) metadata.set('join', 'with service')
  if (column.meanings !== undefined) metadata.set('values', meaningsText(column.meanings))
  return new Field(column.name, dataTypeOf(column, index), column.nullable === true, metadata)
}

/** The Arrow schema of a table. `metadata` goes into the schema beside the table's name and description. */
export function arrowSchemaOf(spec: TableSpec, metadata: Readonly<Record<string, string>>): Schema {
  const names = new Set(spec.columns.map((column) => column.name))
  assert(names.size === spec.columns.length, `table ${spec.name} names a column twice`)
  const entries = new Map([['table', spec.name], ['about', spec.about], ...Object.entries(metadata)])
  return new Schema(spec.columns.map(fieldOf), entries)
}

const isWord = (type: DataType): boolean => DataType.isDictionary(type) && DataType.isUtf8(type.dictionary)

/** Our name for an Arrow field's type, or null for a type that no table of ours has. */
export function columnTypeOf(field: Field): ColumnType | null {
  const type: DataType = field.type
  if (DataType.isTimestamp(type)) return type.unit === TimeUnit.MICROSECOND ? 'timeUs' : null
  if (DataType.isInt(type)) {
    if (!type.isSigned) return null
    if (type.bitWidth === 32) return 'int32'
    if (type.bitWidth !== 64) return null
    if (field.metadata.get('unit') === 'microUSDC') return 'micros'
    return field.metadata.get('scale') === '4' ? 'oddsE4' : 'int64'
  }
  if (DataType.isFloat(type)) return type.precision === Precision.DOUBLE ? 'float64' : null
  if (DataType.isBool(type)) return 'bool'
  if (DataType.isUtf8(type)) return 'text'
  if (isWord(type)) return 'enum'
  if (DataType.isList(type)) return isWord(type.children[0]!.type) ? 'enumList' : null
  return null
}
