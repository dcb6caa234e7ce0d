import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readTable } from '../../src/arrow/tableReader.ts'
import { licenceOf } from '../../src/score/licence.ts'
import type { Scores } from '../../src/score/scores.ts'
import { readExpectation } from '../../src/sweep/expectation.ts'
import { scoreColumns } from '../../src/sweep/scoreRows.ts'
import { checkMeasured, figureNamed, pooledInterval, sessionInterval } from '../../src/sweep/figures.ts'
import { Sweep, type SweepPlan } from '../../src/sweep/sweep.ts'
import type { TaskOutcome, TaskPool, TaskSpec } from '../../src/sweep/task.ts'
import { lookTimes, readUntil } from '../../src/sweep/stoppingRule.ts'
import { newFolder } from '../scenario/small.ts'

const COLUMNS = ['quotedVersions', 'fills', 'committedVersions', 'settled', 'profit', 'stake', 'hold', 'grossBet', 'bettorLoss', 'ended', 'closeStake', 'closeHold',
  'margin', 'selection', 'model', 'lastLook', 'drift', 'ownFees', 'luck', 'positionPayout', 'legPayout', 'uncertain', 'undecided', 'undrawn', 'payout60s', 'markOut60s', 'wonPayout60s', 'wonGap60s', 'lostPayout60s', 'lostGap60s']
const FIGURES = ['quotes', 'delivered', 'selected', 'cashDrawdownMicros', 'markToMarketDrawdownMicros', 'liquidationDrawdownMicros', 'worstJointLossMicros', 'capitalUsdcDays']
const USDC = 1_000_000

/** The book of what ended, unless given: parlays of one leg, and closes that leave all of it to luck. */
const BOOK: Readonly<Record<string, number>> = { positionPayout: 10, legPayout: 10, uncertain: 2, undecided: 2 }

/** A session of one maker: per cluster some columns, all others 0. */
function sessionOf(clusters: Readonly<Record<string, Readonly<Record<string, number>>>>, figures: Readonly<Record<string, number>> = {}): Scores[] {
  return [{
    service: 'parlay', makers: ['m'], clusters: Object.keys(clusters), columns: COLUMNS, figures: FIGURES,
    sums: Float64Array.from(Object.values(clusters).flatMap((sums) => COLUMNS.map((column) => sums[column] ?? (sums['ended'] === undefined ? 0 : BOOK[column] ?? 0)))),
    values: Float64Array.from(FIGURES, (figure) => figures[figure] ?? NaN),
  }]
}

const KEY = { service: 'parlay', maker: 'm' }

