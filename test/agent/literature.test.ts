import { describe, expect, it } from 'vitest'
import type { MakerStrategy } from '../../src/agent/maker.ts'
import { MakerBook } from '../../src/agent/makerBook.ts'
import inventory, { askDistance } from '../../src/agent/makers/inventory.ts'
import lastLook, { LookPolicy } from '../../src/agent/makers/lastLook.ts'
import logisticDemand from '../../src/agent/makers/logisticDemand.ts'
import random from '../../src/agent/makers/random.ts'
import shade from '../../src/agent/makers/shade.ts'
import silent from '../../src/agent/makers/silent.ts'
import { parameterValues } from '../../src/agent/parameters.ts'
import type { RequestView } from '../../src/agent/views.ts'
import { strategyRandom } from '../../src/kernel/random.ts'
import { PriceBoard } from '../../src/market/priceBoard.ts'
import { ODDS_E4_MAX, probabilityOfOddsE4 } from '../../src/unit/odds.ts'
import { auctionOn, deskOf, fakeDesk, legsRowOn, PortLog, requestOn, selectionOn, ticksOf } from './fakes.ts'

const usd = (amount: number): number => amount * 1_000_000
/** Asks of 0.42 and 0.54, of 0.2268 together; middles of 0.41 and 0.52, of 0.2132. */
const LEGS = [[0, 1], [1, 1]] as const
const ASK_E9 = 226_800_000
const MIDDLE_E9 = 213_200_000

const made = (strategy: unknown, values: Record<string, number>) => {
  const { parameters, create } = strategy as MakerStrategy
  return { ...fakeDesk(), handlers: create(parameterValues(parameters, values), { name: 'me', capitalMicros: usd(1000), random: () => 0.5 }) }
}

describe('inventory on log-odds', () => {
  it('keeps the distance of Guéant, Lehalle and Fernandez-Tapia', () => {
    // Avellaneda and Stoikov's figures: 10·ln(1 + 0.1/1.5) = 0.645385; √(4·0.1/(2·1.5·140) · 1.0666…^16) = √(0.000952381 · 2.80840) = 0.0517172.
    const model = { gamma: 0.1, sigma: 2, decay: 1.5, intensity: 140 }
    expect(askDistance(model)(0)).toBeCloseTo(0.645385 + 0.5 * 0.0517172, 6)
    expect(askDistance(model)(2)).toBeCloseTo(0.645385 + 2.5 * 0.0517172, 6)
    expect(askDistance(model)(-3)).toBeCloseTo(0.645385 - 2.5 * 0.0517172, 6)
  })

  // γ = k = 1 and A = 2: δ = ln 2 + (½ + held)·σ; with σ = 2·ln 2 the odds for, 0.2132/0.7868, are multiplied by 2^(2 + 2·held).
  const model = { gamma: 1, sigma: 2 * Math.LN2, decay: 1, intensity: 2, unit: usd(100) }

  it.each([
    ['nothing', 0, 1, 19_226], // 1 + 0.7868/(0.2132·4) = 1.92260…
    ['one unit on each side of a leg', 1, 1, 12_306], // 1 + 0.7868/(0.2132·16) = 1.23065…
    ['as much on the other side', 1, 0, 46_904], // the fair price: 1/0.2132 = 4.69043…
  ])('holding %s, it moves the odds', (_, held, side, oddsE4) => {
    const { desk, book, port, handlers } = made(inventory, model)
    if (held === 1) book.opened(legsRowOn([0, side], [1, side]), usd(100))
    handlers.onRequest!(requestOn(LEGS), desk)
    expect(port.calls).toEqual([['quote', 3, 9, oddsE4, 15_000_000, MIDDLE_E9]])
  })

  it('counts the mean over the legs', () => {
    // 200 USDC on one leg of two is one unit.
    const { desk, book, port, handlers } = made(inventory, model)
    book.opened(legsRowOn([0, 1]), usd(200))
    handlers.onRequest!(requestOn(LEGS), desk)
    expect(port.calls[0]![3]).toBe(12_306)
  })

  it('passes without a price, over its cap and without the capital', () => {
    const { desk, book, port, handlers } = made(inventory, { cap: usd(50) })
    book.hear('market')
    handlers.onRequest!(requestOn([[3, 1]]), desk)
    book.opened(legsRowOn([0, 1]), usd(51))
    book.hear('market')
    handlers.onRequest!(requestOn(LEGS), desk)
    book.freeMicros = 1
    book.hear('market')
    handlers.onRequest!(requestOn([[1, 1]]), desk)
    expect([port.calls, book.passes]).toEqual([[], 3])
  })

  // Holding nothing it would quote 1/1.92260… = 0.520127…, as above: 0.52012 is over 1.02 times 0.5099, and under 1.02 times 0.51.
  it.each([[0.51, 'confirm'], [0.5099, 'decline']])('quoted at %d, it chooses to %s at what it would quote now', (quoted, choice) => {
    const { desk, port, handlers } = made(inventory, { ...model, tolerance: 0.02 })
    handlers.onSelected!(selectionOn(LEGS, quoted), desk)
    expect(port.calls).toEqual([[choice, 3, 4]])
  })

  it('honours the discount for a request that offsets what it holds', () => {
    // Two units on the other side: 2^(2 − 4) times the odds for, 1 + 0.7868·4/0.2132 = 15.7617…, against 4.69 at the fair price.
    const { desk, book, port, handlers } = made(inventory, { ...model, tolerance: 0 })
    book.opened(legsRowOn([0, 0], [1, 0]), usd(200))
    handlers.onRequest!(requestOn(LEGS), desk)
    expect(port.calls[0]![3]).toBe(157_617)
    handlers.onSelected!(selectionOn(LEGS, 1 / 15.7617), desk)
    expect(port.calls[1]).toEqual(['confirm', 3, 4])
  })

  it('declines once what called for the discount is gone', () => {
    const { desk, port, handlers } = made(inventory, { ...model, tolerance: 0.02 })
    handlers.onSelected!(selectionOn(LEGS, 1 / 15.7617), desk)
    handlers.onSelected!(selectionOn([[3, 1]], 1), desk)
    expect(port.calls).toEqual([['decline', 3, 4], ['decline', 3, 4]])
  })
})

