import { describe, expect, it } from 'vitest'
import type { Measure } from '../../src/score/licence.ts'
import type { Scores } from '../../src/score/scores.ts'
import { counterUniform } from '../../src/stats/counterUniform.ts'
import { axisName, settingsText } from '../../src/sweep/axisNames.ts'
import { differencesTo } from '../../src/sweep/baseline.ts'
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

  it('is told for two points or more', () => {
    const profits = (count: number): PointProfits => {
      const of = new PointProfits('luck-adjusted')
      for (let point = 0; point < count; point++) of.add(point, [sessionOf(1, { m: [[point, 0], [point + 1, 0], [point, 0]] })])
      return of
    }
    expect(bestOfPoints(profits(1), 'luck-adjusted', settingsOf)).toEqual([])
    expect(bestOfPoints(profits(2), 'luck-adjusted', settingsOf)[0]).toMatchObject({ point: 2, points: 2 })
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

describe('differences to a baseline', () => {
  it('are paired cluster by cluster, and of one session on average', () => {
    const profits = new PointProfits('cash')
    profits.add(0, [sessionOf(1, { m: [[10, 0], [100, 0], [40, 0], [7, 0], [9, 0]] })])
    profits.add(1, [sessionOf(1, { m: [[12, 0], [101, 0], [43, 0], [9, 0], [11, 0]] })])
    const differences = differencesTo(0, profits).get('parlay:m')!
    // 2, 1, 3, 2 and 2: what the clusters did to both cancels.
    expect([...differences.keys()]).toEqual([1])
    expect(differences.get(1)).toMatchObject({ estimate: 10, count: 5 })
    // Student's t of four degrees of freedom times √(5 · 0.5), which no skewness moves.
    expect(differences.get(1)!.low).toBeCloseTo(10 - 2.776 * Math.sqrt(2.5), 2)
    expect(differencesTo(1, profits).get('parlay:m')!.get(0)!.estimate).toBe(-10)
  })

  it('are paired by replication in one cluster, have none where they would not hold, and are 0 of what is alike', () => {
    const of = (legs: number): PointProfits => {
      const profits = new PointProfits('cash')
      for (const point of [0, 1]) profits.add(point, [1, 2, 3, 4, 5].map((replication) => sessionOf(replication, { m: [[10 * replication + point * (replication % 2), 0]], n: [[0, 0, 0]] }, legs)))
      return profits
    }
    const [own, other] = ['parlay:m', 'parlay:n'].map((key) => differencesTo(0, of(1)).get(key)!.get(1)!)
    // 1, 0, 1, 0 and 1.
    expect(own).toMatchObject({ estimate: 0.6, count: 5, label: expect.stringContaining('5 replications') })
    expect(own!.low).not.toBeNull()
    expect(other).toMatchObject({ estimate: 0, low: 0, high: 0 })
    expect(differencesTo(0, of(2)).get('parlay:m')!.get(1)).toMatchObject({ estimate: 0.6, low: null, label: expect.stringMatching(/ needed$/) })
  })
})

describe('names of axes', () => {
  it('are those of participants, and paths of all else', () => {
    const name = (path: string): string => axisName(path, ['a', 'b'], ['noise'])
    expect(['makers.1.params.margin', 'makers.0.latency.quote', 'bettors.0.every', 'arrivals.max', 'makers.7.capital'].map(name)).toEqual(['margin of b', 'latency.quote of a', 'every of noise', 'arrivals.max', 'makers.7.capital'])
  })

  it('stand in full where two settings end alike', () => {
    const names = { 'makers.0.params.margin': 'margin of a', 'makers.1.params.margin': 'margin of b' }
    expect(settingsText({ 'makers.0.params.margin': '2%', 'arrivals.max': '9' }, names)).toBe('margin 2%, max 9')
    expect(settingsText({ 'makers.0.params.margin': '2%', 'makers.1.params.margin': '4%' }, names)).toBe('margin of a 2%, margin of b 4%')
  })
})
