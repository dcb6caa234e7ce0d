import { describe, expect, it } from 'vitest'
import type { Scores } from '../../src/score/scores.ts'
import { meet, readExpectation } from '../../src/sweep/expectation.ts'

const at = { file: 's.yaml', line: 3 }

/** A session in which maker m made these profits, USDC, in clusters a, b, …, without luck, of parlays of one leg. Closes leave all to luck. */
const session = (...profits: readonly number[]): Scores[] => closing(2, profits)

/** The same, where closes leave so much of 2 to luck. */
const closing = (undecided: number, profits: readonly number[]): Scores[] => [{
  service: 'parlay', makers: ['m'], clusters: profits.map((_, c) => 'abcde'[c]!), columns: ['profit', 'ended', 'luck', 'positionPayout', 'legPayout', 'uncertain', 'undecided', 'undrawn'],
  sums: Float64Array.from(profits.flatMap((profit) => [profit * 1e6, 1, 0, 10, 10, 2, undecided, 0])), figures: [], values: new Float64Array(),
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
    const { difference, holds } = meets('luck-adjusted of m rises', first, last)
    expect(difference!.estimate).toBeCloseTo(9, 9)
    // By hand: the clusters differ by 2, 3 and 4, and the standard error of their sum is √3·1. Student's 97.5 % point of 2 degrees is 4.3027.
    expect(difference!.low).toBeCloseTo(9 - 4.3026527 * Math.sqrt(3), 5)
    expect(holds).toBe(true)
    expect(meets('luck-adjusted of m falls', first, last).holds).toBe(false)
    expect(meets('luck-adjusted of m falls', last, first).holds).toBe(true)
  })

  it('does not hold when the interval reaches zero, or there is nothing to compare', () => {
    // Differences of clusters 1, 1, −1: their sum is above 0, its interval is not.
    expect(meets('luck-adjusted of m rises', [session(10, 20, 30)], [session(11, 21, 29)]).holds).toBe(false)
    expect(meets('luck-adjusted of n rises', [session(1)], [session(2)])).toMatchObject({ difference: null, holds: false })
    expect(meets('luck-adjusted of m rises', [session(1), session(1)], [session(2)])).toMatchObject({ difference: null, holds: false })
  })

  it('pairs sessions of one cluster by their seeds, and says what that is worth', () => {
    const { difference, holds } = meets('luck-adjusted of m rises', [session(1), session(50), session(100)], [session(3), session(52), session(102.5)])
    expect(difference!.label).toContain('conditional on this history')
    expect(difference!.estimate).toBeCloseTo(6.5 / 3, 9)
    expect(holds).toBe(true)
  })

  it('of cash holds with as many clusters as its parlays need', () => {
    const rises = (clusters: number) => meets('profit of m rises', [session(...Array<number>(clusters).fill(10))], [session(...Array.from({ length: clusters }, (_, c) => 20 + c))])
    expect(rises(4)).toMatchObject({ holds: false, difference: { estimate: 46, low: null, label: '4 clusters of 1-leg parlays: an interval of cash would not hold; 5 needed' } })
    expect(rises(5)).toMatchObject({ holds: true, difference: { estimate: 60 } })
  })

  it('of profit without luck holds with as many where the closes of one end came near the results', () => {
    const rises = (clusters: number, undecided: number) =>
      meets('luck-adjusted of m rises', [session(...Array<number>(clusters).fill(10))], [closing(undecided, Array.from({ length: clusters }, (_, c) => 20 + c))])
    expect(rises(4, 1.79)).toMatchObject({ holds: false, difference: { estimate: 46, low: null, label: '4 clusters, and prices came near the results before the close: an interval of luck-adjusted profit would not hold; 5 needed' } })
    expect(rises(4, 1.8).holds).toBe(true)
    expect(rises(5, 1.79).holds).toBe(true)
  })

  it('of cash in one cluster needs as many replications', () => {
    const rises = (replications: number) => meets('profit of m rises', Array.from({ length: replications }, () => session(10)), Array.from({ length: replications }, (_, r) => session(20 + r)))
    expect(rises(4).difference!.label).toBe('4 replications of 1-leg parlays: an interval of cash would not hold; 5 needed')
    expect(rises(5).holds).toBe(true)
  })
})
