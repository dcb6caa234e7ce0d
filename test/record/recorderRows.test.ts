import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { listOf, readTable, type Table } from '../../src/arrow/tableReader.ts'
import type { Directory } from '../../src/record/directory.ts'
import { Recorder, type RecorderOptions } from '../../src/record/recorder.ts'
import { Bug } from '../../src/unit/assert.ts'
import type { Kind } from '../../src/venue/eventCells.ts'
import { ParlayCode } from '../../src/venue/parlay/protocol/codes.ts'
import { ParlayEvent } from '../../src/venue/parlay/protocol/events.ts'
import { ParlayCommand, ParlayOp } from '../../src/venue/parlay/protocol/commands.ts'
import { HandRows } from './handRows.ts'

const DIRECTORY: Directory = {
  accounts: [{ name: 'ann', role: 'bettor', group: 'noise' }, { name: 'bob', role: 'maker', group: 'bob' }],
  markets: Array.from({ length: 12 }, (_, market) => ({ ticker: `M${market}`, cluster: `2025-06-${20 - (market % 3)}` })),
}

let dir: string
beforeEach(() => { dir = mkdtempSync(join(tmpdir(), 'parlor-rows-')) })
afterEach(() => rmSync(dir, { recursive: true, force: true }))

const recorderOf = (more: Partial<RecorderOptions> = {}): Recorder =>
  new Recorder({ dir, directory: DIRECTORY, parlay: { legsMax: 5 }, identity: {}, reference: null, batchRows: 8, ...more })
const tableOf = (name: string): Table => readTable(join(dir, 'tables', `${name}.arrow`))

test('all legs are shown, of requests of many legs and of few, each with its side', () => {
  const recorder = recorderOf({ parlay: { legsMax: 50 } })
  // Fifty legs over twelve markets: the recorder does not judge them.
  const legs = Array.from({ length: 50 }, (_, i) => [i % 12, i % 3 === 0 ? 0 : 1]).flat()
  recorder.flush(new HandRows().request(10, 1, legs).request(11, 2, [7, 0]))
  recorder.finish(20)
  const requests = tableOf('requests')
  const [markets, sides] = [requests.column('leg_markets'), requests.column('leg_sides')]
  expect([...requests.numbers('leg_count')]).toEqual([50, 1])
  expect(listOf(markets, 0)).toEqual(Array.from({ length: 50 }, (_, i) => `M${i % 12}`))
  expect(listOf(sides, 0)).toEqual(Array.from({ length: 50 }, (_, i) => (i % 3 === 0 ? 'no' : 'yes')))
  expect([listOf(markets, 1), listOf(sides, 1)]).toEqual([['M7'], ['no']])
})

test('a row says at which place of the total order its subject began, and at which it ended', () => {
  const recorder = recorderOf()
  const filled = { request: 1, version: 1, position: 1, quote: 2, holder: 0, backer: 1, oddsE4: 20_000 }
  const auction = { auction: 1, position: 1, seller: 0, endsAtUs: 99, basisMicros: 4_950_000, boundMicros: 9_000_000 }
  recorder.flush(new HandRows()
    .request(10, 1, [0, 1, 1, 1])                                                                                  // row 1
    .quote(12, 1, 1)                                                                                               // row 2
    .row(13, ParlayEvent.quoteReplaced, { request: 1, version: 1, quote: 1, maker: 1 })                            // row 3
    .quote(13, 2, 1)                                                                                               // row 4
    .row(14, ParlayEvent.quoteSelected, { request: 1, version: 1, quote: 2, maker: 1, confirmBeforeUs: 19 })       // row 5
    .row(15, ParlayEvent.quoteFilled, { request: 1, version: 1, quote: 2, maker: 1 })                              // row 6
    .row(15, ParlayEvent.positionOpened, { ...filled, netStakeMicros: 4_950_000, payoutMicros: 9_900_000, takerFeeMicros: 50_000, profitFeeBps: 100 }, [0, 1, 1, 1])
    .row(15, ParlayEvent.requestCommitted, { request: 1, version: 1 })                                             // row 8
    .row(20, ParlayEvent.auctionOpened, auction)                                                                   // row 9
    .row(21, ParlayEvent.bidSubmitted, { auction: 1, position: 1, bid: 1, maker: 1, priceMicros: 5_000_000, expiresAtUs: 40 })   // row 10
    .row(22, ParlayEvent.bidExpired, { auction: 1, position: 1, bid: 1, maker: 1 })                                // row 11
    .row(23, ParlayEvent.auctionExpired, { auction: 1, position: 1 }))                                             // row 12
  recorder.finish(30)
  const seqs = (name: string, begin: string): (number | null)[][] => {
    const table = tableOf(name)
    const { numbers, valid } = table.column('seq')
    return Array.from(table.numbers(begin, 'int64'), (first, row) => [first, valid === null || valid[row] === 1 ? numbers![row]! : null])
  }
  expect(seqs('requests', 'created_seq')).toEqual([[1, 8]])
  expect(seqs('quotes', 'submitted_seq')).toEqual([[2, 3], [4, 6]])
  expect(seqs('acceptances', 'selected_seq')).toEqual([[5, 6]])
  expect(seqs('positions', 'opened_seq')).toEqual([[7, null]])
  expect(seqs('auctions', 'opened_seq')).toEqual([[9, 12]])
  expect(seqs('bids', 'submitted_seq')).toEqual([[10, 11]])
})

