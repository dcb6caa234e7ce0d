import { describe, expect, it } from 'vitest'
import { MARKET_CLOSES } from '../../src/engine/config.ts'
import { drawnTies, drawOutcomes } from '../../src/draw/drawnOutcomes.ts'
import { planOperator, type SettlementPolicy } from '../../src/engine/operatorInputs.ts'
import { rootKey } from '../../src/kernel/random.ts'
import type { Market } from '../../src/market/market.ts'
import { MarketResult } from '../../src/market/sides.ts'
import type { Ticks } from '../../src/market/ticks.ts'
import { ParlayOp } from '../../src/venue/parlay/protocol/commands.ts'
import { Resolve } from '../../src/venue/contract.ts'

const START = 1_000_000
const END = 9_000_000
const POLICY: SettlementPolicy = { lagUs: 500, missing: 'exclude', scalar: 'void' }
const key = rootKey('test')

const market = (number: number, facts: Partial<Market> = {}): Market => ({
  number, ticker: `M${number}`, venue: 'venue_a', event: `E${number}`, series: '', category: '', title: '', game: '', ladder: '',
  exclusionKeys: [`e${number}`], openUs: START, scheduledCloseUs: null, scheduledCloseKnownUs: null, actualCloseUs: null,
  outcome: 'yes', settlementE6: null, settledUs: null, ...facts,
})

/** Ticks as [µs, market, bid in cents, ask in cents]; −1 for an empty side. */
function ticksOf(rows: readonly (readonly [number, number, number, number])[]): Ticks {
  const cents = (value: number): number => (value < 0 ? -1 : value * 10_000)
  const none = new Int32Array(rows.length).fill(-1)
  return {
    count: rows.length, atUs: Float64Array.from(rows, (r) => r[0]), market: Int32Array.from(rows, (r) => r[1]),
    bidE6: Int32Array.from(rows, (r) => cents(r[2])), askE6: Int32Array.from(rows, (r) => cents(r[3])), bidSize: none, askSize: none, lastE6: none,
  }
}

const plan = (facts: Partial<Market>, policy: Partial<SettlementPolicy> = {}): ReturnType<typeof planOperator> =>
  planOperator([market(0, facts)], ticksOf([[START, 0, 40, 42], [5_000_000, 0, 50, 52]]), START, END, { ...POLICY, ...policy }, key)

