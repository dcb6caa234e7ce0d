import { Bug } from '../../../unit/assert.ts'
import { NONE } from '../../../unit/none.ts'
import { type KindOf, type RowCells, rowOfKind } from '../../eventCells.ts'
import { EventCell, readCell } from '../../eventRows.ts'
import {
  CancelReason, FundsMoved, ParlayEvent, type ParlayKind, ParlayStatus, PositionBoughtBack, PositionCancelled, PositionOutcome, PositionSettled, PositionTransferred,
  StatusChanged,
} from '../protocol/events.ts'
import { MAKER_WEBHOOK_EVENTS, OwnerKind, WEBHOOK_EVENT_NAMES, WEBHOOK_EVENT_OF_ROW } from '../protocol/webhooks.ts'
import { type JsonNumber, usdcJson } from './decimalUsdc.ts'
import type { WireIdentity } from './identity.ts'

type Value = string | boolean | null | JsonNumber
type Data = Readonly<Record<string, Value>>

/** `{ id, type, data }` (PQ-312). */
export interface WebhookBody {
  readonly id: string
  readonly type: string
  readonly data: Data
}

const OUTCOMES: Readonly<Record<number, string>> = {
  [PositionOutcome.lost]: 'lost', [PositionOutcome.won]: 'won', [PositionOutcome.void]: 'void',
}
/** What the holder's outcome means for the backing maker. */
const MAKER_OUTCOMES: Readonly<Record<number, string>> = {
  [PositionOutcome.lost]: 'won', [PositionOutcome.won]: 'lost', [PositionOutcome.void]: 'void',
}
const CANCEL_REASONS: Readonly<Record<number, string>> = {
  [CancelReason.userCancelled]: 'user_cancelled', [CancelReason.chainFailed]: 'chain_failed',
}
const STATUSES = Object.fromEntries(Object.entries(ParlayStatus).map(([name, status]) => [status, name]))

/** The `WebhookEvent` of a row kind for an endpoint of the given owner kind, or null. A maker endpoint has three (PQ-307, readings A40). */
export function webhookEventOf(kind: number, owner: number): number | null {
  const event = WEBHOOK_EVENT_OF_ROW[kind]
  if (event === undefined || (owner === OwnerKind.maker && (MAKER_WEBHOOK_EVENTS & (1 << event)) === 0)) return null
  return event
}

function named(names: Readonly<Record<number, string>>, value: number, what: string): string {
  const name = names[value]
  if (name === undefined) throw new Bug(`${what} ${value} has no name on the wire`)
  return name
}

const at = (identity: WireIdentity, row: RowCells): Data => ({ occurred_at: identity.instant(readCell(row, EventCell.atUs)) })
/** The same for an event with a transaction of the chain behind it. */
const onChain = (identity: WireIdentity, row: RowCells): Data =>
  ({ tx_signature: identity.txSignature(readCell(row, EventCell.seq)), ...at(identity, row) })

const fundsData = (identity: WireIdentity, row: RowCells<KindOf<typeof FundsMoved>>): Data => ({
  amount_usdc: usdcJson(readCell(row, FundsMoved.amountMicros)), vault_balance: usdcJson(readCell(row, FundsMoved.grossBalanceMicros)), ...at(identity, row),
})

const cancelledData = (identity: WireIdentity, row: RowCells<'parlay.positionCancelled'>): Data => ({
  rfq_id: identity.rfq(readCell(row, PositionCancelled.request)),
  reason: named(CANCEL_REASONS, readCell(row, PositionCancelled.reason), 'reason'),
  ...at(identity, row),
})

function statusData(identity: WireIdentity, row: RowCells<'parlay.statusChanged'>): Data {
  const quote = readCell(row, StatusChanged.quote)
  return {
    rfq_id: identity.rfq(readCell(row, StatusChanged.request)), status: named(STATUSES, readCell(row, StatusChanged.status), 'status'),
    accepted_quote_id: quote === NONE ? null : identity.quote(quote), ...at(identity, row),
  }
}

const settledData = (identity: WireIdentity, row: RowCells<'parlay.positionSettled'>): Data => ({
  rfq_id: identity.rfq(readCell(row, PositionSettled.request)),
  outcome: named(OUTCOMES, readCell(row, PositionSettled.outcome), 'outcome'),
  ...onChain(identity, row),
})

const boughtBackData = (identity: WireIdentity, row: RowCells<'parlay.positionBoughtBack'>): Data => ({
  rfq_id: identity.rfq(readCell(row, PositionBoughtBack.request)), amount: usdcJson(readCell(row, PositionBoughtBack.differenceMicros)),
  mm_pays_user: readCell(row, PositionBoughtBack.isPaidByMaker) === 1, ...onChain(identity, row),
})

const transferredData = (identity: WireIdentity, row: RowCells<'parlay.positionTransferred'>): Data => ({
  rfq_id: identity.rfq(readCell(row, PositionTransferred.request)),
  position_id: identity.position(readCell(row, PositionTransferred.position)),
  price: usdcJson(readCell(row, PositionTransferred.priceMicros)), proceeds: usdcJson(readCell(row, PositionTransferred.toSellerMicros)),
  profit_fee: usdcJson(readCell(row, PositionTransferred.profitFeeMicros)), ...onChain(identity, row),
})

/** `kind` is the row's. */
function dataOf(identity: WireIdentity, row: RowCells, kind: ParlayKind): Data {
  switch (kind) {
    case ParlayEvent.fundsDeposited: case ParlayEvent.fundsWithdrawn: return fundsData(identity, rowOfKind(row, kind))
    case ParlayEvent.positionCancelled: return cancelledData(identity, rowOfKind(row, kind))
    case ParlayEvent.statusChanged: return statusData(identity, rowOfKind(row, kind))
    case ParlayEvent.positionSettled: return settledData(identity, rowOfKind(row, kind))
    case ParlayEvent.positionBoughtBack: return boughtBackData(identity, rowOfKind(row, kind))
    case ParlayEvent.positionTransferred: return transferredData(identity, rowOfKind(row, kind))
    default: throw new Bug(`no webhook tells row kind ${kind}`)
  }
}

/** The maker's side of an event: a bettor's win is the maker's loss, and the reverse. `cancelled` and `bought_back` stay (PQ-308). */
function makerResult(row: RowCells, kind: ParlayKind): string {
  if (kind === ParlayEvent.positionSettled) {
    return named(MAKER_OUTCOMES, readCell(rowOfKind(row, kind), PositionSettled.outcome), 'outcome')
  }
  return kind === ParlayEvent.positionCancelled ? 'cancelled' : 'bought_back'
}

/**
 * Body of the delivery `delivery` of a row of the venue to an endpoint of `owner` (an `OwnerKind`). A maker's data are the
 * user's plus `mm_result`. Throws Bug for a row that is no event for such an endpoint.
 */
export function webhookBody(identity: WireIdentity, delivery: number, owner: number, row: RowCells): WebhookBody {
  const kind = readCell(row, EventCell.kind) as ParlayKind
  const event = webhookEventOf(kind, owner)
  if (event === null) throw new Bug(`no webhook tells row kind ${kind} to owner kind ${owner}`)
  const data = dataOf(identity, row, kind)
  return {
    id: identity.event(delivery),
    type: WEBHOOK_EVENT_NAMES[event]!,
    data: owner === OwnerKind.maker ? { ...data, mm_result: makerResult(row, kind) } : data,
  }
}

/** The raw body that is signed and sent: amounts are exact decimal JSON numbers. */
export const webhookText = (body: WebhookBody): string => JSON.stringify(body)
