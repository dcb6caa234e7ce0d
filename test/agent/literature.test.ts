import { describe, expect, it } from 'vitest'
import type { MakerStrategy } from '../../src/agent/maker.ts'
import inventory, { askDistance } from '../../src/agent/makers/inventory.ts'
import lastLook, { LookPolicy } from '../../src/agent/makers/lastLook.ts'
import logisticDemand from '../../src/agent/makers/logisticDemand.ts'
import random from '../../src/agent/makers/random.ts'
import shade from '../../src/agent/makers/shade.ts'
import silent from '../../src/agent/makers/silent.ts'
import { parameterValues } from '../../src/agent/parameters.ts'
import { auctionOn, fakeDesk, requestOn, selectionOn } from './fakes.ts'

const usd = (amount: number): number => amount * 1_000_000
/** Asks of 0.42 and 0.54, of 0.2268 together; middles of 0.41 and 0.52, of 0.2132. */
const LEGS = [[0, 1], [1, 1]] as const
const ASK_E9 = 226_800_000
const MIDDLE_E9 = 213_200_000

const made = (strategy: unknown, values: Record<string, number>, draw = 0.5) => {
  const { parameters, create } = strategy as MakerStrategy
  return { ...fakeDesk(), handlers: create(parameterValues(parameters, values), { name: 'me', capitalMicros: usd(1000), random: () => draw }) }
}

describe('inventory on log-odds', () => {
  it('keeps the distance of Guéant, Lehalle and Fernandez-Tapia', () => {
    // Avellaneda and Stoikov's figures: 10·ln(1 + 0.1/1.5) = 0.645385; √(4·0.1/(2·1.5·140) · 1.0666…^16) = √(0.000952381 · 2.80840) = 0.0517172.
    const model = { gamma: 0.1, sigma: 2, decay: 1.5, intensity: 140 }
    expect(askDistance(model, 0)).toBeCloseTo(0.645385 + 0.5 * 0.0517172, 6)
    expect(askDistance(model, 2)).toBeCloseTo(0.645385 + 2.5 * 0.0517172, 6)
    expect(askDistance(model, -3)).toBeCloseTo(0.645385 - 2.5 * 0.0517172, 6)
  })

  // γ = k = 1 and A = 2: δ = ln 2 + (½ + held)·σ; with σ = 2·ln 2 the odds for, 0.2132/0.7868, are multiplied by 2^(2 + 2·held).
  const model = { gamma: 1, sigma: 2 * Math.LN2, decay: 1, intensity: 2, unit: usd(100) }

  it.each([
    ['nothing', 0, 1, 19_226], // 1 + 0.7868/(0.2132·4) = 1.92260…
    ['one unit on each side of a leg', 1, 1, 12_306], // 1 + 0.7868/(0.2132·16) = 1.23065…
    ['as much on the other side', 1, 0, 46_904], // the fair price: 1/0.2132 = 4.69043…
  ])('holding %s, it moves the odds', (_, held, side, oddsE4) => {
    const { desk, port, handlers } = made(inventory, model)
    if (held === 1) desk.opened(requestOn([[0, side], [1, side]]).legs, usd(100))
    handlers.onRequest!(requestOn(LEGS), desk)
    expect(port.calls).toEqual([['quote', 3, 9, oddsE4, 15_000, MIDDLE_E9]])
  })

  it('counts the mean over the legs', () => {
    // 200 USDC on one leg of two is one unit.
    const { desk, port, handlers } = made(inventory, model)
    desk.opened(requestOn([[0, 1]]).legs, usd(200))
    handlers.onRequest!(requestOn(LEGS), desk)
    expect(port.calls[0]![3]).toBe(12_306)
  })

  it('passes without a price, over its cap and without the capital', () => {
    const { desk, port, handlers } = made(inventory, { cap: usd(50) })
    handlers.onRequest!(requestOn([[3, 1]]), desk)
    desk.opened(requestOn([[0, 1]]).legs, usd(51))
    handlers.onRequest!(requestOn(LEGS), desk)
    desk.freeMicros = 1
    handlers.onRequest!(requestOn([[1, 1]]), desk)
    expect([port.calls, desk.passes]).toEqual([[], 3])
  })

  it.each([[0.2132 / 1.019, 'confirm'], [0.2132 / 1.021, 'decline']])('quoted at %d, it chooses to %s', (quoted, choice) => {
    const { desk, port, handlers } = made(inventory, { tolerance: 0.02 })
    handlers.onSelected!(selectionOn(LEGS, quoted), desk)
    expect(port.calls).toEqual([[choice, 3, 4]])
  })
})

