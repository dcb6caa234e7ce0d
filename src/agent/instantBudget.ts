/** Most that a maker may command, or a cohort may be called, at one simulated instant, beside what the market itself gives rise to. Past it time would stand still. */
export const ACTIONS_PER_INSTANT_MAX = 100_000

/** Counts what a participant does at one simulated instant, so that one that asks to be called again at once, for ever, is stopped. */
export class InstantBudget {
  private atUs = NaN
  private left = 0

  /** Throws when it is too much. */
  spend(nowUs: number): void {
    this.follow(nowUs)
    if (--this.left < 0) throw new Error(`it did not let time pass: more than ${ACTIONS_PER_INSTANT_MAX} actions at one instant`)
  }

  /** Allows one action more at this instant, since the market gave rise to it. One result may settle any number of positions. */
  allow(nowUs: number): void {
    this.follow(nowUs)
    this.left++
  }

  private follow(nowUs: number): void {
    if (nowUs === this.atUs) return
    this.atUs = nowUs
    this.left = ACTIONS_PER_INSTANT_MAX
  }
}
