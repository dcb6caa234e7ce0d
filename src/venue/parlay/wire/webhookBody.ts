import { Bug } from '../../../unit/assert.ts'
import { isoOfTimeUs } from '../../../unit/time.ts'
import { Field, NONE } from '../../eventRows.ts'
import { CancelReason, ParlayStatus, PositionOutcome } from '../protocol/events.ts'
import { MAKER_WEBHOOK_EVENTS, OwnerKind, WEBHOOK_EVENT_NAMES, WEBHOOK_EVENT_OF_ROW, WebhookEvent } from '../protocol/webhooks.ts'
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

/** A row of the venue as `EventRows` holds it: its cells begin at `first`. */
export interface RowCells {
  readonly cells: ArrayLike<number>
  readonly first: number
}

const OUTCOMES: Readonly<Record<number, string>> = {
  [PositionOutcome.lost]: 'lost', [PositionOutcome.won]: 'won', [PositionOutcome.void]: 'void',
}
/** What the holder's outcome is to the maker who backs it. */
const MAKER_OUTCOMES: Readonly<Record<number, string>> = {
  [PositionOutcome.lost]: 'won', [PositionOutcome.won]: 'lost', [PositionOutcome.void]: 'void',
}
const CANCEL_REASONS: Readonly<Record<number, string>> = {
  [CancelReason.userCancelled]: 'user_cancelled', [CancelReason.chainFailed]: 'chain_failed',
}
const STATUSES = Object.fromEntries(Object.entries(ParlayStatus).map(([name, status]) => [status, name]))

/** The `WebhookEvent` that a row kind is to an endpoint of that owner kind, or null. A maker endpoint knows three (PQ-307, readings A40). */
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

function dataOf(identity: WireIdentity, event: number, of: (field: number) => number): Data {
  const at = { occurred_at: isoOfTimeUs(of(Field.atUs)) }
  const money = (field: number): JsonNumber => usdcJson(of(field))
  if (event === WebhookEvent.fundsDeposited || event === WebhookEvent.fundsWithdrawn) {
    return { amount_usdc: money(Field.amountA), vault_balance: money(Field.amountB), ...at }
  }
  const rfq = { rfq_id: identity.rfq(of(Field.request)) }
  if (event === WebhookEvent.positionCancelled) return { ...rfq, reason: named(CANCEL_REASONS, of(Field.code), 'reason'), ...at }
  if (event === WebhookEvent.statusChanged) {
    const quote = of(Field.quote)
    return {
      ...rfq, status: named(STATUSES, of(Field.amountA), 'status'), accepted_quote_id: quote === NONE ? null : identity.quote(quote), ...at,
    }
  }
  const tail = { tx_signature: identity.txSignature(of(Field.seq)), ...at }
  if (event === WebhookEvent.positionSettled) return { ...rfq, outcome: named(OUTCOMES, of(Field.code), 'outcome'), ...tail }
  if (event === WebhookEvent.positionBoughtBack) {
    return { ...rfq, amount: money(Field.amountA), mm_pays_user: of(Field.code) === 1, ...tail }
  }
  return {
    ...rfq, position_id: identity.position(of(Field.position)), price: money(Field.amountA), proceeds: money(Field.amountB),
    profit_fee: money(Field.amountC), ...tail,
  }
}

/** The maker's side of an event: who wins against it has lost to it; `cancelled` and `bought_back` are what they are (PQ-308). */
function makerResult(event: number, code: number): string {
  if (event === WebhookEvent.positionSettled) return named(MAKER_OUTCOMES, code, 'outcome')
  return event === WebhookEvent.positionCancelled ? 'cancelled' : 'bought_back'
}

/**
 * Body of the delivery `delivery` that tells a row of the venue to an endpoint of `owner` (an `OwnerKind`). A maker's
 * data are the user's with `mm_result` besides. Throws Bug for a row that is no event to such an endpoint.
 */
export function webhookBody(identity: WireIdentity, delivery: number, owner: number, row: RowCells): WebhookBody {
  const of = (field: number): number => row.cells[row.first + field]!
  const event = webhookEventOf(of(Field.kind), owner)
  if (event === null) throw new Bug(`no webhook tells row kind ${of(Field.kind)} to owner kind ${owner}`)
  const data = dataOf(identity, event, of)
  return {
    id: identity.event(delivery),
    type: WEBHOOK_EVENT_NAMES[event]!,
    data: owner === OwnerKind.maker ? { ...data, mm_result: makerResult(event, of(Field.code)) } : data,
  }
}

/** The raw body that is signed and sent: amounts are exact decimal JSON numbers. */
export const webhookText = (body: WebhookBody): string => JSON.stringify(body)
