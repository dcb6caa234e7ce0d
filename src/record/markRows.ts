import type { RowWriter } from '../arrow/rowWriter.ts'
import { assert } from '../unit/assert.ts'
import { widened } from '../unit/widened.ts'
import type { markTable } from './moneyTables.ts'
import type { Reference } from './reference.ts'

/** Cells per decided quote: quote, maker code, kind, probability, payout, fair, reference at submission. */
const QUOTE_STRIDE = 7

/** Cells of a decision: the quotes that it decided (the winner before the losers), and the legs that they were for. */
const D = { seq: 0, atUs: 1, request: 2, quotesFrom: 3, quotesTo: 4, legsFrom: 5, legCount: 6 } as const
const DECISION_STRIDE = 7

/**
 * Marks of decided quotes. Decisions come in time order, so that each horizon is a cursor that walks the same queue. A decision
 * is dropped when the longest horizon has passed it. Decisions stand in columns, because objects that live as long as a horizon
 * would reach the old generation of the garbage collector.
 */
export class MarkRows {
  private declare readonly writer: RowWriter
  private declare readonly at: ReturnType<typeof markTable>['at']
  private declare readonly service: number
  private declare readonly reference: Reference
  private declare readonly due: (atUs: number) => void
  /** Ascending. */
  private declare readonly horizonsUs: readonly number[]
  private decisions = new Float64Array(1024 * DECISION_STRIDE)
  private count = 0
  private quotes = new Float64Array(4096 * QUOTE_STRIDE)
  private quotesEnd = 0
  private markets = new Int32Array(4096)
  private sides = new Uint8Array(4096)
  private legsEnd = 0
  /** By horizon: the first decision of the queue that is not marked yet. */
  private declare readonly cursors: number[]
  /** The earliest mark that is due, or Infinity. */
  private readonly next = Float64Array.of(Infinity)

  /** @param horizonsUs rising. @param parts.due is called with the instant of a new mark when no other mark is due earlier. */
  constructor(
    writer: RowWriter, at: ReturnType<typeof markTable>['at'], horizonsUs: readonly number[],
    parts: { readonly service: number; readonly reference: Reference; readonly due: (atUs: number) => void },
  ) {
    assert(horizonsUs.every((horizon, i) => Number.isSafeInteger(horizon) && horizon > (horizonsUs[i - 1] ?? -1)), 'horizons are rising spans of µs')
    this.writer = writer
    this.at = at
    this.service = parts.service
    this.reference = parts.reference
    this.due = parts.due
    this.horizonsUs = horizonsUs
    this.cursors = this.horizonsUs.map(() => 0)
  }

  /** Opens a decision at `atUs`, which never falls. Calls of `add` then name its quotes. */
  begin(
    seq: number, atUs: number, request: number, legCount: number, markets: Int32Array, sides: Uint8Array, from: number,
  ): void {
    if (this.horizonsUs.length === 0) return
    if ((this.count + 1) * DECISION_STRIDE > this.decisions.length) this.decisions = widened(this.decisions)
    if (this.legsEnd + legCount > this.markets.length) {
      this.markets = widened(this.markets, this.legsEnd + legCount)
      this.sides = widened(this.sides, this.markets.length)
    }
    const { decisions, legsEnd } = this
    const to = this.count++ * DECISION_STRIDE
    decisions[to + D.seq] = seq
    decisions[to + D.atUs] = atUs
    decisions[to + D.request] = request
    decisions[to + D.quotesFrom] = decisions[to + D.quotesTo] = this.quotesEnd
    decisions[to + D.legsFrom] = legsEnd
    decisions[to + D.legCount] = legCount
    for (let i = 0; i < legCount; i++) {
      this.markets[legsEnd + i] = markets[from + i]!
      this.sides[legsEnd + i] = sides[from + i]!
    }
    this.legsEnd += legCount
    const dueUs = atUs + this.horizonsUs[0]!
    if (dueUs >= this.next[0]!) return
    this.next[0] = dueUs
    this.due(dueUs)
  }

  /** Adds a quote to the decision opened last. */
  add(quote: number, maker: number, kind: number, probability: number, payout: number, fair: number, reference: number): void {
    if (this.horizonsUs.length === 0) return
    if (this.quotesEnd + QUOTE_STRIDE > this.quotes.length) this.quotes = widened(this.quotes)
    const { quotes } = this
    let to = this.quotesEnd
    quotes[to++] = quote
    quotes[to++] = maker
    quotes[to++] = kind
    quotes[to++] = probability
    quotes[to++] = payout
    quotes[to++] = fair
    quotes[to++] = reference
    this.quotesEnd = to
    this.decisions[(this.count - 1) * DECISION_STRIDE + D.quotesTo] = to
  }

