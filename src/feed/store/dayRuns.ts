import { closeSync, openSync, readSync, rmSync, writeSync } from 'node:fs'
import { aboutFile } from '../../unit/aboutFile.ts'
import { assert, Bug } from '../../unit/assert.ts'
import { inBlocks } from '../../unit/rowBlocks.ts'
import { DAY_US } from '../../unit/time.ts'
import { picked } from '../tickBuffer.ts'
import { timeOrder } from '../timeOrder.ts'
import { type Column, type RunKind, rowsFrom, rowsInTimeOrder, type TimedColumns } from './runColumns.ts'
import { ColumnScratch, restore, stored, type StoredColumn } from './storedColumn.ts'
import { dayOf } from './storeHead.ts'

/** Days that a name of a part can have: those of the years 0 to 9999. */
const [FIRST_DAY, LAST_DAY] = [-719_528, 2_932_896]

/** Rows that were sorted together, all of one UTC day. */
export interface DayRun<Of extends TimedColumns> {
  readonly rows: number
  /** Puts rows `from`…`from + count`−1 into the beginning of columns. */
  read(from: number, count: number, into: Of): void
}

/** Where rows lie that were sorted together: some rows of a run in the file of runs. */
export interface RunPlace {
  readonly rows: number
  /** The first of them in its run. */
  readonly from: number
  /** The columns of the run, in the order of its kind. */
  readonly columns: readonly StoredColumn[]
}

/** For the runs of this thread, of which one is read at a time. */
const scratch = new ColumnScratch()

/** Rows that lie in a file of runs, which stands open as `file`. */
export const storedRun = <Of extends TimedColumns>(kind: RunKind<Of>, path: string, file: number, { rows, from, columns }: RunPlace): DayRun<Of> => ({
  rows,
  read: (first, count, into) => {
    kind.list(into).forEach((column, i) => { restore(columns[i]!, from + first, count, column, scratch, (bytes, offset) => { readAt(path, file, bytes, offset) }) })
  },
})

function readAt(path: string, file: number, bytes: Uint8Array, offset: number): void {
  for (let from = 0; from < bytes.byteLength;) {
    const read = aboutFile(path, () => readSync(file, bytes, from, bytes.byteLength - from, offset + from))
    assert(read > 0, `${path} is shorter than it was`)
    from += read
  }
}

/**
 * Rows in runs: each is sorted, and lies on the disk. Of all runs there is in memory which days they have, and which markets those days have.
 */
export class DayRuns<Of extends TimedColumns> {
  declare readonly path: string
  private declare readonly kind: RunKind<Of>
  private file = -1
  private bytes = 0
  /** By day, in order of arrival. */
  private readonly runs = new Map<number, { readonly stored: RunPlace[]; inMemory: DayRun<Of> | null }>()
  private readonly marketsBy = new Map<number, MarketSet>()

  /** @param path of the file in which the runs lie; it is made when there is need of it. */
  constructor(kind: RunKind<Of>, path: string) {
    this.kind = kind
    this.path = path
  }

  /** Days that have rows, ascending. */
  get days(): number[] {
    return [...this.runs.keys()].sort((a, b) => a - b)
  }

  runsOf(day: number): readonly DayRun<Of>[] {
    const { stored, inMemory } = this.runs.get(day)!
    return [...stored.map((place) => storedRun(this.kind, this.path, this.file, place)), ...inMemory === null ? [] : [inMemory]]
  }

  /** Where the runs of a day lie, for another thread. Precondition: none is in memory. */
  placesOf(day: number): readonly RunPlace[] {
    const { stored, inMemory } = this.runs.get(day)!
    assert(inMemory === null, 'a run that another thread merges lies on the disk')
    return stored
  }

  /** Markets that have rows on a day. */
  marketsOf(day: number): MarketSet {
    return this.marketsBy.get(day)!
  }

  /** Takes the rows of a buffer as a run. The buffer may be filled anew, unless it `isLast`: its rows then stay in memory. */
  take(buffer: Of & { readonly count: number }, isLast: boolean): void {
    const { count } = buffer
    if (count === 0) return
    const { kind } = this
    const columns = isLast ? rowsInTimeOrder(kind, buffer, count) : null
    const { atUs, market, places } = columns === null ? this.write(buffer, count) : { ...columns, places: [] }
    for (let from = 0; from < count;) {
      const day = dayOf(atUs[from]!)
      assert(day >= FIRST_DAY && day <= LAST_DAY, `a row at ${atUs[from]}`)
      const to = firstAt(atUs, from, count, (day + 1) * DAY_US)
      this.markMarkets(day, market, from, to)
      const runs = this.runs.get(day) ?? { stored: [], inMemory: null }
      this.runs.set(day, runs)
      if (columns === null) runs.stored.push({ rows: to - from, from, columns: places })
      else runs.inMemory = inMemoryRun(kind, rowsFrom(kind, columns, from, to))
      from = to
    }
  }