describe('figures over replications', () => {
  const sessions = [
    sessionOf({ a: { profit: 10 * USDC, ended: 1, fills: 1, quotedVersions: 4 }, b: { profit: USDC, ended: 1, fills: 1, quotedVersions: 2 } }, { cashDrawdownMicros: 2 * USDC }),
    sessionOf({ b: { profit: 3 * USDC, ended: 2, fills: 2, quotedVersions: 2 }, a: { profit: 20 * USDC, ended: 1, quotedVersions: 2 } }, { cashDrawdownMicros: 6 * USDC }),
  ]

  it('are of one replication on average, with an interval over settlement clusters', () => {
    // Per cluster 15 and 2 USDC on average. Without either, scaled to two clusters: 4 and 30, a standard error of 13; t of one degree of freedom is 12.7062.
    const profit = pooledInterval(sessions, KEY, figureNamed('luck-adjusted')!)
    expect(profit.estimate).toBe(17)
    expect(profit.high).toBeCloseTo(17 + 13 * 12.7062047, 4)
    expect(profit.label).toBe('2 clusters, t on the jackknife')
    // Fills over quoted versions: 4 of 10; never outside of 0…1.
    expect(pooledInterval(sessions, KEY, figureNamed('hit ratio')!)).toMatchObject({ estimate: 0.4, low: 0, high: 1 })
  })

  it('of one cluster rest on the seeds alone, and say so', () => {
    const one = [1, 3].map((profit) => sessionOf({ a: { profit: profit * USDC, ended: 1 } }))
    // The mean of 1 and 3 has the standard error 1.
    const profit = pooledInterval(one, KEY, figureNamed('luck-adjusted')!)
    expect(profit.estimate).toBe(2)
    expect(profit.high).toBeCloseTo(2 + 12.7062047, 4)
    expect(profit.label).toContain('conditional on this history')
  })

  it('have clusters of which only another maker had something: sums are 0 there, ratios are not', () => {
    // m has 15 in a, another maker something in b; c is nobody's.
    const sums = { a: { m: { profit: 15 * USDC, ended: 1, fills: 3, settled: 1, hold: 1, stake: 2 } }, b: { other: { profit: USDC, ended: 1 } }, c: {} }
    const makers = ['m', 'other', 'silent']
    const session = [{
      service: 'parlay', makers, clusters: Object.keys(sums), columns: COLUMNS, figures: FIGURES, values: new Float64Array(makers.length * FIGURES.length),
      sums: Float64Array.from(makers.flatMap((maker) => Object.values(sums).flatMap((of: Record<string, Record<string, number>>) => COLUMNS.map((column) => of[maker]?.[column] ?? 0)))),
    }]
    const of = (name: string, maker = 'm') => pooledInterval([session, session], { service: 'parlay', maker }, figureNamed(name)!)
    // Without either cluster, scaled: 0 and 30, a standard error of 15.
    expect(of('luck-adjusted')).toMatchObject({ estimate: 15, count: 2 })
    expect(of('luck-adjusted').high).toBeCloseTo(15 + 15 * 12.7062047, 4)
    expect(of('fills').high).toBeCloseTo(3 + 3 * 12.7062047, 4)
    // One cluster alone has a hold, and the two seeds agree on it.
    expect(of('hold')).toMatchObject({ estimate: 0.5, label: expect.stringContaining('conditional on this history') })
    // Took part and dealt with nobody: 0 in both clusters that others had, as in a league. A stranger has no figure.
    expect(of('luck-adjusted', 'silent')).toMatchObject({ estimate: 0, low: 0, high: 0, count: 2 })
    expect(of('hold', 'silent').estimate).toBeNull()
    expect(of('luck-adjusted', 'stranger')).toMatchObject({ estimate: null, label: expect.stringContaining('no cluster') })
  })

  it.each([
    ['luck-adjusted', { profit: 9 * USDC, luck: USDC }], ['expected hold', { closeHold: 1, closeStake: 2 }], ['attributed to drift', { drift: USDC }],
  ])('up to the close are of values while closes leave nine tenths to luck, and else need what cash needs: %s', (name, sums) => {
    // Parlays of two legs need 20 clusters. Each cluster has some more than the one before it.
    const of = (clusters: number, undecided: number) => {
      const cells = Array.from({ length: clusters }, (_, c) => [`c${c + 10}`, { ...sums, ended: 1, margin: c, drift: c, profit: c * USDC, closeHold: c, legPayout: 20, uncertain: 1000, undecided }] as const)
      const session = sessionOf(Object.fromEntries(cells))
      return (figure: string) => pooledInterval([session, session], KEY, figureNamed(figure)!)
    }
    expect(of(2, 900)(name).low).not.toBeNull()
    const short = of(19, 899)
    expect(short(name)).toMatchObject({ low: null, high: null, label: '19 clusters, and prices came near the results before the close: an interval of luck-adjusted profit would not hold; 20 needed' })
    expect(short(name).estimate).toBe(of(19, 900)(name).estimate)
    expect(of(20, 899)(name).low).not.toBeNull()
    // Values at the deal need two, whatever the closes were.
    expect(of(2, 0)('attributed to margin').low).not.toBeNull()
  })

  it('of whole sessions are means of those in which they are defined', () => {
    const drawdown = { name: 'cash drawdown', unit: 'usdc', figure: 'cashDrawdownMicros' } as const
    expect(sessionInterval([...sessions, sessionOf({})], KEY, drawdown)).toMatchObject({ estimate: 4, label: expect.stringContaining('conditional on this history') })
    expect(sessionInterval([sessionOf({})], KEY, drawdown).estimate).toBeNull()
  })

  it.each([
    ['markToMarketDrawdownMicros', true], ['liquidationDrawdownMicros', true], ['cashDrawdownMicros', false], ['worstJointLossMicros', false],
  ])('of whole sessions say that they are over samples: %s %s', (figure, isSampled) => {
    const { label } = sessionInterval([sessionOf({}), sessionOf({})], KEY, { name: 'a fall', unit: 'usdc', figure })
    expect(label.endsWith('; at least, over the samples of record.equityEvery')).toBe(isSampled)
    const [column] = scoreColumns([], [figure]).slice(3)
    expect(column!.about!.includes('at least, over the samples of record.equityEvery')).toBe(isSampled)
  })

  it('of marks are in cents per dollar of payout', () => {
    const marked = [sessionOf({ a: { payout60s: 200, markOut60s: 3, wonPayout60s: 100, wonGap60s: -2, lostPayout60s: 50, lostGap60s: 1 } })]
    expect(pooledInterval(marked, KEY, figureNamed('mark-out 60s')!).estimate).toBe(1.5)
    // 100 (−2/100 − 1/50)
    expect(pooledInterval(marked, KEY, figureNamed("winner's curse 60s")!).estimate).toBe(-4)
  })
})

