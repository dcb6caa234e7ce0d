import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Side } from '../../src/market/sides.ts'
import { formatSummary } from '../../src/report/summaryText.ts'
import { type Summary, summarise } from '../../src/score/summary.ts'
import { InputError } from '../../src/unit/inputError.ts'
import { contentTag, ParlayOp } from '../../src/venue/parlay/protocol/commands.ts'
import { BETTOR, DIRECTORY, CLARA, playStory, SHADE, T0 } from '../record/story.ts'
import { recordRun } from './summaryRun.ts'

const SECOND = 1_000_000

let root: string
let summary: Summary
beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'parlor-summary-'))
  recordRun(join(root, 'story'), playStory)
  summary = await summarise(join(root, 'story'))
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

const shade = () => summary.makers[0]!
const clara = () => summary.makers[1]!
const ONE_CLUSTER = { low: null, high: null, count: 1, label: 'one cluster: no interval' }
/** 97.5 % point of Student's distribution with one degree of freedom. */
const T1 = 12.7062047

// The story's bets are 25 USDC: stake 24.75, taker fee 0.25; at odds 4.0, 3.0 and 2.0 the payouts are 99, 74.25 and 49.5.
describe('the run of the story', () => {
  it('names itself, its window and its coverage', () => {
    expect(summary).toMatchObject({
      version: 2, label: 'interactive', service: 'parlay', seed: '7', window: { startUs: T0, endUs: T0 + 90 * SECOND },
      coverage: {
        universe: 4, listed: 3, closed: 0, excluded: 1, unresolved: 1, drawn: null, halted: 2, voided: 0, scalar: 0, missingSettlementTime: 2, withoutPrices: 0,
      },
    })
    expect(formatSummary(summary).split('\n').slice(1, 3)).toEqual([
      'coverage    universe 4, listed 3, no prices 0, closed 0, excluded 1, unresolved 1, drawn ?, void 0,',
      '            scalar 0, halted 2, no settlement time 2',
    ])
    expect(summary.digest).toMatch(/^[0-9a-f]{64}$/)
  })

  it('counts requests beside clusters, and everything by how it ended', () => {
    // Clusters by the latest leg: 06-20 of requests 1 to 4, 06-21 of request 5.
    expect(summary.requests).toEqual({
      count: 5, versions: 6, clusters: 2, byEnd: { updated: 1, committed: 3, cancelled: 1, expired: 0, open: 1 },
    })
    expect(summary.quotes).toBe(8)
    expect(summary.acceptances).toEqual({ confirmed: 3, declined: 1, timed_out: 1, open: 0 })
    expect(summary.positions).toEqual({ lost: 1, won: 1, void: 0, open: 1 })
  })

  it('counts rejections, the most frequent first', () => {
    expect(summary.rejections[0]).toEqual({ name: 'mmConfirmationTimeout', count: 2 })
    expect(summary.rejections.map(({ count }) => count)).toEqual([2, 1, 1])
  })

  it('INV-01 finds every micro-unit that came in', () => {
    // Position 1 won: profit fee 0.7425. Two settled: taker fees 0.50. Position 3 is open: pot 49.50, escrow 0.25.
    expect(summary.house).toEqual({ takerFeeMicros: 500_000, profitFeeMicros: 742_500, revenueMicros: 1_242_500 })
    expect(summary.conservation).toEqual({
      depositsMicros: 3_000_000_000, withdrawalsMicros: 0, freeMicros: 2_949_007_500, reservedMicros: 0,
      potMicros: 49_500_000, escrowMicros: 250_000, houseMicros: 1_242_500, differenceMicros: 0, ledgerAgrees: true,
    })
  })

  it('gives bettors their profit, and their loss over gross bets', () => {
    // 98.2575 − 25 won and 25 lost: 48.2575, over 50 of settled gross bets.
    const noise = summary.bettors.find(({ name }) => name === 'noise')
    expect(noise).toMatchObject({ requests: 5, committed: 3, grossBetMicros: 75_000_000, profitMicros: 48_257_500 })
    expect(noise!.loss.estimate).toBeCloseTo(-48.2575 / 50, 12)
    expect(noise!.loss).toMatchObject(ONE_CLUSTER)
  })
})

