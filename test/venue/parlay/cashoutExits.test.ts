import { describe, expect, it } from 'vitest'
import { AuctionState, BidState } from '../../../src/venue/parlay/protocol/events.ts'
import { type Driver, sec, table, usd } from './driver.ts'

/**
 * Auction 1 of the document's example: bettor 10, maker 20, 25 USDC at 4.0, so taker fee 0.25, stake 24.75, payout 99,
 * risk 74.25, bound 98.2575. Free afterwards: bettor 975, maker 925.75, others 1,000.
 */
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

function win(d: Driver): void {
  d.at(d.now + 1).resolve(1, 'yes')
  d.resolve(2, 'no')
  d.pulse()
}

const wallet = (d: Driver, account: number, onRecord: number) => d.send('setWallet', 0, { value: account, value2: onRecord })

describe('the backing maker wins', () => {
  it('PQ-009 PQ-455 PQ-259 the position closes, in this order', () => {
    const d = auctioned()
    d.bid(21, 1, usd(59))
    d.bid(22, 1, usd(58))
    d.bid(20, 1, usd(60))
    expect(d.sell(10, 1)).toEqual({
      event: 'reply', at: 0, cause: d.seq, account: 10, other: 20, op: 'commitCashout', code: 'ok', request: 1, position: 1, auction: 1,
      quote: 3, amountB: 59_647_500, amountC: 352_500, amountD: 60_000_000,
    })
    const about = { at: 0, cause: d.seq, request: 1, version: 1, position: 1, auction: 1 }
    expect(d.rows.slice(0, -1)).toEqual([
      { event: 'bidWon', ...about, account: 20, other: 10, quote: 3, amountA: usd(60) },
      { event: 'bidInvalidated', ...about, account: 21, other: 10, quote: 1, amountA: usd(59) },
      { event: 'bidInvalidated', ...about, account: 22, other: 10, quote: 2, amountA: usd(58) },
      { event: 'bestBidChanged', ...about, other: 10 },
      { event: 'auctionCommitted', ...about, account: 10, other: 20, quote: 3, amountA: usd(60), amountB: 352_500, code: 'closes' },
      {
        event: 'positionBoughtBack', ...about, account: 10, other: 20, code: 'maker pays', amountA: 35_250_000, amountB: 59_647_500,
        amountC: 352_500, amountD: 39_000_000,
      },
    ])
    expect(d.view.position(1)).toBeNull()
    expect(d.view.auction(1)).toMatchObject({ state: AuctionState.committed, winner: 20 })
    expect([1, 2, 3].map((bid) => d.view.bid(bid)!.state)).toEqual([BidState.invalidated, BidState.invalidated, BidState.won])
  })

  it('PQ-420 PQ-426 PQ-430 the pot goes to seller, house and maker, the one taker fee to the house', () => {
    const d = auctioned()
    exit(d, 10, 20, 1, usd(60))
    expect(d.moved).toEqual([
      'buyback: pot 1 -> free 10 59647500', 'profitFee: pot 1 -> house 352500', 'buyback: pot 1 -> free 20 39000000',
      'takerFee: escrow 1 -> house 250000',
    ])
    expect(d.balances(10, 20)).toEqual([[1_034_647_500, 0], [964_750_000, 0]])
    expect(d.view.balance(20)).toMatchObject({ lockedMicros: 0, grossMicros: 964_750_000 })
    expect(d.view.totals()).toMatchObject({ houseMicros: 602_500, potMicros: 0, escrowMicros: 0, netDepositsMicros: usd(4000) })
    // Results that come now meet nothing.
    win(d)
    expect(d.names()).toEqual([])
  })

  it('PQ-455 needs no free balance of the maker (readings A30)', () => {
    const d = auctioned()
    d.withdraw(20, 925_750_000)
    expect(exit(d, 10, 20, 1, 98_257_500)).toMatchObject({ code: 'ok', amountC: 735_075 })
    expect(d.balances(20)).toEqual([[742_500, 0]])
  })

  it.each([
    // price, |price − stake|, direction, fee out of the price, to the seller, to the maker
    [98_257_500, 73_507_500, 'maker pays', 735_075, 97_522_425, 742_500],
    [24_750_100, 100, 'maker pays', 1, 24_750_099, 74_249_900],
    [24_750_099, 99, 'maker pays', 0, 24_750_099, 74_249_901],
    [24_750_001, 1, 'maker pays', 0, 24_750_001, 74_249_999],
    [24_750_000, 0, 'maker pays', 0, 24_750_000, 74_250_000],
    [24_749_999, 1, 'user pays', 0, 24_749_999, 74_250_001],
    [10_000_000, 14_750_000, 'user pays', 0, 10_000_000, 89_000_000],
    [1, 24_749_999, 'user pays', 0, 1, 98_999_999],
  ])('PQ-300 PQ-301 PQ-429 at %d: %d, %s; fee %d, seller %d, maker %d', (price, amount, direction, fee, toSeller, toMaker) => {
    const d = auctioned()
    const answer = exit(d, 10, 20, 1, price)
    expect(answer).toMatchObject({ amountB: toSeller, amountC: fee, amountD: price })
    expect(d.of('positionBoughtBack')).toMatchObject([
      { amountA: amount, code: direction, amountB: toSeller, amountC: fee, amountD: toMaker },
    ])
    expect(d.balances(10, 20)).toEqual([[usd(975) + toSeller, 0], [925_750_000 + toMaker, 0]])
    expect(d.view.totals()).toMatchObject({ houseMicros: 250_000 + fee, potMicros: 0, escrowMicros: 0 })
  })

  it('a buyback of the whole payout leaves the maker nothing', () => {
    const d = auctioned({ profitFeeBps: 0 })
    exit(d, 10, 20, 1, usd(99))
    expect(d.moved).toEqual(['buyback: pot 1 -> free 10 99000000', 'takerFee: escrow 1 -> house 250000'])
    expect(d.of('positionBoughtBack')).toMatchObject([{ amountD: 0, amountC: 0 }])
  })

  it.each([
    // price, the maker's fee on 24.75 − price, to the maker
    [10_000_000, 147_500, 88_852_500], [24_749_900, 1, 74_250_099], [24_749_901, 0, 74_250_099], [24_750_000, 0, 74_250_000],
    [24_850_000, 0, 74_150_000],
  ])('with profitFeeOnMaker the maker pays for its gain at %d: %d, and gets %d', (price, fee, toMaker) => {
    const d = auctioned({ profitFeeOnMaker: 1 })
    exit(d, 10, 20, 1, price)
    const sellersFee = Math.max(0, price - 24_750_000) / 100
    expect(d.of('positionBoughtBack')).toMatchObject([{ amountB: price - sellersFee, amountC: sellersFee, amountD: toMaker }])
    expect(d.balances(20)).toEqual([[925_750_000 + toMaker, 0]])
    expect(d.view.totals()).toMatchObject({ houseMicros: 250_000 + sellersFee + fee, potMicros: 0, escrowMicros: 0 })
    if (price === 10_000_000) {
      expect(d.moved).toEqual([
        'buyback: pot 1 -> free 10 10000000', 'buyback: pot 1 -> free 20 88852500', 'profitFee: pot 1 -> house 147500',
        'takerFee: escrow 1 -> house 250000',
      ])
    }
  })

  it('PQ-420 takes the fee rate of the position, not today\'s', () => {
    const d = auctioned()
    d.setFees(0, 5_000)
    expect(exit(d, 10, 20, 1, usd(60))).toMatchObject({ amountC: 352_500 })
  })
})

