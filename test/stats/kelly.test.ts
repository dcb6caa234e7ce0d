import { describe, expect, it } from 'vitest'
import { growthOptimal } from '../../src/stats/kelly.ts'

/** Even money on a share `stake` of the capital, of which `won` of `all` are won. */
const evenMoney = (won: number, all: number, stake = 1): number[] => Array.from({ length: all }, (_, i) => (i < won ? stake : -stake))

describe('the growth-optimal multiple', () => {
  // J. L. Kelly, 1956: of even money that is won with probability p, 2p − 1.
  it.each([[6, 10, 0.2], [51, 100, 0.02], [9, 10, 0.8], [3, 4, 0.5]])('of even money that is won %d times in %d is 2p − 1', (won, all, expected) => {
    expect(growthOptimal(evenMoney(won, all))).toBeCloseTo(expected, 12)
  })

  it('is in multiples of what was staked', () => {
    // A twentieth of the capital each time: 0.2 of it is four times as much.
    expect(growthOptimal(evenMoney(6, 10, 0.05))).toBeCloseTo(4, 12)
  })

  it('of a bet at odds b is (bp − q)/b, and of a seller of it the same from the other side', () => {
    // Wins 3 with 0.4, loses 1 with 0.6: (1.2 − 0.6)/3.
    expect(growthOptimal([3, 3, -1, -1, -1])).toBeCloseTo(0.2, 12)
    // Earns 1 with 0.8 and loses 3 with 0.2: 0.8/(1 + f) = 0.6/(1 − 3f), so that f is 1/15.
    expect(growthOptimal([1, 1, 1, 1, -3])).toBeCloseTo(1 / 15, 12)
  })

  it('is 0 of a book that does not earn, and undefined where nothing is ever lost', () => {
    expect(growthOptimal(evenMoney(5, 10))).toBe(0)
    expect(growthOptimal(evenMoney(4, 10))).toBe(0)
    expect(growthOptimal([1, 0, 2])).toBeNaN()
    expect(growthOptimal([0, 0])).toBeNaN()
    expect(growthOptimal([])).toBeNaN()
  })

  it('does not stake all that the worst return takes', () => {
    const all = [100, 100, 100, -0.5]
    expect(growthOptimal(all)).toBeLessThan(2)
    // 3 · 100/(1 + 100f) = 0.5/(1 − 0.5f): 300 − 150f = 0.5 + 50f.
    expect(growthOptimal(all)).toBeCloseTo(299.5 / 200, 12)
  })
})
