import { expect, test } from 'vitest'
import { following } from '../../bench/follower.ts'
import { Session } from '../../src/engine/session.ts'

test.each([1, 3])('a maker that follows %d prices is called at each of 500 changes, and quotes once for each market and at every 100th change', (markets) => {
  const followed = { changes: 0, quotes: 0 }
  new Session(following(markets, 500, followed)).runToEnd()
  expect(followed).toEqual({ changes: 500, quotes: markets + 5 })
})
