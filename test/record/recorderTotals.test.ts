import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readTable, type Table } from '../../src/arrow/tableReader.ts'
import type { Cast } from '../../src/record/cast.ts'
import { Recorder, type RecorderOptions } from '../../src/record/recorder.ts'
import type { ParlayBatch, Sink } from '../../src/record/sink.ts'
import { MS_US, SECOND_US } from '../../src/unit/time.ts'
import { Field } from '../../src/venue/eventRows.ts'
import { contentTag, MarketResult, ParlayOp, Side } from '../../src/venue/parlay/protocol/commands.ts'
import { ParlayEvent } from '../../src/venue/parlay/protocol/events.ts'
import { Session } from './session.ts'

const T0 = 1_750_000_000_000_000
const OPERATOR = 0
/** Accounts 1 and 2 bet, 2 and 3 quote: 2 does both. */
const CAST: Cast = {
  accounts: [
    { name: 'operator', role: 'bettor', group: 'operator' },
    { name: 'ann', role: 'bettor', group: 'noise' },
    { name: 'bob', role: 'both', group: 'bob' },
    { name: 'cat', role: 'maker', group: 'cat' },
  ],
  markets: [0, 1, 2, 3].map((market) => ({ ticker: `M${market}`, cluster: market < 2 ? 'first' : 'second' })),
}
const MAKERS = [2, 3]

let root: string
beforeAll(() => { root = mkdtempSync(join(tmpdir(), 'parlor-totals-')) })
afterAll(() => rmSync(root, { recursive: true, force: true }))

/** Counts events by kind, beside the recorder. */
class Counts implements Sink {
  readonly of = new Map<number, number>()

  flush({ events }: ParlayBatch): void {
    for (let row = 0; row < events.count; row++) {
      const kind = events.get(row, Field.kind)
      this.of.set(kind, (this.of.get(kind) ?? 0) + 1)
    }
  }

  finish(): void {}
  abort(): void {}

  count(...kinds: readonly number[]): number {
    return kinds.reduce((sum, kind) => sum + (this.of.get(kind) ?? 0), 0)
  }
}

const options = (dir: string, more: Partial<RecorderOptions> = {}): RecorderOptions => ({
  dir, cast: CAST, legsMax: 3, identity: {}, reference: { parlayValue: (_, legCount) => 0.5 ** legCount },
  horizonsUs: [0, 3 * SECOND_US], equityEveryUs: 5 * SECOND_US, batchRows: 16, ...more,
})

const step = fc.record({
  op: fc.constantFrom(
    'trade', 'trade', 'trade', 'create', 'update', 'cancel', 'quote', 'quote', 'withdraw', 'commit', 'commit', 'confirm', 'decline', 'resolve',
  ),
  waitMs: fc.integer({ min: 0, max: 3000 }),
  pick: fc.nat(1000),
  legs: fc.constantFrom([0, 1], [1, 2], [0, 2, 3]),
  oddsE4: fc.integer({ min: 15_000, max: 60_000 }),
})

type Step = typeof step extends fc.Arbitrary<infer S> ? S : never

/** Plays one step on request `number` with whatever the venue holds then; many are refused, which is recorded too. */
function playStep(session: Session, atUs: number, { op, pick, legs, oddsE4 }: Step, number: number): void {
  const view = session.venue.view.request(number)
  const maker = MAKERS[pick % 2]!
  const owner = view?.owner ?? 1
  const body = (c: { betMicros: number; leg(market: number, side: number): unknown }): void => {
    c.betMicros = 10_000_000 + pick * 1000
    for (const market of legs) c.leg(market, pick % 3 === 0 ? Side.no : Side.yes)
  }
  switch (op) {
    case 'create': return session.apply(atUs, ParlayOp.createRequest, 1 + (pick % 2), body)
    case 'update': return session.apply(atUs, ParlayOp.updateRequest, owner, (c) => { body(c); c.request = number })
    case 'cancel': return session.apply(atUs, ParlayOp.cancelRequest, owner, (c) => { c.request = number })
    case 'withdraw': return session.apply(atUs, ParlayOp.withdrawQuote, maker, (c) => { c.request = number })
    case 'resolve': return session.apply(atUs, ParlayOp.resolveMarket, OPERATOR, (c) => {
      c.market = pick % 4
      c.value = [MarketResult.no, MarketResult.yes, MarketResult.void][pick % 3]!
    })
    case 'quote': return session.apply(atUs, ParlayOp.submitQuote, maker, (c) => {
      c.request = number
      c.version = view?.version ?? 1
      c.contentTag = view === null ? 0 : contentTag(view.legs.length, view.legs.map((l) => l.market), view.legs.map((l) => l.side), view.betMicros)
      c.oddsE4 = oddsE4
    })
    case 'commit': return session.apply(atUs, ParlayOp.commitRequest, owner, (c) => {
      c.request = number
      c.version = view?.version ?? 1
      c.quote = c.bookSeq = 1
      c.oddsE4 = 20_000
    })
    default: {
      const quote = view?.pendingQuote ?? -1
      const chosen = session.venue.view.quote(quote)?.maker ?? maker
      const opcode = op === 'confirm' ? ParlayOp.confirmSelection : ParlayOp.declineSelection
      return session.apply(atUs, opcode, chosen, (c) => { c.request = number; c.quote = quote })
    }
  }
}

