import { describe, expect, it } from 'vitest'
import { AuctionState, BidState } from '../../../src/venue/parlay/protocol/events.ts'
import { type Driver, sec, table, usd } from './driver.ts'

/** Auction 1 of the document's example: bettor 10, maker 20, stake 24.75, payout 99, buyback bound 98.2575. */
function auctioned(overrides: Parameters<typeof table>[0] = {}): Driver {
  const d = table(overrides)
  d.open(10, 20, 4)
  d.cashout(10, 1)
  return d
}

/** Maker `buyer` bids, the seller takes it: the reply. */
function exit(d: Driver, seller: number, buyer: number, auction: number, price: number) {
  expect(d.bid(buyer, auction, price).code).toBe('ok')
  return d.sell(seller, auction)
}

const wallet = (d: Driver, account: number, onRecord: number) => d.send('setWallet', 0, { value: account, value2: onRecord })

describe('the seller\'s commit', () => {
  it.each<[string, number, number, number, string, number | undefined]>([
    ['the seller', 10, 1, -1, 'ok', 1], ['the maker', 20, 1, -1, 'forbidden', 1], ['the bidder', 21, 1, -1, 'forbidden', 1],
    ['no auction', 10, 2, -1, 'notFound', undefined], ['a fraction', 10, 1.5, -1, 'invalid', undefined],
    ['not a number', 10, Number.NaN, -1, 'invalid', undefined],
    ['a price of 0', 10, 1, 0, 'invalid', 1], ['a price of −2', 10, 1, -2, 'invalid', 1], ['half a micro-unit', 10, 1, 1.5, 'invalid', 1],
    ['the best price', 10, 1, usd(40), 'ok', 1], ['one more', 10, 1, usd(40) + 1, 'noActiveBid', 1], ['a price of 1', 10, 1, 1, 'ok', 1],
  ])('PQ-259 by or with %s', (_, account, auction, amount, code, shown) => {
    const d = auctioned()
    d.bid(21, 1, usd(40))
    d.bid(22, 1, usd(39))
    const answer = d.sell(account, auction, amount)
    expect([answer.code, answer['auction']]).toEqual([code, shown])
    if (code === 'ok') return
    expect(Object.keys(answer).sort()).toEqual(['account', 'at', ...(shown === undefined ? [] : ['auction']), 'cause', 'code', 'event', 'op'])
    expect(d.names()).toHaveLength(1)
    expect(d.view.auction(1)).toMatchObject({ state: AuctionState.active, bestBid: 1 })
  })

  it('PQ-259 needs a live bid', () => {
    const d = auctioned()
    expect(d.sell(10, 1).code).toBe('noActiveBid')
    d.bid(21, 1, usd(40), 5_000)
    d.at(sec(5))
    expect(d.sell(10, 1).code).toBe('noActiveBid')
  })

  it('PQ-402 of a bid above the buyback bound fails it, and the next commit takes the next', () => {
    const d = auctioned({ buybackBoundAtBid: 0 })
    d.bid(20, 1, 98_257_501)
    d.bid(21, 1, usd(50))
    expect(d.sell(10, 1)).toEqual({
      event: 'reply', at: 0, cause: d.seq, account: 10, maker: 20, op: 'commitCashout', code: 'amountOverBound', request: 1, position: 1,
      auction: 1, bid: 1,
    })
    const about = { at: 0, cause: d.seq, request: 1, version: 1, position: 1, auction: 1, seller: 10 }
    expect(d.rows.slice(0, -1)).toEqual([
      { event: 'bidFailed', ...about, maker: 20, bid: 1, priceMicros: 98_257_501, failure: 'amountOverBound' },
      { event: 'bestBidChanged', ...about, maker: 21, bid: 2, priceMicros: usd(50), expiresAtUs: sec(15) },
    ])
    expect(d.view.bid(1)!.state).toBe(BidState.failed)
    expect(d.view.auction(1)).toMatchObject({ state: AuctionState.active, bestBid: 2, bids: [1, 2] })
    // The same maker bids at the bound, with no bid to replace.
    d.bid(20, 1, 98_257_500)
    expect(d.names()).toEqual(['bidSubmitted', 'bestBidChanged', 'reply ok'])
    expect(d.sell(10, 1)).toMatchObject({ code: 'ok', maker: 20, bid: 3 })
  })

  it.each([[usd(50), 'ok'], [usd(50) - 1, 'insufficientBuyerBalance']])('PQ-403 of a buyer with %d free: %s', (free, code) => {
    const d = auctioned()
    d.bid(21, 1, usd(50))
    d.bid(22, 1, usd(40))
    d.withdraw(21, usd(1000) - free)
    expect(d.sell(10, 1)).toMatchObject({ code, maker: 21, bid: 1, position: 1, request: 1, auction: 1 })
    if (code === 'ok') return
    expect(d.names()).toEqual(['bidFailed', 'bestBidChanged', 'reply insufficientBuyerBalance'])
    expect(d.moved).toEqual([])
    expect(d.sell(10, 1)).toMatchObject({ code: 'ok', maker: 22, bid: 2 })
  })

  it('PQ-403 what pending selections hold is not free', () => {
    const d = auctioned()
    d.bid(21, 1, usd(50))
    d.withdraw(21, 876_250_001)
    // 74.25 of the 123.749999 that are left.
    d.create(22)
    d.submit(21, 2, 4)
    d.commit(22, 2)
    expect(d.balances(21)).toEqual([[49_499_999, 74_250_000]])
    expect(d.sell(10, 1).code).toBe('insufficientBuyerBalance')
  })

  it('PQ-404 of a buyer that never had a vault', () => {
    const d = auctioned()
    d.bid(50, 1, usd(50))
    expect(d.sell(10, 1)).toMatchObject({ code: 'buyerNoVault', maker: 50 })
    d.bid(50, 1, usd(50))
    d.deposit(50, usd(50))
    expect(d.sell(10, 1)).toMatchObject({ code: 'ok', maker: 50 })
    expect(d.view.position(1)!.holder).toBe(50)
    expect(d.free(50)).toBe(0)
  })

  it('PQ-405 of a position that it has sold', () => {
    const d = auctioned()
    exit(d, 10, 21, 1, usd(50))
    const refused = { event: 'reply', at: 0, cause: 0, account: 10, op: 'commitCashout', code: 'alreadyTransferred', auction: 1 }
    expect(d.sell(10, 1)).toEqual({ ...refused, cause: d.seq })
    expect(d.names()).toEqual(['reply alreadyTransferred'])
    // An earlier auction of the seller says so too, until it is forgotten; once the position has ended it is just over.
    d.cashout(21, 1)
    exit(d, 21, 20, 2, usd(50))
    expect(d.sell(10, 1).code).toBe('auctionNotActive')
  })

  it('PQ-406 of the backing maker whose wallet went off record since it bid', () => {
    const d = auctioned()
    d.bid(20, 1, usd(50))
    d.bid(21, 1, usd(40))
    wallet(d, 20, 0)
    expect(d.sell(10, 1)).toMatchObject({ code: 'buyerIsCounterparty', maker: 20 })
    expect(d.names()).toEqual(['bidFailed', 'bestBidChanged', 'reply buyerIsCounterparty'])
    expect(d.sell(10, 1)).toMatchObject({ code: 'ok', maker: 21 })
  })

  it('PQ-406 of the backing maker without a wallet, also while its vault is fenced', () => {
    const d = auctioned()
    d.bid(20, 1, usd(50))
    wallet(d, 20, 0)
    d.fault('mirrorBehind', 1)
    d.deposit(20, usd(1))
    d.fault('mirrorBehind', 0)
    expect(d.view.balance(20).fenced).toBe(true)
    expect(d.sell(10, 1)).toMatchObject({ code: 'buyerIsCounterparty', maker: 20 })
    expect(d.view.bid(1)!.state).toBe(BidState.failed)
  })

  it('the price that the seller asks is looked at before the buyer is', () => {
    const d = auctioned()
    d.bid(50, 1, usd(50))
    expect(d.sell(10, 1, usd(50) + 1).code).toBe('noActiveBid')
    expect(d.view.bid(1)!.state).toBe(BidState.live)
    expect(d.sell(10, 1, usd(50)).code).toBe('buyerNoVault')
  })

  it('PQ-407 no bidder is told any of the five', () => {
    const told = new Set<unknown>()
    const bid = (d: Driver, maker: number, price: number) => told.add(d.bid(maker, 1, price).code)
    const over = auctioned({ buybackBoundAtBid: 0 })
    bid(over, 20, usd(99))
    bid(over, 50, usd(50))
    over.withdraw(21, usd(1000))
    bid(over, 21, usd(50))
    bid(over, 22, usd(99))
    expect([...told]).toEqual(['ok'])
    expect(over.sell(10, 1)).toMatchObject({ account: 10, code: 'amountOverBound' })
    expect(over.rows.filter((row) => row.event === 'reply' && row['account'] !== 10)).toEqual([])
    over.sell(10, 1)
    for (const maker of [20, 21, 22, 50, 10]) bid(over, maker, usd(50))
    expect([...told].sort()).toEqual(['auctionNotActive', 'ok', 'selfQuote'])
  })
})

