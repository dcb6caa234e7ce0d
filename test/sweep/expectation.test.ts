import { describe, expect, it } from 'vitest'
import type { Scores } from '../../src/score/scores.ts'
import { meet, readExpectation } from '../../src/sweep/expectation.ts'

const at = { file: 's.yaml', line: 3 }

/** A session in which maker m made these profits, USDC, in clusters a, b, …. */
const session = (...profits: readonly number[]): Scores[] => [{
  service: 'parlay', makers: ['m'], clusters: profits.map((_, c) => 'abc'[c]!), columns: ['profit', 'ended'],
  sums: Float64Array.from(profits.flatMap((profit) => [profit * 1e6, 1])), figures: [], values: new Float64Array(),
}]

describe('an expectation', () => {
  it('is a figure of a maker that rises or falls', () => {
    const { figure, maker, direction } = readExpectation(' mark-out 60s of the best of all falls ', at)
    expect([figure.name, maker, direction]).toEqual(['mark-out 60s', 'the best of all', 'falls'])
    expect(readExpectation('hit ratio of committed of m rises', at).figure.name).toBe('hit ratio of committed')
  })

  it.each([
    ['profit falls', 'is no expectation'], ['profit of m sinks', 'is no expectation'], ['luck of m falls', 'no figure luck'],
  ])('is not %s', (text, message) => {
    expect(() => readExpectation(text, at)).toThrow(message)
  })

  const meets = (text: string, first: Scores[][], last: Scores[][]) => meet(readExpectation(text, at), first, last)

  it('holds when the whole interval of the paired difference is on its side', () => {
    // Per cluster and session: 10 → 12, 20 → 23, 30 → 34; in all 9 a session.
    const first = [session(10, 20, 30), session(10, 20, 30)]
    const last = [session(11, 23, 35), session(13, 23, 33)]
    const { difference, holds } = meets('profit of m rises', first, last)
    expect(difference!.estimate).toBeCloseTo(9, 9)
    // By hand: the clusters differ by 2, 3 and 4, and the standard error of their sum is √3·1. Student's 97.5 % point of 2 degrees is 4.3027.
    expect(difference!.low).toBeCloseTo(9 - 4.3026527 * Math.sqrt(3), 5)
    expect(holds).toBe(true)
    expect(meets('profit of m falls', first, last).holds).toBe(false)
    expect(meets('profit of m falls', last, first).holds).toBe(true)
  })

  it('does not hold when the interval reaches zero, or there is nothing to compare', () => {
    // Differences of clusters 1, 1, −1: their sum is above 0, its interval is not.
    expect(meets('profit of m rises', [session(10, 20, 30)], [session(11, 21, 29)]).holds).toBe(false)
    expect(meets('profit of n rises', [session(1)], [session(2)])).toMatchObject({ difference: null, holds: false })
    expect(meets('profit of m rises', [session(1), session(1)], [session(2)])).toMatchObject({ difference: null, holds: false })
  })

  it('pairs sessions of one cluster by their seeds, and says what that is worth', () => {
    const { difference, holds } = meets('profit of m rises', [session(1), session(50), session(100)], [session(3), session(52), session(102.5)])
    expect(difference!.label).toContain('conditional on this history')
    expect(difference!.estimate).toBeCloseTo(6.5 / 3, 9)
    expect(holds).toBe(true)
  })
})