function play(dir: string, steps: readonly Step[]): { session: Session; counts: Counts; endUs: number } {
  const counts = new Counts()
  const session = new Session([new Recorder(options(dir)), counts], { chunk: 5 })
  for (const market of [0, 1, 2, 3]) {
    session.apply(T0, ParlayOp.listMarket, OPERATOR, (c) => { c.market = market; c.closeUs = T0 + 3600 * SECOND_US; c.item(market) })
  }
  for (const account of [1, 2, 3]) session.apply(T0, ParlayOp.deposit, account, (c) => { c.amountMicros = 200_000_000 })
  session.apply(T0, ParlayOp.createRequest, 1, (c) => { c.betMicros = 20_000_000; c.leg(0, Side.yes).leg(1, Side.yes) })
  let atUs = T0
  let requests = 1
  const one = (given: Step, op: Step['op'], number: number): void => {
    playStep(session, atUs, { ...given, op }, number)
    if (session.venue.view.request(requests + 1) !== null) requests++
  }
  for (const given of steps) {
    atUs += given.waitMs * MS_US
    if (given.op !== 'trade') {
      one(given, given.op, 1 + (given.pick % requests))
      continue
    }
    one(given, 'create', 0)
    for (const [i, op] of (['quote', 'quote', 'commit', 'confirm'] as const).entries()) {
      atUs += 100 * MS_US
      one({ ...given, pick: given.pick + i }, op, requests)
    }
  }
  const endUs = atUs + 2 * SECOND_US
  session.finish(endUs)
  return { session, counts, endUs }
}

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
    expect(sum(requests.numbers('quotes'))).toBe(quotes.rowCount)
    expect(tableOf('acceptances').rowCount).toBe(counts.count(E.quoteSelected))
    expect(tableOf('positions').rowCount).toBe(counts.count(E.positionOpened))
    expect(tableOf('settlements').rowCount).toBe(counts.count(E.positionSettled))
    const lost = sum(quotes.numbers('lost', 'bool'))
    expect(tableOf('marks').rowCount).toBe(2 * (counts.count(E.quoteFilled, E.quoteFailed) + lost))

    const settlements = tableOf('settlements')
    const paid = ['to_holder_micros', 'to_maker_micros', 'profit_fee_micros', 'taker_fee_micros']
      .reduce((total, name) => total + sum(settlements.numbers(name, 'micros')), 0)
    const ledger = tableOf('ledger')
    const causes = labels(ledger, 'cause')
    const settled = ledger.numbers('amount_micros', 'micros').filter((_, row) => ['settle', 'void', 'takerFee', 'profitFee'].includes(causes[row]!))
    expect(paid).toBe(sum(settled as Float64Array))

    const equity = tableOf('equity')
    const last = equity.rowCount - MAKERS.length
    expect(equity.numbers('at')[last]).toBe(endUs)
    MAKERS.forEach((account, i) => {
      const balance = session.venue.view.balance(account)
      const cell = (name: string): number => equity.numbers(name)[last + i]!
      expect([cell('free_micros'), cell('reserved_micros'), cell('locked_micros'), cell('gross_micros')])
        .toEqual([balance.freeMicros, balance.reservedMicros, balance.lockedMicros, balance.grossMicros])
    })
  }), { numRuns: 30 })
})
