import { ODDS_ONE } from '../../../unit/odds.ts'
import { type KindOf, type RowCells } from '../../eventCells.ts'
import { readCell } from '../../eventRows.ts'
import { CommitReply } from '../protocol/events.ts'
import type { WireIdentity } from './identity.ts'

/** Answer to a commit that was confirmed (PQ-174…177, PQ-094). */
export interface CommitBody {
  readonly status: 'committed'
  readonly quote_request_id: string
  readonly rfq_id: string
  readonly quote_id: string
  readonly selected_payout_odds: number
  readonly confirmation_deadline: string
}

/** From the reply to a commit that took place. */
export const commitBody = (identity: WireIdentity, reply: RowCells<KindOf<typeof CommitReply>>): CommitBody => ({
  status: 'committed',
  quote_request_id: identity.request(readCell(reply, CommitReply.request)),
  rfq_id: identity.rfq(readCell(reply, CommitReply.request)),
  quote_id: identity.quote(readCell(reply, CommitReply.quote)),
  selected_payout_odds: readCell(reply, CommitReply.oddsE4) / ODDS_ONE,
  confirmation_deadline: identity.instant(readCell(reply, CommitReply.confirmBeforeUs)),
})
