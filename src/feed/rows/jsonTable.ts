import type { FileTally } from '../importTally.ts'
import { type Cells, ValueCells } from './cells.ts'
import type { InputFile } from './inputFiles.ts'
import { beginningOf, emptyListsAt, type Found, ItemColumn, itemsAt, pathsOf } from './jsonItems.ts'
import { isTooDeep, NESTING_MAX } from './jsonNesting.ts'
import { isDocument, isJson, jsonValues, spansLines, type TakeValue } from './jsonValues.ts'
import type { ObjectPlace, OfferedObjects } from './objectAccount.ts'
import type { RowBatch, RowLayout, RowTable } from './rowBatch.ts'
import { textHead } from './textBytes.ts'

const HEAD_ROWS = 50

/** Looks into a file of JSON: an object in each line (NDJSON), or one document, which is a list of objects or an object with `rows`. */
export function jsonTable(file: InputFile, { rows = [], isEmptyKept = false }: RowLayout): RowTable {
  const first = headItems(file, rows)
  const found = new Set<string>()
  for (const item of first) for (let at: Found | null = item; at !== null; at = at.around) pathsOf(at.value, found)
  return {
    format: 'ndjson',
    columns: [...found],
    shows: (column) => {
      const asked = new ItemColumn(column)
      return first.some((item) => asked.valueOf(item) !== undefined)
    },
    // Rows of several kinds may follow each other in one file, so that the first ones do not show every column.
    has: () => true,
    batches: (wanted, tally, offered) => jsonBatches(file, new JsonBatch({ rows, isEmptyKept }, wanted, tally, offered), tally),
  }
}

/** As a path: the object itself, where no other path has rows. */
const ITSELF = '.'

const wholeOf = (value: unknown): Found => ({ value, name: '', around: null })

/** The rows that an object stands for. */
function itemsOf(value: unknown, rows: readonly string[]): readonly Found[] {
  const whole = wholeOf(value)
  if (rows.length === 0) return [whole]
  const inside = rows.flatMap((path) => (path === ITSELF ? [] : itemsAt(whole, path)))
  return inside.length === 0 && rows.includes(ITSELF) ? [whole] : inside
}

/** The rows that an object stands for. */
export interface RowsWithin {
  /** So many of them are lists without items, which come first. */
  readonly without: number
  readonly all: readonly Found[]
  /** There are lists, and none of them has an item. */
  readonly isEmpty: boolean
  /** How many rows of a document the object counts as. */
  readonly count: number
}

export function rowsWithin(value: object, { rows = [], isEmptyKept = false }: RowLayout): RowsWithin {
  const whole = wholeOf(value)
  const lists = rows.map((path) => new ItemColumn(path).valueOf(whole)).filter((list) => Array.isArray(list))
  const isEmpty = lists.length > 0 && lists.every(({ length }) => length === 0)
  const without = isEmptyKept ? emptyListsAt(whole, rows) : []
  const all = isEmpty ? without : [...without, ...itemsOf(value, rows)]
  return { without: without.length, all, isEmpty, count: isEmpty ? all.length : Math.max(1, all.length) }
}

async function* jsonBatches(file: InputFile, batch: JsonBatch, tally: FileTally): AsyncGenerator<RowBatch, void> {
  const isWhole = await isDocument(file, tally)
  // Rows of a document count on: it has no line that says where a row lies.
  let shift = 0
  const take: TakeValue = (value, number, within) => {
    const count = batch.add(value, { number, within }, number + shift, isWhole ? 1 : 0)
    if (isWhole) shift += count - 1
  }
  for await (const _ of jsonValues(file, tally, isWhole, take)) if (batch.isFull) yield batch.taken()
  if (!batch.isEmpty) yield batch.taken()
}

const shown = (value: unknown): string => (isTooDeep(value) ? 'nested too deep' : String(JSON.stringify(value)).slice(0, 60))

const BATCH_ROWS = 4096
/** Lists within a row are rows of their own: one object may stand for many. */
class JsonBatch {
  declare readonly rows: readonly string[]
  declare readonly isEmptyKept: boolean
  private declare readonly wanted: readonly string[]
  private declare readonly columns: readonly ItemColumn[]
  private declare readonly tally: FileTally
  private declare readonly offer: Offer | null
  private declare values: unknown[][]
  private numbers: number[] = []
  private empty = new Set<number>()

  constructor({ rows, isEmptyKept }: { readonly rows: readonly string[]; readonly isEmptyKept: boolean }, wanted: readonly string[], tally: FileTally, offered: OfferedObjects | undefined) {
    this.rows = rows
    this.isEmptyKept = isEmptyKept
    this.wanted = wanted
    this.columns = wanted.map((path) => new ItemColumn(path))
    this.tally = tally
    this.offer = offered === undefined ? null : new Offer(offered)
    this.values = wanted.map(() => [])
  }

