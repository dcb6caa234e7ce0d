import { Action, fakeMaker, Side } from 'parlor'
import { describe, expect, it } from 'vitest'
import mine from './maker.ts'

const LEGS = [[0, Side.yes], [1, Side.yes]] as const
const PRICES = [{ bid: 0.48, ask: 0.5 }, { bid: 0.38, ask: 0.4 }]

describe('my maker', () => {
  it('quotes what the legs cost and its margin', () => {
    const maker = fakeMaker(mine, { params: { margin: 0.25 }, prices: PRICES })
    maker.onRequest({ request: 7, legs: LEGS })
    expect(maker.commands).toHaveLength(1)
    expect(maker.commands[0]).toMatchObject({ action: Action.submitQuote, about: 7, fair: 0.2 })
    // Half times two fifths is a fifth, and a quarter more is a fourth: four times the stake.
    expect(maker.commands[0]!.probability).toBeCloseTo(0.25, 9)
  })

  it('passes where a leg has no price', () => {
    const maker = fakeMaker(mine, { prices: PRICES.slice(0, 1) })
    maker.onRequest({ legs: LEGS })
    expect(maker.commands).toEqual([])
    expect(maker.reasons).toEqual(['risk'])
  })

  it('declines when the legs cost more than it has quoted', () => {
    const maker = fakeMaker(mine, { prices: PRICES })
    maker.onSelected({ quote: 1, quotedProbability: 0.21, legs: LEGS })
    maker.setPrice(0, { bid: 0.58, ask: 0.6 })
    maker.onSelected({ quote: 2, quotedProbability: 0.21, legs: LEGS })
    expect(maker.commands.map(({ action }) => action)).toEqual([Action.confirm, Action.decline])
  })
})
