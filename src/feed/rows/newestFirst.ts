import type { FileTally } from '../importTally.ts'
import { ByteCells } from './byteCells.ts'
import { Cells, ValueCells } from './cells.ts'
import type { Interner } from './interner.ts'
import type { OfferedObjects } from './objectAccount.ts'
import type { RowBatch, RowTable } from './rowBatch.ts'

/** Rows by which it is told whether a table begins with the newest one. */
const HEAD_ROWS = 4096

/**
 * A table that may begin with its newest row, as answers of exchanges do. Where it does, rows of one time are given from the last to the first: those
 * of a table that begins with the oldest come in order of time, too. `time` is the column with the time.
 */
export function newestFirst(table: RowTable, time: string): RowTable {
  const { format, columns } = table
  return {
    format, columns, shows: (column) => table.shows(column), has: (column) => table.has(column),
    batches: (wanted, tally, offered) => inOrder(table, wanted, wanted.indexOf(time), tally, offered),
  }
}

async function* inOrder(table: RowTable, wanted: readonly string[], time: number, tally: FileTally, offered?: OfferedObjects): AsyncGenerator<RowBatch, void> {
  if (time < 0) return yield* table.batches(wanted, tally, offered)
  const turned = new TurnedRows(wanted.length, time)
  const head: RowBatch[] = []
  let rows = 0
  let isNewestFirst: boolean | undefined = undefined
  for await (const batch of table.batches(wanted, tally, offered)) {
    if (isNewestFirst === false) {
      yield batch
      continue
    }
    const kept = keptOf(batch)
    if (isNewestFirst) {
      yield turned.take(kept)
      continue
    }
    head.push(kept)
    rows += kept.count
    if (rows < HEAD_ROWS) continue
    isNewestFirst = beginsWithNewest(head, time)
    for (const one of head.splice(0)) yield isNewestFirst ? turned.take(one) : one
  }
  isNewestFirst ??= beginsWithNewest(head, time)
  for (const one of head) yield isNewestFirst ? turned.take(one) : one
  yield turned.rest()
}

/** A batch that holds when the next one is asked for. Bytes are used again, and so are the numbers of their rows. */
function keptOf({ count, numbers, cells }: RowBatch): RowBatch {
  const each = <Value>(of: (row: number) => Value): Value[] => Array.from({ length: count }, (_, row) => of(row))
  const kept = (column: Cells): Cells => (column instanceof ByteCells ? new ValueCells(each((row) => column.text(row))) : column)
  return { count, numbers: each((row) => numbers[row]!), cells: cells.map(kept) }
}

/** Whether time goes back more often than forward, from each of the first rows to the next. */
function beginsWithNewest(head: readonly RowBatch[], time: number): boolean {
  let last = ''
  let steps = 0
  let rows = 0
  for (const { count, cells } of head) {
    for (let row = 0; row < count && rows < HEAD_ROWS; row += 1) {
      rows += 1
      const text = cells[time]!.text(row)
      if (text === '') continue
      if (last !== '') steps += orderOf(last, text)
      last = text
    }
  }
  return steps < 0
}

/** 1 where the second time is the later one, −1 where it is the earlier one: numbers, or texts of ISO 8601 in one zone. */
function orderOf(a: string, b: string): number {
  const order = Number(b) - Number(a)
  return Number.isNaN(order) ? Number(b > a) - Number(b < a) : Math.sign(order)
}

/** Turns rows of one time around, wherever batches end. */
class TurnedRows {
  private declare readonly width: number
  private declare readonly time: number
  private last = ''
  /** Rows of the last time. */
  private held: Rows = new Rows()

  constructor(width: number, time: number) {
    this.width = width
    this.time = time
  }

  /** The rows of a batch, and those held before, whose time has passed. */
  take(batch: RowBatch): RowBatch {
    const passed = new Rows()
    for (let row = 0; row < batch.count; row += 1) {
      const text = batch.cells[this.time]!.text(row)
      if (text !== this.last) {
        passed.addTurned(this.held)
        this.held = new Rows()
        this.last = text
      }
      this.held.add(batch, row)
    }
    return passed.batch(this.width)
  }

  rest(): RowBatch {
    const passed = new Rows()
    passed.addTurned(this.held)
    this.held = new Rows()
    return passed.batch(this.width)
  }
}

/** Rows of several batches, in an order of their own. */
class Rows {
  readonly from: RowBatch[] = []
  readonly rows: number[] = []

  add(batch: RowBatch, row: number): void {
    this.from.push(batch)
    this.rows.push(row)
  }

  addTurned({ from, rows }: Rows): void {
    for (let i = rows.length - 1; i >= 0; i -= 1) this.add(from[i]!, rows[i]!)
  }

  batch(width: number): RowBatch {
    const numbers = this.rows.map((row, i) => this.from[i]!.numbers[row]!)
    return { count: this.rows.length, numbers, cells: Array.from({ length: width }, (_, place) => new PickedCells(this, place)) }
  }
}

/** A column of such rows. */
class PickedCells extends Cells {
  private declare readonly picked: Rows
  private declare readonly place: number

  constructor(picked: Rows, place: number) {
    super()
    this.picked = picked
    this.place = place
  }

  private at(row: number): Cells {
    return this.picked.from[row]!.cells[this.place]!
  }

  override text(row: number): string {
    return this.at(row).text(this.picked.rows[row]!)
  }

  override isEmpty(row: number): boolean {
    return this.at(row).isEmpty(this.picked.rows[row]!)
  }

  override scaled(row: number, digits: number): number {
    return this.at(row).scaled(this.picked.rows[row]!, digits)
  }

  override code(row: number, interner: Interner): number {
    return this.at(row).code(this.picked.rows[row]!, interner)
  }

  override nanosUs(row: number): number {
    return this.at(row).nanosUs(this.picked.rows[row]!)
  }

  override value(row: number): unknown {
    return this.at(row).value(this.picked.rows[row]!)
  }

  override instantUs(row: number): number {
    return this.at(row).instantUs(this.picked.rows[row]!)
  }

  /** The cells of a column are of one type. */
  override get hasInstants(): boolean {
    return this.picked.rows.length > 0 && this.at(0).hasInstants
  }

  override get isNaive(): boolean {
    return this.picked.rows.length > 0 && this.at(0).isNaive
  }
}
