import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readTable, type Table } from '../../src/arrow/tableReader.ts'
import type { Directory } from '../../src/record/directory.ts'
import { Digest } from '../../src/record/digest.ts'
import { Recorder } from '../../src/record/recorder.ts'
import { replayJournal } from '../../src/record/replayJournal.ts'
import type { Batch, Sink } from '../../src/record/sink.ts'
import { SECOND_US } from '../../src/unit/time.ts'
import type { Cell } from '../../src/venue/eventCells.ts'
import { OutcomeCommand } from '../../src/venue/outcome/protocol/commands.ts'
import { OutcomeEvent, PositionRow } from '../../src/venue/outcome/protocol/events.ts'
import type { OutcomeProfile } from '../../src/venue/outcome/protocol/profile.ts'
import { T0 } from '../venue/outcome/driver.ts'
import { ACCOUNTS, startMoneyWalk, stepMoneyWalk } from '../venue/outcome/moneyWalk.ts'
import { drawsOf } from '../draws.ts'
import { JournalDriver, OutcomeSession } from './outcomeSession.ts'

const MAKERS = [3, 4, 5]
const OUTCOMES = 401
const STEPS = 900

const DIRECTORY: Directory = {
  accounts: Array.from({ length: ACCOUNTS }, (_, account) => {
    const isMaker = MAKERS.includes(account)
    return { name: `a${account}`, role: isMaker ? 'maker' as const : 'bettor' as const, group: isMaker ? `a${account}` : 'takers' }
  }),
  markets: Array.from({ length: OUTCOMES }, (_, market) => ({ ticker: `M${market}`, cluster: `day ${market % 7}` })),
}

/** Counts events by kind. */
class Counts implements Sink {
  private readonly of = new Map<number, number>()

  flush({ outcome }: Batch): void {
    const { events } = outcome!
    for (let i = 0; i < events.count; i++) {
      const row = events.row(i)
      const kind = events.kindOf(row)
      // Rows of RFQs, quotes, operations and positions have it in the same cell, and all others have none there.
      const cashout = events.read(row, PositionRow.position as Cell<string>) >= 0 ? 1000 : 0
      this.of.set(kind + cashout, (this.of.get(kind + cashout) ?? 0) + 1)
    }
  }

  finish(): void {}
  abort(): void {}

  /** Rows of a kind about entries, or without a position. */
  entry(kind: number): number {
    return this.of.get(kind) ?? 0
  }

  /** Rows of a kind with a position. */
  position(kind: number): number {
    return this.of.get(kind + 1000) ?? 0
  }
}

interface Walked {
  readonly dir: string
  readonly digest: string
  readonly counts: Counts
  readonly session: OutcomeSession
  readonly endUs: number
  readonly journal: JournalDriver['journal']
}

const PROFILES: readonly Partial<OutcomeProfile>[] = [
  { settlementEveryMs: 20_000, reductionDelayMs: 30_000 },
  { settlementEveryMs: 7_000, feeOnCashout: 1, profitOverGross: 1, feeBps: 500, takerFeeBps: 137, reductionDelayMs: 5_000 },
]

let root: string
const walks: Walked[] = []

function record(dir: string, journal: JournalDriver['journal'], profile: Partial<OutcomeProfile>, endUs: number, chunk: number): Walked {
  const [counts, digest] = [new Counts(), new Digest()]
  const recorder = new Recorder({
    dir, directory: DIRECTORY, identity: {}, reference: { parlayValue: (_, legCount) => 0.5 ** legCount },
    outcome: { legsMax: 5, feeOnCashout: profile.feeOnCashout === 1, profitOverGross: profile.profitOverGross === 1 },
    horizonsUs: [0, 3 * SECOND_US], equityEveryUs: 30 * SECOND_US, batchRows: 64,
  })
  const session = new OutcomeSession([recorder, counts, digest], { profile, chunk }).play(journal)
  session.finish(endUs)
  return { dir, digest: digest.hex(), counts, session, endUs, journal }
}

