import { describe, expect, it } from 'vitest'
import type { MakerStrategy } from '../../src/agent/maker.ts'
import { MakerBook } from '../../src/agent/makerBook.ts'
import cashOutBidder from '../../src/agent/makers/cashOutBidder.ts'
import exposureLimited from '../../src/agent/makers/exposureLimited.ts'
import fixedMargin from '../../src/agent/makers/fixedMargin.ts'
import shade from '../../src/agent/makers/shade.ts'
import { parameterValues } from '../../src/agent/parameters.ts'
import type { AuctionView } from '../../src/agent/views.ts'
import { Action, AuctionOutcome, Refusal } from '../../src/agent/vocabulary.ts'
import { PriceBoard } from '../../src/market/priceBoard.ts'
import { PublishedResults } from '../../src/market/publishedResults.ts'
import { auctionOn, deskOf, FAKE_TICKS, fakeDesk, heldOn, legsRowOn, PortLog, refusedWith, requestOn } from './fakes.ts'

const usd = (amount: number): number => Math.round(amount * 1_000_000)
const YES0 = [0, 1] as const
const YES1 = [1, 1] as const
/** Bids of 0.40 and 0.50: a chance of 0.2 of 100 USDC. */
const LEGS = [YES0, YES1] as const

describe('what an auctioned position is worth', () => {
  const { desk } = fakeDesk()

  it('is what backing it on would cost to the maker that backs it', () => {
    expect(desk.breakEvenPrice(auctionOn(LEGS, { isBackingMaker: true }), 0.2)).toBeCloseTo(usd(20), 3)
  })

  it('leaves a backer that pays a fee on its gain as much as backing on', () => {
    // 10 USDC pay 100, with 2 % of the maker's gain: backing on brings (1 − f) · (100 − 0.2), buying back 100 − p − 0.02 · (10 − p) up to 10.
    const worth = (fair: number): number => desk.breakEvenPrice(auctionOn(LEGS, { isBackingMaker: true, makerFeeBps: 200 }), fair)
    const [low, high] = [worth(0.05), worth(0.2)]
    // 0.05 · 10 + 0.05 · 90 / 0.98 = 5.091836…; 0.2 · 100 + 0.8 · 0.2 = 20.16.
    expect(low).toBeCloseTo(5_091_836.73, 2)
    expect(usd(100) - low - 0.02 * (usd(10) - low)).toBeCloseTo(0.95 * usd(99.8), 3)
    expect(high).toBeCloseTo(usd(20.16), 3)
    expect(usd(100) - high).toBeCloseTo(0.8 * usd(99.8), 3)
    // Both agree at the stake: f = 0.098 / 0.998.
    expect(worth(0.098 / 0.998 - 1e-9)).toBeCloseTo(worth(0.098 / 0.998 + 1e-9), 0)
  })

  it('leaves a buyer nothing on average, with 1 % of its gain over the price taken off', () => {
    // p = 0.2 · (100 − 0.01 · (100 − p)), so p = 0.2 · 99 / 0.998 = 19.839679…
    const price = desk.breakEvenPrice(auctionOn(LEGS), 0.2)
    expect(price).toBeCloseTo(19_839_679.36, 2)
    expect(0.2 * (usd(100) - 0.01 * (usd(100) - price))).toBeCloseTo(price, 3)
  })

  it('counts the gain from the seller’s basis where a transfer leaves it', () => {
    // 0.2 · (100 − 0.01 · (100 − 10)) = 19.82; a basis above the payout leaves no gain.
    expect(desk.breakEvenPrice(auctionOn(LEGS, { costBasisMicros: usd(10) }), 0.2)).toBeCloseTo(usd(19.82), 3)
    expect(desk.breakEvenPrice(auctionOn(LEGS, { costBasisMicros: usd(120) }), 0.2)).toBeCloseTo(usd(20), 3)
  })

  it('is all of it when it is sure to win', () => {
    expect(desk.breakEvenPrice(auctionOn(LEGS), 1)).toBeCloseTo(usd(100), 3)
  })
})

