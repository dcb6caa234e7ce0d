import { describe, expect, it } from 'vitest'
import type { RedrawBook } from '../../src/redraw/book.ts'
import { worstNight } from '../../src/redraw/worstNight.ts'
import { bookOf, coin } from './byHand.ts'

const place = (from: number, to: number) => ({ source: 'G', group: 'all', from, to })
const GAME = [place(0, 0.6), place(0.6, 1)]

/** The same book with all legs on NO. */
const onNo = (book: RedrawBook): RedrawBook =>
  ({ ...book, positions: book.positions.map(({ legs, ...position }) => ({ ...position, legs: legs.map((leg) => ({ ...leg, isYes: false })) })) })

describe('the worst joint outcome of a night', () => {
  const bets = [{ stake: 50, risk: 50, legs: [[0, 1]] }, { stake: 40, risk: 60, legs: [[1, 1]] }] as const

  it('lets one team of a game win', () => {
    // The second team wins: 50 − 60. Both would cost 110.
    expect(worstNight(bookOf(GAME, bets), 0)).toEqual({ micros: -10, isExact: true })
  })

  it('lets one team of a game lose', () => {
    // Bets against both teams: the first loses and the second wins, or the other way round. Neither winning would cost 110.
    expect(worstNight(onNo(bookOf(GAME, bets)), 0)).toEqual({ micros: -10, isExact: true })
  })

  it('takes markets by themselves as they come', () => {
    expect(worstNight(bookOf([coin('A', 0.1), coin('B', 0.1)], bets), 0)).toEqual({ micros: -110, isExact: true })
  })

  it('has no outcome that is never drawn', () => {
    // The first market is never YES, and the second always.
    expect(worstNight(bookOf([coin('A', 0), coin('B', 1)], bets), 0)).toEqual({ micros: -10, isExact: true })
  })

  it('is a bound where the bets name all of three markets of a partition', () => {
    const three = [place(0, 0.2), place(0.2, 0.5), place(0.5, 1)]
    const all = [...bets, { stake: 10, risk: 90, legs: [[2, 1]] }] as const
    // Exactly one is NO's loser: two of three bets against them win. The search also lets none be YES, where all three do.
    expect(worstNight(onNo(bookOf(three, all)), 0)).toEqual({ micros: -200, isExact: false })
    expect(worstNight(bookOf(three, bets), 0)).toEqual({ micros: -10, isExact: true })
  })

  it('is a bound where outcomes that bets depend on are tied at correlation 1', () => {
    // Even coins of one group come out alike: A yes and B no never both win. The search lets them.
    const tied = (group: string, correlation: number) => {
      const book = bookOf([coin('A', 0.5, group), coin('B', 0.5)], bets, [], correlation)
      return worstNight({ ...book, positions: book.positions.map(({ legs, ...position }, i) => ({ ...position, legs: legs.map((leg) => ({ ...leg, isYes: i === 0 })) })) }, 0)
    }
    expect(tied('all', 1)).toEqual({ micros: -110, isExact: false })
    expect(tied('other', 1)).toEqual({ micros: -110, isExact: true })
    expect(tied('all', 0.99)).toEqual({ micros: -110, isExact: true })
    // One bet depends on one number.
    expect(worstNight(bookOf([coin('A', 0.5)], [bets[0]], [], 1), 0)).toEqual({ micros: -50, isExact: true })
  })
})
