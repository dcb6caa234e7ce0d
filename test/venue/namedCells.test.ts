import { describe, expect, it } from 'vitest'
import { rowAs } from '../../src/venue/eventCells.ts'
import { EventRows } from '../../src/venue/eventRows.ts'
import { ParlayCode } from '../../src/venue/parlay/protocol/codes.ts'
import { ParlayOp } from '../../src/venue/parlay/protocol/commands.ts'
import { ParlayEvent, QuoteReply, Reply, WalletChanged } from '../../src/venue/parlay/protocol/events.ts'
import { cellNamed, namedCells } from './namedCells.ts'
import { namesOf } from './parlay/cellNames.ts'

describe('a row shown by the names of its kind', () => {
  it('has the cells that are set', () => {
    const rows = new EventRows({ next: 1 }, 0, 1)
    const row = rows.open(5, ParlayEvent.walletChanged, 7)
    rows.write(row, WalletChanged.account, 3)
    const cells = rows.rowCells(row)
    expect(namedCells(cells, namesOf(cells))).toEqual({ account: 3 })
  })

  it('is refused where a cell is set that its kind does not name', () => {
    const rows = new EventRows({ next: 1 }, 0, 1)
    const row = rows.open(5, ParlayEvent.walletChanged, 7)
    rows.write(row, cellNamed(QuoteReply, 'oddsE4'), 20_000)
    const cells = rows.rowCells(row)
    expect(() => namedCells(cells, namesOf(cells))).toThrow('20000 in cell 14')
  })

  it('is refused where a reply has a cell of another opcode', () => {
    const rows = new EventRows({ next: 1 }, 0, 1)
    const row = rows.open(5, ParlayEvent.reply, 7)
    rows.write(row, Reply.op, ParlayOp.deposit)
    rows.write(row, Reply.code, ParlayCode.ok)
    rows.write(rowAs(QuoteReply, row), QuoteReply.takerFeeBps, 100)
    const cells = rows.rowCells(row)
    expect(() => namedCells(cells, namesOf(cells))).toThrow('100 in cell 16')
  })

  it('is not written by a name that its kind has not', () => {
    expect(() => cellNamed(WalletChanged, 'riskMicros')).toThrow('no cell is called riskMicros')
  })
})