describe('logistic demand', () => {
  it('adds the best mark-up to the middle price', () => {
    // 0.1773 ¢ at α = −1.9 and β = 11 per cent: 1/(0.2132 + 0.001773) = 4.65174…
    const { desk, port, handlers } = made(logisticDemand, { alpha: -1.9, beta: 11 })
    handlers.onRequest!(requestOn(LEGS), desk)
    expect(port.calls).toEqual([['quote', 3, 9, 46_517, 15_000, MIDDLE_E9]])
  })

  it('bears what a trade costs besides', () => {
    // Cost of 1 ¢: δ = 1 + (1 + W(exp(1.9 − 1 − 11)))/11, W(4.106e−5) = 4.106e−5: 1.0909 ¢. 1/0.2241095 = 4.46210…
    const { desk, port, handlers } = made(logisticDemand, { alpha: -1.9, beta: 11, cost: 0.01 })
    handlers.onRequest!(requestOn(LEGS), desk)
    expect(port.calls[0]![3]).toBe(44_621)
  })

  it('passes where the mark-up would leave no chance', () => {
    const { desk, port, handlers } = made(logisticDemand, { alpha: 0, beta: 0.012 })
    handlers.onRequest!(requestOn(LEGS), desk)
    expect([port.calls, desk.passes]).toEqual([[], 1])
  })
})

describe('yardsticks', () => {
  it.each([[0, 44_991], [0.5, 42_395], [0.999, 40_087]])('at draw %d a random maker quotes %d', (draw, oddsE4) => {
    // From −2 % to 10 %: 1/(0.2268·0.98) = 4.49915…, 1/(0.2268·1.04) = 4.23958…, 1/(0.2268·1.09988) = 4.00875…
    const { desk, port, handlers } = made(random, { markupMin: -0.02, markupMax: 0.1 }, draw)
    handlers.onRequest!(requestOn(LEGS), desk)
    expect(port.calls).toEqual([['quote', 3, 9, oddsE4, 15_000, ASK_E9]])
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
    expect(port.calls).toEqual([['quote', 3, 9, 42_193, 10_000, ASK_E9]])
  })
})

describe('a last look', () => {
  const MARGIN = 0.04
  /** A selection whose quote was made when the price was `moved` times lower than now. */
  const movedBy = (moved: number) => selectionOn(LEGS, (0.2268 / moved) * (1 + MARGIN))
  const looking = (values: Record<string, number>) => made(lastLook, { margin: MARGIN, tolerance: 0.01, ...values })

  it('quotes a fixed margin', () => {
    const { desk, port, handlers } = looking({})
    handlers.onRequest!(requestOn(LEGS), desk)
    expect(port.calls).toEqual([['quote', 3, 9, 42_395, 15_000, ASK_E9]])
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

  it('holds a decision to the end of the window, less what its way takes', () => {
    const { desk, port, handlers } = looking({ hold: 1, reserve: 500_000 })
    handlers.onSelected!(Object.assign(movedBy(1.02), { deadlineUs: 7_000_000 }), desk)
    handlers.onSelected!(Object.assign(movedBy(1.02), { deadlineUs: 2_500_000 }), desk)
    handlers.onDecision!(movedBy(1), desk)
    // At 2 s: until 6.5 s; the second has no time left.
    expect(port.calls).toEqual([['decideLater', 3, 4, 4_500_000], ['decline', 3, 4], ['confirm', 3, 4]])
  })
})

describe('what they bid in auctions', () => {
  it.each([['inventory', inventory], ['logistic demand', logisticDemand], ['last look', lastLook], ['random', random]])('%s: the worth less its mark-down', (_, strategy) => {
    const { desk, port, handlers } = made(strategy, { bid: 0.1 })
    handlers.onCashout!(auctionOn(LEGS, { profitFeeBps: 0, payoutMicros: usd(100), maxPriceMicros: usd(100) }), desk)
    // Bids of 0.40 and 0.50 on 100 USDC: 20, less a tenth.
    expect(port.calls).toEqual([['bid', 3, 6, usd(18), 15_000, 200_000_000]])
    expect(made(strategy, {}).handlers.onCashout).toBeUndefined()
  })
})
