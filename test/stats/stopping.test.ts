import { describe, expect, it } from 'vitest'
import { normalQuantile } from '../../src/math/normal.ts'
import { clusterInterval } from '../../src/stats/clusterInterval.ts'
import { counterUniform } from '../../src/stats/counterUniform.ts'
import { withoutInterval } from '../../src/stats/interval.ts'
import { isNarrow, looks, stopAt } from '../../src/stats/stopping.ts'

const rule = { width: 1, least: 8, growth: 1.5, most: 40 }
const interval = (width: number) => ({ estimate: 0, low: -width / 2, high: width / 2, level: 0.95, count: 9, label: '' })

describe('looks', () => {
  it('grow geometrically from the least to the most', () => {
    expect(looks(rule)).toEqual([8, 12, 18, 27, 40])
    expect(looks({ ...rule, least: 1, growth: 1.01, most: 4 })).toEqual([1, 2, 3, 4])
    expect(looks({ ...rule, most: 5 })).toEqual([5])
  })
})

describe('a run', () => {
  it('stops at the first look at which the interval is narrow, and looks nowhere else', () => {
    const asked: number[] = []
    const stop = stopAt(rule, (replications) => {
      asked.push(replications)
      return interval(4 / Math.sqrt(replications))
    })
    // 4/√18 = 0.94.
    expect(stop).toEqual({ replications: 18, narrow: true })
    expect(asked).toEqual([8, 12, 18])
  })

  it('that never gets narrow ends at the most, and a missing interval is not narrow', () => {
    expect(stopAt(rule, () => interval(2))).toEqual({ replications: 40, narrow: false })
    expect(isNarrow(withoutInterval(1, 1, 'one cluster'), 1e9)).toBe(false)
  })

  it('does not stop while all that it saw is alike', () => {
    // The values are the hit ratio of a maker that was not hit in the first eight replications, and once in the ninth.
    expect(stopAt(rule, (replications) => interval(replications < 9 ? 0 : 0.5))).toEqual({ replications: 12, narrow: true })
    expect(stopAt(rule, () => interval(0))).toEqual({ replications: 40, narrow: false })
  })

  it('covers the mean somewhat less than 95 % of the time, as its description says', () => {
    let holding = 0
    const worlds = 400
    for (let world = 0; world < worlds; world++) {
      const draw = counterUniform(`world ${world}`)
      const values = Array.from({ length: 60 }, (_, i) => normalQuantile((draw(i) * 2 ** 32 + 0.5) / 2 ** 32))
      const mean = (replications: number) => clusterInterval(
        { width: 2, cells: Float64Array.from(values.slice(0, replications).flatMap((value) => [value, 1])) },
        (totals) => totals[0]! / totals[1]!,
      )
      const { replications } = stopAt({ width: 0.8, least: 10, growth: 1.5, most: 60 }, mean)
      const { low, high } = mean(replications)
      if (low! <= 0 && high! >= 0) holding++
    }
    expect(holding / worlds).toBeGreaterThan(0.86)
    expect(holding / worlds).toBeLessThan(0.96)
  })
})
