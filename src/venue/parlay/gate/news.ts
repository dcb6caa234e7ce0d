import { Field, NONE } from '../../eventRows.ts'
import { OwnerKind, WEBHOOK_EVENT_OF_ROW } from '../protocol/webhooks.ts'
import { queueDelivery } from './deliveries.ts'
import type { GateState } from './state.ts'

/** Queues deliveries of the venue's rows from `fromRow` on to the endpoints that subscribe to them, user before maker. */
export function queueNews(s: GateState, fromRow: number): void {
  const { events, endpoints } = s
  if (endpoints.count === 0) return
  // The rows that are written here come after them and are none of the venue's.
  const end = events.count
  for (let row = fromRow; row < end; row++) {
    const event = WEBHOOK_EVENT_OF_ROW[events.get(row, Field.kind)]
    if (event === undefined) continue
    const rowSeq = events.get(row, Field.seq)
    tell(s, events.get(row, Field.account), OwnerKind.user, event, rowSeq)
    // The maker's endpoint can subscribe only to events whose rows name the backing maker (readings A40).
    tell(s, events.get(row, Field.other), OwnerKind.maker, event, rowSeq)
  }
}

function tell(s: GateState, account: number, owner: number, event: number, rowSeq: number): void {
  const { endpoints } = s
  const e = endpoints.rowOfOwner(account, owner)
  // Events before a secret exists are dropped (PQ-325, readings A40).
  if (e === NONE || endpoints.secret[e] === 0 || !endpoints.subscribes(e, event)) return
  queueDelivery(s, account, owner, event, rowSeq)
}
