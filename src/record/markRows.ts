import type { TableWriter } from '../arrow/tableWriter.ts'
import { assert } from '../unit/assert.ts'
import { floatOrNull } from './cells.ts'
import type { markTable } from './moneyTables.ts'
import type { Reference } from './reference.ts'

/** Numbers per decided quote in `Decision.quotes`. */
const QUOTE_STRIDE = 7

/** A decision: the quotes that it decided, the winner before those that lost to it, and the legs they were for. */
interface Decision {
  readonly seq: number
  readonly atUs: number
  readonly request: number
  readonly markets: Int32Array
  readonly sides: Uint8Array
  /** quote, maker code, kind, probability, payout, fair, reference at submission; per quote. */
  readonly quotes: number[]
}

/**
 * Marks of decided quotes. Decisions come in time order, so each horizon is a cursor that walks the same queue; a decision
 * is dropped when the longest horizon has passed it.
 */
export class MarkRows {
  private readonly writer: TableWriter
  private readonly at: ReturnType<typeof markTable>['at']
  private readonly service: number
  private readonly reference: Reference
  private readonly due: (atUs: number) => void
  /** Ascending. */
  private readonly horizonsUs: readonly number[]
  private queue: Decision[] = []
  /** By horizon: the first decision of the queue that it has not marked yet. */
  private readonly cursors: number[]

  /** @param parts.due told of each instant at which a new mark is due, if not earlier of other ones too. */
  constructor(
    writer: TableWriter, at: ReturnType<typeof markTable>['at'], horizonsUs: readonly number[],
    parts: { readonly service: number; readonly reference: Reference; readonly due: (atUs: number) => void },
  ) {
    assert(horizonsUs.every((horizon) => Number.isSafeInteger(horizon) && horizon >= 0), 'a horizon is not a span of µs')
    this.writer = writer
    this.at = at
    this.service = parts.service
    this.reference = parts.reference
    this.due = parts.due
    this.horizonsUs = [...new Set(horizonsUs)].sort((a, b) => a - b)
    this.cursors = this.horizonsUs.map(() => 0)
  }

  /** Opens a decision at `atUs`, which never falls; `add` then names its quotes. */
  begin(
    seq: number, atUs: number, request: number, legCount: number, markets: Int32Array, sides: Uint8Array, from: number,
  ): void {
    if (this.horizonsUs.length === 0) return
    this.queue.push({
      seq, atUs, request, markets: markets.slice(from, from + legCount), sides: sides.slice(from, from + legCount), quotes: [],
    })
    this.due(atUs + this.horizonsUs[0]!)
  }

  /** Adds a quote to the decision opened last. */
  add(quote: number, maker: number, kind: number, probability: number, payout: number, fair: number, reference: number): void {
    if (this.horizonsUs.length === 0) return
    this.queue[this.queue.length - 1]!.quotes.push(quote, maker, kind, probability, payout, fair, reference)
  }

  /** The earliest mark that is due, or Infinity. */
  nextDueUs(): number {
    let next = Infinity
    for (let h = 0; h < this.cursors.length; h++) {
      const decision = this.queue[this.cursors[h]!]
      if (decision !== undefined) next = Math.min(next, decision.atUs + this.horizonsUs[h]!)
    }
    return next
  }

  /** Writes the marks due at `dueUs`, which is `nextDueUs()`. */
  mark(dueUs: number): void {
    for (let h = 0; h < this.cursors.length; h++) {
      for (;;) {
        const decision = this.queue[this.cursors[h]!]
        if (decision === undefined || decision.atUs + this.horizonsUs[h]! !== dueUs) break
        this.write(decision, this.horizonsUs[h]!, dueUs, false)
        this.cursors[h]!++
      }
    }
    const passed = this.cursors[this.cursors.length - 1]!
    if (passed < 1024 || passed * 2 < this.queue.length) return
    this.queue = this.queue.slice(passed)
    for (let h = 0; h < this.cursors.length; h++) this.cursors[h]! -= passed
  }

  /** The session ended at `endUs`: the marks still due after it are made there, and flagged. */
  finish(endUs: number): void {
    for (let h = 0; h < this.cursors.length; h++) {
      for (let i = this.cursors[h]!; i < this.queue.length; i++) this.write(this.queue[i]!, this.horizonsUs[h]!, endUs, true)
    }
    this.queue = []
    this.cursors.fill(0)
  }

  private write(decision: Decision, horizonUs: number, atUs: number, censored: boolean): void {
    const { writer, at } = this
    const { quotes } = decision
    const value = this.reference.value(atUs, decision.markets.length, decision.markets, decision.sides, 0)
    for (let i = 0; i < quotes.length; i += QUOTE_STRIDE) {
      writer.row()
      writer.int(at.seq, decision.seq)
      writer.code(at.service, this.service)
      writer.int(at.quote, quotes[i]!)
      writer.int(at.request, decision.request)
      writer.code(at.maker, quotes[i + 1]!)
      writer.code(at.kind, quotes[i + 2]!)
      writer.int(at.decided_at, decision.atUs)
      writer.int(at.horizon_us, horizonUs)
      writer.int(at.at, atUs)
      writer.bool(at.censored, censored)
      writer.float(at.probability, quotes[i + 3]!)
      writer.int(at.payout_micros, quotes[i + 4]!)
      floatOrNull(writer, at.fair, quotes[i + 5]!)
      floatOrNull(writer, at.reference_at_submission, quotes[i + 6]!)
      floatOrNull(writer, at.reference, value)
    }
  }
}