describe('vaults and the chain', () => {
  const fault = (d: Driver, value: number, value2: number) => d.send('setFault', 0, { value, value2 })

  it.each([[3, 'vaultFenced'], [4, 'vaultFenced'], [5, 'vaultFenced'], [6, 'chainDisabled']])('a commit during fault %d is %s and changes nothing', (value, code) => {
    const d = auctioned()
    d.bid(21, 1, usd(50))
    fault(d, value, 1)
    expect(d.sell(10, 1)).toEqual({ event: 'reply', at: 0, cause: d.seq, account: 10, op: 'commitCashout', code, auction: 1 })
    // Opening, bidding and cancelling move no money.
    expect([d.bid(20, 1, usd(49)).code, d.view.auction(1)!.bestBid]).toEqual(['ok', 1])
    fault(d, value, 0)
    expect(d.sell(10, 1)).toMatchObject({ code: 'ok', maker: 21 })
  })

  it.each([[10, 21], [21, 21], [20, 20]])('the fenced vault of account %d holds up a sale to %d', (fenced, buyer) => {
    const d = auctioned()
    d.bid(buyer, 1, usd(50))
    fault(d, 5, 1)
    d.deposit(fenced, usd(1))
    fault(d, 5, 0)
    expect(d.sell(10, 1)).toEqual({ event: 'reply', at: 0, cause: d.seq, account: 10, op: 'commitCashout', code: 'vaultFenced', auction: 1 })
    expect(d.view.auction(1)).toMatchObject({ state: AuctionState.active, bestBid: 1 })
    // The mirror has caught up 10 s after the deposit, so the next auction is not held up.
    d.at(sec(10)).cashout(10, 1)
    d.bid(buyer, 2, usd(50))
    expect(d.sell(10, 2)).toMatchObject({ code: 'ok', maker: buyer })
  })

  it('a position is not for sale until it is funded', () => {
    const d = table()
    fault(d, 5, 1)
    d.open(10, 20, 4)
    expect(d.cashout(10, 1)).toEqual({ event: 'reply', at: 0, cause: d.seq, account: 10, op: 'openCashout', code: 'conflict', position: 1 })
    expect(d.at(sec(10)).cashout(10, 1).code).toBe('ok')
  })

  it('a position that is decided but not paid is not for sale, and its auction is cancelled', () => {
    const d = auctioned()
    d.bid(21, 1, usd(50))
    fault(d, 5, 1)
    d.resolve(1, 'no')
    d.pulse()
    expect(d.names()).toEqual(['bidInvalidated', 'bestBidChanged', 'auctionCancelled', 'settlementDelayed'])
    expect(d.cashout(10, 1).code).toBe('conflict')
    expect(d.sell(10, 1).code).toBe('auctionNotActive')
  })
})
