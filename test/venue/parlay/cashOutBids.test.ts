import { describe, expect, it } from 'vitest'
import { BidState } from '../../../src/venue/parlay/protocol/events.ts'
import { type Driver, ms, sec, table, usd } from './driver.ts'

/** Auction 1 of the document's example: bettor 10, maker 20, stake 24.75, payout 99. */
function auctioned(overrides: Parameters<typeof table>[0] = {}): Driver {
  const d = table(overrides)
  d.open(10, 20, 4)
  d.cashout(10, 1)
  return d
}

const wallet = (d: Driver, account: number, onRecord: number) => d.send('setWallet', 0, { value: account, value2: onRecord })

describe('a bid', () => {
  it('PQ-010 PQ-429 is one all-in price, and holds no money', () => {
    const d = auctioned()
    expect(d.bid(21, 1, 40_000_001)).toEqual({
      event: 'reply', at: 0, cause: d.seq, account: 21, op: 'submitBid', code: 'ok', request: 1, position: 1, auction: 1, bid: 1, untilUs: sec(15),
    })
    const about = { at: 0, cause: d.seq, maker: 21, seller: 10, request: 1, version: 1, position: 1, auction: 1 }
    expect(d.rows.slice(0, -1)).toEqual([
      { event: 'bidSubmitted', ...about, bid: 1, priceMicros: 40_000_001, expiresAtUs: sec(15) },
      { event: 'bestBidChanged', ...about, bid: 1, priceMicros: 40_000_001, expiresAtUs: sec(15) },
    ])
    expect(d.moved).toEqual([])
    expect(d.balances(21)).toEqual([[usd(1000), 0]])
  })

  it('PQ-010 no other money field of the command says anything', () => {
    const d = auctioned()
    const fields = { auction: 1, amountMicros: usd(40), betMicros: 0, oddsE4: -7, value: 3, value2: 4 }
    expect(d.send('submitBid', 21, fields)!.code).toBe('ok')
    expect(d.view.bid(1)).toMatchObject({ priceMicros: usd(40) })
  })

  it.each([[1, 'ok'], [0, 'invalid'], [-1, 'invalid'], [-2, 'invalid'], [1.5, 'invalid'], [Number.NaN, 'invalid'], [usd(99), 'ok']])(
    'PQ-198 a price of %d is %s', (price, code) => {
      expect(auctioned().bid(21, 1, price).code).toBe(code)
    })

  it.each([[4_999, 'invalid'], [5_000, 'ok'], [60_000, 'ok'], [60_001, 'invalid'], [-1, 'ok'], [-2, 'invalid'], [0, 'invalid'], [5_000.5, 'invalid']])(
    'PQ-199 a validity of %d ms is %s', (validMs, code) => {
      expect(auctioned().bid(21, 1, usd(40), validMs).code).toBe(code)
    })

  it.each([[5_000, sec(5)], [60_000, sec(60)], [-1, sec(15)]])('PQ-199 for %d ms lives up to its last microsecond', (validMs, until) => {
    const d = auctioned({ cashoutWindowMs: 90_000 })
    d.bid(21, 1, usd(40), validMs)
    expect(d.pulse(until - 1)).toEqual([])
    expect(d.pulse(until)).toEqual([
      { event: 'bidExpired', at: until, cause: -1, maker: 21, seller: 10, request: 1, version: 1, position: 1, auction: 1, bid: 1, priceMicros: usd(40), expiresAtUs: until },
      { event: 'bestBidChanged', at: until, cause: -1, seller: 10, request: 1, version: 1, position: 1, auction: 1 },
    ])
    expect(d.view.bid(1)!.state).toBe(BidState.expired)
  })

  it.each([[sec(5) - 1, 'ok'], [sec(5), 'noActiveBid']])('PQ-199 can be taken at %d: %s', (offset, code) => {
    const d = auctioned()
    d.bid(21, 1, usd(40), 5_000)
    expect(d.at(offset).sell(10, 1).code).toBe(code)
  })

  it('PQ-392 of an auction that is no number or unknown', () => {
    const d = auctioned()
    expect([1.5, Number.NaN, 0, 2, -1].map((auction) => d.bid(21, auction, usd(40)).code)).toEqual(
      ['invalid', 'invalid', 'notFound', 'notFound', 'notFound'])
  })
})

