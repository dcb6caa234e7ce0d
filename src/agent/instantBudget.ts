import type { Method } from './refuse.ts'

/** Taken before a room takes it away from strategies. */
const { captureStackTrace } = Error

/** Most that a participant may command, or a cohort may be called, at one simulated instant unless the scenario says otherwise, beside what the market itself gives rise to. Past it time would stand still. */
export const ACTIONS_PER_INSTANT_MAX = 100_000

/** Counts what a participant does at one simulated instant, so that one that asks to be called again at once, for ever, is stopped. */
export class InstantBudget {
  declare readonly max: number
  private atUs = NaN
  private left = 0

  constructor(max = ACTIONS_PER_INSTANT_MAX) {
    this.max = max
  }

  /** False when it is too much. */
  spend(nowUs: number): boolean {
    this.follow(nowUs)
    return --this.left >= 0
  }

  /** Allows so many actions more at this instant, since the market gave rise to them. One result may settle any number of positions. */
  allow(nowUs: number, actions = 1): void {
    this.follow(nowUs)
    this.left += actions
  }

  private follow(nowUs: number): void {
    if (nowUs === this.atUs) return
    this.atUs = nowUs
    this.left = this.max
  }
}

/** The error of a participant that spent too much. Its stack begins at the caller of `method`; with null no line of the strategy is to blame. */
export function withoutTime({ max }: InstantBudget, method: Method | null): Error {
  const error = new Error(`it did not let time pass: more than ${max} actions at one instant`)
  if (method === null) error.stack = `Error: ${error.message}`
  else captureStackTrace(error, method)
  return error
}