describe('a figure that sessions do not have', () => {
  const measured = { makers: ['m', 'n'], horizonsUs: [10e6, 60e6] }
  const check = (text: string) => () => { checkMeasured(readExpectation(text, { file: 's.yaml', line: 3 }), measured, { file: 's.yaml', line: 3 }) }

  it.each(['profit of m rises', 'mark-out 60s of n rises', "winner's curse 10s of n falls"])('is not %s', (text) => {
    expect(check(text)).not.toThrow()
  })

  it.each([
    ['profit of mm rises', 'no maker mm', 'the makers are m, n'],
    ['mark-out 45s of m rises', 'no mark-out 45s', 'record.marks has the horizons 10s, 60s, in seconds'],
    ["winner's curse 1m of m rises", "no winner's curse 1m", 'record.marks has the horizons 10s, 60s, in seconds'],
  ])('is %s, refused at its place', (text, message, hint) => {
    expect(check(text)).toThrow(expect.objectContaining({ name: 'InputError', message, hint, position: { file: 's.yaml', line: 3 } }))
  })

  it('is never read from another column', () => {
    expect(() => pooledInterval([sessionOf({ a: { ended: 1 } })], KEY, figureNamed('mark-out 45s')!)).toThrow('sessions have no column markOut45s')
  })
})

describe('a stopping rule', () => {
  const read = (text: string) => readUntil(text, { file: '--until' })

  it.each([
    ['profit of fixed-margin within 50 USDC', 'profit', 'fixed-margin', 50],
    ['hit ratio of committed of a b within 2%', 'hit ratio of committed', 'a b', 0.02],
    ['hit ratio of shade 2 within 0.05', 'hit ratio', 'shade 2', 0.05],
    ['mark-out 60s of m within 0.25c', 'mark-out 60s', 'm', 0.25],
    ['fills of m within 3', 'fills', 'm', 3],
  ])('is read: %s', (text, figure, maker, width) => {
    expect(read(text)).toMatchObject({ figure: { name: figure }, maker, width, text })
  })

  it.each([
    ['profit within 5 USDC', 'is no stopping rule'], ['profits of m within 5 USDC', 'no figure profits'], ['profit of m within 5%', 'expected an amount'],
    ['hold of m within 0%', 'above 0'],
  ])('is refused: %s', (text, message) => {
    expect(() => read(text)).toThrow(message)
  })

  it('is looked at on a schedule that nothing played changes', () => {
    expect(lookTimes(null, 30)).toEqual([30])
    expect(lookTimes(read('profit of m within 50 USDC'), 30)).toEqual([8, 12, 18, 27, 30])
  })
})

/** Gives results without playing: profit and failures as functions of the setting and the replication. */
class PaperPool implements TaskPool {
  readonly asked: TaskSpec[] = []
  private readonly profitOf: (value: string, replication: number) => number | 'throws' | 'endless'

  constructor(profitOf: (value: string, replication: number) => number | 'throws' | 'endless') {
    this.profitOf = profitOf
  }

  async * play(specs: readonly TaskSpec[]): AsyncGenerator<TaskOutcome> {
    for (const spec of specs) {
      this.asked.push(spec)
      const replication = Number(spec.seed.split('/')[1])
      const profit = this.profitOf(spec.set.at(-1)!.split('=')[1]!, replication)
      const id = `${spec.set.join()} ${spec.seed}`
      if (profit === 'throws') yield { spec, failure: { id, kind: 'strategy', who: 'm', message: 'boom\n  at a place' } }
      else if (profit === 'endless') yield { spec, failure: { id, kind: 'endless', who: null, message: 'did not end within 600 s' } }
      else yield { spec, result: { id, digest: `digest of ${id}`, scores: sessionOf({ a: { profit: profit * USDC, ended: 1 } }, { quotes: replication }) } }
    }
  }

