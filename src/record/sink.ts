import type { PostingRows } from '../ledger/postingRows.ts'
import type { EventRows } from '../venue/eventRows.ts'
import type { OutcomeJournal } from '../venue/outcome/protocol/journal.ts'
import type { ParlayJournal } from '../venue/parlay/protocol/journal.ts'

/** What a service did since the last flush; valid during the call only. */
export interface ServiceBatch {
  readonly events: EventRows
  readonly postings: PostingRows
}

export interface ParlayBatch extends ServiceBatch {
  readonly journal: ParlayJournal
}

export interface OutcomeBatch extends ServiceBatch {
  readonly journal: OutcomeJournal
}

/** What a session did since the last flush. Null: the session does not have the service. */
export interface Batch {
  readonly parlay: ParlayBatch | null
  readonly outcome: OutcomeBatch | null
}

/**
 * Where a session's rows go: the digest, the tables, later a chain. The engine flushes sinks between chunks of its
 * loop (design.md, decision 16). A sink may stop a run by throwing, never steer it.
 */
export interface Sink {
  flush(batch: Batch): void
  /** The session ended at `endUs`; everything has been flushed. */
  finish(endUs: number): void
  /** The session was given up: leave nothing that looks complete. */
  abort(): void
}

/** A sink that goes on working after it was given rows. */
export interface AwaitedSink extends Sink {
  /**
   * Resolves when what it was given so far is done, or rejects with what stops the run. After `abort` it resolves when the sink has
   * let go of everything.
   */
  settled(): Promise<void>
}
