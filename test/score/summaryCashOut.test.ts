import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readTable } from '../../src/arrow/tableReader.ts'
import { ParlayOp } from '../../src/venue/parlay/protocol/commands.ts'
import type { Kind } from '../../src/venue/eventCells.ts'
import { ParlayEvent } from '../../src/venue/parlay/protocol/events.ts'
import { DeliveryStatus, OwnerKind, WebhookEvent } from '../../src/venue/parlay/protocol/webhooks.ts'
import { explainRequest } from '../../src/report/explain.ts'
import { formatSummary } from '../../src/report/summaryText.ts'
import { type Summary, summarise } from '../../src/score/summary.ts'
import { SECOND_US } from '../../src/unit/time.ts'
import { BOS_AND_LAD, CASH_OUT_PRICES, playCashOuts, trade } from '../record/cashOutStory.ts'
import type { Session } from '../record/session.ts'
import { BETTOR, DIRECTORY, CLARA, playStory, SHADE, T0 } from '../record/story.ts'
import { recordRun } from './summaryRun.ts'
import { cellNamed } from '../venue/namedCells.ts'
import { kindNames } from '../venue/parlay/cellNames.ts'

let root: string
let summary: Summary
beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'parlor-sold-'))
  recordRun(join(root, 'story'), playCashOuts, { reference: CASH_OUT_PRICES })
  summary = await summarise(join(root, 'story'))
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

/** Seconds after T0. */
const at = (seconds: number): number => T0 + seconds * SECOND_US

/** The story with commands besides: `more` is called after each of its own. */
const storyWith = (more: (session: Pick<Session, 'apply'>, atUs: number, op: number) => void) => (session: Session): void => {
  const apply = session.apply.bind(session)
  session.apply = (atUs, op, ...rest) => {
    apply(atUs, op, ...rest)
    more({ apply }, atUs, op)
  }
  playCashOuts(session)
}

const shade = () => summary.makers[0]!
const clara = () => summary.makers[1]!

/** Free and reserved money of an account by the ledger table, less what came from outside, microUSDC. */
function ledgerGain(dir: string, account: number): number {
  const ledger = readTable(join(dir, 'tables', 'ledger.arrow'))
  const kind = (side: string) => Array.from(ledger.column(`${side}_kind`).codes!, (code) => ledger.column(`${side}_kind`).values![code]!)
  const [from, to] = [kind('debit'), kind('credit')]
  const owns = (kinds: string[], side: string, row: number): boolean =>
    ['free', 'reserved'].includes(kinds[row]!) && ledger.column(`${side}_owner`).numbers![row] === account
  let gain = 0
  for (let row = 0; row < ledger.rowCount; row++) {
    if (from[row] === 'external' || to[row] === 'external') continue
    const amount = ledger.column('amount_micros').numbers![row]!
    if (owns(from, 'debit', row)) gain -= amount
    if (owns(to, 'credit', row)) gain += amount
  }
  return gain
}

