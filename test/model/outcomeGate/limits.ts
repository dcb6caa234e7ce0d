import { Bucket, bucketOf } from '../../../src/venue/outcome/protocol/access.ts'
import { OutcomeCode } from '../../../src/venue/outcome/protocol/codes.ts'
import type { OutcomeGateProfile } from '../../../src/venue/outcome/protocol/gate.ts'
import type { Answer } from '../outcome/namedRows.ts'
import type { GateCommand } from './command.ts'
import { type State, type Turn, unsignedZero, type Window } from './state.ts'

const SECOND_US = 1_000_000

/** Setting of each bucket's limit per account. */
export const LIMIT_OF_BUCKET: Readonly<Record<number, keyof OutcomeGateProfile>> = {
  [Bucket.rfqs]: 'rfqLimit', [Bucket.accepts]: 'acceptLimit', [Bucket.quotes]: 'quoteLimit', [Bucket.quoteCancels]: 'quoteCancelLimit',
  [Bucket.confirms]: 'confirmLimit', [Bucket.quoteLists]: 'quoteListLimit', [Bucket.acceptanceReads]: 'acceptanceReadLimit',
  [Bucket.positionReads]: 'positionReadLimit', [Bucket.activity]: 'activityLimit',
}

/** One limit as it meets one call. */
export interface Limit {
  readonly name: string
  readonly ceiling: number
  readonly bucket: number
}

/** The limits that a call meets, in order: its account's, then that over all accounts. */
export function limitsOf(profile: OutcomeGateProfile, { op, value, account }: GateCommand): Limit[] {
  const bucket = bucketOf(op, value)
  if (bucket === 0) return []
  return [
    { name: `${LIMIT_OF_BUCKET[bucket]}, account ${unsignedZero(account)}`, ceiling: profile[LIMIT_OF_BUCKET[bucket]!], bucket },
    { name: `total of ${LIMIT_OF_BUCKET[bucket]}`, ceiling: profile.routeTotalLimit, bucket },
  ]
}

/** The window of a limit at an instant: the one that is not over, or a fresh one that begins with this call. */
export function windowAt(state: State, profile: OutcomeGateProfile, name: string, nowUs: number): Window {
  const window = state.windows.get(name)
  return window !== undefined && nowUs < endOf(window, profile) ? window : { startUs: nowUs, count: 0 }
}

export const endOf = (window: Window, profile: OutcomeGateProfile): number => window.startUs + profile.limitWindowMs * 1000

/** Counts the call when all its limits have room; its refusal otherwise. */
export function count(turn: Turn, command: GateCommand): Answer | null {
  const { state, profile, nowUs } = turn
  const limits = limitsOf(profile, command).map((limit) => ({ ...limit, window: windowAt(state, profile, limit.name, nowUs) }))
  const full = limits.find(({ window, ceiling }) => window.count >= ceiling)
  if (full !== undefined) {
    const untilUs = endOf(full.window, profile)
    const retryAfterS = Math.ceil((untilUs - nowUs) / SECOND_US)
    state.lastLimit = { limit: full.ceiling, remaining: 0, resetUs: untilUs, retryAfterS }
    return { code: OutcomeCode.rateLimited, limit: full.ceiling, retryAfterS, bucket: full.bucket, resetAtUs: untilUs }
  }
  for (const { name, window } of limits) state.windows.set(name, { startUs: window.startUs, count: window.count + 1 })
  const [own] = limits
  if (own === undefined) return null
  const remaining = own.ceiling - own.window.count - 1
  state.lastLimit = { limit: own.ceiling, remaining, resetUs: endOf(own.window, profile), retryAfterS: -1 }
  return null
}
