import { describe, expect, it } from 'vitest'
import { type DrawnWorld, drawnTies } from '../../src/draw/drawnOutcomes.ts'
import { JointChances } from '../../src/draw/jointChances.ts'
import { Reference } from '../../src/engine/reference.ts'
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
  const asked = { markets: Int32Array.from(legs), sides: Uint8Array.from(sides), openCount: legs.length, count: legs.length }
  return product * new JointChances(ties, markets.length, how.correlation).uplift(Float64Array.from(chances), null, asked)
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
    expect(new JointChances([], 0, 1 - 1e-14).nodeCount).toBeLessThan(30_000)
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
})

describe('the reference of outcomes that are drawn together', () => {
  const SETTLED = END
  /** All markets settle at the given instants, after the last tick, with these results. */
  function reference(markets: readonly Market[], ticks: ReturnType<typeof ticksOf>, how: TiedWorld, settled: readonly (readonly [atUs: number, yes: number])[]): Reference {
    const ties = drawnTies(markets, ticks, END, how)
    const drawnChances = new Float64Array(markets.length).fill(NaN)
    for (const { markets: own, chances } of ties) own.forEach(({ number }, i) => { drawnChances[number] = chances[i]! })
    const outcomes = { value: Float64Array.from(settled, ([, yes]) => yes), atUs: Float64Array.from(settled, ([atUs]) => atUs) }
    return new Reference(ticks, markets.length, outcomes, { drawnChances, joint: JointChances.of(ties, markets.length, how.correlation) })
  }
  const both = (rho: number) => 0.25 + Math.asin(rho) / (2 * Math.PI)

  it('has the joint chance at every instant, and the product beside it', () => {
    // Two legs of 30, which become even ten µs later.
    const ticks = ticksOf([[START, 0, 29, 31], [START, 1, 29, 31], [START + 10, 0, 49, 51], [START + 10, 1, 49, 51]])
    const at = reference(many(2), ticks, world(0.5), [[SETTLED, 1], [SETTLED, 1]])
    // Φ₂(Φ⁻¹(.3), Φ⁻¹(.3), ½), by Plackett's integral ∫₀^asin ρ exp(−h²/(1 + sin t)) dt/2π added to .09.
    const h = -0.5244005127080407
    const steps = 100_000
    const top = Math.asin(0.5)
    let area = 0
    for (let i = 0; i < steps; i++) area += Math.exp(-(h * h) / (1 + Math.sin(((i + 0.5) / steps) * top))) * (top / steps)
    expect(at.parlayValue(START + 5, 2, [0, 1], [YES, YES], 0)).toBeCloseTo(0.09 + area / (2 * Math.PI), 9)
    expect(at.productValue(START + 5, 2, [0, 1], [YES, YES], 0)).toBeCloseTo(0.09, 15)
    expect(at.parlayValue(START + 10, 2, [0, 1], [YES, YES], 0)).toBeCloseTo(both(0.5), 9)
    expect(at.parlayValue(START + 11, 2, [0, 1], [YES, NO], 0)).toBeCloseTo(0.5 - both(0.5), 9)
    expect(at.parlayValue(START + 11, 1, [0], [YES], 0)).toBe(0.5)
    expect([at.closingValue(2, [0, 1], [YES, YES], 0), at.closingProduct(2, [0, 1], [YES, YES], 0)]).toEqual([expect.closeTo(1 / 3, 9), 0.25])
  })

  it('has what is left of it once legs of the parlay have come true, and they stand at their closes', () => {
    // The first leg closes at 50 and settles as YES; the second then goes to 70, the third stays at 50.
    const ticks = ticksOf([[START, 0, 49, 51], [START, 1, 49, 51], [START, 2, 49, 51], [START + 20, 1, 69, 71]])
    const settled = [[START + 10, 1], [SETTLED, 1], [SETTLED, 0]] as const
    const at = reference(many(3), ticks, world(0.5), settled)
    // P(B | A) = 2·P(AB) = 2/3, of three even legs P(BC | A) = 2·1/4.
    expect(at.parlayValue(START + 9, 2, [0, 1], [YES, YES], 0)).toBeCloseTo(1 / 3, 9)
    expect(at.parlayValue(START + 10, 2, [0, 1], [YES, YES], 0)).toBeCloseTo(2 / 3, 9)
    expect(at.parlayValue(START + 10, 3, [0, 1, 2], [YES, YES, YES], 0)).toBeCloseTo(1 / 2, 9)
    expect(at.parlayValue(START + 10, 1, [1], [YES], 0, 0)).toBe(0.5)
    // As the recorder asks: the leg that it knows to be won stands behind.
    expect(at.parlayValue(START + 11, 1, [1, 0], [YES, YES], 0, 1)).toBeCloseTo(2 / 3, 9)
    expect(at.parlayValue(START + 11, 2, [0, 1], [NO, YES], 0)).toBe(0)
    // P(B | A) + P(not B | A) = 1, at any price of B.
    const later = [YES, NO].map((side) => at.parlayValue(START + 21, 2, [0, 1], [YES, side], 0))
    expect(later[0]! + later[1]!).toBeCloseTo(1, 9)
    expect(later[0]!).toBeGreaterThan(0.7)
    // No result changes the close.
    expect(at.closingValue(2, [0, 2], [YES, YES], 0)).toBeCloseTo(1 / 3, 9)
  })

  it('has at the touch the product of touches, raised as V is', () => {
    const ticks = ticksOf([[START, 0, 40, 60], [START, 1, 40, 60]])
    const at = reference(many(2), ticks, world(0.5), [[SETTLED, 1], [SETTLED, 1]])
    expect(at.touchValue('ask', START, 2, [0, 1], [YES, YES], 0)).toBeCloseTo(0.36 * 4 / 3, 9)
    expect(at.touchValue('bid', START + 1, 2, [0, 1], [YES, YES], 0)).toBeCloseTo(0.16 * 4 / 3, 9)
    expect(at.touchValue('ask', START + 1, 1, [0], [YES], 0)).toBe(0.6)
  })

  it('of an event with one winner, and no correlation: legs that exclude each other make 0, and one that another implies adds nothing', () => {
    const one = many(3).map((of) => ({ ...of, event: 'a' }))
    const ticks = ticksOf([[START, 0, 19, 21], [START, 1, 39, 41], [START, 2, 39, 41]])
    const at = reference(one, ticks, world(0), [[SETTLED, 0], [SETTLED, 1], [SETTLED, 0]])
    expect(at.isJoint).toBe(true)
    expect(at.parlayValue(START, 2, [0, 1], [YES, YES], 0)).toBe(0)
    expect(at.parlayValue(START, 2, [0, 1], [YES, NO], 0)).toBeCloseTo(0.2, 12)
    expect(at.parlayValue(START, 2, [0, 1], [NO, NO], 0)).toBeCloseTo(0.4, 12)
    expect(at.parlayValue(START, 1, [0], [YES], 0)).toBe(0.2)
    expect(at.closingValue(2, [0, 1], [YES, YES], 0)).toBe(0)
  })

  it('of such an event takes shares of the sum at the instant for legs of it, and its own price for one alone', () => {
    const one = many(2).map((of) => ({ ...of, event: 'a' }))
    // 60 + 60: each is half of the sum.
    const ticks = ticksOf([[START, 0, 59, 61], [START, 1, 59, 61], [START + 10, 0, 49, 51], [START + 10, 1, 49, 51]])
    const at = reference(one, ticks, world(0), [[SETTLED, 1], [SETTLED, 0]])
    expect(at.parlayValue(START, 2, [0, 1], [YES, NO], 0)).toBeCloseTo(0.5, 12)
    expect(at.parlayValue(START, 1, [0], [YES], 0)).toBe(0.6)
    expect(at.parlayValue(SETTLED + 1, 2, [0, 1], [YES, NO], 0)).toBe(1)
  })

  it('once one of such an event has come true leaves the others no chance', () => {
    const one = many(3).map((of) => ({ ...of, event: 'a' }))
    const ticks = ticksOf([[START, 0, 19, 21], [START, 1, 39, 41], [START, 2, 39, 41]])
    const at = reference(one, ticks, world(0), [[START + 5, 0], [START + 6, 1], [SETTLED, 0]])
    // Not the first: the others share what is left.
    expect(at.parlayValue(START + 5, 2, [0, 1], [NO, YES], 0)).toBeCloseTo(0.5, 12)
    expect(at.parlayValue(START + 6, 2, [1, 2], [YES, NO], 0)).toBeCloseTo(1, 12)
    expect(at.parlayValue(START + 6, 2, [1, 2], [YES, YES], 0)).toBe(0)
  })

  it('is the product, bit for bit, of legs that are not drawn together', () => {
    const chances = [0.31, 0.77, 0.13]
    const ticks = ticksOf(chances.map((p, m) => [START, m, Math.round(p * 100) - 1, Math.round(p * 100) + 1] as const))
    const apart = many(3).map((of, m) => ({ ...of, category: `${m}` }))
    const product = 0.31 * (1 - 0.77) * 0.13
    for (const how of [world(0.5, 'category'), world(0)]) {
      const at = reference(apart, ticks, how, chances.map(() => [SETTLED, 1] as const))
      expect(at.parlayValue(START, 3, [0, 1, 2], [YES, NO, YES], 0)).toBe(product)
      expect(at.closingValue(3, [0, 1, 2], [YES, NO, YES], 0)).toBe(product)
    }
    expect(reference(apart, ticks, world(0), chances.map(() => [SETTLED, 1] as const)).isJoint).toBe(false)
  })

  it('answers the same whatever it was asked before', () => {
    const ticks = ticksOf([30, 50, 70, 90].map((c, m) => [START, m, c - 1, c + 1] as const))
    const ask = (at: Reference, [legs, sides]: readonly [number[], number[]]): number => at.parlayValue(START, legs.length, legs, sides, 0)
    const fresh = () => reference(many(4), ticks, world(0.4), [0, 1, 2, 3].map(() => [SETTLED, 1] as const))
    const questions = [
      [[0, 1], [YES, YES]], [[0, 1], [YES, NO]], [[0, 1, 2], [YES, YES, YES]], [[0, 1], [YES, YES]], [[1, 0], [YES, YES]], [[3], [YES]], [[1, 0], [YES, YES]], [[2, 3, 1, 0], [NO, NO, YES, NO]],
    ] as const
    const kept = fresh()
    for (const question of questions) expect(ask(kept, question as never)).toBe(ask(fresh(), question as never))
  })
})
