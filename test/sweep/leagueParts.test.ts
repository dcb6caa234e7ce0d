import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readTable } from '../../src/arrow/tableReader.ts'
import type { Scores } from '../../src/score/scores.ts'
import type { ReplicatedSums } from '../../src/stats/replicatedSums.ts'
import { splitHistory } from '../../src/sweep/historyClusters.ts'
import { ADJUSTED, ENDED, LeagueScores, meanOf, PROFIT, sessionSums } from '../../src/sweep/leagueScores.ts'
import type { Contestant } from '../../src/sweep/contestants.ts'
import { LeagueTable } from '../../src/sweep/leagueTable.ts'
import { hopeless, raceLooks } from '../../src/sweep/racing.ts'
import { compareAll } from '../../src/sweep/comparisons.ts'
import { counterUniform } from '../../src/stats/counterUniform.ts'
import { newFolder } from '../scenario/small.ts'

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

describe('who is hopeless', () => {
  /** Profits by cluster of one replication, microUSDC, all of it without luck, of parlays of one leg, whose closes leave so much of 100 to luck, beside the column of ones. */
  const closing = (undecided: number, ...profits: readonly number[]): ReplicatedSums =>
    ({ width: 12, replications: 1, clusters: profits.length, cells: Float64Array.from(profits.flatMap((profit) => [profit, 0, 0, 0, 0, profit, 10, 10, 100, undecided, 0, 1])) })
  const sums = (...profits: readonly number[]): ReplicatedSums => closing(100, ...profits)
  const racers = [sums(4, 6, 2), sums(3, 5, 4), sums(0, 1, -1)]
  const uniform = counterUniform('race')

  it('is told by the p-value that is adjusted for all pairs', () => {
    // The last loses 4, 5 and 3 to the first: t = 4 / (1 / √3) = 6.928, and p = 0.0202 with 2 degrees of freedom. Holm's adjustment for
    // three pairs makes three times that of the least p-value.
    const { p, adjusted } = compareAll(racers, uniform, ADJUSTED)!.of(2, 0)
    expect(p).toBeCloseTo(0.0202, 4)
    expect(adjusted).toBeCloseTo(3 * p, 9)
    expect(hopeless(racers, 0.05, uniform, ADJUSTED)).toEqual([])
    expect(hopeless(racers, 0.061, uniform, ADJUSTED)).toEqual([{ racer: 2, p: adjusted }])
    expect(hopeless(racers, adjusted, uniform, ADJUSTED)).toEqual([])
  })

  it('is told against the first of those that made the most', () => {
    // To the steady one the last loses 4, 5 and 3 as above, to the other 2, 5 and 5: t = 4, p = 0.0572, twice that when adjusted.
    const [steady, other, last] = [sums(4, 6, 2), sums(2, 6, 4), sums(0, 1, -1)]
    expect(hopeless([steady, other, last], 0.07, uniform, ADJUSTED).map(({ racer }) => racer)).toEqual([2])
    expect(hopeless([other, steady, last], 0.07, uniform, ADJUSTED)).toEqual([])
    expect(hopeless([other, steady, last], 0.12, uniform, ADJUSTED)[0]!.p).toBeCloseTo(2 * 0.0572, 3)
  })

  it('is never the leader, nor one that made as much', () => {
    expect(hopeless([sums(1, 2, 3), sums(1, 2, 3)], 1, uniform, ADJUSTED)).toEqual([])
    expect(hopeless([sums(0, 1, -1), sums(4, 6, 2)], 1, uniform, ADJUSTED).map(({ racer }) => racer)).toEqual([0])
    expect(hopeless([sums(1, 2, 3)], 1, uniform, ADJUSTED)).toEqual([])
  })

  it('is told by cash with as many clusters as its parlays need', () => {
    // One leg needs five.
    expect(hopeless([sums(0, 1, -1, 0), sums(4, 6, 2, 4)], 1, uniform, PROFIT)).toEqual([])
    expect(hopeless([sums(0, 1, -1, 0, 1), sums(4, 6, 2, 4, 4)], 1, uniform, PROFIT).map(({ racer }) => racer)).toEqual([0])
  })

  it('is told by profit without luck with as many where the closes of either came near the results', () => {
    expect(hopeless([closing(89, 0, 1, -1, 0), sums(4, 6, 2, 4)], 1, uniform, ADJUSTED)).toEqual([])
    expect(hopeless([sums(0, 1, -1, 0), closing(89, 4, 6, 2, 4)], 1, uniform, ADJUSTED)).toEqual([])
    expect(hopeless([closing(90, 0, 1, -1, 0), sums(4, 6, 2, 4)], 1, uniform, ADJUSTED).map(({ racer }) => racer)).toEqual([0])
    expect(hopeless([closing(89, 0, 1, -1, 0, 1), sums(4, 6, 2, 4, 4)], 1, uniform, ADJUSTED).map(({ racer }) => racer)).toEqual([0])
  })
})

