import type { RowWriter } from '../arrow/rowWriter.ts'
import { NONE } from '../unit/none.ts'
import type { KindOf, Row } from '../venue/eventCells.ts'
import { EventCell, type EventRows } from '../venue/eventRows.ts'
import type { DirectoryCodes } from './directory.ts'
import { copyCells, orEmpty, present } from './cells.ts'
import type { MarkRows } from './markRows.ts'
import { OpenQuotes } from './openQuotes.ts'
import type { Reference } from './reference.ts'
import type { RequestRows } from './requestRows.ts'
import { QuoteChanged, QuoteFailed, QuoteMade } from './sharedCells.ts'
import { AcceptanceOutcome, type acceptanceTable, QuoteEnd, type quoteTable } from './tables.ts'
import { MarkKind } from './moneyTables.ts'

type QuoteRow = Row<KindOf<typeof QuoteChanged>>

/** Quotes and their last looks, from submission to the rows that their end writes. */
export class QuoteRows {
  private declare readonly open: OpenQuotes
  private declare readonly service: number
  private declare readonly quotes: RowWriter
  private declare readonly quoteAt: ReturnType<typeof quoteTable>['at']
  private declare readonly acceptances: RowWriter
  private declare readonly acceptanceAt: ReturnType<typeof acceptanceTable>['at']
  private declare readonly codes: DirectoryCodes
  private declare readonly requests: RequestRows
  private declare readonly marks: MarkRows
  private declare readonly reference: Reference

  constructor(
    quotes: RowWriter, quoteAt: ReturnType<typeof quoteTable>['at'],
    acceptances: RowWriter, acceptanceAt: ReturnType<typeof acceptanceTable>['at'],
    parts: {
      readonly service: number
      readonly codes: DirectoryCodes
      readonly requests: RequestRows
      readonly marks: MarkRows
      readonly reference: Reference
    },
  ) {
    this.service = parts.service
    this.open = new OpenQuotes(quotes.spec.columns.length)
    this.quotes = quotes
    this.quoteAt = quoteAt
    this.acceptances = acceptances
    this.acceptanceAt = acceptanceAt
    this.codes = parts.codes
    this.requests = parts.requests
    this.marks = parts.marks
    this.reference = parts.reference
  }

  /** @param fair the maker's fair probability, and its product of leg prices. @param bookSeq the book's count after the submission. All are NaN where there is none. */
  submitted(events: EventRows, row: Row<KindOf<typeof QuoteMade>>, fair: { readonly value: number; readonly product: number }, bookSeq: number): void {
    const { open, quoteAt: at } = this
    const request = events.read(row, QuoteMade.request)
    const requestSlot = this.requests.open.openSlotOf(request)
    const maker = events.read(row, QuoteMade.maker)
    const quote = events.read(row, QuoteMade.quote)
    const atUs = events.read(row, EventCell.atUs)
    const slot = open.open(quote)
    const { cells } = open
    const to = slot * open.width
    cells[to + at.seq] = cells[to + at.ended_at] = NaN
    cells[to + at.service] = this.service
    cells[to + at.quote] = quote
    cells[to + at.request] = request
    cells[to + at.version] = events.read(row, QuoteMade.version)
    cells[to + at.maker] = this.codes.maker(maker)
    cells[to + at.quoted_odds_e4] = orEmpty(events.read(row, QuoteMade.oddsE4))
    cells[to + at.net_stake_micros] = events.read(row, QuoteMade.netStakeMicros)
    cells[to + at.risk_micros] = events.read(row, QuoteMade.riskMicros)
    cells[to + at.taker_fee_bps] = events.read(row, QuoteMade.takerFeeBps)
    cells[to + at.submitted_seq] = events.read(row, EventCell.seq)
    cells[to + at.submitted_at] = atUs
    cells[to + at.valid_until] = events.read(row, QuoteMade.expiresAtUs)
    cells[to + at.book_seq] = bookSeq
    cells[to + at.competing_quotes] = this.requests.quoted(requestSlot, maker)
    cells[to + at.fair] = fair.value
    cells[to + at.fair_product] = fair.product
    const value = this.valueOf(requestSlot, atUs)
    cells[to + at.reference] = value
    cells[to + at.reference_product] = this.productOf(value, requestSlot, atUs)
    open.requestSlot[slot] = requestSlot
    open.selectedUs[slot] = NONE
  }

