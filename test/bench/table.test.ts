import { describe, expect, it } from 'vitest'
import type { Figure } from '../../bench/figures.ts'
import type { Results } from '../../bench/results.ts'
import { textOf } from '../../bench/table.ts'

const rate = (key: string, name: string, ...values: number[]): Figure =>
  ({ key, name, unit: 'requests/s', better: 'more', comparedBy: 'nothing', values, calibration: values.map(() => 1) })

const RESULTS: Results = {
  machine: { cpu: 'A cpu', cores: 2, node: 'v24.0.0', os: 'Linux 6 x64', commit: 'abc' }, requests: 1000, rounds: 3, isQuick: false, leftOut: [], shares: [],
  figures: [rate('cpp', 'C++', 400_000, 500_000, 300_000), rate('simpy', 'SimPy', 4_000), rate('parlay', 'parlay service', 90_000, 100_000, 110_000)],
}

describe('the head', () => {
  it('says that parlor alone is warm: the other programs have no warm-up', () => {
    expect(textOf(RESULTS, true).split('\n').slice(0, 2)).toEqual([
      'A cpu, 2 cores, Linux 6 x64; Node v24.0.0; commit abc',
      '1000 requests, 3 rounds interleaved: median (lowest – highest); rates per CPU-second of the whole process, parlor warm',
    ])
  })
})

describe('the short table', () => {
  it('gives medians, ranges and ratios of medians: 100,000 a second are a quarter of 400,000 and 25 times 4,000', () => {
    expect(textOf(RESULTS, true).split('\n').slice(3)).toEqual([
      'requests/s      median            range  ÷ C++  × SimPy',
      'C++             400000  300000 – 500000  1.000  100.000',
      'SimPy             4000      4000 – 4000  0.010    1.000',
      'parlay service  100000   90000 – 110000  0.250   25.000',
    ])
  })

  it('has no ratio to a program that was not there', () => {
    const lines = textOf({ ...RESULTS, figures: RESULTS.figures.slice(1) }, true).split('\n')
    expect(lines[3]).toBe('requests/s      median           range  × SimPy')
  })

  it('begins with what people wait for', () => {
    const waited = [{ ...rate('sweep.1', 'sweep on 1 worker', 6, 7, 8), unit: 'sessions/s (wall)' }, rate('parlay.tables', 'all tables', 30_000)]
    expect(textOf({ ...RESULTS, figures: [...RESULTS.figures, ...waited] }, true).split('\n').slice(2, 5)).toEqual([
      'what people wait for  median          range',
      'sweep on 1 worker       7.00    6.00 – 8.00  sessions/s (wall)',
      'all tables             30000  30000 – 30000         requests/s',
    ])
  })

  it('has parlor’s rate of changes as a multiple of the others’: 3,000,000 are one and a half times 2,000,000', () => {
    const follow = [
      rate('follow.parlor.1', '', 3e6), rate('follow.parlor.30', '', 2e6), rate('follow.hftbacktest.1', '', 2e6), rate('follow.hftbacktest.30', '', 1e6),
    ].map((figure) => ({ ...figure, unit: 'changes/s' }))
    const lines = textOf({ ...RESULTS, figures: [...RESULTS.figures, ...follow] }, true).split('\n')
    expect(lines.slice(3, 6)).toEqual([
      'prices that a maker follows, changes/s  1 market              range  parlor ÷ it  30 markets              range  parlor ÷ it',
      'parlor                                   3000000  3000000 – 3000000         1.00     2000000  2000000 – 2000000         1.00',
      'hftbacktest                              2000000  2000000 – 2000000         1.50     1000000  1000000 – 1000000         2.00',
    ])
  })
})
