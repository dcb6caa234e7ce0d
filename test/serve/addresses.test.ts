import { expect, it } from 'vitest'
import { Addresses } from '../../src/serve/addresses.ts'

it('numbers addresses in the order of their first calls', () => {
  const addresses = new Addresses()
  expect(['a', 'b', 'a', 'c', 'b'].map((remote) => addresses.numberOf(remote))).toEqual([0, 1, 0, 2, 1])
})

it('forgets the address that has been silent for longest, and gives no number twice', () => {
  const addresses = new Addresses(2)
  expect(['a', 'b', 'a', 'c'].map((remote) => addresses.numberOf(remote))).toEqual([0, 1, 0, 2])
  // b was forgotten for c, since a has called after it; then a is forgotten for b.
  expect(['b', 'c', 'a'].map((remote) => addresses.numberOf(remote))).toEqual([3, 2, 4])
})

it('knows 65,536 addresses at a time', () => {
  const addresses = new Addresses()
  const numbers = Array.from({ length: 65_536 }, (_, i) => addresses.numberOf(`10.${i >> 16}.${(i >> 8) & 255}.${i & 255}`))
  expect([new Set(numbers).size, addresses.numberOf('10.0.0.0'), addresses.numberOf('::1'), addresses.numberOf('10.0.0.0'), addresses.numberOf('10.0.0.1')]).toEqual([65_536, 0, 65_536, 0, 65_537])
})
