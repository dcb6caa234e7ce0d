import { type Kind, type KindOf, type Row, rowAs } from '../../eventCells.ts'
import { NONE } from '../../../unit/none.ts'
import { OutcomeCode } from '../protocol/codes.ts'
import type { OutcomeCommand } from '../protocol/commands.ts'
import { FieldRefusal, OutcomeEvent, QuoteRow, Refusal, Reply, RfqRow, TakenOnQuoteReply, TakenReply } from '../protocol/events.ts'
import { QuoteCell, QuoteWord } from './quoteRows.ts'
import { RfqCell, RfqWord } from './rfqRows.ts'
import type { OutcomeState } from './state.ts'

/** Opens a row about the RFQ whose row begins at `r`, at its present generation. */
export function openRfqRow<N extends KindOf<typeof RfqRow>>(s: OutcomeState, kind: Kind<N>, r: number): Row<N> {
  const { events, rfqs } = s
  const row = events.open(s.nowUs, kind, s.cause)
  events.write(row, RfqRow.owner, rfqs.words[r + RfqWord.owner]!)
  events.write(row, RfqRow.rfq, rfqs.cells[r + RfqCell.number]!)
  events.write(row, RfqRow.generation, rfqs.cells[r + RfqCell.generation]!)
  events.write(row, RfqRow.position, rfqs.cells[r + RfqCell.position]!)
  return row
}

/** Opens a row about a quote on the RFQ whose row begins at `r`. The caller writes maker and number, if there is a quote. */
export function openRowOfQuotes<N extends KindOf<typeof QuoteRow>>(s: OutcomeState, kind: Kind<N>, r: number): Row<N> {
  const { events, rfqs } = s
  const row = events.open(s.nowUs, kind, s.cause)
  events.write(row, QuoteRow.owner, rfqs.words[r + RfqWord.owner]!)
  events.write(row, QuoteRow.rfq, rfqs.cells[r + RfqCell.number]!)
  events.write(row, QuoteRow.generation, rfqs.cells[r + RfqCell.generation]!)
  events.write(row, QuoteRow.position, rfqs.cells[r + RfqCell.position]!)
  return row
}

/** Opens a row about the quote whose row begins at `q`. */
export function openQuoteRow<N extends KindOf<typeof QuoteRow>>(s: OutcomeState, kind: Kind<N>, q: number): Row<N> {
  const { events, quotes } = s
  const row = openRowOfQuotes(s, kind, quotes.words[q + QuoteWord.rfq]!)
  events.write(row, QuoteRow.maker, quotes.words[q + QuoteWord.maker]!)
  events.write(row, QuoteRow.quote, quotes.cells[q + QuoteCell.number]!)
  return row
}

/** Appends the RFQ's legs to the row opened last, as outcome, side pairs. */
export function pushRfqLegs(s: OutcomeState, r: number): void {
  const { events, rfqs } = s
  const from = rfqs.legsFrom(r)
  const end = from + rfqs.words[r + RfqWord.legCount]!
  for (let i = from; i < end; i++) {
    events.push(rfqs.legOutcomes[i]!)
    events.push(rfqs.legSides[i]!)
  }
}

/** Opens the reply, or the rejection, of a command that names no RFQ and no quote. */
export function reply(s: OutcomeState, c: OutcomeCommand, code: number): void {
  openReply(s, s.cause, c.account, c.op, code)
}

/** Refuses a field, an `InvalidField`. For a leg the reply has its place. */
export function refuseField(s: OutcomeState, c: OutcomeCommand, field: number, place = NONE): void {
  const { events } = s
  const row = rowAs(FieldRefusal, openReply(s, s.cause, c.account, c.op, OutcomeCode.invalidRequest))
  events.write(row, FieldRefusal.invalidField, field)
  events.write(row, FieldRefusal.legIndex, place)
}

/** Opens the reply that takes a command on RFQ `r`. */
export function replyOnRfq(s: OutcomeState, c: OutcomeCommand, r: number): Row<KindOf<typeof TakenReply>> {
  const { events, rfqs } = s
  const row = rowAs(TakenReply, openReply(s, s.cause, c.account, c.op, OutcomeCode.ok))
  events.write(row, TakenReply.rfq, rfqs.cells[r + RfqCell.number]!)
  events.write(row, TakenReply.generation, rfqs.cells[r + RfqCell.generation]!)
  events.write(row, TakenReply.position, rfqs.cells[r + RfqCell.position]!)
  return row
}

/** Opens the reply that takes a command on quote `q`. */
export function replyOnQuote(s: OutcomeState, c: OutcomeCommand, q: number): Row<KindOf<typeof TakenOnQuoteReply>> {
  const { events, quotes } = s
  const row = rowAs(TakenOnQuoteReply, replyOnRfq(s, c, quotes.words[q + QuoteWord.rfq]!))
  events.write(row, TakenOnQuoteReply.quote, quotes.cells[q + QuoteCell.number]!)
  return row
}

/** Refuses a command that names an RFQ. The reply shows the RFQ when the sender may see it. */
export function refuseOnRfq(s: OutcomeState, c: OutcomeCommand, code: number): Row<KindOf<typeof Refusal>> {
  const { events, rfqs } = s
  const row = rowAs(Refusal, openReply(s, s.cause, c.account, c.op, code))
  if (code === OutcomeCode.notFound) return row
  const r = rfqs.rowOf(c.rfq)
  events.write(row, Refusal.rfq, c.rfq)
  events.write(row, Refusal.generation, rfqs.cells[r + RfqCell.generation]!)
  return row
}

/** Refuses a command that names a quote. The reply shows the quote with its RFQ when the sender may see it. */
export function refuseOnQuote(s: OutcomeState, c: OutcomeCommand, code: number): Row<KindOf<typeof Refusal>> {
  const { events, quotes, rfqs } = s
  const row = rowAs(Refusal, openReply(s, s.cause, c.account, c.op, code))
  if (code === OutcomeCode.quoteNotFound) return row
  const q = quotes.rowOf(c.quote)
  const r = quotes.words[q + QuoteWord.rfq]!
  events.write(row, Refusal.rfq, rfqs.cells[r + RfqCell.number]!)
  events.write(row, Refusal.generation, rfqs.cells[r + RfqCell.generation]!)
  events.write(row, Refusal.quote, c.quote)
  return row
}

/** Opens a reply to the command `cause`. The caller writes what the answer shows. */
export function openReply(s: OutcomeState, cause: number, account: number, op: number, code: number): Row<KindOf<typeof Reply>> {
  const { events } = s
  const row = events.open(s.nowUs, OutcomeEvent.reply, cause)
  // −0 names account 0, and the digest sees the bits of a number. The same holds for an opcode.
  events.write(row, Reply.account, account + 0)
  events.write(row, Reply.op, op + 0)
  events.write(row, Reply.code, code)
  return row
}
