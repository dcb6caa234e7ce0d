import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readTable, type Table } from '../../src/arrow/tableReader.ts'
import { ParlayEvent } from '../../src/venue/parlay/protocol/events.ts'
import { MAKERS, play, step } from './randomSession.ts'

let root: string
beforeAll(() => { root = mkdtempSync(join(tmpdir(), 'parlor-totals-')) })
afterAll(() => rmSync(root, { recursive: true, force: true }))

const sum = (numbers: ArrayLike<number>): number => Array.from(numbers).reduce((total, number) => total + number, 0)
const labels = (table: Table, name: string): string[] => {
  const column = table.column(name)
  return Array.from(column.codes!, (code) => column.values![code] ?? '')
}

let run = 0

test('INV-01 INV-02 tables of random sessions agree with the events, and the last equity with the venue', () => {
  fc.assert(fc.property(fc.array(step, { minLength: 20, maxLength: 80 }), (steps) => {
    const dir = join(root, String(run++))
    const { session, counts, endUs } = play(dir, steps)
    const tableOf = (name: string): Table => readTable(join(dir, 'tables', `${name}.arrow`))
    const E = ParlayEvent

    const requests = tableOf('requests')
    expect(requests.rowCount).toBe(counts.count(E.requestCreated, E.requestUpdated))
    const states = labels(requests, 'state')
    for (const [state, kind] of [['updated', E.requestUpdated], ['committed', E.requestCommitted], ['cancelled', E.requestCancelled], ['expired', E.requestExpired]] as const) {
      expect(states.filter((found) => found === state)).toHaveLength(counts.count(kind))
    }
    const quotes = tableOf('quotes')
    expect(quotes.rowCount).toBe(counts.count(E.quoteSubmitted))
    expect(sum(requests.numbers('quote_count'))).toBe(quotes.rowCount)
    expect(tableOf('acceptances').rowCount).toBe(counts.count(E.quoteSelected))
    expect(tableOf('positions').rowCount).toBe(counts.count(E.positionOpened))
    expect(tableOf('settlements').rowCount).toBe(counts.count(E.positionSettled, E.positionBoughtBack, E.positionFailed))
    expect(sum(tableOf('positions').numbers('transfer_count'))).toBe(counts.count(E.positionTransferred))
    const auctions = tableOf('auctions')
    expect(auctions.rowCount).toBe(counts.count(E.auctionOpened))
    const ends = labels(auctions, 'state')
    expect(ends.filter((end) => end === 'committed')).toHaveLength(counts.count(E.auctionCommitted))
    expect(ends.filter((end) => end === 'cancelled' || end === 'decided')).toHaveLength(counts.count(E.auctionCancelled))
    const bids = tableOf('bids')
    expect(bids.rowCount).toBe(counts.count(E.bidSubmitted))
    expect(sum(auctions.numbers('bid_count'))).toBe(bids.rowCount)
    expect(sum(bids.numbers('taken', 'bool'))).toBe(counts.count(E.bidWon))
    expect(tableOf('vault_transactions').rowCount).toBe(counts.count(E.vaultTransactionStarted))
    const lost = sum(quotes.numbers('traded_away', 'bool'))
    expect(tableOf('marks').rowCount).toBe(2 * (counts.count(E.quoteFilled, E.quoteFailed) + lost))

    const settlements = tableOf('settlements')
    const paid = ['to_holder_micros', 'to_maker_micros', 'profit_fee_micros', 'taker_fee_micros']
      .reduce((total, name) => total + sum(settlements.numbers(name, 'micros')), 0)
    const ledger = tableOf('ledger')
    const causes = labels(ledger, 'cause')
    const settled = ledger.numbers('amount_micros', 'micros').filter((_, row) => ['settle', 'void', 'takerFee', 'profitFee', 'buyback'].includes(causes[row]!))
    const routes = labels(auctions, 'route')
    const transferFees = auctions.column('profit_fee_micros').numbers!.filter((_, row) => routes[row] === 'transferred')
    expect(paid + sum(transferFees)).toBe(sum(settled as Float64Array))

    const equity = tableOf('equity')
    const last = equity.rowCount - MAKERS.length
    expect(equity.numbers('at')[last]).toBe(endUs)
    MAKERS.forEach((account, i) => {
      const balance = session.venue.view.balance(account)
      const cell = (name: string): number => equity.numbers(name)[last + i]!
      expect([cell('free_micros'), cell('reserved_micros'), cell('locked_micros'), cell('at_cost_micros')])
        .toEqual([balance.freeMicros, balance.reservedMicros, balance.lockedMicros, balance.grossMicros])
    })
  }), { numRuns: 15 })
})
