import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readTable } from '../../src/arrow/tableReader.ts'
import { Digest } from '../../src/record/digest.ts'
import type { ProfitFeeRules } from '../../src/record/openPositions.ts'
import type { ReferencePort } from '../../src/record/reference.ts'
import { Recorder } from '../../src/record/recorder.ts'
import { replayJournal } from '../../src/record/replayJournal.ts'
import { SECOND_US } from '../../src/unit/time.ts'
import { ParlayCommand } from '../../src/venue/parlay/protocol/commands.ts'
import { CASH_OUT_PRICES, CASH_OUT_SECONDS, playCashOuts } from './cashOutStory.ts'
import { Session } from './session.ts'
import { BETTOR, DIRECTORY, CLARA, SHADE, T0 } from './story.ts'

let root: string
let dir: string
let digest: string

function record(name: string, profitFees?: ProfitFeeRules, reference: ReferencePort = CASH_OUT_PRICES): string {
  const sink = new Digest()
  const recorder = new Recorder({
    dir: join(root, name), directory: DIRECTORY, parlay: { legsMax: 5, ...(profitFees === undefined ? {} : { profitFees }) }, identity: {}, reference,
    horizonsUs: [], equityEveryUs: 65 * SECOND_US, batchRows: 4,
  })
  const profile = profitFees === undefined ? {} : { profitFeeOnTransfer: Number(profitFees.onTransfer), profitFeeOnMaker: Number(profitFees.onMaker) }
  playCashOuts(new Session([recorder, sink], { profile, chunk: 3 }))
  return sink.hex()
}

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'parlor-cash-out-'))
  dir = join(root, 'story')
  digest = record('story')
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

type Cell = number | string | null

/** Rows of the named columns; instants in whole seconds after T0. */
function rows(name: string, ...names: readonly string[]): Cell[][] {
  return rowsOf(dir, name, ...names)
}

function rowsOf(folder: string, name: string, ...names: readonly string[]): Cell[][] {
  const table = readTable(join(folder, 'tables', `${name}.arrow`))
  const columns = names.map((column) => table.column(column))
  return Array.from({ length: table.rowCount }, (_, row) => columns.map((column): Cell => {
    if (column.valid !== null && column.valid[row] === 0) return null
    if (column.codes !== undefined) return column.codes[row]! < 0 ? null : column.values![column.codes[row]!]!
    return column.type === 'timeUs' ? (column.numbers![row]! - T0) / SECOND_US : column.numbers![row]!
  }))
}

test('every auction leaves one row with its sale, or how it ended without one', () => {
  expect(rows('auctions', 'auction', 'position', 'request', 'seller', 'cohort', 'seller_maker', 'backing_maker', 'opened_at', 'ends_at', 'ended_at', 'state')).toEqual([
    [1, 1, 1, BETTOR, 'noise', null, 'shade', 40, 50, 44, 'committed'],
    [2, 2, 2, BETTOR, 'noise', null, 'shade', 60, 70, 62, 'committed'],
    [3, 2, 2, CLARA, 'clara', 'clara', 'shade', 64, 74, 66, 'cancelled'],
    [4, 2, 2, CLARA, 'clara', 'clara', 'shade', 68, 78, 78, 'expired'],
    [5, 3, 3, BETTOR, 'noise', null, 'clara', 80, 90, 84, 'decided'],
    [6, 5, 5, BETTOR, 'noise', null, 'shade', 121, 131, 123, 'committed'],
  ])
  // The bettor's basis is the stake, clara's the 45 that she paid. Bound: 99 − 1 % of 74.25.
  expect(rows('auctions', 'payout_micros', 'net_stake_micros', 'seller_cost_micros', 'cost_basis_micros', 'buyback_bound_micros', 'best_bid_at_end_micros', 'bid_count', 'maker_count', 'failed_bid_count')).toEqual([
    [99_000_000, 24_750_000, 25_000_000, 24_750_000, 98_257_500, 39_000_000, 3, 2, 0],
    [99_000_000, 24_750_000, 25_000_000, 24_750_000, 98_257_500, 45_000_000, 1, 1, 0],
    [99_000_000, 24_750_000, 45_000_000, 45_000_000, 98_257_500, null, 0, 0, 0],
    [99_000_000, 24_750_000, 45_000_000, 45_000_000, 98_257_500, null, 1, 1, 0],
    [99_000_000, 24_750_000, 25_000_000, 24_750_000, 98_257_500, null, 1, 1, 1],
    [99_000_000, 24_750_000, 25_000_000, 24_750_000, 98_257_500, 30_000_000, 1, 1, 0],
  ])
})

