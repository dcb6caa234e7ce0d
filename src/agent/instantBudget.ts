/** Most that a maker, or a cohort, may be called and may command at one simulated instant. Past it time would stand still. */
export const ACTIONS_PER_INSTANT_MAX = 100_000

/** Counts what a participant does at one simulated instant, so that one that asks to be called again at once, for ever, is stopped. */
export class InstantBudget {
  private atUs = NaN
  private actions = 0

  /** Throws when it is too much. */
  spend(nowUs: number): void {
    if (nowUs !== this.atUs) {
      this.atUs = nowUs
      this.actions = 0
    }
    if (++this.actions > ACTIONS_PER_INSTANT_MAX) {
      throw new Error(`it did not let time pass: more than ${ACTIONS_PER_INSTANT_MAX} calls and commands at one instant`)
    }
  }
}