  async close(): Promise<void> {}
}

const PLAN: SweepPlan = {
  name: 'paper', label: 'interactive', scenario: 's.yaml', set: ['a=1'], seed: '5', replications: 20,
  design: { kind: 'grid', axes: [{ path: 'x.0.y', span: { values: ['steady', 'wild'] } }], seed: '5' }, until: readUntil('profit of m within 1 USDC', { file: '' }), maximise: null, licence: licenceOf([]), expect: [],
}

describe('a sweep', () => {
  it('stops at a point whose interval is narrow, plays every point with the same seeds, and writes each session once', async () => {
    const sweep = new Sweep(PLAN)
    const pool = new PaperPool((value, replication) => (value === 'steady' ? 7 + (replication % 2 === 0 ? -0.125 : 0.125) : replication % 2 === 0 ? 100 : 0))
    expect(sweep.sessionsMax).toBe(40)
    await sweep.play(pool)
    const asked = pool.asked.map(({ set, seed }) => `${set.at(-1)} ${seed}`)
    const tasks = (value: string, from: number, to: number): string[] => Array.from({ length: to - from + 1 }, (_, i) => `x.0.y=${value} 5/${from + i}`)
    expect(asked).toEqual([...tasks('steady', 1, 8), ...tasks('wild', 1, 20)])
    const dir = newFolder()
    const report = await sweep.write(pool, dir)
    expect(report.points).toMatchObject([
      { point: 1, settings: { 'x.0.y': 'steady' }, replications: 8, narrow: true, makers: [{ figures: { profit: { estimate: 7 }, quotes: { estimate: 4.5 } } }] },
      { point: 2, settings: { 'x.0.y': 'wild' }, replications: 20, narrow: false, makers: [{ figures: { profit: { estimate: 50 } } }] },
    ])
    expect(JSON.parse(readFileSync(join(dir, 'sweep.json'), 'utf8'))).toEqual(report)
    const table = readTable(join(dir, 'sweep.arrow'))
    // A row for the one cluster and one for the whole session of each.
    expect(table.rowCount).toBe(2 * 28)
    expect([...table.column('point').numbers!].filter((point) => point === 1)).toHaveLength(16)
    expect(table.column('set_x_0_y').texts!.slice(14, 18)).toEqual(['steady', 'steady', 'wild', 'wild'])
    expect([...table.column('profit').numbers!].slice(14, 20)).toEqual([6.875 * USDC, 0, 0, 0, 100 * USDC, 0])
    expect(table.column('seed').texts!.slice(0, 4)).toEqual(['', '5/1', '', '5/2'])
  })

  it('names what failed, leaves it out of the figures, and does not play it again to write', async () => {
    const sweep = new Sweep({ ...PLAN, replications: 3, until: null })
    const pool = new PaperPool((value, replication) => (value === 'wild' || replication === 2 ? 'throws' : replication))
    await sweep.play(pool)
    const failed = pool.asked.length
    const report = await sweep.write(pool, newFolder())
    expect(pool.asked.length - failed).toBe(2)
    const failure = (replication: number) => ({ replication, seed: `5/${replication}`, kind: 'strategy', who: 'm', message: 'boom' })
    expect(report.points).toMatchObject([
      { replications: 3, makers: [{ figures: { profit: { estimate: 2, count: 2 } } }], failures: [failure(2)] },
      { replications: 3, makers: [], failures: [failure(1), failure(2), failure(3)] },
    ])
    expect(report.tables.sweep).toMatchObject({ rows: 4 })
  })

  it('names what fails only when it is played again to write', async () => {
    const sweep = new Sweep({ ...PLAN, replications: 2, until: null })
    let isWriting = false
    const pool = new PaperPool((value, replication) => (isWriting && value === 'wild' && replication === 2 ? 'throws' : replication))
    await sweep.play(pool)
    isWriting = true
    expect((await sweep.write(pool, newFolder())).points).toMatchObject([{ failures: [] }, { failures: [{ replication: 2, kind: 'strategy' }] }])
  })

  it('gives a point up whose session does not end, and goes on with the others', async () => {
    const sweep = new Sweep({ ...PLAN, replications: 4, until: null })
    const pool = new PaperPool((value, replication) => (value === 'steady' && replication === 2 ? 'endless' : replication))
    await sweep.play(pool)
    expect(pool.asked.map(({ set, seed }) => `${set.at(-1)} ${seed}`)).toEqual(['x.0.y=steady 5/1', 'x.0.y=steady 5/2', ...[1, 2, 3, 4].map((n) => `x.0.y=wild 5/${n}`)])
    expect((await sweep.write(pool, newFolder())).points).toMatchObject([
      { replications: 2, makers: [{ figures: { profit: { estimate: 1 } } }], failures: [{ replication: 2, kind: 'endless' }] },
      { replications: 4, makers: [{ figures: { profit: { estimate: 2.5 } } }], failures: [] },
    ])
  })

  it('goes on at a point whose sessions are all alike, which is no certainty', async () => {
    const sweep = new Sweep(PLAN)
    await sweep.play(new PaperPool(() => 0))
    expect(sweep.extents).toMatchObject([{ replications: 20, narrow: false }, { replications: 20, narrow: false }])
  })

  it('stops at the first look at a point where the maker deals with nobody', async () => {
    const sweep = new Sweep(PLAN)
    const silent: TaskPool = {
      async * play(specs) { for (const spec of specs) yield { spec, result: { id: spec.seed, digest: 'd', scores: sessionOf({ a: { quotedVersions: 3 } }) } } },
      close: async () => {},
    }
    await sweep.play(silent)
    expect(sweep.extents).toMatchObject([{ replications: 8, narrow: true }, { replications: 8, narrow: true }])
  })

  it('compares the ends of its axis by the replications that both have', async () => {
    const expectation = [readExpectation('luck-adjusted of m rises', { file: '' })]
    const sweep = new Sweep({ ...PLAN, replications: 4, until: null, expect: expectation })
    // Without the second replication, which has no partner, the pairs differ by 11, 13 and 14.
    const pool = new PaperPool((value, replication) => (value === 'wild' ? 2 * replication + 10 : replication === 2 ? 'throws' : replication))
    await sweep.play(pool)
    const { expectations } = await sweep.write(pool, newFolder())
    expect(expectations).toMatchObject([{ holds: true, difference: { estimate: expect.closeTo(38 / 3, 9), count: 3 } }])
  })

  it('compares none of the replications that one end alone has, though both have as many', async () => {
    const sweep = new Sweep({ ...PLAN, replications: 4, until: null, expect: [readExpectation('luck-adjusted of m rises', { file: '' })] })
    // The first end has replications 1, 3 and 4, the last 1, 2 and 4: the pairs 1 and 4 differ by 110 and 114.
    const pool = new PaperPool((value, replication) => (value === 'wild' ? (replication === 3 ? 'throws' : 2 * replication + 109 + Math.floor(replication / 4)) : replication === 2 ? 'throws' : replication))
    await sweep.play(pool)
    const { expectations } = await sweep.write(pool, newFolder())
    expect(expectations).toMatchObject([{ holds: true, difference: { estimate: 112, count: 2 } }])
  })

  it('checks the points that one axis alone tells from the first before any is played', () => {
    const axes = [{ path: 'a', span: { values: ['1', '2', '3'] } }, { path: 'b', span: { values: Array.from({ length: 300 }, (_, i) => String(i)) } }]
    const sweep = new Sweep({ ...PLAN, design: { kind: 'grid', axes, seed: '5' } })
    const checked = sweep.pointsToCheck.map(({ set }) => set.slice(1).join(' '))
    expect(checked).toHaveLength(300 + 2)
    expect(checked.slice(-3)).toEqual(['a=1 b=299', 'a=2 b=0', 'a=3 b=0'])
  })

  it('without a single result has no table', async () => {
    const sweep = new Sweep({ ...PLAN, replications: 1, until: null })
    const pool = new PaperPool(() => 'throws')
    await sweep.play(pool)
    expect((await sweep.write(pool, newFolder())).tables.sweep).toBeNull()
  })
})