describe('money of a run with cash-outs', () => {
  it('INV-01 is conserved, with the profit fees by where they were taken', () => {
    // Taker fees of three ended positions; 0.1425, 0.2025 and 0.0525 out of three prices. Position 5 is open.
    expect(summary.house).toEqual({
      takerFeeMicros: 750_000, profitFeeMicros: 397_500, revenueMicros: 1_147_500,
      profitFees: { atSettlementMicros: 0, atCashOutMicros: 397_500, onMakersMicros: 0 },
    })
    expect(summary.conservation).toMatchObject({
      depositsMicros: 3_000_000_000, withdrawalsMicros: 850_000_000, potMicros: 99_000_000, escrowMicros: 250_000, differenceMicros: 0, ledgerAgrees: true,
    })
    expect(summary.positions).toEqual({ lost: 2, won: 0, void: 0, open: 1, bought_back: 1, failed: 1 })
    // Shade quoted as often as it bid.
    expect([shade().quotes, summary.cashOut!.makers[0]!.bids, summary.quiet]).toEqual([3, 3, undefined])
  })

  it('gives each maker what it gained as a backer and as a holder', () => {
    // shade: 60 and 99 out of two pots, less 74.25 each. clara: 99 − 74.25 backing, and 45 lost with the position that she took over.
    expect(shade()).toMatchObject({ settled: 2, profitMicros: 10_500_000 })
    expect(clara()).toMatchObject({ settled: 1, profitMicros: -20_250_000 })
    // shade kept 24.75 − 39 and 24.75 of two stakes of 24.75.
    expect(shade().hold.estimate).toBeCloseTo(10.5 / 49.5, 12)
    // 14.25 below the start at 44 s; clara's two ends are one instant.
    expect([shade().drawdown.cashMicros, clara().drawdown.cashMicros]).toEqual([14_250_000, 20_250_000])
    // One cluster lost clara 45 − 0 as holder, the other won her 24.75 as backer.
    expect(clara().profit).toMatchObject({ estimate: -20.25, count: 2 })
  })

  it('counts a cluster in which only another maker had something as 0, in sums and in the worst cluster', () => {
    // All of shade's is in clara's first cluster. Without either of 10.5 and 0, scaled to two clusters: 0 and 21, a standard error of 10.5.
    expect(shade().profit).toMatchObject({ estimate: 10.5, count: 2 })
    expect(shade().profit).toMatchObject({ low: null, label: '2 clusters of 2-leg parlays: an interval of cash would not hold; 20 needed' })
    expect(shade().tail).toMatchObject({ clusters: 2, worstClusterMicros: 0 })
    const { drift, luck } = shade().attribution.terms
    expect([drift, luck].map(({ count }) => count)).toEqual([2, 2])
    expect(shade().breakdowns.legs[0]!.profit).toEqual(shade().profit)
    // A ratio has nothing there.
    expect(shade().hold.count).toBe(1)
  })

  it('puts a holding with the bids that lived beside the one that took it', async () => {
    // Shade bids 40 in auction 2 half a second before clara takes the position over for 45.
    recordRun(join(root, 'rivals'), storyWith((session, atUs, op) => {
      if (atUs === at(60) && op === ParlayOp.openCashout) {
        session.apply(at(60.5), ParlayOp.submitBid, SHADE, (c) => { c.auction = 2; c.amountMicros = 40_000_000; c.validMs = 5000 })
      }
    }), { reference: CASH_OUT_PRICES })
    const rivals = (await summarise(join(root, 'rivals'))).makers[1]!.breakdowns.rivals
    // Backed at 24.75, alone; held from 45 on, and lost.
    expect(rivals.map(({ group, fills, ended, profitMicros }) => [group, fills, ended, profitMicros])).toEqual([['0', 1, 1, 24_750_000], ['1', 0, 1, -45_000_000]])
  })

  it('INV-01 makes the profits of makers the change of their ledger accounts, open positions at cost', () => {
    // Open: shade's risk of 74.25, clara's price of 30.
    expect(ledgerGain(join(root, 'story'), SHADE)).toBe(shade().profitMicros - 74_250_000)
    expect(ledgerGain(join(root, 'story'), CLARA)).toBe(clara().profitMicros - 30_000_000)
  })

  it('splits what the bettors won into what makers and the house lost', () => {
    // 13.8575 and 19.7975 and 4.9475 by three sales, 25 lost; the fourth bet was given back.
    const noise = summary.bettors.find(({ name }) => name === 'noise')!
    expect(noise).toMatchObject({ grossBetMicros: 100_000_000, profitMicros: 13_602_500 })
    expect(noise.loss.estimate).toBeCloseTo(-13.6025 / 100, 12)
    // Position 5 is sold and open: its taker fee of 0.25 is in escrow; its stake and clara's price are in no profit yet.
    const total = noise.profitMicros + shade().profitMicros + clara().profitMicros + summary.house.revenueMicros
    expect(total).toBe(30_000_000 - 25_000_000)
  })

  it('ties up risk until the buyback, and until the delayed payment', () => {
    // shade: 74.25 from 3 to 44 s, 7 to 114 s and 118 to 130 s, and 850 of a withdrawal from 45 to 55 s.
    expect(shade().collateral.integralMicrosUs).toBe('20380000000000000')
    // clara: 74.25 from 11 to 114 s, and from 15 to 36 s of the fill that failed.
    expect(clara().collateral.integralMicrosUs).toBe('9207000000000000')
  })
})

