import { ScopeBit } from './access.ts'
import type { Kind, KindOf } from '../../eventCells.ts'
import { ParlayEvent, type ParlayKind, type WebhookRow } from './events.ts'

/** The seven events of the webhook catalogue (PQ-299); a mask of subscriptions has bit 1 << event. */
export const WebhookEvent = {
  positionSettled: 0, positionCancelled: 1, positionBoughtBack: 2, positionTransferred: 3, statusChanged: 4, fundsDeposited: 5,
  fundsWithdrawn: 6,
} as const
export const WEBHOOK_EVENT_NAMES = [
  'position.settled', 'position.cancelled', 'position.bought_back', 'position.transferred', 'parlay.status_changed',
  'funds.deposited', 'funds.withdrawn',
] as const
type WebhookKind = Extract<ParlayKind, Kind<KindOf<typeof WebhookRow>>>
/** The event for a kind of row. */
const EVENTS: readonly (readonly [kind: WebhookKind, number])[] = [
  [ParlayEvent.positionSettled, WebhookEvent.positionSettled], [ParlayEvent.positionCancelled, WebhookEvent.positionCancelled],
  [ParlayEvent.positionBoughtBack, WebhookEvent.positionBoughtBack], [ParlayEvent.positionTransferred, WebhookEvent.positionTransferred],
  [ParlayEvent.statusChanged, WebhookEvent.statusChanged], [ParlayEvent.fundsDeposited, WebhookEvent.fundsDeposited],
  [ParlayEvent.fundsWithdrawn, WebhookEvent.fundsWithdrawn],
]
export const WEBHOOK_EVENT_OF_ROW: Readonly<Record<number, number>> = Object.fromEntries(EVENTS)
/** Is there an event for the kind of row? */
export const isWebhookKind = (kind: ParlayKind): kind is WebhookKind => WEBHOOK_EVENT_OF_ROW[kind] !== undefined
export const ALL_WEBHOOK_EVENTS = 127
/** What a maker endpoint can subscribe to: settled, cancelled, bought_back (PQ-307, readings A40). */
export const MAKER_WEBHOOK_EVENTS = 7

/** Scope that the endpoint's key must hold at each attempt, by event (PQ-286, PQ-290…298). */
export const SCOPE_OF_EVENT: readonly number[] = [
  ScopeBit.positionsRead, ScopeBit.positionsRead, ScopeBit.positionsRead, ScopeBit.positionsRead, ScopeBit.positionsRead,
  ScopeBit.balancesRead, ScopeBit.balancesRead,
]

export const OwnerKind = { user: 0, maker: 1 } as const

export const DeliveryStatus = { pending: 0, delivered: 1, failed: 2, deadLetter: 3 } as const
export const DELIVERY_STATUS_NAMES = ['pending', 'delivered', 'failed', 'dead_letter'] as const

/** Answers of an attempt that are no HTTP status. */
export const Answer = { networkError: 0, timeout: -1, notAllowed: -2 } as const
