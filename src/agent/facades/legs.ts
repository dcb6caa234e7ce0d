import type { MakerBook } from '../makerBook.ts'
import type { LegsRow } from '../rows.ts'
import { type Method, refuse } from '../refuse.ts'
import type { LegsView } from '../views.ts'
import { HIDDEN, hidden, isObject, NO_LEGS, OTHERS_LEGS, seal, UNSET } from './facade.ts'

/** Refuses a value that is no number of a leg. */
export function checkLeg(i: number, count: number, method: Method): void {
  if (!(Number.isInteger(i) && i >= 0 && i < count)) refuse(`there is no leg ${i} of ${count}`, method)
}

export const copied = (of: (leg: number) => number, count: number): readonly number[] => Object.freeze(Array.from({ length: count }, (_, i) => of(i)))

/** The row behind legs that are shown to the maker of `book`. */
export let legsRow: (legs: LegsView, book: MakerBook, method: Method) => LegsRow

export class LegsFacade implements LegsView {
  readonly #row: LegsRow = UNSET

  static {
    legsRow = (legs, book, method) => {
      if (!(isObject(legs) && #row in legs)) refuse(NO_LEGS, method)
      const row = legs.#row
      if (!row.isShown) refuse(HIDDEN, method)
      if (!book.isShown(row)) refuse(OTHERS_LEGS, method)
      return row
    }
  }

  constructor(row: LegsRow) {
    this.#row = row
    Object.freeze(this)
  }

  get count(): number {
    const { count } = this.#row
    return count < 0 ? hidden() : count
  }

  get markets(): readonly number[] {
    return copied((i) => this.market(i), this.count)
  }

  get sides(): readonly number[] {
    return copied((i) => this.side(i), this.count)
  }

  market(leg: number): number {
    const row = this.#row
    checkLeg(leg, this.count, this.market)
    return row.markets[leg]!
  }

  side(leg: number): number {
    const row = this.#row
    checkLeg(leg, this.count, this.side)
    return row.sides[leg]!
  }
}
seal(LegsFacade)
