import fc from 'fast-check'
import { OutcomeFault } from '../../../src/venue/outcome/protocol/commands.ts'
import { OUTCOME_SETTINGS, type OutcomeProfile } from '../../../src/venue/outcome/protocol/profile.ts'
import { profileOf } from '../../../src/venue/profile.ts'
import { deadlinesOf } from './model.ts'
import { usOfMs, usOfSecond } from './numbers.ts'
import { batchOf } from './settlement.ts'
import { isFaultOn, pendingOperations, type State } from './state.ts'

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

const WEIGHTS = {
  createRfq: 8, cancelRfq: 3, openCashout: 12, acceptQuote: 18, submitQuote: 26, cancelQuote: 5, confirmQuote: 18, declineQuote: 4,
  deposit: 2, withdraw: 5, reduceCollateral: 3, setSigner: 3, listOutcome: 3, haltOutcome: 1, resumeOutcome: 1, delistOutcome: 1,
  resolveOutcome: 5, setFees: 1, setFault: 5, bindAccount: 1, unknownOp: 1, pulse: 3, restore: 1,
} as const

export type IntentKind = keyof typeof WEIGHTS

const KINDS = Object.keys(WEIGHTS) as IntentKind[]

export type TimeStep =
  | { readonly kind: 'none' }
  /** To a deadline or another edge ahead: the `nth` after the instant, plus −1, 0 or +1 µs. */
  | { readonly kind: 'deadline'; readonly nth: number; readonly offsetUs: number }
  /** To a whole second ahead, as signed terms count them. */
  | { readonly kind: 'second'; readonly nth: number; readonly offsetUs: number }
  /** To the instant from when a used key is free again: a day ahead, or a week. */
  | { readonly kind: 'key'; readonly nth: number; readonly offsetUs: number }
  | { readonly kind: 'span'; readonly us: number }

const offsetUs = fc.constantFrom(0, -1, 1)

const timeStep: fc.Arbitrary<TimeStep> = fc.oneof(
  { weight: 1_000, arbitrary: fc.constant({ kind: 'none' as const }) },
  { weight: 220, arbitrary: fc.record({ kind: fc.constant('deadline' as const), nth: fc.nat(2), offsetUs }) },
  { weight: 80, arbitrary: fc.record({ kind: fc.constant('second' as const), nth: fc.nat(1), offsetUs }) },
  { weight: 80, arbitrary: fc.record({ kind: fc.constant('span' as const), us: fc.integer({ min: 1, max: 700_000 }) }) },
  { weight: 10, arbitrary: fc.record({ kind: fc.constant('span' as const), us: fc.integer({ min: 1, max: 40_000_000 }) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('key' as const), nth: fc.nat(9), offsetUs }) },
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
const profile: fc.Arbitrary<OutcomeProfile> = fc.record({
  legsMin: fc.constantFrom(1, 1, 2),
  legsMax: fc.constantFrom(50, 3, 4),
  netStakeMinMicros: fc.constantFrom(1_000_000, 1),
  payoutMaxMicros: fc.constantFrom(100_000_000_000, 200_000_000),
  takerFeeBps: fc.constantFrom(20, 0, 37),
  feeBps: fc.constantFrom(100, 0, 250),
  profitOverGross: flag,
  feeOnCashout: flag,
  entryOpenMs: fc.constantFrom(20_000, 5_000, 8_000),
  cashoutOpenMs: fc.constantFrom(30_000, 6_000),
  strictWindow: flag,
  entryExpiryMaxMs: fc.constantFrom(30_000, 9_000),
  entryHiddenMs: fc.constantFrom(2_000, 0, 8_000),
  confirmMs: fc.constantFrom(2_000, 1_000, 0),
  rfqIntentLimit: fc.constantFrom(20, 3, 2),
  exposureMultiple: fc.constantFrom(10, 2, 1),
  operationMs: fc.constantFrom(2_000, 1, 0, 5_000),
  settlementEveryMs: fc.constantFrom(300_000, 7_000, 1_000),
  settlementPhaseMs: fc.constantFrom(0, 1, 2_500),
  exitMarginAtNear: flag,
  reductionDelayMs: fc.constantFrom(86_400_000, 5_000, 0),
  retentionMs: fc.constantFrom(60_000, 5_000, 1_000, 700),
  acceptKeyRetentionMs: fc.constantFrom(604_800_000, 86_400_000),
  cashout: fc.constantFrom({}, { cashoutExpiryMinMs: 3_000, cashoutExpiryMaxMs: 20_000, cashoutHiddenMs: 2_000 },
    { cashoutExpiryMinMs: 0, cashoutExpiryMaxMs: 9_000, cashoutHiddenMs: 0 }),
  signing: fc.constantFrom({},
    { fundingAheadMinMs: 1_000, fundingSpanMaxMs: 6_000, exitAheadMinMs: 1_000, exitAheadMaxMs: 9_000, payoutAfterMs: 1_000 },
    { fundingAheadMinMs: 0, exitAheadMinMs: 0, exitMarginMs: 0, payoutAfterMs: 0, payoutSpanMaxMs: 20_000 }),
}).map(({ cashout, signing, ...others }) => profileOf(OUTCOME_SETTINGS, { ...others, ...cashout, ...signing }))

/** A whole run: a profile and at most so many steps. */
export const runOf = (maxLength: number, favoured: Favoured = {}): fc.Arbitrary<[OutcomeProfile, Intent[]]> =>
  fc.tuple(profile, fc.array(intentOf(favoured), { minLength: 1, maxLength, size: 'max' }))

/** The instant at which a step happens: never before `nowUs`. */
export function instantOf(step: TimeStep, nowUs: number, state: State, profile: OutcomeProfile): number {
  switch (step.kind) {
    case 'none': return nowUs
    case 'span': return nowUs + step.us
    case 'second': return Math.max(nowUs, usOfSecond(Math.ceil(nowUs / 1_000_000) + step.nth) + step.offsetUs)
    case 'deadline': return nthAhead(edgesOf(state, profile, nowUs), step, nowUs)
    case 'key': {
      // While the chain stalls, all that waits is put off second by second: a day of that is slow.
      if (isFaultOn(state, OutcomeFault.chainStalled)) return nowUs
      return nthAhead(new Set([...state.acceptKeys.values()].map((usedAtUs) => freeAgainAt(usedAtUs, profile))), step, nowUs)
    }
  }
}

const freeAgainAt = (usedAtUs: number, { acceptKeyRetentionMs }: OutcomeProfile): number => usedAtUs + usOfMs(acceptKeyRetentionMs)

function nthAhead(edges: ReadonlySet<number>, { nth, offsetUs: by }: { nth: number; offsetUs: number }, nowUs: number): number {
  const instants = [...edges].map((atUs) => atUs + by).filter((atUs) => atUs >= nowUs)
  return instants.length === 0 ? nowUs : instants.sort((a, b) => a - b)[nth % instants.length]!
}

/** Deadlines, closes of outcomes, batches, and the seconds from when operations under way fail. */
function edgesOf(state: State, profile: OutcomeProfile, nowUs: number): Set<number> {
  const ahead = new Set<number>([batchOf(profile, nowUs + 1)])
  for (const { atUs } of deadlinesOf(state)) ahead.add(atUs)
  for (const { closeUs, result } of state.outcomes.values()) if (result < 0) ahead.add(closeUs)
  for (const { validBeforeS, exitUntilS } of pendingOperations(state)) ahead.add(usOfSecond(validBeforeS)).add(usOfSecond(exitUntilS))
  return ahead
}
