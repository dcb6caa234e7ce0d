import { describe, expect, it } from 'vitest'
import { AuctionState, BidState } from '../../../src/venue/parlay/protocol/events.ts'
import { type Driver, ms, sec, T0, table, TWO_LEGS, usd } from './driver.ts'

/** Position 1 of the document's example: bettor 10, maker 20, 25 USDC at 4.0. */
function sold(overrides: Parameters<typeof table>[0] = {}): Driver {
  const d = table(overrides)
  d.open(10, 20, 4)
  return d
}

/** The same with auction 1 open from time zero. */
function auctioned(overrides: Parameters<typeof table>[0] = {}): Driver {
  const d = sold(overrides)
  d.cashout(10, 1)
  return d
}

/** The example on markets 1 and 2, the second of which closes at second 100. */
function closing(overrides: Parameters<typeof table>[0] = {}): Driver {
  const d = table(overrides)
  d.list(2, [2], sec(100))
  d.open(10, 20, 4)
  return d
}

describe('opening a cash-out auction', () => {
  it('PQ-258 PQ-092 tells seller, counterparty, payout, stake, basis, bound, end and legs', () => {
    const d = sold()
    expect(d.cashout(10, 1)).toEqual({
      event: 'reply', at: 0, cause: d.seq, account: 10, op: 'openCashout', code: 'ok', request: 1, position: 1, auction: 1, untilUs: sec(10),
    })
    expect(d.names()).toEqual(['auctionOpened', 'reply ok'])
    expect(d.rows[0]).toEqual({
      event: 'auctionOpened', at: 0, cause: d.seq, seller: 10, backer: 20, request: 1, version: 1, position: 1, auction: 1,
      payoutMicros: 99_000_000, netStakeMicros: 24_750_000, basisMicros: 24_750_000, boundMicros: 98_257_500, endsAtUs: sec(10), list: [1, 1, 2, 0],
    })
    expect(d.moved).toEqual([])
  })

  it('PQ-099 PQ-092 PQ-093 the record names position, request, seller, counterparty, state, end, best bid and winner', () => {
    const d = auctioned()
    const record = { number: 1, position: 1, request: 1, seller: 10, backer: 20, endsAtUs: T0 + sec(10) }
    expect(d.view.auction(1)).toEqual({ ...record, state: AuctionState.active, bestBid: -1, winner: -1, bids: [] })
    d.bid(21, 1, usd(50))
    d.bid(22, 1, usd(40))
    expect(d.view.auction(1)).toEqual({ ...record, state: AuctionState.active, bestBid: 1, winner: -1, bids: [1, 2] })
    d.sell(10, 1)
    expect(d.view.auction(1)).toEqual({ ...record, state: AuctionState.committed, bestBid: 1, winner: 21, bids: [1, 2] })
    expect(d.view.bid(1)).toEqual({
      number: 1, auction: 1, maker: 21, state: BidState.won, priceMicros: usd(50), validUntilUs: T0 + sec(15),
    })
    expect(d.view.auction(2)).toBeNull()
    expect(d.view.bid(3)).toBeNull()
  })

  it.each<[string, number, number, string, number | undefined]>([
    ['its holder', 10, 1, 'ok', 1],
    ['its maker', 20, 1, 'notFound', undefined],
    ['a stranger', 21, 1, 'notFound', undefined],
    ['nobody: it never was', 10, 2, 'notFound', undefined],
    ['a fraction', 10, 1.5, 'invalid', undefined],
    ['not a number', 10, Number.NaN, 'invalid', undefined],
  ])('PQ-258 by %s', (_, account, position, code, shown) => {
    const d = sold()
    const answer = d.cashout(account, position)
    expect([answer.code, answer['position']]).toEqual([code, shown])
  })

  it('PQ-258 one active auction per position, the next when it has ended', () => {
    const d = auctioned()
    expect(d.cashout(10, 1)).toEqual({
      event: 'reply', at: 0, cause: d.seq, account: 10, op: 'openCashout', code: 'conflict', position: 1,
    })
    d.cancelCashout(10, 1)
    expect(d.cashout(10, 1)).toMatchObject({ code: 'ok', auction: 2 })
    expect(d.at(sec(10) - 1).cashout(10, 1).code).toBe('conflict')
    expect(d.at(sec(10)).cashout(10, 1)).toMatchObject({ code: 'ok', auction: 3, untilUs: sec(20) })
  })

  it('PQ-258 not of a position that has ended', () => {
    const d = sold()
    d.at(1).resolve(1, 'no')
    expect(d.cashout(10, 1).code).toBe('notFound')
  })
})

