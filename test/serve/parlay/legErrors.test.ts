import { expect, it } from 'vitest'
import { legErrorsOf, type MarketState } from '../../../src/serve/parlay/legErrors.ts'
import { ParlayCode } from '../../../src/venue/parlay/protocol/codes.ts'

/** Markets 0 to 4 are listed, 3 is over; 0 and 4 share a key. */
const MARKETS: MarketState = {
  isListed: (market) => market <= 4,
  isOver: (market) => market === 3,
  exclusionKeys: (market) => [['game:1', 'a'], ['game:2'], ['game:3'], ['game:4'], ['b', 'game:1']][market] ?? [],
}
const ALL_A = ['venue_a', 'venue_a', 'venue_a', 'venue_a'] as const

it('PQ-356 PQ-357 names every leg whose market is not there, with its venue, and every leg whose market is over', () => {
  const found = [
    { reason: 'market_not_found', legs: [1], venue: 'venue_b' }, { reason: 'market_not_found', legs: [3], venue: 'venue_a' }, { reason: 'market_expired', legs: [2] },
  ]
  for (const code of [ParlayCode.legMarketNotFound, ParlayCode.legMarketExpired]) expect(legErrorsOf(code, [0, -1, 3, 9], ['venue_a', 'venue_b', 'venue_b', 'venue_a'], MARKETS)).toEqual(found)
})

it('PQ-358 names every pair of legs that exclude each other', () => {
  expect(legErrorsOf(ParlayCode.legsExcluded, [0, 1, 4, 2], ALL_A, MARKETS)).toEqual([{ reason: 'exclusion_conflict', legs: [0, 2] }])
  expect(legErrorsOf(ParlayCode.legsExcluded, [1, 1, 0, 4], ALL_A, MARKETS)).toEqual([
    { reason: 'exclusion_conflict', legs: [0, 1] }, { reason: 'exclusion_conflict', legs: [2, 3] },
  ])
})

it('has nothing to say of other replies', () => {
  expect(legErrorsOf(ParlayCode.invalid, [0, 1], ALL_A, MARKETS)).toBe(undefined)
})
