import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readTable } from '../../src/arrow/tableReader.ts'
import { MarketResult } from '../../src/market/sides.ts'
import { writeManifest } from '../../src/record/manifest.ts'
import { Recorder } from '../../src/record/recorder.ts'
import { summarise } from '../../src/score/summary.ts'
import { SECOND_US } from '../../src/unit/time.ts'
import { ParlayFault, ParlayOp } from '../../src/venue/parlay/protocol/commands.ts'
import { trade } from '../record/cashOutStory.ts'
import { at, DIRECTORY as OUTCOME_DIRECTORY, OutcomeHand } from '../record/outcomeHand.ts'
import type { Session } from '../record/session.ts'
import { BETTOR, DIRECTORY, CLARA, SHADE, T0 } from '../record/story.ts'
import { recordRun } from './summaryRun.ts'

const USDC = 1_000_000
/** These runs have no table of markets: they do not say whether two markets are about one game. */
const BOUND = { isExact: false, label: 'not exceeded' }
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
  const accounts = DIRECTORY.accounts.map((account) => (account.name === 'noise-1' ? { ...account, role: 'both' as const } : account))
  recordRun(dir, play, { directory: { ...DIRECTORY, accounts } })
  const { makers, cashOut } = await summarise(dir)
  expect(cashOut!.byRoute).toEqual({ bought_back: 0, transferred: 3 })
  const worst = Object.fromEntries(makers.map(({ name, worstJointLoss }) => [name, worstJointLoss]))
  // shade can lose both payouts of 99 less the stakes, clara the dearer of its two, and the bettor what it paid as a maker.
  expect(worst).toEqual({
    'shade': { micros: 148_500_000, ...BOUND }, 'clara': { micros: 50_000_000, ...BOUND }, 'noise-1': { micros: 30_000_000, ...BOUND },
  })
  // Clara sold 15 below what she had paid.
  expect(makers.find(({ name }) => name === 'clara')!.attribution.micros).toMatchObject({ fees: 0, luck: 0 })
  expect(makers.find(({ name }) => name === 'clara')!.profitMicros).toBe(-15_000_000)
})

/** Lists the markets and pays 1,000 USDC in to each account. */
const deposits = (session: Session, accounts: readonly number[]): void => {
  for (const market of [0, 1, 2, 3]) {
    session.apply(T0, ParlayOp.listMarket, 0, (c) => { c.market = market; c.closeUs = T0 + 3600 * SECOND_US; c.item(100 + market) })
  }
  for (const account of accounts) session.apply(T0, ParlayOp.deposit, account, (c) => { c.amountMicros = 1000 * USDC })
}

const resolve = (session: Session, seconds: number, market: number, value: number): void =>
  session.apply(T0 + seconds * SECOND_US, ParlayOp.resolveMarket, 0, (c) => { c.market = market; c.value = value })

async function worstOf(name: string, tell: (session: Session) => void, directory = DIRECTORY) {
  recordRun(join(dir, name), tell, { directory })
  const { makers } = await summarise(join(dir, name))
  return Object.fromEntries(makers.map((maker) => [maker.name, maker]))
}

it('is no bound where a position is voided: the stake that was to pay for another is given back', async () => {
  // At most one of BOS and LAD comes true, so one of the two stakes of 24.75 was to be kept. But SEA is void.
  const directory = { ...DIRECTORY, markets: DIRECTORY.markets.map((market, i) => ({ ...market, exclusive: i === 1 || i === 2 ? 'one' : '' })) }
  const tell = (last: number) => (session: Session): void => {
    deposits(session, [BETTOR, SHADE])
    // Dear: a stake of 24.75 for 30.9375.
    trade(session, 1, 1, SHADE, [2, 3], BETTOR, 12_500)
    trade(session, 10, 2, SHADE, [0, 1])
    resolve(session, 60, 0, MarketResult.yes)
    resolve(session, 60, 1, MarketResult.yes)
    resolve(session, 70, 3, last)
    session.finish(T0 + 100 * SECOND_US)
  }
  const { shade } = await worstOf('void', tell(MarketResult.void), directory)
  // 74.25 of position 2 less the stake of position 1.
  expect(shade!.worstJointLoss).toEqual({ micros: 49_500_000, isExact: false, label: 'as if none were voided: 1 was' })
  expect(shade!.profitMicros).toBe(-74_250_000)
  const lost = (await worstOf('lost', tell(MarketResult.no), directory))['shade']!
  expect([lost.worstJointLoss, lost.profitMicros]).toEqual([{ micros: 49_500_000, ...BOUND }, -49_500_000])
})