function walk(seed: number, profile: Partial<OutcomeProfile>): Walked {
  const [driver, draw] = [new JournalDriver(profile), drawsOf(seed)]
  const open = new Set<number>()
  startMoneyWalk(driver)
  for (let i = 0; i < STEPS; i++) {
    stepMoneyWalk(driver, draw, [...open])
    for (const { event, position } of driver.rows) {
      if (event === 'positionOpened') open.add(position as number)
      else if (event === 'positionSettled' || event === 'positionClosed') open.delete(position as number)
    }
  }
  return record(join(root, `walk-${seed}`), driver.journal, profile, T0 + driver.now + SECOND_US, 5)
}

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'parlor-outcome-'))
  PROFILES.forEach((profile, i) => walks.push(walk(11 + i, profile)))
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

const tableOf = ({ dir }: Walked, name: string): Table => readTable(join(dir, 'tables', `${name}.arrow`))
const sum = (numbers: ArrayLike<number>): number => Array.from(numbers).reduce((total, number) => total + number, 0)
const sumOf = (table: Table, ...names: string[]): number => names.reduce((total, name) => total + sum(table.column(name).numbers!), 0)
const labels = (table: Table, name: string): (string | undefined)[] => {
  const column = table.column(name)
  return Array.from(column.codes!, (code) => column.values![code])
}
const tally = (table: Table, name: string): Record<string, number> => {
  const counts: Record<string, number> = {}
  for (const label of labels(table, name)) if (label !== undefined) counts[label] = (counts[label] ?? 0) + 1
  return counts
}

