import { describe, expect, it } from 'vitest'
import { ClusteredSums } from '../../src/score/clusteredSums.ts'
import { adjustedOf, BookLegs, CASH_CLUSTERS_MIN, cashOf, cashOfPayouts, held, isShort, neededOf, ofAll, VALUED } from '../../src/score/figureBasis.ts'
import { MakerColumn } from '../../src/score/columns.ts'
import { ratio } from '../../src/stats/clusterInterval.ts'
import { type MakerParts, makerSummary, tailOf } from '../../src/score/makers.ts'

/** One owner with one column of profits, one of luck and one of counts. */
function sumsOf(clusters: number): ClusteredSums {
  const sums = new ClusteredSums(1, clusters, 3)
  for (let cluster = 0; cluster < clusters; cluster++) {
    sums.add(0, cluster, 0, 10 + (cluster % 3))
    sums.add(0, cluster, 1, cluster % 2)
    sums.add(0, cluster, 2, 1)
  }
  return sums
}

/** Seven clusters of a book whose two-leg parlays were worth .25 at the decision, and `closing` at the close. */
function summaryAt(closing: number) {
  const sums = new ClusteredSums(1, 7, MakerColumn.marks)
  for (let cluster = 0; cluster < 7; cluster++) {
    const cells = {
      profit: 10 + (cluster % 3), ended: 1, stake: 9, hold: 4 + (cluster % 2), luck: cluster % 2, drift: 1 + (cluster % 3), margin: 2 + (cluster % 3), closeStake: 9, closeHold: 1 + (cluster % 3),
      uncertain: 1e6 * 0.25 * 0.75, undecided: 1e6 * closing * (1 - closing),
    }
    for (const [name, value] of Object.entries(cells)) sums.add(0, cluster, MakerColumn[name as keyof typeof cells], Math.round(value))
  }
  const legs = new BookLegs(1)
  legs.add(0, 2, 1)
  const none = (): null => null
  return makerSummary(0, 'm', {
    sums, legs, quotes: { byMaker: [0], chainFailed: [0], curves: { of: none } }, lastLooks: { of: none }, breakdowns: { of: none }, books: { worstLoss: none }, horizonsUs: [],
    settlements: { takerFeeMicros: () => 0n, profitFeeMicros: () => 0n, heldMicrosUs: () => 0n, cashDrawdownMicros: () => 0 },
    equity: { markToMarketDrawdownMicros: none, liquidationDrawdownMicros: none }, money: [{ collateralMicrosUs: 0n, depositMicros: [] }], reach: () => ({ delivered: null, away: null, ignored: null }), ownBets: [0], versions: 0, endUs: 0, durationUs: 0,
  } as unknown as MakerParts)
}

const sum = { column: 0, count: 2, scale: 1 }

describe('an interval of cash', () => {
  it.each(CASH_CLUSTERS_MIN.map((least, i) => [i + 1, least] as const))('of %d legs has ends from %d clusters on', (legs, least) => {
    const below = sumsOf(least - 1).sumInterval(0, cashOf(legs), sum)
    expect(below).toMatchObject({ low: null, high: null, count: least - 1 })
    expect(below.estimate).not.toBeNull()
    expect(below.label).toBe(`${least - 1} clusters of ${legs}-leg parlays: an interval of cash would not hold; ${least} needed`)
    expect(isShort(below)).toBe(true)
    const enough = sumsOf(least).sumInterval(0, cashOf(legs), sum)
    expect(enough.low).toBeLessThan(enough.estimate!)
    expect(isShort(enough)).toBe(false)
  })

  it('of more legs needs no fewer clusters', () => {
    const needs = Array.from({ length: 12 }, (_, i) => cashOf(i + 1).clustersMin)
    expect(needs).toEqual(needs.toSorted((a, b) => a - b))
  })

  it('keeps the reason why there is none for another cause', () => {
    expect(sumsOf(1).sumInterval(0, cashOf(5), sum).label).toBe('one cluster: no interval')
  })
})

describe('an interval of cash over replications of one history', () => {
  const interval = (count: number) => ({ estimate: 3, low: 1, high: 5, level: 0.95, count, label: `${count} replications, skewness-adjusted t` })

  // docs/validation.md has what was measured, with three legs: 38.8, 21.3, 12.2, 7.6, 3.4 and 3.0 parlays of each, with 5, 8, 14, 22, 47 and 54 replications.
  it.each([
    [0, 40, 'as many as clusters where outcomes are drawn'],
    [1, 160, 'as many parlays together as were measured, where each has fewer'],
    [2.9, 56, 'the same'],
    [3, 54, 'as measured'],
    [7.5, 47, 'as the measured row with fewer parlays'],
    [7.6, 22, 'as measured'],
    [11.9, 22, 'as the row with fewer'],
    [12, 14, 'as measured'],
    [20.9, 14, 'as the row with fewer'],
    [37.9, 8, 'as the row with fewer'],
    [38, 5, 'as measured'],
    [2000, 5, 'no fewer'],
  ])('with %d parlays of a replication need %d: %s', (undrawn, needed) => {
    const basis = cashOf(3, undrawn)
    expect([neededOf(basis, 'cluster'), neededOf(basis, 'replication')]).toEqual([40, needed])
    const short = held(interval(needed - 1), basis, 'replication')
    expect(short).toMatchObject({ estimate: 3, low: null, label: `${needed - 1} replications of 3-leg parlays: an interval of cash would not hold; ${needed} needed` })
    expect(held(interval(needed), basis, 'replication').low).toBe(1)
  })

  it.each([[1, 14], [2, 14], [3, 14], [4, 80], [6, 160]])('of %d legs with 12 parlays of a replication need %d: more legs than three were not measured', (legs, needed) => {
    expect(cashOf(legs, 12).replicationsMin).toBe(needed)
    // Of four legs 80 clusters of 4 parlays were measured: 320 parlays.
    expect(cashOf(4, 1.5).replicationsMin).toBe(214)
  })

  it('needs up to closes near the results what cash needs', () => {
    const basis = adjustedOf(cashOfPayouts(10, 30, 12), 1000, 0)
    expect(held(interval(13), basis, 'replication').label).toBe('13 replications, and prices came near the results before the close: an interval of luck-adjusted profit would not hold; 14 needed')
    expect(held(interval(14), basis, 'replication').low).toBe(1)
  })

  it('of two books needs the most that one of them does, of clusters and of replications', () => {
    const [short, long] = [cashOf(2, 4), cashOf(3, 12)]
    const both = ofAll([short, long])
    expect([both.clustersMin, both.replicationsMin]).toEqual([40, 47])
    expect(both.why(3, 'cluster')).toContain('3-leg parlays')
    expect(both.why(3, 'replication')).toBe('3 replications of 2-leg parlays: an interval of cash would not hold; 47 needed')
  })
})

