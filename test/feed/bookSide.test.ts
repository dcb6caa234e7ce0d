import { expect, it } from 'vitest'
import { BookSide } from '../../src/feed/bookSide.ts'

const contracts = (count: number): number => count * 1e6

it('a side of a book keeps the size of each level when others go, come and are more than there was room for', () => {
  for (const [best, from, step] of [['highest', 1, 1], ['lowest', 600, -1]] as const) {
    const side = new BookSide(best)
    // 600 levels, the best last: each has as many contracts as its number.
    for (let i = 0; i < 600; i++) side.set(from + i * step, contracts(i + 1))
    expect([side.bestE6(), side.bestSize()]).toEqual([from + 599 * step, 600])
    for (let i = 599; i > 0; i--) {
      side.set(from + i * step, 0)
      expect(side.bestSize()).toBe(i)
    }
    expect(side.add(from, contracts(2.5))).toBe(contracts(3.5))
    expect([side.bestE6(), side.bestSize()]).toEqual([from, 3])
    side.set(from, 0)
    expect([side.bestE6(), side.bestSize()]).toEqual([-1, -1])
  }
})

it('a side of a book keeps the sizes above a level that goes', () => {
  const side = new BookSide('highest')
  for (const price of [10, 20, 30]) side.set(price, contracts(price))
  side.set(10, 0)
  expect([side.bestE6(), side.bestSize()]).toEqual([30, 30])
  expect([side.add(20, 0), side.add(30, -contracts(30))]).toEqual([contracts(20), 0])
  expect([side.bestE6(), side.bestSize()]).toEqual([20, 20])
})