  /** Replaced, withdrawn or expired. */
  ended(events: EventRows, row: QuoteRow, end: number): void {
    this.close(this.slotOf(events, row), end, 0, events, row)
  }

  /** The quote was taken off with its version. When that is because another quote was filled, this quote lost and is marked. */
  invalidated(events: EventRows, row: QuoteRow): void {
    const slot = this.slotOf(events, row)
    const requestSlot = this.open.requestSlot[slot]!
    this.requests.endBegins(requestSlot)
    const lost = this.requests.isFilled(requestSlot) ? 1 : 0
    if (lost === 1) this.mark(slot, MarkKind.tradedAway)
    this.close(slot, QuoteEnd.invalidated, lost, events, row)
  }

  /** @param acceptance its number, −1 for a service that numbers none. @param deadlineUs the first instant at which a confirmation is late. */
  selected(events: EventRows, row: QuoteRow, acceptance: number, deadlineUs: number): void {
    const { open } = this
    const slot = this.slotOf(events, row)
    open.selectedSeq[slot] = events.read(row, EventCell.seq)
    open.selectedUs[slot] = events.read(row, EventCell.atUs)
    open.deadlineUs[slot] = deadlineUs
    open.selectedVersion[slot] = events.read(row, QuoteChanged.version)
    open.acceptance[slot] = acceptance
    this.requests.attempted(open.cells[slot * open.width + this.quoteAt.request]!)
  }

  /** @param operation the operation that fills it, −1 for a service without operations. */
  filled(events: EventRows, row: QuoteRow, operation = NONE): void {
    const slot = this.slotOf(events, row)
    const requestSlot = this.open.requestSlot[slot]!
    this.requests.endBegins(requestSlot)
    this.requests.filled(requestSlot, events.read(row, QuoteChanged.quote))
    const to = this.decided(slot, AcceptanceOutcome.confirmed, MarkKind.filled, events, row)
    this.acceptances.cells[to + this.acceptanceAt.operation] = orEmpty(operation)
    this.close(slot, QuoteEnd.filled, 0, events, row)
  }

  failed(events: EventRows, row: Row<KindOf<typeof QuoteFailed>>): void {
    const slot = this.open.openSlotOf(events.read(row, QuoteFailed.quote))
    const declined = events.read(row, QuoteFailed.isDeclined) === 1
    const outcome = declined ? AcceptanceOutcome.declined : AcceptanceOutcome.timedOut
    this.decided(slot, outcome, declined ? MarkKind.declined : MarkKind.timedOut, events, row)
    this.close(slot, QuoteEnd.failed, 0, events, row)
  }

  /** The session is over: writes the rows of pending selections and open quotes. */
  finish(): void {
    const slots = this.open.openSlots()
    const pending = slots.filter((slot) => this.open.selectedUs[slot] !== NONE)
    for (const slot of pending) this.writeAcceptance(slot, AcceptanceOutcome.open)
    for (const slot of slots) this.writeQuote(slot, QuoteEnd.open, 0)
  }

  private slotOf(events: EventRows, row: QuoteRow): number {
    return this.open.openSlotOf(events.read(row, QuoteChanged.quote))
  }

  private valueOf(requestSlot: number, atUs: number): number {
    const requests = this.requests.open
    const from = requestSlot * requests.legsMax
    return this.reference.value(atUs, requests.legCount[requestSlot]!, requests.legMarkets, requests.legSides, from)
  }

