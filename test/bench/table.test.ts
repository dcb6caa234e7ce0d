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
    expect(textOf(RESULTS, true).split('\n').slice(2)).toEqual([
      'requests/s      median            range  ÷ C++  × SimPy',
      'C++             400000  300000 – 500000  1.000  100.000',
      'SimPy             4000      4000 – 4000  0.010    1.000',
      'parlay service  100000   90000 – 110000  0.250   25.000',
    ])
  })

  it('has no ratio to a program that was not there', () => {
    const lines = textOf({ ...RESULTS, figures: RESULTS.figures.slice(1) }, true).split('\n')
    expect(lines[2]).toBe('requests/s      median           range  × SimPy')
  })
})