describe.each([0, 1])('tables of a random session, profile %i', (i) => {
  const at = (): Walked => walks[i]!
  const E = OutcomeEvent

  it('have a row for each RFQ and generation, quote, acceptance, position and operation', () => {
    const { counts } = at()
    const requests = tableOf(at(), 'requests')
    // Each failed acceptance begins another generation.
    expect(requests.rowCount).toBe(counts.entry(E.rfqCreated) + counts.entry(E.quoteFailed))
    const states = tally(requests, 'state')
    expect([states['committed'], states['cancelled'], states['failed']]).toEqual([counts.entry(E.rfqFilled), counts.entry(E.rfqCancelled), counts.entry(E.quoteFailed)])
    const quotes = tableOf(at(), 'quotes')
    expect(quotes.rowCount).toBe(counts.entry(E.quoteCreated))
    expect(sumOf(requests, 'quote_count')).toBe(quotes.rowCount)
    const ends = tally(quotes, 'state')
    expect([ends['replaced'], ends['withdrawn'], ends['expired'], ends['invalidated'], ends['filled'], ends['failed']].map((n) => n ?? 0))
      .toEqual([E.quoteReplaced, E.quoteCancelled, E.quoteExpired, E.quoteDead, E.quoteFilled, E.quoteFailed].map((kind) => counts.entry(kind)))
    const acceptances = tableOf(at(), 'acceptances')
    expect(acceptances.rowCount).toBe(counts.entry(E.quoteAccepted))
    expect(tally(acceptances, 'outcome')['confirmed']).toBe(counts.entry(E.quoteFilled))
    expect(tableOf(at(), 'positions').rowCount).toBe(counts.position(E.positionOpened))
    const operations = tableOf(at(), 'operations')
    expect(operations.rowCount).toBe(counts.entry(E.operationStarted) + counts.position(E.operationStarted) + counts.entry(E.reductionStarted))
    expect(tally(operations, 'kind')['cashout']).toBe(counts.position(E.operationStarted))
    const lost = sumOf(quotes, 'traded_away')
    expect(tableOf(at(), 'marks').rowCount).toBe(2 * (counts.entry(E.quoteFilled) + counts.entry(E.quoteFailed) + lost))
    expect(counts.entry(E.quoteFailed) > 5 && counts.position(E.positionClaimed) > 2 && counts.entry(E.reductionStarted) > 5).toBe(true)
  })

  it('have a row for each cash-out RFQ and each quote for it, and for each sale that was carried out', () => {
    const { counts } = at()
    const auctions = tableOf(at(), 'auctions')
    expect(auctions.rowCount).toBe(counts.position(E.rfqCreated))
    const bids = tableOf(at(), 'bids')
    expect(bids.rowCount).toBe(counts.position(E.quoteCreated))
    expect(sumOf(auctions, 'bid_count')).toBe(bids.rowCount)
    expect([sumOf(bids, 'taken'), sumOf(auctions, 'failed_bid_count')]).toEqual([counts.position(E.quoteFilled), counts.position(E.quoteFailed)])
    const routes = tally(auctions, 'route')
    expect([routes['bought_back'], routes['transferred']]).toEqual([counts.position(E.positionClosed), counts.position(E.positionTransferred)])
    expect(sumOf(tableOf(at(), 'positions'), 'transfer_count')).toBe(counts.position(E.positionTransferred))
    const settlements = tableOf(at(), 'settlements')
    expect(settlements.rowCount).toBe(counts.position(E.positionSettled) + counts.position(E.positionClosed))
    expect(counts.position(E.positionTransferred) > 2 && counts.position(E.positionClosed) > 1).toBe(true)
  })

  it('INV-01 pay what the ledger paid, to the micro-unit', () => {
    const { session } = at()
    const ledger = tableOf(at(), 'ledger')
    const amounts = ledger.numbers('amount_micros', 'micros')
    const causes = labels(ledger, 'cause')
    const [from, to] = [labels(ledger, 'debit_kind'), labels(ledger, 'credit_kind')]
    const posted = (suits: (row: number) => boolean): number => sum(Array.from(amounts).filter((_, row) => suits(row)))
    const settlements = tableOf(at(), 'settlements')
    const positions = tableOf(at(), 'positions')
    const auctions = tableOf(at(), 'auctions')
    expect(sumOf(settlements, 'to_holder_micros', 'to_maker_micros', 'profit_fee_micros')).toBe(posted((row) => from[row] === 'pot'))
    expect(sumOf(settlements, 'taker_fee_micros')).toBe(0)
    expect(sumOf(positions, 'taker_fee_micros')).toBe(posted((row) => causes[row] === 'takerFee'))
    const routes = labels(auctions, 'route')
    const transferFees = sum(Array.from(auctions.column('profit_fee_micros').numbers!).filter((_, row) => routes[row] === 'transferred'))
    expect(sumOf(settlements, 'profit_fee_micros') + transferFees).toBe(posted((row) => causes[row] === 'profitFee'))
    const open = labels(positions, 'state').map((state) => state === 'open')
    const inPots = sum(Array.from(positions.numbers('payout_micros', 'micros')).filter((_, row) => open[row]))
    expect(inPots).toBe(posted((row) => to[row] === 'pot') - posted((row) => from[row] === 'pot'))
    const { potMicros, houseMicros } = session.venue.view.totals()
    expect([inPots, posted((row) => to[row] === 'house')]).toEqual([potMicros, houseMicros])
  })

  it('INV-01 sample the money of makers as the venue has it at the end', () => {
    const { session, endUs } = at()
    const equity = tableOf(at(), 'equity')
    const last = equity.rowCount - MAKERS.length
    expect(equity.numbers('at')[last]).toBe(endUs)
    MAKERS.forEach((account, row) => {
      const { freeMicros, reservedMicros } = session.venue.view.balance(account)
      const cell = (name: string): number => equity.numbers(name)[last + row]!
      const backed = session.venue.view.capital(account)!.backedMicros
      expect([cell('account'), cell('free_micros'), cell('reserved_micros'), cell('locked_micros')])
        .toEqual([account, freeMicros, reservedMicros, reservedMicros + backed])
    })
  })

  it('INV-30 are the same bytes wherever the batches are cut, and their journal makes the same rows again', () => {
    const { dir, digest, journal, endUs } = at()
    const again = record(join(root, `again-${i}`), journal, PROFILES[i]!, endUs, 97)
    expect(again.digest).toBe(digest)
    for (const name of ['requests', 'quotes', 'acceptances', 'positions', 'settlements', 'auctions', 'bids', 'operations', 'ledger', 'rejections', 'journal', 'marks', 'equity']) {
      const [one, other] = [dir, again.dir].map((folder) => readFileSync(join(folder, 'tables', `${name}.arrow`)))
      expect([name, one!.equals(other!)]).toEqual([name, true])
    }
    const sink = new Digest()
    const session = new OutcomeSession([sink], { profile: PROFILES[i]! })
    replayJournal(join(dir, 'tables', 'journal.arrow'), { outcome: { command: new OutcomeCommand(), apply: (atUs, command) => session.apply(atUs, command) } })
    session.finish(endUs)
    expect(sink.hex()).toBe(digest)
  })
})
