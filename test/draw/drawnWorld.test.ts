import { describe, expect, it } from 'vitest'
import { type DrawnWorld, drawnTies, drawOutcomes } from '../../src/draw/drawnOutcomes.ts'
import { planOperator } from '../../src/engine/operatorInputs.ts'
import { Reference } from '../../src/engine/reference.ts'
import { JointChances } from '../../src/draw/jointChances.ts'
import { rootKey } from '../../src/kernel/random.ts'
import type { Market } from '../../src/market/market.ts'
import { ticksOf } from '../agent/fakes.ts'

const DAY = 86_400_000_000
const START = 20_000 * DAY
const END = START + 9 * DAY
const SEEDS = 4000

const market = (number: number, facts: Partial<Market> = {}): Market => ({
  number, ticker: `M${number}`, venue: 'venue_a', event: `E${number}`, series: '', category: 'sports', title: '', game: '', ladder: '',
  exclusionKeys: [`e${number}`], openUs: START, scheduledCloseUs: null, scheduledCloseKnownUs: null, actualCloseUs: null,
  outcome: null, settlementE6: null, settledUs: null, ...facts,
})

/** Lone markets with their middle prices in cents, one a second, or each at its own instant. */
const pricesOf = (cents: readonly number[], atUs: (i: number) => number = (i) => START + i) => ticksOf(cents.map((c, i) => [atUs(i), i, c - 1, c + 1] as const))

type TiedWorld = DrawnWorld & { readonly correlation: number }
const world = (correlation: number, within: DrawnWorld['within'] = 'all', redraws = false): TiedWorld => ({ correlation, within, redraws })

/** Results of the markets for each seed, as texts of 0 and 1 in order of market. */
function drawn(markets: readonly Market[], ticks: ReturnType<typeof pricesOf>, how?: TiedWorld, seeds = SEEDS): string[] {
  const ties = drawnTies(markets, ticks, END, how)
  return Array.from({ length: seeds }, (_, seed) => {
    const results = drawOutcomes(ties, rootKey(String(seed)), how?.correlation)
    return markets.map(({ number }) => results.get(number) ?? '-').join('')
  })
}

const share = (results: readonly string[], wanted: RegExp): number => results.filter((result) => wanted.test(result)).length / results.length
/** Four standard errors of a share. */
const slack = (p: number): number => 4 * Math.sqrt((p * (1 - p)) / SEEDS)

