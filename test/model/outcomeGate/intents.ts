import fc from 'fast-check'
import { OUTCOME_GATE_SETTINGS, type OutcomeGateProfile } from '../../../src/venue/outcome/protocol/gate.ts'
import { profileOf } from '../../../src/venue/profile.ts'

/**
 * What a generated step is about, free of state: it becomes a command, a pulse or a restore against the model's current
 * state. Every number shrinks toward the plainest choice.
 */
export interface Intent {
  readonly kind: IntentKind
  /** Picks among candidates, modulo their number. */
  readonly pick: number
  readonly who: number
  readonly amount: number
  /** Below 80 the step is a proper one, above it a certain mistake. */
  readonly flaw: number
  /** Below 80 the credential is one that may do it. */
  readonly credential: number
  /** Below 80 the key is a fresh one. */
  readonly key: number
  /** How often the command is sent at the instant. */
  readonly times: number
  readonly time: TimeStep
}

export type IntentKind = keyof typeof WEIGHTS

const WEIGHTS = {
  deposit: 2, withdraw: 4, reduceCollateral: 3, setSigner: 1, createRfq: 9, cancelRfq: 3, openCashout: 5, acceptQuote: 10, submitQuote: 12,
  cancelQuote: 3, confirmQuote: 9, declineQuote: 3, listOutcome: 2, delistOutcome: 1, resolveOutcome: 2, haltOutcome: 1, resumeOutcome: 2, setFees: 1, bindAccount: 1, setFault: 2,
  setGateFault: 10, drain: 2, resnapshot: 2, signIn: 5, signOut: 2, challengeKey: 5, issueKey: 7, revokeKey: 2, openStream: 10,
  openMarketStream: 4, closeStream: 2, applyStream: 6, read: 14, repeat: 14, unknownOp: 1, pulse: 4, restore: 1,
}

export type TimeStep =
  | { readonly kind: 'none' }
  /** To a deadline or the end of a window ahead: the `nth` after the instant, plus −1, 0 or +1 µs. */
  | { readonly kind: 'deadline', readonly nth: number, readonly offsetUs: number }
  /** To the next whole millisecond, plus −1, 0 or +1 µs. */
  | { readonly kind: 'millisecond', readonly offsetUs: number }
  | { readonly kind: 'span', readonly us: number }

const span = (max: number) => fc.record({ kind: fc.constant('span' as const), us: fc.integer({ min: 1, max }) })
const offsetUs = fc.constantFrom(0, -1, 1)

const timeStep: fc.Arbitrary<TimeStep> = fc.oneof(
  { weight: 60, arbitrary: fc.constant({ kind: 'none' as const }) },
  { weight: 17, arbitrary: fc.record({ kind: fc.constant('deadline' as const), nth: fc.nat(3), offsetUs }) },
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('millisecond' as const), offsetUs }) },
  { weight: 16, arbitrary: span(400_000) },
  { weight: 2, arbitrary: span(9_000_000) },
)

const times = fc.oneof(
  { weight: 93, arbitrary: fc.constant(1) },
  { weight: 5, arbitrary: fc.integer({ min: 2, max: 4 }) },
  { weight: 2, arbitrary: fc.integer({ min: 7, max: 10 }) },
)

export const intent: fc.Arbitrary<Intent> = fc.record({
  kind: fc.oneof(...Object.entries(WEIGHTS).map(([kind, weight]) => ({ weight, arbitrary: fc.constant(kind as IntentKind) }))),
  pick: fc.nat(9_999),
  who: fc.nat(9_999),
  amount: fc.nat(999_999),
  flaw: fc.nat(99),
  credential: fc.nat(99),
  key: fc.nat(99),
  times,
  time: timeStep,
})

/** Small limits that a burst exhausts, and times that often end within a run. */
export const gateProfile: fc.Arbitrary<OutcomeGateProfile> = fc.record({
  limitWindowMs: fc.constantFrom(1_000, 2_000),
  rfqLimit: fc.constantFrom(6, 3),
  acceptLimit: fc.constantFrom(8, 3),
  quoteLimit: fc.constantFrom(8, 3),
  quoteCancelLimit: fc.constantFrom(4, 1),
  confirmLimit: fc.constantFrom(6, 1),
  quoteListLimit: fc.constantFrom(3, 2),
  acceptanceReadLimit: fc.constantFrom(2, 1),
  positionReadLimit: fc.constantFrom(3, 2),
  activityLimit: fc.constantFrom(2, 1),
  routeTotalLimit: fc.constantFrom(1_000, 9, 4),
  idempotencyRetentionMs: fc.constantFrom(4_000, 60_000, 300),
  acceptRetentionMs: fc.constantFrom(6_000, 60_000, 700),
  sessionAgeMs: fc.constantFrom(60_000, 8_000, 3_000),
  sessionIdleMs: fc.constantFrom(8_000, 3_000, 60_000),
  challengeMs: fc.constantFrom(10_000, 1_000),
  liveKeysMax: fc.constantFrom(3, 2, 20),
  keyDaysMax: fc.constantFrom(90, 1),
  labelMax: fc.constantFrom(80, 5),
  scopesMax: fc.constantFrom(32, 3),
  allowedOrigins: fc.constantFrom(8, 2),
  streamsMax: fc.constantFrom(10, 3, 2),
  backlogMax: fc.constantFrom(8, 3, 1),
  replayWindowMs: fc.constantFrom(60_000, 10_000, 1_500),
  snapshotItemsMax: fc.constantFrom(100, 2, 1),
  // The smaller two are the snapshots of one RFQ with one leg, and of two with three.
  frameBytesMax: fc.constantFrom(1_048_576, 1_312, 864),
  heartbeatMs: fc.constantFrom(15_000, 4_000),
  freshHeartbeatMs: fc.constantFrom(2_500, 1_000),
  marketOutcomesMax: fc.constantFrom(256, 2),
  cursorLifeMs: fc.constantFrom(2_000, 300_000),
  pageMax: fc.constantFrom(200, 20),
  historyPageMax: fc.constantFrom(1_440, 30),
  pageDefault: fc.constantFrom(50, 10),
}).map((overrides) => profileOf(OUTCOME_GATE_SETTINGS, { ...overrides, credentialRetentionMs: overrides.challengeMs }))

/** The instant at which a step happens: never before `nowUs`. */
export function instantOf(step: TimeStep, nowUs: number, aheadUs: Iterable<number>): number {
  if (step.kind === 'none') return nowUs
  if (step.kind === 'span') return nowUs + step.us
  if (step.kind === 'millisecond') return Math.floor(nowUs / 1000) * 1000 + 1000 + step.offsetUs
  const instants = [...new Set(aheadUs)].map((atUs) => atUs + step.offsetUs).filter((atUs) => atUs >= nowUs && atUs < nowUs + 1e9)
    .sort((a, b) => a - b)
  return instants.length === 0 ? nowUs : instants[step.nth % instants.length]!
}