describe('who may bid', () => {
  it('PQ-393 INV-20 anybody but the seller', () => {
    const d = auctioned()
    expect(d.bid(10, 1, usd(40))).toEqual({
      event: 'reply', at: 0, cause: d.seq, account: 10, op: 'submitBid', code: 'selfQuote', auction: 1,
    })
    expect(d.view.auction(1)!.bids).toEqual([])
    expect([d.bid(21, 1, usd(40)).code, d.bid(99, 1, usd(41)).code]).toEqual(['ok', 'ok'])
  })

  it('PQ-393 the seller is told so also after the end', () => {
    const d = auctioned()
    d.pulse(sec(10))
    expect(d.bid(10, 1, usd(40)).code).toBe('selfQuote')
  })

  it('PQ-393 PQ-457 after a transfer the buyer is the seller of its own auction, and the former one may bid', () => {
    const d = auctioned()
    d.bid(21, 1, usd(40))
    d.sell(10, 1)
    expect(d.cashout(10, 1).code).toBe('notFound')
    expect(d.cashout(21, 1)).toMatchObject({ code: 'ok', auction: 2 })
    expect([d.bid(21, 2, usd(50)).code, d.bid(10, 2, usd(50)).code]).toEqual(['selfQuote', 'ok'])
  })

  it('PQ-394 PQ-398 the backing maker, unless its wallet is off record', () => {
    const d = auctioned()
    wallet(d, 20, 0)
    expect(d.bid(20, 1, usd(40)).code).toBe('buybackWalletMissing')
    wallet(d, 20, 1)
    expect(d.bid(20, 1, usd(40)).code).toBe('ok')
  })

  it('PQ-399 others are not concerned', () => {
    const d = auctioned()
    d.bid(21, 1, usd(40))
    wallet(d, 20, 0)
    wallet(d, 22, 0)
    expect(d.bid(20, 1, usd(50)).code).toBe('buybackWalletMissing')
    expect(d.view.bid(1)!.state).toBe(BidState.live)
    expect(d.bid(22, 1, usd(45)).code).toBe('ok')
    expect(d.sell(10, 1)).toMatchObject({ code: 'ok', maker: 22 })
  })
})

