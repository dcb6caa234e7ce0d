import { describe, expect, it } from 'vitest'
import { NONE } from '../../src/unit/none.ts'
import { type Cell, type Row, rowAs, rowOfKind } from '../../src/venue/eventCells.ts'
import { copiedCell, rowCopies, EVENT_STRIDE, EventCell, EventRows, Field, readCell } from '../../src/venue/eventRows.ts'
import { OutcomeEvent } from '../../src/venue/outcome/protocol/events.ts'
import { LimitRefusal, ParlayEvent, Reply, RequestCreated, StreamChanged } from '../../src/venue/parlay/protocol/events.ts'

const OPEN = ParlayEvent.requestCreated
const list = (rows: EventRows, index: number): number[] => [...rows.list(rows.row(index))]
const seqOf = (rows: EventRows, index: number): number => rows.read(rows.row(index), EventCell.seq)

describe('EventRows', () => {
  it('has a field for each cell of a row', () => {
    expect(Object.values(Field).toSorted((a, b) => a - b)).toEqual([...Array(EVENT_STRIDE).keys()])
  })

  it('fills a row with NONE but for what is known, and numbers rows in the session\'s order', () => {
    const sequence = { next: 5 }
    const parlay = new EventRows(sequence, 1)
    const outcome = new EventRows(sequence, 2)
    const first = parlay.open(1000, ParlayEvent.streamOpened, NONE)
    outcome.open(1000, OutcomeEvent.streamOpened, 88)
    const second = parlay.open(1001, ParlayEvent.streamClosed, 89)
    parlay.write(second, StreamChanged.account, 12)
    expect([seqOf(parlay, 0), seqOf(outcome, 0), seqOf(parlay, 1), sequence.next]).toEqual([5, 6, 7, 8])
    const known = { seq: 7, atUs: 1001, service: 1, kind: ParlayEvent.streamClosed, cause: 89, account: 12, listStart: 0, listLength: 0 }
    for (const [name, field] of Object.entries(Field)) {
      expect([name, parlay.read(second, field as unknown as Cell<string>)]).toEqual([name, (known as Record<string, number>)[name] ?? NONE])
    }
    expect(parlay.read(first, StreamChanged.account)).toBe(NONE)
  })

  it('keeps a list of its own for each row', () => {
    const rows = new EventRows({ next: 1 }, 1)
    rows.open(1, OPEN, 1)
    rows.push(10)
    rows.push(-11)
    rows.open(1, OPEN, 1)
    rows.open(1, OPEN, 1)
    rows.push(12)
    expect([list(rows, 0), list(rows, 1), list(rows, 2)]).toEqual([[10, -11], [], [12]])
  })

  it('grows in rows and in lists, and writes on in the open row', () => {
    const rows = new EventRows({ next: 1 }, 1, 1)
    for (let i = 0; i < 100; i++) {
      const row = rows.open(i, OPEN, i)
      for (let k = 0; k <= i; k++) rows.push(i * 1000 + k)
      rows.write(row, RequestCreated.betMicros, i * 2)
    }
    const row = (index: number): Row<'parlay.requestCreated'> => rowOfKind(rows.row(index), OPEN)
    expect([rows.count, rows.poolCount]).toEqual([100, 5050])
    expect([seqOf(rows, 99), rows.read(row(99), RequestCreated.betMicros), rows.read(row(42), RequestCreated.betMicros)]).toEqual([100, 198, 84])
    expect([rows.read(row(99), RequestCreated.owner), rows.read(row(42), RequestCreated.expiresAtUs)]).toEqual([NONE, NONE])
    expect(list(rows, 2)).toEqual([2000, 2001, 2002])
    expect(list(rows, 99)).toHaveLength(100)
  })

  it('starts anew after clear, with the sequence going on', () => {
    const rows = new EventRows({ next: 1 }, 1)
    rows.write(rows.open(1, OPEN, 1), RequestCreated.bookSeq, 404)
    rows.push(5)
    rows.clear()
    expect([rows.count, rows.poolCount]).toEqual([0, 0])
    const row = rows.open(2, OPEN, 2)
    expect([rows.read(row, EventCell.seq), rows.read(row, RequestCreated.bookSeq), rows.read(row, EventCell.listStart)]).toEqual([2, NONE, 0])
    expect(list(rows, 0)).toEqual([])
  })

  it('keeps what a row says, and repeats it in another: all from its account to the announced instant, nothing else', () => {
    const rows = new EventRows({ next: 1 }, 1)
    const kept = rowCopies(LimitRefusal, 3)
    const reply = rowAs(LimitRefusal, rows.open(5, ParlayEvent.reply, 7))
    rows.write(reply, Reply.account, 11)
    rows.write(reply, LimitRefusal.limit, 12)
    rows.write(reply, LimitRefusal.resetAtUs, 13)
    rows.push(14)
    rows.copyRow(reply, kept, 1)
    const ends = [0, 1, 2].map((place) => [copiedCell(kept, place, Reply.account), copiedCell(kept, place, LimitRefusal.resetAtUs)])
    expect(ends).toEqual([[0, 0], [11, 13], [0, 0]])
    expect([copiedCell(kept, 1, LimitRefusal.limit), copiedCell(kept, 1, LimitRefusal.bucket)]).toEqual([12, NONE])
    const again = rowAs(LimitRefusal, rows.open(6, ParlayEvent.reply, 9))
    rows.repeatRow(again, kept, 1)
    expect(Object.values(EventCell).map((cell) => rows.read(again, cell))).toEqual([2, 6, 1, ParlayEvent.reply, 9, 1, 0])
    expect([Reply.account, Reply.code, LimitRefusal.limit, LimitRefusal.resetAtUs].map((cell) => rows.read(again, cell))).toEqual([11, NONE, 12, 13])
  })

  it('gives a row with its list', () => {
    const rows = new EventRows({ next: 1 }, 1)
    rows.open(1, ParlayEvent.requestCreated, 1)
    rows.push(10)
    const row = rows.open(1, ParlayEvent.requestCreated, 1)
    rows.write(row, RequestCreated.betMicros, 25)
    rows.push(11)
    rows.push(12)
    expect([...rows.list(row)]).toEqual([11, 12])
    const cells = rows.rowCells(row)
    expect([readCell(cells, RequestCreated.betMicros), cells.pool[readCell(cells, EventCell.listStart)]]).toEqual([25, 11])
  })

  it('gives a copy of a row with its list, which stays when the rows are cleared', () => {
    const rows = new EventRows({ next: 1 }, 1)
    rows.open(1, ParlayEvent.requestCreated, 1)
    rows.push(10)
    const row = rows.open(2, ParlayEvent.requestCreated, 7)
    rows.write(row, RequestCreated.expiresAtUs, 25)
    rows.push(11)
    rows.push(12)
    rows.open(3, ParlayEvent.requestCreated, 1)
    const kept = rows.keptRow(row)
    rows.clear()
    rows.push(13)
    expect([EventCell.seq, EventCell.atUs, EventCell.cause, EventCell.listStart, EventCell.listLength].map((cell) => readCell(kept, cell))).toEqual([2, 2, 7, 0, 2])
    expect([readCell(kept, RequestCreated.expiresAtUs), [...kept.pool]]).toEqual([25, [11, 12]])
  })

  it('gives copies that are apart from each other, however many there are', () => {
    const rows = new EventRows({ next: 1 }, 1)
    const kept = Array.from({ length: 200 }, (_, i) => {
      const row = rows.open(i, ParlayEvent.requestCreated, 7)
      rows.write(row, RequestCreated.expiresAtUs, 1000 + i)
      if (i % 3 === 0) rows.push(i)
      const copy = rows.keptRow(row)
      rows.clear()
      return copy
    })
    kept.forEach((row, i) => {
      expect([readCell(row, EventCell.seq), readCell(row, EventCell.atUs), readCell(row, RequestCreated.expiresAtUs), ...row.pool]).toEqual([i + 1, i, 1000 + i, ...i % 3 === 0 ? [i] : []])
    })
  })
})