describe('logistic demand', () => {
  it('adds the best mark-up to the middle price', () => {
    // 0.1773 ¢ at α = −1.9 and β = 11 per cent: 1/(0.2132 + 0.001773) = 4.65174…
    const { desk, port, handlers } = made(logisticDemand, { alpha: -1.9, beta: 11 })
    handlers.onRequest!(requestOn(LEGS), desk)
    expect(port.calls).toEqual([['quote', 3, 9, 46_517, 15_000_000, MIDDLE_E9]])
  })

  it('bears what a trade costs besides', () => {
    // Cost of 1 ¢: δ = 1 + (1 + W(exp(1.9 − 1 − 11)))/11, W(4.106e−5) = 4.106e−5: 1.0909 ¢. 1/0.2241095 = 4.46210…
    const { desk, port, handlers } = made(logisticDemand, { alpha: -1.9, beta: 11, cost: 0.01 })
    handlers.onRequest!(requestOn(LEGS), desk)
    expect(port.calls[0]![3]).toBe(44_621)
  })

  it('passes where the mark-up would leave no chance', () => {
    const { desk, book, port, handlers } = made(logisticDemand, { alpha: 0, beta: 0.012 })
    handlers.onRequest!(requestOn(LEGS), desk)
    expect([port.calls, book.passes]).toEqual([[], 1])
  })
})

describe('makers that price by the middle, where a book has one side', () => {
  /** Market 0 stands at 40/42. 1 has a bid of 90 and no ask, 2 an ask of 10 and no bid, and 3 is crossed, 60 bid and 50 asked. All last traded at 75. */
  const deskOn = () => {
    const port = new PortLog()
    const ticks = { ...ticksOf([[1, 0, 40, 42], [1, 1, 90, -1], [1, 2, -1, 10], [1, 3, 60, 50]]), lastE6: new Int32Array(4).fill(750_000) }
    const book = new MakerBook(3, 'me', usd(1000), new PriceBoard(ticks, 4, 0), 4, port)
    book.wake(2)
    return { desk: deskOf(book), book, port }
  }
  const MAKERS: readonly (readonly [string, unknown])[] = [['inventory', inventory], ['logistic demand', logisticDemand]]

  it.each(MAKERS)('%s sells no leg without an ask', (_, strategy) => {
    const { desk, book, port } = deskOn()
    const { handlers } = made(strategy, {})
    for (const leg of [[1, 1], [2, 0]] as const) {
      book.hear('market')
      handlers.onRequest!(requestOn([[0, 1], leg]), desk)
      handlers.onSelected!(selectionOn([[0, 1], leg], 0.99), desk)
    }
    expect(port.calls).toEqual([['decline', 3, 4], ['decline', 3, 4]])
    expect(book.passes).toBe(2)
  })

  it.each(MAKERS)('%s takes the last price, where there is no bid', (_, strategy) => {
    const { desk, port } = deskOn()
    const { handlers } = made(strategy, {})
    handlers.onRequest!(requestOn([[2, 1]]), desk)
    handlers.onRequest!(requestOn([[1, 0]]), desk)
    expect(port.calls.map((call) => call[5])).toEqual([750_000_000, 250_000_000])
  })

  it.each(MAKERS)('%s takes no leg to be worth less than its bid', (_, strategy) => {
    const { desk, port } = deskOn()
    const { handlers } = made(strategy, {})
    handlers.onRequest!(requestOn([[0, 1], [3, 1]]), desk)
    // 0.41 · 0.60, and not 0.41 · 0.55.
    expect(port.calls[0]![5]).toBe(246_000_000)
  })
})

