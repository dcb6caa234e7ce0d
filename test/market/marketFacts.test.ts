import { describe, expect, it } from 'vitest'
import { internFacts, noFacts } from '../../src/market/marketFacts.ts'
import type { Market } from '../../src/market/market.ts'

const market = (number: number, facts: Partial<Market>): Market => ({ number, category: '', event: '', game: '', ...facts }) as Market

describe('what is said of markets, as numbers', () => {
  it('gives one number to one text, in whatever case a category is written, and −1 to none', () => {
    const { category, event, game } = internFacts([
      market(0, { category: 'Sports', event: 'e1', game: 'g' }), market(1, { category: 'Weather', event: 'e2' }),
      market(2, { category: 'sports', event: 'E1', game: 'g' }), market(3, {}),
    ])
    expect([[...category], [...event], [...game]]).toEqual([[0, 1, 0, -1], [0, 1, 2, -1], [0, -1, 0, -1]])
  })

  it('says nothing of markets of which nothing is known', () => {
    expect([...noFacts(2).category, ...noFacts(2).event, ...noFacts(2).game]).toEqual([-1, -1, -1, -1, -1, -1])
  })
})
