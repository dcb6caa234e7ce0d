import { describe, expect, it } from 'vitest'
import { bradleyTerry, type Games } from '../../src/stats/bradleyTerry.ts'

function gamesOf(wins: readonly (readonly number[])[], ties?: readonly (readonly number[])[]): Games {
  const players = wins.length
  return { players, wins: Float64Array.from(wins.flat()), ties: Float64Array.from(ties?.flat() ?? Array.from({ length: players * players }, () => 0)) }
}

describe('a Bradley–Terry rating', () => {
  it('puts 400 points between odds of ten to one', () => {
    const { ratings, tieFactor } = bradleyTerry(gamesOf([[0, 10], [1, 0]]), 0)
    expect(ratings[0]! - ratings[1]!).toBeCloseTo(400, 6)
    expect((ratings[0]! + ratings[1]!) / 2).toBeCloseTo(1500, 9)
    expect(tieFactor).toBe(1)
  })

  it('has the published strengths of the American League of 1987', () => {
    // A. Agresti, Categorical Data Analysis (1990), table 10.10: Milwaukee, Detroit, Toronto, New York, Boston, Cleveland, Baltimore.
    const { ratings } = bradleyTerry(gamesOf([
      [0, 7, 9, 7, 7, 9, 11], [6, 0, 7, 5, 11, 9, 9], [4, 6, 0, 7, 7, 8, 12], [6, 8, 6, 0, 6, 7, 10], [6, 2, 6, 7, 0, 7, 12],
      [4, 4, 5, 6, 6, 0, 6], [2, 4, 1, 3, 1, 7, 0],
    ]), 0)
    const logStrengths = [...ratings].map((rating) => ((rating - ratings[6]!) * Math.LN10) / 400)
    for (const [i, published] of [1.581, 1.436, 1.294, 1.248, 1.108, 0.684, 0].entries()) expect(logStrengths[i]).toBeCloseTo(published, 3)
  })

  it('of two with ties meets the shares of their games, by hand', () => {
    // Shares ½, ¼ and ¼ drawn: γ/(γ + θ) = ½ and 1/(1 + θγ) = ¼, so γ = θ = √3.
    const { ratings, tieFactor } = bradleyTerry(gamesOf([[0, 4], [2, 0]], [[0, 2], [2, 0]]), 0)
    expect(tieFactor).toBeCloseTo(Math.sqrt(3), 7)
    expect(ratings[0]! - ratings[1]!).toBeCloseTo(400 * Math.log10(Math.sqrt(3)), 5)
  })

  it('joins those that never met through those that both met', () => {
    // 2:1 and 2:1: A over C by 4:1 in odds.
    const { ratings } = bradleyTerry(gamesOf([[0, 2, 0], [1, 0, 2], [0, 1, 0]]), 0)
    expect(ratings[0]! - ratings[2]!).toBeCloseTo(400 * Math.log10(4), 5)
  })

  it('of one that always won stays finite by half a virtual win, as by hand', () => {
    // 3:0 becomes 3.5:0.5.
    const { ratings } = bradleyTerry(gamesOf([[0, 3], [0, 0]]))
    expect(ratings[0]! - ratings[1]!).toBeCloseTo(400 * Math.log10(7), 5)
  })

  it('leaves out one that met nobody', () => {
    const { ratings } = bradleyTerry(gamesOf([[0, 1, 0], [1, 0, 0], [0, 0, 0]]))
    expect([...ratings]).toEqual([1500, 1500, NaN])
  })
})
