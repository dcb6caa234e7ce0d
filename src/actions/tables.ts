/** What a column holds. `timeUs`: µs since the epoch, UTC. `micros`: microUSDC. `oddsE4`: decimal odds × 10,000. `enum`: one of a fixed list of texts. `enumList`: a list of such texts. */
export type TableColumnType = 'timeUs' | 'micros' | 'oddsE4' | 'int32' | 'int64' | 'float64' | 'bool' | 'enum' | 'enumList' | 'text'

/** One column of a table, whole. Exactly one of `numbers`, `codes` and `texts` is there, by type. */
export interface ResultColumn {
  readonly name: string
  readonly type: TableColumnType
  /** What it is, in a line. */
  readonly about: string
  /** 1 where the cell has a value; null when every cell has one. */
  readonly valid: Uint8Array | null
  /** Of `timeUs`, `micros`, `oddsE4`, `int64` and `float64` doubles (safe integers but for `float64`), of `int32` words, of `bool` 0 and 1. 0 where empty. */
  readonly numbers?: Float64Array | Int32Array | Uint8Array
  /** `enum`: index into `values`, −1 where empty. `enumList`: those of all rows, one after the other. */
  readonly codes?: Int32Array
  /** `enumList`: where the codes of each row begin, and after the last where they end. */
  readonly offsets?: Int32Array
  readonly values?: readonly string[]
  /** `text`: '' where empty. */
  readonly texts?: readonly string[]
}

/** A cell of a row: a number in the column's unit, a text, a list of texts, yes or no, or null where it is empty. */
export type Cell = number | string | boolean | readonly string[] | null

/** A table of a run. */
export interface ResultTable {
  readonly name: string
  /** The table as an Arrow IPC file, the bytes that stand on the disk: any Arrow library reads them, as `tableFromIPC(bytes)` of apache-arrow. */
  readonly bytes: Uint8Array
  readonly rowCount: number
  readonly columnNames: readonly string[]
  /** Of the table's schema: the identity of the run, its label, its seed, … */
  readonly metadata: Readonly<Record<string, string>>
  /** A column whole. Throws InputError where there is none of the name. */
  column(name: string): ResultColumn
  /** The rows in order, each with the cells of some columns, by default of all. Convenient, and slower than columns. */
  rows(...columns: readonly string[]): IterableIterator<Readonly<Record<string, Cell>>>
}

/** The tables of a run, in memory. */
export interface ResultTables {
  /** In the order of the manifest. */
  readonly names: readonly string[]
  has(name: string): boolean
  /** Throws InputError where the run has no such table, or it was not asked for. */
  get(name: string): ResultTable
}