describe('what the operator does', () => {
  it('lists a market when it opened and settles it the lag after its last tick when no time is given', () => {
    expect(plan({}).inputs).toEqual([
      { atUs: START, op: ParlayOp.listMarket, market: 0, closeUs: START + 3650 * 86_400_000_000 },
      { atUs: 5_000_500, op: ParlayOp.resolveMarket, market: 0, [Resolve.result]: MarketResult.yes },
    ])
  })

  it('settles a market after its listing, also where the listing has its only price and there is no lag', () => {
    const { inputs } = planOperator([market(0)], ticksOf([[START, 0, 40, 42]]), START, END, { ...POLICY, lagUs: 0 }, key)
    expect(inputs.map(({ atUs, op }) => [atUs, op])).toEqual([[START, ParlayOp.listMarket], [START + 1, ParlayOp.resolveMarket]])
  })

  it('uses a published settlement time and a close that was scheduled when the market opened', () => {
    const { inputs, coverage } = plan({ scheduledCloseUs: 6_000_000, scheduledCloseKnownUs: START, settledUs: 7_000_000, outcome: 'no' })
    expect(inputs).toEqual([
      { atUs: START, op: ParlayOp.listMarket, market: 0, closeUs: 6_000_000 },
      { atUs: 6_000_000, op: MARKET_CLOSES, market: 0 },
      { atUs: 7_000_000, op: ParlayOp.resolveMarket, market: 0, [Resolve.result]: MarketResult.no },
    ])
    expect(coverage.missingSettlementTime).toBe(0)
  })

  it('lists a market at its first price in the window, not when it opened', () => {
    const ticks = ticksOf([[500_000, 0, 40, 42], [3_000_000, 0, 40, 42], [5_000_000, 0, 50, 52]])
    const { inputs } = planOperator([market(0, { openUs: 400_000 })], ticks, START, END, POLICY, key)
    expect(inputs.map(({ atUs, op }) => [atUs, op])).toEqual([[3_000_000, ParlayOp.listMarket], [5_000_500, ParlayOp.resolveMarket]])
  })

  it.each([
    ['the announced close, before the actual one', { actualCloseUs: 6_500_000 }, [6_000_000, MARKET_CLOSES], 0],
    ['the announced close, with the actual one at once', { actualCloseUs: 6_000_000 }, [6_000_000, MARKET_CLOSES], 0],
    ['the actual close, before the announced one', { actualCloseUs: 5_999_999 }, [5_999_999, ParlayOp.haltMarket], 1],
    ['the actual close, where no close is scheduled', { actualCloseUs: 6_500_000, scheduledCloseUs: null, scheduledCloseKnownUs: null }, [6_500_000, ParlayOp.haltMarket], 1],
    ['the actual close, where the schedule never was known', { actualCloseUs: 6_500_000, scheduledCloseKnownUs: null }, [6_500_000, ParlayOp.haltMarket], 1],
  ] as const)('ends trading at %s', (_, facts, end, halted) => {
    const { inputs, coverage } = plan({ scheduledCloseUs: 6_000_000, scheduledCloseKnownUs: START, settledUs: 7_000_000, ...facts })
    expect(inputs.map(({ atUs, op }) => [atUs, op])).toEqual([[START, ParlayOp.listMarket], end, [7_000_000, ParlayOp.resolveMarket]])
    expect(coverage).toMatchObject({ listed: 1, halted })
  })

  it.each([
    ['actual', { actualCloseUs: 7_000_000 }], ['announced', { scheduledCloseUs: 7_000_000, scheduledCloseKnownUs: START }],
  ])('only settles a market whose %s close is the instant of its result', (_, facts) => {
    const { inputs, coverage } = plan({ ...facts, settledUs: 7_000_000 })
    expect(inputs.map(({ atUs, op }) => [atUs, op])).toEqual([[START, ParlayOp.listMarket], [7_000_000, ParlayOp.resolveMarket]])
    expect(coverage).toMatchObject({ listed: 1, halted: 0 })
  })

  it('announces a schedule that becomes known after the listing at that instant, and not before', () => {
    const { inputs } = plan({ scheduledCloseUs: 6_000_000, scheduledCloseKnownUs: 2_000_000, actualCloseUs: 6_500_000, settledUs: 7_000_000 })
    expect(inputs).toEqual([
      { atUs: START, op: ParlayOp.listMarket, market: 0, closeUs: START + 3650 * 86_400_000_000 },
      { atUs: 2_000_000, op: ParlayOp.listMarket, market: 0, closeUs: 6_000_000 },
      { atUs: 6_000_000, op: MARKET_CLOSES, market: 0 },
      { atUs: 7_000_000, op: ParlayOp.resolveMarket, market: 0, [Resolve.result]: MarketResult.yes },
    ])
    const late = plan({ scheduledCloseUs: 6_000_000, scheduledCloseKnownUs: 6_200_000, settledUs: 7_000_000 }).inputs
    expect(late.slice(1, 3).map(({ atUs, op }) => [atUs, op])).toEqual([[6_200_000, ParlayOp.listMarket], [6_200_000, MARKET_CLOSES]])
    const halted = plan({ scheduledCloseUs: 6_000_000, scheduledCloseKnownUs: 2_000_000, actualCloseUs: 2_000_000 }).inputs
    expect(halted.map(({ atUs, op }) => [atUs, op])).toEqual([
      [START, ParlayOp.listMarket], [2_000_000, ParlayOp.haltMarket], [5_000_500, ParlayOp.resolveMarket],
    ])
  })

  it('takes a close whose announcement has no known time for none', () => {
    expect(plan({ scheduledCloseUs: 6_000_000, scheduledCloseKnownUs: null }).inputs).toEqual(plan({}).inputs)
  })

  it.each([
    ['announced close', { scheduledCloseUs: START, scheduledCloseKnownUs: START - 1 }],
    ['actual close', { actualCloseUs: START }],
    ['published result', { settledUs: START }],
  ])('lists no market whose %s is at its first price, but one microsecond later', (_, facts) => {
    const { inputs, coverage, outcomes } = plan(facts)
    expect(inputs).toEqual([])
    expect(coverage).toMatchObject({ universe: 1, listed: 0, closed: 1, excluded: 0, withoutPrices: 0 })
    expect(outcomes.atUs[0]).toBe(Infinity)
    const later = Object.fromEntries(Object.entries(facts).map(([name, us]) => [name, us + 1]))
    expect(plan(later).coverage).toMatchObject({ listed: 1, closed: 0 })
  })

  it('never announces an actual close: the market halts when it comes', () => {
    const { inputs } = plan({ actualCloseUs: 6_000_000, settledUs: 7_000_000 })
    expect(inputs[0]).toMatchObject({ op: ParlayOp.listMarket, closeUs: START + 3650 * 86_400_000_000 })
    expect(inputs[1]).toEqual({ atUs: 6_000_000, op: ParlayOp.haltMarket, market: 0 })
  })

  it.each([
    ['exclude', [], { listed: 0, excluded: 1, unresolved: 1, drawn: 0, voided: 0 }],
    ['void', [MarketResult.void], { listed: 1, excluded: 0, unresolved: 1, drawn: 0, voided: 1 }],
  ] as const)('treats an unresolved market by the policy %s', (missing, results, counted) => {
    const { inputs, coverage } = plan({ outcome: null }, { missing })
    expect(inputs.filter((i) => i.op === ParlayOp.resolveMarket).map((i) => i.value)).toEqual(results)
    expect(coverage).toMatchObject(counted)
  })

  it.each([['void', 1], ['exclude', 0]] as const)('treats a scalar market by the policy %s', (scalar, listed) => {
    expect(plan({ outcome: 'scalar', settlementE6: 300_000 }, { scalar }).coverage).toMatchObject({ scalar: 1, listed, excluded: 1 - listed })
  })

  it('leaves out a market without a price in the window', () => {
    expect(planOperator([market(0)], ticksOf([[END, 0, 40, 42]]), START, END, POLICY, key).coverage).toMatchObject({ withoutPrices: 1, listed: 0 })
  })
})