test('the cluster of a parlay is the latest day among its legs, whatever the order of the directory', () => {
  const recorder = recorderOf()
  recorder.flush(new HandRows().request(10, 1, [2, 1, 0, 1]).request(11, 2, [2, 1, 4, 0]))
  recorder.finish(20)
  const { codes, values } = tableOf('requests').column('cluster')
  expect(Array.from(codes!, (code) => values![code])).toEqual(['2025-06-20', '2025-06-19'])
})

test('the cluster of a parlay is that of the leg that settles last, whatever its label', () => {
  const markets = [['Cubs', 30], ['Cubs', 70], ['Reds', 50], ['Mets', 50]] as const
  const recorder = recorderOf({ directory: { ...DIRECTORY, markets: markets.map(([cluster, settledUs], m) => ({ ticker: `M${m}`, cluster, settledUs })) } })
  // Cubs' first market settles before the Reds', its second after them; Reds and Mets at once.
  recorder.flush(new HandRows().request(10, 1, [2, 1, 0, 1]).request(11, 2, [1, 1, 2, 1]).request(12, 3, [2, 1, 3, 1]))
  recorder.finish(20)
  const { codes, values } = tableOf('requests').column('cluster')
  expect(Array.from(codes!, (code) => values![code])).toEqual(['Reds', 'Cubs', 'Reds'])
})

test('a mark at horizon 0 is the reference at the decision; one due at the very end is not censored, one after it is', () => {
  const recorder = recorderOf({ reference: { parlayValue: (atUs) => atUs / 100 }, horizonsUs: [0, 10, 20], equityEveryUs: 0 })
  const rows = new HandRows().request(10, 1, [0, 1, 1, 1]).quote(12, 1, 1)
    .row(14, ParlayEvent.quoteSelected, { request: 1, quote: 1, maker: 1, confirmBeforeUs: 19 })
    .row(19, ParlayEvent.quoteFailed, { request: 1, quote: 1, maker: 1, isDeclined: 0 })
  recorder.flush(rows)
  recorder.finish(29)
  const marks = tableOf('marks')
  expect([...marks.numbers('horizon_us')]).toEqual([0, 10, 20])
  expect([...marks.numbers('at')]).toEqual([19, 29, 29])
  expect([...marks.numbers('reference')]).toEqual([0.19, 0.29, 0.29])
  expect([...marks.numbers('censored', 'bool')]).toEqual([0, 0, 1])
  expect(marks.column('reference_at_submission').numbers![0]).toBe(0.12)
})

test.each([
  ['evenly, when 500 wait', (number: number) => number * 10],
  ['ever faster, when more wait than are done with', (number: number) => number * 10 - 6 * Math.max(0, number - 1600)],
])('marks of decisions that wait behind a thousand others and come %s are those of their own quotes and legs', (_, atUsOf) => {
  // NO is worth 0.75 and YES 0.25. Every third quote is for NO. Each is declined 3 µs after its request and marked 5,000 µs later.
  const reference = { parlayValue: (_atUs: number, _legs: number, _markets: ArrayLike<number>, sides: ArrayLike<number>) => (sides[0] === 0 ? 0.75 : 0.25) }
  const recorder = recorderOf({ reference, horizonsUs: [5_000], equityEveryUs: 0, batchRows: 4096 })
  const numbers = Array.from({ length: 3000 }, (_, i) => i + 1)
  const rows = new HandRows()
  for (const number of numbers) {
    const atUs = atUsOf(number)
    const side = number % 3 === 0 ? 0 : 1
    rows.request(atUs, number, [0, side, 1, side]).quote(atUs + 1, number, number)
      .row(atUs + 2, ParlayEvent.quoteSelected, { request: number, quote: number, maker: 1, confirmBeforeUs: atUs + 5 })
      .row(atUs + 3, ParlayEvent.quoteFailed, { request: number, quote: number, maker: 1, isDeclined: 1 })
  }
  recorder.flush(rows)
  recorder.finish(40_000)
  const marks = tableOf('marks')
  expect([...marks.numbers('quote')]).toEqual(numbers)
  expect([...marks.numbers('at')]).toEqual(numbers.map((number) => atUsOf(number) + 5_003))
  expect([...marks.numbers('reference')]).toEqual(numbers.map((number) => (number % 3 === 0 ? 0.75 : 0.25)))
})