test('A26 the seller gets the price less 1 % of what it lies above the stake', () => {
  expect(rows('auctions', 'winner', 'bid', 'route', 'price_micros', 'profit_fee_micros', 'to_seller_micros', 'cluster', 'reference_at_opening', 'reference_at_end')).toEqual([
    // 14.25, 20.25 and 5.25 above the stake.
    ['shade', 2, 'bought_back', 39_000_000, 142_500, 38_857_500, '2025-06-20', 0.4, 0.4],
    ['clara', 4, 'transferred', 45_000_000, 202_500, 44_797_500, '2025-06-20', 0.5, 0.5],
    [null, null, null, null, null, null, '2025-06-20', 0.5, 0.5],
    [null, null, null, null, null, null, '2025-06-20', 0.5, 0.5],
    // Ended by the result that lost it.
    [null, null, null, null, null, null, '2025-06-21', 0.5, 0],
    ['clara', 7, 'transferred', 30_000_000, 52_500, 29_947_500, '2025-06-20', 0.5, 0.5],
  ])
})

test('every bid leaves one row with what its maker thought, and the fee that a win would cost it', () => {
  expect(rows('bids', 'bid', 'auction', 'maker', 'is_buyback', 'price_micros', 'profit_fee_if_won_micros', 'submitted_at', 'valid_until', 'ended_at')).toEqual([
    // 1 % of 99 − 30, 99 − 36, 99 − 45, 99 − 62 and 99 − 30; nothing of a backer.
    [1, 1, 'clara', 0, 30_000_000, 690_000, 41, 46, 43],
    [2, 1, 'shade', 1, 39_000_000, 0, 42, 47, 44],
    [3, 1, 'clara', 0, 36_000_000, 630_000, 43, 48, 44],
    [4, 2, 'clara', 0, 45_000_000, 540_000, 61, 66, 62],
    [5, 4, 'shade', 1, 50_000_000, 0, 69, 74, 74],
    [6, 5, 'shade', 0, 62_000_000, 370_000, 81, 86, 82],
    [7, 6, 'clara', 0, 30_000_000, 690_000, 122, 127, 123],
  ])
  expect(rows('bids', 'state', 'failure', 'taken', 'traded_away', 'competing_bids', 'fair', 'reference')).toEqual([
    ['replaced', null, 0, 0, 0, null, 0.4],
    ['won', null, 1, 0, 1, 0.41, 0.4],
    ['invalidated', null, 0, 1, 1, 0.39, 0.4],
    ['won', null, 1, 0, 0, null, 0.5],
    ['expired', null, 0, 0, 0, null, 0.5],
    ['failed', 'insufficientBuyerBalance', 0, 0, 0, null, 0.5],
    ['won', null, 1, 0, 0, null, 0.5],
  ])
})

test('every position leaves one row, with its bettor and who held it at the end', () => {
  expect(rows('positions', 'position', 'state', 'outcome', 'maker', 'bettor', 'cohort', 'holder_at_end', 'holder_maker', 'transfer_count', 'holder_cost_micros', 'auction_count')).toEqual([
    [4, 'failed', 'failed', 'clara', BETTOR, 'noise', BETTOR, null, 0, 25_000_000, 0],
    [1, 'bought_back', 'bought_back', 'shade', BETTOR, 'noise', BETTOR, null, 0, 25_000_000, 1],
    [2, 'settled', 'lost', 'shade', BETTOR, 'noise', CLARA, 'clara', 1, 45_000_000, 3],
    [3, 'settled', 'lost', 'clara', BETTOR, 'noise', BETTOR, null, 0, 25_000_000, 1],
    [5, 'open', null, 'shade', BETTOR, 'noise', CLARA, 'clara', 1, 30_000_000, 1],
  ])
  expect(rows('positions', 'position', 'opened_at', 'funded_at', 'resolved_at', 'ended_at')).toEqual([
    [4, 16, null, null, 36], [1, 4, 4, null, 44], [2, 8, 8, 84, 114], [3, 12, 12, 84, 114], [5, 119, 119, null, null],
  ])
})

