import { describe, expect, it } from 'vitest'
import { IntentDraw } from '../../src/agent/bettorDesk.ts'
import priceSensitive from '../../src/agent/bettors/priceSensitive.ts'
import { arriving, sec, usd, withDraws } from './bettorWorld.ts'

/** Two legs at 0.5: V = 0.25. */
const SURE = { legsMin: 2, legsMax: 2, betMin: usd(10), betMax: usd(10), decideMin: sec(1), decideMax: sec(1) }
const BETTORS = 10_000

/** Share of the bettors that take odds of 1/(0.25 + δ/100). */
function shareTaking(values: Record<string, number>, deltaCents: number): number {
  const world = arriving(priceSensitive, { ...SURE, ...values })
  const offeredE4 = Math.floor(10_000 / (0.25 + deltaCents / 100))
  let taking = 0
  for (let i = 1; i <= BETTORS; i++) {
    world.next(i)
    if (world.view.minOddsE4 <= offeredE4) taking++
  }
  return taking / BETTORS
}

describe('a price-sensitive bettor', () => {
  it.each([
    // Barzykin, Bergault and Guéant, arXiv 2207.04100: the optimal mark-ups of their two tiers, in the unit of β, and how often they hit.
    ['the dearer tier of the paper', { alpha: -1.9, beta: 11 }, 0.1773, 0.487],
    ['the cheaper tier of the paper', { alpha: -0.3, beta: 3.5 }, 0.3857, 0.259],
    ['no mark-up in the record of one operator', {}, 0, 0.676],
    ['five cents in the same', {}, 5, 0.037],
    ['a discount', { alpha: 1, beta: 3 }, -1, 0.881],
  ])('takes %s as often as the formula says', (_, values, deltaCents, share) => {
    // Four standard errors of a share of 10,000, and the rounding of the published figure.
    expect(Math.abs(shareTaking(values, deltaCents) - share)).toBeLessThan(4 * Math.sqrt((share * (1 - share)) / BETTORS) + 0.0006)
  })

  it('has its threshold where the inverted formula is: the least odds on the grid that are not dearer', () => {
    const world = arriving(priceSensitive, { ...SURE, alpha: -1.9, beta: 11 })
    const { view, next } = world
    const draws: Readonly<Record<number, number>> = { 1: 0.5, 2: 0.25, 3: 0, 4: 1 - 2 ** -53 }
    withDraws(world, IntentDraw.floor, (arrival) => draws[arrival]!)
    next(1)
    // δ = 1.9/11 = 0.172727… cents: 1/0.25172727… = 3.97255…
    expect(view.minOddsE4).toBe(39_726)
    next(2)
    // δ = (ln 3 + 1.9)/11 = 0.272601… cents: 1/0.25272601… = 3.95685…
    expect(view.minOddsE4).toBe(39_569)
    next(3)
    expect(view.minOddsE4).toBe(10_001)
    next(4)
    // (ln(2⁻⁵³) + 1.9)/11 = −3.1669… cents: 1/0.218330… = 4.58022…
    expect(view.minOddsE4).toBe(45_803)
  })

  it('counts the fee that the service announces, of which it gets no payout', () => {
    const world = arriving(priceSensitive, { ...SURE, alpha: -1.9, beta: 11 }, { takerFeeBps: 100 })
    const { view, next } = world
    withDraws(world, IntentDraw.floor, () => 0.5)
    next(1)
    // 0.25172727… for each dollar of the bet is 0.24921 for each of the stake: 1/0.24921 = 4.01268…
    expect(view.minOddsE4).toBe(40_127)
  })

  it.each([[0, 0], [0.5, 0.5], [0.8, 0.8], [1, 1]])('backs YES with a share %d of its legs', (yes, share) => {
    const world = arriving(priceSensitive, { ...SURE, yes })
    let sides = 0
    for (let i = 1; i <= BETTORS; i++) {
      world.next(i)
      sides += world.view.legs.side(0) + world.view.legs.side(1)
    }
    // Four standard errors of a share of 20,000; none at 0 and 1.
    expect(Math.abs(sides / (2 * BETTORS) - share)).toBeLessThanOrEqual(4 * Math.sqrt((share * (1 - share)) / (2 * BETTORS)))
  })

  it('takes nothing where it wants more than a gift', () => {
    const world = arriving(priceSensitive, { ...SURE, alpha: 26, beta: 1 })
    const { view, next, decide, calls } = world
    withDraws(world, IntentDraw.floor, () => 0.5)
    next(1)
    calls.length = 0
    // 26 cents off 0.25: no probability. The highest odds that there are do not reach it.
    decide(10_000_000)
    expect([view.minOddsE4, calls]).toEqual([10_000_001, []])
  })

  it('looks once, unless it is patient', () => {
    const once = arriving(priceSensitive, SURE)
    once.next(1)
    once.calls.length = 0
    once.decide(10_000)
    expect(once.calls).toEqual([])
    const twice = arriving(priceSensitive, { ...SURE, patience: 2, wait: sec(4) })
    twice.next(1)
    twice.calls.length = 0
    twice.decide(10_000)
    twice.decide(10_000)
    expect(twice.calls).toEqual([['decideIn', 0, sec(4)]])
  })
})
