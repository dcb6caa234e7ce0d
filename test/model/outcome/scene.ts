import { NONE } from '../../../src/unit/none.ts'
import { AccountRole } from '../../../src/venue/outcome/protocol/commands.ts'
import { compareLimbs } from '../../../src/venue/outcome/protocol/outcomeId.ts'
import type { OutcomeProfile } from '../../../src/venue/outcome/protocol/profile.ts'
import type { ModelCommand } from './command.ts'
import type { Intent } from './intents.ts'
import { itemsOf, type Outcome, type State } from './state.ts'

/** Three rich participants and a poor one; three rich makers and a poor one. */
export const PARTICIPANTS = [0, 1, 2, 3] as const
export const MAKERS = [5, 6, 7, 8] as const
/** Never bound by the prelude. */
export const STRANGERS_KNOWN = [4, 77, 5_000] as const
export const NEVER_NUMBER = 1_000_000
export const OPERATOR = -1

/** Where an intent becomes a command: the model's state at the instant, after its deadlines. */
export interface Scene {
  readonly state: State
  readonly nowUs: number
  readonly profile: OutcomeProfile
}

export type Fields = readonly [op: number, account: number, fields: Partial<ModelCommand>]

/** The flaw that the intent has from `threshold` on, if any. */
export const flawOf = <T>(intent: Intent, threshold: number, flaws: readonly Partial<T>[]): Partial<T> =>
  intent.flaw < threshold ? {} : flaws[(intent.flaw + intent.pick) % flaws.length]!

export const pickOf = <T>(items: readonly T[], pick: number): T | undefined =>
  items.length === 0 ? undefined : items[pick % items.length]

/** Rich accounts act more often; late comers by `bindAccount` too. */
export function participantOf(intent: Intent, { state }: Scene): number {
  return pickOf([0, 1, 2, 0, 1, 2, 3, ...lateComers(state, AccountRole.participant)], intent.who)!
}

export function makerOf(intent: Intent, { state }: Scene): number {
  return pickOf([5, 6, 7, 5, 6, 7, 8, ...lateComers(state, AccountRole.maker)], intent.who)!
}

const lateComers = (state: State, role: number): number[] =>
  itemsOf(state.accounts, (account) => account.role === role && account.number > 8).map((account) => account.number)

/** Now and then somebody else than who should act: another account, or one of another role. */
export function ownerOr(intent: Intent, owner: number | undefined, other: number): number {
  if (owner !== undefined && intent.flaw % 25 !== 24) return owner
  return intent.amount % 2 === 0 ? other : pickOf([...PARTICIPANTS, ...MAKERS], intent.amount)!
}

export const unresolvedOutcomes = (state: State): Outcome[] => itemsOf(state.outcomes, ({ result }) => result === NONE)

/** Outcomes on which legs can be asked for and filled now, in the order that legs must have. */
export const openOutcomes = ({ state, nowUs }: Scene): Outcome[] =>
  unresolvedOutcomes(state).filter(({ listed, halted, closeUs }) => listed && !halted && nowUs < closeUs)
    .sort((a, b) => compareLimbs(a.id, b.id))

/** Whole Unix seconds at or before, and at or after an instant. */
export const secondBefore = (us: number): number => Math.floor(us / 1_000_000)
export const secondAfter = (us: number): number => Math.ceil(us / 1_000_000)