test('INV-01 every pot and escrow that ended is paid out in full', () => {
  const ends = rows('settlements', 'position', 'at', 'outcome', 'to_holder_micros', 'to_maker_micros', 'profit_fee_micros', 'taker_fee_micros', 'price_micros', 'auction', 'holder_maker')
  expect(ends).toEqual([
    [4, 36, 'failed', 25_000_000, 74_250_000, 0, 0, null, null, null],
    [1, 44, 'bought_back', 38_857_500, 60_000_000, 142_500, 250_000, 39_000_000, 1, null],
    [2, 114, 'lost', 0, 99_000_000, 0, 250_000, null, null, 'clara'],
    [3, 114, 'lost', 0, 99_000_000, 0, 250_000, null, null, null],
  ])
  for (const end of ends) expect(end.slice(3, 7).reduce((sum: number, part) => sum + Number(part), 0)).toBe(99_250_000)
  expect(rows('settlements', 'position', 'holder_cost_micros', 'holder')[2]).toEqual([2, 45_000_000, CLARA])
})

test('transactions that the chain held up leave one row each', () => {
  expect(rows('vault_transactions', 'transaction', 'effect', 'account', 'maker', 'amount_micros', 'position', 'request', 'started_at', 'initial_status', 'ended_at', 'status')).toEqual([
    [1, 'fill', BETTOR, 'clara', 99_250_000, 4, 4, 16, 'chain_pending', 36, 'failed'],
    [2, 'withdrawal', SHADE, null, 850_000_000, null, null, 45, 'balance_pending', 55, 'completed'],
  ])
})

test('PQ-084 a refused commit names the bid that it put out, a pending withdrawal its transaction', () => {
  expect(rows('rejections', 'at', 'op', 'rejection', 'reason', 'request', 'position', 'auction', 'bid', 'quote', 'failed_maker', 'transaction')).toEqual([
    [45, 'withdraw', 'recoveryPending', 'recovery_pending', null, null, null, null, null, null, 2],
    [82, 'commitCashout', 'insufficientBuyerBalance', 'insufficient_buyer_balance', 3, 3, 5, 6, null, 'shade', null],
  ])
})

test('a maker that holds a position has an asset, at the reference and less the fee of a win', () => {
  const samples = rows('equity', 'at', 'maker', 'free_micros', 'locked_micros', 'mark_to_market_micros', 'open_positions', 'held_positions', 'held_cost_micros').slice(-2)
  // shade: 1000 − 850, −14.25 and 24.75 earned, 74.25 at risk, worth 0.5 · 99.
  // clara: 1000 − 45 + 24.75, 30 paid for the position that is worth 0.5 · (99 − 1 % of 69).
  expect(samples).toEqual([
    [130, 'shade', 86_250_000, 74_250_000, 135_750_000, 1, 0, 0],
    [130, 'clara', 949_750_000, 0, 998_905_000, 0, 1, 30_000_000],
  ])
})

test('a position without a value is worth what it cost to both sides, and counted to both', () => {
  record('unpriced', undefined, { parlayValue: () => NaN })
  const samples = rowsOf(join(root, 'unpriced'), 'equity', 'at', 'maker', 'mark_to_market_micros', 'open_positions', 'held_positions', 'unpriced_positions')
  // After the first sale to clara at 62 s: she holds one and shade backs it. At 130 s the same of the last position, as above.
  expect(samples.slice(-2)).toEqual([
    [130, 'shade', 86_250_000 + 74_250_000, 1, 0, 1], [130, 'clara', 949_750_000 + 30_000_000, 0, 1, 1],
  ])
})

