import type { FileTally } from '../importTally.ts'
import type { TickRows } from '../tickSink.ts'

/** Stamp, bid, ask, sizes and last price of a tick. */
export const TICK_VALUES = 6

/** The last tick of each market, to find rows that stand twice. */
export class LastTicks {
  /** Markets of which the first tick came, in their order, where somebody asked for them. */
  readonly fresh: number[] = []
  /** The values of that tick, of each of them. */
  private firsts = new Float64Array(1 << 8)
  private cells = new Float64Array(1 << 10).fill(NaN)
  private declare readonly before: ((market: number) => ArrayLike<number> | undefined) | null

  /** @param before the last tick of a market in the rows before. Whoever gives it asks for the markets that come first. */
  constructor(before: ((market: number) => ArrayLike<number> | undefined) | null = null) {
    this.before = before
  }

  /** Whether the market's last tick was of this instant (1), and the same (2); otherwise 0. */
  compare(market: number, values: Float64Array): 0 | 1 | 2 {
    const at = market * TICK_VALUES
    if (at + TICK_VALUES > this.cells.length) this.grow(at)
    if (this.before !== null && this.cells[at] !== this.cells[at]) this.meet(market, values, this.before(market))
    const sameInstant = this.cells[at] === values[0]
    let same = sameInstant
    for (let i = 0; i < TICK_VALUES; i += 1) {
      if (this.cells[at + i] !== values[i]) same = false
      this.cells[at + i] = values[i]!
    }
    return same ? 2 : sameInstant ? 1 : 0
  }

  /**
   * Takes rows `from`…`to`−1, each as the last tick of its market, up to one that has to be compared: the first tick of a market, or one of its last instant.
   * Returns that row, or `to`.
   */
  follow({ atUs, market, bidE6, askE6, bidSize, askSize, lastE6 }: TickRows, from: number, to: number): number {
    const { cells } = this
    for (let row = from; row < to; row += 1) {
      const at = market[row]! * TICK_VALUES
      // There is no cell of a market that is further than all before.
      const before = at + TICK_VALUES <= cells.length ? cells[at]! : NaN
      if (before !== before || before === atUs[row]!) return row
      cells[at] = atUs[row]!
      cells[at + 1] = bidE6[row]!
      cells[at + 2] = askE6[row]!
      cells[at + 3] = bidSize[row]!
      cells[at + 4] = askSize[row]!
      cells[at + 5] = lastE6[row]!
    }
    return to
  }

  /** Whether the market's last tick is of an instant. */
  isAt(market: number, us: number): boolean {
    return this.cells[market * TICK_VALUES] === us
  }

  has(market: number): boolean {
    return this.cells[market * TICK_VALUES] === this.cells[market * TICK_VALUES]
  }

  /** The last tick of a market; NaN where there is none. */
  valuesOf(market: number): Float64Array {
    return this.cells.slice(market * TICK_VALUES, (market + 1) * TICK_VALUES)
  }

  /** The first and the last tick of the markets that came first, in their order. */
  firstsAndLasts(): { readonly firsts: Float64Array; readonly lasts: Float64Array } {
    const { fresh, cells } = this
    const lasts = new Float64Array(fresh.length * TICK_VALUES)
    fresh.forEach((market, place) => {
      for (let i = 0; i < TICK_VALUES; i += 1) lasts[place * TICK_VALUES + i] = cells[market * TICK_VALUES + i]!
    })
    return { firsts: this.firsts.slice(0, lasts.length), lasts }
  }

  /** Takes tick `place` of a list for the last one of a market. */
  set(market: number, ticks: Float64Array, place: number): void {
    const at = market * TICK_VALUES
    if (at + TICK_VALUES > this.cells.length) this.grow(at)
    for (let i = 0; i < TICK_VALUES; i += 1) this.cells[at + i] = ticks[place * TICK_VALUES + i]!
  }

  private meet(market: number, values: Float64Array, before: ArrayLike<number> | undefined): void {
    const at = this.fresh.push(market) * TICK_VALUES
    if (at > this.firsts.length) {
      const longer = new Float64Array(at * 2)
      longer.set(this.firsts)
      this.firsts = longer
    }
    for (let i = 0; i < TICK_VALUES; i += 1) this.firsts[at - TICK_VALUES + i] = values[i]!
    if (before !== undefined) this.cells.set(before, market * TICK_VALUES)
  }

  private grow(least: number): void {
    const longer = new Float64Array(Math.max(this.cells.length * 2, least * 2)).fill(NaN)
    longer.set(this.cells)
    this.cells = longer
  }
}

const LAST_OF_INSTANT = 'an earlier row of the market has this instant: the last one stands'

/** Tells of a row whose market's last tick is of the same instant (1), or the same (2). Returns whether the row is set aside. */
export function tellRepeated(again: 1 | 2, tally: FileTally, number: number): boolean {
  if (again === 1) tally.note('same instant', number, LAST_OF_INSTANT)
  else tally.quarantine('duplicate', number, 'the row above of the market says the same of the same instant')
  return again === 2
}
