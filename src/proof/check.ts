import type { Difference } from './difference.ts'

/** What came of one thing that was checked. `unproven`: it could not be tried, or what tried it is not what made the run. */
export type CheckState = 'same' | 'differs' | 'unproven'

/** One thing that was checked. */
export interface Check {
  readonly name: string
  readonly state: CheckState
  /** Whether it is the same. */
  readonly ok: boolean
  /** What was found, and when it failed what was expected. */
  readonly about: string
  /** The first place that differs, where one is known. */
  readonly difference?: Difference
}

export const checkOf = (name: string, state: CheckState, about: string, difference?: Difference | null): Check =>
  ({ name, state, ok: state === 'same', about, ...(difference === undefined || difference === null ? {} : { difference }) })

/** A digest as people read it. */
export const short = (digest: string): string => digest.slice(0, 12)
