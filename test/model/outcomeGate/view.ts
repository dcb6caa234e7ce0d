import type { OutcomeGateView, OutcomeStreamView } from '../../../src/venue/outcome/protocol/gate.ts'
import { liveKeysOf } from './credentials.ts'
import type { State } from './state.ts'
import { streamsOf } from './streams.ts'

/** The model's state as the gate's view shows it. */
export function viewOf(state: State): Omit<OutcomeGateView, 'hasRoom' | 'remembers'> {
  return {
    credential: (number) => state.credentials.get(number) ?? null,
    liveKeysOf: (account) => liveKeysOf(state, account).map(({ number }) => number),
    stream(number): OutcomeStreamView | null {
      const stream = state.streams.get(number)
      if (stream === undefined) return null
      const { account, credential, channels, applied: appliedCursor, unread } = stream
      return { number, account, credential, channels, appliedCursor, backlog: unread.length }
    },
    streamsOf: (account) => streamsOf(state, account).map(({ number }) => number),
    lastLimit: () => state.lastLimit,
    rememberedCount: () => [...state.remembered.values()].filter(({ answer }) => answer !== null).length,
  }
}
