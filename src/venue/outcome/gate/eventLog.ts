import { CountedColumns } from '../../../unit/countedColumns.ts'
import type { Image } from '../../../unit/snapshot.ts'
import { type Addressees, carries } from '../protocol/streamEvents.ts'

/** Rows without events are given back when there are this many of them and more than rows with events. */
const SLACK_MIN = 1024

/** Events that can still be replayed, by seq (OM-155, OM-156). */
export class EventLog extends CountedColumns {
  /** Rows from `first` to `count − 1` have the events that are kept. */
  first = 0
  count = 0
  /** Seq of the last event that is no longer kept, 0 while all are kept. */
  horizon = 0
  seq = new Float64Array(this.capacity)
  atUs = new Float64Array(this.capacity)
  toAccount = new Int32Array(this.capacity)
  toMaker = new Int32Array(this.capacity)

  protected override rowCount(): number {
    return this.count
  }

  append(seq: number, atUs: number, to: Addressees): void {
    const row = this.count++
    this.ensure(this.count)
    this.seq[row] = seq
    this.atUs[row] = atUs
    this.toAccount[row] = to.account
    this.toMaker[row] = to.maker
  }

  /** Drops the events whose time is over. */
  forget(nowUs: number, keptUs: number): void {
    while (this.first < this.count && nowUs >= this.atUs[this.first]! + keptUs) this.horizon = this.seq[this.first++]!
    if (this.first >= SLACK_MIN && this.first > this.count - this.first) this.compact()
  }

  /** Seqs of the events after a cursor that a stream carries, ascending. Precondition: the cursor is not below the horizon. */
  after(cursor: number, channels: number, account: number): number[] {
    const seqs: number[] = []
    for (let row = this.rowAfter(cursor); row < this.count; row++) {
      if (carries(channels, account, this.toAccount[row]!, this.toMaker[row]!)) seqs.push(this.seq[row]!)
    }
    return seqs
  }

  /** The image has the kept events alone, whatever else is still in the columns. */
  override snapshot(): Image {
    this.compact()
    return super.snapshot()
  }

  private rowAfter(cursor: number): number {
    let low = this.first
    let high = this.count
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.seq[middle]! > cursor) high = middle
      else low = middle + 1
    }
    return low
  }

  private compact(): void {
    const { first, count } = this
    for (const column of [this.seq, this.atUs, this.toAccount, this.toMaker]) {
      column.copyWithin(0, first, count)
      column.fill(0, count - first, count)
    }
    this.count -= first
    this.first = 0
  }
}