describe('yardsticks', () => {
  const oddsOf = (requests: readonly RequestView[], seed = 'a') => {
    const { desk, port } = fakeDesk()
    const handlers = random.create(parameterValues(random.parameters, { markupMin: -0.02, markupMax: 0.1 }), { name: 'me', capitalMicros: usd(1000), random: strategyRandom(seed, 'me') })
    for (const request of requests) handlers.onRequest!(request, desk)
    return port.calls.map((call) => call[3] as number)
  }
  const betting = (betMicros: number, legs: readonly (readonly [number, number])[] = LEGS) => requestOn(legs, { betMicros })

  it('a random maker quotes evenly between its ends', () => {
    const COUNT = 2000
    // From 1/(0.2268·1.1) = 4.00833… to 1/(0.2268·0.98) = 4.49915…; a tenth of the mark-ups between −2 % and −0.8 %: above 1/(0.2268·0.992) = 4.44472…
    const odds = oddsOf(Array.from({ length: COUNT }, (_, i) => betting(1_000_000 + 10_000 * i)))
    expect(Math.min(...odds)).toBeGreaterThanOrEqual(40_083)
    expect(Math.max(...odds)).toBeLessThanOrEqual(44_991)
    const low = odds.filter((oddsE4) => oddsE4 > 44_447).length
    const high = odds.filter((oddsE4) => oddsE4 < 40_525).length // Above 8.8 %: under 1/(0.2268·1.088) = 4.05254…
    // Four standard errors of a share of a tenth: 4·√(0.09/2000) = 0.027.
    for (const count of [low, high]) expect(Math.abs(count / COUNT - 0.1)).toBeLessThan(0.027)
  })

  it('a random maker asks the same of the same request, in whatever order they come, and of no other', () => {
    const requests = [betting(5_000_000), betting(5_010_000), betting(5_000_000, LEGS.toReversed()), betting(5_000_000, [[0, 1], [1, 0]]), betting(5_000_000, [[0, 1]])]
    const odds = oddsOf(requests)
    expect(oddsOf(requests.toReversed())).toEqual(odds.toReversed())
    expect(oddsOf(requests.slice(3))).toEqual(odds.slice(3))
    expect(oddsOf(requests, 'b')).not.toEqual(odds)
    // Asks of 0.42 · 0.54, of 0.42 · (1 − 0.50) and of 0.42: five mark-ups, to the tenth of a per cent.
    const fair = [0.2268, 0.2268, 0.2268, 0.21, 0.42]
    expect(new Set(odds.map((oddsE4, i) => (10_000 / oddsE4 / fair[i]!).toFixed(3))).size).toBe(requests.length)
  })

  it('a random maker honours what it quotes', () => {
    expect(made(random, {}).handlers.onSelected).toBeUndefined()
    expect(random.parameters).not.toHaveProperty('tolerance')
  })

  it('a silent maker asks to be told nothing', () => {
    expect(made(silent, {}).handlers).toEqual({})
  })
})

describe('a shaded margin where no rival is heard of', () => {
  it('takes the rivals that it is told to assume', () => {
    const { desk, port, handlers } = made(shade, { margin: 0.02, curse: 0.05, rivals: 2 })
    handlers.onRequest!(requestOn(LEGS), desk)
    // Three offers with its own: 0.02 + 0.05·(3 − 1)/(3 + 1) = 0.045; 1/(0.2268·1.045) = 4.21930…
    expect(port.calls).toEqual([['quote', 3, 9, 42_193, 10_000_000, ASK_E9]])
  })
})

