import { describe, expect, it } from 'vitest'
import { type BettorStrategy, bettor } from '../../src/agent/bettor.ts'
import { BettorClient } from '../../src/trade/bettor/bettorClient.ts'
import { ParlayBettor } from '../../src/trade/parlay/bettor.ts'

describe('a bettor that cannot be a client', () => {
  const still = bettor({}, () => ({ onArrival() {}, onDecision() {} })) as unknown as BettorStrategy
  const traded = (strategy: BettorStrategy, ratePerHour: number) => () =>
    new BettorClient({ name: 'ours', seed: 's', strategy, values: {}, ratePerHour }, new ParlayBettor())

  it.each([0, -1, NaN, Infinity])('comes %d times an hour', (rate) => {
    expect(traded(still, rate)).toThrow(`bettors come at a rate above 0, not ${rate}`)
    expect(traded(still, 0.1)).not.toThrow()
  })

  it('looks ahead', () => {
    expect(traded({ ...still, horizonUs: () => 1 }, 1)).toThrow('the strategy looks ahead')
  })
})
