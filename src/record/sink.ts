import type { PostingRows } from '../ledger/postingRows.ts'
import type { ParlayJournal } from '../venue/parlay/protocol/journal.ts'
import type { EventRows } from '../venue/eventRows.ts'

/** What one parlay service did since the last flush; valid during the call only. */
export interface ParlayBatch {
  readonly events: EventRows
  readonly postings: PostingRows
  readonly journal: ParlayJournal
}

/**
 * Where a session's rows go: the digest, the tables, later a chain. The engine flushes sinks between chunks of its
 * loop (design.md, decision 16). A sink may stop a run by throwing, never steer it.
 */
export interface Sink {
  flush(batch: ParlayBatch): void
  /** The session ended at `endUs`; everything has been flushed. */
  finish(endUs: number): void
  /** The session was given up: leave nothing that looks complete. */
  abort(): void
}
