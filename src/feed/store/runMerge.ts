import { blockRows, type DayRun } from './dayRuns.ts'
import type { RunKind, TimedColumns } from './runColumns.ts'

/** A run as it is read: a block of its rows, of which `at` is the next. */
class Cursor<Of extends TimedColumns> {
  /** Place of the run among those that are merged: the earlier one comes first where times are equal. */
  declare readonly place: number
  declare readonly block: Of
  at = 0
  end = 0
  private declare readonly run: DayRun<Of>
  private readRows = 0

  constructor(run: DayRun<Of>, place: number, block: Of) {
    this.run = run
    this.place = place
    this.block = block
    this.fill()
  }

  /** The stamp of the next row. */
  get us(): number {
    return this.block.atUs[this.at]!
  }

  /** Reads the next block. False when there is none. */
  fill(): boolean {
    const count = Math.min(this.block.atUs.length, this.run.rows - this.readRows)
    if (count === 0) return false
    this.run.read(this.readRows, count, this.block)
    this.readRows += count
    this.at = 0
    this.end = count
    return true
  }
}

type AnyCursor = Cursor<TimedColumns>

const isBefore = (a: AnyCursor, b: AnyCursor): boolean => a.us < b.us || (a.us === b.us && a.place < b.place)

/**
 * Brings rows of runs in order of time, and of one instant in order of the runs. `emit` gets rows `from`…`to`−1 of a block, as many at once
 * as follow each other in one run; they are overwritten after the call.
 *
 * @param blocks room for rows, which is made as it is needed, and used again by who keeps it
 */
export function mergeRuns<Of extends TimedColumns>(kind: RunKind<Of>, runs: readonly DayRun<Of>[], budgetRows: number, emit: (block: Of, from: number, to: number) => void, blocks: Of[] = []): void {
  const rows = blockRows(runs.length, budgetRows)
  const heap = runs.map((run, place) => new Cursor(run, place, blocks[place]?.atUs.length === rows ? blocks[place] : blocks[place] = kind.make(rows)))
  for (let i = (heap.length >> 1) - 1; i >= 0; i--) sink(heap, i)
  while (heap.length > 0) {
    const top = heap[0]!
    const next = secondOf(heap)
    const to = next === null ? top.end : rowsBefore(top, next)
    emit(top.block, top.at, to)
    top.at = to
    if (to === top.end && !top.fill()) {
      const last = heap.pop()!
      if (heap.length > 0) heap[0] = last
    }
    sink(heap, 0)
  }
}

function secondOf(heap: readonly AnyCursor[]): AnyCursor | null {
  const [, left, right] = heap
  if (left === undefined) return null
  return right === undefined || isBefore(left, right) ? left : right
}

/** End of the rows of a block that come before the next row of another cursor. */
function rowsBefore({ block: { atUs }, at, end, place }: AnyCursor, next: AnyCursor): number {
  const { us } = next
  let row = at + 1
  if (place < next.place) while (row < end && atUs[row]! <= us) row++
  else while (row < end && atUs[row]! < us) row++
  return row
}

/** Moves a cursor of a heap down to where it belongs. */
function sink<Of extends TimedColumns>(heap: Cursor<Of>[], from: number): void {
  const moved = heap[from]
  if (moved === undefined) return
  let place = from
  for (;;) {
    let child = place * 2 + 1
    if (child >= heap.length) break
    if (child + 1 < heap.length && isBefore(heap[child + 1]!, heap[child]!)) child++
    if (!isBefore(heap[child]!, moved)) break
    heap[place] = heap[child]!
    place = child
  }
  heap[place] = moved
}