describe('return on capital', () => {
  it('counts what positions taken over cost beside locked and reserved money', () => {
    // clara paid 45 for a position that she held from 62 to 114 s, and 30 for one from 123 s to the end at 130: 2550 USDC s, 19.615 on average.
    expect(clara().collateral).toMatchObject({
      integralMicrosUs: '9207000000000000', held: { integralMicrosUs: '2550000000000000', averageMicros: 19_615_384 },
    })
    expect(clara().collateral.returnPerDay).toBeCloseTo((-20.25 * 86_400) / (9207 + 2550), 9)
    expect(shade().collateral).not.toHaveProperty('held')
    expect(shade().collateral.returnPerDay).toBeCloseTo((10.5 * 86_400) / 20_380, 9)
    const text = formatSummary(summary)
    expect(text).toContain('\navg held    clara 19.62\n')
    expect(text.replaceAll('\n', ' ')).toContain('%/day: profit over avg locked and avg held.')
  })

  it('ends a holding with its sale to another maker, and is that of the holding alone where nothing is backed', async () => {
    const DORA = 4
    const directory = { ...DIRECTORY, accounts: [...DIRECTORY.accounts, { name: 'dora', role: 'maker', group: 'dora' } as const] }
    // dora bids 55 in clara's auction 4, of the position that the bettor sold her for 45; clara takes it at 71 s.
    recordRun(join(root, 'resold'), storyWith((session, atUs, op) => {
      if (atUs === at(1)) session.apply(atUs, ParlayOp.deposit, DORA, (c) => { c.amountMicros = 1_000_000_000 })
      if (atUs !== at(69) || op !== ParlayOp.submitBid) return
      session.apply(at(70), ParlayOp.submitBid, DORA, (c) => { c.auction = 4; c.amountMicros = 55_000_000; c.validMs = 5000 })
      session.apply(at(71), ParlayOp.commitCashout, CLARA, (c) => { c.auction = 4 })
    }), { reference: CASH_OUT_PRICES, directory })
    const { makers } = await summarise(join(root, 'resold'))
    // clara: 45 for 9 s and 30 for 7 s. dora: 55 from 71 to 114 s, when it lost.
    expect(makers.map(({ name, collateral }) => [name, collateral.integralMicrosUs, collateral.held?.integralMicrosUs])).toEqual([
      ['shade', '20380000000000000', undefined], ['clara', '9207000000000000', '615000000000000'], ['dora', '0', '2365000000000000'],
    ])
    expect(makers[2]!.collateral.returnPerDay).toBeCloseTo((-55 * 86_400) / 2365, 9)
  })
})

describe('a maker that bets, too', () => {
  it('is marked, as its marked path counts its own bets', async () => {
    expect(clara()).not.toHaveProperty('ownBets')
    expect(formatSummary(summary)).not.toMatch(/\* |clara\*/)
    recordRun(join(root, 'bets'), storyWith((session, atUs) => {
      if (atUs === at(123)) trade(session, 124, 6, SHADE, BOS_AND_LAD, CLARA)
    }), { reference: CASH_OUT_PRICES })
    const betting = await summarise(join(root, 'bets'))
    expect(betting.makers.map(({ name, ownBets }) => [name, ownBets])).toEqual([['shade', undefined], ['clara', 1]])
    const text = formatSummary(betting)
    expect(text.match(/^clara\*/gm)).toHaveLength(1)
    expect(text).toMatch(/^capital .*\nshade .*\nclara\* /m)
    expect(text).toContain('\n* bets on its own account: dd marked counts these bets, profit and dd cash do not.\n')
    // The bet is open and no profit.
    expect(betting.makers[1]!.profitMicros).toBe(clara().profitMicros)
    expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThanOrEqual(100)
  })
})

