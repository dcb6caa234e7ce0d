import { describe, expect, it } from 'vitest'
import type { MakerStrategy } from '../../src/agent/maker.ts'
import exposureLimited from '../../src/agent/makers/exposureLimited.ts'
import fixedMargin from '../../src/agent/makers/fixedMargin.ts'
import shade from '../../src/agent/makers/shade.ts'
import { parameterValues } from '../../src/agent/parameters.ts'
import { fakeDesk, legsRowOn, requestOn, selectionOn } from './fakes.ts'

const usd = (amount: number): number => amount * 1_000_000
const YES0 = [0, 1] as const
const YES1 = [1, 1] as const
/** What buys against a bid of 0.50. */
const EVEN = [1, 0] as const
/** Asks of 0.42 and 0.54: fair is 0.2268, whose billionths are recorded beside each quote. */
const LEGS = [YES0, YES1] as const
const FAIR_E9 = 226_800_000
const seat = { name: 'me', capitalMicros: usd(1000), random: () => 0.5 }

const made = (strategy: unknown, values: Record<string, number>) => {
  const { parameters, create } = strategy as MakerStrategy
  return { ...fakeDesk(), handlers: create(parameterValues(parameters, values), seat) }
}

describe('a fixed margin', () => {
  it('quotes the product of asks, marked up and rounded down', () => {
    const { desk, port, handlers } = made(fixedMargin, { margin: 0.04, validity: 15_000_000 })
    handlers.onRequest!(requestOn(LEGS), desk)
    // 1 / (0.2268 × 1.04) = 1 / 0.235872 = 4.23958…
    expect(port.calls).toEqual([['quote', 3, 9, 42_395, 15_000_000, FAIR_E9]])
  })

  it('is valid for as long as it is told', () => {
    const { desk, port, handlers } = made(fixedMargin, { margin: 0, validity: 5_000_999 })
    handlers.onRequest!(requestOn(LEGS), desk)
    // 1 / 0.2268 = 4.40917…
    expect(port.calls).toEqual([['quote', 3, 9, 44_091, 5_000_999, FAIR_E9]])
  })

  it('passes without a price that is young enough', () => {
    for (const [legs, maxAge] of [[[YES0, [2, 1]], 1e9], [LEGS, 999_999]] as const) {
      const { desk, book, port, handlers } = made(fixedMargin, { maxAge })
      handlers.onRequest!(requestOn(legs), desk)
      expect([port.calls, book.passes]).toEqual([[], 1])
    }
  })

  it('passes when a leg holds more than its cap', () => {
    const { desk, book, port, handlers } = made(fixedMargin, { cap: usd(100) })
    book.opened(legsRowOn(YES0), usd(100))
    handlers.onRequest!(requestOn(LEGS), desk)
    expect(port.calls.length).toBe(1)
    book.opened(legsRowOn(YES0), 1)
    handlers.onRequest!(requestOn(LEGS), desk)
    expect([port.calls.length, book.passes, port.reasons]).toEqual([1, 1, ['cap of 100 USDC']])
  })

  it('passes when its free capital does not cover the risk', () => {
    const { desk, book, port, handlers } = made(fixedMargin, { margin: 0 })
    // 10 USDC at 0.2268: a risk of 34.0917… USDC, and the desk has 34.091 or 34.092 left of its 1000.
    book.freeMicros = 34_091_000
    handlers.onRequest!(requestOn(LEGS), desk)
    expect([port.calls.length, book.passes]).toEqual([0, 1])
    book.freeMicros = 34_092_000
    handlers.onRequest!(requestOn(LEGS), desk)
    expect(port.calls.length).toBe(1)
  })

  it.each([
    // 0.2268 stands against the quoted probability and its tolerance of 5 %: 0.216 × 1.05 = 0.2268.
    [0.2161, 'confirm'], [0.2159, 'decline'],
  ])('quoted at %s, it chooses to %s', (quoted, choice) => {
    const { desk, port, handlers } = made(fixedMargin, { tolerance: 0.05 })
    handlers.onSelected!(selectionOn(LEGS, quoted), desk)
    expect(port.calls).toEqual([[choice, 3, 4]])
  })

  it('declines when the price is gone', () => {
    const { desk, port, handlers } = made(fixedMargin, {})
    handlers.onSelected!(selectionOn([[3, 1]], 1), desk)
    expect(port.calls).toEqual([['decline', 3, 4]])
  })
})

