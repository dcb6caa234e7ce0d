import { rowOfKind } from '../../eventCells.ts'
import { NONE } from '../../../unit/none.ts'
import { EventCell } from '../../eventRows.ts'
import { type ParlayKind, WebhookRow } from '../protocol/events.ts'
import { isWebhookKind, OwnerKind, WEBHOOK_EVENT_OF_ROW } from '../protocol/webhooks.ts'
import { queueDelivery } from './deliveries.ts'
import type { GateState } from './state.ts'

/** Queues deliveries of the venue's rows from the `from`th on to the endpoints that subscribe to them, user before maker. */
export function queueNews(s: GateState, from: number): void {
  const { events, endpoints } = s
  if (endpoints.count === 0) return
  // The rows that are written here come after the venue's rows and are not among them.
  const end = events.count
  for (let index = from; index < end; index++) {
    const kind = events.kindOf(events.row(index)) as ParlayKind
    if (!isWebhookKind(kind)) continue
    const event = WEBHOOK_EVENT_OF_ROW[kind]!
    const row = rowOfKind(events.row(index), kind)
    const rowSeq = events.read(row, EventCell.seq)
    tell(s, events.read(row, WebhookRow.user), OwnerKind.user, event, rowSeq)
    // The maker's endpoint can subscribe only to events whose rows name the backing maker (readings A40).
    tell(s, events.read(row, WebhookRow.counterparty), OwnerKind.maker, event, rowSeq)
  }
}

function tell(s: GateState, account: number, owner: number, event: number, rowSeq: number): void {
  const { endpoints } = s
  const e = endpoints.rowOfOwner(account, owner)
  // Events before a secret exists are dropped (PQ-325, readings A40).
  if (e === NONE || endpoints.secret[e] === 0 || !endpoints.subscribes(e, event) || s.deliverySwitches.isOff(account)) return
  queueDelivery(s, account, owner, event, rowSeq)
}
