import { PostingField, type PostingRows } from '../ledger/postingRows.ts'
import { EventCell, type EventRows } from '../venue/eventRows.ts'
import type { ServiceBatch } from './sink.ts'

/** How far the rows of one service in a batch have been taken. */
export class RowCursor {
  declare readonly events: EventRows
  declare readonly postings: PostingRows
  /** Next event row, next posting row. */
  event = 0
  posting = 0

  constructor({ events, postings }: ServiceBatch) {
    this.events = events
    this.postings = postings
  }

  /** Seq of the next row, Infinity after the last. */
  nextSeq(): number {
    const { events, postings, event, posting } = this
    const eventSeq = event < events.count ? events.read(events.row(event), EventCell.seq) : Infinity
    const postingSeq = posting < postings.count ? postings.get(posting, PostingField.seq) : Infinity
    return Math.min(eventSeq, postingSeq)
  }
}

/**
 * Takes the rows of one or two services in the order of seq, a run at a time. `take` takes a cursor's rows whose seq is below the
 * given one.
 */
export function takeInOrder<C extends RowCursor>(first: C | null, second: C | null, take: (cursor: C, belowSeq: number) => void): void {
  if (first === null || second === null) {
    const only = first ?? second
    if (only !== null) take(only, Infinity)
    return
  }
  while (first.nextSeq() < Infinity || second.nextSeq() < Infinity) {
    take(first, second.nextSeq())
    take(second, first.nextSeq())
  }
}
