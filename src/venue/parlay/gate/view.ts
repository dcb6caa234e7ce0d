import type { LimitView } from '../../callWindows.ts'
import { NONE } from '../../../unit/none.ts'
import type { DeliveryView, EndpointView, KeyView, ParlayGateView } from '../protocol/gate.ts'
import { scopesHeld } from './credentials.ts'
import type { GateState } from './state.ts'

/** By `KeyState` (PQ-107). */
const KEY_STATE_NAMES = ['active', 'revoked', 'expired'] as const

/** Copying reads over the state of a gate. */
export class GateStateView implements ParlayGateView {
  private declare readonly s: GateState

  constructor(state: GateState) {
    this.s = state
  }

  key(number: number): KeyView | null {
    const { keys } = this.s
    const row = keys.rowOf(number)
    if (row === NONE) return null
    return {
      number,
      account: keys.account[row]!,
      scopes: keys.scopes[row]!,
      expiresAtUs: keys.expiresAtUs[row]!,
      state: KEY_STATE_NAMES[keys.state[row]!]!,
    }
  }

  keysOf(account: number): KeyView[] {
    const views: KeyView[] = []
    for (let row = 0; row < this.s.keys.count; row++) if (this.s.keys.account[row] === account) views.push(this.key(row + 1)!)
    return views
  }

  scopesHeld(account: number, credential: number): number {
    return scopesHeld(this.s, account, credential)
  }

  isLive(account: number): boolean {
    return this.s.streams.isOpen(account)
  }

  lastLimit(): LimitView | null {
    const { limit, remaining, resetUs, retryAfterS } = this.s.limits
    return limit === NONE ? null : { limit, remaining, resetUs, retryAfterS }
  }

  endpoint(account: number, owner: number): EndpointView | null {
    const { endpoints } = this.s
    const row = endpoints.rowOfOwner(account, owner)
    return row === NONE ? null : { account, owner, events: endpoints.events[row]!, secret: endpoints.secret[row]! }
  }

  deliveriesOf(account: number, owner: number): DeliveryView[] {
    const { deliveries } = this.s
    const views: DeliveryView[] = []
    for (let d = 0; d < deliveries.index.slotCount; d++) {
      if (deliveries.number[d] !== 0 && deliveries.account[d] === account && deliveries.owner[d] === owner) views.push(this.delivery(d))
    }
    return views.sort((a, b) => b.number - a.number)
  }

  private delivery(d: number): DeliveryView {
    const { deliveries } = this.s
    return {
      number: deliveries.number[d]!,
      account: deliveries.account[d]!,
      owner: deliveries.owner[d]!,
      event: deliveries.event[d]!,
      status: deliveries.status[d]!,
      attempts: deliveries.attempts[d]!,
      response: deliveries.isAnswered[d] === 1 ? deliveries.answer[d]! : null,
      createdAtUs: deliveries.createdAtUs[d]!,
    }
  }
}
