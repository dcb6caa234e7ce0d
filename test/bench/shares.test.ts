import { describe, expect, it } from 'vitest'
import { peerShares, playedShares, RequestEnds, sharesOf } from '../../bench/shares.ts'
import { workload } from '../../bench/workload.ts'
import { ParlayEvent } from '../../src/venue/parlay/protocol/events.ts'
import { HandRows } from '../record/handRows.ts'
import { OutcomeHand } from '../record/outcomeHand.ts'

describe('shares', () => {
  it('are of the requests, of the traded and of the auctioned: 200 of 400 traded, 40 of these auctioned, 30 of these sold', () => {
    expect(sharesOf({ requests: 400, lapsed: 150, missed: 50, traded: 200, auctions: 40, sales: 30 })).toEqual({
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
    const shares = playedShares(workload(10_000, []))
    expect(shares.requests).toBe(10_000)
    expect(shares.lapse + shares.miss + shares.trade).toBeCloseTo(1, 12)
    const distances = [shares.lapse - 0.403, shares.miss - 0.126, shares.trade - 0.471, shares.auctioned - 0.203, shares.sold - 1]
    expect(Math.max(...distances.map(Math.abs))).toBeLessThan(0.02)
  })

  it('of the outcome workload leave its cash-out RFQs out of the requests', () => {
    const { requests, lapse, miss, trade, auctioned } = playedShares(workload(2_000, [], { service: 'outcome' }))
    expect(requests).toBe(2_000)
    expect(lapse + miss + trade).toBeCloseTo(1, 12)
    expect(auctioned).toBeGreaterThan(0.1)
  })
})

describe('the ends of requests', () => {
  it('count once each: four requests, of which one trades after a miss, one is missed twice and two lapse', () => {
    const ends = new RequestEnds()
    const hand = new HandRows()
    for (const request of [1, 2, 3, 4]) hand.request(10, request, [0, 1, 1, 1])
    hand.row(20, ParlayEvent.quoteFailed, { request: 1 }).row(20, ParlayEvent.quoteFailed, { request: 2 })
      .row(30, ParlayEvent.quoteFailed, { request: 2 }).row(40, ParlayEvent.requestCommitted, { request: 1 })
      .row(50, ParlayEvent.requestExpired, { request: 3 })
    ends.flush(hand)
    expect(ends.counts()).toEqual({ lapsed: 2, missed: 1, traded: 1 })
  })

  it('are told over several batches', () => {
    const ends = new RequestEnds()
    ends.flush(new HandRows().request(10, 1, [0, 1, 1, 1]).row(20, ParlayEvent.quoteFailed, { request: 1 }))
    ends.flush(new HandRows().row(30, ParlayEvent.requestCommitted, { request: 1 }))
    expect(ends.counts()).toEqual({ lapsed: 0, missed: 0, traded: 1 })
  })

  it('of the outcome service are those of entries: cash-out RFQs 4 and 5, of position 9, are none', () => {
    const ends = new RequestEnds()
    const hand = new OutcomeHand()
    for (const rfq of [1, 2, 3]) hand.row(10, 'rfqCreated', { rfq, generation: 1 })
    for (const rfq of [4, 5]) hand.row(15, 'rfqCreated', { rfq, position: 9, generation: 1 })
    hand.row(20, 'quoteFailed', { rfq: 1 }).row(25, 'quoteFailed', { rfq: 2 }).row(26, 'quoteFailed', { rfq: 4, position: 9 })
      .row(30, 'rfqFilled', { rfq: 1 }).row(31, 'rfqFilled', { rfq: 5, position: 9 })
    ends.flush(hand)
    expect(ends.counts()).toEqual({ lapsed: 1, missed: 1, traded: 1 })
  })
})
