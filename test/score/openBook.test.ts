import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { summarise } from '../../src/score/summary.ts'
import { SECOND_US } from '../../src/unit/time.ts'
import { ParlayOp } from '../../src/venue/parlay/protocol/commands.ts'
import { trade } from '../record/cashOutStory.ts'
import type { Session } from '../record/session.ts'
import { BETTOR, CAST, CLARA, SHADE, T0 } from '../record/story.ts'
import { recordRun } from './summaryRun.ts'

const USDC = 1_000_000
let dir: string
beforeAll(() => { dir = mkdtempSync(join(tmpdir(), 'parlor-book-')) })
afterAll(() => rmSync(dir, { recursive: true, force: true }))

/** Two positions of 24.75 at 4.0, backed by shade. Clara takes the first over for 45, sells it to the bettor for 30, and takes the second over for 50. */
function play(session: Session): void {
  const at = (seconds: number): number => T0 + seconds * SECOND_US
  const sell = (seconds: number, auction: number, position: number, seller: number, buyer: number, usdc: number): void => {
    session.apply(at(seconds), ParlayOp.openCashout, seller, (c) => { c.position = position })
    session.apply(at(seconds + 1), ParlayOp.submitBid, buyer, (c) => { c.auction = auction; c.amountMicros = usdc * USDC; c.validMs = 5000 })
    session.apply(at(seconds + 2), ParlayOp.commitCashout, seller, (c) => { c.auction = auction })
  }
  for (const market of [0, 1, 2, 3]) {
    session.apply(at(0), ParlayOp.listMarket, 0, (c) => { c.market = market; c.closeUs = at(3600); c.item(100 + market) })
  }
  for (const account of [BETTOR, SHADE, CLARA]) session.apply(at(0), ParlayOp.deposit, account, (c) => { c.amountMicros = 1000 * USDC })
  trade(session, 1, 1, SHADE, [0, 1])
  sell(10, 1, 1, BETTOR, CLARA, 45)
  sell(14, 2, 1, CLARA, BETTOR, 30)
  trade(session, 20, 2, SHADE, [1, 2])
  sell(30, 3, 2, BETTOR, CLARA, 50)
  session.finish(at(60))
}

it('has a position in the book of the maker that took it over until it sells it', async () => {
  const accounts = CAST.accounts.map((account) => (account.name === 'noise-1' ? { ...account, role: 'both' as const } : account))
  recordRun(dir, play, { cast: { ...CAST, accounts } })
  const { makers, cashOut } = await summarise(dir)
  expect(cashOut!.byRoute).toEqual({ bought_back: 0, transferred: 3 })
  const worst = Object.fromEntries(makers.map(({ name, worstJointLoss }) => [name, worstJointLoss]))
  // Both of shade's payouts of 99 less the stakes; the dearer of clara's two; what the bettor paid as a maker.
  expect(worst).toEqual({
    'shade': { micros: 148_500_000, isExact: true }, 'clara': { micros: 50_000_000, isExact: true }, 'noise-1': { micros: 30_000_000, isExact: true },
  })
  // Clara sold 15 below what she had paid.
  expect(makers.find(({ name }) => name === 'clara')!.attribution.micros).toMatchObject({ fees: 0, luck: 0 })
  expect(makers.find(({ name }) => name === 'clara')!.profitMicros).toBe(-15_000_000)
})
