import fc from 'fast-check'
import type { ParlayProfile } from '../../../src/venue/parlay/protocol/profile.ts'
import { PARLAY_SETTINGS } from '../../../src/venue/parlay/protocol/profile.ts'
import { profileOf } from '../../../src/venue/profile.ts'
import { deadlinesOf } from './model.ts'
import type { State } from './state.ts'

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
  /** Under the kind's threshold the step is a proper one, above it a certain mistake. */
  readonly flaw: number
  readonly time: TimeStep
}

export type IntentKind = (typeof KINDS)[number]

const KINDS = [
  'createRequest', 'updateRequest', 'cancelRequest', 'commitRequest', 'submitQuote', 'withdrawQuote', 'confirmSelection',
  'declineSelection', 'deposit', 'withdraw', 'walletWithdraw', 'submitTransaction', 'openCashout', 'submitBid', 'commitCashout',
  'cancelCashout', 'listMarket', 'haltMarket', 'resumeMarket', 'delistMarket', 'resolveMarket', 'setFees',
  'setFault', 'setWallet', 'unknownOp', 'pulse', 'restore',
] as const

const WEIGHTS: Readonly<Record<IntentKind, number>> = {
  createRequest: 9, updateRequest: 4, cancelRequest: 2, commitRequest: 13, submitQuote: 24, withdrawQuote: 5, confirmSelection: 13,
  declineSelection: 4, deposit: 4, withdraw: 3, walletWithdraw: 2, submitTransaction: 1, openCashout: 7, submitBid: 16, commitCashout: 12,
  cancelCashout: 2, listMarket: 5, haltMarket: 1, resumeMarket: 1, delistMarket: 1, resolveMarket: 5, setFees: 1, setFault: 4, setWallet: 3,
  unknownOp: 1, pulse: 3, restore: 1,
}

export type TimeStep =
  | { readonly kind: 'none' }
  /** To a deadline, market close or cutoff ahead: the `nth` after the instant, plus −1, 0 or +1 µs. */
  | { readonly kind: 'deadline'; readonly nth: number; readonly offsetUs: number }
  | { readonly kind: 'span'; readonly us: number }

const timeStep: fc.Arbitrary<TimeStep> = fc.oneof(
  { weight: 100, arbitrary: fc.constant({ kind: 'none' as const }) },
  {
    weight: 12,
    arbitrary: fc.record({ kind: fc.constant('deadline' as const), nth: fc.nat(2), offsetUs: fc.constantFrom(0, -1, 1) }),
  },
  { weight: 12, arbitrary: fc.record({ kind: fc.constant('span' as const), us: fc.integer({ min: 1, max: 700_000 }) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('span' as const), us: fc.integer({ min: 1, max: 40_000_000 }) }) },
)

/** Weights of some kinds of steps, in the place of the usual ones. */
export type Favoured = Readonly<Partial<Record<IntentKind, number>>>

const intentOf = (favoured: Favoured): fc.Arbitrary<Intent> => fc.record({
  kind: fc.oneof(...KINDS.map((kind) => ({ weight: favoured[kind] ?? WEIGHTS[kind], arbitrary: fc.constant(kind) }))),
  pick: fc.nat(9_999),
  who: fc.nat(9_999),
  amount: fc.nat(999_999),
  flaw: fc.nat(99),
  time: timeStep,
})

const flag = fc.constantFrom(0, 1)

/** Profiles whose windows often end at the same instant, within the allowed ranges. */
const profile: fc.Arbitrary<ParlayProfile> = fc.record({
  requestExpiryMs: fc.constantFrom(90_000, 20_000, 15_000, 8_000),
  requestRetentionMs: fc.constantFrom(60_000, 5_000, 0),
  confirmationMs: fc.constantFrom(5_000, 8_000),
  quoteValidityDefaultMs: fc.constantFrom(15_000, 5_000),
  takerFeeBps: fc.constantFrom(100, 0, 37),
  profitFeeBps: fc.constantFrom(100, 0, 250),
  cashoutWindowMs: fc.constantFrom(10_000, 5_000, 60_000),
  cashoutCutoffMs: fc.constantFrom(30_000, 5_000, 0),
  cutoffSkipsResolvedLegs: flag,
  bidValidityMinMs: fc.constantFrom(5_000, 1_000),
  bidValidityDefaultMs: fc.constantFrom(15_000, 10_000, 5_000),
  auctionRetentionMs: fc.constantFrom(60_000, 5_000, 0),
  buybackBoundAtBid: flag,
  buybackBoundGrossedUp: flag,
  profitFeeOnTransfer: flag,
  profitFeeOnMaker: flag,
  chainRecoveryMs: fc.constantFrom(20_000, 5_000, 1_000, 1),
  mirrorRecoveryMs: fc.constantFrom(10_000, 5_000, 1_000, 1),
  settlementRetryMs: fc.constantFrom(30_000, 5_000, 3_000),
  executionMs: fc.constantFrom(0, 0, 0, 2_000),
}).map((overrides) => profileOf(PARLAY_SETTINGS, overrides))

/** A whole run: a profile and at most so many steps. */
export const runOf = (maxLength: number, favoured: Favoured = {}): fc.Arbitrary<[ParlayProfile, Intent[]]> =>
  fc.tuple(profile, fc.array(intentOf(favoured), { minLength: 1, maxLength, size: 'max' }))

/** The instant at which a step happens: never before `nowUs`. */
export function instantOf(step: TimeStep, nowUs: number, state: State, profile: ParlayProfile): number {
  if (step.kind === 'none') return nowUs
  if (step.kind === 'span') return nowUs + step.us
  const ahead = new Set<number>()
  for (const { atUs } of deadlinesOf(state, profile)) ahead.add(atUs)
  for (const { closeUs, result } of state.markets.values()) {
    if (result < 0) ahead.add(closeUs).add(closeUs - profile.cashoutCutoffMs * 1000)
  }
  const instants = [...ahead].map((atUs) => atUs + step.offsetUs).filter((atUs) => atUs >= nowUs).sort((a, b) => a - b)
  return instants.length === 0 ? nowUs : instants[step.nth % instants.length]!
}
