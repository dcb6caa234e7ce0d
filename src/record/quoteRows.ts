import type { TableWriter } from '../arrow/tableWriter.ts'
import { type EventRows, Field, NONE } from '../venue/eventRows.ts'
import type { CastCodes } from './cast.ts'
import { floatOrNull } from './cells.ts'
import type { MarkRows } from './markRows.ts'
import { OpenQuotes } from './openQuotes.ts'
import type { Reference } from './reference.ts'
import type { RequestRows } from './requestRows.ts'
import { AcceptanceOutcome, type acceptanceTable, QuoteEnd, type quoteTable } from './tables.ts'
import { MarkKind } from './moneyTables.ts'

/** Quotes and their last looks, from submission to the rows that their end leaves. */
export class QuoteRows {
  readonly open = new OpenQuotes()
  private readonly service: number
  private readonly quotes: TableWriter
  private readonly quoteAt: ReturnType<typeof quoteTable>['at']
  private readonly acceptances: TableWriter
  private readonly acceptanceAt: ReturnType<typeof acceptanceTable>['at']
  private readonly codes: CastCodes
  private readonly requests: RequestRows
  private readonly marks: MarkRows
  private readonly reference: Reference

  constructor(
    quotes: TableWriter, quoteAt: ReturnType<typeof quoteTable>['at'],
    acceptances: TableWriter, acceptanceAt: ReturnType<typeof acceptanceTable>['at'],
    parts: {
      readonly service: number
      readonly codes: CastCodes
      readonly requests: RequestRows
      readonly marks: MarkRows
      readonly reference: Reference
    },
  ) {
    this.service = parts.service
    this.quotes = quotes
    this.quoteAt = quoteAt
    this.acceptances = acceptances
    this.acceptanceAt = acceptanceAt
    this.codes = parts.codes
    this.requests = parts.requests
    this.marks = parts.marks
    this.reference = parts.reference
  }

  /** @param fair the maker's fair probability, NaN when it gave none. */
  submitted(events: EventRows, row: number, fair: number): void {
    const { open } = this
    const request = events.get(row, Field.request)
    const requestSlot = this.requests.open.openSlotOf(request)
    const maker = events.get(row, Field.account)
    const slot = open.open(events.get(row, Field.quote))
    open.request[slot] = request
    open.requestSlot[slot] = requestSlot
    open.version[slot] = events.get(row, Field.version)
    open.maker[slot] = maker
    open.oddsE4[slot] = events.get(row, Field.oddsE4)
    open.riskMicros[slot] = events.get(row, Field.amountA)
    open.takerFeeBps[slot] = events.get(row, Field.amountB)
    open.stakeMicros[slot] = events.get(row, Field.amountC)
    open.submittedUs[slot] = events.get(row, Field.atUs)
    open.validUntilUs[slot] = events.get(row, Field.untilUs)
    open.bookSeq[slot] = events.get(row, Field.bookSeq)
    open.liveRivals[slot] = this.requests.quoted(requestSlot, maker)
    open.fair[slot] = fair
    open.reference[slot] = this.valueOf(requestSlot, events.get(row, Field.atUs))
    open.selectedUs[slot] = NONE
  }

  /** Replaced, withdrawn or expired. */
  ended(events: EventRows, row: number, end: number): void {
    this.close(this.open.openSlotOf(events.get(row, Field.quote)), end, false, events, row)
  }

  /** Taken off with the version; when that is because another quote was filled, this one lost and is marked. */
  invalidated(events: EventRows, row: number): void {
    const slot = this.open.openSlotOf(events.get(row, Field.quote))
    const requestSlot = this.open.requestSlot[slot]!
    this.requests.endBegins(requestSlot)
    const lost = this.requests.open.filledQuote[requestSlot] !== NONE
    if (lost) this.mark(slot, MarkKind.lost)
    this.close(slot, QuoteEnd.invalidated, lost, events, row)
  }

  /** @param acceptance its number, −1 where the service numbers none; @param deadlineUs first instant at which a confirmation is late. */
  selected(events: EventRows, row: number, acceptance: number, deadlineUs: number): void {
    const { open } = this
    const slot = open.openSlotOf(events.get(row, Field.quote))
    open.selectedUs[slot] = events.get(row, Field.atUs)
    open.deadlineUs[slot] = deadlineUs
    open.selectedVersion[slot] = events.get(row, Field.version)
    open.acceptance[slot] = acceptance
    this.requests.attempted(open.request[slot]!)
  }

  /** @param operation that fills it, −1 where the service has none. */
  filled(events: EventRows, row: number, operation = NONE): void {
    const slot = this.open.openSlotOf(events.get(row, Field.quote))
    const requestSlot = this.open.requestSlot[slot]!
    this.requests.endBegins(requestSlot)
    this.requests.open.filledQuote[requestSlot] = this.open.number[slot]!
    this.decided(slot, AcceptanceOutcome.confirmed, MarkKind.won, events, row)
    this.acceptances.intOrNone(this.acceptanceAt.operation, operation)
    this.close(slot, QuoteEnd.filled, false, events, row)
  }