describe('a world of correlated outcomes', () => {
  const two = [market(0), market(1)]
  const pair = [market(0, { event: 'a' }), market(1, { event: 'a' }), market(2, { event: 'b' }), market(3, { event: 'b' })]

  it('is the plain one at no correlation, bit for bit', () => {
    for (const [markets, cents] of [[two, [50, 30]], [pair, [30, 70, 60, 40]]] as const) {
      expect(drawn(markets, pricesOf(cents), world(0, 'category'), 200)).toEqual(drawn(markets, pricesOf(cents), undefined, 200))
    }
  })

  it('keeps every chance at the last price, and has two even markets YES together as Sheppard says', () => {
    const results = drawn(two, pricesOf([50, 50]), world(0.5))
    expect(Math.abs(share(results, /^1/) - 0.5)).toBeLessThan(slack(0.5))
    expect(Math.abs(share(results, /1$/) - 0.5)).toBeLessThan(slack(0.5))
    // ¼ + asin(½)/2π = 1/3.
    expect(Math.abs(share(results, /11/) - 1 / 3)).toBeLessThan(slack(1 / 3))
  })

  it('keeps a chance that is not even', () => {
    const results = drawn(two, pricesOf([30, 80]), world(0.6))
    expect(Math.abs(share(results, /^1/) - 0.3)).toBeLessThan(slack(0.3))
    expect(Math.abs(share(results, /1$/) - 0.8)).toBeLessThan(slack(0.8))
  })

  it('moves few outcomes when it is small', () => {
    // At ρ = 0.0001 a variable moves by about 0.01: 1 % of the outcomes of two markets or events at most.
    for (const [markets, cents] of [[two, [50, 30]], [pair, [30, 70, 40, 60]]] as const) {
      const plain = drawn(markets, pricesOf(cents), world(0), 1000)
      const others = drawn(markets, pricesOf(cents), world(0.0001), 1000)
      const moved = plain.filter((result, seed) => result !== others[seed]).length
      expect(moved).toBeGreaterThan(0)
      expect(moved).toBeLessThan(30)
    }
  })

  it('is one draw at a correlation of 1', () => {
    const results = drawn([market(0), market(1), market(2)], pricesOf([20, 50, 80]), world(1), 500)
    expect(new Set(results)).toEqual(new Set(['000', '001', '011', '111']))
  })

  it.each([
    ['category', [{ category: 'sports' }, { category: 'Sports' }], [{ category: 'sports' }, { category: 'weather' }]],
    ['game', [{ game: 'g' }, { game: 'g' }], [{ game: 'g' }, { game: 'h' }]],
    ['game', [{ game: 'g', event: 'e' }, { game: 'g', event: 'f' }], [{ game: '', event: 'e' }, { game: '', event: 'f' }]],
  ] as const)('correlates within a %s alone', (within, same, other) => {
    const joint = (facts: readonly Partial<Market>[]): number => share(drawn(facts.map((f, i) => market(i, f)), pricesOf([50, 50]), world(0.5, within)), /11/)
    expect(Math.abs(joint(same) - 1 / 3)).toBeLessThan(slack(1 / 3))
    expect(Math.abs(joint(other) - 0.25)).toBeLessThan(slack(0.25))
  })

  it('correlates within a day from noon to noon alone', () => {
    const joint = (firstUs: number, secondUs: number): number => share(drawn(two, pricesOf([50, 50], (i) => (i === 0 ? firstUs : secondUs)), world(0.5, 'day')), /11/)
    expect(Math.abs(joint(START + DAY / 2, START + 1.5 * DAY - 1) - 1 / 3)).toBeLessThan(slack(1 / 3))
    expect(Math.abs(joint(START + DAY / 2 - 1, START + DAY / 2) - 0.25)).toBeLessThan(slack(0.25))
  })

  it('has events end with their favourites together, each with exactly one YES', () => {
    // The favourites, at 70 %, stand second in the one event and first in the other.
    const results = drawn(pair, pricesOf([30, 70, 70, 30]), world(0.5))
    expect(share(results, /^(01|10)(01|10)$/)).toBe(1)
    expect(Math.abs(share(results, /^01/) - 0.7)).toBeLessThan(slack(0.7))
    expect(Math.abs(share(results, /10$/) - 0.7)).toBeLessThan(slack(0.7))
    // Two normal variables with correlation ½ are both below Φ⁻¹(0.7) more often than the 0.49 of independent ones.
    expect(Math.abs(share(results, /^0110$/) - JOINT_FAVOURITES)).toBeLessThan(slack(JOINT_FAVOURITES))
  })

  it('takes the first of two markets at the same price for the dearer', () => {
    // One draw u for both at a correlation of 1: the first event ends with its first market below 0.5, the second below 0.6.
    const results = drawn(pair, pricesOf([50, 50, 60, 40]), world(1), 500)
    expect(new Set(results)).toEqual(new Set(['1010', '0110', '0101']))
  })

  it('leaves a partition alone whose winner is known', () => {
    const known = [market(0, { event: 'a', outcome: 'yes' }), market(1, { event: 'a' })]
    expect(new Set(drawn(known, pricesOf([60, 40]), world(0.9), 100))).toEqual(new Set(['-0']))
  })
})

/** ∫ φ(x)·Φ((k − x/2)/√¾) dx below k = Φ⁻¹(0.7), by Simpson's rule over Φ from the error function's series. */
const JOINT_FAVOURITES = jointBelow(0.5244005127080407, 0.5)

function jointBelow(k: number, rho: number): number {
  const cdf = (x: number): number => {
    let term = x
    let sum = x
    for (let i = 1; i < 200; i++) sum += term *= (x * x) / (2 * i + 1)
    return 0.5 + (sum * Math.exp((-x * x) / 2)) / Math.sqrt(2 * Math.PI)
  }
  const steps = 2000
  const step = (k + 6) / steps
  let sum = 0
  for (let i = 0; i <= steps; i++) {
    const x = -6 + i * step
    sum += (i === 0 || i === steps ? 1 : i % 2 === 1 ? 4 : 2) * Math.exp((-x * x) / 2) * cdf((k - rho * x) / Math.sqrt(1 - rho * rho))
  }
  return (sum * step) / 3 / Math.sqrt(2 * Math.PI)
}

