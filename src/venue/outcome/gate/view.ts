import type { LimitView } from '../../callWindows.ts'
import { NONE } from '../../../unit/none.ts'
import type { OutcomeCredentialView, OutcomeGateView, OutcomeStreamView } from '../protocol/gate.ts'
import { hasRoom } from './limits.ts'
import type { GateState } from './state.ts'

/** By `CredentialState`. */
const STATE_NAMES = ['active', 'revoked', 'expired', 'ended'] as const

/** Copying reads over the state of a gate. */
export class GateStateView implements OutcomeGateView {
  private declare readonly s: GateState

  constructor(state: GateState) {
    this.s = state
  }

  credential(number: number): OutcomeCredentialView | null {
    const { credentials } = this.s
    const row = credentials.rowOf(number)
    if (row === NONE) return null
    return {
      number,
      account: credentials.account[row]!,
      kind: credentials.isKey(row) ? 'key' : 'session',
      scopes: credentials.scopes[row]!,
      origin: credentials.origin[row]!,
      expiresAtUs: credentials.expiresAtUs[row]!,
      lastUsedUs: credentials.lastUsedUs[row]!,
      state: STATE_NAMES[credentials.state[row]!]!,
    }
  }

  liveKeysOf(account: number): number[] {
    return this.s.credentials.liveKeysOf(account)
  }

  stream(number: number): OutcomeStreamView | null {
    const { streams } = this.s
    const slot = streams.index.slotOf(number)
    if (slot === NONE) return null
    return {
      number,
      account: streams.account[slot]!,
      credential: streams.credential[slot]!,
      channels: streams.channels[slot]!,
      appliedCursor: streams.appliedCursor[slot]!,
      backlog: streams.backlogs[slot]!.length,
    }
  }

  streamsOf(account: number): number[] {
    const { streams } = this.s
    return streams.of(account).map((slot) => streams.number[slot]!)
  }

  lastLimit(): LimitView | null {
    const { limit, remaining, resetUs, retryAfterS } = this.s.limits
    return limit === NONE ? null : { limit, remaining, resetUs, retryAfterS }
  }

  hasRoom(account: number, op: number, nowUs: number): boolean {
    return hasRoom(this.s, account, op, nowUs)
  }

  remembers(account: number, key: number): boolean {
    return this.s.answers.find(account, key) !== NONE
  }

  rememberedCount(): number {
    return this.s.answers.remembered
  }
}