describe('the hit ratio of what was committed', () => {
  it('counts a version once, however often its maker was selected, and those that it declined and then lost', async () => {
    const legs = [[0, Side.yes], [1, Side.yes]] as const
    let quotes = 0
    recordRun(join(root, 'declines'), (session) => {
      const at = (seconds: number): number => T0 + seconds * SECOND
      const asked = (second: number, request: number): number => {
        session.apply(at(second), ParlayOp.createRequest, BETTOR, (c) => { c.betMicros = 25_000_000; for (const [market, side] of legs) c.leg(market, side) })
        return request
      }
      const quoted = (second: number, request: number, maker: number, oddsE4: number): void => {
        session.apply(at(second), ParlayOp.submitQuote, maker, (c) => {
          c.request = request
          c.version = 1
          c.contentTag = contentTag(2, [0, 1], [Side.yes, Side.yes], 25_000_000)
          c.oddsE4 = oddsE4
        })
        quotes++
      }
      /** The newest quote. */
      const selected = (second: number, request: number, maker: number, answer: number): void => {
        session.apply(at(second), ParlayOp.commitRequest, BETTOR, (c) => { c.request = request; c.version = 1; c.quote = quotes; c.bookSeq = 1; c.oddsE4 = 40_000 })
        session.apply(at(second + 1), answer, maker, (c) => { c.request = request; c.quote = quotes })
      }
      for (const [market] of legs) session.apply(at(0), ParlayOp.listMarket, 0, (c) => { c.market = market; c.closeUs = at(3600); c.item(100 + market) })
      for (const account of [BETTOR, SHADE, CLARA]) session.apply(at(0), ParlayOp.deposit, account, (c) => { c.amountMicros = 1_000_000_000 })
      for (const request of [asked(1, 1), asked(1, 2)]) {
        quoted(10 * request, request, SHADE, 40_000)
        selected(10 * request + 1, request, SHADE, ParlayOp.declineSelection)
        quoted(10 * request + 3, request, SHADE, 40_000)
        if (request === 2) quoted(10 * request + 4, request, CLARA, 50_000)
        selected(10 * request + 5, request, request === 1 ? SHADE : CLARA, ParlayOp.confirmSelection)
      }
      session.finish(at(90))
    })
    const [of, other] = (await summarise(join(root, 'declines'))).makers
    // shade declined both, filled the first with its next quote and lost the second to clara with it.
    expect(of!.lastLook).toMatchObject({ selected: 3, confirmed: 1, declined: 2 })
    expect(of!.hits).toMatchObject({ fills: 1, quotedVersions: 2, committedVersions: 2, ofCommitted: { estimate: 0.5 } })
    expect(other!.hits).toMatchObject({ fills: 1, quotedVersions: 1, committedVersions: 1, ofCommitted: { estimate: 1 } })
  })
})