  /** Removes what lies on the disk. */
  close(): void {
    if (this.file < 0) return
    closeSync(this.file)
    this.file = -1
    rmSync(this.path, { force: true })
  }

  private markMarkets(day: number, markets: Int32Array, first: number, end: number): void {
    const known = this.marketsBy.get(day) ?? new MarketSet()
    this.marketsBy.set(day, known)
    inBlocks(end - first, (from, to) => { known.addAll(markets, first + from, first + to) })
  }

  /** Sorts the first rows of columns and writes them, one column after the other. Returns where they lie, and of the sorted ones those that are looked at. */
  private write(columns: Of, count: number): TimedColumns & { readonly places: readonly StoredColumn[] } {
    if (this.file < 0) this.file = openSync(this.path, 'wx+')
    const order = timeOrder(columns.atUs, count)
    // One sorted column is in memory at a time, beside those of time and market.
    const sorted = <Any extends Column>(column: Any): Any => (order === null ? column.subarray(0, count) as Any : picked(column, order))
    const [atUs, market] = [sorted(columns.atUs), sorted(columns.market)]
    const places = this.kind.list(columns).map((unsorted) => {
      const column = unsorted === columns.atUs ? atUs : unsorted === columns.market ? market : sorted(unsorted)
      assert(column.length === count, 'a run has columns of one length')
      const { as, bytes } = stored(column, this.bytes, scratch)
      for (let from = 0; from < bytes.byteLength;) from += aboutFile(this.path, () => writeSync(this.file, bytes, from, bytes.byteLength - from, this.bytes + from))
      this.bytes += bytes.byteLength
      return as
    })
    return { atUs, market, places }
  }
}

const inMemoryRun = <Of extends TimedColumns>(kind: RunKind<Of>, columns: Of): DayRun<Of> => ({
  rows: columns.atUs.length,
  read: (from, count, into) => {
    const rows = kind.list(rowsFrom(kind, columns, from, from + count))
    kind.list(into).forEach((column, i) => { column.set(rows[i]!) })
  },
})

/** The first row of ascending stamps from `from` on that is not before an instant. */
function firstAt(atUs: Float64Array, from: number, to: number, us: number): number {
  let [low, high] = [from, to]
  while (low < high) {
    const middle = (low + high) >> 1
    if (atUs[middle]! < us) low = middle + 1
    else high = middle
  }
  return low
}

const BYTE_BITS = 8

/** A set of markets, a bit each. */
export class MarketSet {
  private bits = new Uint8Array(128)

  addAll(markets: Int32Array, from: number, to: number): void {
    let { bits } = this
    for (let i = from; i < to; i++) {
      const market = markets[i]!
      // Of most rows the market is known. A negative one has no byte.
      if (((bits[market >> 3] ?? 0) >> (market & 7) & 1) === 1) continue
      if (market < 0) throw new Bug(`a row of market ${market}`)
      if (market >> 3 >= bits.length) bits = this.grow((market >> 3) + 1)
      bits[market >> 3]! |= 1 << (market & 7)
    }
  }

  has(market: number): boolean {
    return ((this.bits[market >> 3] ?? 0) >> (market & 7) & 1) === 1
  }

  /** One more than the largest market for which there is room. */
  get limit(): number {
    return this.bits.length * BYTE_BITS
  }

  /** Whether a market is in it that is not below `count`. */
  hasFrom(count: number): boolean {
    for (let market = count; market < this.limit; market++) if (this.has(market)) return true
    return false
  }

  private grow(bytes: number): Uint8Array<ArrayBuffer> {
    let length = this.bits.length
    while (length < bytes) length *= 2
    const bits = new Uint8Array(length)
    bits.set(this.bits)
    return this.bits = bits
  }
}

/** How many rows of a run are in memory, of so many that all runs share. */
export const blockRows = (runs: number, budgetRows: number): number => Math.max(MIN_BLOCK_ROWS, Math.min(MAX_BLOCK_ROWS, Math.floor(budgetRows / runs)))
const [MIN_BLOCK_ROWS, MAX_BLOCK_ROWS] = [64, 65_536]