test('a position without a price to leave it is worth what it cost to both sides, whatever its value', () => {
  record('untouched', undefined, { parlayValue: () => 0.5, touchValue: () => NaN })
  // As above: 30 is what clara paid, and not the stake of 24.75.
  expect(rowsOf(join(root, 'untouched'), 'equity', 'at', 'maker', 'liquidation_micros').slice(-2)).toEqual([
    [130, 'shade', 86_250_000 + 74_250_000], [130, 'clara', 949_750_000 + 30_000_000],
  ])
})

test('A27 without a fee on transfers the new holder keeps the basis of the old one', () => {
  record('free-transfer', { onTransfer: false, onMaker: false })
  const free = (name: string, ...names: string[]) => rowsOf(join(root, 'free-transfer'), name, ...names)
  expect(free('auctions', 'auction', 'profit_fee_micros', 'to_seller_micros').filter(([, fee]) => fee !== null)).toEqual([
    [1, 142_500, 38_857_500], [2, 0, 45_000_000], [6, 0, 30_000_000],
  ])
  expect(new Set(free('bids', 'profit_fee_if_won_micros').flat())).toEqual(new Set([742_500, 0]))
  expect(free('auctions', 'cost_basis_micros', 'seller_cost_micros')[2]).toEqual([24_750_000, 45_000_000])
  // 0.5 · (99 − 0.7425).
  expect(free('equity', 'mark_to_market_micros', 'free_micros').at(-1)).toEqual([949_750_000 + 49_128_750, 949_750_000])
})

test('a profit fee on makers stands apart, and lowers what a backed position is worth', () => {
  record('maker-fee', { onTransfer: true, onMaker: true })
  const of = (name: string, ...names: string[]) => rowsOf(join(root, 'maker-fee'), name, ...names)
  // 1 % of the stake that it won; shade bought back above the stake.
  expect(of('settlements', 'position', 'to_maker_micros', 'profit_fee_micros', 'maker_profit_fee_micros')).toEqual([
    [4, 74_250_000, 0, 0], [1, 60_000_000, 142_500, 0], [2, 98_752_500, 247_500, 247_500], [3, 98_752_500, 247_500, 247_500],
  ])
  // 0.5 · (99 − 0.2475).
  const [marked, freeMicros] = of('equity', 'mark_to_market_micros', 'free_micros').at(-2)!
  expect(Number(marked) - Number(freeMicros)).toBe(49_376_250)
})

test('the journal table, given to a fresh venue, makes the same rows', () => {
  const sink = new Digest()
  const session = new Session([sink])
  replayJournal(join(dir, 'tables', 'journal.arrow'), {
    parlay: { command: new ParlayCommand(), apply: (atUs, command) => session.venue.apply(atUs, command) },
  })
  session.finish(T0 + CASH_OUT_SECONDS * SECOND_US)
  expect(sink.hex()).toBe(digest)
})

test('an auction and a bid that live when the session ends leave rows without an end', () => {
  const folder = join(root, 'open')
  const recorder = new Recorder({ dir: folder, directory: DIRECTORY, parlay: { legsMax: 5 }, identity: {}, reference: null, horizonsUs: [], equityEveryUs: 0 })
  const session = new Session([recorder])
  // Up to the last auction's bid: the story's own end comes too late.
  const stop = T0 + 122 * SECOND_US
  const apply = session.apply.bind(session)
  session.apply = (atUs, ...rest) => { if (atUs <= stop) apply(atUs, ...rest) }
  session.finish = () => Session.prototype.finish.call(session, stop)
  playCashOuts(session)
  expect(rowsOf(folder, 'auctions', 'seq', 'auction', 'state', 'ended_at', 'best_bid_at_end_micros').at(-1)).toEqual([null, 6, 'open', null, 30_000_000])
  expect(rowsOf(folder, 'bids', 'seq', 'bid', 'state', 'ended_at', 'reference').at(-1)).toEqual([null, 7, 'open', null, null])
})
