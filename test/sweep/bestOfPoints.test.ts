import { describe, expect, it } from 'vitest'
import type { Measure } from '../../src/score/licence.ts'
import type { Scores } from '../../src/score/scores.ts'
import { counterUniform } from '../../src/stats/counterUniform.ts'
import { bestOfPoints, pText } from '../../src/sweep/bestOfPoints.ts'
import { PointProfits } from '../../src/sweep/pointProfits.ts'
import type { Session } from '../../src/sweep/sweepTable.ts'

const USDC = 1e6

/** A session of makers: by cluster profit and luck in USDC, and how many positions ended, of parlays with so many legs, of whose uncertainty the closes left this share. `undrawn`: parlays in each cluster whose outcomes are not drawn. */
function sessionOf(replication: number, makers: Readonly<Record<string, readonly (readonly [profit: number, luck: number, ended?: number])[]>>, legs = 1, left = 1, undrawn = 0): Session {
  const names = Object.keys(makers)
  const clusters = Object.values(makers)[0]!.map((_, c) => `c${String(c).padStart(2, '0')}`)
  const scores: Scores = {
    service: 'parlay', makers: names, clusters, columns: ['profit', 'ended', 'luck', 'positionPayout', 'legPayout', 'uncertain', 'undecided', 'undrawn'], figures: [], values: new Float64Array(),
    sums: Float64Array.from(names.flatMap((name) => makers[name]!.flatMap(([profit, luck, ended = 1]) => [profit * USDC, ended, luck * USDC, 10 * ended, 10 * ended * legs, 100 * ended, 100 * ended * left, undrawn]))),
  }
  return { replication, seed: `1/${replication}`, result: { id: 'x', digest: 'y', scores: [scores] } }
}

const KEY = { service: 'parlay', maker: 'm' }
const settingsOf = (point: number) => ({ 'makers.0.params.margin': `${point}%` })

/** Fifty points of one maker in twenty clusters, all alike but for their draws, and point 31 with an edge. */
function fifty(edge: number): PointProfits {
  const profits = new PointProfits('luck-adjusted')
  for (let point = 0; point < 50; point++) {
    const uniform = counterUniform(`point ${point}`)
    profits.add(point, [sessionOf(1, { m: Array.from({ length: 20 }, (_, c) => [Math.round((uniform(c) - 0.5) * 1e6) / 1e6 + (point === 30 ? edge : 0), 0] as const) })])
  }
  return profits
}

describe('profits of points', () => {
  const of = (measure: Measure) => {
    const profits = new PointProfits(measure)
    profits.add(0, [sessionOf(1, { m: [[10, 4], [0, 0, 0]], n: [[0, 0], [0, 0, 0]] }), sessionOf(2, { m: [[20, 10], [6, 1]], n: [[1, 0], [0, 0, 0]] })])
    profits.add(1, [sessionOf(1, { m: [[2, 0], [4, 0]] })])
    return profits
  }

  it('are of one session on average, by cluster, without luck or with it', () => {
    expect(of('luck-adjusted').keys.map(({ maker }) => maker)).toEqual(['m', 'n'])
    // (6 + 10)/2 and (0 + 5)/2 at the first point.
    expect(of('luck-adjusted').rowsOf(KEY)).toEqual({ points: [0, 1], unit: 'clusters', short: null, rows: { width: 2, cells: Float64Array.of(8, 2, 2.5, 4) } })
    expect([...of('cash').rowsOf(KEY).rows.cells]).toEqual([15, 2, 3, 4])
    // n had nothing in the second cluster, where m had.
    expect([...of('cash').rowsOf({ ...KEY, maker: 'n' }).rows.cells]).toEqual([0.5, 0])
  })

  it('of one cluster are by the replications that all points have', () => {
    const profits = new PointProfits('cash')
    profits.add(0, [sessionOf(1, { m: [[1, 0]] }), sessionOf(2, { m: [[2, 0]] }), sessionOf(3, { m: [[3, 0]] })])
    profits.add(1, [sessionOf(1, { m: [[4, 0]] }), sessionOf(3, { m: [[6, 0]] })])
    expect(profits.rowsOf(KEY)).toEqual({ points: [0, 1], unit: 'replications', short: '2 replications of 1-leg parlays: an interval of cash would not hold; 5 needed', rows: { width: 2, cells: Float64Array.of(1, 4, 3, 6) } })
  })

  it('of one cluster need fewer replications where each has many parlays on recorded outcomes', () => {
    // Of three legs 160 parlays: of 12 in each replication 14, of 40 five.
    const shortOf = (undrawn: number, replications: number): string | null => {
      const profits = new PointProfits('cash')
      profits.add(0, Array.from({ length: replications }, (_, i) => sessionOf(i + 1, { m: [[i % 3, 0]] }, 3, 1, undrawn)))
      return profits.rowsOf(KEY).short
    }
    expect([shortOf(40, 4) === null, shortOf(40, 5), shortOf(12, 13) === null, shortOf(12, 14), shortOf(0, 39) === null, shortOf(0, 40)]).toEqual([false, null, false, null, false, null])
  })
})

