import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Bet, type BetLeg, worstPayout } from '../../src/score/jointOutcomes.ts'

const plenty = () => ({ left: 1_000_000 })
/** A market alone in its set. */
const leg = (market: number, yes = true): BetLeg => ({ set: market, market, yes })
/** A market of the set 100, of which at most one comes true. */
const bucket = (market: number, yes = true): BetLeg => ({ set: 100, market, yes })

describe('the most that a book can have to pay', () => {
  it.each<[string, Bet[], number]>([
    ['is everything where nothing excludes anything', [{ weight: 30, legs: [leg(1), leg(2)] }, { weight: 50, legs: [leg(2), leg(3, false)] }], 80],
    ['is the dearer of two opposites', [{ weight: 30, legs: [leg(1)] }, { weight: 50, legs: [leg(1, false)] }], 50],
    ['is the dearest of exclusive markets', [{ weight: 30, legs: [bucket(1)] }, { weight: 50, legs: [bucket(2)] }, { weight: 40, legs: [bucket(3)] }], 50],
    ['has all that bet against exclusive markets', [{ weight: 30, legs: [bucket(1, false)] }, { weight: 50, legs: [bucket(2, false)] }], 80],
    // Market 1 true: 30 + 50 against market 2; else none or market 2 true: 45.
    ['weighs one market against what hangs on the others', [
      { weight: 30, legs: [bucket(1)] }, { weight: 50, legs: [bucket(2, false)] }, { weight: 45, legs: [bucket(1, false)] }], 95],
    ['is less by what pays the book whenever it loses', [{ weight: 30, legs: [leg(1)] }, { weight: -20, legs: [leg(1)] }], 10],
    ['is not less by what need not pay', [{ weight: 30, legs: [leg(1)] }, { weight: -20, legs: [leg(1), leg(2)] }], 30],
    ['of bets that can only pay the book is nothing', [{ weight: -20, legs: [leg(1)] }, { weight: -30, legs: [leg(2, false)] }], 0],
  ])('%s', (_, bets, most) => {
    expect(worstPayout(bets, plenty())).toEqual({ low: most, high: most })
  })

  const anyLeg = fc.record({ set: fc.constantFrom(0, 1, 2), of: fc.nat(2), yes: fc.boolean() })
  const anyBets = fc.array(fc.record({
    weight: fc.integer({ min: -50, max: 100 }).filter((weight) => weight !== 0),
    legs: fc.array(anyLeg, { minLength: 1, maxLength: 3 }).map((legs) => legs.map(({ set, of, yes }): BetLeg => ({ set, market: 10 * set + of, yes }))),
  }), { minLength: 1, maxLength: 12 })

  /** Tries every outcome. Of each of three sets of three markets one comes true, or none. */
  function tried(bets: readonly Bet[]): number {
    let most = -Infinity
    for (let outcome = 0; outcome < 64; outcome++) {
      const trueOf = [outcome & 3, (outcome >> 2) & 3, outcome >> 4].map((of, set) => (of === 3 ? -1 : 10 * set + of))
      const wins = ({ legs }: Bet): boolean => legs.every(({ set, market, yes }) => (trueOf[set] === market) === yes)
      most = Math.max(most, bets.reduce((sum, bet) => sum + (wins(bet) ? bet.weight : 0), 0))
    }
    return most
  }

  it('is what trying every outcome finds', () => {
    fc.assert(fc.property(anyBets, (bets) => {
      expect(worstPayout(bets, plenty())).toEqual({ low: tried(bets), high: tried(bets) })
    }), { numRuns: 500 })
  })

  /** The teams of a game: exactly one of the two wins. */
  const team = (market: number, yes = true): BetLeg => ({ set: 200, market, yes, oneOf: 2 })

  it.each<[string, Bet[], number]>([
    ['has no game that both teams win', [{ weight: 30, legs: [team(1)] }, { weight: 50, legs: [team(2)] }], 50],
    ['has no game that neither wins', [{ weight: 30, legs: [team(1, false)] }, { weight: 50, legs: [team(2, false)] }], 50],
    ['knows that one of two held bets wins', [{ weight: -30, legs: [team(1)] }, { weight: -50, legs: [team(2)] }], -30],
    ['leaves a team that no bet is on its win', [{ weight: 30, legs: [team(1, false)] }], 30],
    // Market 1 wins with market 3: 30 + 20. Else market 2 does: 45.
    ['knows it of parlays', [{ weight: 30, legs: [team(1)] }, { weight: 45, legs: [team(1, false), leg(3)] }, { weight: 20, legs: [team(2, false), leg(3)] }], 50],
  ])('%s', (_, bets, most) => {
    expect(worstPayout(bets, plenty())).toEqual({ low: most, high: most })
  })

  it('is what trying every outcome finds, where exactly one of some sets comes true', () => {
    fc.assert(fc.property(anyBets, fc.tuple(...[0, 1, 2].map(() => fc.constantFrom(0, 3, 4))), (bets, sizes) => {
      // Of a set of 3 exactly one of its markets comes true, of a set of 4 another one may that no bet is on, of a set of 0 none need to.
      const sized = bets.map(({ weight, legs }) => ({ weight, legs: legs.map((of) => (sizes[of.set] === 0 ? of : { ...of, oneOf: sizes[of.set]! })) }))
      let most = -Infinity
      for (let outcome = 0; outcome < 64; outcome++) {
        const trueOf = [outcome & 3, (outcome >> 2) & 3, outcome >> 4]
        if (trueOf.some((of, set) => of === 3 && sizes[set] === 3)) continue
        const wins = ({ legs }: Bet): boolean => legs.every(({ set, market, yes }) => ((trueOf[set] ?? -1) + 10 * set === market) === yes)
        most = Math.max(most, bets.reduce((sum, bet) => sum + (wins(bet) ? bet.weight : 0), 0))
      }
      expect(worstPayout(sized, plenty())).toEqual({ low: most, high: most })
    }), { numRuns: 800 })
  })

  it('lies between the bounds where the search gives up', () => {
    let open = 0
    fc.assert(fc.property(anyBets, (bets) => {
      const { low, high } = worstPayout(bets, { left: 1 })
      const most = tried(bets)
      expect(low).toBeLessThanOrEqual(most)
      expect(high).toBeGreaterThanOrEqual(most)
      if (low < high) open++
    }), { numRuns: 300, seed: 7 })
    expect(open).toBeGreaterThan(20)
  })

  it('is found in a book of thousands of markets that hang together', () => {
    const ring = Array.from({ length: 4500 }, (_, i): Bet => ({ weight: 10, legs: [leg(i), leg((i + 1) % 4500)] }))
    const half = ring.map((bet, i): Bet => (i % 2 === 0 ? bet : { weight: 1, legs: [leg(i, false), leg((i + 1) % 4500)] }))
    expect(worstPayout(ring, { left: 1 })).toEqual({ low: 45_000, high: 45_000 })
    // Every bet of 10 wants both of its markets, and no market is of two of them; a bet of 1 wants the first of its two to fail.
    expect(worstPayout(half, { left: 1 })).toMatchObject({ low: 22_500 })
  })

  it('is not changed by bets about nothing', () => {
    expect(worstPayout([{ weight: 0, legs: [leg(1), leg(2)] }, { weight: 0, legs: [leg(2, false)] }], plenty())).toEqual({ low: 0, high: 0 })
    expect(worstPayout([{ weight: 0, legs: [leg(1), leg(2)] }, { weight: 7, legs: [leg(2, false)] }], plenty())).toEqual({ low: 7, high: 7 })
  })

  it('is found with as many legs as an RFQ can have', () => {
    const legs = (from: number, count: number) => Array.from({ length: count }, (_, i) => leg(from + i))
    expect(worstPayout([{ weight: 7, legs: legs(0, 50) }, { weight: 3, legs: [leg(49, false)] }], plenty())).toEqual({ low: 7, high: 7 })
    // The dearest that agree on the markets 20 to 49: the first two.
    const wide = [{ weight: 7, legs: legs(0, 50) }, { weight: 5, legs: legs(20, 50) }, { weight: 11, legs: [...legs(70, 20), leg(40, false)] }]
    expect(worstPayout(wide, plenty())).toEqual({ low: 12, high: 12 })
  })

  it('is what it is asked at least where nothing pays more, and what pays most elsewhere', () => {
    fc.assert(fc.property(anyBets, fc.integer({ min: -60, max: 300 }), (bets, atLeast) => {
      const most = Math.max(tried(bets), atLeast)
      expect(worstPayout(bets, plenty(), atLeast).high).toBe(most)
      expect(worstPayout(bets, plenty(), atLeast).low).toBe(most)
    }), { numRuns: 300 })
  })

  it('is the same after another book with the same bets was searched', () => {
    fc.assert(fc.property(anyBets, fc.nat(11), (bets, from) => {
      const divided = new Map()
      worstPayout(bets.slice(from), plenty(), -Infinity, divided)
      expect(worstPayout(bets, plenty(), -Infinity, divided)).toEqual({ low: tried(bets), high: tried(bets) })
    }), { numRuns: 300 })
  })

  it('is bounded nearly as the linear relaxation bounds it, where nothing is searched', () => {
    // Every two of these disagree. The relaxation has each market half true, and pays half of each bet: 75. A bet counted at one leg would give 110.
    const bets: Bet[] = [{ weight: 60, legs: [leg(1), leg(2)] }, { weight: 50, legs: [leg(2, false), leg(3)] }, { weight: 40, legs: [leg(3, false), leg(1, false)] }]
    // Three bets in 50 rounds.
    const { low, high } = worstPayout(bets, { left: 150 })
    expect(low).toBe(60)
    expect(high).toBeLessThan(80)
  })
})
