import { expect, test } from 'vitest'
import { Retention } from '../../src/serve/retention.ts'

test('a number is due once, at the instant at which its time is over and not before', () => {
  const retention = new Retention(10)
  retention.add(7, 100)
  retention.add(8, 101)
  expect(retention.due(109)).toEqual([])
  expect(retention.due(110)).toEqual([7])
  expect(retention.due(110)).toEqual([])
  expect(retention.due(200)).toEqual([8])
})

test('numbers that come after many others were due are due in their turn', () => {
  const retention = new Retention(10)
  const many = Array.from({ length: 1500 }, (_, i) => i)
  for (const number of many) retention.add(number, number)
  // 1,100 of 1,500 are due, which lets their room go.
  expect(retention.due(1109)).toEqual(many.slice(0, 1100))
  retention.add(1500, 1500)
  expect(retention.due(1509)).toEqual(many.slice(1100))
  expect(retention.due(1510)).toEqual([1500])
})
