import { CountedColumns } from '../../../unit/countedColumns.ts'
import { NONE } from '../../../unit/none.ts'
import type { OutcomeColumns } from './outcomeColumns.ts'

/** The outcome_ids of all known outcomes, as limbs in one pool, and the outcome of each id (OM-023). */
export class OutcomeIds extends CountedColumns {
  /** Limbs in use. */
  used = 0
  limbs = new Int32Array(this.capacity)
  /** Outcome numbers by the text of their limbs. The map follows from the pool, so that no image has it. */
  private readonly outcomes = new Map<string, number>()

  protected override rowCount(): number {
    return this.used
  }

  /** Compares the ids of two outcomes as integers (OM-249, readings B13): below 0, 0 or above 0. */
  compare(outcomes: OutcomeColumns, a: number, b: number): number {
    const length = outcomes.idLength[a]!
    if (length !== outcomes.idLength[b]!) return length - outcomes.idLength[b]!
    const { limbs } = this
    const startA = outcomes.idStart[a]!
    const startB = outcomes.idStart[b]!
    let i = 0
    while (i < length && limbs[startA + i] === limbs[startB + i]) i++
    return i === length ? 0 : limbs[startA + i]! - limbs[startB + i]!
  }

  /** The outcome that has these limbs as its id, or −1. */
  outcomeOf(limbs: Int32Array): number {
    return this.outcomes.get(textOf(limbs, 0, limbs.length)) ?? NONE
  }

  /** Gives the outcome its id. */
  add(outcomes: OutcomeColumns, outcome: number, limbs: Int32Array): void {
    outcomes.idStart[outcome] = this.used
    outcomes.idLength[outcome] = limbs.length
    this.ensure(this.used + limbs.length)
    this.limbs.set(limbs, this.used)
    this.used += limbs.length
    this.outcomes.set(textOf(limbs, 0, limbs.length), outcome)
  }

  /** Finds the outcomes by their ids again, after a restore. */
  index(outcomes: OutcomeColumns): void {
    this.outcomes.clear()
    for (let outcome = 0; outcome < outcomes.count; outcome++) {
      if (!outcomes.known(outcome)) continue
      this.outcomes.set(textOf(this.limbs, outcomes.idStart[outcome]!, outcomes.idLength[outcome]!), outcome)
    }
  }
}

/** The key of `count` limbs. TypedArray.prototype.join costs several times as much for so few. */
function textOf(limbs: Int32Array, from: number, count: number): string {
  let text = ''
  for (let i = from; i < from + count; i++) text += `${limbs[i]!},`
  return text
}