describe('an interval of values', () => {
  it('has ends from two clusters on', () => {
    expect(sumsOf(2).sumInterval(0, VALUED, sum).low).not.toBeNull()
  })

  it('of one column less another is that of the difference', () => {
    // Profits 10, 11, 12 and luck 0, 1, 0: 10, 10, 12, whose deviation is 2/√3, of the sum 2.
    const { estimate, high, low } = sumsOf(3).sumInterval(0, VALUED, { ...sum, less: 1 })
    expect(estimate).toBe(32)
    expect(32 - low!).toBeCloseTo(4.3026527 * 2, 5)
    expect(high! - 32).toBeGreaterThan(4.3026527 * 2)
  })
})

describe('an interval of a figure up to the close', () => {
  it('is one of values while nine tenths of what was uncertain are left to luck, and else needs what cash needs', () => {
    expect(adjustedOf(cashOf(5), 1000, 900)).toBe(VALUED)
    expect(adjustedOf(cashOf(5), 1000, 1400)).toBe(VALUED)
    const short = sumsOf(79).sumInterval(0, adjustedOf(cashOf(5), 1000, 899), sum)
    expect(short).toMatchObject({ low: null, count: 79 })
    expect(short.label).toBe('79 clusters, and prices came near the results before the close: an interval of luck-adjusted profit would not hold; 80 needed')
    expect(isShort(short)).toBe(true)
    expect(sumsOf(80).sumInterval(0, adjustedOf(cashOf(5), 1000, 899), sum).low).not.toBeNull()
  })

  it('needs what cash needs where no V is known', () => {
    expect(adjustedOf(cashOf(2), 0, 0).clustersMin).toBe(20)
  })

  it.each([[0.3, true], [0.01, false], [0.99, false]])('of a maker whose parlays close at %d has ends: %s', (closing, isShown) => {
    const { luckAdjusted, expectedHold, profit, attribution: { terms } } = summaryAt(closing)
    expect([luckAdjusted, expectedHold, terms.drift].map(({ low }) => low !== null)).toEqual([isShown, isShown, isShown])
    // The deal knows the margin, and results decide luck.
    expect([terms.margin, profit, terms.luck].map(({ low }) => low !== null)).toEqual([true, false, false])
  })
})

it.each([[0.25, 0], [0.05, 1 - 0.0475 / 0.1875], [0.01, 1 - 0.0099 / 0.1875], [0.5, 1 - 0.25 / 0.1875]])('parlays worth .25 that close at %d were decided by prices to a share of %d', (closing, decided) => {
  expect(summaryAt(closing).decidedByClose).toBeCloseTo(decided, 5)
})

describe('an interval of a share', () => {
  it('is missing for none of what was counted, and not for a sum of nothing', () => {
    const sums = new ClusteredSums(1, 3, 2)
    for (let cluster = 0; cluster < 3; cluster++) sums.add(0, cluster, 1, 5 + cluster)
    expect(sums.interval(0, VALUED, [0, 1], ratio(0, 1))).toMatchObject({ estimate: 0, low: null, label: '3 clusters, all alike: no interval' })
    expect(sums.sumInterval(0, VALUED, { column: 0, count: 1, scale: 1 })).toMatchObject({ estimate: 0, low: 0, high: 0 })
  })
})

describe('the legs of a book', () => {
  it('are the mean by payout, rounded, and 1 without a parlay', () => {
    const legs = new BookLegs(2)
    // 2 legs for 300 and 5 legs for 300: 3.5 legs count as 4. One more of 2 legs: 3.
    legs.add(0, 2, 300)
    legs.add(0, 5, 300)
    expect(legs.cash(0).clustersMin).toBe(cashOf(4).clustersMin)
    legs.add(0, 2, 300)
    expect(legs.cash(0).clustersMin).toBe(cashOf(3).clustersMin)
    expect(legs.cash(1).clustersMin).toBe(cashOf(1).clustersMin)
  })
})

describe('the tail', () => {
  it('is an expected shortfall from 100 clusters on, and the worst cluster before', () => {
    const profits = Float64Array.from({ length: 100 }, (_, i) => (i === 3 ? -50 : i))
    expect(tailOf(profits.subarray(0, 99))).toEqual({
      clusters: 99, worstClusterMicros: -50, expectedShortfallMicros: null,
      label: '99 clusters: an expected shortfall at 99% would be the worst of them; 100 needed',
    })
    const whole = tailOf(profits)
    expect(whole).toMatchObject({ clusters: 100, worstClusterMicros: -50, label: '100 clusters' })
    expect(whole.expectedShortfallMicros).toBeCloseTo(50, 9)
  })
})