describe('the chance of legs', () => {
  it('counts results from when they are delivered, and prices of the others', () => {
    const results = new PublishedResults(4)
    const book = new MakerBook(3, 'me', 1, new PriceBoard(FAKE_TICKS, 4, 500_000), 4, new PortLog(), results)
    const desk = deskOf(book)
    book.wake(2_000_000)
    const chance = (...legs: (readonly [number, number])[]): number => desk.winProbability(requestOn(legs).legs, { priceType: 'bid', maxAgeUs: 1e9 })
    results.publish(0, 1, 1_500_001)
    expect(chance(YES0, YES1)).toBeCloseTo(0.2, 12)
    book.wake(2_000_001)
    expect(chance(YES0, YES1)).toBeCloseTo(0.5, 12)
    expect(chance([0, 0], YES1)).toBe(0)
    expect(chance(YES0, [3, 1])).toBeNaN()
    results.publish(3, 2, 0)
    expect(chance(YES0, [3, 1])).toBeNaN()
    expect(chance([0, 0], [3, 1])).toBe(0)
  })
})

describe('a bid', () => {
  it('goes out at its price, or at the payout times its probability, rounded down and within the highest price', () => {
    const { desk, port } = fakeDesk()
    desk.bid(auctionOn(LEGS), { priceMicros: 7, validUs: 5_000_000 })
    desk.bid(auctionOn(LEGS, { payoutMicros: 99 }), { probability: 0.999, validUs: 5_000_000, fair: 0.25 })
    desk.bid(auctionOn(LEGS, { maxPriceMicros: 98 }), { probability: 1, validUs: 5_000_000 })
    expect(port.calls).toEqual([['bid', 3, 6, 7, 5_000_000, -1], ['bid', 3, 6, 98, 5_000_000, 250_000_000], ['bid', 3, 6, 98, 5_000_000, -1]])
  })

  it.each([
    ['0 micro-units', { priceMicros: 0, validUs: 5_000_000 }, 'a bid is a whole number of microUSDC above 0, not 0'],
    ['half a micro-unit', { priceMicros: 0.5, validUs: 5_000_000 }, 'not 0.5'],
    ['no number', { probability: NaN, validUs: 5_000_000 }, 'not NaN'],
    ['no time', { priceMicros: 1, validUs: 999 }, 'a bid is valid for a whole number of µs from 1,000 on, not 999'],
    ['a fair probability over 1', { priceMicros: 1, validUs: 5_000_000, fair: 1.001 }, 'within 0 … 1'],
  ] as const)('of %s is refused', (_name, terms, message) => {
    const { desk, port } = fakeDesk()
    expect(() => desk.bid(auctionOn(LEGS), terms)).toThrow(message)
    expect(port.calls).toEqual([])
  })
})

describe('the book of a maker that holds a position', () => {
  it('has it as an asset at its cost, until its end', () => {
    const { desk, book } = fakeDesk()
    book.bought(usd(30))
    expect([desk.freeMicros, desk.capitalMicros, desk.heldPositions, desk.heldCostMicros]).toEqual([usd(970), usd(1000), 1, usd(30)])
    book.heldEnded(usd(30), usd(99))
    expect([desk.freeMicros, desk.capitalMicros, desk.heldPositions, desk.heldCostMicros]).toEqual([usd(1069), usd(1069), 0, 0])
  })

  it('frees the exposure of one that it buys back', () => {
    const { desk, book } = fakeDesk()
    const legs = legsRowOn(...LEGS)
    book.opened(legs, usd(90))
    book.closed(legs, usd(90), usd(60))
    expect([desk.exposure(requestOn(LEGS).legs).worst, desk.freeMicros, desk.capitalMicros]).toEqual([0, usd(970), usd(970)])
  })
})

describe.each([['fixed-margin', fixedMargin], ['exposure-limited', exposureLimited], ['shade', shade]] as [string, unknown][])('%s', (_name, strategy) => {
  const { parameters, create } = strategy as MakerStrategy
  const made = (values: Record<string, number>) =>
    ({ ...fakeDesk(), handlers: create(parameterValues(parameters, values), { name: 'me', capitalMicros: usd(1000), random: () => 0.5 }) })
  const bidOf = (auction: AuctionView, values: Record<string, number> = {}, freeMicros = usd(1000)): unknown => {
    const { desk, book, port, handlers } = made({ bid: 0.1, ...values })
    book.freeMicros = freeMicros
    handlers.onCashOut!(auction, desk)
    return port.calls[0]
  }

  it('does not hear of auctions unless it is to bid', () => {
    expect(made({}).handlers.onCashOut).toBeUndefined()
  })

  it('bids what the position is worth less its margin', () => {
    // 0.9 of 20, and of 19.839679358…
    expect(bidOf(auctionOn(LEGS, { isBackingMaker: true }))).toEqual(['bid', 3, 6, usd(18), 15_000_000, 200_000_000])
    expect(bidOf(auctionOn(LEGS))).toEqual(['bid', 3, 6, 17_855_711, 15_000_000, 200_000_000])
  })

  it('bids no more than it may, nor than it has for another’s position', () => {
    expect(bidOf(auctionOn(LEGS, { isBackingMaker: true, maxPriceMicros: usd(12) }), {}, 0)).toEqual(['bid', 3, 6, usd(12), 15_000_000, 200_000_000])
    expect(bidOf(auctionOn(LEGS), {}, 17_855_711)).toEqual(['bid', 3, 6, 17_855_711, 15_000_000, 200_000_000])
    expect(bidOf(auctionOn(LEGS), {}, 17_855_710)).toBeUndefined()
  })

  it('does not bid without a price that is young enough, nor less than a micro-unit', () => {
    expect(bidOf(auctionOn([YES0, [3, 1]]))).toBeUndefined()
    expect(bidOf(auctionOn(LEGS), { maxAge: 999_999 })).toBeUndefined()
    expect(bidOf(auctionOn(LEGS, { payoutMicros: 5, isBackingMaker: true }))).toBeUndefined()
  })
})