test('a position without a reference is worth its cost to its backer, and counted', () => {
  const recorder = recorderOf({ reference: { parlayValue: () => NaN }, equityEveryUs: 10 })
  const rows = new HandRows()
  rows.postings.append(10, 1, 0, -1, 1, 1, 10_000_000, -1)
  rows.postings.append(10, 3, 1, 1, 3, 1, 4_000_000, 1)
  const filled = { request: 1, version: 1, position: 1, quote: 1, holder: 0, backer: 1, oddsE4: 30_000 }
  rows.row(10, ParlayEvent.positionOpened, { ...filled, netStakeMicros: 2_000_000, payoutMicros: 6_000_000, takerFeeMicros: 20_000, profitFeeBps: 100 }, [0, 1, 1, 1])
  recorder.flush(rows)
  recorder.finish(10)
  const equity = tableOf('equity')
  expect([...equity.numbers('at')]).toEqual([10])
  const cell = (name: string): number => equity.numbers(name)[0]!
  expect(['free_micros', 'locked_micros', 'at_cost_micros', 'mark_to_market_micros', 'open_positions', 'unpriced_positions'].map(cell))
    .toEqual([6_000_000, 4_000_000, 10_000_000, 10_000_000, 1, 1])
})

test('samples that lie between two rows are all taken, and count what stood before', () => {
  const recorder = recorderOf({ equityEveryUs: 10 })
  const rows = new HandRows()
  rows.postings.append(5, 1, 0, -1, 1, 1, 7, -1)
  rows.postings.append(31, 1, 0, -1, 1, 1, 2, -1)
  recorder.flush(rows)
  recorder.finish(35)
  const equity = tableOf('equity')
  expect([...equity.numbers('at')]).toEqual([10, 20, 30, 35])
  expect([...equity.numbers('free_micros')]).toEqual([7, 7, 7, 9])
  expect([...equity.numbers('seq')]).toEqual([1, 1, 1, 2])
})

test('a row about an entity that is not open is a bug, and so is a command without a row', () => {
  const recorder = recorderOf()
  expect(() => recorder.flush(new HandRows().row(10, ParlayEvent.quoteExpired, { request: 1, quote: 4 }))).toThrow(Bug)
  const rows = new HandRows()
  rows.journal.append(10, Object.assign(new ParlayCommand().reset(ParlayOp.deposit, 0), { seq: 1 }))
  expect(() => recorder.flush(rows)).toThrow('command 1 left no row')
  recorder.abort()
})

test('an account that quotes must be a maker of the directory', () => {
  const recorder = recorderOf()
  const rows = new HandRows().request(10, 1, [0, 1, 1, 1])
  rows.row(11, ParlayEvent.quoteSubmitted, { request: 1, quote: 1, maker: 0, oddsE4: 20_000, riskMicros: 1, takerFeeBps: 1, netStakeMicros: 1, expiresAtUs: 20, bookSeq: 1, version: 1 })
  rows.row(12, ParlayEvent.quoteExpired, { request: 1, quote: 1 })
  expect(() => recorder.flush(rows)).toThrow('account 0 quotes but is no maker of the directory')
  recorder.abort()
})

const POSITION = { request: 1, version: 1, position: 1, holder: 0, backer: 1 }
const AUCTION = { auction: 1, position: 1, request: 1 }