describe('another maker wins', () => {
  it('PQ-456 PQ-302 PQ-093 the position passes to it and stays open', () => {
    const d = auctioned()
    expect(exit(d, 10, 21, 1, usd(60))).toEqual({
      event: 'reply', at: 0, cause: d.seq, account: 10, other: 21, op: 'commitCashout', code: 'ok', request: 1, position: 1, auction: 1,
      quote: 1, amountB: 59_647_500, amountC: 352_500, amountD: 60_000_000,
    })
    const about = { at: 0, cause: d.seq, request: 1, version: 1, position: 1, auction: 1 }
    expect(d.rows.slice(0, -1)).toEqual([
      { event: 'bidWon', ...about, account: 21, other: 10, quote: 1, amountA: usd(60) },
      { event: 'bestBidChanged', ...about, other: 10 },
      { event: 'auctionCommitted', ...about, account: 10, other: 21, quote: 1, amountA: usd(60), amountB: 352_500, code: 'transfers' },
      { event: 'positionTransferred', ...about, account: 10, other: 21, amountA: usd(60), amountB: 59_647_500, amountC: 352_500 },
    ])
    expect(d.moved).toEqual(['transfer: free 21 -> free 10 59647500', 'profitFee: free 21 -> house 352500'])
    expect(d.view.auction(1)).toMatchObject({ backer: 20, winner: 21 })
  })

  it('PQ-457 PQ-426 PQ-430 pot, escrow, maker and rates stay, and the buyer is the holder', () => {
    const d = auctioned()
    const before = d.view.position(1)
    exit(d, 10, 21, 1, usd(60))
    expect(d.view.position(1)).toEqual({ ...before, holder: 21, costMicros: usd(60), basisMicros: usd(60) })
    expect(d.view.totals()).toMatchObject({ potMicros: 99_000_000, escrowMicros: 250_000, houseMicros: 352_500 })
    expect(d.balances(10, 20, 21)).toEqual([[1_034_647_500, 0], [925_750_000, 0], [940_000_000, 0]])
    expect(d.view.balance(20).lockedMicros).toBe(74_250_000)
  })

  it('PQ-457 then wins: the fees of both holders are 1 % of the whole gain', () => {
    const d = auctioned()
    exit(d, 10, 21, 1, usd(60))
    win(d)
    // 1 % of 99 − 60.
    expect(d.of('positionSettled')).toMatchObject([{ account: 21, other: 20, code: 'won', amountA: 98_610_000, amountB: 0, amountC: 390_000 }])
    expect(d.balances(10, 20, 21)).toEqual([[1_034_647_500, 0], [925_750_000, 0], [1_038_610_000, 0]])
    // 0.3525 + 0.39 + the taker fee of 0.25, as if the bettor had held it.
    expect(d.view.totals()).toMatchObject({ houseMicros: 992_500, potMicros: 0, escrowMicros: 0 })
  })

  it.each<[string, 'yes' | 'void', number[], number]>([
    // The maker takes the pot of 99.
    ['lost', 'yes', [1_034_647_500, 1_024_750_000, 940_000_000], 602_500],
    // Stake and taker fee go to the present holder, the risk to the maker, nothing back from the seller (readings A24).
    ['void', 'void', [1_034_647_500, 1_000_000_000, 965_000_000], 352_500],
  ])('PQ-457 then %s', (_, result, free, houseMicros) => {
    const d = auctioned()
    exit(d, 10, 21, 1, usd(60))
    d.at(1).resolve(2, result)
    d.pulse()
    expect([10, 20, 21].map((account) => d.free(account))).toEqual(free)
    expect(d.view.totals()).toMatchObject({ houseMicros, potMicros: 0, escrowMicros: 0 })
  })

  it('PQ-457 PQ-420 a chain of two transfers, then won: 1 % of the gain of 74.25, less what the floors leave', () => {
    const d = auctioned()
    // Gains 25.250033, 20.000066 and 28.999901.
    expect(exit(d, 10, 21, 1, 50_000_033)).toMatchObject({ amountC: 252_500, amountB: 49_747_533 })
    d.cashout(21, 1)
    expect(exit(d, 21, 22, 2, 70_000_099)).toMatchObject({ amountC: 200_000, amountB: 69_800_099 })
    expect(d.view.position(1)).toMatchObject({ holder: 22, basisMicros: 70_000_099, costMicros: 70_000_099 })
    win(d)
    expect(d.of('positionSettled')).toMatchObject([{ account: 22, amountC: 289_999, amountA: 98_710_001 }])
    expect([10, 21, 22].map((account) => d.free(account))).toEqual([1_024_747_533, 1_019_800_066, 1_028_709_902])
    // 252,500 + 200,000 + 289,999 = 742,499, one less than 1 % of 74.25; and the taker fee.
    expect(d.view.totals()).toMatchObject({ houseMicros: 742_499 + 250_000, potMicros: 0, escrowMicros: 0 })
  })

  it('PQ-457 PQ-420 a holder that sells below its price pays no fee, the next one from the lower basis', () => {
    const d = auctioned()
    exit(d, 10, 21, 1, usd(50))
    d.cashout(21, 1)
    expect(d.rows[0]).toMatchObject({ event: 'auctionOpened', account: 21, other: 20, amountB: 24_750_000, amountC: usd(50), amountD: 98_257_500 })
    expect(exit(d, 21, 22, 2, usd(40))).toMatchObject({ amountC: 0, amountB: usd(40) })
    expect(d.view.position(1)).toMatchObject({ basisMicros: usd(40) })
    win(d)
    expect(d.of('positionSettled')).toMatchObject([{ amountC: 590_000, amountA: 98_410_000 }])
  })

  it('PQ-457 PQ-300 a later holder is bought back: its fee from its price, the amount from the stake', () => {
    const d = auctioned()
    exit(d, 10, 21, 1, usd(60))
    d.cashout(21, 1)
    exit(d, 21, 20, 2, usd(70))
    expect(d.of('positionBoughtBack')).toMatchObject([
      { account: 21, other: 20, amountA: 45_250_000, code: 'maker pays', amountB: 69_900_000, amountC: 100_000, amountD: 29_000_000 },
    ])
    expect([10, 20, 21].map((account) => d.free(account))).toEqual([1_034_647_500, 954_750_000, 1_009_900_000])
    expect(d.view.totals()).toMatchObject({ houseMicros: 352_500 + 100_000 + 250_000, potMicros: 0, escrowMicros: 0 })
  })

  it('PQ-457 the first holder may buy its position again', () => {
    const d = auctioned()
    exit(d, 10, 21, 1, usd(60))
    d.cashout(21, 1)
    exit(d, 21, 10, 2, usd(70))
    expect(d.view.position(1)).toMatchObject({ holder: 10, backer: 20, basisMicros: usd(70) })
    // It holds the position again, so its first auction is merely over.
    expect(d.sell(10, 1).code).toBe('auctionNotActive')
  })

  it('with profitFeeOnTransfer 0 a transfer takes no fee and leaves the basis at the stake', () => {
    const d = auctioned({ profitFeeOnTransfer: 0 })
    expect(exit(d, 10, 21, 1, usd(60))).toMatchObject({ amountB: usd(60), amountC: 0, amountD: usd(60) })
    expect(d.moved).toEqual(['transfer: free 21 -> free 10 60000000'])
    expect(d.of('auctionCommitted')).toMatchObject([{ amountB: 0 }])
    expect(d.view.position(1)).toMatchObject({ basisMicros: 24_750_000, costMicros: usd(60) })
    win(d)
    // 1 % of 74.25, all of it from the last holder.
    expect(d.of('positionSettled')).toMatchObject([{ account: 21, amountC: 742_500, amountA: 98_257_500 }])
  })

  it('PQ-420 with profitFeeOnTransfer 0 a closing cash-out still takes it, from the stake', () => {
    const d = auctioned({ profitFeeOnTransfer: 0 })
    exit(d, 10, 21, 1, usd(60))
    d.cashout(21, 1)
    expect(exit(d, 21, 20, 2, usd(60))).toMatchObject({ amountC: 352_500, amountB: 59_647_500 })
  })
})

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
      event: 'reply', at: 0, cause: d.seq, account: 10, other: 20, op: 'commitCashout', code: 'amountOverBound', request: 1, position: 1,
      auction: 1, quote: 1,
    })
    const about = { at: 0, cause: d.seq, request: 1, version: 1, position: 1, auction: 1, other: 10 }
    expect(d.rows.slice(0, -1)).toEqual([
      { event: 'bidFailed', ...about, account: 20, quote: 1, amountA: 98_257_501, code: 'amountOverBound' },
      { event: 'bestBidChanged', ...about, account: 21, quote: 2, amountA: usd(50), until: sec(15) },
    ])
    expect(d.view.bid(1)!.state).toBe(BidState.failed)
    expect(d.view.auction(1)).toMatchObject({ state: AuctionState.active, bestBid: 2, bids: [1, 2] })
    // The same maker bids at the bound, with no bid to replace.
    d.bid(20, 1, 98_257_500)
    expect(d.names()).toEqual(['bidSubmitted', 'bestBidChanged', 'reply ok'])
    expect(d.sell(10, 1)).toMatchObject({ code: 'ok', other: 20, quote: 3 })
  })

  it.each([[usd(50), 'ok'], [usd(50) - 1, 'insufficientBuyerBalance']])('PQ-403 of a buyer with %d free: %s', (free, code) => {
    const d = auctioned()
    d.bid(21, 1, usd(50))
    d.bid(22, 1, usd(40))
    d.withdraw(21, usd(1000) - free)
    expect(d.sell(10, 1)).toMatchObject({ code, other: 21, quote: 1, position: 1, request: 1, auction: 1 })
    if (code === 'ok') return
    expect(d.names()).toEqual(['bidFailed', 'bestBidChanged', 'reply insufficientBuyerBalance'])
    expect(d.moved).toEqual([])
    expect(d.sell(10, 1)).toMatchObject({ code: 'ok', other: 22, quote: 2 })
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
    expect(d.sell(10, 1)).toMatchObject({ code: 'buyerNoVault', other: 50 })
    d.bid(50, 1, usd(50))
    d.deposit(50, usd(50))
    expect(d.sell(10, 1)).toMatchObject({ code: 'ok', other: 50 })
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
    expect(d.sell(10, 1)).toMatchObject({ code: 'buyerIsCounterparty', other: 20 })
    expect(d.names()).toEqual(['bidFailed', 'bestBidChanged', 'reply buyerIsCounterparty'])
    expect(d.sell(10, 1)).toMatchObject({ code: 'ok', other: 21 })
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
    expect(d.sell(10, 1)).toMatchObject({ code: 'ok', other: 21 })
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
    expect(d.sell(10, 2)).toMatchObject({ code: 'ok', other: buyer })
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
