import { assert } from '../unit/assert.ts'
import { KeyedColumns } from '../unit/keyedColumns.ts'
import { NONE } from '../unit/none.ts'
import { SECOND_US } from '../unit/time.ts'

/** Ended windows are dropped when this many rows, or twice as many as the last sweep left, are in use. */
const SWEEP_MIN = 1024

/** What the headers of the last limited answer would say (PQ-445…448). */
export interface LimitView {
  limit: number
  remaining: number
  resetUs: number
  /** Whole seconds, rounded up; −1 unless the call was refused. */
  retryAfterS: number
}

/** Calls in windows, by the key of what is limited. A window begins with its first call. An ended window counts as if it did not exist. */
export class CallWindows extends KeyedColumns {
  startUs = new Float64Array(this.capacity)
  calls = new Float64Array(this.capacity)
  sweepAt = SWEEP_MIN
  /** The limit of the last command, as in `LimitView`. Limit NONE means that no limit applied to it. */
  limit = NONE
  remaining = NONE
  resetUs = NONE
  retryAfterS = NONE

  /** Another command begins, to which no limit has applied yet. */
  begin(): void {
    this.limit = this.remaining = this.resetUs = this.retryAfterS = NONE
  }

  /** Whether the window in a key's row, NONE for none, has no room. Precondition: `limit` is 1 or more, so that a window with no call has room. */
  isFull(row: number, limit: number, nowUs: number, windowUs: number): boolean {
    assert(limit >= 1, 'a limit lets one call through')
    return row !== NONE && nowUs < this.startUs[row]! + windowUs && this.calls[row]! >= limit
  }

  /** Counts a call in the window of a row (NONE for none), or in a new window that begins with it. Returns the row. Precondition: there is room. */
  countCall(key: number, known: number, nowUs: number, windowUs: number): number {
    let row = known
    if (row === NONE) {
      if (this.count >= this.sweepAt) this.sweep(nowUs, windowUs)
      row = this.add(key)
      this.startUs[row] = nowUs
    } else if (nowUs >= this.startUs[row]! + windowUs) {
      this.startUs[row] = nowUs
      this.calls[row] = 0
    }
    this.calls[row]!++
    return row
  }

  /** Shows the window in `row`, in which a call was counted. */
  showRoom(row: number, limit: number, windowUs: number): void {
    this.show(limit, limit - this.calls[row]!, this.startUs[row]! + windowUs, NONE)
  }

  /** Shows a full window, which began at `startUs`. */
  showFull(startUs: number, limit: number, nowUs: number, windowUs: number): void {
    const resetUs = startUs + windowUs
    this.show(limit, 0, resetUs, Math.ceil((resetUs - nowUs) / SECOND_US))
  }

  private show(limit: number, remaining: number, resetUs: number, retryAfterS: number): void {
    this.limit = limit
    this.remaining = remaining
    this.resetUs = resetUs
    this.retryAfterS = retryAfterS
  }

  /** When this runs depends on the rows in use and never on the capacity, which an image does not have. */
  private sweep(nowUs: number, windowUs: number): void {
    const { key, startUs, calls, count } = this
    let kept = 0
    for (let row = 0; row < count; row++) {
      if (nowUs >= startUs[row]! + windowUs) continue
      key[kept] = key[row]!
      startUs[kept] = startUs[row]!
      calls[kept++] = calls[row]!
    }
    for (const column of [key, startUs, calls]) column.fill(0, kept, count)
    this.count = kept
    this.sweepAt = Math.max(SWEEP_MIN, 2 * kept)
    this.reindex()
  }
}
