import { describe, expect, it } from 'vitest'
import favourite from '../../src/agent/bettors/favourite.ts'
import { arriving, sec, usd } from './bettorWorld.ts'
import { ticksOf } from './fakes.ts'

/** Yes of market 0 at 70 cents, of market 1 at 20, of market 2 at 55. */
const TICKS = ticksOf([[sec(1), 0, 69, 71], [sec(1), 1, 19, 21], [sec(1), 2, 54, 56]])
const ONE_LEG = {
  legsMin: 1, legsMax: 1, betMin: usd(10), betMax: usd(10), decideMin: sec(1), decideMax: sec(1), toleranceMin: 0.2, toleranceMax: 0.2,
}
const BETTORS = 4000

/** The legs of one bettor after another, as market and side. */
function backed(values: Record<string, number>, live: number[], bettors = BETTORS): string[] {
  const { view, next } = arriving(favourite, { ...ONE_LEG, ...values }, { live, ticks: TICKS })
  return Array.from({ length: bettors }, (_, i) => {
    next(i + 1)
    return Array.from({ length: view.legs.count }, (_leg, leg) => `${view.legs.market(leg)}:${view.legs.side(leg)}`).join(' ')
  })
}

describe('a bettor that chases favourites', () => {
  it('looks at markets whose likelier side is priced at its least or above, whichever side that is', () => {
    const markets = (favouriteMin: number): Set<string> => new Set(backed({ favouriteMin }, [0, 1, 2], 200).map((leg) => leg.split(':')[0]!))
    expect(markets(0.5)).toEqual(new Set(['0', '1', '2']))
    expect(markets(0.7)).toEqual(new Set(['0', '1']))
    expect(markets(0.71)).toEqual(new Set(['1']))
    expect(markets(0.81)).toEqual(new Set(['']))
  })

  it.each([
    // pᵏ/(pᵏ + (1 − p)ᵏ) at p = 0.7.
    [0, 0.5], [1, 0.7], [2, 0.49 / 0.58], [4, 0.2401 / 0.2482], [-2, 0.09 / 0.58],
  ])('with a taste of %s backs the side at 70 cents with probability %s', (taste, share) => {
    const yes = backed({ taste }, [0]).filter((leg) => leg === '0:1').length / BETTORS
    expect(Math.abs(yes - share)).toBeLessThan(4 * Math.sqrt((share * (1 - share)) / BETTORS))
  })

  it('backs no where yes is the longshot', () => {
    expect(new Set(backed({ taste: 50 }, [1], 200))).toEqual(new Set(['1:0']))
    expect(new Set(backed({ taste: -50 }, [1], 200))).toEqual(new Set(['1:1']))
  })

  it('takes what the fair odds of the sides that it backs less its tolerance give', () => {
    const { view, next } = arriving(favourite, { ...ONE_LEG, legsMin: 2, legsMax: 2, taste: 50 }, { live: [0, 1], ticks: TICKS })
    next(1)
    // Sides at 0.7 and 0.8: 0.8/0.56 = 1.428571…
    expect([view.legs.count, view.minOddsE4]).toEqual([2, 14_285])
  })

  it('leaves when there are too few favourites', () => {
    const { calls, next } = arriving(favourite, { ...ONE_LEG, legsMin: 2, legsMax: 2 }, { live: [0, 2], ticks: TICKS })
    next(1)
    expect(calls).toEqual([])
  })
})
