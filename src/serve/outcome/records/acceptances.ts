import { NONE } from '../../../unit/none.ts'
import { type KindOf, type Row, rowOfKind } from '../../../venue/eventCells.ts'
import { EventCell, type EventRows } from '../../../venue/eventRows.ts'
import { AcceptanceState, OutcomeEvent, type OutcomeKind, QuoteAccepted, QuoteFailed, QuoteFilled } from '../../../venue/outcome/protocol/events.ts'
import type { AcceptanceView } from '../../../venue/outcome/protocol/view.ts'

/** What of an accept is in its command alone. */
export interface AcceptTerms {
  readonly key: number
  readonly coreMicros: number
}

/** Acceptances as their rows tell them. */
export class AcceptanceRecords {
  private readonly acceptances = new Map<number, AcceptanceView>()
  private readonly ofQuotes = new Map<number, AcceptanceView>()
  private readonly ofMakers = new Map<number, number[]>()
  private declare readonly kept: ReadonlySet<number>

  /** @param kept accounts whose acceptances are listed. */
  constructor(kept: ReadonlySet<number>) {
    this.kept = kept
  }

  acceptance(number: number): AcceptanceView | null {
    return this.acceptances.get(number) ?? null
  }

  /** A quote is accepted once. */
  ofQuote(quote: number): AcceptanceView | null {
    return this.ofQuotes.get(quote) ?? null
  }

  /** Numbers of the acceptances of a maker's quotes, ascending. */
  of(maker: number): readonly number[] {
    return this.ofMakers.get(maker) ?? []
  }

  /** @param termsOf reads the command with that sequence number; called for an accept that was taken. */
  take(events: EventRows, row: Row, termsOf: (seq: number) => AcceptTerms): void {
    const kind = events.kindOf(row) as OutcomeKind
    switch (kind) {
      case OutcomeEvent.quoteAccepted: return this.accept(events, rowOfKind(row, kind), termsOf(events.read(row, EventCell.cause)))
      case OutcomeEvent.quoteFilled: {
        const filled = rowOfKind(row, kind)
        const acceptance = this.acceptances.get(events.read(filled, QuoteFilled.acceptance))!
        acceptance.state = AcceptanceState.confirmed
        acceptance.operation = events.read(filled, QuoteFilled.operation)
        break
      }
      case OutcomeEvent.quoteFailed: {
        const failed = rowOfKind(row, kind)
        this.acceptances.get(events.read(failed, QuoteFailed.acceptance))!.state =
          events.read(failed, QuoteFailed.isDeclined) === 1 ? AcceptanceState.declined : AcceptanceState.timedOut
        break
      }
      default:
    }
  }

  forget(quotes: readonly number[]): void {
    for (const quote of quotes) {
      const acceptance = this.ofQuotes.get(quote)
      if (acceptance === undefined) continue
      this.ofQuotes.delete(quote)
      this.acceptances.delete(acceptance.number)
    }
  }

  private accept(events: EventRows, row: Row<KindOf<typeof QuoteAccepted>>, { key, coreMicros }: AcceptTerms): void {
    const isEntry = events.read(row, QuoteAccepted.position) === NONE
    const acceptance: AcceptanceView = {
      number: events.read(row, QuoteAccepted.acceptance), key, quote: events.read(row, QuoteAccepted.quote), rfq: events.read(row, QuoteAccepted.rfq),
      taker: events.read(row, QuoteAccepted.owner), maker: events.read(row, QuoteAccepted.maker), state: AcceptanceState.accepted,
      acceptedAtUs: events.read(row, EventCell.atUs), confirmUntilUs: events.read(row, QuoteAccepted.confirmUntilUs),
      // The row of a sale has no stake, which is −1.
      stakeMicros: events.read(row, QuoteAccepted.betMicros), coreMicros: isEntry ? Math.max(0, coreMicros) : 0, operation: NONE,
    }
    this.acceptances.set(acceptance.number, acceptance)
    this.ofQuotes.set(acceptance.quote, acceptance)
    if (!this.kept.has(acceptance.maker)) return
    const own = this.ofMakers.get(acceptance.maker)
    if (own === undefined) this.ofMakers.set(acceptance.maker, [acceptance.number])
    else own.push(acceptance.number)
  }
}