it('has a position in it until its result, not its payment, and none that the chain dropped', async () => {
  const fault = (session: Session, seconds: number, value: number, value2: number): void =>
    session.apply(T0 + seconds * SECOND_US, ParlayOp.setFault, 0, (c) => { c.value = value; c.value2 = value2 })
  const { shade, clara } = await worstOf('late', (session) => {
    deposits(session, [BETTOR, SHADE, CLARA])
    trade(session, 1, 1, SHADE, [0, 1])
    fault(session, 10, ParlayFault.mirrorBehind, 1)
    // Position 1 has lost at 11 s, and is paid 30 s later.
    resolve(session, 11, 0, MarketResult.no)
    fault(session, 12, ParlayFault.mirrorBehind, 0)
    trade(session, 20, 2, SHADE, [2, 3])
    trade(session, 45, 3, CLARA, [1, 2])
    fault(session, 50, ParlayFault.chainDropped, 1)
    trade(session, 50, 4, CLARA, [2, 3])
    fault(session, 54, ParlayFault.chainDropped, 0)
    session.finish(T0 + 100 * SECOND_US)
  })
  const table = readTable(join(dir, 'late', 'tables', 'positions.arrow'))
  const secondOf = (column: string, position: number): number =>
    (table.column(column).numbers![table.column('position').numbers!.indexOf(position)]! - T0) / SECOND_US
  expect([secondOf('resolved_at', 1), secondOf('ended_at', 1), secondOf('opened_at', 2)]).toEqual([11, 41, 23])
  // Two positions are never open at once.
  expect([shade!.worstJointLoss, clara!.worstJointLoss]).toEqual([{ micros: 74_250_000, ...BOUND }, { micros: 74_250_000, ...BOUND }])
})

