import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readTable } from '../../src/arrow/tableReader.ts'
import { Reference } from '../../src/engine/reference.ts'
import { MarketResult, Side } from '../../src/market/sides.ts'
import { NO_PRICE, type Ticks } from '../../src/market/ticks.ts'
import { summarise } from '../../src/score/summary.ts'
import { SECOND_US } from '../../src/unit/time.ts'
import { contentTag, ParlayOp } from '../../src/venue/parlay/protocol/commands.ts'
import type { Session } from '../record/session.ts'
import { BETTOR, SHADE, T0 } from '../record/story.ts'
import { recordRun } from './summaryRun.ts'

const OPERATOR = 0
const BET = 25_000_000
const FAIR = 0.25
const SIDES = [[Side.yes, Side.yes], [Side.yes, Side.no], [Side.no, Side.yes], [Side.no, Side.no]] as const
const at = (seconds: number): number => T0 + seconds * SECOND_US

/** A book that never moves, in cents, −1 for an empty side; and what the last trades were meanwhile. */
interface Standing { readonly bid: number; readonly ask: number; readonly lasts: readonly number[] }

const price = fc.integer({ min: 1, max: 99 })
const lasts = fc.array(fc.oneof(price, fc.constant(-1)), { minLength: 4, maxLength: 4 })
const standing: fc.Arbitrary<Standing> = fc.oneof(
  fc.record({ bid: price, ask: fc.constant(-1), lasts }),
  fc.record({ bid: fc.constant(-1), ask: price, lasts }),
  fc.record({ bid: fc.integer({ min: 1, max: 50 }), ask: fc.integer({ min: 51, max: 99 }), lasts }),
)

/** The books of markets 0 and 1 every 20 s from the beginning on. At 61 s, after the end of trading, bids alone are left. */
function ticksOf(books: readonly Standing[]): Ticks {
  const rows = books.flatMap(({ bid, ask, lasts: last }, market) => [
    ...last.map((cents, i) => [at(20 * i), market, bid, ask, cents] as const), [at(61), market, 20, -1, -1] as const,
  ]).sort((a, b) => a[0] - b[0])
  const e6 = (k: 2 | 3 | 4): Int32Array => Int32Array.from(rows, (row) => (row[k] < 0 ? NO_PRICE : row[k] * 10_000))
  return {
    count: rows.length, atUs: Float64Array.from(rows, ([atUs]) => atUs), market: Int32Array.from(rows, ([, market]) => market),
    bidE6: e6(2), askE6: e6(3), lastE6: e6(4), bidSize: new Int32Array(rows.length), askSize: new Int32Array(rows.length),
  }
}

/** shade backs all four combinations of sides between 2 and 34 s; results come at 70 s. */
function playStanding(session: Session): void {
  for (const market of [0, 1]) session.apply(at(0), ParlayOp.listMarket, OPERATOR, (c) => { c.market = market; c.closeUs = at(3600); c.item(100 + market) })
  for (const account of [BETTOR, SHADE]) session.apply(at(0), ParlayOp.deposit, account, (c) => { c.amountMicros = 1_000_000_000 })
  for (const [i, sides] of SIDES.entries()) {
    const request = i + 1
    const begin = 10 * i
    session.apply(at(begin + 1), ParlayOp.createRequest, BETTOR, (c) => {
      c.betMicros = BET
      for (const market of [0, 1]) c.leg(market, sides[market]!)
    })
    session.apply(at(begin + 2), ParlayOp.submitQuote, SHADE, (c) => {
      c.request = request
      c.version = 1
      c.contentTag = contentTag(2, [0, 1], [...sides], BET)
      c.oddsE4 = 40_000
      c.memoE9 = FAIR * 1e9
    })
    session.apply(at(begin + 3), ParlayOp.commitRequest, BETTOR, (c) => {
      c.request = request
      c.version = 1
      c.quote = request
      c.bookSeq = 1
      c.oddsE4 = 40_000
    })
    session.apply(at(begin + 4), ParlayOp.confirmSelection, SHADE, (c) => { c.request = request; c.quote = request })
  }
  for (const market of [0, 1]) session.apply(at(70), ParlayOp.resolveMarket, OPERATOR, (c) => { c.market = market; c.value = MarketResult.yes })
  session.finish(at(90))
}

/** An empty side stands at its end of the scale. */
const worthOf = ({ bid, ask }: Standing, side: number): number => {
  const yes = (Math.max(0, bid) + (ask < 0 ? 100 : ask)) / 200
  return side === Side.yes ? yes : 1 - yes
}

let root: string
beforeAll(() => { root = mkdtempSync(join(tmpdir(), 'parlor-standing-')) })
afterAll(() => rmSync(root, { recursive: true, force: true }))

it('a book that stands still from the submission to the close has neither drift nor last look', async () => {
  let run = 0
  await fc.assert(fc.asyncProperty(standing, standing, async (...books) => {
    const dir = join(root, String(run++))
    const reference = new Reference(
      ticksOf(books), 4, { value: Float64Array.of(1, 1, 1, 1), atUs: new Float64Array(4).fill(at(70)) }, { tradedUntilUs: new Float64Array(4).fill(at(60)) },
    )
    recordRun(dir, playStanding, { reference })
    const { makers: [shade] } = await summarise(dir)
    const { micros, withoutFair, withoutReference } = shade!.attribution
    // Four stakes of 24.75 at odds of 4: payouts of 99, of which yes and yes is paid.
    expect({ settled: shade!.settled, withoutFair, withoutReference, drift: micros.drift, lastLook: micros.lastLook }).toEqual({
      settled: 4, withoutFair: 0, withoutReference: 0, drift: 0, lastLook: 0,
    })
    const worth = SIDES.map((sides) => worthOf(books[0], sides[0]) * worthOf(books[1], sides[1]))
    const column = (table: string, name: string): number[] => Array.from(readTable(join(dir, 'tables', `${table}.arrow`)).column(name).numbers!)
    const [submitted, closed] = [column('quotes', 'reference'), column('positions', 'reference_at_close')]
    for (const [i, value] of worth.entries()) {
      expect(submitted[i]).toBeCloseTo(value, 12)
      expect(closed[column('positions', 'quote')[i]! - 1]).toBe(submitted[i])
    }
    // q is .25 of each, and the four are worth 1 together: no mark-out 10 s later.
    expect(shade!.marks[0]!.markOutCents.estimate).toBeCloseTo(0, 5)
  }), { numRuns: 12, seed: 2611, endOnFailure: true })
})
