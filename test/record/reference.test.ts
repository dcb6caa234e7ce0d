import { expect, test } from 'vitest'
import { MarketResult, Side } from '../../src/market/sides.ts'
import { Reference, type ReferencePort } from '../../src/record/reference.ts'

/** Remembers what it was asked; every leg is worth a half. */
function askedPort(): ReferencePort & { readonly asked: string[] } {
  const asked: string[] = []
  return {
    asked,
    parlayValue(atUs, legCount, markets, sides, from) {
      const legs = Array.from({ length: legCount }, (_, i) => `${markets[from + i]}:${sides[from + i]}`)
      asked.push(`${atUs} ${legs.join(' ')}`)
      return 0.5 ** legCount
    },
  }
}

const MARKETS = [9, 0, 1, 2, 9]
const SIDES = [9, Side.yes, Side.no, Side.yes, 9]
const valueOf = (reference: Reference, atUs: number): number => reference.value(atUs, 3, MARKETS, SIDES, 1)

test('open legs are asked for where they stand', () => {
  const port = askedPort()
  expect(valueOf(new Reference(port, 3), 5)).toBe(0.125)
  expect(port.asked).toEqual(['5 0:1 1:0 2:1'])
})

test('a won leg is 1 and is not asked for', () => {
  const port = askedPort()
  const reference = new Reference(port, 3)
  reference.resolve(1, MarketResult.no, 4)
  expect(valueOf(reference, 5)).toBe(0.25)
  expect(port.asked).toEqual(['5 0:1 2:1'])
})

test('won on every leg, a parlay is worth 1 and no price is asked for', () => {
  const port = askedPort()
  const reference = new Reference(port, 3)
  reference.resolve(0, MarketResult.yes, 1)
  reference.resolve(1, MarketResult.no, 2)
  reference.resolve(2, MarketResult.yes, 3)
  expect(valueOf(reference, 5)).toBe(1)
  expect(port.asked).toEqual([])
})

test.each([
  ['a lost leg makes 0', [[0, MarketResult.no, 3]], 0],
  ['a void leg leaves no value', [[0, MarketResult.void, 3]], NaN],
  ['a void after a loss changes nothing', [[0, MarketResult.no, 3], [2, MarketResult.void, 4]], 0],
  ['a loss after a void changes nothing', [[2, MarketResult.void, 3], [0, MarketResult.no, 4]], NaN],
  ['A23 a loss beats a void of the same instant', [[2, MarketResult.void, 3], [0, MarketResult.no, 3]], 0],
] as const)('%s', (_, results, value) => {
  const reference = new Reference(askedPort(), 3)
  for (const [market, result, atUs] of results) reference.resolve(market, result, atUs)
  expect(valueOf(reference, 5)).toBe(value)
})

test('without a port nothing is known, results or not', () => {
  const reference = new Reference(null, 3)
  reference.resolve(0, MarketResult.no, 3)
  expect(valueOf(reference, 5)).toBe(NaN)
})

test('on the outcome service a loss after a void loses too', () => {
  const reference = new Reference(askedPort(), 3, true)
  reference.resolve(2, MarketResult.void, 3)
  expect(valueOf(reference, 3)).toBe(NaN)
  reference.resolve(0, MarketResult.no, 4)
  expect(valueOf(reference, 5)).toBe(0)
})

test.each([
  ['nothing has a result', [], Infinity],
  ['all but one leg are won', [[0, MarketResult.yes, 3], [1, MarketResult.no, 4]], Infinity],
  ['the last leg is won', [[0, MarketResult.yes, 3], [2, MarketResult.yes, 7], [1, MarketResult.no, 4]], 7],
  ['a leg is lost before the last one is won', [[0, MarketResult.yes, 3], [2, MarketResult.no, 7], [1, MarketResult.no, 9]], 7],
  ['a leg is void, then another lost', [[1, MarketResult.void, 4], [0, MarketResult.no, 6]], 4],
] as const)('results decide when %s', (_, results, decidedUs) => {
  const reference = new Reference(null, 3)
  for (const [market, result, atUs] of results) reference.resolve(market, result, atUs)
  expect(reference.decidedUs(3, [0, 1, 2], [1, 0, 1], 0)).toBe(decidedUs)
})

test('at the touch results count as at V, and without a port that knows it nothing is known', () => {
  const port: ReferencePort = { ...askedPort(), touchValue: (how, _, legCount) => (how === 'ask' ? 0.6 : 0.4) ** legCount }
  const reference = new Reference(port, 3)
  const touchOf = (how: 'bid' | 'ask'): number => reference.touch(how, 5, 3, MARKETS, SIDES, 1)
  expect([touchOf('ask'), touchOf('bid')]).toEqual([0.6 ** 3, 0.4 ** 3])
  reference.resolve(1, MarketResult.no, 4)
  expect(touchOf('ask')).toBe(0.36)
  reference.resolve(2, MarketResult.void, 5)
  expect(touchOf('ask')).toBeNaN()
  reference.resolve(0, MarketResult.no, 5)
  expect(touchOf('bid')).toBe(0)
  expect([reference.hasTouch, new Reference(askedPort(), 3).hasTouch]).toEqual([true, false])
  expect(new Reference(askedPort(), 3).touch('ask', 5, 3, MARKETS, SIDES, 1)).toBeNaN()
})

test('at the close no result counts, and where nothing is drawn together the product is the same', () => {
  const reference = new Reference({ ...askedPort(), closingValue: (legCount) => 0.3 ** legCount }, 3)
  reference.resolve(0, MarketResult.no, 3)
  expect(reference.closing(3, MARKETS, SIDES, 1)).toBe(0.3 ** 3)
  expect(reference.closingProduct(0.7, 3, MARKETS, SIDES, 1)).toBe(0.7)
  const tied = new Reference({ ...askedPort(), isJoint: true, closingValue: () => 0.5, closingProduct: () => 0.3 }, 3)
  expect([tied.closing(3, MARKETS, SIDES, 1), tied.closingProduct(0.5, 3, MARKETS, SIDES, 1)]).toEqual([0.5, 0.3])
  expect(new Reference(askedPort(), 3).closing(3, MARKETS, SIDES, 1)).toBeNaN()
})

test('where outcomes are drawn together the port is told of legs that have come true, behind the open ones, and the product leaves them out', () => {
  const asked: string[] = []
  const port: ReferencePort = {
    isJoint: true,
    parlayValue: (_, legCount, markets, sides, from, wonCount = 0) => {
      asked.push(Array.from({ length: legCount + wonCount }, (__, i) => `${markets[from + i]}:${sides[from + i]}`).join(' '))
      return wonCount / 10
    },
    productValue: (_, legCount) => 0.25 ** legCount,
  }
  const reference = new Reference(port, 3)
  expect([valueOf(reference, 5), reference.product(0, 5, 3, MARKETS, SIDES, 1)]).toEqual([0, 0.25 ** 3])
  reference.resolve(0, MarketResult.yes, 5)
  expect([valueOf(reference, 6), reference.product(0.1, 6, 3, MARKETS, SIDES, 1)]).toEqual([0.1, 0.25 ** 2])
  reference.resolve(2, MarketResult.no, 7)
  expect([valueOf(reference, 8), reference.product(0, 8, 3, MARKETS, SIDES, 1)]).toEqual([0, 0])
  expect(asked).toEqual(['0:1 1:0 2:1', '1:0 2:1 0:1'])
})
