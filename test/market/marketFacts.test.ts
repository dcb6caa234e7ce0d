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

  it('puts a game into the category of its first market', () => {
    const { gameCategory } = internFacts([
      market(0, { category: 'Weather' }), market(1, { category: 'Sports', game: 'g' }), market(2, { category: 'Weather', game: 'g' }),
      market(3, { category: 'Weather', game: 'h' }), market(4, { game: 'g' }), market(5, {}),
    ])
    expect([...gameCategory]).toEqual([0, 1, 1, 0, 1, -1])
  })

  it('says nothing of markets of which nothing is known', () => {
    for (const column of Object.values(noFacts(2))) expect([...column]).toEqual([-1, -1])
  })
})