describe('makers of the story', () => {
  it('have quotes per version, no quote rate without deliveries, and hit ratios over distinct versions', () => {
    // Three of six versions were answered, one of them twice.
    expect(shade().quoteRate).toMatchObject({ submitted: 4, answered: 3, requotes: 1, delivered: null, ratio: null, perVersion: 3 / 6 })
    // shade quoted versions (1,1) twice, (2,1) and (2,2). It filled (1,1), declined (2,1), and let the time pass on (2,2). clara quoted
    // requests 1 and 3 to 5. It filled 3 and 5, and lost 1.
    expect(shade().hits).toMatchObject({ fills: 1, quotedVersions: 3, committedVersions: 3 })
    expect(shade().hits.ofCommitted.estimate).toBeCloseTo(1 / 3, 12)
    expect(shade().hits.ratio).toMatchObject({ estimate: 1 / 3, ...ONE_CLUSTER })
    expect(clara().hits).toMatchObject({ fills: 2, quotedVersions: 4, committedVersions: 3 })
    // Clusters: 1 of 3 and 1 of 1. Without one of them 1 and 1/3: standard error 1/3, so t · 1/3, cut to [0, 1].
    expect(clara().hits.ratio).toMatchObject({ estimate: 0.5, low: 0, high: 1, count: 2 })
    expect(clara().hits.ofCommitted.estimate).toBeCloseTo(2 / 3, 12)
  })

  it('have a quote rate of first responses: a maker that quotes a version again answers no more of them', async () => {
    recordRun(join(root, 'delivered'), playStory)
    const file = join(root, 'delivered', 'manifest.json')
    const manifest = JSON.parse(readFileSync(file, 'utf8')) as { counts: Record<string, number> }
    writeFileSync(file, JSON.stringify({ ...manifest, counts: { ...manifest.counts, 'delivered to shade': 4 } }))
    const told = await summarise(join(root, 'delivered'))
    // Four quotes on three of the four versions that reached it.
    expect(told.makers[0]!.quoteRate).toMatchObject({ submitted: 4, answered: 3, requotes: 1, delivered: 4, ratio: 3 / 4 })
    expect(formatSummary(told)).toMatch(/^shade +4 +1 +0\.750 +1 /m)
  })

  it('have a win curve over every decided quote, by live rivals', () => {
    // shade at 4.0 against V = 1/4: margin 0, three times, once filled; at 3.0: 33.3 − 25 = 8.3, not filled.
    const bins = (curve: readonly { fromCents: number | null; toCents: number | null; quotes: number; filled: number }[]) =>
      curve.map(({ fromCents, toCents, quotes, filled }) => [fromCents, toCents, quotes, filled])
    expect(bins(shade().winCurve.pooled)).toEqual([[0, 1, 3, 1], [8, 9, 1, 0]])
    expect(shade().winCurve.byRivals.map(({ rivals, bins: of }) => [rivals, bins(of)])).toEqual([
      ['0', [[0, 1, 1, 0], [8, 9, 1, 0]]], ['1', [[0, 1, 2, 1]]], ['2', []], ['3+', []],
    ])
    // clara: 8.3 lost to shade, 50 − 25 and 50 − 37.5 filled; the quote of request 4 was open at the end.
    expect(bins(clara().winCurve.pooled)).toEqual([[8, 9, 1, 0], [10, null, 2, 2]])
    expect(clara().winCurve.left).toBe(1)
    // Wilson of 1 of 2 (Newcombe's formula): 0.5 ± 0.4055.
    expect(shade().winCurve.byRivals[1]!.bins[0]!.probability.low).toBeCloseTo(0.0945, 4)
  })

  it('have a last look with latencies of what they answered', () => {
    // Confirmed after 2 s, declined after 1 s: median 1.5 s, 99 % of the way 1.99 s.
    expect(shade().lastLook).toMatchObject({
      selected: 3, confirmed: 1, declined: 1, timed_out: 1, open: 0, latencyP50Us: 1_500_000, latencyP99Us: 1_990_000,
    })
    expect(shade().lastLook.asymmetryCents).toMatchObject({ estimate: 0, ...ONE_CLUSTER })
    expect(clara().lastLook.asymmetryCents).toMatchObject({ estimate: null, label: 'undefined: no interval' })
  })

  it('have mark-outs by horizon, weighted by payout', () => {
    // shade, q = 1/4: V = 0.25 after 10 s, and 1 after 60 s, when both legs have won.
    expect(shade().marks[0]).toMatchObject({
      horizonUs: 10 * SECOND, won: 1, censored: 0, unknown: 0, markOutCents: { estimate: 0 },
    })
    expect(shade().marks[1]!.markOutCents).toMatchObject({ estimate: -75, ...ONE_CLUSTER })
    // clara, q = 1/2 twice on 49.5: V = 0.25 and 0.5 after 10 s; 0 and, at the end of the session, 0.5.
    const [after10, after60] = clara().marks
    expect(after10!.markOutCents.estimate).toBeCloseTo(12.5, 9)
    // Cluster means 25 and 0: standard error 12.5.
    expect(after10!.markOutCents.high).toBeCloseTo(12.5 + 12.5 * T1, 5)
    expect(after60).toMatchObject({ won: 2, censored: 1, unknown: 0, markOutCents: { estimate: 25 } })
    expect(shade().marks[0]!.winnersCurseCents.estimate).toBeNull()
  })

  it('have hold before fees, profit, and what their bettors lost', () => {
    // shade paid 99 on 24.75: hold −3, profit −74.25. Its bettor won 73.2575 on 25. clara kept 24.75, and its bettor lost 25.
    expect(shade()).toMatchObject({ settled: 1, profitMicros: -74_250_000, hold: { estimate: -3, ...ONE_CLUSTER } })
    expect(shade().bettorLoss.estimate).toBeCloseTo(-73.2575 / 25, 12)
    expect(shade().profit).toMatchObject({ estimate: -74.25, ...ONE_CLUSTER })
    expect(clara()).toMatchObject({ settled: 1, profitMicros: 24_750_000, hold: { estimate: 1 }, bettorLoss: { estimate: 1 } })
    expect(shade().tail).toMatchObject({ clusters: 1, worstClusterMicros: -74_250_000, expectedShortfallMicros: null })
    expect(clara().tail.worstClusterMicros).toBe(24_750_000)
    expect(shade().fees).toEqual({ takerMicros: 250_000, profitMicros: 742_500 })
    expect(clara().fees).toEqual({ takerMicros: 250_000, profitMicros: 0 })
  })

  it('have collateral from the hold on, exactly', () => {
    // shade: 74.25 from 6 to 60 s and from 12 to 13 s, 49.5 from 16 to 21 s: 4331.25 USDC s, over 90 s 48.125.
    expect(shade().collateral.integralMicrosUs).toBe('4331250000000000')
    expect(shade().collateral.averageMicros).toBe(48_125_000)
    expect(shade().collateral.returnPerDay).toBeCloseTo((-74.25 * 86_400) / 4331.25, 9)
    // clara: 24.75 from 26 to 45 s, and from 35 s to the end at 90 s: 74 s.
    expect(clara().collateral.integralMicrosUs).toBe('1831500000000000')
  })

  it('have drawdowns of realised and of marked profit', () => {
    // shade marked: 0, then 925.75 + 0.625 · 99 at 30 s, then 925.75.
    expect(shade().drawdown).toMatchObject({ cashMicros: 74_250_000, markToMarketMicros: 74_250_000, liquidationMicros: null })
    expect(clara().drawdown).toMatchObject({ cashMicros: 0, markToMarketMicros: 0, liquidationMicros: null })
  })

  it('say that drawdowns of equity are over samples', () => {
    expect(shade().drawdown.label).toContain('over the samples of record.equityEvery')
    expect(formatSummary(summary)).toContain('\ndd marked, dd at touch: at least, over the samples of record.equityEvery: ')
  })
})