describe('a last look', () => {
  const MARGIN = 0.04
  /** A selection whose quote was made when the price was `moved` times lower than now. */
  const movedBy = (moved: number, deadlineAtUs = 0) => selectionOn(LEGS, (0.2268 / moved) * (1 + MARGIN), { deadlineAtUs })
  const looking = (values: Record<string, number>) => made(lastLook, { margin: MARGIN, tolerance: 0.01, ...values })

  it('quotes a fixed margin', () => {
    const { desk, port, handlers } = looking({})
    handlers.onRequest!(requestOn(LEGS), desk)
    expect(port.calls).toEqual([['quote', 3, 9, 42_395, 15_000_000, ASK_E9]])
  })

  it.each([
    [LookPolicy.always, 2, 'confirm'], [LookPolicy.always, 0.5, 'confirm'],
    [LookPolicy.against, 1.009, 'confirm'], [LookPolicy.against, 1.011, 'decline'], [LookPolicy.against, 0.5, 'confirm'],
    [LookPolicy.either, 1.009, 'confirm'], [LookPolicy.either, 1.011, 'decline'], [LookPolicy.either, 0.5, 'decline'], [LookPolicy.either, 0.995, 'confirm'],
  ])('with policy %d, at a price that is %d times what it was, it chooses to %s', (policy, moved, choice) => {
    const { desk, port, handlers } = looking({ policy })
    handlers.onSelected!(movedBy(moved), desk)
    expect(port.calls).toEqual([[choice, 3, 4]])
  })

  it.each([[LookPolicy.always, 'confirm'], [LookPolicy.against, 'decline'], [LookPolicy.either, 'decline']])('with policy %d and no price it chooses to %s', (policy, choice) => {
    const { desk, port, handlers } = looking({ policy })
    handlers.onSelected!(selectionOn([[3, 1]], 0.5), desk)
    expect(port.calls).toEqual([[choice, 3, 4]])
  })

  it('tells no fall from a quote at the highest odds, and a rise from any', () => {
    // Fair at 0.0003, quoted at odds of 1000 for 0.000312: the price of the quote is not told, but is no more than 0.001/1.04 = 0.00096….
    const far = ticksOf([[1, 0, 1, 1], [1, 1, 3, 3], [1, 2, 10, 10]])
    for (const [policy, legs, choice] of [
      [LookPolicy.either, [[0, 1], [1, 1]], 'confirm'], [LookPolicy.either, [[0, 1], [2, 1]], 'decline'], [LookPolicy.against, [[0, 1], [2, 1]], 'decline'],
    ] as const) {
      const port = new PortLog()
      const book = new MakerBook(3, 'me', usd(1000), new PriceBoard(far, 3, 0), 3, port)
      book.wake(2)
      looking({ policy }).handlers.onSelected!(selectionOn(legs, probabilityOfOddsE4(ODDS_E4_MAX)), deskOf(book))
      expect(port.calls).toEqual([[choice, 3, 4]])
    }
  })

  it('holds a decision to the end of the window, less what its way takes', () => {
    const { desk, port, handlers } = looking({ atDeadline: 1, reserve: 500_000 })
    handlers.onSelected!(movedBy(1.02, 7_000_000), desk)
    handlers.onSelected!(movedBy(1.02, 2_500_000), desk)
    handlers.onDecision!(movedBy(1), desk)
    // At 2 s: until 6.5 s; the second has no time left.
    expect(port.calls).toEqual([['decideLater', 3, 4, 4_500_000], ['decline', 3, 4], ['confirm', 3, 4]])
  })
})

describe('what they bid in auctions', () => {
  it.each([['inventory', inventory], ['logistic demand', logisticDemand], ['last look', lastLook], ['random', random]])('%s: the worth less its mark-down', (_, strategy) => {
    const { desk, port, handlers } = made(strategy, { bid: 0.1 })
    handlers.onCashOut!(auctionOn(LEGS, { profitFeeBps: 0, payoutMicros: usd(100), maxPriceMicros: usd(100) }), desk)
    // Bids of 0.40 and 0.50 on 100 USDC: 20, less a tenth.
    expect(port.calls).toEqual([['bid', 3, 6, usd(18), 15_000_000, 200_000_000]])
    expect(made(strategy, {}).handlers.onCashOut).toBeUndefined()
  })
})