describe('bounds of the price', () => {
  it.each([[98_999_999, 'ok'], [99_000_000, 'ok'], [99_000_001, 'priceAboveMaxPayout']])('PQ-389 INV-20 of %d by an outsider is %s', (price, code) => {
    const d = auctioned()
    const answer = d.bid(21, 1, price)
    expect(answer.code).toBe(code)
    if (code !== 'ok') {
      expect(answer).toEqual({ event: 'reply', at: 0, cause: d.seq, account: 21, op: 'submitBid', code, auction: 1, maxPriceMicros: 99_000_000 })
    }
  })

  // The bounds are 99 − 1 % of 74.25, and 24.75 + 74.25 ∕ 1.01, cut to the micro-unit. At 2.5 % they are 99 − 1.85625 and 24.75 + 72.439024.
  it.each([
    [0, 100, 98_257_500], [1, 100, 98_264_851], [0, 250, 97_143_750], [1, 250, 97_189_024], [0, 0, 99_000_000], [1, 0, 99_000_000],
    [0, 10_000, 24_750_000], [1, 10_000, 61_875_000],
  ])('PQ-390 PQ-400 INV-20 grossed up %d, fee of %d bps: the backing maker may bid %d', (buybackBoundGrossedUp, profitFeeBps, bound) => {
    const d = auctioned({ buybackBoundGrossedUp, profitFeeBps })
    const above = d.bid(20, 1, bound + 1)
    expect(above.code).toBe(bound === 99_000_000 ? 'priceAboveMaxPayout' : 'priceAboveBuybackBound')
    expect(d.bid(20, 1, bound).code).toBe('ok')
    expect(d.view.bid(1)!.priceMicros).toBe(bound)
    expect(d.bid(21, 1, 99_000_000).code).toBe('ok')
  })

  it('PQ-390 shows the auction alone', () => {
    const d = auctioned()
    expect(d.bid(20, 1, 98_257_501)).toEqual({
      event: 'reply', at: 0, cause: d.seq, account: 20, op: 'submitBid', code: 'priceAboveBuybackBound', auction: 1,
    })
    expect(d.bid(20, 1, 99_000_001).code).toBe('priceAboveMaxPayout')
  })

  it('PQ-400 the bound is at the fee rate of the position, not at today\'s', () => {
    const d = auctioned()
    d.setFees(100, 250)
    expect([d.bid(20, 1, 98_257_501).code, d.bid(20, 1, 98_257_500).code]).toEqual(['priceAboveBuybackBound', 'ok'])
  })

  it('PQ-390 PQ-402 with buybackBoundAtBid 0 a bid above it stands', () => {
    const d = auctioned({ buybackBoundAtBid: 0 })
    expect([d.bid(20, 1, 99_000_001).code, d.bid(20, 1, 99_000_000).code]).toEqual(['priceAboveMaxPayout', 'ok'])
  })
})

describe('the order of checks of a bid', () => {
  it('PQ-396 PQ-395 PQ-397 each refusal comes before the next', () => {
    const d = auctioned()
    d.list(2, [2], sec(40))
    wallet(d, 20, 0)
    // Near the close, without a wallet, above the payout.
    d.at(sec(10) - 1)
    expect([d.bid(20, 1, usd(100)).code, d.bid(10, 1, usd(100)).code]).toEqual(['buybackWalletMissing', 'selfQuote'])
    d.at(sec(10))
    expect(d.bid(20, 1, usd(100)).code).toBe('auctionExpired')
    const near = auctioned({ cashoutWindowMs: 20_000 })
    near.list(2, [2], sec(40))
    wallet(near, 20, 0)
    near.at(sec(10))
    expect([near.bid(20, 1, usd(100)).code, near.bid(20, 1, 0).code, near.bid(20, 2, 0).code]).toEqual(['marketNearClose', 'invalid', 'invalid'])
    near.cancelCashout(10, 1)
    expect(near.bid(20, 1, usd(100)).code).toBe('auctionNotActive')
  })
})

