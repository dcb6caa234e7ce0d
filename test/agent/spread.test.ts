import { describe, expect, it } from 'vitest'
import { IntentDraw } from '../../src/agent/bettorDesk.ts'
import favourite from '../../src/agent/bettors/favourite.ts'
import impatient from '../../src/agent/bettors/impatient.ts'
import informed from '../../src/agent/bettors/informed.ts'
import noise from '../../src/agent/bettors/noise.ts'
import priceSensitive from '../../src/agent/bettors/priceSensitive.ts'
import stopLoss from '../../src/agent/bettors/stopLoss.ts'
import takeProfit from '../../src/agent/bettors/takeProfit.ts'
import { arriving, usd, withDraws } from './bettorWorld.ts'

const ALL = { noise, informed, impatient, 'stop-loss': stopLoss, 'take-profit': takeProfit, 'price-sensitive': priceSensitive, favourite }
const OF = Object.entries(ALL)
const EVERY = { legsMin: 1, legsMax: 3 }
/** `favourite` has a bound of its own. */
const everyOf = (strategy: unknown) => (strategy === favourite ? { ...EVERY, favouriteMin: 0.5 } : EVERY)

/** Field `of` of the intents of bettors whose draw for it is each of `draws`. */
function at(strategy: unknown, values: Record<string, number>, field: number, draws: readonly number[], of: 'legs' | 'betMicros'): number[] {
  const world = arriving(strategy, { ...everyOf(strategy), ...values }, { live: [0, 1, 2] })
  const { view, next } = world
  withDraws(world, field, (arrival) => draws[arrival - 1]!)
  return draws.map((_, i) => {
    next(i + 1)
    return of === 'legs' ? view.legs.count : view.betMicros
  })
}

describe.each(OF)('leg counts of %s', (_, strategy) => {
  it('are alike unless each further leg is more or less likely', () => {
    const draws = [0, 0.333, 0.334, 0.666, 0.667, 1 - 2 ** -53]
    expect(at(strategy, {}, IntentDraw.legCount, draws, 'legs')).toEqual([1, 1, 2, 2, 3, 3])
  })

  it('go up or down by the ratio', () => {
    // 1/7, 2/7 and 4/7; the other way round with a half.
    const rising = [0, 0.1428, 0.1429, 0.4285, 0.4286, 1 - 2 ** -53]
    expect(at(strategy, { legsRatio: 2 }, IntentDraw.legCount, rising, 'legs')).toEqual([1, 1, 2, 2, 3, 3])
    expect(at(strategy, { legsMax: 2, legsRatio: 3 }, IntentDraw.legCount, [0.25 - 2 ** -53, 0.25], 'legs')).toEqual([1, 2])
    const falling = [0, 0.5714, 0.5715, 0.8571, 0.8572, 1 - 2 ** -53]
    expect(at(strategy, { legsRatio: 0.5 }, IntentDraw.legCount, falling, 'legs')).toEqual([1, 1, 2, 2, 3, 3])
  })
})

describe.each(OF)('stakes of %s', (_, strategy) => {
  it('are lognormal where they have a median, cut off at both ends', () => {
    // One standard deviation is a factor of 10: from −1 to 1 of them. Φ(−1) = 0.1586553, Φ(0.5) = 0.6914625, Φ(1) = 0.8413447.
    const values = { betMin: usd(1), betMax: usd(100), betMedian: usd(10), betSigma: Math.log(10) }
    const half = (0.6914625 - 0.1586553) / (0.8413447 - 0.1586553)
    expect(at(strategy, values, IntentDraw.stake, [0, 0.5, half, 1 - half, 1 - 2 ** -53], 'betMicros'))
      .toEqual([usd(1), usd(10), usd(31.62), usd(3.16), usd(99.99)])
  })

  it('never leave their bounds, however far the median is from them', () => {
    const draws = [0, 0.5, 1 - 2 ** -53]
    const bounds = { betMin: usd(20), betMax: usd(30), betSigma: 0.01 }
    expect(at(strategy, { ...bounds, betMedian: usd(1) }, IntentDraw.stake, draws, 'betMicros').every((bet) => bet >= usd(20) && bet <= usd(30))).toBe(true)
    expect(at(strategy, { ...bounds, betMedian: usd(900) }, IntentDraw.stake, draws, 'betMicros').every((bet) => bet >= usd(20) && bet <= usd(30))).toBe(true)
  })
})

it('lognormal stakes have the mean and the deviation of the logarithm that they are given', () => {
  const { view, next } = arriving(noise, { ...EVERY, betMin: 10_000, betMax: usd(1e9), betMedian: usd(18), betSigma: 0.75 }, { live: [0, 1, 2] })
  const logs = Array.from({ length: 4000 }, (_, i) => {
    next(i + 1)
    return Math.log(view.betMicros / 1e6)
  })
  const mean = logs.reduce((sum, value) => sum + value, 0) / logs.length
  const deviation = Math.sqrt(logs.reduce((sum, value) => sum + (value - mean) ** 2, 0) / logs.length)
  // Four standard errors: 4 · 0.75/√4000 and 4 · 0.75/√8000.
  expect(Math.abs(mean - Math.log(18))).toBeLessThan(0.048)
  expect(Math.abs(deviation - 0.75)).toBeLessThan(0.034)
})
