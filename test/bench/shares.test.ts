import { describe, expect, it } from 'vitest'
import { peerShares, playedShares, sharesOf } from '../../bench/shares.ts'
import { workload } from '../../bench/workload.ts'

describe('shares', () => {
  it('are of the requests, of the traded and of the auctioned: 200 of 400 traded, 40 of these auctioned, 30 of these sold', () => {
    expect(sharesOf({ requests: 400, traded: 200, missed: 50, auctions: 40, sales: 30 })).toEqual({
      requests: 400, lapse: 0.375, miss: 0.125, trade: 0.5, auctioned: 0.2, sold: 0.75,
    })
  })

  it('of the C++ program are those that its README states for 100,000 requests: 40 %, 13 %, 47 % and a fifth', () => {
    const line = { n: 100_000, lap: 40_266, miss: 12_608, open: 47_126, cash: 9_587, setl: 47_126 }
    const shares = peerShares(line)
    expect(shares.lapse).toBeCloseTo(line.lap / line.n, 12)
    expect(shares).toMatchObject({ miss: 0.12608, trade: 0.47126, auctioned: 9_587 / 47_126, sold: 1 })
  })

  it('of the parlay workload lie within two points of these', () => {
    const shares = playedShares(workload(10_000, []), 'parlay')
    expect(shares.requests).toBe(10_000)
    const distances = [shares.lapse - 0.403, shares.miss - 0.126, shares.trade - 0.471, shares.auctioned - 0.203, shares.sold - 1]
    expect(Math.max(...distances.map(Math.abs))).toBeLessThan(0.02)
  })

  it('of the outcome workload leave its cash-out RFQs out of the requests', () => {
    const { requests, lapse, miss, trade, auctioned } = playedShares(workload(2_000, [], { service: 'outcome' }), 'outcome')
    expect(requests).toBe(2_000)
    expect(lapse + miss + trade).toBeCloseTo(1, 12)
    expect(auctioned).toBeGreaterThan(0.1)
  })
})
