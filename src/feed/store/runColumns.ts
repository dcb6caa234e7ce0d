import { picked, TickBuffer, tickColumns, type TickColumns } from '../tickBuffer.ts'
import { timeOrder } from '../timeOrder.ts'

export type Column = Float64Array | Int32Array

/** Columns of one length that are sorted by time. */
export interface TimedColumns {
  readonly atUs: Float64Array
  readonly market: Int32Array
}

/** What is known of columns of a kind that wait to be merged. */
export interface RunKind<Of extends TimedColumns> {
  make(capacity: number): Of
  /** All columns, in one order. */
  list(columns: Of): readonly Column[]
  /** Columns of such a list. */
  of(list: readonly Column[]): Of
}

/** Columns of ticks that are about to be sorted, with the row of a file that each is from (`Origins`). */
export interface RunColumns extends TickColumns {
  readonly origin: Float64Array
}

/** Ticks in order of arrival, each with its origin. */
export class RunBuffer extends TickBuffer {
  declare origin: Float64Array

  /** @param room columns of one length, which are written over */
  constructor(capacity: number, room?: RunColumns) {
    super(room === undefined ? capacity : 1)
    this.origin = new Float64Array(this.capacity)
    if (room !== undefined) this.useRoom(room)
  }

  private useRoom(room: RunColumns): void {
    Object.assign(this, room)
    this.capacity = room.atUs.length
  }
}

/** The ticks of a buffer as they came, in its memory, which is used no more. */
export const runOf = (buffer: RunBuffer): RunColumns => rowsFrom(TICK_RUNS, TICK_RUNS.of(TICK_RUNS.list(buffer)), 0, buffer.count)

/** The whole memory in which the columns of a run lie, for another one. */
export const roomOf = (run: RunColumns): RunColumns =>
  TICK_RUNS.of(TICK_RUNS.list(run).map((column) => new (column.constructor as new (buffer: ArrayBufferLike) => Column)(column.buffer)))

/** All columns, in one order. */
export const listOf = ({ atUs, market, bidE6, askE6, bidSize, askSize, lastE6, origin }: RunColumns) => [atUs, market, bidE6, askE6, bidSize, askSize, lastE6, origin] as const

export const TICK_RUNS: RunKind<RunColumns> = {
  make: (capacity) => ({ ...tickColumns(capacity), origin: new Float64Array(capacity) }),
  list: listOf,
  of: (list) => {
    const [atUs, market, bidE6, askE6, bidSize, askSize, lastE6, origin] = list as ReturnType<typeof listOf>
    return { atUs, market, bidE6, askE6, bidSize, askSize, lastE6, origin }
  },
}

/** Rows `from`…`to`−1 of columns, in the same memory. */
export const rowsFrom = <Of extends TimedColumns>(kind: RunKind<Of>, columns: Of, from: number, to: number): Of =>
  kind.of(kind.list(columns).map((column) => column.subarray(from, to)))

/** The first `count` rows of columns by time, and in order of arrival where times are equal: in the same memory where that is their order. */
export function rowsInTimeOrder<Of extends TimedColumns>(kind: RunKind<Of>, columns: Of, count: number): Of {
  const order = timeOrder(columns.atUs, count)
  return kind.of(kind.list(columns).map((column) => (order === null ? column.subarray(0, count) : picked(column, order))))
}
