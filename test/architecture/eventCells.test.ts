import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { type Kind, type KindOf, rowAs, rowOfKind, type Row, type RowCells } from '../../src/venue/eventCells.ts'
import { copiedCell, EventCell, EventRows, readCell, rowCopies } from '../../src/venue/eventRows.ts'
import * as outcome from '../../src/venue/outcome/protocol/events.ts'
import { BidFailed, BidRow, CommitReply, LimitRefusal, ParlayEvent, type ParlayKind, QuoteRow, QuoteSelected, QuoteSubmitted, Reply } from '../../src/venue/parlay/protocol/events.ts'

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
    // @ts-expect-error -- the same
    rowAs(QuoteSelected, row)
    // @ts-expect-error -- the same, of a reply
    rowAs(CommitReply, row)
    const kind = rows.kindOf(row) as ParlayKind
    // @ts-expect-error -- no comparison has told which kind it is
    rows.read(rowOfKind(row, kind), QuoteSelected.riskMicros)
    if (kind !== ParlayEvent.quoteSelected) throw new Error('another row')
    // @ts-expect-error -- a name of another kind than the one compared with
    rows.read(rowOfKind(row, kind), QuoteSubmitted.riskMicros)
    // @ts-expect-error -- a number that is no kind
    rows.read(rowOfKind(row, 35), QuoteSelected.riskMicros)
    expect(rows.read(rowOfKind(row, kind), QuoteSelected.riskMicros)).toBe(74_250_000)
  })

  it('is read in each case of a switch by the names of its kinds', () => {
    const read = (row: Row): number => {
      const kind = rows.kindOf(row) as ParlayKind
      switch (kind) {
        case ParlayEvent.quoteSubmitted: case ParlayEvent.quoteFilled:
          // @ts-expect-error -- a name that one of the two kinds has
          rows.read(rowOfKind(row, kind), QuoteSubmitted.riskMicros)
          return rows.read(rowOfKind(row, kind), QuoteRow.quote)
        case ParlayEvent.bidFailed: return rows.read(rowOfKind(row, kind), BidFailed.failure)
        default:
          // @ts-expect-error -- it is of another kind
          rows.read(rowOfKind(row, kind), BidFailed.failure)
          return NaN
      }
    }
    const row = rows.open(5, ParlayEvent.bidFailed, 7)
    rows.write(row, BidFailed.failure, 4)
    expect(read(row)).toBe(4)
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

  it('is written to rows of several kinds by the names that all of them have', () => {
    const openBid = <N extends KindOf<typeof BidRow>>(kind: Kind<N>): Row<N> => {
      const row = rows.open(5, kind, 7)
      rows.write(row, BidRow.priceMicros, 3)
      // @ts-expect-error -- a name that one of the kinds has
      rows.write(row, BidFailed.failure, 4)
      return row
    }
    const row = openBid(ParlayEvent.bidFailed)
    expect([rows.read(row, BidRow.priceMicros), rows.read(row, BidFailed.failure)]).toEqual([3, 4])
    // @ts-expect-error -- another kind
    openBid(ParlayEvent.quoteFailed)
  })

  it('of a row that was taken out of its rows is read by the same names', () => {
    const first = rows.open(5, ParlayEvent.quoteSelected, 7)
    rows.write(first, QuoteSelected.riskMicros, 74_250_000)
    const copy: RowCells = rows.keptRow(first)
    // @ts-expect-error -- it may be of any kind
    readCell(copy, QuoteSelected.riskMicros)
    const kind = readCell(copy, EventCell.kind) as ParlayKind
    if (kind !== ParlayEvent.quoteSelected) throw new Error('another row')
    const row = rowOfKind(copy, kind)
    // @ts-expect-error -- a name of another kind
    readCell(row, QuoteSubmitted.riskMicros)
    // @ts-expect-error -- a cell that is read by its offset alone
    void row.cells[row.first + QuoteSubmitted.riskMicros]
    expect([readCell(row, QuoteSelected.riskMicros), readCell(copy, EventCell.cause)]).toEqual([74_250_000, 7])
  })

  it('of a row whose kind is known is not read as another kind’s', () => {
    const row = rows.open(5, ParlayEvent.quoteSelected, 7)
    // @ts-expect-error -- another kind
    rowAs(QuoteSubmitted, row)
    // @ts-expect-error -- several kinds, none of which it is
    rowAs(BidRow, row)
    // @ts-expect-error -- a kind of the other service
    rowAs(outcome.QuoteAccepted, row)
    // @ts-expect-error -- the same, of a row outside of its rows
    rowAs(QuoteSubmitted, rows.rowCells(row))
    const commit = rowAs(CommitReply, rows.open(5, ParlayEvent.reply, 7))
    // @ts-expect-error -- another form of its kind
    rowAs(LimitRefusal, commit)
    expect(rowAs(Reply, rows.open(5, ParlayEvent.reply, 7))).toBe(rows.row(rows.count - 1))
  })

  it('of a row of several kinds is read as that of one of them, once it is known which', () => {
    const ended = (row: Row<KindOf<typeof BidRow>>): number => {
      // @ts-expect-error -- it may be another one
      rowAs(BidFailed, row)
      const kind = rows.kindOf(row)
      return kind === ParlayEvent.bidFailed ? rows.read(rowOfKind(row, kind), BidFailed.failure) : NaN
    }
    const row = rows.open(5, ParlayEvent.bidFailed, 7)
    rows.write(row, BidFailed.failure, 4)
    expect(ended(row)).toBe(4)
  })

  it('is not read by its offset', () => {
    const row = rows.open(5, ParlayEvent.quoteSelected, 7)
    // @ts-expect-error -- the cells are the rows’ own
    void rows.cells[row + QuoteSubmitted.riskMicros]
    // @ts-expect-error -- the same, of a row that is known
    void rows.rowCells(row).cells[row + QuoteSelected.riskMicros]
    expect(rows.rawCells()[row + EventCell.cause]).toBe(7)
  })

  it('of a copy is read by the names of its kinds', () => {
    const copies = rowCopies(Reply, 2)
    const row = rowAs(Reply, rows.open(5, ParlayEvent.reply, 7))
    rows.write(row, Reply.op, 3)
    rows.copyRow(row, copies, 1)
    // @ts-expect-error -- a row of another kind
    rows.copyRow(rows.open(5, ParlayEvent.quoteSelected, 7), copies, 1)
    rows.copyRow(row, copies, 1)
    // @ts-expect-error -- the same
    rows.repeatRow(rows.open(5, ParlayEvent.quoteSelected, 7), copies, 1)
    // @ts-expect-error -- a name of the other service
    copiedCell(copies, 1, outcome.QuoteAccepted.riskMicros)
    // @ts-expect-error -- a name that one form of its kind has
    copiedCell(copies, 1, CommitReply.position)
    // @ts-expect-error -- a number by its offset
    void copies[15]
    expect(copiedCell(copies, 1, Reply.op)).toBe(3)
  })
})

describe('the layout of an event row', () => {
  const root = fileURLToPath(new URL('../..', import.meta.url))
  const files = ['src', 'test', 'bench', 'tools', 'scenarios'].flatMap((folder) =>
    readdirSync(`${root}${folder}`, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts')).map((file) => `${folder}/${file.replaceAll('\\', '/')}`))
  const saying = (pattern: RegExp): string[] => files.filter((file) => pattern.test(readFileSync(`${root}${file}`, 'utf8'))).sort()

  it('is known to the files that name its cells, and to nobody else', () => {
    expect(files.length).toBeGreaterThan(1_000)
    expect(saying(/\bamount[A-D]\b/)).toEqual(['src/venue/eventRows.ts', 'src/venue/outcome/protocol/events.ts', 'src/venue/parlay/protocol/events.ts'])
    expect(saying(/\bField\b[^']*\} from '[^']*eventRows\.ts'/)).toEqual([
      'src/venue/outcome/protocol/events.ts', 'src/venue/parlay/protocol/events.ts', 'test/venue/eventRows.test.ts',
    ])
    expect(saying(/\.rawCells\(\)/)).toEqual(['src/record/digest.ts', 'test/architecture/eventCells.test.ts', 'test/record/digest.test.ts'])
  })
})