describe('what intervals rest on', () => {
  it('is said beside them: positions whose legs lie in several clusters', () => {
    // The positions are on NYY (06-19) and BOS (06-20), on BOS and LAD (both 06-20), and on NYY and SEA (06-21).
    expect(summary.clusters).toEqual({ by: null, sharedPositions: 2 / 3 })
    expect(formatSummary(summary)).toContain('\n67% of positions rest on several clusters: intervals are too narrow.\n')
    const byGame = { ...summary, clusters: { by: 'game', sharedPositions: 0.0004 } }
    expect(formatSummary(byGame)).toContain('\nunder 0.1% of positions rest on several clusters: intervals are too narrow; cluster: gameDay keeps them whole.\n')
    expect(formatSummary({ ...summary, clusters: { by: 'gameDay', sharedPositions: 0 } })).not.toContain('narrow')
  })

  it('of one cluster is said once, and cells have estimates only', async () => {
    const directory = { ...DIRECTORY, markets: DIRECTORY.markets.map((market) => ({ ...market, cluster: '2025-06-19' })) }
    recordRun(join(root, 'night'), playStory, { directory })
    const night = await summarise(join(root, 'night'))
    expect(night.clusters.sharedPositions).toBe(0)
    const text = formatSummary(night)
    expect(text.match(/no interval/g)).toHaveLength(1)
    expect(text).toContain('one settlement cluster: no interval.')
    expect(text).not.toMatch(/\]\/1/)
    // shade's hold of −3, in per cent.
    expect(text).toMatch(/^shade +1 +-74\.25 +-300 +-293$/m)
  })
})

