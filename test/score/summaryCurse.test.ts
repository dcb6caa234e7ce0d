import { beforeAll, expect, it } from 'vitest'
import { MarketResult, Side } from '../../src/market/sides.ts'
import type { Summary } from '../../src/score/summary.ts'
import { contentTag, ParlayOp } from '../../src/venue/parlay/protocol/commands.ts'
import type { Session } from '../record/session.ts'
import { BETTOR, CLARA, SHADE, T0 } from '../record/story.ts'
import { summaryOf } from './summaryRun.ts'

const OPERATOR = 0
const BET = 25_000_000
const [NYY, BOS, LAD, SEA] = [0, 1, 2, 3] as const
const at = (seconds: number): number => T0 + seconds * 1_000_000

/** Asks for prices, or updates request `updated`. */
function ask(session: Session, seconds: number, markets: readonly [number, number], updated?: number): void {
  session.apply(at(seconds), updated === undefined ? ParlayOp.createRequest : ParlayOp.updateRequest, BETTOR, (c) => {
    c.betMicros = BET
    if (updated !== undefined) c.request = updated
    for (const market of markets) c.leg(market, Side.yes)
  })
}

function quote(
  session: Session, seconds: number, maker: number, request: number, markets: readonly [number, number], oddsE4: number,
  fair: number, version = 1,
): void {
  session.apply(at(seconds), ParlayOp.submitQuote, maker, (c) => {
    c.request = request
    c.version = version
    c.contentTag = contentTag(2, [...markets], [Side.yes, Side.yes], BET)
    c.oddsE4 = oddsE4
    c.memoE9 = fair * 1e9
    c.validMs = 30_000
  })
}

const commit = (session: Session, seconds: number, request: number, firstQuote: number, version = 1): void =>
  session.apply(at(seconds), ParlayOp.commitRequest, BETTOR, (c) => {
    c.request = request
    c.version = version
    c.quote = firstQuote
    c.bookSeq = 1
    c.oddsE4 = 10_001
  })

const answer = (session: Session, seconds: number, op: number, maker: number, request: number, number: number): void =>
  session.apply(at(seconds), op, maker, (c) => {
    c.request = request
    c.quote = number
  })

/**
 * NYY is worth 0.5 before 20 s and 0.75 from then on, the others 0.5 (PRICES of the story).
 *
 * 1. NYY and BOS: shade at 4.0 (F = 0.2) wins over clara at 3.0 (F = 0.3), confirmed at 19 s.
 * 2. NYY and BOS, updated to NYY and SEA, which settle on another day: shade at 4.0 declines at 22 s.
 * 3. BOS and LAD: clara at 4.0 (F = 0.2) wins over shade at 3.0 (F = 0.3).
 * BOS is void at 60 s, which voids 1 and 3.
 */
function play(session: Session): void {
  for (const market of [NYY, BOS, LAD, SEA]) {
    session.apply(at(0), ParlayOp.listMarket, OPERATOR, (c) => { c.market = market; c.closeUs = at(3600); c.item(100 + market) })
  }
  for (const account of [BETTOR, SHADE, CLARA]) {
    session.apply(at(0), ParlayOp.deposit, account, (c) => { c.amountMicros = 1_000_000_000 })
  }
  ask(session, 1, [NYY, BOS])
  quote(session, 2, SHADE, 1, [NYY, BOS], 40_000, 0.2)
  quote(session, 3, CLARA, 1, [NYY, BOS], 30_000, 0.3)
  ask(session, 9, [NYY, BOS])
  ask(session, 10, [NYY, SEA], 2)
  quote(session, 11, SHADE, 2, [NYY, SEA], 40_000, 0.25, 2)
  commit(session, 16, 1, 1)
  commit(session, 18, 2, 3, 2)
  answer(session, 19, ParlayOp.confirmSelection, SHADE, 1, 1)
  answer(session, 22, ParlayOp.declineSelection, SHADE, 2, 3)
  ask(session, 30, [BOS, LAD])
  quote(session, 31, CLARA, 3, [BOS, LAD], 40_000, 0.2)
  quote(session, 32, SHADE, 3, [BOS, LAD], 30_000, 0.3)
  commit(session, 33, 3, 4)
  answer(session, 34, ParlayOp.confirmSelection, CLARA, 3, 4)
  session.apply(at(60), ParlayOp.resolveMarket, OPERATOR, (c) => { c.market = BOS; c.value = MarketResult.void })
  session.finish(at(100))
}

let summary: Summary
beforeAll(async () => { summary = await summaryOf(play) })

it('measures the winner\'s curse between quotes won and lost', () => {
  const [shade, clara] = summary.makers
  // After 10 s: shade won with V − F = 0.375 − 0.2 and lost with 0.25 − 0.3; clara won with 0.25 − 0.2, lost with 0.375 − 0.3.
  expect(shade!.marks[0]!.winnersCurseCents.estimate).toBeCloseTo(22.5, 6)
  expect(clara!.marks[0]!.winnersCurseCents.estimate).toBeCloseTo(-2.5, 6)
  expect(shade!.marks[0]!.winnersCurseCents.label).toBe('one cluster: no interval')
})

it('measures what a last look declines against what it confirms', () => {
  // shade: V moved by 0 before the confirmation, and from 0.25 to 0.375 before the decline: two clusters, one of each. That of the decline is
  // the cluster of the version that was quoted.
  const { asymmetryCents } = summary.makers[0]!.lastLook
  expect(asymmetryCents.estimate).toBeCloseTo(12.5, 6)
  expect(asymmetryCents).toMatchObject({ low: null, count: 2 })
  expect(asymmetryCents.label).toBe('2 clusters, undefined without one of them: no interval')
})

it('counts marks of void positions as unknown', () => {
  // After 60 s BOS is void, and with it both won positions.
  expect(summary.makers.map(({ marks }) => [marks[1]!.won, marks[1]!.unknown])).toEqual([[1, 1], [1, 1]])
  expect(summary.makers[0]!.marks[1]!.markOutCents.estimate).toBeNull()
})

it('keeps void positions out of a maker’s hold and loss, and gives everything back', () => {
  expect(summary.positions).toEqual({ lost: 0, won: 0, void: 2, open: 0 })
  for (const maker of summary.makers) {
    expect(maker).toMatchObject({ settled: 1, profitMicros: 0, hold: { estimate: null }, bettorLoss: { estimate: null } })
    expect(maker.profit).toMatchObject({ estimate: 0, label: 'one cluster: no interval' })
    expect(maker.drawdown.cashMicros).toBe(0)
  }
  const noise = summary.bettors.find(({ name }) => name === 'noise')
  // Two bets of 25 were given back: nothing was lost of the gross bets that stand beside it.
  expect(noise).toMatchObject({ committed: 2, grossBetMicros: 50_000_000, profitMicros: 0, loss: { estimate: 0 } })
  expect(summary.conservation).toMatchObject({
    freeMicros: 3_000_000_000, houseMicros: 0, differenceMicros: 0, ledgerAgrees: true,
  })
})