describe('a made-up world', () => {
  const markets = [market(0, { outcome: 'yes' }), market(1, { outcome: 'no' }), market(2), market(3, { outcome: 'void' }), market(4, { outcome: 'scalar', settlementE6: 300_000 })]
  const prices = pricesOf([50, 50, 50, 50, 50])

  it('draws what is yes, no or open anew, and neither what is void nor what settled between', () => {
    const results = drawn(markets, prices, world(0, 'all', true))
    for (const wanted of [/^1/, /^.1/, /^..1/]) expect(Math.abs(share(results, wanted) - 0.5)).toBeLessThan(slack(0.5))
    expect(share(results, /--$/)).toBe(1)
  })

  it('draws the winner of a partition anew', () => {
    const event = [market(0, { event: 'a', outcome: 'yes' }), market(1, { event: 'a', outcome: 'no' })]
    const results = drawn(event, pricesOf([20, 80]), world(0, 'all', true))
    expect(share(results, /^(01|10)$/)).toBe(1)
    expect(Math.abs(share(results, /10/) - 0.2)).toBeLessThan(slack(0.2))
  })

  it('takes rungs of a ladder for no partition because one of them happened to come true', () => {
    // 0.9 + 0.6 is no sum of exclusive chances; the results that are redrawn sum to 1.
    const ladder = [market(0, { event: 'total', outcome: 'yes' }), market(1, { event: 'total', outcome: 'no' })]
    const results = drawn(ladder, pricesOf([90, 60]), world(0, 'all', true))
    expect(Math.abs(share(results, /^1/) - 0.9)).toBeLessThan(slack(0.9))
    expect(Math.abs(share(results, /1$/) - 0.6)).toBeLessThan(slack(0.6))
    expect(Math.abs(share(results, /11/) - 0.54)).toBeLessThan(slack(0.54))
  })

  it('is the same whatever results were recorded', () => {
    for (const cents of [[90, 60, 40], [50, 30, 20], [20, 30, 10]]) {
      const recorded = (outcomes: readonly Market['outcome'][]): string[] =>
        drawn(outcomes.map((outcome, i) => market(i, { event: 'e', outcome })), pricesOf(cents), world(0.4, 'all', true), 200)
      const open = recorded([null, null, null])
      for (const outcomes of [['yes', 'no', 'no'], ['no', 'no', 'no'], ['yes', 'yes', 'no'], ['no', null, 'yes']] as const) expect(recorded(outcomes)).toEqual(open)
    }
  })

  it('believes the source about what is exclusive', () => {
    const told = (isExclusive: boolean, cents: readonly number[]): string[] =>
      drawn(cents.map((_, i) => market(i, { event: 'e', outcome: 'no', listing: { isExclusive } })), pricesOf(cents), world(0, 'all', true))
    // Prices of 1.5 for one payout: each has its share of them.
    const exclusive = told(true, [90, 60])
    expect(share(exclusive, /^(01|10)$/)).toBe(1)
    expect(Math.abs(share(exclusive, /10/) - 0.6)).toBeLessThan(slack(0.6))
    const free = told(false, [60, 40])
    expect(Math.abs(share(free, /11/) - 0.24)).toBeLessThan(slack(0.24))
  })

  it('is what the operator plays, listed without regard to what was recorded, and counted', () => {
    const policy = { lagUs: 500, missing: 'exclude', scalar: 'exclude' } as const
    const key = rootKey('a')
    const made = planOperator(markets, prices, START, END, { ...policy, outcomes: 'drawn', correlation: { share: 1, within: 'all' } }, key)
    expect(made.coverage).toMatchObject({ listed: 4, drawn: 3, unresolved: 1, voided: 1, excluded: 1 })
    const [first, second, third] = made.outcomes.value
    // At a correlation of 1 even markets come out alike.
    expect([first, second, third]).toEqual([first, first, first])
    const recorded = planOperator(markets, prices, START, END, policy, key)
    expect([...recorded.outcomes.value].slice(0, 3)).toEqual([1, 0, NaN])
    expect(recorded.coverage).toMatchObject({ listed: 3, drawn: 0 })
  })

  it('correlates what the policy draws', () => {
    const open = [market(0), market(1), market(2)]
    for (let seed = 0; seed < 50; seed++) {
      const { outcomes } = planOperator(open, pricesOf([50, 50, 50]), START, END, { lagUs: 500, missing: 'draw', scalar: 'void', correlation: { share: 1, within: 'all' } }, rootKey(String(seed)))
      expect(new Set(outcomes.value).size).toBe(1)
    }
  })
})

