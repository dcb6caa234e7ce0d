import type { LimitView } from '../../callWindows.ts'
import type { ProfileValues, Setting } from '../../profile.ts'

const setting = (unit: Setting['unit'], value: number, min: number, max: number, about: string): Setting =>
  ({ default: value, min, max, unit, about })

/** `parlay-gate@2.1`: limits and times of the gate. Counts are calls per window and key of the bucket. */
export const PARLAY_GATE_SETTINGS = {
  limitWindowMs: setting('ms', 60_000, 1_000, 3_600_000, 'window of every limit: it begins with the first call after the last one is over (chosen)'),
  authenticatedLimit: setting('count', 300, 1, 1e9, 'per account (PQ-433)'),
  unauthenticatedLimit: setting('count', 100, 1, 1e9, 'per source without a valid key (PQ-434)'),
  publicLimit: setting('count', 100, 1, 1e9, 'per source (PQ-436)'),
  quoteServiceLimit: setting('count', 300, 1, 1e9, 'per source (PQ-439)'),
  walletWithdrawLimit: setting('count', 5, 1, 1e9, 'per account (PQ-441)'),
  depositLimit: setting('count', 10, 1, 1e9, 'per account (PQ-442)'),
  withdrawLimit: setting('count', 10, 1, 1e9, 'per account (PQ-443)'),
  submitTransactionLimit: setting('count', 10, 1, 1e9, 'per account (PQ-444)'),
  deliveryTimeoutMs: setting('ms', 10_000, 1, 3_600_000, 'an attempt without an answer by then has timed out (PQ-328, chosen)'),
  deliveryAttemptsMax: setting('count', 10, 1, 1_000, 'attempts of a delivery before dead_letter (PQ-329, chosen)'),
  deliveryBackoffMs: setting('ms', 30_000, 1, 86_400_000, 'wait after the first failed attempt; doubles with each (PQ-329, chosen)'),
  deliveryBackoffMaxMs: setting('ms', 3_600_000, 1, 86_400_000, 'longest wait between attempts (PQ-329, chosen)'),
  deliveryRetentionMs: setting('ms', 86_400_000, 0, 2_678_400_000, 'how long an ended delivery can be listed and redelivered (chosen)'),
} as const

export const PARLAY_GATE_PROFILE_NAME = 'parlay-gate@2.1'

export type ParlayGateProfile = ProfileValues<typeof PARLAY_GATE_SETTINGS>

export interface KeyView {
  number: number
  account: number
  /** Mask of ScopeBit. */
  scopes: number
  /** µs, or −1 for never. */
  expiresAtUs: number
  state: 'active' | 'revoked' | 'expired'
}

export interface EndpointView {
  account: number
  /** An `OwnerKind`. */
  owner: number
  events: number
  /** Generation of the signing secret; 0 before there is one. */
  secret: number
}

export interface DeliveryView {
  number: number
  account: number
  owner: number
  /** A `WebhookEvent`. */
  event: number
  /** A `DeliveryStatus`. */
  status: number
  attempts: number
  /** What the last attempt came to, an HTTP status or an `Answer`. It is null before one was answered. */
  response: number | null
  createdAtUs: number
}

/** Reads of the gate. Every answer is a fresh copy. */
export interface ParlayGateView {
  key(number: number): KeyView | null
  keysOf(account: number): KeyView[]
  /** Mask of the scopes that a credential gives an account now, or −1 when it is not valid for it. */
  scopesHeld(account: number, credential: number): number
  /** Whether the account holds its maker stream open (PQ-208). */
  isLive(account: number): boolean
  /** Limits that applied to the last command; null when none did. */
  lastLimit(): LimitView | null
  endpoint(account: number, owner: number): EndpointView | null
  /** Newest first (PQ-103). */
  deliveriesOf(account: number, owner: number): DeliveryView[]
}
