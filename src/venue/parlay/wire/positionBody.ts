import type { RowCells } from '../../eventCells.ts'
import { readCell } from '../../eventRows.ts'
import { AuctionOpened, PositionState } from '../protocol/events.ts'
import type { LegView, PositionView } from '../protocol/view.ts'
import { type JsonNumber, usdcJson } from './decimalUsdc.ts'
import type { WireIdentity } from './identity.ts'
import { legBody, type NameOf, type PositionLeg } from './legBody.ts'

/** A position as its maker reads it (PQ-090; the other fields are our choice, PQ-100). Money is decimal USDC. */
export interface MakerPositionBody {
  readonly position_id: string
  readonly rfq_id: string
  readonly quote_id: string
  readonly status: 'confirmed' | 'executed' | 'settled'
  readonly user_stake: JsonNumber
  readonly total_payout: JsonNumber
  readonly mm_risk: JsonNumber
  readonly legs: readonly PositionLeg[]
}

const statusOf = (state: number): MakerPositionBody['status'] =>
  state === PositionState.confirmed ? 'confirmed' : state === PositionState.settled ? 'settled' : 'executed'

/** What the body of a position is made of, whether a view or a kept record has it. */
export type PositionParts = Pick<PositionView, 'number' | 'request' | 'quote' | 'state' | 'stakeMicros' | 'payoutMicros'> & {
  readonly legs: readonly LegView[]
}

export function makerPositionBody(identity: WireIdentity, position: PositionParts, nameOf: NameOf): MakerPositionBody {
  const { payoutMicros, stakeMicros } = position
  return {
    position_id: identity.position(position.number),
    rfq_id: identity.rfq(position.request),
    quote_id: identity.quote(position.quote),
    status: statusOf(position.state),
    user_stake: usdcJson(stakeMicros),
    total_payout: usdcJson(payoutMicros),
    mm_risk: usdcJson(payoutMicros - stakeMicros),
    legs: position.legs.map((leg) => legBody(leg, nameOf)),
  }
}

/**
 * Data of the stream's `cashout_request` (PQ-332; the fields beside `position_id` are our choice, PQ-336). It uses both
 * conventions of money, and `_micro` marks the integers (PQ-024).
 */
export interface CashOutBroadcast {
  readonly cashout_request_id: string
  readonly rfq_id: string
  readonly position_id: string
  readonly counterparty_mm_id: string
  readonly user_stake: JsonNumber
  readonly total_payout: JsonNumber
  readonly max_price_micro: number
  readonly expires_at: string
}

/** The broadcast of an auction: the highest bid allowed is the total payout. */
export function cashOutBroadcast(identity: WireIdentity, row: RowCells<'parlay.auctionOpened'>): CashOutBroadcast {
  const payoutMicros = readCell(row, AuctionOpened.payoutMicros)
  return {
    cashout_request_id: identity.auction(readCell(row, AuctionOpened.auction)),
    rfq_id: identity.rfq(readCell(row, AuctionOpened.request)),
    position_id: identity.position(readCell(row, AuctionOpened.position)),
    counterparty_mm_id: identity.account(readCell(row, AuctionOpened.backer)),
    user_stake: usdcJson(readCell(row, AuctionOpened.netStakeMicros)),
    total_payout: usdcJson(payoutMicros),
    max_price_micro: payoutMicros,
    expires_at: identity.instant(readCell(row, AuctionOpened.endsAtUs)),
  }
}
