import type { OutcomeProfile } from '../../../src/venue/outcome/protocol/profile.ts'
import type { ModelCommand } from './command.ts'
import type { Row } from './namedRows.ts'
import type { Posting } from './rows.ts'
import type { State } from './state.ts'
import type { Tally } from './tally.ts'

/** Everything that an invariant may look at after a step. Venue and model agree on all of it by then. */
export interface Moment {
  readonly profile: OutcomeProfile
  readonly nowUs: number
  /** Null when only time passed. */
  readonly command: ModelCommand | null
  /** Before the step, after its deadlines and before its command, and after all. */
  readonly before: State
  readonly middle: State
  readonly after: State
  readonly rows: readonly Row[]
  readonly postings: readonly Posting[]
  /** Counted over all rows and postings of the run, with those of the step. */
  readonly tally: Tally
}

/** Reports a breach; the text says which object. */
export type Claim = (holds: boolean, about: string) => void

export type Invariant = (moment: Moment, claim: Claim) => void

/** Objects that are other ones than before the step, with what they were. */
export const changedOf = <T>(before: ReadonlyMap<number, T>, after: ReadonlyMap<number, T>): [former: T | undefined, now: T][] =>
  [...after].filter(([number, now]) => before.get(number) !== now).map(([number, now]) => [before.get(number), now])
