import { NONE } from '../../../unit/none.ts'
import { type Kind, type KindOf, type Row, rowOfKind } from '../../../venue/eventCells.ts'
import { EventCell, type EventRows } from '../../../venue/eventRows.ts'
import { ParlayEvent, type ParlayKind, QuoteRow, QuoteState, QuoteSubmitted } from '../../../venue/parlay/protocol/events.ts'
import type { QuoteRecord } from '../../../venue/parlay/wire/quoteBody.ts'

type Known = { -readonly [K in keyof QuoteRecord]: QuoteRecord[K] }

type QuoteKind = Extract<ParlayKind, Kind<KindOf<typeof QuoteRow>>>
const STATES: readonly (readonly [kind: QuoteKind, number])[] = [
  [ParlayEvent.quoteReplaced, QuoteState.replaced], [ParlayEvent.quoteWithdrawn, QuoteState.withdrawn],
  [ParlayEvent.quoteExpired, QuoteState.expired], [ParlayEvent.quoteInvalidated, QuoteState.invalidated],
  [ParlayEvent.quoteSelected, QuoteState.reserved], [ParlayEvent.quoteFilled, QuoteState.filled],
  [ParlayEvent.quoteFailed, QuoteState.failed],
]
const STATE_OF: Readonly<Record<number, number>> = Object.fromEntries(STATES)
const isChange = (kind: ParlayKind): kind is QuoteKind => STATE_OF[kind] !== undefined

/** Quotes with where they are in their lives: of every maker while the request is known, and of makers that are kept to the end (PQ-203). */
export class QuoteRecords {
  private readonly quotes = new Map<number, Known>()
  private readonly ofMaker = new Map<number, QuoteRecord[]>()
  private declare readonly kept: ReadonlySet<number>

  constructor(kept: ReadonlySet<number>) {
    this.kept = kept
  }

  quote(number: number): QuoteRecord | null {
    return this.quotes.get(number) ?? null
  }

  /** The maker's, the newest first. */
  of(maker: number): readonly QuoteRecord[] {
    return (this.ofMaker.get(maker) ?? []).toReversed()
  }

  /** Takes a row about a quote and passes over others. Returns the quote that it submitted, or null. */
  take(events: EventRows, row: Row): QuoteRecord | null {
    const kind = events.kindOf(row) as ParlayKind
    const atUs = events.read(row, EventCell.atUs)
    if (kind === ParlayEvent.quoteSubmitted) return this.submit(events, rowOfKind(row, kind), atUs)
    if (!isChange(kind)) return null
    const quote = this.quotes.get(events.read(rowOfKind(row, kind), QuoteRow.quote))
    if (quote === undefined) return null
    const state = STATE_OF[kind]!
    quote.state = state
    if (state !== QuoteState.reserved) quote.endedAtUs = atUs
    return null
  }

  /** Forgets quotes of makers that are not kept. */
  forget(numbers: readonly number[]): void {
    for (const number of numbers) if (!this.kept.has(this.quotes.get(number)!.maker)) this.quotes.delete(number)
  }

  private submit(events: EventRows, row: Row<'parlay.quoteSubmitted'>, atUs: number): QuoteRecord {
    const quote: Known = {
      number: events.read(row, QuoteSubmitted.quote), request: events.read(row, QuoteSubmitted.request), maker: events.read(row, QuoteSubmitted.maker),
      state: QuoteState.live, version: events.read(row, QuoteSubmitted.version), oddsE4: events.read(row, QuoteSubmitted.oddsE4),
      riskMicros: events.read(row, QuoteSubmitted.riskMicros), stakeMicros: events.read(row, QuoteSubmitted.netStakeMicros),
      takerFeeBps: events.read(row, QuoteSubmitted.takerFeeBps), validUntilUs: events.read(row, QuoteSubmitted.expiresAtUs), submittedAtUs: atUs,
      endedAtUs: NONE, bookSeq: events.read(row, QuoteSubmitted.bookSeq),
    }
    this.quotes.set(quote.number, quote)
    if (this.kept.has(quote.maker)) {
      const quotes = this.ofMaker.get(quote.maker)
      if (quotes === undefined) this.ofMaker.set(quote.maker, [quote])
      else quotes.push(quote)
    }
    return quote
  }
}
