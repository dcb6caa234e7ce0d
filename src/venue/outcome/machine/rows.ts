import { NONE } from '../../eventRows.ts'
import { OutcomeCode } from '../protocol/codes.ts'
import type { OutcomeCommand } from '../protocol/commands.ts'
import { OutcomeEvent, OutcomeField } from '../protocol/events.ts'
import { QuoteCell, QuoteWord } from './quoteRows.ts'
import { RfqCell, RfqWord } from './rfqRows.ts'
import type { OutcomeState } from './state.ts'

/** Opens a row about the RFQ whose row begins at `r`, at its present generation, and returns its first cell. */
export function openRfqRow(s: OutcomeState, event: number, r: number, account: number): number {
  const { events } = s
  const at = events.open(s.nowUs, event, s.cause)
  const { cells } = events
  cells[at + OutcomeField.account] = account
  setRfq(s, cells, at, r)
  return at
}

/** Opens a row about the quote whose row begins at `q` (its maker, the RFQ's owner) and returns its first cell. */
export function openQuoteRow(s: OutcomeState, event: number, q: number): number {
  const { quotes, rfqs } = s
  const r = quotes.words[q + QuoteWord.rfq]!
  const at = openRfqRow(s, event, r, quotes.words[q + QuoteWord.maker]!)
  const { cells } = s.events
  cells[at + OutcomeField.quote] = quotes.cells[q + QuoteCell.number]!
  cells[at + OutcomeField.other] = rfqs.words[r + RfqWord.owner]!
  return at
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

/** Opens the reply to a command that names no RFQ and no quote: its rejection too. */
export function reply(s: OutcomeState, c: OutcomeCommand, code: number): void {
  openReply(s, s.cause, c.account, c.op, code)
}

/** Refuses a field, an `InvalidField`; of a leg with its place. */
export function refuseField(s: OutcomeState, c: OutcomeCommand, field: number, place = NONE): void {
  const at = openReply(s, s.cause, c.account, c.op, OutcomeCode.invalidRequest)
  s.events.cells[at + OutcomeField.amountC] = field
  s.events.cells[at + OutcomeField.amountD] = place
}

/** Opens the reply that takes a command on RFQ `r`, and returns its first cell. */
export function replyOnRfq(s: OutcomeState, c: OutcomeCommand, r: number): number {
  const at = openReply(s, s.cause, c.account, c.op, OutcomeCode.ok)
  setRfq(s, s.events.cells, at, r)
  return at
}

/** Opens the reply that takes a command on quote `q`, and returns its first cell. */
export function replyOnQuote(s: OutcomeState, c: OutcomeCommand, q: number): number {
  const { cells, words } = s.quotes
  const at = replyOnRfq(s, c, words[q + QuoteWord.rfq]!)
  s.events.cells[at + OutcomeField.quote] = cells[q + QuoteCell.number]!
  return at
}

/** Refuses a command that names an RFQ, which the reply shows when the sender may see it, and returns the reply's first cell. */
export function refuseOnRfq(s: OutcomeState, c: OutcomeCommand, code: number): number {
  const { events, rfqs } = s
  const at = openReply(s, s.cause, c.account, c.op, code)
  if (code === OutcomeCode.notFound) return at
  const r = rfqs.rowOf(c.rfq)
  events.cells[at + OutcomeField.rfq] = c.rfq
  events.cells[at + OutcomeField.generation] = rfqs.cells[r + RfqCell.generation]!
  return at
}

/** Refuses a command that names a quote, which the reply shows with its RFQ when the sender may see it, and returns the reply's first cell. */
export function refuseOnQuote(s: OutcomeState, c: OutcomeCommand, code: number): number {
  const { events, quotes, rfqs } = s
  const at = openReply(s, s.cause, c.account, c.op, code)
  if (code === OutcomeCode.quoteNotFound) return at
  const q = quotes.rowOf(c.quote)
  const rfq = quotes.words[q + QuoteWord.rfq]!
  events.cells[at + OutcomeField.rfq] = rfqs.cells[rfq + RfqCell.number]!
  events.cells[at + OutcomeField.generation] = rfqs.cells[rfq + RfqCell.generation]!
  events.cells[at + OutcomeField.quote] = c.quote
  return at
}

/** Opens a reply to the command `cause` and returns its first cell; the fields of its answer are then set on it. */
export function openReply(s: OutcomeState, cause: number, account: number, op: number, code: number): number {
  const { events } = s
  const at = events.open(s.nowUs, OutcomeEvent.reply, cause)
  const { cells } = events
  // An account of −0 is account 0, whose bits the digest sees; so is an opcode.
  cells[at + OutcomeField.account] = account + 0
  cells[at + OutcomeField.amountA] = op + 0
  cells[at + OutcomeField.code] = code
  return at
}

/** The RFQ's number and generation, and its position when it is a cash-out's. */
function setRfq(s: OutcomeState, cells: Float64Array, at: number, r: number): void {
  const { rfqs } = s
  cells[at + OutcomeField.rfq] = rfqs.cells[r + RfqCell.number]!
  cells[at + OutcomeField.generation] = rfqs.cells[r + RfqCell.generation]!
  cells[at + OutcomeField.position] = rfqs.cells[r + RfqCell.position]!
}
