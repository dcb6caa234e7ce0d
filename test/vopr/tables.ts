import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { tableFromIPC, type Utf8, Vector } from 'apache-arrow'

/** The value of a cell: integers as numbers, instants in µs, texts and names as they are, lists as lists, null where it is empty. */
export type Cell = number | string | boolean | readonly string[] | null
export type TableRow = Readonly<Record<string, Cell>>

/** The legs of a row of requests or positions. */
export function legsOf(row: TableRow): { readonly ticker: string; readonly side: 0 | 1 }[] {
  const sides = row['leg_sides'] as readonly string[]
  return (row['leg_markets'] as readonly string[]).map((ticker, i) => ({ ticker, side: sides[i] === 'yes' ? 1 : 0 }))
}

/** What a run has left, read by apache-arrow alone. */
export interface RunRows {
  readonly manifest: RunManifest
  readonly table: (name: string) => readonly TableRow[]
}

export interface RunManifest {
  readonly digest: string
  readonly counts: Readonly<Record<string, number>>
  readonly tables: Readonly<Record<string, { readonly file: string }>>
  readonly identity: { readonly scenario: ResolvedTerms }
}

/** The part of the resolved scenario that the checks read. */
export interface ResolvedTerms {
  readonly services: {
    readonly parlay?: { readonly settings: Readonly<Record<string, number>>; readonly gate?: object }
    readonly outcome?: { readonly settings: Readonly<Record<string, number>>; readonly gate?: object }
  }
  readonly makers: readonly { readonly name: string; readonly service: string; readonly capitalMicros: number }[]
}

export function readRun(dir: string): RunRows {
  const manifest = JSON.parse(readFileSync(join(dir, 'manifest.json'), 'utf8')) as RunManifest
  const read = new Map<string, readonly TableRow[]>()
  const table = (name: string): readonly TableRow[] => {
    const known = read.get(name)
    if (known !== undefined) return known
    const entry = manifest.tables[name]
    const rows = entry === undefined ? [] : rowsOf(join(dir, entry.file))
    read.set(name, rows)
    return rows
  }
  return { manifest, table }
}

function rowsOf(path: string): TableRow[] {
  const table = tableFromIPC(readFileSync(path))
  const columns = table.schema.fields.map(({ name, type }) => {
    const vector = table.getChild(name)!
    // An instant of µs is rounded to ms by `get`, so that its 64 bits are read where they lie.
    const isInstant = String(type).startsWith('Timestamp')
    const cells: Cell[] = []
    for (const data of vector.data) {
      for (let row = 0; row < data.length; row++) {
        const at = data.offset + row
        const isThere = data.nullCount === 0 || ((data.nullBitmap[at >> 3]! >> (at & 7)) & 1) === 1
        if (!isThere) cells.push(null)
        else if (isInstant) cells.push(instantAt(data.values as Int32Array | BigInt64Array, at - data.offset, data.length))
        else cells.push(plain(vector.get(cells.length)))
      }
    }
    return [name, cells] as const
  })
  return Array.from({ length: table.numRows }, (_, row) => Object.fromEntries(columns.map(([name, cells]) => [name, cells[row]!])))
}

function instantAt(values: Int32Array | BigInt64Array, row: number, length: number): number {
  if (values instanceof BigInt64Array) return Number(values[row])
  // Two words to each, the lower one first.
  return values.length >= 2 * length ? values[2 * row + 1]! * 4_294_967_296 + (values[2 * row]! >>> 0) : values[row]!
}

function plain(value: unknown): Cell {
  if (typeof value === 'bigint') return Number(value)
  if (value instanceof Vector) return [...value as Vector<Utf8>] as string[]
  return value as Cell
}