describe('a limited exposure', () => {
  const limited = (values: Record<string, number> = {}) => made(exposureLimited, {
    margin: 0.03, skew: 0.08, legLimit: usd(100), totalLimit: usd(500), validity: 12_000_000, ...values,
  })

  it('asks more, the more of a leg’s limit the bet would use', () => {
    const { desk, book, port, handlers } = limited()
    book.opened(legsRowOn(YES0), usd(30))
    handlers.onRequest!(requestOn(LEGS), desk)
    // The bet risks 10 × (1/0.2268 − 1) = 34.0917…; 64.0917… of 100 used. Margin 0.03 + 0.08 × 0.640917 = 0.0812733…
    // 1 / (0.2268 × 1.0812733) = 4.07776…
    expect(port.calls).toEqual([['quote', 3, 9, 40_777, 12_000_000, FAIR_E9]])
  })

  it('quotes up to its limits and no further', () => {
    const RISK = 34_091_711 // 10 / 0.2268 − 10 = 34.0917107…, in whole micro-units above it
    for (const values of [{ legLimit: RISK }, { totalLimit: RISK }]) {
      const at = limited(values)
      at.handlers.onRequest!(requestOn(LEGS), at.desk)
      expect(at.port.calls.length).toBe(1)
    }
    // At 0.5 the bet risks what it stakes, 10.
    for (const [legLimit, quotes] of [[usd(10), 1], [usd(10) - 1, 0]] as const) {
      const even = limited({ legLimit })
      even.handlers.onRequest!(requestOn([EVEN]), even.desk)
      expect([legLimit, even.port.calls.length]).toEqual([legLimit, quotes])
    }
    for (const limit of ['legLimit', 'totalLimit']) {
      const over = limited({ [limit]: RISK - 1 })
      over.handlers.onRequest!(requestOn(LEGS), over.desk)
      expect([over.port.calls.length, over.book.passes, over.port.reasons]).toEqual([0, 1, [`${limit} of 34.09171 USDC`]])
    }
  })

  it('passes when its free capital does not bear the risk', () => {
    const { desk, book, port, handlers } = limited({ totalLimit: usd(5000) })
    book.opened(legsRowOn([2, 0]), usd(965))
    handlers.onRequest!(requestOn(LEGS), desk)
    expect(port.calls.length).toBe(1)
    book.opened(legsRowOn([2, 0]), usd(1))
    handlers.onRequest!(requestOn(LEGS), desk)
    expect([port.calls.length, port.reasons]).toEqual([1, ['capital']])
  })

  it.each([[0.227, 'confirm'], [0.2267, 'decline']])('quoted at %s, it chooses to %s', (quoted, choice) => {
    const { desk, port, handlers } = limited()
    handlers.onSelected!(selectionOn(LEGS, quoted), desk)
    expect(port.calls).toEqual([[choice, 3, 4]])
  })
})

describe('a shaded margin', () => {
  const shaded = (values: Record<string, number> = {}) => made(shade, { margin: 0.02, curse: 0.05, memory: 0.5, cap: usd(100), validity: 10_000_000, ...values })

  it('is the plain one before it knows of rivals', () => {
    const { desk, port, handlers } = shaded()
    handlers.onRequest!(requestOn(LEGS), desk)
    // 1 / (0.2268 × 1.02) = 4.32272…
    expect(port.calls).toEqual([['quote', 3, 9, 43_227, 10_000_000, FAIR_E9]])
  })

  it('rises with the rivals that the book’s changes tell of', () => {
    const { desk, port, handlers } = shaded()
    handlers.onBest!(requestOn(LEGS, { bookChanges: 5 }), desk)
    expect(handlers.state).toEqual({ offers: 3 })
    handlers.onRequest!(requestOn(LEGS), desk)
    // Half of the way from 1 to 5 offers: 0.02 + 0.05 × (3 − 1)/(3 + 1) = 0.045; 1 / (0.2268 × 1.045) = 4.21930…
    expect(port.calls).toEqual([['quote', 3, 9, 42_193, 10_000_000, FAIR_E9]])
  })

  it('never falls under the plain one', () => {
    const { desk, port, handlers } = shaded({ memory: 1 })
    handlers.onBest!(requestOn(LEGS, { bookChanges: 0 }), desk)
    handlers.onRequest!(requestOn(LEGS), desk)
    expect(port.calls).toEqual([['quote', 3, 9, 43_227, 10_000_000, FAIR_E9]])
  })

  it('passes without a price and over its cap', () => {
    const { desk, book, port, handlers } = shaded()
    book.hear('market')
    handlers.onRequest!(requestOn([[3, 1]]), desk)
    book.opened(legsRowOn(YES1), usd(100) + 1)
    book.hear('market')
    handlers.onRequest!(requestOn(LEGS), desk)
    expect([port.calls, book.passes]).toEqual([[], 2])
  })

  it.each([[0.227, 'confirm'], [0.2267, 'decline']])('quoted at %s, it chooses to %s', (quoted, choice) => {
    const { desk, port, handlers } = shaded()
    handlers.onSelected!(selectionOn(LEGS, quoted), desk)
    expect(port.calls).toEqual([[choice, 3, 4]])
  })
})