describe('drawn outcomes', () => {
  it('gives exactly one YES to the open markets of an event whose prices sum to one', () => {
    const pair = [market(0, { event: 'game', outcome: null }), market(1, { event: 'game', outcome: null })]
    let first = 0
    const seeds = 2_000
    for (let seed = 0; seed < seeds; seed++) {
      const drawn = drawOutcomes(drawnTies(pair, ticksOf([[START, 0, 29, 31], [START, 1, 69, 71]]), END), rootKey(String(seed)))
      expect(drawn.get(0)! + drawn.get(1)!).toBe(1)
      first += drawn.get(0)!
    }
    // 30 % within four standard errors: 4·√(0.3·0.7/2000) = 0.041.
    expect(Math.abs(first / seeds - 0.3)).toBeLessThan(0.041)
  })

  it.each([
    ['its price near 1', [[START, 0, 98, 100], [START, 1, 1, 3], [START, 2, 1, 3]]],
    ['its last price long before', [[START, 0, 49, 51], [START, 1, 29, 31], [START, 2, 19, 21]]],
    ['no price, and theirs low', [[START, 1, 9, 11], [START, 2, 4, 6]]],
  ] as const)('knows the open markets of a partition for NO once another is YES: with %s', (_, rows) => {
    const event = [market(0, { event: 'city' }), market(1, { event: 'city', outcome: null }), market(2, { event: 'city', outcome: null })]
    for (let seed = 0; seed < 100; seed++) {
      expect(drawOutcomes(drawnTies(event, ticksOf(rows), END), rootKey(String(seed)))).toEqual(new Map([[1, MarketResult.no], [2, MarketResult.no]]))
    }
  })

  it('draws markets beside a YES each for itself where prices are no partition', () => {
    // Rungs of a ladder: 0.9 and 0.6 can both come true.
    const ladder = [market(0, { event: 'total' }), market(1, { event: 'total', outcome: null })]
    const seen = new Set(Array.from({ length: 100 }, (_, seed) => drawOutcomes(drawnTies(ladder, ticksOf([[START, 0, 89, 91], [START, 1, 59, 61]]), END), rootKey(String(seed))).get(1)))
    expect(seen).toEqual(new Set([MarketResult.yes, MarketResult.no]))
  })

  it('gives exactly one YES to what is left of a partition when the others are NO', () => {
    const rest = [market(0, { event: 'city', outcome: 'no' }), market(1, { event: 'city', outcome: null }), market(2, { event: 'city', outcome: null })]
    for (let seed = 0; seed < 100; seed++) {
      const drawn = drawOutcomes(drawnTies(rest, ticksOf([[START, 0, 39, 41], [START, 1, 29, 31], [START, 2, 29, 31]]), END), rootKey(String(seed)))
      expect(drawn.get(1)! + drawn.get(2)!).toBe(1)
    }
  })

  it('draws a lone market at its last price before the end, and resolved ones not at all', () => {
    const lone = [market(0, { outcome: null }), market(1, { outcome: 'no' })]
    const prices = ticksOf([[START, 0, 50, 52], [START, 1, 50, 52], [START + 1, 0, 99, -1], [END, 0, 1, 2]])
    let yes = 0
    for (let seed = 0; seed < 500; seed++) {
      const drawn = drawOutcomes(drawnTies(lone, prices, END), rootKey(String(seed)))
      expect(drawn.has(1)).toBe(false)
      yes += drawn.get(0)!
    }
    // (0.99 + 1)/2 = 99.5 %; four standard errors are 1.3 %.
    expect(yes).toBeGreaterThan(490)
  })
})
