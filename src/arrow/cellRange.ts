import { Bug } from '../unit/assert.ts'
import type { ColumnSpec, ColumnType } from './tableSchema.ts'

/** What a cell is set by: integers of any width are `int`. */
export const CellKind = { int: 0, float: 1, bool: 2, code: 3, text: 4, list: 5 } as const

/** What the cells of a column can be. */
export interface CellRange {
  readonly kind: number
  /** The lowest and the highest value of a cell. They are whole numbers, except in a column of floats. */
  readonly least: number
  readonly most: number
}

const WIDE: CellRange = { kind: CellKind.int, least: Number.MIN_SAFE_INTEGER, most: Number.MAX_SAFE_INTEGER }
const LENGTH_MAX = 2 ** 31 - 1

/** The range of every type but `enum`, whose codes end with its values. */
const RANGES: { readonly [type in Exclude<ColumnType, 'enum'>]: CellRange } = {
  timeUs: WIDE, micros: WIDE, oddsE4: WIDE, int64: WIDE,
  int32: { kind: CellKind.int, least: -(2 ** 31), most: 2 ** 31 - 1 },
  float64: { kind: CellKind.float, least: -Infinity, most: Infinity },
  bool: { kind: CellKind.bool, least: 0, most: 1 },
  text: { kind: CellKind.text, least: 0, most: LENGTH_MAX },
  enumList: { kind: CellKind.list, least: 0, most: LENGTH_MAX },
}

/** What the cells of a column can be. The cell of a text or of a list is its length. */
export const rangeOf = ({ type, values }: ColumnSpec): CellRange =>
  (type === 'enum' ? { kind: CellKind.code, least: 0, most: (values ?? []).length - 1 } : RANGES[type])

/** Whether a cell can have the value. */
export const holds = ({ kind, least, most }: CellRange, value: number): boolean =>
  value >= least && value <= most && (kind === CellKind.float || Math.floor(value) === value)

/** A value that does not fit a column is a bug. */
export function refuseCell(table: string, { name, type }: ColumnSpec, value: unknown): never {
  throw new Bug(`${String(value)} does not fit column ${name} (${type}) of table ${table}`)
}