describe('a fill that fails on the chain', () => {
  it('is no fill: it counts beside the fills, the committed requests and the figures of what was won', () => {
    // shade fills requests 1, 2 and 5, clara 3 and 4; the chain does not fund the position of 4.
    expect(summary.acceptances.confirmed).toBe(5)
    expect(summary.requests.byEnd).toMatchObject({ committed: 4, chain_failed: 1 })
    expect([shade().hits.fills, shade().hits.chainFailed, clara().hits.fills, clara().hits.chainFailed]).toEqual([3, undefined, 1, 1])
    // Both of clara's versions were committed to her, and one became a position.
    expect(clara().hits).toMatchObject({ quotedVersions: 2, committedVersions: 2, ratio: { estimate: 0.5 }, ofCommitted: { estimate: 0.5 } })
    expect(clara().marks.map(({ won }) => won)).toEqual([1, 1])
    expect(clara().winCurve.pooled.reduce((sum, { filled }) => sum + filled, 0)).toBe(1)
    expect(summary.bettors.find(({ name }) => name === 'noise')).toMatchObject({ committed: 4, chainFailed: 1 })
    const text = formatSummary(summary)
    expect(text).toMatch(/^bettors +requests +committed +failed +gross bet /m)
    expect(text).toMatch(/^quoting +quotes +requotes +quote rate +fills +failed +hit ratio % +committed /m)
    expect(text).toMatch(/^clara +2 +0 +- +1 +1 /m)
  })
})

describe('fills that take their time while the chain is well', () => {
  it('are not held up by it', async () => {
    recordRun(join(root, 'slow'), playCashOuts, { reference: CASH_OUT_PRICES }, { executionMs: 20_000 })
    const slow = await summarise(join(root, 'slow'))
    // Four of five fills; the chain was at fault for the fifth, which failed, and for a withdrawal.
    expect(readTable(join(root, 'slow', 'tables', 'vault_transactions.arrow')).rowCount).toBe(6)
    expect(slow.vaultTransactions).toEqual({ count: 2, completed: 1, failed: 1, chain_pending: 0, balance_pending: 0 })
    expect(formatSummary(slow)).toContain('chain       2 vault transactions held up, 1 completed, 1 failed\n')
    recordRun(join(root, 'slow-plain'), playStory, {}, { executionMs: 1000 })
    expect(await summarise(join(root, 'slow-plain'))).not.toHaveProperty('vaultTransactions')
  })

  it('are told as executions', () => {
    // Confirmed at 4 s.
    expect(explainRequest(join(root, 'slow'), 1).timeline.filter(({ who }) => who === 'chain').map(({ afterMs, what }) => [afterMs, what])).toEqual([
      [3000, 'begins to execute the fill of 99.25 USDC (vault transaction 1)'], [23_000, 'has executed it'],
    ])
  })
})

