import { describe, expect, it } from 'vitest'
import { ClusteredSums } from '../../src/score/clusteredSums.ts'
import { MakerColumn } from '../../src/score/columns.ts'
import { BookLegs, VALUED } from '../../src/score/figureBasis.ts'
import { leadOf } from '../../src/score/lead.ts'
import type { MakerSummary } from '../../src/score/makers.ts'

/** 97.5 % point of Student's distribution with two degrees of freedom. */
const T2 = 4.30265273

function sumsOf(...profits: readonly (readonly number[])[]): ClusteredSums {
  const sums = new ClusteredSums(profits.length, profits[0]!.length, MakerColumn.marks)
  for (const [owner, own] of profits.entries()) for (const [cluster, profit] of own.entries()) for (const [column, value] of [[MakerColumn.profit, profit], [MakerColumn.ended, 1]] as const) sums.add(owner, cluster, column, value)
  return sums
}

describe('the lead of one maker over another', () => {
  it('has the interval of the differences by cluster, which share their results', () => {
    // Differences of 0, 10 and 20 micros: their sum is 30, and its standard error √3 · 10. Alone, the first's ends are far apart.
    const sums = sumsOf([1000, 2010, 4020], [1000, 2000, 4000])
    const { estimate, low, high, count } = sums.leadInterval(0, 1, VALUED, { column: MakerColumn.profit, count: MakerColumn.ended, scale: 1 })
    expect([estimate, count]).toEqual([30, 3])
    expect(low).toBeCloseTo(30 - T2 * Math.sqrt(3) * 10, 5)
    expect(high).toBeCloseTo(30 + T2 * Math.sqrt(3) * 10, 5)
  })

  const maker = (name: string, profitMicros: number, fills = 9): MakerSummary => ({ name, profitMicros, hits: { fills } }) as unknown as MakerSummary
  const legs = (): BookLegs => {
    const book = new BookLegs(3)
    for (const [owner, of] of [1, 2, 5].entries()) book.add(owner, of, 100)
    return book
  }

  it('is of the first over the second of those with fills, by their own numbers in the sums', () => {
    const sums = sumsOf([1e6, 1e6, 2e6, 1e6, 1e6], [0, 0, 0, 0, 0], [5e6, 5e6, 7e6, 6e6, 5e6])
    // The second in the sums is not shown, and the fourth has no fill.
    const lead = leadOf([maker('a', 6e6), maker('c', 28e6), maker('idle', 90e6, 0)], [0, 2, 1], { sums, legs: legs() })
    expect(lead).toMatchObject({ first: 'c', second: 'a', profit: { estimate: 22, count: 5 } })
    // Five legs need more clusters than one.
    expect(lead!.profit).toMatchObject({ low: null, label: '5 clusters of 5-leg parlays: an interval of cash would not hold; 80 needed' })
  })

  it('is nothing where one alone has fills', () => {
    expect(leadOf([maker('a', 6e6), maker('b', 7e6, 0)], [0, 1], { sums: sumsOf([1], [1]), legs: legs() })).toBeNull()
  })
})
