import { describe, expect, it } from 'vitest'
import type { Exposure } from '../../src/agent/makerDesk.ts'
import { fakeDesk, legsRowOn, requestOn, selectionOn } from './fakes.ts'

const YES0 = [0, 1] as const
const NO0 = [0, 0] as const
const YES1 = [1, 1] as const
const usd = (amount: number): number => amount * 1_000_000
const risksOf = ({ worst, total }: Exposure): Exposure => ({ worst, total })

describe('a quote', () => {
  const request = requestOn([YES0, YES1])

  it('goes out at the odds of its probability, rounded down, with its fair value in billionths', () => {
    const { desk, port } = fakeDesk()
    desk.quote(request, { probability: 0.3, validUs: 8_000_000, fair: 0.25 })
    desk.quote(request, { probability: 1.2, validUs: 1_000 })
    expect(port.calls).toEqual([['quote', 3, 9, 33_333, 8_000_000, 250_000_000], ['quote', 3, 9, 10_001, 1_000, -1]])
  })

  it.each([NaN, undefined, 0, -0.1, Infinity])('refuses the probability %s', (probability) => {
    const { desk, port } = fakeDesk()
    expect(() => desk.quote(request, { probability: probability as number, validUs: 8_000_000 })).toThrow('a quote needs a finite probability above 0')
    expect(port.calls).toEqual([])
  })

  it.each([NaN, 0, -1, 999, 1000.5, Infinity])('refuses to be valid for %s µs', (validUs) => {
    expect(() => fakeDesk().desk.quote(request, { probability: 0.5, validUs })).toThrow('a whole number of µs from 1,000 on')
  })

  it.each([NaN, -0.001, 1.001])('refuses the fair probability %s', (fair) => {
    expect(() => fakeDesk().desk.quote(request, { probability: 0.5, validUs: 8_000_000, fair })).toThrow('within 0 … 1')
  })

  it.each([0, 1])('takes the fair probability %s', (fair) => {
    const { desk, port } = fakeDesk()
    desk.quote(request, { probability: 0.5, validUs: 8_000_000, fair })
    expect(port.calls).toEqual([['quote', 3, 9, 20_000, 8_000_000, fair * 1e9]])
  })

  it('is refused with an ordinary error whose stack begins with the strategy', () => {
    let error: Error | undefined
    try {
      fakeDesk().desk.quote(request, { probability: NaN, validUs: 8_000_000 })
    } catch (thrown) {
      error = thrown as Error
    }
    expect(error!.name).toBe('Error')
    expect(error!.stack!.split('\n')[1]).toContain('makerDesk.test.ts')
  })
})

describe('the price of a parlay', () => {
  const { desk } = fakeDesk()
  const ask = { priceType: 'ask', maxAgeUs: 1_000_000 } as const

  it('is the product of its legs’ prices', () => {
    expect(desk.price(requestOn([YES0, YES1]).legs, ask)).toBeCloseTo(0.42 * 0.54, 12)
    expect(desk.price(requestOn([YES0, YES1]).legs, { ...ask, priceType: 'bid' })).toBeCloseTo(0.4 * 0.5, 12)
    expect(desk.price(requestOn([YES0, YES1]).legs, { ...ask, priceType: 'mid' })).toBeCloseTo(0.41 * 0.52, 12)
  })

  it('takes NO as the mirror of YES', () => {
    // NO asks 1 − 0.40 and is wanted at 1 − 0.42.
    expect(desk.price(requestOn([NO0]).legs, ask)).toBeCloseTo(0.6, 12)
    expect(desk.price(requestOn([NO0]).legs, { ...ask, priceType: 'bid' })).toBeCloseTo(0.58, 12)
  })

  it('is there for as long as the oldest leg is young enough', () => {
    expect(desk.price(requestOn([YES0]).legs, { ...ask, maxAgeUs: 1_000_000 })).toBeCloseTo(0.42, 12)
    expect(desk.price(requestOn([YES0]).legs, { ...ask, maxAgeUs: 999_000 })).toBeNaN()
    expect(desk.priceAgeUs(requestOn([YES0]).legs, 0)).toBe(1_000_000)
  })

  it('is missing when a leg has none', () => {
    expect(desk.price(requestOn([YES0, [2, 1]]).legs, ask)).toBeNaN()
    expect(desk.price(requestOn([[3, 1]]).legs, ask)).toBeNaN()
    expect(desk.legPrice(requestOn([[2, 0]]).legs, 0, ask)).toBeCloseTo(0.1, 12)
    expect(desk.priceAgeUs(requestOn([[3, 1]]).legs, 0)).toBe(Infinity)
  })

  it('stands for what the touch holds', () => {
    expect(desk.legDepth(requestOn([YES0]).legs, 0)).toBe(300)
    expect(desk.legDepth(requestOn([NO0]).legs, 0)).toBe(700)
  })
})