describe('the window', () => {
  it.each<[string, (d: Driver) => string | undefined, string]>([
    ['a bid', (d) => d.bid(21, 1, usd(40)).code, 'auctionExpired'],
    ['a commit', (d) => d.sell(10, 1).code, 'gone'],
    ['a cancel', (d) => d.cancelCashout(10, 1).code, 'gone'],
  ])('PQ-416 PQ-396 takes %s up to its last microsecond', (_, call, late) => {
    for (const [offset, code] of [[sec(10) - 1, 'ok'], [sec(10), late], [sec(10) + 1, late]] as const) {
      const d = auctioned()
      d.bid(22, 1, usd(30))
      expect([offset, call(d.at(offset))]).toEqual([offset, code])
    }
  })

  it.each([[1], [10_000], [25_000]])('PQ-416 lasts the %d ms of the profile', (cashoutWindowMs) => {
    const d = auctioned({ cashoutWindowMs })
    expect(d.pulse(ms(cashoutWindowMs) - 1)).toEqual([])
    expect(d.pulse(ms(cashoutWindowMs))).toEqual([{
      event: 'auctionExpired', at: ms(cashoutWindowMs), cause: -1, seller: 10, request: 1, version: 1, position: 1, auction: 1,
    }])
    expect(d.view.auction(1)).toMatchObject({ state: AuctionState.expired, winner: -1 })
  })

  it('PQ-416 a bid that outlives the auction ends with it', () => {
    const d = auctioned()
    d.bid(21, 1, usd(40), 60_000)
    d.bid(22, 1, usd(50), 60_000)
    d.pulse(sec(69))
    expect(d.rows).toEqual([
      { event: 'bidInvalidated', at: sec(10), cause: -1, maker: 21, seller: 10, request: 1, version: 1, position: 1, auction: 1, bid: 1, priceMicros: usd(40) },
      { event: 'bidInvalidated', at: sec(10), cause: -1, maker: 22, seller: 10, request: 1, version: 1, position: 1, auction: 1, bid: 2, priceMicros: usd(50) },
      { event: 'bestBidChanged', at: sec(10), cause: -1, seller: 10, request: 1, version: 1, position: 1, auction: 1 },
      { event: 'auctionExpired', at: sec(10), cause: -1, seller: 10, request: 1, version: 1, position: 1, auction: 1 },
    ])
    expect(d.view.bid(1)!.state).toBe(BidState.invalidated)
  })

  it('PQ-416 a bid that ends with the auction expires first', () => {
    const d = auctioned()
    d.bid(21, 1, usd(40), 10_000)
    d.pulse(sec(10))
    expect(d.names()).toEqual(['bidExpired', 'bestBidChanged', 'auctionExpired'])
  })
})

describe('cancelling', () => {
  it('PQ-395 ends the bids, and the auction takes no more', () => {
    const d = auctioned()
    d.bid(21, 1, usd(40))
    d.at(sec(3))
    expect(d.cancelCashout(10, 1)).toEqual({
      event: 'reply', at: sec(3), cause: d.seq, account: 10, op: 'cancelCashout', code: 'ok', request: 1, position: 1, auction: 1,
    })
    expect(d.names()).toEqual(['bidInvalidated', 'bestBidChanged', 'auctionCancelled', 'reply ok'])
    expect(d.of('auctionCancelled')).toEqual([{
      event: 'auctionCancelled', at: sec(3), cause: d.seq, seller: 10, reason: 'by seller', request: 1, version: 1, position: 1, auction: 1,
    }])
    expect(d.bid(21, 1, usd(40)).code).toBe('auctionNotActive')
    expect(d.sell(10, 1).code).toBe('auctionNotActive')
    expect(d.cancelCashout(10, 1)).toEqual({
      event: 'reply', at: sec(3), cause: d.seq, account: 10, op: 'cancelCashout', code: 'auctionNotActive', auction: 1,
    })
    expect(d.view.auction(1)).toMatchObject({ state: AuctionState.cancelled, bestBid: -1, winner: -1 })
    // Its window ends without a word, and so does the validity of its bid.
    expect(d.pulse(sec(62))).toEqual([])
  })

  it.each<[string, number, number, string, number | undefined]>([
    ['the seller', 10, 1, 'ok', 1], ['the maker', 20, 1, 'forbidden', 1], ['a stranger', 21, 1, 'forbidden', 1],
    ['no auction', 10, 2, 'notFound', undefined], ['a fraction', 10, 1.5, 'invalid', undefined],
    ['not a number', 10, Number.NaN, 'invalid', undefined],
  ])('by %s', (_, account, auction, code, shown) => {
    const d = auctioned()
    const answer = d.cancelCashout(account, auction)
    expect([answer.code, answer['auction']]).toEqual([code, shown])
  })
})

