import fc from 'fast-check'
import { PARLAY_GATE_SETTINGS, type ParlayGateProfile } from '../../../src/venue/parlay/protocol/gate.ts'
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
  readonly source: number
  /** How often the command is sent at the instant. */
  readonly times: number
  readonly time: TimeStep
}

export type IntentKind = keyof typeof WEIGHTS

const WEIGHTS = {
  deposit: 5, withdraw: 4, walletWithdraw: 2, submitTransaction: 2, createRequest: 5, updateRequest: 1, cancelRequest: 3,
  submitQuote: 5, withdrawQuote: 1, commitRequest: 6, confirmSelection: 6, declineSelection: 1, openCashout: 5, submitBid: 5,
  commitCashout: 5, cancelCashout: 1, resolveMarket: 3, setFault: 2, createKey: 6, revokeKey: 2, setEndpoint: 5, rotateSecret: 4,
  redeliver: 7, setDeliveries: 2, openStream: 2, closeStream: 2, read: 6, answerDelivery: 20, unknownOp: 1, pulse: 4, restore: 1,
}

export type TimeStep =
  | { readonly kind: 'none' }
  /** To a deadline or the end of a window ahead: the `nth` after the instant, plus −1, 0 or +1 µs. */
  | { readonly kind: 'deadline'; readonly nth: number; readonly offsetUs: number }
  | { readonly kind: 'span'; readonly us: number }

const span = (max: number) => fc.record({ kind: fc.constant('span' as const), us: fc.integer({ min: 1, max }) })

const timeStep: fc.Arbitrary<TimeStep> = fc.oneof(
  { weight: 60, arbitrary: fc.constant({ kind: 'none' as const }) },
  {
    weight: 18,
    arbitrary: fc.record({ kind: fc.constant('deadline' as const), nth: fc.nat(2), offsetUs: fc.constantFrom(0, -1, 1) }),
  },
  { weight: 20, arbitrary: span(400_000) },
  { weight: 2, arbitrary: span(9_000_000) },
)

const times = fc.oneof(
  { weight: 92, arbitrary: fc.constant(1) },
  { weight: 5, arbitrary: fc.integer({ min: 2, max: 4 }) },
  { weight: 3, arbitrary: fc.integer({ min: 7, max: 16 }) },
)

export const intent: fc.Arbitrary<Intent> = fc.record({
  kind: fc.oneof(...Object.entries(WEIGHTS).map(([kind, weight]) => ({ weight, arbitrary: fc.constant(kind as IntentKind) }))),
  pick: fc.nat(9_999),
  who: fc.nat(9_999),
  amount: fc.nat(999_999),
  flaw: fc.nat(99),
  credential: fc.nat(99),
  source: fc.nat(99),
  times,
  time: timeStep,
})

/** Small limits that a burst exhausts, and times that often end at the same instant. */
export const gateProfile: fc.Arbitrary<ParlayGateProfile> = fc.record({
  limitWindowMs: fc.constantFrom(1_000, 2_000),
  authenticatedLimit: fc.constantFrom(24, 60, 8),
  unauthenticatedLimit: fc.constantFrom(5, 2),
  publicLimit: fc.constantFrom(5, 2),
  quoteServiceLimit: fc.constantFrom(30, 60, 7),
  walletWithdrawLimit: fc.constantFrom(3, 1),
  depositLimit: fc.constantFrom(4, 2),
  withdrawLimit: fc.constantFrom(3, 2),
  submitTransactionLimit: fc.constantFrom(3, 1),
  deliveryTimeoutMs: fc.constantFrom(1_000, 300, 1),
  deliveryAttemptsMax: fc.constantFrom(3, 5, 2, 1),
  deliveryBackoffMs: fc.constantFrom(100, 1, 700),
  deliveryBackoffMaxMs: fc.constantFrom(1_000, 150),
  deliveryRetentionMs: fc.constantFrom(5_000, 60_000, 500, 0),
}).map((overrides) => profileOf(PARLAY_GATE_SETTINGS, overrides))

/** The instant at which a step happens: never before `nowUs`. */
export function instantOf(step: TimeStep, nowUs: number, aheadUs: Iterable<number>): number {
  if (step.kind === 'none') return nowUs
  if (step.kind === 'span') return nowUs + step.us
  const instants = [...new Set(aheadUs)].map((atUs) => atUs + step.offsetUs).filter((atUs) => atUs >= nowUs && atUs < nowUs + 1e9)
    .sort((a, b) => a - b)
  return instants.length === 0 ? nowUs : instants[step.nth % instants.length]!
}