  /** The earliest mark that is due, or Infinity. */
  nextDueUs(): number {
    return this.next[0]!
  }

  /** Writes the marks due at `dueUs`, which is `nextDueUs()`. */
  mark(dueUs: number): void {
    const { cursors, horizonsUs, decisions } = this
    let nextUs = Infinity
    for (let h = 0; h < cursors.length; h++) {
      const horizonUs = horizonsUs[h]!
      let i = cursors[h]!
      for (; i < this.count; i++) {
        const atUs = decisions[i * DECISION_STRIDE + D.atUs]! + horizonUs
        if (atUs !== dueUs) {
          if (atUs < nextUs) nextUs = atUs
          break
        }
        this.write(i, horizonUs, dueUs, false)
      }
      cursors[h] = i
    }
    this.next[0] = nextUs
    const passed = this.cursors[this.cursors.length - 1]!
    if (passed >= 1024 && passed * 2 >= this.count) this.drop(passed)
  }

  /** Drops the first `passed` decisions. */
  private drop(passed: number): void {
    const { decisions } = this
    const isAll = passed === this.count
    const quotesFrom = isAll ? this.quotesEnd : decisions[passed * DECISION_STRIDE + D.quotesFrom]!
    const legsFrom = isAll ? this.legsEnd : decisions[passed * DECISION_STRIDE + D.legsFrom]!
    decisions.copyWithin(0, passed * DECISION_STRIDE, this.count * DECISION_STRIDE)
    this.quotes.copyWithin(0, quotesFrom, this.quotesEnd)
    this.markets.copyWithin(0, legsFrom, this.legsEnd)
    this.sides.copyWithin(0, legsFrom, this.legsEnd)
    this.count -= passed
    this.quotesEnd -= quotesFrom
    this.legsEnd -= legsFrom
    for (let at = 0; at < this.count * DECISION_STRIDE; at += DECISION_STRIDE) {
      decisions[at + D.quotesFrom]! -= quotesFrom
      decisions[at + D.quotesTo]! -= quotesFrom
      decisions[at + D.legsFrom]! -= legsFrom
    }
    for (let h = 0; h < this.cursors.length; h++) this.cursors[h]! -= passed
  }

  /** The session ended at `endUs`: marks due after it are made at that instant, and flagged. */
  finish(endUs: number): void {
    for (let h = 0; h < this.cursors.length; h++) {
      for (let i = this.cursors[h]!; i < this.count; i++) this.write(i, this.horizonsUs[h]!, endUs, true)
    }
    this.count = this.quotesEnd = this.legsEnd = 0
    this.next[0] = Infinity
    this.cursors.fill(0)
  }

  private write(decision: number, horizonUs: number, atUs: number, censored: boolean): void {
    const { writer, at, decisions, quotes } = this
    const { cells } = writer
    const from = decision * DECISION_STRIDE
    const value = this.reference.value(atUs, decisions[from + D.legCount]!, this.markets, this.sides, decisions[from + D.legsFrom]!)
    const to = decisions[from + D.quotesTo]!
    for (let i = decisions[from + D.quotesFrom]!; i < to; i += QUOTE_STRIDE) {
      const to = writer.row()
      cells[to + at.seq] = decisions[from + D.seq]!
      cells[to + at.service] = this.service
      cells[to + at.quote] = quotes[i]!
      cells[to + at.request] = decisions[from + D.request]!
      cells[to + at.maker] = quotes[i + 1]!
      cells[to + at.kind] = quotes[i + 2]!
      cells[to + at.decided_at] = decisions[from + D.atUs]!
      cells[to + at.horizon_us] = horizonUs
      cells[to + at.at] = atUs
      cells[to + at.censored] = censored ? 1 : 0
      cells[to + at.quoted_probability] = quotes[i + 3]!
      cells[to + at.payout_micros] = quotes[i + 4]!
      cells[to + at.fair] = quotes[i + 5]!
      cells[to + at.reference_at_submission] = quotes[i + 6]!
      cells[to + at.reference] = value
    }
  }
}