it('does not take a held position of nine legs for a hedge of what wins on eight of them', async () => {
  const [taker, bob, cat] = [0, 1, 2]
  const markets = Array.from({ length: 9 }, (_, market) => ({ ticker: `M${market}`, cluster: 'one' }))
  const yes = (count: number): number[] => markets.slice(0, count).flatMap((_, market) => [market, 1])
  const recorder = new Recorder({
    dir: join(dir, 'nine'), directory: { ...OUTCOME_DIRECTORY, markets }, outcome: { legsMax: 50, feeOnCashout: false, profitOverGross: false }, identity: {}, reference: null,
    horizonsUs: [], equityEveryUs: 0,
  })
  const hand = new OutcomeHand()
  /** Ann stakes `net` for 100 USDC. */
  const open = (seconds: number, n: number, maker: number, net: number, legs: readonly number[]): void => {
    const deal = { rfq: n, quote: n, maker, owner: taker }
    const terms = { oddsE4: 50_000, riskMicros: (100 - net) * USDC, netStakeMicros: net * USDC, payoutMicros: 100 * USDC }
    const fill = { rfq: n, quote: n, account: taker, maker, generation: 2, operation: n, acceptance: n, operationKind: 1, amountMicros: (100 - net) * USDC }
    hand
      .row(at(seconds), 'rfqCreated', { rfq: n, owner: taker, generation: 1, betMicros: net * USDC, netStakeMicros: net * USDC, profitFeeBps: 100, openUntilUs: at(seconds + 9) }, legs)
      .row(at(seconds), 'quoteCreated', { ...deal, ...terms, generation: 1, expiresAtUs: at(seconds + 9) })
      .row(at(seconds), 'quoteAccepted', { ...deal, ...terms, generation: 1, acceptance: n, betMicros: net * USDC, confirmUntilUs: at(seconds + 2) }, legs)
      .row(at(seconds + 1), 'quoteFilled', { ...deal, generation: 2, acceptance: n, operation: n })
      .row(at(seconds + 1), 'rfqFilled', { rfq: n, owner: taker, generation: 2, quote: n, acceptance: n })
      .row(at(seconds + 1), 'operationStarted', { ...fill, nextStepAtUs: at(seconds + 3) })
      .row(at(seconds + 1), 'operationUpdated', { ...fill, status: 2 })
      .row(at(seconds + 1), 'positionOpened', {
        rfq: n, quote: n, position: n, holder: taker, backer: maker, acceptance: n, oddsE4: 50_000, netStakeMicros: net * USDC, payoutMicros: 100 * USDC, takerFeeMicros: 0, profitFeeBps: 100,
      }, legs)
  }
  open(1, 1, cat, 20, yes(8))
  open(10, 2, bob, 10, yes(9))
  // Cat takes bob's position of nine legs over for 30.
  const sale = { rfq: 3, position: 2 }
  const offered = { ...sale, quote: 3, maker: cat, owner: taker }
  const priced = { ...offered, priceMicros: 30 * USDC, payoutMicros: 30 * USDC }
  hand
    .row(at(20), 'rfqCreated', { ...sale, generation: 1, seller: taker, backer: bob, payoutMicros: 100 * USDC, netStakeMicros: 10 * USDC, profitFeeBps: 100, openUntilUs: at(60) }, yes(9))
    .row(at(21), 'quoteCreated', { ...priced, generation: 1, expiresAtUs: at(60) })
    .row(at(22), 'quoteAccepted', { ...priced, generation: 1, acceptance: 3, confirmUntilUs: at(24) }, yes(9))
    .row(at(23), 'quoteFilled', { ...offered, generation: 2, acceptance: 3, operation: 3 })
    .row(at(23), 'rfqFilled', { ...sale, generation: 2, owner: taker, quote: 3, acceptance: 3 })
    .row(at(23), 'operationStarted', { ...sale, generation: 2, quote: 3, operation: 3, account: taker, maker: cat, acceptance: 3, amountMicros: 30 * USDC, operationKind: 2, nextStepAtUs: at(25) })
    .row(at(24), 'operationUpdated', { ...sale, generation: 2, quote: 3, operation: 3, account: taker, maker: cat, acceptance: 3, amountMicros: 30 * USDC, status: 2, operationKind: 2 })
    .row(at(24), 'positionTransferred', { ...sale, generation: 2, quote: 3, seller: taker, buyer: cat, acceptance: 3, priceMicros: 30 * USDC, toSellerMicros: 30 * USDC, profitFeeMicros: 0 })
  recorder.flush(hand)
  recorder.finish(at(90))
  writeManifest(join(dir, 'nine'), {
    label: 'interactive', digest: 'd'.repeat(64), identity: { sourceTree: '', node: '', scenario: {}, strategies: {}, data: null, seed: 'a' }, counts: {}, tables: recorder.tables(),
  })
  const summary = await summarise(join(dir, 'nine'))
  const worst = Object.fromEntries(summary.makers.map(({ name, worstJointLoss }) => [name, worstJointLoss]))
  // Cat: the risk of 80 and the price of 30, for the ninth leg can lose alone. Bob: the risk of 90.
  expect(worst).toEqual({ cat: { micros: 110_000_000, ...BOUND }, bob: { micros: 90_000_000, ...BOUND } })
})
