import { describe, expect, test } from 'vitest'
import { exactE6, exactPriceE6 } from '../../src/feed/exactDecimal.ts'

describe('a price', () => {
  test.each([['0', 0], ['0.000001', 1], ['0.62', 620_000], ['.5', 500_000], ['0.999999', 999_999], ['1', 1_000_000], ['1.000000', 1_000_000]])(
    'PQ-025 of %s is %d millionths', (text, priceE6) => {
      expect(exactPriceE6(text)).toBe(priceE6)
    },
  )

  test.each(['-0.000001', '1.000001', '62', '-1'])('PQ-025 of %s is no probability', (text) => {
    expect(exactPriceE6(text)).toBe('price out of range')
    expect(exactE6(text)).toBeTypeOf('number')
  })

  test.each([['0.1234567', 'more than 6 decimals'], ['', 'not a number'], ['NaN', 'not a number'], ['0,5', 'not a number'], ['½', 'not a number']])(
    'of "%s" is refused: %s', (text, trouble) => {
      expect(exactPriceE6(text)).toBe(trouble)
    },
  )
})
