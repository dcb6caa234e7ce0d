import type { DeliveryView } from '../protocol/gate.ts'
import { DELIVERY_STATUS_NAMES, WEBHOOK_EVENT_NAMES } from '../protocol/webhooks.ts'
import type { WireIdentity } from './identity.ts'

/** A webhook delivery as `GET /v1/webhooks/deliveries` lists it (PQ-101). */
export interface DeliveryRecord {
  readonly id: string
  readonly event_type: string
  readonly status: (typeof DELIVERY_STATUS_NAMES)[number]
  readonly attempts: number
  /** HTTP status of the last answer. Null without an answer: no attempt yet, a timeout, a network error, or not allowed. */
  readonly response_code: number | null
  readonly created_at: string
}

export const deliveryRecord = (identity: WireIdentity, delivery: DeliveryView): DeliveryRecord => ({
  id: identity.event(delivery.number),
  event_type: WEBHOOK_EVENT_NAMES[delivery.event]!,
  status: DELIVERY_STATUS_NAMES[delivery.status]!,
  attempts: delivery.attempts,
  response_code: delivery.response === null || delivery.response <= 0 ? null : delivery.response,
  created_at: identity.instant(delivery.createdAtUs),
})