describe('the cash-out block', () => {
  it('counts auctions and bids by how they ended', () => {
    expect(summary.cashOut).toMatchObject({
      auctions: 6, byEnd: { committed: 3, cancelled: 1, decided: 1, expired: 1, open: 0 }, byRoute: { bought_back: 1, transferred: 2 },
      bids: 7, bidsByEnd: { replaced: 1, expired: 1, invalidated: 1, won: 3, failed: 1, open: 0 }, winShare: 3 / 7,
      pricesMicros: 114_000_000, toSellersMicros: 113_602_500, feesMicros: 397_500,
    })
  })

  it('values bids by the reference at submission: a buyback at V P, a transfer at V (P − future profit fee)', () => {
    const [ofShade, ofClara] = summary.cashOut!.makers
    expect(ofShade).toMatchObject({ name: 'shade', bids: 3, boughtBack: 1, transferred: 0, paidMicros: 39_000_000 })
    // 0.4 · 99 − 39.
    expect(ofShade!.won).toMatchObject({ bids: 1, valued: 1, totalMicros: 600_000, perBid: { estimate: 0.6 } })
    expect(ofShade!.lost).toMatchObject({ bids: 0, valued: 0, totalMicros: 0, perBid: { estimate: null } })
    expect(ofClara).toMatchObject({ name: 'clara', bids: 4, boughtBack: 0, transferred: 2, paidMicros: 75_000_000 })
    // 0.5 · (99 − 0.54) − 45 and 0.5 · (99 − 0.69) − 30.
    expect(ofClara!.won).toMatchObject({ bids: 2, valued: 2, totalMicros: 4_230_000 + 19_155_000 })
    expect(ofClara!.won.perBid.estimate).toBeCloseTo(11.6925, 12)
    // 0.4 · (99 − 0.63) − 36.
    expect(ofClara!.lost).toMatchObject({ bids: 1, valued: 1, totalMicros: 3_348_000 })
    expect(ofClara!.winShare.estimate).toBe(0.5)
  })

  it('is printed, within 100 columns', () => {
    const text = formatSummary(summary)
    expect(text.replace(/\n +/g, ' ')).toContain('profit fees 0.40: at settlement 0.00, at cash-out 0.40, on makers 0.00): exact')
    expect(text.replace(/\n +/g, ' ')).toContain(
      'cash-outs   6 auctions, 3 committed (1 bought back by backers, 2 transferred), 1 lapsed, 1 cancelled, 1 decided, 7 bids, taken 42.9%,',
    )
    // Edges of two bids and of one are too few to be shown.
    expect(text).toMatch(/^clara +4 +50\.0 +0 +2 +75\.00 +- +2 +- +1$/m)
    expect(text).toContain('chain       2 vault transactions held up, 1 completed, 1 failed')
    expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThanOrEqual(100)
  })

  it('and its fees and lines are not there without auctions', async () => {
    recordRun(join(root, 'plain'), playStory)
    const plain = await summarise(join(root, 'plain'))
    for (const key of ['cashOut', 'deliveries', 'vaultTransactions']) expect(plain).not.toHaveProperty(key)
    expect(plain.house).not.toHaveProperty('profitFees')
    expect(formatSummary(plain)).not.toMatch(/cash-out|\bat settlement|edge|chain/)
  })

  it('shows what a profit fee on makers took', async () => {
    const dir = join(root, 'maker-fee')
    recordRun(dir, playCashOuts, { reference: CASH_OUT_PRICES, parlay: { legsMax: 5, profitFees: { onTransfer: true, onMaker: true } } }, { profitFeeOnMaker: 1 })
    const charged = await summarise(dir)
    // 1 % of the stakes of the two lost positions.
    expect(charged.house.profitFees).toEqual({ atSettlementMicros: 0, atCashOutMicros: 397_500, onMakersMicros: 495_000 })
    expect(charged.makers.map(({ profitMicros }) => profitMicros)).toEqual([10_252_500, -20_497_500])
    expect(charged.conservation).toMatchObject({ differenceMicros: 0, ledgerAgrees: true })
    expect(formatSummary(charged)).toContain('on makers 0.50')
  })
})

describe('deliveries', () => {
  it('are counted once each, by how they stand at last', async () => {
    recordRun(join(root, 'told'), (session) => {
      const { events } = session
      const row = (kind: Kind, fields: Readonly<Record<string, number>>): void => {
        const opened = events.open(T0, kind, -1)
        for (const [name, value] of Object.entries(fields)) events.write(opened, cellNamed(kindNames(kind), name), value)
      }
      for (const delivery of [1, 2]) {
        row(ParlayEvent.deliveryQueued, { account: 1, ownerKind: OwnerKind.user, delivery, webhookEvent: WebhookEvent.statusChanged, eventSeq: 1 })
      }
      row(ParlayEvent.deliveryChanged, { status: DeliveryStatus.deadLetter, delivery: 1, attempts: 1, response: 410 })
      row(ParlayEvent.deliveryRequeued, { delivery: 1 })
      row(ParlayEvent.deliveryChanged, { status: DeliveryStatus.delivered, delivery: 1, attempts: 2, response: 200 })
      session.finish(T0)
    })
    const told = await summarise(join(root, 'told'))
    expect(told.deliveries).toEqual({ count: 2, attempts: 2, redeliveries: 1, delivered: 1, dead_letter: 0, failed: 0, pending: 1 })
    expect(formatSummary(told)).toContain('deliveries  2, 1 delivered, 1 pending, 2 attempts, 1 redelivered')
  })
})

