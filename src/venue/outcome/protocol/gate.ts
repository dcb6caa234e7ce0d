import type { LimitView } from '../../callWindows.ts'
import type { ProfileValues, Setting } from '../../profile.ts'

const setting = (unit: Setting['unit'], value: number, min: number, max: number, about: string): Setting =>
  ({ default: value, min, max, unit, about })

const DAY_MS = 86_400_000

/** `outcome-gate@1`: limits and times of the gate. */
export const OUTCOME_GATE_SETTINGS = {
  limitWindowMs: setting('ms', 60_000, 1_000, 3_600_000, 'window of every limit: it begins with the first call after the last one is over (chosen)'),
  rfqLimit: setting('count', 30, 1, 1e9, 'RFQs and cash-outs per account (OM-281)'),
  acceptLimit: setting('count', 30, 1, 1e9, 'accepts per account (OM-282)'),
  quoteLimit: setting('count', 120, 1, 1e9, 'quotes per account (OM-283)'),
  quoteCancelLimit: setting('count', 120, 1, 1e9, 'cancelled quotes per account (OM-284)'),
  confirmLimit: setting('count', 120, 1, 1e9, 'confirmations and declines per account (OM-285)'),
  quoteListLimit: setting('count', 600, 1, 1e9, 'lists of quotes per account (OM-286)'),
  acceptanceReadLimit: setting('count', 600, 1, 1e9, 'reads of an acceptance per account (OM-287)'),
  positionReadLimit: setting('count', 120, 1, 1e9, 'reads of positions and capital per account (OM-288)'),
  activityLimit: setting('count', 120, 1, 1e9, 'lists of activity per account (OM-289)'),
  routeTotalLimit: setting('count', 1_000_000, 1, 1e9, 'calls of one bucket over all accounts (OM-242, chosen)'),
  idempotencyRetentionMs: setting('ms', DAY_MS, 1, 366 * DAY_MS, 'how long an answer is replayed (OM-112, chosen)'),
  acceptRetentionMs: setting('ms', 7 * DAY_MS, 1, 366 * DAY_MS, 'the same for the answer to an accept (chosen; for ever is not bounded)'),
  sessionAgeMs: setting('ms', 30 * DAY_MS, 1, 366 * DAY_MS, 'longest life of a wallet session (OM-138)'),
  sessionIdleMs: setting('ms', 7 * DAY_MS, 1, 366 * DAY_MS, 'a wallet session ends so long after its last use (OM-139)'),
  credentialRetentionMs: setting('ms', 30 * DAY_MS, 1, 366 * DAY_MS, 'sessions and keys are known so long after their end (chosen)'),
  challengeMs: setting('ms', 300_000, 1, DAY_MS, 'life of an issue-key challenge (OM-142)'),
  liveKeysMax: setting('count', 20, 1, 1e6, 'live keys per account (OM-141)'),
  keyDaysMax: setting('count', 90, 1, 3_650, 'longest life of a key, days (OM-116)'),
  labelMax: setting('count', 80, 1, 1e4, 'longest label of a key (OM-113)'),
  scopesMax: setting('count', 32, 1, 1e4, 'most scopes that a request for a key names (OM-114)'),
  allowedOrigins: setting('count', 8, 1, 1e6, 'origins from 0 on that may issue keys (OM-127, chosen)'),
  streamsMax: setting('count', 10, 1, 1e6, 'open streams per account (OM-217, chosen)'),
  backlogMax: setting('count', 1_000, 1, 1e6, 'events that a paced client may be behind (OM-238, chosen)'),
  replayWindowMs: setting('ms', DAY_MS, 1, 30 * DAY_MS, 'events can be replayed so long (OM-156)'),
  snapshotItemsMax: setting('count', 100, 1, 1e6, 'items of one class in a snapshot (OM-157)'),
  frameBytesMax: setting('count', 1_048_576, 1, 1e9, 'largest frame, bytes (OM-162, OM-240)'),
  heartbeatMs: setting('ms', 15_000, 1, DAY_MS, 'between two heartbeats of a stream (OM-158)'),
  freshHeartbeatMs: setting('ms', 1_000, 1, DAY_MS, 'the same with publication_freshness (OM-159)'),
  marketOutcomesMax: setting('count', 256, 1, 512, 'outcomes of a market-data subscription (OM-161)'),
  cursorLifeMs: setting('ms', 300_000, 1, DAY_MS, 'how long a page cursor of an account read is good (OM-197, chosen)'),
  pageMax: setting('count', 200, 1, 1e6, 'largest page (OM-243)'),
  historyPageMax: setting('count', 1_440, 1, 1e6, 'largest page of market history (OM-244)'),
  pageDefault: setting('count', 50, 1, 1e6, 'page when no limit is given (OM-243)'),
} as const

export const OUTCOME_GATE_PROFILE_NAME = 'outcome-gate@1'

export type OutcomeGateProfile = ProfileValues<typeof OUTCOME_GATE_SETTINGS>

export interface OutcomeCredentialView {
  number: number
  account: number
  kind: 'session' | 'key'
  /** A key has its scopes, a session all. */
  scopes: number
  /** The origin of a session, else −1. */
  origin: number
  /** µs, −1: never. For a session this is the end of its age. */
  expiresAtUs: number
  /** µs, −1: not yet. */
  lastUsedUs: number
  state: 'active' | 'revoked' | 'expired' | 'ended'
}

export interface OutcomeStreamView {
  number: number
  account: number
  credential: number
  /** ChannelBit mask. */
  channels: number
  /** Cursor up to which its client has read. */
  appliedCursor: number
  /** Events sent and not yet read. */
  backlog: number
}

/** Reads of the gate. Every answer is a fresh copy. */
export interface OutcomeGateView {
  /** Null when the number was never given, or is forgotten. */
  credential(number: number): OutcomeCredentialView | null
  /** Numbers of the account's live keys, ascending. */
  liveKeysOf(account: number): number[]
  stream(number: number): OutcomeStreamView | null
  /** Numbers of the account's open streams, ascending. */
  streamsOf(account: number): number[]
  /** Limits that applied to the last command; null when none did. */
  lastLimit(): LimitView | null
  /** Whether the limits of a command, which is no read, let one more of an account through at an instant, µs. */
  hasRoom(account: number, op: number, nowUs: number): boolean
  /** Whether a command with a key is under way, or its answer is remembered. */
  remembers(account: number, key: number): boolean
  /** Answers that are remembered for their keys. */
  rememberedCount(): number
}
