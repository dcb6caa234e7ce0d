import { describe, expect, it } from 'vitest'
import type { Scores } from '../../src/score/scores.ts'
import { splitHistory } from '../../src/sweep/historyClusters.ts'
import { ENDED, LeagueScores, meanOf, PROFIT, sessionSums } from '../../src/sweep/leagueScores.ts'
import { raceLooks } from '../../src/sweep/racing.ts'

describe('a history in two parts', () => {
  it('holds out the last whole clusters, and leaves one at least on each side', () => {
    expect(splitHistory(10, 0.3)).toEqual({ training: [0, 1, 2, 3, 4, 5, 6], holdout: [7, 8, 9] })
    expect(splitHistory(3, 0.01).holdout).toEqual([2])
    expect(splitHistory(3, 0.99).training).toEqual([0])
    expect(splitHistory(4, 0).holdout).toEqual([])
    expect(splitHistory(1, 0.5)).toEqual({ training: [0], holdout: [] })
  })
})

describe('looks of a race', () => {
  it('begin with one replication, grow from `after`, and end with all', () => {
    expect(raceLooks(9, 2)).toEqual([1, 2, 3, 5, 8, 9])
    expect(raceLooks(9, undefined)).toEqual([1, 9])
    expect(raceLooks(3, 3)).toEqual([1, 3])
    expect(raceLooks(1, undefined)).toEqual([1])
  })
})

describe('sums of a league', () => {
  // Clusters by code unit, a before b; by time b comes first.
  const scores: Scores = {
    service: 'parlay', makers: ['x', 'y'], clusters: ['a', 'b'], columns: ['profit', 'fills', 'ended', 'stake', 'hold', 'markOut60s', 'markOut600s', 'payout600s'], figures: ['quotes', 'delivered'],
    sums: Float64Array.of(1, 9, 2, 30, 4, 60, 61, 62, 5, 9, 6, 70, 8, 63, 64, 65, 10, 9, 0, 0, 0, 0, 66, 0, 0, 9, 0, 0, 0, 0, 0, 0), values: Float64Array.of(11, 12, 13, NaN),
  }
  const clusters = new Map([['b', 0], ['a', 1]])

  it('are those of one maker, its clusters by time', () => {
    const { cells, quotes, delivered } = sessionSums([scores], 'x', clusters)
    // Profit, ended, stake, hold, the mark-out at the longest horizon and a one.
    expect([...cells]).toEqual([5, 6, 70, 8, 64, 1, 1, 2, 30, 4, 61, 1])
    expect([quotes, delivered]).toEqual([11, 12])
    expect([...sessionSums([scores], 'nobody', clusters).cells]).toEqual([0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1])
    const unmarked = { ...scores, columns: scores.columns.map((name) => name.replace('markOut', 'none')) }
    expect([...sessionSums([unmarked], 'x', clusters).cells]).toEqual([5, 6, 70, 8, 0, 1, 1, 2, 30, 4, 0, 1])
  })

  it('refuse what happened in a cluster that the history does not have', () => {
    expect(() => sessionSums([scores], 'x', new Map([['b', 0]]))).toThrow('the history has no cluster a')
  })

  it('come replication after replication, over the clusters that are asked for', () => {
    const all = new LeagueScores(2)
    all.add(1, sessionSums([scores], 'x', clusters))
    all.add(2, sessionSums([scores], 'y', clusters))
    expect(() => all.add(2, sessionSums([scores], 'y', clusters))).toThrow('in order')
    const over = all.over([1])
    expect(over).toMatchObject({ replications: 2, clusters: 1 })
    expect([over.cells[PROFIT], over.cells[over.width + PROFIT], over.cells[ENDED]]).toEqual([1, 10, 2])
    expect([...all.over([0], 1).cells]).toEqual([5, 6, 70, 8, 64, 1])
    expect([all.has(0), all.requests().quotes]).toEqual([true, 12])
    // Nothing ended for either in the second replication.
    const other = new LeagueScores(2)
    other.add(1, sessionSums([scores], 'y', clusters))
    other.add(2, sessionSums([scores], 'nobody', clusters))
    expect([...all.resultsBeside(other, [0, 1])]).toEqual([5, 1, NaN, NaN])
    expect([...meanOf([all.over([0], 1), other.over([0], 1)]).cells]).toEqual([2.5, 3, 35, 4, 32, 1])
  })
})
