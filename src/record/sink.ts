import type { PostingRows } from '../ledger/postingRows.ts'
import type { EventRows } from '../venue/eventRows.ts'
import type { OutcomeJournal } from '../venue/outcome/protocol/journal.ts'
import type { ParlayJournal } from '../venue/parlay/protocol/journal.ts'

/** What a service did since the last flush. It is valid during the call only. */
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

/** What a session did since the last flush. Null for a service that the session does not have. */
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
  /** The session ended at `endUs`, and everything has been flushed. */
  finish(endUs: number): void
  /** The session was given up: leave nothing that looks complete. */
  abort(): void
}

/** A sink that goes on working after it has taken rows. */
export interface AwaitedSink extends Sink {
  /**
   * Resolves when everything that the sink has taken so far is done, or rejects with the error that stops the run. After `abort` it
   * resolves when the sink has released everything.
   */
  settled(): Promise<void>
}