describe('the same run', () => {
  it('gives the same summary from batches of any height, and again from itself', async () => {
    recordRun(join(root, 'batches'), playStory, { batchRows: 2 })
    expect(await summarise(join(root, 'batches'))).toEqual(summary)
    expect(JSON.stringify(await summarise(join(root, 'story')))).toBe(JSON.stringify(summary))
  })

  it('without samples finds the makers by their holds, and has no mark-to-market drawdown', async () => {
    recordRun(join(root, 'unsampled'), playStory, { equityEveryUs: 0, horizonsUs: [] })
    const { makers, window } = await summarise(join(root, 'unsampled'))
    // The last posting is the settlement of position 1.
    expect(window!.endUs).toBe(T0 + 60 * SECOND)
    expect(makers.map(({ collateral }) => collateral.integralMicrosUs)).toEqual(['4331250000000000', '1089000000000000'])
    expect(makers.map(({ drawdown }) => drawdown.markToMarketMicros)).toEqual([null, null])
    expect(makers[0]!.marks).toEqual([])
  })

  it('writes nothing', () => {
    expect(readdirSync(join(root, 'story')).sort()).toEqual(['manifest.json', 'tables'])
  })
})

describe('what is no run', () => {
  it('is a mistake of the user: no manifest, a foreign one, a missing table', async () => {
    await expect(summarise(join(root, 'nowhere'))).rejects.toThrow(InputError)
    recordRun(join(root, 'broken'), playStory)
    rmSync(join(root, 'broken', 'tables', 'ledger.arrow'))
    await expect(summarise(join(root, 'broken'))).rejects.toThrow(InputError)
    writeFileSync(join(root, 'broken', 'manifest.json'), '{"version":1}')
    await expect(summarise(join(root, 'broken'))).rejects.toThrow('not the manifest of a run')
    writeFileSync(join(root, 'broken', 'manifest.json'), '{')
    await expect(summarise(join(root, 'broken'))).rejects.toThrow('not JSON')
  })
})

describe('a run in which nothing happened', () => {
  it('has a summary without figures', async () => {
    recordRun(join(root, 'empty'), (session) => session.finish(T0))
    const empty = await summarise(join(root, 'empty'))
    expect(empty).toMatchObject({ window: null, quotes: 0, rejections: [], requests: { count: 0, versions: 0, clusters: 0 } })
    expect(empty.makers[0]).toMatchObject({
      quotes: 0, quoteRate: { perVersion: null }, tail: { clusters: 0, worstClusterMicros: null, expectedShortfallMicros: null }, hits: { ratio: { estimate: null } },
    })
    expect(empty.conservation).toMatchObject({ differenceMicros: 0, ledgerAgrees: true })
    expect(formatSummary(empty)).toContain('nothing happened')
  })
})
