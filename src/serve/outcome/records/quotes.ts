import { NONE } from '../../../unit/none.ts'
import { type Kind, type KindOf, type Row, rowAs, rowOfKind } from '../../../venue/eventCells.ts'
import type { EventRows } from '../../../venue/eventRows.ts'
import { BidCreated, OutcomeEvent, type OutcomeKind, QuoteCreated, QuoteRow, QuoteState } from '../../../venue/outcome/protocol/events.ts'
import type { OutcomeQuoteView } from '../../../venue/outcome/protocol/view.ts'
import type { RateRecords } from './rates.ts'
import type { RfqRecord } from './rfqs.ts'

type QuoteKind = Extract<OutcomeKind, Kind<KindOf<typeof QuoteRow>>>
const STATES: readonly (readonly [kind: QuoteKind, number])[] = [
  [OutcomeEvent.quoteReplaced, QuoteState.replaced], [OutcomeEvent.quoteCancelled, QuoteState.cancelled],
  [OutcomeEvent.quoteExpired, QuoteState.expired], [OutcomeEvent.quoteDead, QuoteState.dead],
  [OutcomeEvent.quoteAccepted, QuoteState.accepted], [OutcomeEvent.quoteFilled, QuoteState.filled],
  [OutcomeEvent.quoteFailed, QuoteState.failed],
]
const STATE_OF: Readonly<Record<number, number>> = Object.fromEntries(STATES)
const isChange = (kind: OutcomeKind): kind is QuoteKind => STATE_OF[kind] !== undefined

/** Quotes as their rows tell them. */
export class QuoteRecords {
  private readonly quotes = new Map<number, OutcomeQuoteView>()

  quote(number: number): OutcomeQuoteView | null {
    return this.quotes.get(number) ?? null
  }

  /** Takes a row about a quote and passes over others. Returns the quote that was made, or null. */
  take(events: EventRows, row: Row, rfqOf: (number: number) => RfqRecord, rates: RateRecords): OutcomeQuoteView | null {
    const kind = events.kindOf(row) as OutcomeKind
    if (kind === OutcomeEvent.quoteCreated) return this.create(events, rowOfKind(row, kind), rfqOf, rates)
    if (isChange(kind)) this.quotes.get(events.read(rowOfKind(row, kind), QuoteRow.quote))!.state = STATE_OF[kind]!
    return null
  }

  forget(numbers: readonly number[]): void {
    for (const number of numbers) this.quotes.delete(number)
  }

  /** An entry has the rates in force, a cash-out its position's. The maker that backs a position risks nothing more by a price for it. */
  private create(events: EventRows, row: Row<'outcome.quoteCreated'>, rfqOf: (number: number) => RfqRecord, rates: RateRecords): OutcomeQuoteView {
    const rfq = rfqOf(events.read(row, QuoteRow.rfq))
    const maker = events.read(row, QuoteRow.maker)
    const isEntry = rfq.position === NONE
    const priceMicros = isEntry ? NONE : events.read(rowAs(BidCreated, row), BidCreated.priceMicros)
    const quote: OutcomeQuoteView = {
      number: events.read(row, QuoteRow.quote), rfq: rfq.number, maker, state: QuoteState.live, generation: events.read(row, QuoteRow.generation),
      netStakeMicros: isEntry ? events.read(row, QuoteCreated.netStakeMicros) : NONE, payoutMicros: events.read(row, QuoteCreated.payoutMicros),
      riskMicros: isEntry ? events.read(row, QuoteCreated.riskMicros) : maker === rfq.backer ? 0 : priceMicros,
      takerFeeBps: isEntry ? events.read(row, QuoteCreated.takerFeeBps) : NONE, feeBps: isEntry ? rates.feeBps : rfq.feeBps, signer: rates.signerOf(maker),
      expiresAtUs: events.read(row, QuoteCreated.expiresAtUs),
    }
    this.quotes.set(quote.number, quote)
    rfq.quotes.push(quote.number)
    return quote
  }
}
