import { describe, expect, it } from 'vitest'
import { counterUniform } from '../../src/stats/counterUniform.ts'
import { jointTests } from '../../src/stats/jointTests.ts'
import { ratings } from '../../src/stats/rating.ts'

const uniform = counterUniform('rating')

describe('ratings', () => {
  it('count a cluster as one game, shared by its replications', () => {
    // Two replications of four clusters: 3 of 4 games and 3 of 4: 3:1 of four games, with half a virtual win each 3.5:1.5.
    const found = ratings([{
      first: 0, second: 1, firstResults: Float64Array.of(5, 5, 5, 0, 5, 5, 0, 5), secondResults: Float64Array.of(1, 1, 1, 1, 1, 1, 1, 1),
    }], 2, 2, 4)
    expect(found[0]!.estimate! - found[1]!.estimate!).toBeCloseTo(400 * Math.log10(3.5 / 1.5), 6)
    expect(found[0]!.label).toBe('4 clusters, skewness-adjusted t')
  })

  it('leave out clusters without a game, and players without one', () => {
    const found = ratings([{ first: 0, second: 2, firstResults: Float64Array.of(1, NaN, 3), secondResults: Float64Array.of(2, NaN, 2) }], 3, 1, 3)
    expect(found[0]!.estimate).toBeCloseTo(1500, 9)
    expect(found[0]!.count).toBe(2)
    expect(found[1]).toMatchObject({ estimate: null, label: 'met nobody: no interval' })
  })

  it('with one cluster count each replication as a game, conditional on this history', () => {
    // 3:1, with half a virtual win each 3.5:1.5.
    const found = ratings([{ first: 0, second: 1, firstResults: Float64Array.of(2, 2, 0, 2), secondResults: Float64Array.of(1, 1, 1, 1) }], 2, 4, 1)
    expect(found[0]!.estimate! - found[1]!.estimate!).toBeCloseTo(400 * Math.log10(3.5 / 1.5), 6)
    expect(found[0]!.label).toContain('conditional on this history')
  })

  it('have no interval where one won every game', () => {
    const found = ratings([{ first: 0, second: 1, firstResults: Float64Array.of(2, 2, 2), secondResults: Float64Array.of(1, 1, 1) }], 2, 1, 3)
    expect(found[0]).toMatchObject({ low: null, high: null })
    expect(found[0]!.label).toContain('all alike')
  })

  it('draw by equal results', () => {
    const found = ratings([{ first: 0, second: 1, firstResults: Float64Array.of(1, 1), secondResults: Float64Array.of(1, 1) }], 2, 1, 2)
    expect(found.map(({ estimate }) => estimate)).toEqual([1500, 1500])
  })
})

describe('joint tests', () => {
  const rows = (count: number) => ({ width: 2, cells: Float64Array.from({ length: 2 * count }, (_, i) => 1 + ((i * 7) % 5)) })

  it('are Holm\'s below ten rows and Romano and Wolf\'s from ten on', () => {
    expect(jointTests(rows(9), uniform)!.method).toContain('Holm')
    expect(jointTests(rows(10), uniform)!.method).toContain('Romano')
    const few = jointTests(rows(9), uniform)!
    expect(Math.min(...few.adjusted)).toBeCloseTo(2 * Math.min(...few.p), 12)
    expect(jointTests(rows(1), uniform)).toBeUndefined()
    expect(jointTests({ width: 0, cells: new Float64Array(0) }, uniform)).toBeUndefined()
  })
})
