import { describe, expect, it } from 'vitest'
import { distributionOf } from '../../src/redraw/distribution.ts'

/** 1, 2, …, n, in another order. */
const upTo = (n: number): Float64Array => Float64Array.from({ length: n }, (_, i) => ((i * 7) % n) + 1)

describe('the distribution of a profit', () => {
  it('has mean, standard deviation, quantiles and tails of 1 … 1,000', () => {
    const { mean, sd, quantiles, range, shortfall, worst, lossShare } = distributionOf(upTo(1000), 500)
    // n(n + 1)/12 is the variance over n − 1: 83,416.7, the root 288.8.
    expect([mean.value, sd, mean.error]).toEqual([501, 289, 9])
    // Type 7: 1 + 999p.
    expect(quantiles.map(({ micros }) => micros)).toEqual([11, 51, 251, 501, 750, 950, 990])
    expect(range).toEqual([26, 975])
    // The means of 1 … 50 and of 1 … 10.
    expect(shortfall.map(({ level, value }) => [level, value])).toEqual([[0.95, 26], [0.99, 6]])
    // √((208.25 + .95 · (51 − 25.5)²)/50) = 4.06 and √((8.25 + .99 · (11 − 5.5)²)/10) = 1.95.
    expect(shortfall.map(({ error }) => error)).toEqual([4, 2])
    expect([worst, lossShare.value]).toEqual([{ micros: 1, redraw: 0 }, 0])
  })

  it('counts the tail by its share where it ends within a redraw', () => {
    // 5 % of 50 are two redraws and a half: (1 + 2 + 3/2)/2.5 = 1.8.
    const tail = distributionOf(Float64Array.from(upTo(50), (value) => value * 1e6), 0).shortfall[0]!
    expect(tail.value).toBe(1_800_000)
  })

  it('tells how the recorded night lies, redraws equal to it counted half, and how often there is a loss', () => {
    const { percentile, lossShare, worst } = distributionOf(Float64Array.from([-4, 0, 0, 7, -1, 9, 0, 3]), 0)
    expect([percentile, lossShare.value]).toEqual([(2 + 1.5) / 8, 0.25])
    expect(lossShare.error).toBeCloseTo(Math.sqrt((0.25 * 0.75) / 8), 12)
    expect(worst).toEqual({ micros: -4, redraw: 0 })
  })
})
