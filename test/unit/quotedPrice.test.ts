import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { netStake, offerAt, payoutAt, probabilityGiving } from '../../src/unit/quotedPrice.ts'
import { oddsE4FloorOfProbability } from '../../src/unit/odds.ts'

describe('a price that somebody stated', () => {
  it('is offered as odds of four decimals that pay no more than it', () => {
    // 10,000 ∕ 0.0725 = 137,931.03…; 39.6 USDC at 13.7931 are 546.20676.
    expect(offerAt({ probabilityE9: 72_500_000 }, 39_600_000, 'odds')).toEqual({ oddsE4: 137_931, payoutMicros: 546_206_760 })
    expect(offerAt({ oddsE4: 24_500 }, 24_750_000, 'odds')).toEqual({ oddsE4: 24_500, payoutMicros: 60_637_500 })
    // A contract for 52 cents pays a dollar: 1 ∕ 0.52 = 1.92307…, and 0.52 at 1.923 are 0.99996.
    expect(offerAt({ payoutMicros: 1_000_000 }, 520_000, 'odds')).toEqual({ oddsE4: 19_230, payoutMicros: 999_960 })
  })

  it('is offered as its payout where a service states payouts, with the odds that it then shows', () => {
    // 39.6 ∕ 0.0725 = 546.206896…
    expect(offerAt({ probabilityE9: 72_500_000 }, 39_600_000, 'payout')).toEqual({ oddsE4: 137_931, payoutMicros: 546_206_896 })
    expect(offerAt({ payoutMicros: 1_000_000 }, 520_000, 'payout')).toEqual({ oddsE4: 19_230, payoutMicros: 1_000_000 })
    // 0.000003 at 2.5 are 0.0000075: 0.000007, which shows as 7 ∕ 3 = 2.3333.
    expect(offerAt({ oddsE4: 25_000 }, 3, 'payout')).toEqual({ oddsE4: 23_333, payoutMicros: 7 })
  })

  it('stays within the odds that there are', () => {
    expect(offerAt({ probabilityE9: 999_999_999 }, 1_000_000, 'odds').oddsE4).toBe(10_001)
    expect(offerAt({ probabilityE9: 1 }, 1_000_000, 'odds').oddsE4).toBe(10_000_000)
  })

  it('comes back to the last digit from the payout of any odds', () => {
    fc.assert(fc.property(fc.integer({ min: 10_001, max: 10_000_000 }), fc.integer({ min: 10_001, max: 1_000_000_000 }), (oddsE4, net) => {
      const payoutMicros = payoutAt({ oddsE4 }, net)
      expect(offerAt({ payoutMicros }, net, 'odds')).toEqual({ oddsE4, payoutMicros })
    }))
  })

  it('is told to a desk by a probability that gives exactly these odds, or this payout', () => {
    fc.assert(fc.property(fc.integer({ min: 10_001, max: 10_000_000 }), (oddsE4) => { expect(oddsE4FloorOfProbability(probabilityGiving(10_000, oddsE4))).toBe(oddsE4) }))
    fc.assert(fc.property(fc.integer({ min: 1, max: 1e12 }), fc.integer({ min: 1, max: 1e12 }), (net, more) => {
      expect(Math.floor(net / probabilityGiving(net, net + more))).toBe(net + more)
    }))
  })

  it('is of the stake without the fee, which is rounded down', () => {
    expect(netStake(25_000_000, 100)).toBe(24_750_000)
    expect(netStake(99, 100)).toBe(99)
    expect(netStake(100, 100)).toBe(99)
  })
})