/** A request, a quote that can be selected, a position, and an auction of it with a bid. */
const opened = (): HandRows =>
  new HandRows().request(10, 1, [0, 1, 1, 1]).quote(11, 1, 1)
    .row(12, ParlayEvent.positionOpened, { ...POSITION, quote: 1, oddsE4: 30_000, netStakeMicros: 2_000_000, payoutMicros: 6_000_000, takerFeeMicros: 20_000, profitFeeBps: 100 }, [0, 1, 1, 1])
    .row(13, ParlayEvent.auctionOpened, {
      ...AUCTION, seller: 0, backer: 1, payoutMicros: 6_000_000, netStakeMicros: 2_000_000, basisMicros: 2_000_000, boundMicros: 4_000_000, endsAtUs: 20,
    })
    .row(14, ParlayEvent.bidSubmitted, { ...AUCTION, bid: 1, maker: 1, seller: 0, priceMicros: 3_000_000, expiresAtUs: 19 })

const COMMITTED = { ...AUCTION, seller: 0, winner: 1, bid: 1, priceMicros: 3_000_000, profitFeeMicros: 10_000, route: 0 }
const REFUSED = { account: 0, op: ParlayOp.commitRequest, code: ParlayCode.insufficientCollateral }

test('A27 the profit fee of a buyback below the stake is what both sides owe, and the maker\'s part stands apart', () => {
  const recorder = recorderOf({ parlay: { legsMax: 5, profitFees: { onTransfer: true, onMaker: true } } })
  // Bought back at 1.5 of a stake of 2 and a payout of 6. The seller has no profit. The maker keeps 0.5 of the stake, and owes 1 % of that.
  recorder.flush(opened().row(15, ParlayEvent.bidWon, { ...AUCTION, bid: 1, maker: 1, seller: 0 })
    .row(15, ParlayEvent.auctionCommitted, { ...COMMITTED, priceMicros: 1_500_000, profitFeeMicros: 0 })
    .row(15, ParlayEvent.positionBoughtBack, {
      ...POSITION, auction: 1, isPaidByMaker: 0, differenceMicros: 500_000, toHolderMicros: 1_500_000, profitFeeMicros: 0, toBackerMicros: 4_495_000,
    }))
  recorder.finish(20)
  const settlements = tableOf('settlements')
  const cell = (name: string): number => settlements.numbers(name)[0]!
  expect(['price_micros', 'to_holder_micros', 'to_maker_micros', 'profit_fee_micros', 'maker_profit_fee_micros'].map(cell))
    .toEqual([1_500_000, 1_500_000, 4_495_000, 5_000, 5_000])
})

test.each<[string, Kind, Readonly<Record<string, number>>]>([
  ['the price of a sale', ParlayEvent.auctionCommitted, { ...COMMITTED, priceMicros: NaN }],
  ['the profit fee of a sale', ParlayEvent.auctionCommitted, { ...COMMITTED, profitFeeMicros: NaN }],
  ['the route of a sale', ParlayEvent.auctionCommitted, { ...COMMITTED, route: NaN }],
  ['the bid of a sale', ParlayEvent.auctionCommitted, { ...COMMITTED, bid: NaN }],
  ['the seq of the end of an auction', ParlayEvent.auctionCommitted, { ...COMMITTED, seq: NaN }],
  ['the seq of the end of a request', ParlayEvent.requestExpired, { request: 1, seq: NaN }],
  ['the seq of the end of a quote', ParlayEvent.quoteExpired, { request: 1, quote: 1, seq: NaN }],
  ['the collateral that was needed', ParlayEvent.reply, { ...REFUSED, requiredMicros: NaN }],
  ['the collateral that was free', ParlayEvent.reply, { ...REFUSED, availableMicros: NaN }],
  ['the outcome of a position', ParlayEvent.positionSettled, {
    ...POSITION, outcome: NaN, toHolderMicros: 1, toBackerMicros: 1, profitFeeMicros: 0, takerFeeKeptMicros: 0,
  }],
])('NaN is a bug as %s, and not an empty cell', (_, kind, fields) => {
  const recorder = recorderOf()
  expect(() => recorder.flush(opened().row(15, kind, fields))).toThrow('a cell that has a value is NaN')
  recorder.abort()
})

test('NaN is a bug as what the touch makes of equity, and not an empty cell', () => {
  const touchValue = () => undefined as unknown as number
  const recorder = recorderOf({ reference: { parlayValue: () => 0.5, touchValue }, equityEveryUs: 10 })
  recorder.flush(opened())
  expect(() => recorder.finish(20)).toThrow('a cell that has a value is NaN')
  recorder.abort()
})

test('a reply with a code that its service does not have is a bug', () => {
  const recorder = recorderOf()
  expect(() => recorder.flush(new HandRows().row(10, ParlayEvent.reply, { ...REFUSED, code: 9 }))).toThrow('no reply has code 9')
  recorder.abort()
})
