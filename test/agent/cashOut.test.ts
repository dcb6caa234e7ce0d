import { describe, expect, it } from 'vitest'
import type { BettorStrategy } from '../../src/agent/bettor.ts'
import type { HoldingPort } from '../../src/agent/bettorPort.ts'
import { CohortBook } from '../../src/agent/cohortBook.ts'
import { holdingCursor } from '../../src/agent/cursor.ts'
import { FACADES } from '../../src/agent/facades/facades.ts'
import impatient from '../../src/agent/bettors/impatient.ts'
import noise from '../../src/agent/bettors/noise.ts'
import stopLoss from '../../src/agent/bettors/stopLoss.ts'
import takeProfit from '../../src/agent/bettors/takeProfit.ts'
import { HoldingCell, Holdings, HoldingState, HoldingWord } from '../../src/agent/holdings.ts'
import { Intents } from '../../src/agent/intents.ts'
import { parameterValues } from '../../src/agent/parameters.ts'
import { Action, AuctionOutcome, Refusal } from '../../src/agent/vocabulary.ts'
import { Draws, Purpose, rootKey } from '../../src/kernel/random.ts'
import { LiveMarkets } from '../../src/market/liveMarkets.ts'
import { PriceBoard } from '../../src/market/priceBoard.ts'
import { PublishedResults } from '../../src/market/publishedResults.ts'
import { refusedWith, ticksOf } from './fakes.ts'

const usd = (amount: number): number => Math.round(amount * 1_000_000)
const sec = (s: number): number => s * 1_000_000

/** Two markets at 49/51 from 1 s on; market 0 at 79/81 from 100 s on and at 19/21 from 200 s on. */
const TICKS = ticksOf([[sec(1), 0, 49, 51], [sec(1), 1, 49, 51], [sec(100), 0, 79, 81], [sec(200), 0, 19, 21]])
const LAG = sec(0.5)

/** A position of 25 USDC that pays 100 when both markets win, opened at 2 s; what its bettor asks for is noted. */
function opened(strategy: unknown, values: Record<string, number>, { arrival = 0, sides = [1, 1] } = {}) {
  const calls: unknown[][] = []
  const holdings = new Holdings()
  const port: HoldingPort = {
    openCashOut(slot, listenUs) {
      holdings.words[slot + HoldingWord.state] = HoldingState.opening
      calls.push(['open', listenUs])
    },
    takeBid(slot, min) {
      holdings.words[slot + HoldingWord.state] = HoldingState.selling
      calls.push(['take', min])
    },
    cancelCashOut: () => void calls.push(['cancel']),
    checkIn: (_slot, delayUs) => void calls.push(['check', delayUs]),
    watch: () => void calls.push(['watch']),
  }
  const none = { requestQuote: () => {}, commit: () => {}, cancelRequest: () => {}, decideIn: () => {} }
  const results = new PublishedResults(2)
  const book = new CohortBook({
    entity: 1, takerFeeBps: 0, intents: new Intents(2), board: new PriceBoard(TICKS, 2, LAG), oracle: undefined, live: new LiveMarkets(2),
    keys: { texts: ['a', 'b'], start: Int32Array.of(0, 1, 2), keys: Int32Array.of(0, 1) },
    draws: new Draws(rootKey('bettors'), Purpose.arrivals), port: none, holdings, results, holdingPort: port,
  })
  book.wake(sec(2))
  const desk = FACADES.bettorDesk(book)
  const cursor = holdingCursor(holdings)
  const view = FACADES.holding(cursor)
  const slot = holdings.begin(0, 0, arrival, sec(2))
  cursor.show(slot, book)
  holdings.cells[slot + HoldingCell.costMicros] = usd(25)
  holdings.cells[slot + HoldingCell.payoutMicros] = usd(100)
  holdings.words[slot + HoldingWord.legCount] = 2
  sides.forEach((side, i) => {
    holdings.legMarkets[holdings.legsFrom(slot) + i] = i
    holdings.legSides[holdings.legsFrom(slot) + i] = side
  })
  const { parameters, create } = strategy as BettorStrategy
  const handlers = create(parameterValues(parameters, { maxAge: sec(1e5), ...values }))
  /** What the bettor does at an instant. */
  const at = (s: number, body: () => void): unknown[][] => {
    calls.length = 0
    book.wake(sec(s))
    body()
    return calls
  }
  const check = (s: number): unknown[][] => at(s, () => {
    holdings.words[slot + HoldingWord.checks]!++
    handlers.onCheck!(view, desk)
  })
  const begun = (): void => {
    if (holdings.words[slot + HoldingWord.state] === HoldingState.opening) holdings.words[slot + HoldingWord.auctions]!++
    holdings.words[slot + HoldingWord.state] = HoldingState.auctioned
  }
  /** The auction runs, and the time of listening is over. */
  const listened = (s: number): unknown[][] => at(s, () => {
    begun()
    handlers.onListened!(view, desk)
  })
  /** The auction runs, and its best bid comes. */
  const bid = (s: number, price: number): unknown[][] => at(s, () => {
    begun()
    holdings.cells[slot + HoldingCell.bestPriceMicros] = price
    handlers.onBid!(view, desk)
  })
  /** The auction ends without a sale. */
  const end = (s: number): unknown[][] => at(s, () => {
    holdings.words[slot + HoldingWord.state] = HoldingState.held
    holdings.cells[slot + HoldingCell.bestPriceMicros] = -1
    handlers.onAuctionEnded!(view, AuctionOutcome.expired, desk)
  })
  /** The cash-out is refused. */
  const refuse = (s: number, refusal: Refusal): unknown[][] => at(s, () => {
    holdings.words[slot + HoldingWord.state] = HoldingState.held
    handlers.onCashOutRefused!(view, refusedWith(Action.openCashOut, refusal), desk)
  })
  return { calls, desk, book, view, holdings, slot, results, handlers, at, check, listened, bid, end, refuse }
}