describe('the story of a request that was cashed out', () => {
  const told = (request: number) => explainRequest(join(root, 'story'), request)
  const lines = (request: number, fromSecond: number): string[] =>
    told(request).timeline.filter(({ atUs }) => atUs >= T0 + fromSecond * SECOND_US).map(({ atUs, who, what }) => `${(atUs - T0) / SECOND_US} ${who}: ${what}`)

  it('goes on to its buyback', () => {
    expect(lines(1, 40)).toEqual([
      '40 noise (account 1): opens cash-out auction 1: payout 99.00 USDC, reference 40.00%',
      '41 clara: bids 30.00 USDC in auction 1 (30.30% of the payout, reference 40.00%)',
      '42 shade: bids 39.00 USDC to buy it back in auction 1 (39.39% of the payout, reference 40.00%)',
      '43 clara: bids 36.00 USDC in auction 1 (36.36% of the payout, reference 40.00%)',
      '44 noise (account 1): takes the bid of shade: price 39.00 USDC, 38.86 USDC to the seller, profit fee 0.14 USDC',
      '44 service: shade closes the position',
      '44 service: ends it bought back: 38.86 USDC to the bettor, 60.00 USDC to the maker',
    ])
    expect(told(1).money).toMatchObject({ outcome: 'bought_back', bettorProfitMicros: 13_857_500, makerProfitMicros: -14_250_000, sales: [], holder: null })
  })

  it('goes on through its sale, its next auctions and the delayed settlement', () => {
    expect(lines(2, 62)).toEqual([
      '62 noise (account 1): takes the bid of clara: price 45.00 USDC, 44.80 USDC to the seller, profit fee 0.20 USDC',
      '62 service: clara takes the position over',
      '64 clara: opens cash-out auction 3: payout 99.00 USDC, reference 50.00%',
      '66 clara: cancels auction 3',
      '68 clara: opens cash-out auction 4: payout 99.00 USDC, reference 50.00%',
      '69 shade: bids 50.00 USDC to buy it back in auction 4 (50.51% of the payout, reference 50.00%)',
      '74 shade: bid 50.00 USDC expired',
      '78 service: auction 4 is over, nothing was taken',
      '84 chain: the position is decided, and paid later',
      '114 service: settles it lost: 0.00 USDC to clara, who holds it, 99.00 USDC to the maker',
    ])
    expect(told(2).money).toMatchObject({
      holder: 'clara', bettorProfitMicros: 19_797_500, makerProfitMicros: 24_750_000,
      sales: [{ auction: 2, seller: 'noise (account 1)', buyer: 'clara', priceMicros: 45_000_000, profitFeeMicros: 202_500, toSellerMicros: 44_797_500 }],
    })
  })

  it('names the bid that failed and the result that ended an auction', () => {
    expect(lines(3, 81).slice(0, 4)).toEqual([
      '81 shade: bids 62.00 USDC in auction 5 (62.63% of the payout, reference 50.00%)',
      '82 service: refuses commitCashout of noise: insufficientBuyerBalance',
      '82 service: drops the bid 62.00 USDC of shade: insufficientBuyerBalance',
      '84 service: cancels auction 5: a result has decided the position',
    ])
  })

  it('tells of refusals that name the position or the auction only', () => {
    const dir = join(root, 'refused')
    recordRun(dir, storyWith((session, atUs, op) => {
      if (atUs !== at(69) || op !== ParlayOp.submitBid) return
      session.apply(atUs, ParlayOp.openCashout, CLARA, (c) => { c.position = 2 })
      session.apply(atUs, ParlayOp.cancelCashout, BETTOR, (c) => { c.auction = 4 })
    }), { reference: CASH_OUT_PRICES })
    const refusals = (request: number): string[] =>
      explainRequest(dir, request).timeline.filter(({ what }) => what.startsWith('refuses')).map(({ atUs, what }) => `${(atUs - T0) / SECOND_US} ${what}`)
    // The position has an auction already, and the auction is clara's.
    expect(refusals(2)).toEqual(['69 refuses openCashout of clara: conflict', '69 refuses cancelCashout of noise: forbidden'])
    // Those of others are not its own; auction 4 is not position 4.
    expect(refusals(4)).toEqual([])
    expect(refusals(3)).toEqual(['82 refuses commitCashout of noise: insufficientBuyerBalance'])
  })

  it('tells of a fill that the chain dropped', () => {
    expect(lines(4, 16).slice(-3)).toEqual([
      '16 chain: vault transaction 1, the fill of 99.25 USDC: chain pending',
      '36 chain: vault transaction 1 failed',
      '36 service: ends it, as the chain did not fund it: 25.00 USDC to the bettor, 74.25 USDC to the maker',
    ])
  })
})