  private productOf(value: number, requestSlot: number, atUs: number): number {
    const requests = this.requests.open
    return this.reference.product(value, atUs, requests.legCount[requestSlot]!, requests.legMarkets, requests.legSides, requestSlot * requests.legsMax)
  }

  /** Writes the row of a decided selection. Returns its first cell. */
  private decided(slot: number, outcome: number, kind: number, events: EventRows, row: Row): number {
    const { acceptanceAt: at } = this
    const { cells } = this.acceptances
    const requests = this.requests.open
    const requestSlot = this.open.requestSlot[slot]!
    const atUs = events.read(row, EventCell.atUs)
    const seq = events.read(row, EventCell.seq)
    const to = this.writeAcceptance(slot, outcome)
    cells[to + at.seq] = present(seq)
    cells[to + at.decided_at] = present(atUs)
    cells[to + at.reference_at_decision] = this.valueOf(requestSlot, atUs)
    const from = requestSlot * requests.legsMax
    const legCount = requests.legCount[requestSlot]!
    this.marks.begin(seq, atUs, cells[to + at.request]!, legCount, requests.legMarkets, requests.legSides, from)
    this.mark(slot, kind)
    return to
  }

  private mark(slot: number, kind: number): void {
    const { open, quoteAt: at } = this
    const { cells } = open
    const from = slot * open.width
    const stake = cells[from + at.net_stake_micros]!
    const payout = stake + cells[from + at.risk_micros]!
    this.marks.add(
      cells[from + at.quote]!, cells[from + at.maker]!, kind, stake / payout, payout, cells[from + at.fair]!, cells[from + at.reference]!,
    )
  }

  private close(slot: number, end: number, lost: number, events: EventRows, row: Row): void {
    const { cells } = this.quotes
    const to = this.writeQuote(slot, end, lost)
    cells[to + this.quoteAt.seq] = present(events.read(row, EventCell.seq))
    cells[to + this.quoteAt.ended_at] = present(events.read(row, EventCell.atUs))
    this.requests.open.liveQuotes[this.open.requestSlot[slot]!]!--
    this.open.close(slot)
  }

  /** Writes a quote's row. Returns its first cell. */
  private writeQuote(slot: number, end: number, lost: number): number {
    const { open, quotes: writer, quoteAt: at } = this
    const { cells } = writer
    const to = writer.row()
    copyCells(open.cells, slot * open.width, cells, to, open.width)
    cells[to + at.state] = end
    cells[to + at.traded_away] = lost
    return to
  }

  /** Writes the row of a selection. Returns its first cell. */
  private writeAcceptance(slot: number, outcome: number): number {
    const { open, acceptances: writer, acceptanceAt: at, quoteAt } = this
    const { cells } = writer
    const quote = open.cells
    const from = slot * open.width
    const bettor = this.requests.bettorOf(open.requestSlot[slot]!)
    const to = writer.row()
    cells[to + at.service] = this.service
    cells[to + at.acceptance] = orEmpty(open.acceptance[slot]!)
    cells[to + at.request] = quote[from + quoteAt.request]!
    cells[to + at.version] = open.selectedVersion[slot]!
    cells[to + at.quote] = quote[from + quoteAt.quote]!
    cells[to + at.maker] = quote[from + quoteAt.maker]!
    cells[to + at.bettor] = bettor
    cells[to + at.cohort] = this.codes.group(bettor)
    cells[to + at.selected_seq] = open.selectedSeq[slot]!
    cells[to + at.selected_at] = open.selectedUs[slot]!
    cells[to + at.deadline_at] = open.deadlineUs[slot]!
    cells[to + at.outcome] = outcome
    cells[to + at.selected_odds_e4] = quote[from + quoteAt.quoted_odds_e4]!
    cells[to + at.net_stake_micros] = quote[from + quoteAt.net_stake_micros]!
    cells[to + at.risk_micros] = quote[from + quoteAt.risk_micros]!
    cells[to + at.reference_at_submission] = quote[from + quoteAt.reference]!
    return to
  }
}
