import { describe, expect, it } from 'vitest'
import { AuctionState, BidState } from '../../../src/venue/parlay/protocol/events.ts'
import { type Driver, table, usd } from './driver.ts'

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

describe('the backing maker wins', () => {
  it('PQ-009 PQ-455 PQ-259 the position closes, in this order', () => {
    const d = auctioned()
    d.bid(21, 1, usd(59))
    d.bid(22, 1, usd(58))
    d.bid(20, 1, usd(60))
    expect(d.sell(10, 1)).toEqual({
      event: 'reply', at: 0, cause: d.seq, account: 10, maker: 20, op: 'commitCashout', code: 'ok', request: 1, position: 1, auction: 1,
      bid: 3, toSellerMicros: 59_647_500, profitFeeMicros: 352_500, priceMicros: 60_000_000,
    })
    const about = { at: 0, cause: d.seq, request: 1, version: 1, position: 1, auction: 1 }
    expect(d.rows.slice(0, -1)).toEqual([
      { event: 'bidWon', ...about, maker: 20, seller: 10, bid: 3, priceMicros: usd(60) },
      { event: 'bidInvalidated', ...about, maker: 21, seller: 10, bid: 1, priceMicros: usd(59) },
      { event: 'bidInvalidated', ...about, maker: 22, seller: 10, bid: 2, priceMicros: usd(58) },
      { event: 'bestBidChanged', ...about, seller: 10 },
      { event: 'auctionCommitted', ...about, seller: 10, winner: 20, bid: 3, priceMicros: usd(60), profitFeeMicros: 352_500, route: 'closes' },
      {
        event: 'positionBoughtBack', ...about, holder: 10, backer: 20, isPaidByMaker: 1, differenceMicros: 35_250_000,
        toHolderMicros: 59_647_500, profitFeeMicros: 352_500, toBackerMicros: 39_000_000,
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
    expect(exit(d, 10, 20, 1, 98_257_500)).toMatchObject({ code: 'ok', profitFeeMicros: 735_075 })
    expect(d.balances(20)).toEqual([[742_500, 0]])
  })

  it.each([
    // price, |price − stake|, whether the maker pays it, fee out of the price, to the seller, to the maker
    [98_257_500, 73_507_500, 1, 735_075, 97_522_425, 742_500],
    [24_750_100, 100, 1, 1, 24_750_099, 74_249_900],
    [24_750_099, 99, 1, 0, 24_750_099, 74_249_901],
    [24_750_001, 1, 1, 0, 24_750_001, 74_249_999],
    [24_750_000, 0, 1, 0, 24_750_000, 74_250_000],
    [24_749_999, 1, 0, 0, 24_749_999, 74_250_001],
    [10_000_000, 14_750_000, 0, 0, 10_000_000, 89_000_000],
    [1, 24_749_999, 0, 0, 1, 98_999_999],
  ])('PQ-300 PQ-301 PQ-429 at %d: %d, paid by the maker: %d; fee %d, seller %d, maker %d', (price, difference, isPaidByMaker, fee, toSeller, toMaker) => {
    const d = auctioned()
    const answer = exit(d, 10, 20, 1, price)
    expect(answer).toMatchObject({ toSellerMicros: toSeller, profitFeeMicros: fee, priceMicros: price })
    expect(d.of('positionBoughtBack')).toMatchObject([
      { differenceMicros: difference, isPaidByMaker, toHolderMicros: toSeller, profitFeeMicros: fee, toBackerMicros: toMaker },
    ])
    expect(d.balances(10, 20)).toEqual([[usd(975) + toSeller, 0], [925_750_000 + toMaker, 0]])
    expect(d.view.totals()).toMatchObject({ houseMicros: 250_000 + fee, potMicros: 0, escrowMicros: 0 })
  })

  it('a buyback of the whole payout leaves the maker nothing', () => {
    const d = auctioned({ profitFeeBps: 0 })
    exit(d, 10, 20, 1, usd(99))
    expect(d.moved).toEqual(['buyback: pot 1 -> free 10 99000000', 'takerFee: escrow 1 -> house 250000'])
    expect(d.of('positionBoughtBack')).toMatchObject([{ toBackerMicros: 0, profitFeeMicros: 0 }])
  })

  it.each([
    // price, the maker's fee on 24.75 − price, to the maker
    [10_000_000, 147_500, 88_852_500], [24_749_900, 1, 74_250_099], [24_749_901, 0, 74_250_099], [24_750_000, 0, 74_250_000],
    [24_850_000, 0, 74_150_000],
  ])('with profitFeeOnMaker the maker pays for its gain at %d: %d, and gets %d', (price, fee, toMaker) => {
    const d = auctioned({ profitFeeOnMaker: 1 })
    exit(d, 10, 20, 1, price)
    const sellersFee = Math.max(0, price - 24_750_000) / 100
    expect(d.of('positionBoughtBack')).toMatchObject([{ toHolderMicros: price - sellersFee, profitFeeMicros: sellersFee, toBackerMicros: toMaker }])
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
    expect(exit(d, 10, 20, 1, usd(60))).toMatchObject({ profitFeeMicros: 352_500 })
  })
})

describe('another maker wins', () => {
  it('PQ-456 PQ-302 PQ-093 the position passes to it and stays open', () => {
    const d = auctioned()
    expect(exit(d, 10, 21, 1, usd(60))).toEqual({
      event: 'reply', at: 0, cause: d.seq, account: 10, maker: 21, op: 'commitCashout', code: 'ok', request: 1, position: 1, auction: 1,
      bid: 1, toSellerMicros: 59_647_500, profitFeeMicros: 352_500, priceMicros: 60_000_000,
    })
    const about = { at: 0, cause: d.seq, request: 1, version: 1, position: 1, auction: 1 }
    expect(d.rows.slice(0, -1)).toEqual([
      { event: 'bidWon', ...about, maker: 21, seller: 10, bid: 1, priceMicros: usd(60) },
      { event: 'bestBidChanged', ...about, seller: 10 },
      { event: 'auctionCommitted', ...about, seller: 10, winner: 21, bid: 1, priceMicros: usd(60), profitFeeMicros: 352_500, route: 'transfers' },
      { event: 'positionTransferred', ...about, seller: 10, buyer: 21, priceMicros: usd(60), toSellerMicros: 59_647_500, profitFeeMicros: 352_500 },
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
    expect(d.of('positionSettled')).toMatchObject([{ holder: 21, backer: 20, outcome: 'won', toHolderMicros: 98_610_000, toBackerMicros: 0, profitFeeMicros: 390_000 }])
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
    expect(exit(d, 10, 21, 1, 50_000_033)).toMatchObject({ profitFeeMicros: 252_500, toSellerMicros: 49_747_533 })
    d.cashout(21, 1)
    expect(exit(d, 21, 22, 2, 70_000_099)).toMatchObject({ profitFeeMicros: 200_000, toSellerMicros: 69_800_099 })
    expect(d.view.position(1)).toMatchObject({ holder: 22, basisMicros: 70_000_099, costMicros: 70_000_099 })
    win(d)
    expect(d.of('positionSettled')).toMatchObject([{ holder: 22, profitFeeMicros: 289_999, toHolderMicros: 98_710_001 }])
    expect([10, 21, 22].map((account) => d.free(account))).toEqual([1_024_747_533, 1_019_800_066, 1_028_709_902])
    // 252,500 + 200,000 + 289,999 = 742,499, one less than 1 % of 74.25; and the taker fee.
    expect(d.view.totals()).toMatchObject({ houseMicros: 742_499 + 250_000, potMicros: 0, escrowMicros: 0 })
  })

  it('PQ-457 PQ-420 a holder that sells below its price pays no fee, the next one from the lower basis', () => {
    const d = auctioned()
    exit(d, 10, 21, 1, usd(50))
    d.cashout(21, 1)
    expect(d.rows[0]).toMatchObject({ event: 'auctionOpened', seller: 21, backer: 20, netStakeMicros: 24_750_000, basisMicros: usd(50), boundMicros: 98_257_500 })
    expect(exit(d, 21, 22, 2, usd(40))).toMatchObject({ profitFeeMicros: 0, toSellerMicros: usd(40) })
    expect(d.view.position(1)).toMatchObject({ basisMicros: usd(40) })
    win(d)
    expect(d.of('positionSettled')).toMatchObject([{ profitFeeMicros: 590_000, toHolderMicros: 98_410_000 }])
  })

  it('PQ-457 PQ-300 a later holder is bought back: its fee from its price, the amount from the stake', () => {
    const d = auctioned()
    exit(d, 10, 21, 1, usd(60))
    d.cashout(21, 1)
    exit(d, 21, 20, 2, usd(70))
    expect(d.of('positionBoughtBack')).toMatchObject([
      {
        holder: 21, backer: 20, differenceMicros: 45_250_000, isPaidByMaker: 1, toHolderMicros: 69_900_000, profitFeeMicros: 100_000,
        toBackerMicros: 29_000_000,
      },
    ])
    expect([10, 20, 21].map((account) => d.free(account))).toEqual([1_034_647_500, 954_750_000, 1_009_900_000])
    expect(d.view.totals()).toMatchObject({ houseMicros: 352_500 + 100_000 + 250_000, potMicros: 0, escrowMicros: 0 })
  })

  it('PQ-457 with profitFeeOnMaker the maker pays for its gain from the stake, whatever a later holder has paid', () => {
    const d = auctioned({ profitFeeOnTransfer: 1, profitFeeOnMaker: 1 })
    exit(d, 10, 21, 1, usd(20))
    d.cashout(21, 1)
    exit(d, 21, 20, 2, usd(22))
    // Holder 21 gains 2 on its price of 20. The maker gains 24.75 − 22 on the stake and gets 99 − 22 − 0.0275.
    expect(d.moved).toEqual([
      'buyback: pot 1 -> free 21 21980000', 'profitFee: pot 1 -> house 20000', 'buyback: pot 1 -> free 20 76972500', 'profitFee: pot 1 -> house 27500',
      'takerFee: escrow 1 -> house 250000',
    ])
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
    expect(exit(d, 10, 21, 1, usd(60))).toMatchObject({ toSellerMicros: usd(60), profitFeeMicros: 0, priceMicros: usd(60) })
    expect(d.moved).toEqual(['transfer: free 21 -> free 10 60000000'])
    expect(d.of('auctionCommitted')).toMatchObject([{ profitFeeMicros: 0 }])
    expect(d.view.position(1)).toMatchObject({ basisMicros: 24_750_000, costMicros: usd(60) })
    win(d)
    // 1 % of 74.25, all of it from the last holder.
    expect(d.of('positionSettled')).toMatchObject([{ holder: 21, profitFeeMicros: 742_500, toHolderMicros: 98_257_500 }])
  })

  it('PQ-420 with profitFeeOnTransfer 0 a closing cash-out still takes it, from the stake', () => {
    const d = auctioned({ profitFeeOnTransfer: 0 })
    exit(d, 10, 21, 1, usd(60))
    d.cashout(21, 1)
    expect(exit(d, 21, 20, 2, usd(60))).toMatchObject({ profitFeeMicros: 352_500, toSellerMicros: 59_647_500 })
  })
})

describe('what portfolios count', () => {
  it('a sale ends the seller\'s holding, a transfer begins the buyer\'s, a buyback ends the maker\'s', () => {
    const d = auctioned()
    exit(d, 10, 21, 1, usd(60))
    // 59.6475 for a bet of 25.
    expect(d.view.portfolio(10).stats).toMatchObject({ totalParlays: 1, wins: 0, losses: 0, totalWageredMicros: usd(25), realizedPnlMicros: 34_647_500 })
    expect(d.view.portfolio(10).counts).toMatchObject({ executed: 0, totalSettled: 1 })
    expect(d.view.portfolio(21)).toMatchObject({
      stats: { totalParlays: 1, totalWageredMicros: usd(60), realizedPnlMicros: 0 }, counts: { executed: 1, totalSettled: 0 },
      summary: { activeCount: 1, activeBetMicros: usd(60), portfolioMicros: usd(1000) },
    })
    expect(d.view.portfolio(20).stats).toMatchObject({ makerRealizedMicros: 0 })
    d.cashout(21, 1)
    exit(d, 21, 20, 2, usd(50))
    expect(d.view.portfolio(21)).toMatchObject({
      stats: { totalParlays: 1, realizedPnlMicros: -usd(10) }, counts: { executed: 0, totalSettled: 1 }, summary: { activeCount: 0, portfolioMicros: usd(990) },
    })
    const gained = auctioned()
    exit(gained, 10, 20, 1, usd(60))
    expect([gained.view.portfolio(10).stats.realizedPnlMicros, gained.view.portfolio(20).stats.makerRealizedMicros]).toEqual([34_647_500, -35_250_000])
    // 49 of the pot for a risk of 74.25.
    expect(d.view.portfolio(20).stats).toMatchObject({ totalParlays: 0, makerRealizedMicros: -25_250_000 })
  })
})
