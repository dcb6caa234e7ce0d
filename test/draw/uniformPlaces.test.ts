import { expect, it } from 'vitest'
import { layPlaces, orderDearestFirst } from '../../src/draw/uniformPlaces.ts'

/** Where the markets of these values lie on a whole uniform, by market. */
function laid(values: readonly number[], markets: readonly number[], whole: number): [number, number][] {
  const order = new Int32Array(markets.length)
  const [from, to] = [new Float64Array(values.length), Float64Array.from(values)]
  orderDearestFirst(markets, values, order)
  // The widths may lie where the ends are written.
  layPlaces(order, markets.length, to, whole, from, to)
  return markets.map((market) => [from[market]!, to[market]!])
}

it('lays the dearest market first, lower numbers first among equals, and each as wide as its share', () => {
  // 0.5, 0.25 and 0.25 of 2: market 2, then 1 and 3. Market 0 is not asked about.
  expect(laid([9, 0.5, 1, 0.5], [3, 1, 2], 2)).toEqual([[0.75, 1], [0.5, 0.75], [0, 0.5]])
})

it('ends at 1 what is wider together, and leaves room where it is narrower', () => {
  expect(laid([0.75, 0.5], [0, 1], 1)).toEqual([[0, 0.75], [0.75, 1]])
  expect(laid([0.25, 0.5], [0, 1], 1)).toEqual([[0.5, 0.75], [0, 0.5]])
  expect(laid([0, 0], [0, 1], 1)).toEqual([[0, 0], [0, 0]])
})
