import { describe, expect, it } from 'vitest'
import { rowAs, type Row } from '../../src/venue/eventCells.ts'
import { EventCell, EventRows } from '../../src/venue/eventRows.ts'
import * as outcome from '../../src/venue/outcome/protocol/events.ts'
import { BidRow, CommitReply, LimitRefusal, ParlayEvent, QuoteSelected, QuoteSubmitted, Reply } from '../../src/venue/parlay/protocol/events.ts'

const rows = new EventRows({ next: 1 }, 0, 8)

describe('a cell of an event row', () => {
  it('is written and read by the names of the row’s kind', () => {
    const row = rows.open(5, ParlayEvent.quoteSelected, 7)
    rows.write(row, QuoteSelected.riskMicros, 74_250_000)
    expect([rows.read(row, QuoteSelected.riskMicros), rows.read(row, EventCell.atUs), rows.read(row, EventCell.cause)]).toEqual([74_250_000, 5, 7])
    expect(rows.kindOf(row)).toBe(ParlayEvent.quoteSelected)
    expect(rows.row(rows.count - 1)).toBe(row)
  })

  // What stands below is judged by the compiler: a mistake that it lets pass makes an unused `expect-error`.
  it('is not read through another kind’s names', () => {
    const row = rows.open(5, ParlayEvent.quoteSelected, 7)
    // @ts-expect-error -- a name of another kind
    rows.read(row, QuoteSubmitted.riskMicros)
    // @ts-expect-error -- a name of several other kinds
    rows.read(row, BidRow.priceMicros)
    // @ts-expect-error -- a name of the other service
    rows.write(row, outcome.QuoteAccepted.riskMicros, 1)
    // @ts-expect-error -- a bare offset
    rows.read(row, 15)
    expect(row).toBe(rows.row(rows.count - 1))
  })

  it('is not read of a row whose kind is not known', () => {
    const row: Row = rows.row(0)
    // @ts-expect-error -- it may be of any kind
    rows.read(row, QuoteSelected.riskMicros)
    expect(rows.read(rowAs(QuoteSelected, row), QuoteSelected.riskMicros)).toBe(74_250_000)
  })

  it('of a reply is read by the names of what it answers, or of what every reply has', () => {
    const row = rows.open(5, ParlayEvent.reply, 7)
    rows.write(row, Reply.op, 3)
    // @ts-expect-error -- what it answers is not known
    rows.read(row, CommitReply.position)
    const commit = rowAs(CommitReply, row)
    rows.write(commit, CommitReply.position, 9)
    // @ts-expect-error -- it answers something else
    rows.read(commit, LimitRefusal.limit)
    expect([rows.read(commit, Reply.op), rows.read(commit, CommitReply.position)]).toEqual([3, 9])
  })
})