describe('the value of a position', () => {
  const value = ({ desk, view }: ReturnType<typeof opened>): number => desk.expectedPayout(view, { priceType: 'mid', maxAgeUs: sec(1e5) })

  it('is the payout times the product of delivered prices', () => {
    const world = opened(impatient, {})
    expect(value(world)).toBeCloseTo(usd(25), 3)
    world.book.wake(sec(100) + LAG - 1)
    expect(value(world)).toBeCloseTo(usd(25), 3)
    world.book.wake(sec(100) + LAG)
    expect(value(world)).toBeCloseTo(usd(40), 3)
    expect(world.desk.expectedPayout(world.view, { priceType: 'bid', maxAgeUs: sec(1e5) })).toBeCloseTo(usd(100 * 0.79 * 0.49), 3)
    expect(world.desk.expectedPayout(world.view, { priceType: 'mid', maxAgeUs: sec(50) })).toBeNaN()
  })

  it.each([['a leg that won', 1, [1, 1], 50], ['a leg that lost', 0, [1, 1], 0], ['a NO that won', 0, [0, 1], 50], ['a void leg, which gives the bet back', 2, [1, 1], 25]])(
    'counts %s once its result is delivered', (_name, result, sides, worth) => {
      const world = opened(impatient, {}, { sides })
      world.results.publish(0, result, sec(10))
      world.book.wake(sec(10) + LAG - 1)
      expect(value(world)).toBeCloseTo(usd(25), 3)
      world.book.wake(sec(10) + LAG)
      expect(value(world)).toBeCloseTo(usd(worth), 3)
    })
})

describe('bettors that cash out', () => {
  it.each([impatient, stopLoss, takeProfit])('bet as noise does', (strategy) => {
    for (const [name, parameter] of Object.entries(noise.parameters)) expect((strategy.parameters as Record<string, unknown>)[name]).toEqual(parameter)
  })
})

