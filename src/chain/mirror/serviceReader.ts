import type { PostingRows } from '../../ledger/postingRows.ts'
import type { Batch } from '../../record/sink.ts'
import type { Row } from '../../venue/eventCells.ts'
import type { EventRows } from '../../venue/eventRows.ts'
import type { VaultCall } from '../vaultCall.ts'

/**
 * What the rows of one service mean to its vault. A reader gets every row of its service once, in the order of seq. Rows are valid during
 * the call only.
 */
export interface ServiceReader {
  /** Names of the service's event kinds, for messages. */
  readonly eventNames: Readonly<Record<number, string>>
  /** A batch begins; its rows follow. */
  begin(batch: Batch): void
  /** An event row: reports the vault's call for it, and money that the chain has before or after the ledger. */
  happened(events: EventRows, row: Row, log: MirrorLog): void
  /**
   * Number of the position that a posting's money belongs to, or −1. While the vault has not opened the position, such money is not on the
   * chain: it waits for the `open` call.
   */
  positionOf(postings: PostingRows, row: number): number
  /** Number of what signs the account's quotes now: the account itself where quotes are not signed. */
  quoteSignerOf(account: number): number
}

/** Takes what a reader reports about a row. */
export interface MirrorLog {
  /** The vault is told this, in the order of the calls. */
  call(call: VaultCall): void
  /** A fill is pending: the ledger has the position, the chain has not. Ended by its `open` call or by `failed`. */
  waits(position: number): void
  /** A pending fill failed, and the ledger has paid everything back. */
  failed(position: number): void
  /**
   * A deposit (above zero) or withdrawal (below zero) is on the chain and not yet in the ledger: its call has been made, and its posting
   * follows. `transaction` is the service's own number of it.
   */
  ahead(transaction: number, account: number, amountMicros: number): void
  /** The ledger has posted what was `ahead`. */
  caughtUp(transaction: number): void
}
