import { NONE } from '../../../unit/none.ts'
import { ODDS_ONE } from '../../../unit/odds.ts'
import type { RowCells } from '../../eventCells.ts'
import { EventCell, readCell } from '../../eventRows.ts'
import { BestQuoteChanged } from '../protocol/events.ts'
import type { WireIdentity } from './identity.ts'

/** Names of the stream's events; the document names the last (PQ-331, PQ-332, the others chosen, PQ-336). */
export const STREAM_EVENTS = ['quote_request', 'best_quote', 'cashout_request'] as const
export type StreamEvent = (typeof STREAM_EVENTS)[number]

/** Data of `best_quote`: the request's best live quote is another one, or gone, and then all but the first three fields are null. */
export interface BestQuoteData {
  readonly quote_request_id: string
  readonly request_version: number
  /** What a commit of this quote echoes (PQ-333). */
  readonly book_seq: number
  readonly quote_id: string | null
  readonly mm_id: string | null
  readonly payout_odds: number | null
  readonly expires_at: string | null
}

export function bestQuoteData(identity: WireIdentity, row: RowCells<'parlay.bestQuoteChanged'>): BestQuoteData {
  const quote = readCell(row, BestQuoteChanged.quote)
  const isGone = quote === NONE
  return {
    quote_request_id: identity.request(readCell(row, BestQuoteChanged.request)),
    request_version: readCell(row, BestQuoteChanged.version),
    book_seq: readCell(row, BestQuoteChanged.bookSeq),
    quote_id: isGone ? null : identity.quote(quote),
    mm_id: isGone ? null : identity.account(readCell(row, BestQuoteChanged.maker)),
    payout_odds: isGone ? null : readCell(row, BestQuoteChanged.oddsE4) / ODDS_ONE,
    expires_at: isGone ? null : identity.instant(readCell(row, BestQuoteChanged.expiresAtUs)),
  }
}

/** One event of the stream as text. Its id is the seq of the row that it tells; JSON has no line breaks, so that data is one line. */
export const streamText = (event: StreamEvent, row: RowCells, data: object): string =>
  `id: ${readCell(row, EventCell.seq)}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`

/** A comment, which clients skip: it shows that the connection is alive. */
export const STREAM_HEARTBEAT = ': heartbeat\n\n'
