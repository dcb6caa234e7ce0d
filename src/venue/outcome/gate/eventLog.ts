import { CountedColumns } from '../../../unit/countedColumns.ts'
import { NONE } from '../../../unit/none.ts'
import type { Image } from '../../../unit/snapshot.ts'
import { type Row, rowOfKind } from '../../eventCells.ts'
import { type EventRows } from '../../eventRows.ts'
import { ChannelBit } from '../protocol/access.ts'
import { OperationRow, OutcomeEvent, type OutcomeKind, QuoteRow } from '../protocol/events.ts'

/** Stands in place of a maker for all makers. */
const EVERY_MAKER = -2
/** Rows without events are given back when there are this many of them and more than rows with events. */
const SLACK_MIN = 1024

/** The addressees of an event, reused: the account on whose account channel and the one on whose maker channel it goes, or NONE. */
export interface Addressees {
  account: number
  maker: number
}

/** Sets the addressees of a row of the venue; false when it is no event of a stream (OM-150…154). */
export function addressees(events: EventRows, row: Row, to: Addressees): boolean {
  to.account = to.maker = NONE
  const kind = events.kindOf(row) as OutcomeKind
  switch (kind) {
    case OutcomeEvent.rfqCreated:
      to.maker = EVERY_MAKER
      return true
    case OutcomeEvent.quoteCreated:
      to.account = events.read(rowOfKind(row, kind), QuoteRow.owner)
      return true
    case OutcomeEvent.quoteAccepted:
      to.maker = events.read(rowOfKind(row, kind), QuoteRow.maker)
      return true
    case OutcomeEvent.operationStarted: case OutcomeEvent.operationUpdated: {
      const operation = rowOfKind(row, kind)
      to.account = events.read(operation, OperationRow.account)
      to.maker = events.read(operation, OperationRow.maker)
      return true
    }
    default: return false
  }
}

/** Whether a stream of an account with these channels (a ChannelBit mask) carries an event. */
export const carries = (channels: number, account: number, toAccount: number, toMaker: number): boolean =>
  ((channels & ChannelBit.account) !== 0 && toAccount === account) ||
  ((channels & ChannelBit.maker) !== 0 && (toMaker === account || toMaker === EVERY_MAKER))

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
