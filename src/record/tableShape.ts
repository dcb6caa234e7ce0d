import type { ColumnSpec, TableSpec } from '../arrow/tableSchema.ts'
import { SERVICE_NAMES } from '../unit/services.ts'

/** Version of the tables' columns. It is raised when a column is renamed, removed or changes its meaning. */
export const SCHEMA_VERSION = '6'

/** A column without its name, which is its key in `shapeOf`. */
export type Column = Omit<ColumnSpec, 'name'>

/** A table's spec and, by name, the indices of its columns for the writer. */
export interface TableShape<Name extends string> {
  readonly spec: TableSpec
  readonly at: { readonly [name in Name]: number }
}

/** A table of named columns, in the order of the keys. */
export function shapeOf<C extends Readonly<Record<string, Column>>>(
  name: string, about: string, columns: C,
): TableShape<keyof C & string> {
  const names = Object.keys(columns)
  const at = Object.fromEntries(names.map((column, i) => [column, i])) as { readonly [column in keyof C & string]: number }
  return { spec: { name, about, columns: names.map((column) => ({ name: column, ...columns[column]! })) }, at }
}

export const time = (about: string): Column => ({ type: 'timeUs', about })
export const micros = (about: string): Column => ({ type: 'micros', about })
export const odds = (about: string): Column => ({ type: 'oddsE4', about })
export const int = (about: string): Column => ({ type: 'int64', about })
/** The number of something that each service numbers by itself. */
export const numbered = (about: string): Column => ({ ...int(about), isOfService: true })
export const word = (about: string): Column => ({ type: 'int32', about })
export const float = (about: string): Column => ({ type: 'float64', about })
export const bool = (about: string): Column => ({ type: 'bool', about })
export const text = (about: string): Column => ({ type: 'text', about })
/** One of a fixed list of words, each with its meaning. */
export const oneOf = <W extends string>(values: readonly W[], about: string, meanings: Readonly<Record<W, string>>): Column => (
  { type: 'enum', values, about, meanings: Object.fromEntries(values.map((value) => [value, meanings[value]])) })
/** One of a fixed list of words of a service's protocol, which docs/tables.md lists elsewhere. */
export const wordOf = (values: readonly string[], about: string): Column => ({ type: 'enum', values, about })
/** One of the names that a run has. @param namesOf what has the names. */
export const nameOf = (values: readonly string[], namesOf: string, about: string): Column => ({ type: 'enum', values: someOf(values), about, namesOf })
/** Any number of the names that a run has. */
export const namesOf = (values: readonly string[], of: string, about: string): Column => ({ ...nameOf(values, of, about), type: 'enumList' })
/** A column with empty cells. @param whenNull what an empty cell says. */
export const orNull = (column: Column, whenNull: string): Column => ({ ...column, nullable: true, whenNull })

/** A dictionary needs a value, so that a directory without makers or markets gets one that no row uses. */
const someOf = (values: readonly string[]): readonly string[] => (values.length > 0 ? values : ['none'])

export const service = oneOf(SERVICE_NAMES, 'service that the row is about', {
  parlay: 'the parlay quote service', outcome: 'the outcome-market RFQ service',
})
/** The place in the total order where a row's subject began. @param what began. */
export const beginSeq = (what: string): Column => int(`total order: ${what}`)
/** `seq` of tables whose rows end with an event. */
export const closingSeq = int('total order: the row that ended it')
/** `seq` of tables that also hold what was open at the end of the session. */
export const closingSeqOrNull = orNull(int('total order: the row that ended it'), 'the session ended first')

export const SIDES = ['no', 'yes'] as const

/** The legs of a row, as two lists of the same length. */
export const legColumns = (tickers: readonly string[]) => ({
  leg_count: word('legs'),
  leg_markets: namesOf(tickers, 'markets', 'ticker of the market of each leg, in the order of the request'),
  leg_sides: { type: 'enumList', values: SIDES, about: 'side of each leg, in the same order', meanings: { no: 'the bet is that it resolves NO', yes: 'the bet is that it resolves YES' } },
} as const satisfies Record<string, Column>)