describe('settlement luck', () => {
  // An event whose prices sum to 1.2, one with rungs, a book without asks above an old last trade, and a market that stopped at 30.
  const markets = [
    market(0, { event: 'a', outcome: 'yes' }), market(1, { event: 'a', outcome: 'no' }), market(2, { event: 'ladder', outcome: 'yes' }),
    market(3, { event: 'ladder', outcome: 'no' }), market(4, { outcome: 'no' }), market(5, { outcome: 'yes', actualCloseUs: START + 10 }),
  ]
  const prices = ticksOf([
    [START, 0, 71, 73], [START, 1, 47, 49], [START, 2, 89, 91], [START, 3, 59, 61], [START, 4, 40, 60], [START, 5, 29, 31],
    [START + 9, 4, 98, -1], [START + 20, 5, 69, 71],
  ])
  const chances = [0.6, 0.4, 0.9, 0.6, 0.99, 0.7]
  const play = (seed: number, correlation: number) => {
    const policy = { lagUs: 500, missing: 'draw', scalar: 'void', outcomes: 'drawn', correlation: { share: correlation, within: 'all' } } as const
    const plan = planOperator(markets, prices, START, END, policy, rootKey(String(seed)))
    return { plan, tied: new JointChances(plan.ties, markets.length, correlation) }
  }
  const referenceOf = ({ plan, tied }: ReturnType<typeof play>) => new Reference(prices, markets.length, plan.outcomes, {
    tradedUntilUs: Float64Array.from(markets, ({ actualCloseUs }) => actualCloseUs ?? Infinity), drawnChances: plan.drawnChances, joint: tied,
  })

  const plain = Array.from({ length: SEEDS }, (_, seed) => play(seed, 0))

  it.each(chances.map((chance, m) => [m, chance]))('closes market %d at the chance with which it is drawn, %d', (m, chance) => {
    const results = plain.map(({ plan }) => plan.outcomes.value[m]!)
    expect(referenceOf(plain[0]!).closingValue(1, [m], [1], 0)).toBeCloseTo(chance, 12)
    expect(Math.abs(results.filter((value) => value === 1).length / SEEDS - chance)).toBeLessThan(slack(chance))
  })

  it.each([0, 0.6])('has mean zero at a correlation of %d', (correlation) => {
    const worlds = correlation === 0 ? plain : plain.map((_, seed) => play(seed, correlation))
    const reference = referenceOf(worlds[0]!)
    for (const legs of [[[0, 1], [2, 1]], [[1, 1], [5, 1]], [[0, 0], [3, 0]], [[0, 1], [3, 1], [4, 1], [5, 1]], [[2, 1], [3, 0], [5, 0]]] as const) {
      const fair = reference.closingValue(legs.length, legs.map(([m]) => m), legs.map(([, side]) => side), 0)
      const won = worlds.filter(({ plan }) => legs.every(([m, side]) => plan.outcomes.value[m] === side)).length / SEEDS
      expect(Math.abs(won - fair)).toBeLessThan(slack(fair))
    }
  })

  it('counts what others leave no choice at what it must be', () => {
    const known = [market(0, { event: 'a', outcome: 'no' }), market(1, { event: 'a' }), market(2, { event: 'b', outcome: 'yes' }), market(3, { event: 'b' }), market(4)]
    const ticks = pricesOf([50, 50, 60, 40, 50])
    const policy = { lagUs: 500, missing: 'draw', scalar: 'void', correlation: { share: 0.5, within: 'all' } } as const
    const plan = planOperator(known, ticks, START, END, policy, rootKey('a'))
    expect([...plan.drawnChances]).toEqual([NaN, 1, NaN, 0, 0.5])
    expect([plan.outcomes.value[1], plan.outcomes.value[3]]).toEqual([1, 0])
    const tied = new JointChances(plan.ties, known.length, 0.5)
    // The one that must be YES is tied to nothing.
    const upliftOf = (markets: readonly number[], sides: readonly number[]): number =>
      tied.uplift(plan.drawnChances, null, { markets: Int32Array.from(markets), sides: Uint8Array.from(sides), openCount: 2, count: 2 })
    expect(upliftOf([1, 4], [1, 1])).toBeCloseTo(1, 12)
    expect(upliftOf([3, 4], [0, 1])).toBeCloseTo(1, 12)
  })
})