  failed(events: EventRows, row: number): void {
    const slot = this.open.openSlotOf(events.get(row, Field.quote))
    const declined = events.get(row, Field.amountA) === 1
    const outcome = declined ? AcceptanceOutcome.declined : AcceptanceOutcome.timedOut
    this.decided(slot, outcome, declined ? MarkKind.declined : MarkKind.timedOut, events, row)
    this.close(slot, QuoteEnd.failed, false, events, row)
  }

  /** The session is over: pending selections and open quotes leave their rows. */
  finish(): void {
    const slots = this.open.openSlots()
    const pending = slots.filter((slot) => this.open.selectedUs[slot] !== NONE)
    for (const slot of pending) this.writeAcceptance(slot, AcceptanceOutcome.open, NONE, NONE, NaN)
    for (const slot of slots) this.writeQuote(slot, QuoteEnd.open, false, NONE, NONE)
  }

  private valueOf(requestSlot: number, atUs: number): number {
    const requests = this.requests.open
    const from = requestSlot * requests.legsMax
    return this.reference.value(atUs, requests.legCount[requestSlot]!, requests.legMarkets, requests.legSides, from)
  }

  private decided(slot: number, outcome: number, kind: number, events: EventRows, row: number): void {
    const requests = this.requests.open
    const requestSlot = this.open.requestSlot[slot]!
    const atUs = events.get(row, Field.atUs)
    const seq = events.get(row, Field.seq)
    this.writeAcceptance(slot, outcome, seq, atUs, this.valueOf(requestSlot, atUs))
    const from = requestSlot * requests.legsMax
    const legCount = requests.legCount[requestSlot]!
    this.marks.begin(seq, atUs, this.open.request[slot]!, legCount, requests.legMarkets, requests.legSides, from)
    this.mark(slot, kind)
  }

  private mark(slot: number, kind: number): void {
    const { open } = this
    const payout = open.stakeMicros[slot]! + open.riskMicros[slot]!
    const probability = open.stakeMicros[slot]! / payout
    this.marks.add(
      open.number[slot]!, this.codes.maker(open.maker[slot]!), kind, probability, payout, open.fair[slot]!, open.reference[slot]!,
    )
  }

  private close(slot: number, end: number, lost: boolean, events: EventRows, row: number): void {
    this.requests.open.liveQuotes[this.open.requestSlot[slot]!]!--
    this.writeQuote(slot, end, lost, events.get(row, Field.seq), events.get(row, Field.atUs))
    this.open.close(slot)
  }

  private writeQuote(slot: number, end: number, lost: boolean, seq: number, endedUs: number): void {
    const { open, quotes: writer, quoteAt: at } = this
    writer.row()
    writer.intOrNone(at.seq, seq)
    writer.code(at.service, this.service)
    writer.int(at.quote, open.number[slot]!)
    writer.int(at.request, open.request[slot]!)
    writer.int(at.version, open.version[slot]!)
    writer.code(at.maker, this.codes.maker(open.maker[slot]!))
    writer.intOrNone(at.quoted_odds, open.oddsE4[slot]!)
    writer.int(at.stake_micros, open.stakeMicros[slot]!)
    writer.int(at.risk_micros, open.riskMicros[slot]!)
    writer.int(at.taker_fee_bps, open.takerFeeBps[slot]!)
    writer.int(at.submitted_at, open.submittedUs[slot]!)
    writer.int(at.valid_until, open.validUntilUs[slot]!)
    writer.intOrNone(at.ended_at, endedUs)
    writer.code(at.state, end)
    writer.bool(at.lost, lost)
    writer.intOrNone(at.book_seq, open.bookSeq[slot]!)
    writer.int(at.live_rivals, open.liveRivals[slot]!)
    floatOrNull(writer, at.fair, open.fair[slot]!)
    floatOrNull(writer, at.reference, open.reference[slot]!)
  }

  private writeAcceptance(slot: number, outcome: number, seq: number, decidedUs: number, reference: number): void {
    const { open, acceptances: writer, acceptanceAt: at } = this
    const bettor = this.requests.open.bettor[open.requestSlot[slot]!]!
    writer.row()
    writer.intOrNone(at.seq, seq)
    writer.code(at.service, this.service)
    writer.intOrNone(at.acceptance, open.acceptance[slot]!)
    writer.int(at.request, open.request[slot]!)
    writer.int(at.version, open.selectedVersion[slot]!)
    writer.int(at.quote, open.number[slot]!)
    writer.code(at.maker, this.codes.maker(open.maker[slot]!))
    writer.int(at.bettor, bettor)
    writer.code(at.group, this.codes.group(bettor))
    writer.int(at.selected_at, open.selectedUs[slot]!)
    writer.int(at.deadline_at, open.deadlineUs[slot]!)
    writer.intOrNone(at.decided_at, decidedUs)
    writer.code(at.outcome, outcome)
    writer.intOrNone(at.selected_odds, open.oddsE4[slot]!)
    writer.int(at.stake_micros, open.stakeMicros[slot]!)
    writer.int(at.risk_micros, open.riskMicros[slot]!)
    floatOrNull(writer, at.reference_at_submission, open.reference[slot]!)
    floatOrNull(writer, at.reference_at_decision, reference)
  }
}