describe('the best of many points', () => {
  it('without an edge is called chance, in words', () => {
    const [best] = bestOfPoints(fifty(0), 'luck-adjusted', settingsOf)
    expect(best!.tests!.zero.adjusted).toBeGreaterThan(0.05)
    expect(best!.tests!.others.adjusted).toBeGreaterThan(0.05)
    expect(best!.sentence).toMatch(/^m: the best of 50 points, margin \d+%, is not told apart from chance: \d.* USDC luck-adjusted, adjusted p [.1]/)
  })

  it('with an edge is found and called better', () => {
    const [best] = bestOfPoints(fifty(0.6), 'luck-adjusted', settingsOf)
    expect(best).toMatchObject({ maker: 'm', points: 50, point: 31, settings: { 'makers.0.params.margin': '30%' } })
    expect(best!.sentence).toContain('is above zero and better than the others')
    // A sum over twenty clusters.
    expect(best!.tests!.profit).toBeGreaterThan(8)
    expect(best!.tests!.deflated).toBeGreaterThan(0.95)
  })

  it('is told for more than five points alone', () => {
    const profits = (count: number): PointProfits => {
      const of = new PointProfits('luck-adjusted')
      for (let point = 0; point < count; point++) of.add(point, [sessionOf(1, { m: [[point, 0], [point + 1, 0], [point, 0]] })])
      return of
    }
    expect(bestOfPoints(profits(5), 'luck-adjusted', settingsOf)).toEqual([])
    // 5, 6, 5 lie 2.5 · 6/5 above the mean of 0 to 4, at every row.
    const [best] = bestOfPoints(profits(6), 'luck-adjusted', settingsOf)
    expect(best).toMatchObject({ point: 6, points: 6 })
    expect(best!.tests!.profit).toBeCloseTo(16, 9)
    expect(best!.tests!.overOthers).toBeCloseTo(9, 9)
    // One cluster and one replication.
    const poor = new PointProfits('luck-adjusted')
    for (let point = 0; point < 6; point++) poor.add(point, [sessionOf(1, { m: [[point, 0]] })])
    expect(bestOfPoints(poor, 'luck-adjusted', settingsOf)[0]).toMatchObject({ tests: null, sentence: expect.stringContaining('nothing tells the best of 6 points from chance') })
  })

  it('by cash is told apart from chance with as many clusters as its parlays need', () => {
    // Two legs need 20 clusters.
    const of = (clusters: number) => {
      const profits = new PointProfits('cash')
      for (let point = 0; point < 6; point++) profits.add(point, [sessionOf(1, { m: Array.from({ length: clusters }, (_, c) => [point + (c % 3), 0] as const) }, 2)])
      return bestOfPoints(profits, 'cash', settingsOf)[0]!
    }
    expect(of(19)).toMatchObject({ point: 6, tests: null, sentence: 'm: nothing tells the best of 6 points from chance: 19 clusters of 2-leg parlays: an interval of cash would not hold; 20 needed' })
    expect(of(20).tests).toMatchObject({ rows: 20 })
  })

  it('without luck is told apart from chance with as many where closes came near the results', () => {
    const of = (clusters: number, left: number) => {
      const profits = new PointProfits('luck-adjusted')
      // One point alone has such closes.
      for (let point = 0; point < 6; point++) profits.add(point, [sessionOf(1, { m: Array.from({ length: clusters }, (_, c) => [point + (c % 3), 0] as const) }, 2, point === 2 ? left : 1)])
      return bestOfPoints(profits, 'luck-adjusted', settingsOf)[0]!
    }
    expect(of(19, 0.89)).toMatchObject({ point: 6, tests: null, sentence: 'm: nothing tells the best of 6 points from chance: 19 clusters, and prices came near the results before the close: an interval of luck-adjusted profit would not hold; 20 needed' })
    expect(of(19, 0.9).tests).toMatchObject({ rows: 19 })
    expect(of(20, 0.89).tests).toMatchObject({ rows: 20 })
  })

  it('has p-values without a zero in front', () => {
    expect([0.6123, 0.05, 0.0004, 0.9999].map(pText)).toEqual(['.612', '.050', 'below .001', '1'])
  })
})
