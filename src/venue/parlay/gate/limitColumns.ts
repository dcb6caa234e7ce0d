import { KeyedColumns } from '../../../unit/keyedColumns.ts'
import { SECOND_US } from '../../../unit/time.ts'
import { NONE } from '../../eventRows.ts'

/** Windows that are over are dropped when this many rows, or twice what the last sweep left, are in use. */
const SWEEP_MIN = 1024

/** Windows by what they count and whose calls they are; one that is over counts as if it were not there. */
export class LimitColumns extends KeyedColumns {
  startUs = new Float64Array(this.capacity)
  calls = new Float64Array(this.capacity)
  sweepAt = SWEEP_MIN
  /** Of the last command, as `LimitView`; limit NONE: no limit applied to it. */
  limit = NONE
  remaining = NONE
  resetUs = NONE
  retryAfterS = NONE

  /** Another command begins, to which no limit has applied yet. */
  begin(): void {
    this.limit = this.remaining = this.resetUs = this.retryAfterS = NONE
  }

  /** Counts a call, unless its window is full: then false. */
  counts(key: number, limit: number, nowUs: number, windowUs: number): boolean {
    let row = this.rowOf(key)
    if (row === NONE) {
      if (this.count >= this.sweepAt) this.sweep(nowUs, windowUs)
      row = this.add(key)
      this.startUs[row] = nowUs
    } else if (nowUs >= this.startUs[row]! + windowUs) {
      this.startUs[row] = nowUs
      this.calls[row] = 0
    }
    const endUs = this.startUs[row]! + windowUs
    if (this.calls[row]! >= limit) {
      this.show(limit, 0, endUs, Math.ceil((endUs - nowUs) / SECOND_US))
      return false
    }
    const remaining = limit - ++this.calls[row]!
    if (this.limit === NONE || remaining <= this.remaining) this.show(limit, remaining, endUs, NONE)
    return true
  }

  private show(limit: number, remaining: number, resetUs: number, retryAfterS: number): void {
    this.limit = limit
    this.remaining = remaining
    this.resetUs = resetUs
    this.retryAfterS = retryAfterS
  }

  /** When it runs follows from the rows in use and never from the capacity, which an image does not hold. */
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