describe('the table of a league', () => {
  it('has a row for each session, maker and cluster in which the maker had anything', () => {
    const path = join(newFolder(), 'league.arrow')
    const contestant = (name: string, choice = {}): Contestant => ({ entry: 0, variant: 0, name, choice, maker: {} })
    const table = new LeagueTable(path, [contestant('x'), contestant('y', { margin: '2%' })])
    const scores: Scores = {
      service: 'parlay', makers: ['x', 'y'], clusters: ['a', 'b'], columns: ['profit', 'lastLook'], figures: [], values: new Float64Array(),
      sums: Float64Array.of(1, 2, 0, 0, 3, 4, 0, -5),
    }
    const spec = { scenario: 's.yaml', set: [], seed: '1/1' }
    table.add({ setting: { kind: 'pairs' }, contestants: [1, 0], replication: 2, spec }, { id: 'task', digest: '', scores: [scores] })
    table.add({ setting: { kind: 'band', rivals: 3, demand: 0.5 }, contestants: [0], replication: 1, spec }, { id: 'other', digest: '', scores: [scores] })
    table.finish()
    const read = readTable(path)
    expect(read.rowCount).toBe(6)
    const texts = (name: string) => [...read.column(name).texts!].slice(0, 4)
    expect([texts('entries'), texts('task'), texts('service'), texts('maker'), texts('cluster')]).toEqual([
      ['y | x', 'y | x', 'y | x', 'x'], ['task', 'task', 'task', 'other'], Array(4).fill('parlay'), ['x', 'y', 'y', 'x'], ['a', 'a', 'b', 'a'],
    ])
    expect([...read.numbers('profit', 'int64')]).toEqual([1, 3, 0, 1, 3, 0])
    expect([...read.numbers('last_look', 'int64')]).toEqual([2, 4, -5, 2, 4, -5])
    expect([...read.numbers('replication', 'int64')]).toEqual([2, 2, 2, 1, 1, 1])
    expect([texts('choice')[0], [...read.column('rivals').numbers!].slice(3), [...read.column('demand').numbers!].slice(3)]).toEqual(['{"margin":"2%"}', [3, 3, 3], [0.5, 0.5, 0.5]])
  })
})

describe('sums of a league', () => {
  // Clusters by code unit, a before b; by time b comes first.
  const scores: Scores = {
    service: 'parlay', makers: ['x', 'y'], clusters: ['a', 'b'], columns: ['profit', 'fills', 'ended', 'stake', 'hold', 'markOut60s', 'markOut600s', 'positionPayout', 'legPayout', 'uncertain', 'undecided', 'undrawn'], figures: ['quotes', 'delivered'],
    sums: Float64Array.of(
      1, 9, 2, 30, 4, 60, 61, 62, 124, 20, 10, 3, 5, 9, 6, 70, 8, 63, 64, 65, 260, 40, 30, 7,
      10, 9, 0, 0, 0, 0, 66, 0, 0, 0, 0, 0, 0, 9, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    ), values: Float64Array.of(11, 12, 13, NaN),
  }
  const clusters = new Map([['b', 0], ['a', 1]])

  it('are those of one maker, its clusters by time', () => {
    const { cells, quotes, delivered } = sessionSums([scores], 'x', clusters)
    // Profit, ended, stake, hold, the mark-out at the longest horizon, profit without luck, the payout and its legs, what was uncertain and undecided, the parlays, and a one.
    expect([...cells]).toEqual([5, 6, 70, 8, 64, 5, 65, 260, 40, 30, 7, 1, 1, 2, 30, 4, 61, 1, 62, 124, 20, 10, 3, 1])
    expect([quotes, delivered]).toEqual([11, 12])
    expect([...sessionSums([scores], 'nobody', clusters).cells]).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1])
    const unmarked = { ...scores, columns: scores.columns.map((name) => name.replace('markOut', 'none')) }
    expect([...sessionSums([unmarked], 'x', clusters).cells]).toEqual([5, 6, 70, 8, 0, 5, 65, 260, 40, 30, 7, 1, 1, 2, 30, 4, 0, 1, 62, 124, 20, 10, 3, 1])
    // With a luck of 60 and 63: 1 − 60 and 5 − 63.
    const lucky = { ...scores, columns: scores.columns.map((name) => (name === 'markOut60s' ? 'luck' : name)) }
    expect([...sessionSums([lucky], 'x', clusters).cells]).toEqual([5, 6, 70, 8, 64, -58, 65, 260, 40, 30, 7, 1, 1, 2, 30, 4, 61, -59, 62, 124, 20, 10, 3, 1])
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
    expect([...all.over([0], 1).cells]).toEqual([5, 6, 70, 8, 64, 5, 65, 260, 40, 30, 7, 1])
    expect([all.has(0), all.requests().quotes]).toEqual([true, 12])
    // Nothing ended for either in the second replication.
    const other = new LeagueScores(2)
    other.add(1, sessionSums([scores], 'y', clusters))
    other.add(2, sessionSums([scores], 'nobody', clusters))
    expect([...all.resultsBeside(other, [0, 1])]).toEqual([5, 1, NaN, NaN])
    expect([...meanOf([all.over([0], 1), other.over([0], 1)]).cells]).toEqual([2.5, 3, 35, 4, 32, 2.5, 32.5, 130, 20, 15, 3.5, 1])
  })
})
