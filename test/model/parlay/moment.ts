import type { ParlayProfile } from '../../../src/venue/parlay/protocol/profile.ts'
import type { ParlayView } from '../../../src/venue/parlay/protocol/view.ts'
import type { ModelCommand } from './command.ts'
import type { Row } from './namedRows.ts'
import type { Posting } from './rows.ts'
import type { State } from './state.ts'

/** Everything that an invariant may look at after a step of model and venue. */
export interface Moment {
  readonly profile: ParlayProfile
  readonly nowUs: number
  /** Null when only time passed. */
  readonly command: ModelCommand | null
  /** The model before the step, after its deadlines and before its command, and after all. */
  readonly before: State
  readonly middle: State
  readonly after: State
  /** What the venue wrote in the step. */
  readonly rows: readonly Row[]
  readonly postings: readonly Posting[]
  /** The last ones of these, that the command itself caused. */
  readonly ownPostings: readonly Posting[]
  /** The venue's own answers now. */
  readonly view: ParlayView
  /** Gross balances by account that the venue showed before the step. */
  readonly grossBefore: ReadonlyMap<number, number>
  /** Counted over all rows of the run so far. */
  readonly tally: Tally
  /** Accounts in use. */
  readonly accounts: readonly number[]
}

/** Sums by account over the rows of a run. */
export interface Tally {
  /** Deposits less withdrawals. */
  readonly netDepositsMicros: ReadonlyMap<number, number>
  /** Transactions that started and have not ended. */
  readonly pendingTransactions: ReadonlyMap<number, number>
}

/** Reports a breach; the text says which object. */
export type Claim = (holds: boolean, about: string) => void

export type Invariant = (moment: Moment, claim: Claim) => void