describe('the book of positions', () => {
  it('adds risk to each leg, and gives it back with what the end paid', () => {
    const { desk, book } = fakeDesk()
    book.opened(legsRowOn(YES0, YES1), usd(30))
    book.opened(legsRowOn(YES0, [2, 0]), usd(20))
    expect(risksOf(desk.exposure(requestOn([YES0, NO0]).legs))).toEqual({ worst: usd(50), total: usd(50) })
    expect(risksOf(desk.exposure(requestOn([YES1]).legs))).toEqual({ worst: usd(30), total: usd(50) })
    expect(risksOf(desk.exposure(requestOn([NO0]).legs))).toEqual({ worst: 0, total: usd(50) })
    expect([desk.freeMicros, desk.capitalMicros, desk.openPositions]).toEqual([usd(950), usd(1000), 2])

    // The first is won: its 30 come back with a stake of 10. The second is lost.
    book.closed(legsRowOn(YES0, YES1), usd(30), usd(40))
    expect(risksOf(desk.exposure(requestOn([YES0]).legs))).toEqual({ worst: usd(20), total: usd(20) })
    expect([desk.freeMicros, desk.capitalMicros]).toEqual([usd(990), usd(1010)])
    book.closed(legsRowOn(YES0, [2, 0]), usd(20), 0)
    expect(risksOf(desk.exposure(requestOn([YES0, YES1]).legs))).toEqual({ worst: 0, total: 0 })
    expect([desk.freeMicros, desk.capitalMicros, desk.openPositions]).toEqual([usd(990), usd(990), 0])
  })

  it('goes on from a snapshot', () => {
    const { desk, book } = fakeDesk()
    book.opened(legsRowOn(YES0), usd(30))
    const image = book.snapshot()
    book.opened(legsRowOn(YES0), usd(5))
    book.restore(image)
    expect(risksOf(desk.exposure(requestOn([YES0]).legs))).toEqual({ worst: usd(30), total: usd(30) })
    expect(desk.freeMicros).toBe(usd(970))
  })

  it('keeps each of its numbers in a snapshot', () => {
    const [{ book }, { book: restored }] = [fakeDesk(), fakeDesk()]
    // Two are answers that hold within a handler.
    const names = Object.keys(book).filter((name) => typeof book[name as keyof typeof book] === 'number' && !['seat', 'worstMicros', 'totalMicros'].includes(name))
    expect(names).toEqual(expect.arrayContaining(['nowUs', 'freeMicros', 'passes', 'requests', 'commandsOnAnswers']))
    names.forEach((name, i) => Object.assign(book, { [name]: 1000 + i }))
    restored.restore(book.snapshot())
    expect(names.map((name) => restored[name as keyof typeof book])).toEqual(names.map((_, i) => 1000 + i))
  })
})

describe('a desk', () => {
  it('passes its commands on with its seat', () => {
    const { desk, book, port } = fakeDesk()
    desk.withdrawQuote(requestOn([YES0]))
    desk.confirm(selectionOn([YES0], 0.5))
    desk.decline(selectionOn([YES0], 0.5))
    desk.later(requestOn([YES0]), 0)
    desk.pass('no wish')
    expect(port.calls).toEqual([['withdraw', 3, 9], ['confirm', 3, 4], ['decline', 3, 4], ['later', 3, 9, 0]])
    expect(book.passes).toBe(1)
  })
})