describe('an impatient bettor', () => {
  const SURE = { holdMin: sec(10), holdMax: sec(10), shareMin: 0.8, shareMax: 0.8, listen: sec(2), tries: 2 }

  it('holds, auctions, listens, and takes the best bid that is good enough', () => {
    const { at, check, listened, bid, handlers, view, desk } = opened(impatient, SURE)
    expect(at(2, () => handlers.onOpened!(view, desk))).toEqual([['check', sec(10)]])
    expect(check(12)).toEqual([['open', sec(2)]])
    // Four fifths of 25 are 20; nothing is taken before 14 s.
    expect(bid(13, usd(22))).toEqual([])
    expect(listened(14)).toEqual([['take', usd(20)]])
  })

  it('takes a bid that comes later at its share and not a micro-unit under it', () => {
    const { at, check, listened, bid, handlers, view, desk } = opened(impatient, SURE)
    at(2, () => handlers.onOpened!(view, desk))
    check(12)
    expect(listened(14)).toEqual([])
    expect(bid(15, usd(20) - 1)).toEqual([])
    expect(bid(15, -1)).toEqual([])
    expect(bid(16, usd(20))).toEqual([['take', usd(20)]])
  })

  it('tries again after as long, as often as it may', () => {
    const { check, bid, end } = opened(impatient, SURE)
    check(12)
    bid(13, usd(1))
    expect(end(22)).toEqual([['check', sec(10)]])
    expect(check(32)).toEqual([['open', sec(2)]])
    bid(33, usd(1))
    expect(end(42)).toEqual([])
  })

  it('takes the next bid when one is out, and no other refusal makes it', () => {
    const { at, check, bid, handlers, view, desk, holdings, slot } = opened(impatient, SURE)
    check(12)
    bid(15, usd(22))
    holdings.words[slot + HoldingWord.state] = HoldingState.auctioned
    holdings.cells[slot + HoldingCell.bestPriceMicros] = usd(21)
    expect(at(16, () => handlers.onCashOutRefused!(view, refusedWith(Action.takeBid, Refusal.unavailable), desk))).toEqual([])
    expect(at(16, () => handlers.onCashOutRefused!(view, refusedWith(Action.takeBid, Refusal.counterpartyUnable), desk))).toEqual([['take', usd(20)]])
  })

  it('waits for a position that is not funded, and gives up on one that cannot be sold', () => {
    const { check, refuse } = opened(impatient, SURE)
    check(12)
    expect(refuse(13, Refusal.notSellable)).toEqual([['check', sec(10)]])
    expect(refuse(13, Refusal.marketClosed)).toEqual([])
  })

  it('draws how long it holds, and the share', () => {
    const waits = Array.from({ length: 200 }, (_, arrival) => {
      const { at, handlers, view, desk } = opened(impatient, { ...SURE, holdMax: sec(30) }, { arrival })
      return at(2, () => handlers.onOpened!(view, desk))[0]![1] as number
    })
    expect(waits.every((us) => us >= sec(10) && us < sec(30))).toBe(true)
    // A mean of 20 s; four standard errors are 4 · 20/√12/√200 = 1.6 s.
    expect(Math.abs(waits.reduce((sum, us) => sum + us, 0) / 200 - sec(20))).toBeLessThan(sec(1.6))
    const shares = Array.from({ length: 200 }, (_, arrival) => {
      const { check, bid } = opened(impatient, { ...SURE, shareMin: 0.5 }, { arrival })
      check(12)
      return (bid(14, usd(30))[0]![1] as number) / usd(25)
    })
    expect(shares.every((share) => share >= 0.5 && share < 0.8001)).toBe(true)
    expect(Math.abs(shares.reduce((sum, share) => sum + share, 0) / 200 - 0.65)).toBeLessThan(0.025)
  })
})

describe.each([
  // The position is worth 25 at first, 40 from 100.5 s on, and 10 from 200.5 s on.
  ['a stop loss', stopLoss, 0.4, 150, 0.41], ['a profit taken', takeProfit, 1.6, 250, 1.59],
] as const)('%s', (_name, strategy, level, quietS, reached) => {
  const SURE = { every: sec(60), looks: 3, shareMin: 0.9, shareMax: 0.9, listen: sec(2) }
  const saleS = strategy === stopLoss ? 201 : 101

  it('looks every so often while there is no reason, and no more often than it may', () => {
    const { at, check, handlers, view, desk } = opened(strategy, { ...SURE, level })
    expect(at(2, () => handlers.onOpened!(view, desk))).toEqual([['check', sec(60)]])
    expect([check(50), check(quietS)].map((calls) => calls.length)).toEqual([1, 1])
    expect(check(quietS)).toEqual([])
  })

  it('sells when the value passes its level', () => {
    const { check, bid } = opened(strategy, { ...SURE, level: reached })
    expect(check(50)).toEqual([['check', sec(60)]])
    expect(check(saleS)).toEqual([['open', sec(2)]])
    const lowest = strategy === stopLoss ? usd(9) : usd(36)
    expect(bid(saleS + 3, lowest - 2)).toEqual([])
    expect(bid(saleS + 4, lowest + 2)).toEqual([['take', expect.closeTo(lowest, -1)]])
  })

  it('does not sell at its level, nor without a price that is young enough', () => {
    expect(opened(strategy, { ...SURE, level, maxAge: sec(1e5) }).check(saleS + 20)[0]![0]).toBe('check')
    expect(opened(strategy, { ...SURE, level: reached, maxAge: sec(1) }).check(saleS + 20)[0]![0]).toBe('check')
  })

  it('looks on after an auction without a sale, and while the position is not funded', () => {
    const { check, bid, end, refuse } = opened(strategy, { ...SURE, looks: 9, level: reached })
    check(saleS)
    bid(saleS + 3, 1)
    expect(end(saleS + 10)).toEqual([['check', sec(60)]])
    expect(refuse(saleS + 11, Refusal.notSellable)).toEqual([['check', sec(60)]])
  })

  it('leaves a position to its end that is too near a close', () => {
    const { check, refuse } = opened(strategy, { ...SURE, looks: 9, level: reached })
    check(saleS)
    expect(refuse(saleS + 1, Refusal.marketClosed)).toEqual([])
  })
})