describe('an ended auction', () => {
  const end: readonly [string, (d: Driver) => unknown, number, string, string][] = [
    ['expired', (d) => d.pulse(sec(10)), sec(10), 'auctionExpired', 'gone'],
    ['cancelled', (d) => d.at(sec(3)).cancelCashout(10, 1), sec(3), 'auctionNotActive', 'auctionNotActive'],
    ['bought back', (d) => {
      d.at(sec(4)).bid(20, 1, usd(40))
      d.sell(10, 1)
    }, sec(4), 'auctionNotActive', 'auctionNotActive'],
  ]

  it.each(end)('PQ-401 PQ-392 PQ-395 that has %s is known for 60 s, then unknown', (_, finish, endedAt, bid, commit) => {
    const d = auctioned()
    finish(d)
    d.at(endedAt + sec(60) - 1)
    expect([d.bid(21, 1, 1).code, d.sell(10, 1).code, d.cancelCashout(10, 1).code]).toEqual([bid, commit, commit])
    expect(d.view.auction(1)).not.toBeNull()
    d.at(endedAt + sec(60))
    expect([d.bid(21, 1, 1).code, d.sell(10, 1).code, d.cancelCashout(10, 1).code]).toEqual(['notFound', 'notFound', 'notFound'])
    expect(d.view.auction(1)).toBeNull()
    expect(d.view.bid(1)).toBeNull()
  })

  it.each([[0], [1], [9_000], [100_000]])('PQ-401 is known for %d ms if the profile says so, before or after its window would end', (auctionRetentionMs) => {
    const d = auctioned({ auctionRetentionMs })
    d.bid(21, 1, usd(40), 60_000)
    d.at(sec(1)).cancelCashout(10, 1)
    const until = sec(1) + ms(auctionRetentionMs)
    if (auctionRetentionMs > 0) d.pulse(until - 1)
    expect(d.view.auction(1)).not.toBeNull()
    expect(d.pulse(until)).toEqual([])
    expect(d.view.auction(1)).toBeNull()
    // What is left of its deadlines meets nothing, nor another auction in its place.
    d.cashout(10, 1)
    expect(d.pulse(until + sec(10) - 1)).toEqual([])
    expect(d.pulse(until + sec(10))).toMatchObject([{ event: 'auctionExpired', auction: 2 }])
  })

  it('PQ-392 an auction that never was is unknown', () => {
    const d = auctioned()
    expect(d.bid(21, 2, usd(40))).toEqual({ event: 'reply', at: 0, cause: d.seq, account: 21, op: 'submitBid', code: 'notFound' })
  })
})

