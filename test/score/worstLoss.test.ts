import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { BetLeg } from '../../src/score/jointOutcomes.ts'
import { type Stretch, worstLoss } from '../../src/score/worstLoss.ts'

const leg = (market: number, yes = true): BetLeg => ({ set: market, market, yes })
const backed = (fromUs: number, toUs: number, stake: number, payout: number, ...legs: BetLeg[]): Stretch =>
  ({ fromUs, toUs, bet: { weight: payout, legs }, riskMicros: payout - stake, gainMicros: stake, isWhole: true })
const held = (fromUs: number, toUs: number, price: number, payout: number, ...legs: BetLeg[]): Stretch =>
  ({ fromUs, toUs, bet: { weight: -payout, legs }, riskMicros: price, gainMicros: payout - price, isWhole: true })

describe('the worst loss of an open book', () => {
  it('is null without positions', () => {
    expect(worstLoss([])).toBeNull()
  })

  it('has the stakes of those that must lose', () => {
    // Market 1 true: −70 of the first, 40 of the second; false: 30 and −60. Held meanwhile: −10, or 40 with market 2.
    expect(worstLoss([backed(0, 9, 30, 100, leg(1)), backed(0, 9, 40, 100, leg(1, false))])).toEqual({ micros: 30, isExact: true })
    expect(worstLoss([backed(0, 9, 30, 100, leg(1)), held(1, 9, 10, 50, leg(2))])).toEqual({ micros: 80, isExact: true })
  })

  it('counts what is open at one instant, and nothing of positions that only follow each other', () => {
    expect(worstLoss([backed(0, 5, 30, 100, leg(1)), backed(5, 9, 40, 100, leg(2))])).toEqual({ micros: 70, isExact: true })
    expect(worstLoss([backed(0, 6, 30, 100, leg(1)), backed(5, 9, 40, 100, leg(2))])).toEqual({ micros: 130, isExact: true })
  })

  it('is larger after an end that took a hedge away', () => {
    // Together 30; alone from 5 on, the first loses 70.
    expect(worstLoss([backed(0, 9, 30, 100, leg(1)), backed(0, 5, 40, 100, leg(1, false))])).toEqual({ micros: 70, isExact: true })
  })

  it('is nothing of a book that cannot lose, and not exact where legs are unknown', () => {
    expect(worstLoss([backed(0, 9, 60, 100, leg(1)), backed(0, 9, 60, 100, leg(1, false))])).toEqual({ micros: 0, isExact: true })
    const hidden: Stretch = { ...held(0, 9, 10, 50), bet: null, isWhole: false }
    expect(worstLoss([hidden])).toEqual({ micros: 10, isExact: false, label: 'not exceeded' })
  })

  const stretch = fc.record({
    from: fc.nat(20), span: fc.nat(10), stake: fc.integer({ min: 1, max: 60 }), more: fc.integer({ min: 1, max: 60 }), holds: fc.integer({ min: 0, max: 3 }),
    legs: fc.uniqueArray(fc.record({ market: fc.nat(3), yes: fc.boolean() }), { minLength: 1, maxLength: 2, selector: ({ market }) => market }),
  }).map(({ from, span, stake, more, holds, legs }) =>
    (holds === 0 ? held : backed)(from, from + span, stake, stake + more, ...legs.map(({ market, yes }) => leg(market, yes))))

  /** Tries all outcomes of four markets at every instant. */
  function tried(stretches: readonly Stretch[]): number {
    let worst = 0
    for (let atUs = 0; atUs <= 30; atUs++) {
      const open = stretches.filter(({ fromUs, toUs }) => fromUs <= atUs && atUs < toUs)
      for (let outcome = 0; outcome < 16; outcome++) {
        const profit = open.reduce((sum, { bet, riskMicros, gainMicros }) => {
          const wins = bet!.legs.every(({ market, yes }) => ((outcome >> market & 1) === 1) === yes)
          return sum + (wins === bet!.weight < 0 ? gainMicros : 0 - riskMicros)
        }, 0)
        worst = Math.max(worst, 0 - profit)
      }
    }
    return worst
  }

  it('is what trying every outcome at every instant finds', () => {
    fc.assert(fc.property(fc.array(stretch, { minLength: 1, maxLength: 10 }), (stretches) => {
      expect(worstLoss(stretches)).toEqual({ micros: tried(stretches), isExact: true })
    }), { numRuns: 300 })
  })

  it('is not exceeded where the search gives up', () => {
    fc.assert(fc.property(fc.array(stretch, { minLength: 1, maxLength: 10 }), fc.integer({ min: 0, max: 12 }), (stretches, left) => {
      const { micros, isExact } = worstLoss(stretches, { left })!
      if (isExact) expect(micros).toBe(tried(stretches))
      else expect(micros).toBeGreaterThanOrEqual(tried(stretches))
    }), { numRuns: 300 })
  })
})
