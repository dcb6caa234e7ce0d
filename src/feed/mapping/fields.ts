import type { Cells } from '../rows/cells.ts'
import { Interner } from '../rows/interner.ts'
import type { ColumnField, Cut, MappingSection, TextField } from './mapping.ts'

/** What a file is called, without the endings that tell its compression and its format. */
export const bareName = (file: string): string => file.replace(/\.(gz|gzip|zst|zstd)$/i, '').replace(/\.(csv|tsv|txt|ndjson|jsonl|json|parquet|pq)$/i, '')

/** The columns that a section reads, each with its place in a batch. */
export class AskedColumns {
  readonly names: string[] = []
  /** Of each of these lists a file has to have one column. */
  readonly needed: (readonly string[])[] = []
  /** What the file is called, without the ending that tells its format. */
  declare readonly fileName: string
  private among: string[] | undefined = undefined

  /** @param file its own name; null where it has none, or matters not */
  constructor(file: string | null = null) {
    this.fileName = file === null ? '' : bareName(file)
  }

  readonly place = (column: string): number => {
    if (this.among === undefined) this.needed.push([column])
    else this.among.push(column)
    const at = this.names.indexOf(column)
    if (at >= 0) return at
    this.names.push(column)
    return this.names.length - 1
  }

  /** Columns of which any is enough: those that `make` asks for. */
  readonly any = <T>(make: () => T): T => {
    if (this.among !== undefined) return make()
    const among: string[] = this.among = []
    const made = make()
    this.among = undefined
    this.needed.push(among)
    return made
  }

  /** No places for a column that nobody named. */
  readonly places = (field: ColumnField | null): readonly number[] => (field === null ? [] : this.any(() => field.map(this.place)))
}

/** The first of some places that has something in a row, otherwise the last of them. */
export function filled(cells: readonly Cells[], row: number, places: readonly number[]): number {
  const last = places.length - 1
  for (let i = 0; i < last; i += 1) if (!cells[places[i]!]!.isEmpty(row)) return places[i]!
  return places[last]!
}

type Part = { readonly place: number; readonly cut: Cut | undefined } | { readonly constant: string } | { readonly firstOf: readonly TextReader[] }

/** Reads texts that are made of columns and constants. */
export class TextReader {
  private declare readonly parts: readonly Part[]

  constructor(field: TextField, columns: Pick<AskedColumns, 'place' | 'any' | 'fileName'>) {
    this.parts = field.map((part): Part => {
      if ('column' in part) return { place: columns.place(part.column), cut: part.cut }
      if ('isFileName' in part) return { constant: part.cut === undefined ? columns.fileName : cutOf(columns.fileName, part.cut) }
      return 'constant' in part ? part : { firstOf: columns.any(() => part.firstOf.map((one) => new TextReader(one, columns))) }
    })
  }

  /** '' when one of the columns has nothing. */
  read(cells: readonly Cells[], row: number): string {
    let text = ''
    for (const part of this.parts) {
      const read = partOf(part, cells, row)
      if (read === '') return ''
      text += read
    }
    return text
  }

  /** The text of the only column, also one that stands for nothing. '' when there are more parts. */
  written(cells: readonly Cells[], row: number): string {
    const { single } = this
    return single < 0 ? '' : cells[single]!.text(row)
  }

  /** The place of the only column, −1 when there are more parts. */
  get single(): number {
    const only = this.parts.length === 1 ? this.parts[0]! : undefined
    return only !== undefined && 'place' in only && only.cut === undefined ? only.place : -1
  }
}

function partOf(part: Part, cells: readonly Cells[], row: number): string {
  if ('constant' in part) return part.constant
  if ('place' in part) {
    if (cells[part.place]!.isEmpty(row)) return ''
    const text = cells[part.place]!.text(row)
    return part.cut === undefined ? text : cutOf(text, part.cut)
  }
  for (const one of part.firstOf) {
    const text = one.read(cells, row)
    if (text !== '') return text
  }
  return ''
}

function cutOf(text: string, { side, mark, which }: Cut): string {
  const at = which === 'first' ? text.indexOf(mark) : text.lastIndexOf(mark)
  if (at < 0) return ''
  return side === 'before' ? text.slice(0, at) : text.slice(at + mark.length)
}

/** Gives what a text stands for, which is worked out once for each different text of a column. */
export class CodedColumn<Meaning> {
  declare readonly place: number
  private readonly interner = new Interner()
  private readonly meanings: Meaning[] = []
  private declare readonly meaningOf: (text: string) => Meaning

  constructor(place: number, meaningOf: (text: string) => Meaning) {
    this.place = place
    this.meaningOf = meaningOf
  }

  read(cells: readonly Cells[], row: number): Meaning {
    const code = cells[this.place]!.code(row, this.interner)
    while (this.meanings.length <= code) this.meanings.push(this.meaningOf(this.interner.texts[this.meanings.length]!))
    return this.meanings[code]!
  }

  /** Of a column of numbers: those of rows `from`…`to`−1 whose texts were read before, into the beginning of `into`, −1 for others. */
  static knownRows({ place, interner, meanings }: CodedColumn<number>, cells: readonly Cells[], from: number, to: number, into: Int32Array): void {
    cells[place]!.knownCodes(from, to, interner, into)
    toMeanings(into, to - from, meanings)
  }

  text(cells: readonly Cells[], row: number): string {
    return cells[this.place]!.text(row)
  }
}

function toMeanings(codes: Int32Array, count: number, meanings: readonly number[]): void {
  for (let i = 0; i < count; i += 1) if (codes[i]! >= 0) codes[i] = meanings[codes[i]!]!
}

/** Whether a row is one that a section reads. */
export class RowFilter {
  private declare readonly columns: readonly CodedColumn<boolean>[]
  private declare readonly filled: readonly number[]

  constructor({ where, having }: Pick<MappingSection, 'where' | 'having'>, place: (column: string) => number) {
    this.columns = where.map(({ column, texts }) => new CodedColumn(place(column), (text) => texts.has(text)))
    this.filled = having.map(place)
  }

  get isOpen(): boolean {
    return this.columns.length === 0 && this.filled.length === 0
  }

  passes(cells: readonly Cells[], row: number): boolean {
    for (const column of this.columns) if (!column.read(cells, row)) return false
    for (const place of this.filled) if (cells[place]!.isEmpty(row)) return false
    return true
  }
}
