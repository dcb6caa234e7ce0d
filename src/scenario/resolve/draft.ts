import type { ServiceName } from '../../engine/config.ts'
import type { Fail, Path } from '../mistakes.ts'
import type { ResolvedCohort, ResolvedMaker } from '../resolved.ts'
import type { BettorFile, MakerFile, ScenarioFile } from '../schema.ts'
import type { Role } from '../strategies.ts'
import type { StrategySet } from '../strategySet.ts'
import type { TradingPlan } from './tradingPlan.ts'
import type { Window } from './window.ts'

/** An entry of `bettors`, and what it means. */
export interface CohortDraft {
  readonly path: Path
  readonly entry: BettorFile
  readonly cohort: ResolvedCohort
}

/** An entry of `makers`, and the seats that it means: as many as its `count`. */
export interface MakerDraft {
  readonly path: Path
  readonly entry: MakerFile
  readonly service: ServiceName
  readonly parameters: Readonly<Record<string, number>>
  readonly seats: readonly ResolvedMaker[]
}

/** A name that a participant or its account has, and where that is said. */
export interface NameClaim {
  readonly role: Role
  readonly name: string
  readonly path: Path
  /** The key that gives the name, or would. */
  readonly key: 'name' | 'account'
  readonly isGiven: boolean
}

/** A scenario that is filled in and not checked yet. */
export interface Draft {
  readonly file: ScenarioFile
  readonly strategies: StrategySet
  /** Absent when its bounds do not fit: a mistake of its own, so that nothing else is held against it. */
  readonly window: Window | undefined
  readonly plan: TradingPlan
  readonly cohorts: readonly CohortDraft[]
  readonly makers: readonly MakerDraft[]
  /** Names of participants and of their accounts, in the order in which they were given. */
  readonly names: readonly NameClaim[]
}

/** Looks at one thing that must fit, and tells what does not. */
export type Check = (draft: Draft, fail: Fail) => void