  get isFull(): boolean {
    return this.numbers.length >= BATCH_ROWS
  }

  get isEmpty(): boolean {
    return this.numbers.length === 0
  }

  private bad(kind: string, line: number, about: string): void {
    this.tally.read()
    this.tally.quarantine(kind, line, about)
  }

  /** Takes the rows of an object. The first has a number, and each after it one that is `step` more. Returns how far the numbers went. */
  add(value: unknown, place: ObjectPlace, number: number, step: 0 | 1): number {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      this.offer?.tell(place)
      this.bad('not an object', number, shown(value))
      return step
    }
    const { without, all, isEmpty, count } = rowsWithin(value, this)
    if (this.offer?.isOther(place, wholeOf(value), all, isEmpty) === true) return count * step
    // An object of another kind in the same file.
    if (all.length === 0 && !isEmpty) this.tally.note('no list of rows', number, `nothing at ${this.rows.join(', ')}`)
    for (const [i, item] of all.entries()) {
      const row = this.columns.map((column) => column.valueOf(item))
      const deep = row.findIndex(isTooDeep)
      if (deep >= 0) this.bad('nested too deep', number + i * step, `more than ${NESTING_MAX} levels at ${this.wanted[deep]}`)
      else {
        if (i < without) this.empty.add(this.numbers.length)
        row.forEach((cell, place) => this.values[place]!.push(cell))
        this.numbers.push(number + i * step)
      }
    }
    return count * step
  }

  taken(): RowBatch {
    const { values, numbers, empty } = this
    this.values = this.columns.map(() => [])
    this.numbers = []
    this.empty = new Set()
    return { count: numbers.length, numbers, empty, cells: values.map((column): Cells => new ValueCells(column)) }
  }
}

/** Knows the objects that are a part's own, of a file that is offered to several parts. */
class Offer {
  private declare readonly offered: OfferedObjects
  private declare readonly needs: readonly (readonly ItemColumn[])[]
  private declare readonly where: readonly { readonly column: ItemColumn; readonly texts: ReadonlySet<string> }[]
  private declare readonly sequence: ItemColumn | null

  constructor(offered: OfferedObjects) {
    this.offered = offered
    this.needs = offered.needs.map((any) => any.map((path) => new ItemColumn(path)))
    this.where = offered.where.map(({ column, texts }) => ({ column: new ItemColumn(column), texts }))
    this.sequence = offered.sequence === null ? null : new ItemColumn(offered.sequence)
  }

  /** An object is told of, whoever it is of. */
  tell({ number, within }: ObjectPlace): void {
    this.offered.account.know(number, within)
  }

  /** Whether an object is not the part's, which has these rows of it. */
  isOther({ number, within }: ObjectPlace, whole: Found, rows: readonly Found[], isEmpty: boolean): boolean {
    const { account } = this.offered
    const isOwn = isEmpty || rows.some((row) => this.isOwn(row))
    const asked = isOwn ? [] : rows.map((row) => this.asksFor(row))
    if (isOwn) account.know(number, within)
    else if (asked.includes(true)) account.lack(number, within)
    else if (asked.includes(false)) account.leave(number, within)
    else if (rows.length === 0 && this.asksFor(whole) !== undefined) account.miss(number, within)
    else account.see(number, within)
    return !isOwn && !asked.includes(false)
  }

  private isOwn(row: Found): boolean {
    for (const any of this.needs) if (!any.some((column) => column.valueOf(row) !== undefined)) return false
    return true
  }

  /** Whether `where` asks for a row. Undefined where nobody can say. A message that has a number of the part's stream is of the stream. */
  private asksFor(row: Found): boolean | undefined {
    const texts = this.where.map(({ column }) => column.valueOf(row))
    if (texts.length === 0) return undefined
    if (texts.includes(undefined)) return this.sequence !== null && this.sequence.valueOf(row) !== undefined ? false : undefined
    return this.where.every((one, i) => one.texts.has(new ValueCells([texts[i]]).text(0)))
  }
}

/** The first rows. Of a long document, those whose beginning is there. */
function headItems(file: InputFile, rows: readonly string[]): readonly Found[] {
  const head = textHead(file)
  const whole = head.toString('utf8')
  const lines = spansLines(head) ? [] : whole.split('\n').slice(0, HEAD_ROWS).filter(isJson).flatMap((line): unknown => JSON.parse(line))
  // A line may be longer than the head.
  const values = lines.length > 0 ? lines : [beginningOf(whole)].flat(1)
  return values.filter((value) => !isTooDeep(value)).slice(0, HEAD_ROWS).flatMap((value) => itemsOf(value, rows).slice(0, HEAD_ROWS)).slice(0, HEAD_ROWS)
}
