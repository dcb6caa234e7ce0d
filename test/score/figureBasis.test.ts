import { describe, expect, it } from 'vitest'
import { ClusteredSums } from '../../src/score/clusteredSums.ts'
import { BookLegs, CASH_CLUSTERS_MIN, cashOf, isShort, VALUED } from '../../src/score/figureBasis.ts'
import { tailOf } from '../../src/score/makers.ts'

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
      label: '99 clusters: an expected shortfall at 99 % would be the worst of them; 100 needed',
    })
    const whole = tailOf(profits)
    expect(whole).toMatchObject({ clusters: 100, worstClusterMicros: -50, label: '100 clusters' })
    expect(whole.expectedShortfallMicros).toBeCloseTo(50, 9)
  })
})
