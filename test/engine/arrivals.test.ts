import { describe, expect, it } from 'vitest'
import { type ArrivalTerms, ArrivalTimes } from '../../src/engine/arrivals.ts'
import type { SelfExcitation } from '../../src/engine/config.ts'
import { Draws, Purpose, rootKey } from '../../src/kernel/random.ts'

const SECOND = 1_000_000
/** One arrival a second of themselves. */
const TERMS: ArrivalTerms = { name: 'cohort', entity: 7, meanGapUs: SECOND }
const HALF: SelfExcitation = { branching: 0.5, decayUs: SECOND }

const timesOf = (...cohorts: readonly ArrivalTerms[]): ArrivalTimes => new ArrivalTimes(cohorts, new Draws(rootKey('arrivals'), Purpose.arrivals))

/** The arrivals of a cohort before `untilUs`, µs from 0. */
function arrivals(terms: ArrivalTerms, untilUs: number): number[] {
  const times = timesOf(terms)
  const found: number[] = []
  for (let nowUs = 0; ;) {
    nowUs += times.gapBefore(0, found.length, nowUs)
    if (nowUs >= untilUs) return found
    found.push(nowUs)
  }
}

function countsIn(times: readonly number[], windowUs: number, windows: number): number[] {
  const counts = Array.from({ length: windows }, () => 0)
  for (const us of times) counts[Math.floor(us / windowUs)]!++
  return counts
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length

function variance(values: readonly number[]): number {
  const middle = mean(values)
  return values.reduce((sum, value) => sum + (value - middle) ** 2, 0) / (values.length - 1)
}

describe('arrivals that excite others', () => {
  it.each([0.25, 0.5, 0.8])('have the rate μ/(1 − n) and, over long spans, the variance 1/(1 − n)² times the mean, at n = %s (Hawkes 1971)', (branching) => {
    const windows = 1000
    const windowUs = 200 * SECOND
    const counts = countsIn(arrivals({ ...TERMS, excitation: { branching, decayUs: SECOND } }, windows * windowUs), windowUs, windows)
    // The variance of counts in a span T is Λ[T/(1 − n)² + (1 − 1/(1 − n)²)(1 − exp(−κT))/κ] with Λ = μ/(1 − n), κ = (1 − n)/d (Da Fonseca and Zaatour 2014).
    const clustering = 1 / (1 - branching) ** 2
    const fano = clustering + (1 - clustering) / (1 - branching) / 200
    const rate = 200 / (1 - branching)
    // Four standard errors of a mean, and of a variance, of 1000 windows that hardly depend on each other.
    expect(Math.abs(mean(counts) - rate)).toBeLessThan(4 * Math.sqrt((rate * fano) / windows))
    expect(Math.abs(variance(counts) / mean(counts) / fano - 1)).toBeLessThan(4 * Math.sqrt(2 / windows))
  })

  it('cluster within the decay: over spans of one decay they spread less', () => {
    const windows = 50_000
    const counts = countsIn(arrivals({ ...TERMS, excitation: HALF }, windows * SECOND), SECOND, windows)
    // The formula above at T = d and n = ½: 4 − 6 (1 − exp(−½)) = 1.639.
    expect(Math.abs(variance(counts) / mean(counts) - 1.639)).toBeLessThan(0.08)
  })

  it('begin without a past: few come at first', () => {
    const cohorts = Array.from({ length: 10_000 }, (_, entity): ArrivalTerms => ({ ...TERMS, entity, excitation: HALF }))
    const times = timesOf(...cohorts)
    const counts = cohorts.map((_, cohort) => {
      let count = 0
      for (let nowUs = times.gapBefore(cohort, 0, 0); nowUs < SECOND; nowUs += times.gapBefore(cohort, count, nowUs)) count++
      return count
    })
    // E N(T) = μT/(1 − n) − μn/(1 − n) · (1 − exp(−κT))/κ: 2 − (1 − exp(−½))/½ = 1.213 within a second, not 2.
    expect(Math.abs(mean(counts) - 1.213)).toBeLessThan(4 * Math.sqrt(variance(counts) / counts.length))
  })

  it('follow the intensity of the definition: integrated over it, the gaps are exponential (time rescaling)', () => {
    const times = arrivals({ ...TERMS, excitation: { branching: 0.7, decayUs: 3 * SECOND } }, 800 * SECOND).map((us) => us / SECOND)
    // ∫λ from 0 to t, summed over all arrivals before t as the definition says.
    const integrated = times.map((t, i) => t + 0.7 * times.slice(0, i).reduce((sum, before) => sum + 1 - Math.exp(-(t - before) / 3), 0))
    const shares = integrated.map((at, i) => 1 - Math.exp(-(at - (integrated[i - 1] ?? 0)))).sort((a, b) => a - b)
    const distance = Math.max(...shares.map((share, i) => Math.max(share - i / shares.length, (i + 1) / shares.length - share)))
    expect(shares.length).toBeGreaterThan(2000)
    // Kolmogorov and Smirnov, one in a thousand.
    expect(distance).toBeLessThan(1.95 / Math.sqrt(shares.length))
  })

  it('are those of the Poisson process when they call forth none', () => {
    expect(arrivals({ ...TERMS, excitation: { branching: 0, decayUs: SECOND } }, 100 * SECOND)).toEqual(arrivals(TERMS, 100 * SECOND))
  })

  it('do not depend on another cohort, nor on where it stands', () => {
    const own = { ...TERMS, excitation: HALF }
    const both = timesOf({ ...own, name: 'other', entity: 8 }, own)
    const alone = timesOf(own)
    let nowUs = 0
    for (let i = 0; i < 100; i++) {
      both.gapBefore(0, i, nowUs)
      const gapUs = alone.gapBefore(0, i, nowUs)
      expect(both.gapBefore(1, i, nowUs)).toBe(gapUs)
      nowUs += gapUs
    }
  })

  it('go on from an image', () => {
    const own = { ...TERMS, excitation: { branching: 0.9, decayUs: 5 * SECOND } }
    const [first, second] = [timesOf(own), timesOf(own)]
    for (let i = 0; i < 50; i++) first.gapBefore(0, i, 0)
    second.restore(structuredClone(first.snapshot()))
    const next = (times: ArrivalTimes): number[] => Array.from({ length: 20 }, (_, i) => times.gapBefore(0, 50 + i, 0))
    expect(next(second)).toEqual(next(first))
  })

  it('call forth less than one each: more is a bug of whoever made the session', () => {
    for (const branching of [1, 1.5, -0.1, NaN]) expect(() => timesOf({ ...TERMS, excitation: { branching, decayUs: SECOND } })).toThrow('calls forth')
    expect(() => timesOf({ ...TERMS, excitation: { branching: 0.5, decayUs: 0 } })).toThrow('calls forth')
  })
})

describe('arrivals at given instants', () => {
  it('come then, and no more after the last', () => {
    const times = timesOf({ ...TERMS, arrivalsUs: [5, 5, 9] })
    expect([times.gapBefore(0, 0, 2), times.gapBefore(0, 1, 5), times.gapBefore(0, 2, 5), times.gapBefore(0, 3, 9)]).toEqual([3, 0, 4, Infinity])
    expect(() => times.gapBefore(0, 2, 10)).toThrow('arrival 2 of cohort lies in the past')
  })
})
