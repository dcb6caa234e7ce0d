import { describe, expect, it } from 'vitest'
import { costsUs, type Figure, type FigureSpec, measure, type Program, rangeOf } from '../../bench/figures.ts'

const spec = (key: string): FigureSpec => ({ key, name: key, unit: 'requests/s', better: 'more', comparedBy: 'calibration' })

describe('a range', () => {
  it.each([
    [[7], { median: 7, low: 7, high: 7 }],
    [[3, 1, 2], { median: 2, low: 1, high: 3 }],
    [[40, 10, 20, 100], { median: 30, low: 10, high: 100 }],
    // They are compared as numbers, not as texts.
    [[9, 100, 11], { median: 11, low: 9, high: 100 }],
  ])('of %j is %j', (values, range) => {
    expect(rangeOf(values)).toEqual(range)
  })

  it('leaves the values in their order, which is that of the rounds', () => {
    const values = [3, 1, 2]
    rangeOf(values)
    expect(values).toEqual([3, 1, 2])
  })
})

describe('a cost', () => {
  const rates = (...values: number[]): Figure => ({ ...spec('rate'), values, calibration: values.map(() => 1) })

  it('is the difference of times, round by round: 100,000 a second are 10 µs each, 80,000 are 12.5', () => {
    expect(costsUs(rates(80_000, 50_000), rates(100_000, 40_000))).toEqual([2.5, -5])
  })
})

describe('programs', () => {
  it('run in turn, each after the calibration loop, round after round', () => {
    const order: string[] = []
    let loops = 0
    const calibrate = (): number => {
      order.push('loop')
      return ++loops
    }
    const program = (name: string): Program => ({
      name, figures: [spec(name)],
      run: () => {
        order.push(name)
        return { [name]: loops * 10 }
      },
    })
    const figures = measure([program('a'), program('b')], 2, calibrate)
    expect(order).toEqual(['loop', 'a', 'loop', 'b', 'loop', 'a', 'loop', 'b'])
    expect(figures).toEqual([
      { ...spec('a'), values: [10, 30], calibration: [1, 3] },
      { ...spec('b'), values: [20, 40], calibration: [2, 4] },
    ])
  })

  it('give every figure that they announce', () => {
    const program: Program = { name: 'half', figures: [spec('x'), spec('y')], run: () => ({ x: 1 }) }
    expect(() => measure([program], 1, () => 1)).toThrow('half gave no y')
  })
})