describe('cashout-bidder', () => {
  it('bids at its margin and hears of no requests', () => {
    const { create, parameters } = cashOutBidder as unknown as MakerStrategy
    const { desk, port } = fakeDesk()
    const handlers = create(parameterValues(parameters, { margin: 0 }), { name: 'me', capitalMicros: usd(1000), random: () => 0.5 })
    handlers.onCashOut!(auctionOn(LEGS), desk)
    expect(port.calls).toEqual([['bid', 3, 6, 19_839_679, 15_000_000, 200_000_000]])
    expect(Object.keys(handlers)).toEqual(['onCashOut'])
    handlers.onCashOut!(auctionOn(LEGS, { isSeller: true }), desk)
    expect(port.calls.length).toBe(1)
  })

  describe('with resellAfter', () => {
    const made = () => {
      const { create, parameters } = cashOutBidder as unknown as MakerStrategy
      const values = parameterValues(parameters, { margin: 0.1, resellAfter: 3_000_000, resellTries: 2 })
      return { ...fakeDesk(), handlers: create(values, { name: 'me', capitalMicros: usd(1000), random: () => 0.5 }) }
    }

    it('offers what it took over after that time, and again as often as it may', () => {
      const { desk, port, handlers } = made()
      handlers.onBought!(heldOn(LEGS), desk)
      handlers.onCheck!(heldOn(LEGS, { checks: 1 }), desk)
      handlers.onAuctionEnded!(heldOn(LEGS, { checks: 1 }), AuctionOutcome.expired, desk)
      handlers.onCashOutRefused!(heldOn(LEGS, { checks: 2 }), refusedWith(Action.openCashOut, Refusal.marketClosed), desk)
      handlers.onAuctionEnded!(heldOn(LEGS, { checks: 1, canCashOut: false }), AuctionOutcome.sold, desk)
      expect(port.calls).toEqual([['check', 3, 5, 3_000_000], ['open', 3, 5], ['check', 3, 5, 3_000_000]])
    })

    it('takes the first bid that reaches what the position brings on average, less its margin', () => {
      // 0.2 · (100 − 0.01 · (100 − 20)) = 19.84; 0.9 of it.
      const { desk, port, handlers } = made()
      const bid = (usdBid: number, fields = {}): void => handlers.onBid!(heldOn(LEGS, { canCashOut: false, isAuctioned: true, bestPriceMicros: Math.round(usdBid * 1e6), ...fields }), desk)
      bid(17.855999)
      bid(17.856, { isAuctioned: false })
      bid(17.856)
      expect(port.calls).toEqual([['take', 3, 5, 17_856_000]])
    })

    it('takes the next bid when the best one is out, and waits for another after other refusals', () => {
      const { desk, port, handlers } = made()
      const refused = (refusal: Refusal): void => handlers.onCashOutRefused!(heldOn(LEGS, { canCashOut: false, isAuctioned: true, bestPriceMicros: usd(18) }), refusedWith(Action.takeBid, refusal), desk)
      refused(Refusal.unavailable)
      refused(Refusal.counterpartyUnable)
      expect(port.calls).toEqual([['take', 3, 5, 17_856_000]])
    })

    it('takes none without a price of each leg', () => {
      const { desk, port, handlers } = made()
      handlers.onBid!(heldOn([YES0, [3, 1]], { isAuctioned: true, bestPriceMicros: usd(90) }), desk)
      expect(port.calls).toEqual([])
    })
  })
})