describe('the cutoff', () => {
  it.each<[string, (d: Driver) => string | undefined]>([
    ['opening', (d) => d.cashout(10, 1).code],
    ['bidding', (d) => d.bid(21, 1, usd(40)).code],
    ['committing', (d) => d.sell(10, 1).code],
  ])('PQ-417 PQ-397 INV-22 %s is over 30 s before the earliest close', (what, call) => {
    for (const [offset, code] of [[sec(70) - 1, 'ok'], [sec(70), 'marketNearClose'], [sec(100), 'marketNearClose']] as const) {
      const d = closing({ cashoutWindowMs: 60_000 })
      if (what !== 'opening') {
        d.at(sec(65)).cashout(10, 1)
        d.bid(22, 1, usd(30), 60_000)
      }
      expect([offset, call(d.at(offset))]).toEqual([offset, code])
    }
  })

  it.each([[0, sec(100)], [1, sec(100) - ms(1)], [99_999, ms(1)]])('PQ-417 INV-22 is %d ms if the profile says so', (cashoutCutoffMs, from) => {
    const d = closing({ cashoutCutoffMs })
    expect(d.at(from - 1).cashout(10, 1).code).toBe('ok')
    d.cancelCashout(10, 1)
    expect(d.at(from).cashout(10, 1).code).toBe('marketNearClose')
  })

  it('PQ-417 looks at every leg of the position, and at no other\'s', () => {
    const d = closing()
    for (const legs of [[[3, 'yes'], [2, 'yes']], [[2, 'yes'], [3, 'yes']], [[3, 'yes'], [4, 'yes']]] as const) d.open(10, 20, 2, legs)
    d.at(sec(70))
    expect([1, 2, 3, 4].map((position) => d.cashout(10, position).code)).toEqual(['marketNearClose', 'marketNearClose', 'marketNearClose', 'ok'])
  })

  it('PQ-417 a seller may still cancel, and the auction still ends', () => {
    const d = closing()
    d.at(sec(65)).cashout(10, 1)
    d.at(sec(71))
    expect(d.sell(10, 1)).toEqual({ event: 'reply', at: sec(71), cause: d.seq, account: 10, op: 'commitCashout', code: 'marketNearClose', auction: 1 })
    expect(d.cancelCashout(10, 1).code).toBe('ok')
  })

  it('PQ-417 follows the close as it is known then; halts do not matter', () => {
    const d = closing()
    d.at(sec(80))
    d.halt(1)
    expect(d.cashout(10, 1).code).toBe('marketNearClose')
    d.at(sec(81)).list(2, [2], sec(120))
    expect(d.cashout(10, 1).code).toBe('ok')
    d.cancelCashout(10, 1)
    d.at(sec(82)).send('delistMarket', 0, { market: 2 })
    d.at(sec(90) - 1)
    expect(d.cashout(10, 1)).toMatchObject({ code: 'ok', auction: 2 })
    d.cancelCashout(10, 2)
    expect(d.at(sec(90)).cashout(10, 1).code).toBe('marketNearClose')
  })

  it.each([[0, 'marketNearClose'], [1, 'ok']])('PQ-417 with cutoffSkipsResolvedLegs %d a leg that has its result is %s', (cutoffSkipsResolvedLegs, code) => {
    const d = closing({ cutoffSkipsResolvedLegs })
    d.at(sec(71))
    expect(d.cashout(10, 1).code).toBe('marketNearClose')
    d.at(sec(72)).resolve(2, 'no')
    expect(d.cashout(10, 1).code).toBe(code)
    if (code !== 'ok') return
    expect([d.bid(20, 1, usd(90)).code, d.sell(10, 1).code]).toEqual(['ok', 'ok'])
  })
})

describe('a position that results decide', () => {
  it('cancels its auction at that instant, before it is paid', () => {
    const d = auctioned()
    d.bid(21, 1, usd(40))
    d.bid(22, 1, usd(40))
    d.at(sec(4)).resolve(1, 'no')
    d.pulse()
    expect(d.names()).toEqual(['bidInvalidated', 'bidInvalidated', 'bestBidChanged', 'auctionCancelled', 'positionSettled'])
    expect(d.rows[3]).toEqual({
      event: 'auctionCancelled', at: sec(4), cause: -1, seller: 10, reason: 'decided', request: 1, version: 1, position: 1, auction: 1,
    })
    expect([d.bid(21, 1, 1).code, d.sell(10, 1).code, d.cancelCashout(10, 1).code]).toEqual(
      ['auctionNotActive', 'auctionNotActive', 'auctionNotActive'])
    d.at(sec(64))
    expect([d.bid(21, 1, 1).code, d.sell(10, 1).code]).toEqual(['notFound', 'notFound'])
  })

  it('comes before a bid expiry and the end of the window of the same instant', () => {
    const d = auctioned()
    d.bid(21, 1, usd(40), 10_000)
    d.at(sec(10)).resolve(1, 'no')
    d.pulse()
    expect(d.names()).toEqual(['bidInvalidated', 'bestBidChanged', 'auctionCancelled', 'positionSettled'])
  })

  it('one microsecond earlier the auction has ended by itself', () => {
    const d = auctioned()
    d.pulse(sec(10))
    d.at(sec(10) + 1).resolve(1, 'no')
    expect(d.pulse().map((row) => row.event)).toEqual(['positionSettled'])
  })

  it('leaves the auctions of other positions alone', () => {
    const d = auctioned()
    d.open(10, 20, 2, [[3, 'yes'], [4, 'yes']])
    d.cashout(10, 2)
    d.at(sec(1)).resolve(3, 'no')
    expect(d.pulse()).toMatchObject([{ event: 'auctionCancelled', auction: 2 }, { event: 'positionSettled', position: 2 }])
    expect(d.bid(21, 1, usd(40)).code).toBe('ok')
    expect(TWO_LEGS.map(([market]) => market)).not.toContain(3)
  })
})
