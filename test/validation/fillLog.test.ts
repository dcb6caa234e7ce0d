import { describe, expect, it } from 'vitest'
import { AccountKind, PostingCause } from '../../src/ledger/ledger.ts'
import { PostingRows } from '../../src/ledger/postingRows.ts'
import { ParlayJournal } from '../../src/venue/parlay/protocol/journal.ts'
import type { Kind } from '../../src/venue/eventCells.ts'
import { EventRows } from '../../src/venue/eventRows.ts'
import { ParlayEvent } from '../../src/venue/parlay/protocol/events.ts'
import { FillLog, isConfirmed, isPaidOut, payoutOf } from '../../src/validation/fillLog.ts'
import { cellNamed } from '../venue/namedCells.ts'
import { kindNames } from '../venue/parlay/cellNames.ts'

const BETTOR = 0
const MAKER = 1
const { free, reserved, pot, house } = AccountKind

type Posting = readonly [fromKind: number, fromOwner: number, toKind: number, toOwner: number, amount: number]
const FILLED: readonly Posting[] = [[reserved, BETTOR, pot, 5, 40], [reserved, MAKER, pot, 5, 60]]
const PAID: readonly Posting[] = [[pot, 5, free, BETTOR, 100]]

/** One commit of 40 against 60, confirmed or not, with the postings given, as a session would flush them. */
function logOf(postings: readonly Posting[], confirmed = true): FillLog {
  const sequence = { next: 1 }
  const events = new EventRows(sequence, 0)
  const rows = new PostingRows(sequence, 0)
  const row = (atUs: number, kind: Kind, cells: Readonly<Record<string, number>>): void => {
    const opened = events.open(atUs, kind, -1)
    for (const [name, value] of Object.entries(cells)) events.write(opened, cellNamed(kindNames(kind), name), value)
  }
  const quoted = { maker: MAKER, request: 1, quote: 9 }
  const selected = { ...quoted, owner: BETTOR }
  row(10, ParlayEvent.requestCreated, { owner: BETTOR, request: 1 })
  row(20, ParlayEvent.quoteSubmitted, quoted)
  row(25, ParlayEvent.quoteSubmitted, { ...quoted, quote: 10 })
  row(30, ParlayEvent.quoteSelected, { ...selected, riskMicros: 60, netStakeMicros: 40 })
  for (const cell of [3, 1, 4, 0]) events.push(cell)
  if (confirmed) {
    row(40, ParlayEvent.quoteFilled, selected)
    row(40, ParlayEvent.positionOpened, { request: 1, quote: 9, holder: BETTOR, backer: MAKER, position: 5 })
  } else row(40, ParlayEvent.quoteFailed, selected)
  for (const [fromKind, fromOwner, toKind, toOwner, amount] of postings) rows.append(50, PostingCause.commit, fromKind, fromOwner, toKind, toOwner, amount, 1)
  // V falls by a thousandth a microsecond from 1, whatever the legs.
  const log = new FillLog((atUs) => 1 - atUs / 1000, [false, true])
  log.flush({ parlay: { events, postings: rows, journal: new ParlayJournal(0) }, outcome: null })
  return log
}

describe('a log of fills', () => {
  it('follows a fill from its commit to the last movement of its pot', () => {
    const log = logOf([...FILLED, ...PAID])
    log.finish()
    expect([log.committedCount, log.settledCount]).toEqual([1, 1])
    expect(log.fills).toMatchObject([{
      request: 1, maker: MAKER, bettor: BETTOR, position: 5, markets: [3, 4], sides: [1, 0], committedUs: 30, valueAtCommit: 0.97, valueAtConfirm: 0.96,
      stakeMicros: 40, riskMicros: 60, paidMicros: 40, riskedMicros: 60, toBettorMicros: 100, toMakerMicros: 0,
    }])
    const [fill] = log.fills
    expect(payoutOf(fill!)).toBe(100)
    expect([isConfirmed(fill!), isPaidOut(fill!)]).toEqual([true, true])
    expect(log.asked).toEqual([{ request: 1, atUs: 10, quotedUs: 20 }])
  })

  it.each([
    ['nothing in its pot', [], false], ['a pot that is full', FILLED, false], ['a pot that is half empty', [...FILLED, [pot, 5, free, BETTOR, 99]], false],
    ['a pot paid to both', [...FILLED, [pot, 5, free, BETTOR, 30], [pot, 5, free, MAKER, 70]], true],
  ] as [string, Posting[], boolean][])('knows of a fill with %s whether it is paid out', (_, postings, paidOut) => {
    const [fill] = logOf(postings).fills
    expect([isConfirmed(fill!), isPaidOut(fill!)]).toEqual([true, paidOut])
    expect(isConfirmed({ ...fill!, confirmedUs: -1 })).toBe(false)
  })

  it('counts no commit that was not confirmed', () => {
    const log = logOf([], false)
    log.finish()
    expect([log.selected, log.failed, log.committedCount, log.fills.length]).toEqual([1, 1, 0, 0])
  })

  it.each([
    ['a pot that was never paid out', FILLED, '1 pots, 0 of them paid out'],
    ['a pot that was paid out in part', [...FILLED, [pot, 5, free, BETTOR, 99]], '1 pots, 0 of them paid out'],
    ['a position without a pot', [], '1 positions, 0 pots'],
    ['another stake than the commit says', [[reserved, BETTOR, pot, 5, 39], [reserved, MAKER, pot, 5, 61], ...PAID], 'holds what its commit says'],
  ] as [string, Posting[], string][])('refuses %s', (_, postings, message) => {
    expect(() => logOf(postings).finish()).toThrow(message)
  })

  it.each([
    ['a pot of no commit', [[reserved, BETTOR, pot, 6, 40]], 'the pot of position 6 has a commit'],
    ['a fee out of a pot, since sessions of validation have none', [...FILLED, [pot, 5, house, -1, 1]], 'nothing but participants'],
  ] as [string, Posting[], string][])('refuses %s at once', (_, postings, message) => {
    expect(() => logOf(postings)).toThrow(message)
  })
})
