import { expect, it } from 'vitest'
import { keepLatest } from '../../src/trade/latest.ts'
import { Names } from '../../src/trade/names.ts'

it('names have numbers from 1 on in the order in which they were met, and the one of no use for longest is forgotten', () => {
  const names = new Names(2)
  expect([names.of('a'), names.of('b'), names.of('a')]).toEqual([1, 2, 1])
  expect(names.of('c')).toBe(3)
  expect([1, 2, 3].map((number) => names.name(number))).toEqual(['a', '', 'c'])
  // What is met again after that is new.
  expect(names.of('b')).toBe(4)
  expect([names.name(1), names.name(4)]).toEqual(['', 'b'])
})

it('the latest entries are kept, and one that is kept again is the latest', () => {
  const map = new Map<string, number>()
  for (const [key, value] of [['a', 1], ['b', 2], ['a', 3], ['c', 4]] as const) keepLatest(map, key, value, 2)
  expect([...map]).toEqual([['a', 3], ['c', 4]])
})

it('as many names are known as are open on a service, and more', () => {
  const names = new Names()
  for (let i = 0; i < 100_001; i++) names.of(`n${i}`)
  expect([names.name(1), names.name(2)]).toEqual(['', 'n1'])
})
