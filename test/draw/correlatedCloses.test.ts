import { describe, expect, it } from 'vitest'
import { type DrawnWorld, drawnTies } from '../../src/draw/drawnOutcomes.ts'
import { Reference } from '../../src/engine/reference.ts'
import { CorrelatedCloses } from '../../src/draw/correlatedCloses.ts'
import type { Market } from '../../src/market/market.ts'
import { ticksOf } from '../agent/fakes.ts'

const [NO, YES] = [0, 1] as const
const START = 1_728_000_000_000_000
const END = START + 86_400_000_000

const market = (number: number, facts: Partial<Market> = {}): Market => ({
  number, ticker: `M${number}`, venue: 'venue_a', event: `E${number}`, series: '', category: 'sports', title: '', game: '', ladder: '',
  exclusionKeys: [`e${number}`], openUs: START, scheduledCloseUs: null, scheduledCloseKnownUs: null, actualCloseUs: null,
  outcome: null, settlementE6: null, settledUs: null, ...facts,
})
type TiedWorld = DrawnWorld & { readonly correlation: number }
const world = (correlation: number, within: DrawnWorld['within'] = 'all', redraws = false): TiedWorld => ({ correlation, within, redraws })

/** Chance that legs on all markets come true, whose prices at the close are these cents. */
function joint(markets: readonly Market[], cents: readonly number[], sides: readonly number[], how: TiedWorld, legs = markets.map((_, i) => i)): number {
  const ticks = ticksOf(cents.map((c, i) => [START + i, i, c - 1, c + 1] as const))
  const ties = drawnTies(markets, ticks, END, how)
  const chances = cents.map((c, m) => ties.flatMap((tie) => tie.chances.filter((_, i) => tie.markets[i]!.number === m))[0] ?? c / 100)
  const product = legs.reduce((value, m, i) => value * (sides[i] === YES ? chances[m]! : 1 - chances[m]!), 1)
  return product * new CorrelatedCloses(ties, markets.length, how.correlation).uplift(legs.length, legs, sides, 0)
}
const many = (n: number, facts: Partial<Market> = {}) => Array.from({ length: n }, (_, i) => market(i, facts))

describe('legs at their closes in a world of correlated outcomes', () => {
  // W. F. Sheppard, Phil. Trans. A 192 (1899): two even chances are both met with ¼ + asin(ρ)/2π.
  it.each([0.1, 0.5, 0.9, 0.999])('come true together as Sheppard says, ρ = %f', (rho) => {
    expect(joint(many(2), [50, 50], [YES, YES], world(rho))).toBeCloseTo(0.25 + Math.asin(rho) / (2 * Math.PI), 9)
    expect(joint(many(2), [50, 50], [YES, NO], world(rho))).toBeCloseTo(0.25 - Math.asin(rho) / (2 * Math.PI), 9)
  })

  it('come true together with 1/(n + 1) at ρ = ½, when each is even', () => {
    for (const n of [2, 3, 5, 8]) expect(joint(many(n), Array(n).fill(50), Array(n).fill(YES), world(0.5))).toBeCloseTo(1 / (n + 1), 9)
  })

  it('are one and the same at ρ = 1', () => {
    expect(joint(many(2), [30, 80], [YES, YES], world(1))).toBeCloseTo(0.3, 12)
    expect(joint(many(2), [30, 80], [YES, NO], world(1))).toBe(0)
    expect(joint(many(2), [30, 80], [NO, YES], world(1))).toBeCloseTo(0.5, 12)
  })

  it('near ρ = 1 are almost one, and take no longer', () => {
    // ¼ + asin(ρ)/2π misses ½ by √(2(1 − ρ))/2π, for two even legs; no correlation below 1 counts as more than 0.999999.
    expect(Math.abs(joint(many(2), [50, 50], [YES, YES], world(1 - 1e-14)) - 0.5)).toBeLessThan(3e-4)
    expect(new CorrelatedCloses([], 0, 1 - 1e-14).nodeCount).toBeLessThan(30_000)
  })

  it('keep each chance: over both sides of one leg the other is as likely as ever', () => {
    expect(joint(many(2), [30, 80], [YES, YES], world(0.6)) + joint(many(2), [30, 80], [NO, YES], world(0.6))).toBeCloseTo(0.8, 9)
  })

  it('are a product in different groups, and where outcomes are not drawn', () => {
    const apart = [market(0, { category: 'a' }), market(1, { category: 'b' })]
    expect(joint(apart, [50, 50], [YES, YES], world(0.5, 'category'))).toBe(0.25)
    expect(joint(many(2, { outcome: 'yes' }), [50, 50], [YES, YES], world(0.5))).toBe(0.25)
    expect(joint(many(2, { outcome: 'yes' }), [50, 50], [YES, YES], world(0.5, 'all', true))).toBeCloseTo(1 / 3, 9)
  })

  const pair = [market(0, { event: 'a' }), market(1, { event: 'a' }), market(2, { event: 'b' }), market(3, { event: 'b' })]

  it('in events with one winner have the favourites together, and each still wins as often as its price says', () => {
    const cents = [30, 70, 60, 40]
    const both = joint(pair, cents, [YES, YES], world(0.5), [1, 2])
    // Both favourites lie at the lower end of their uniforms, as two markets alone at .7 and .6 do.
    expect(both).toBeCloseTo(joint(many(2), [70, 60], [YES, YES], world(0.5)), 9)
    expect(both).toBeGreaterThan(0.43)
    expect(both + joint(pair, cents, [YES, YES], world(0.5), [1, 3])).toBeCloseTo(0.7, 9)
    expect(joint(pair, cents, [YES, NO], world(0.5), [1, 3])).toBeCloseTo(both, 9)
  })

  it('have the favourite of an event and a market alone together, and the others of the event apart from it', () => {
    const cents = [20, 70, 10, 60]
    const three = [market(0, { event: 'a' }), market(1, { event: 'a' }), market(2, { event: 'a' }), market(3)]
    expect(joint(three, cents, [YES, YES], world(0.5), [1, 3])).toBeCloseTo(joint(many(2), [70, 60], [YES, YES], world(0.5)), 9)
    expect(joint(three, cents, [YES, YES], world(0.5), [2, 3])).toBeLessThan(0.06)
  })

  it('of one event never come true together', () => {
    expect(joint(pair, [30, 70, 60, 40], [YES, YES], world(0.5), [0, 1])).toBe(0)
    expect(joint(pair, [30, 70, 60, 40], [YES, NO], world(0.5), [0, 1])).toBeCloseTo(0.3, 9)
  })

  it('are what the reference scores by', () => {
    const ticks = ticksOf([[START, 0, 49, 51], [START, 1, 49, 51]])
    const outcomes = { value: Float64Array.of(1, 1), atUs: Float64Array.of(END, END) }
    const tied = new Reference(ticks, 2, outcomes, { ties: new CorrelatedCloses(drawnTies(many(2), ticks, END), 2, 0.5) })
    expect(tied.jointClosingValue(2, [0, 1], [YES, YES], 0)).toBeCloseTo(1 / 3, 9)
    expect(tied.closingValue(2, [0, 1], [YES, YES], 0)).toBe(0.25)
    expect(new Reference(ticks, 2, outcomes).jointClosingValue(2, [0, 1], [YES, YES], 0)).toBe(0.25)
  })
})