describe('the best bid', () => {
  /** Plays bids as maker, price pairs; after each the best bid's number, maker and price. */
  function bests(d: Driver, bids: readonly (readonly [number, number])[]): unknown[] {
    return bids.map(([maker, price]) => {
      d.bid(maker, 1, price)
      const best = d.view.auction(1)!.bestBid
      return [best, d.of('bestBidChanged').map((row) => [row['bid'], row['maker'], row['priceMicros']])]
    })
  }

  it('has the highest price, of equal ones the lowest number (readings A31)', () => {
    expect(bests(auctioned(), [[21, 500], [22, 499], [20, 500], [30, 501], [31, 501]])).toEqual([
      [1, [[1, 21, 500]]], [1, []], [1, []], [4, [[4, 30, 501]]], [4, []],
    ])
  })

  it('a maker has one bid, the next replaces it and loses its place', () => {
    const d = auctioned()
    expect(bests(d, [[21, 500], [22, 500], [21, 500]])).toEqual([[1, [[1, 21, 500]]], [1, []], [2, [[2, 22, 500]]]])
    expect(d.names()).toEqual(['bidReplaced', 'bidSubmitted', 'bestBidChanged', 'reply ok'])
    expect(d.rows[0]).toEqual({
      event: 'bidReplaced', at: 0, cause: d.seq, maker: 21, seller: 10, request: 1, version: 1, position: 1, auction: 1, bid: 1,
      priceMicros: 500, expiresAtUs: sec(15),
    })
    expect(d.view.auction(1)!.bids).toEqual([2, 3])
    expect(d.view.bid(1)).toBeNull()
  })

  it('falls back when the best expires or is lowered', () => {
    const d = auctioned()
    bests(d, [[21, 100], [22, 300], [30, 200]])
    expect(bests(d, [[22, 150]])).toEqual([[3, [[3, 30, 200]]]])
    d.at(ms(1))
    expect(bests(d, [[30, 90], [30, 91]])).toEqual([[4, [[4, 22, 150]]], [4, []]])
  })

  it.each<[string, number[], number]>([
    ['the earlier of two equal ones', [100, 200, 200, 150], 2],
    ['a high one before a low one', [100, 200, 150, 100], 2],
    ['a low one before a high one', [100, 150, 200, 199], 3],
  ])('falls back to %s', (_, prices, best) => {
    const d = auctioned()
    for (const [i, price] of prices.entries()) d.bid(21 + i, 1, price)
    d.bid(30, 1, 300, 5_000)
    d.pulse(sec(5))
    expect(d.view.auction(1)!.bestBid).toBe(best)
  })

  it('an expired bid is replaced without a word', () => {
    const d = auctioned()
    d.bid(21, 1, 300, 5_000)
    d.bid(22, 1, 200)
    d.at(sec(5)).bid(21, 1, 100)
    expect(d.names()).toEqual(['bidExpired', 'bestBidChanged', 'bidSubmitted', 'reply ok'])
    expect(d.rows[1]).toEqual({
      event: 'bestBidChanged', at: sec(5), cause: -1, maker: 22, seller: 10, request: 1, version: 1, position: 1, auction: 1, bid: 2,
      priceMicros: 200, expiresAtUs: sec(15),
    })
  })

  it('the bids of an auction are the last ones of each maker, by number, whichever was replaced', () => {
    const d = auctioned()
    const after = [21, 22, 30, 22, 22, 20, 21, 20].map((maker, i) => {
      d.bid(maker, 1, 100 + i)
      return d.view.auction(1)!.bids
    })
    expect(after).toEqual([[1], [1, 2], [1, 2, 3], [1, 3, 4], [1, 3, 5], [1, 3, 5, 6], [3, 5, 6, 7], [3, 5, 7, 8]])
    expect(d.pulse(sec(10)).map((row) => row['bid'])).toEqual([3, 5, 7, 8, undefined, undefined])
  })

  it('is each auction\'s own', () => {
    const d = auctioned()
    d.open(10, 20, 4)
    d.cashout(10, 2)
    d.bid(21, 1, 100, 60_000)
    d.bid(21, 2, 300, 5_000)
    d.bid(22, 2, 200)
    expect([1, 2, 3].map((bid) => d.view.bid(bid)!.auction)).toEqual([1, 2, 2])
    expect([1, 2].map((auction) => d.view.auction(auction)!.bestBid)).toEqual([1, 2])
    expect(d.pulse(sec(5))).toMatchObject([{ event: 'bidExpired', auction: 2, bid: 2 }, { event: 'bestBidChanged', auction: 2, bid: 3 }])
    d.cancelCashout(10, 1)
    expect([1, 2].map((auction) => d.view.auction(auction)!.bestBid)).toEqual([-1, 3])
  })

  it('a bid that expires below the best changes nothing else', () => {
    const d = auctioned()
    d.bid(21, 1, 100, 5_000)
    d.bid(22, 1, 200)
    d.pulse(sec(5))
    expect(d.names()).toEqual(['bidExpired'])
    expect(d.view.auction(1)!.bestBid).toBe(2)
  })
})
