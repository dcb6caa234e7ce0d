import { ODDS_ONE } from '../../../unit/odds.ts'
import type { LegView } from '../protocol/view.ts'
import { type JsonNumber, usdcJson } from './decimalUsdc.ts'
import type { WireIdentity } from './identity.ts'
import { legBody, type NameOf, type PositionLeg } from './legBody.ts'

/** States that a portfolio counts parlays by (PQ-073). */
export const PARLAY_STATUSES = ['open', 'quoted', 'accepted', 'confirmed', 'executed', 'settled', 'cancelled', 'expired', 'failed'] as const
export type ParlayRecordStatus = (typeof PARLAY_STATUSES)[number]

/** How a holding ended: by the legs' results, by a cash-out that its maker won, or by one that another maker won. */
export const HOLDING_OUTCOMES = ['lost', 'won', 'void', 'bought_back', 'sold'] as const
export type HoldingOutcome = (typeof HOLDING_OUTCOMES)[number]

/** One account's holding of a parlay. Who takes a position over has a record of its own, and the seller keeps its own. */
export interface ParlayRecord {
  readonly request: number
  readonly status: ParlayRecordStatus
  readonly legs: readonly LegView[]
  /** What it put in: the gross bet, or the price that it took the position over at. */
  readonly costMicros: number
  readonly createdAtUs: number
  readonly updatedAtUs: number
  /** Null before a maker confirmed. */
  readonly trade: {
    readonly quote: number
    readonly position: number
    readonly backer: number
    readonly oddsE4: number
    readonly stakeMicros: number
    readonly payoutMicros: number
    readonly takerFeeMicros: number
  } | null
  /** Null until the holding ended. `seq` is that of the event row that paid it. */
  readonly end: { readonly outcome: HoldingOutcome; readonly receivedMicros: number; readonly profitFeeMicros: number; readonly seq: number } | null
}

/** A parlay as its holder reads it (every field chosen, PQ-098). Money is decimal USDC. */
export interface ParlayBody {
  readonly rfq_id: string
  readonly quote_request_id: string
  readonly status: ParlayRecordStatus
  readonly bet_amount: JsonNumber
  readonly legs: readonly PositionLeg[]
  readonly accepted_quote_id: string | null
  readonly position_id: string | null
  readonly counterparty_mm_id: string | null
  readonly payout_odds: number | null
  readonly user_stake: JsonNumber | null
  readonly taker_fee: JsonNumber | null
  readonly total_payout: JsonNumber | null
  readonly outcome: HoldingOutcome | null
  readonly received: JsonNumber | null
  readonly profit_fee: JsonNumber | null
  readonly tx_signature: string | null
  readonly created_at: string
  readonly updated_at: string
}

export function parlayBody(identity: WireIdentity, parlay: ParlayRecord, nameOf: NameOf): ParlayBody {
  const { trade, end } = parlay
  return {
    rfq_id: identity.rfq(parlay.request),
    quote_request_id: identity.request(parlay.request),
    status: parlay.status,
    bet_amount: usdcJson(parlay.costMicros),
    legs: parlay.legs.map((leg) => legBody(leg, nameOf)),
    accepted_quote_id: trade && identity.quote(trade.quote),
    position_id: trade && identity.position(trade.position),
    counterparty_mm_id: trade && identity.account(trade.backer),
    payout_odds: trade && trade.oddsE4 / ODDS_ONE,
    user_stake: trade && usdcJson(trade.stakeMicros),
    taker_fee: trade && usdcJson(trade.takerFeeMicros),
    total_payout: trade && usdcJson(trade.payoutMicros),
    outcome: end && end.outcome,
    received: end && usdcJson(end.receivedMicros),
    profit_fee: end && usdcJson(end.profitFeeMicros),
    tx_signature: end && identity.txSignature(end.seq),
    created_at: identity.instant(parlay.createdAtUs),
    updated_at: identity.instant(parlay.updatedAtUs),
  }
}
