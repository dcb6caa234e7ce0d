import { describe, expect, it } from 'vitest'
import { fallOf, refuseUnlike, warningsOf } from '../../bench/comparison.ts'
import type { Figure } from '../../bench/figures.ts'
import { InputError } from '../../src/unit/inputError.ts'

const figure = (values: readonly number[], calibration: readonly number[], more: Partial<Figure> = {}): Figure =>
  ({ key: 'parlay', name: 'parlay service', unit: 'requests/s', better: 'more', comparedBy: 'calibration', values, calibration, ...more })

const EARLIER = figure([1000, 1000, 1000], [50, 50, 50])

describe('an earlier run', () => {
  const now = { requests: 20_000, rounds: 3, isQuick: true }

  it('of the same size is compared', () => {
    expect(() => refuseUnlike(now, now, 'earlier.json')).not.toThrow()
  })

  it.each([{ requests: 10_000 }, { rounds: 5 }, { isQuick: false }])('with %j in place of 20,000 requests, 3 rounds and --quick is refused', (other) => {
    expect(() => refuseUnlike({ ...now, ...other }, now, 'earlier.json')).toThrow(InputError)
  })

  it.each([1, 2])('of %i rounds is refused even by as many: a single outlier makes its median', (rounds) => {
    expect(() => refuseUnlike({ ...now, rounds }, { ...now, rounds }, 'earlier.json')).toThrow('only 3 rounds or more compare')
  })
})

describe('a fall', () => {
  it('counts in steps of the calibration loop: a machine of half the speed gives half the rate', () => {
    expect(fallOf(figure([500, 500, 500], [25, 25, 25]), EARLIER)).toBe(0)
    expect(fallOf(figure([500, 500, 500], [50, 50, 50]), EARLIER)).toBe(0.5)
  })

  it('pairs each value with the loop of its own round, and takes the median of these', () => {
    // 20, 20 and 4 a step: the machine was slow in the second round, the figure in the third.
    expect(fallOf(figure([1000, 400, 200], [50, 20, 50]), EARLIER)).toBe(0)
  })

  it('is one of speed where less is better: 100 ms that become 125 are a fifth slower', () => {
    const ms = { better: 'less', unit: 'ms' } as const
    expect(fallOf(figure([125], [50], ms), figure([100], [50], ms))).toBeCloseTo(0.2, 12)
  })

  it('leaves the loop out of ratios', () => {
    const ratio = { comparedBy: 'itself' } as const
    expect(fallOf(figure([1.2], [10], ratio), figure([2], [50], ratio))).toBeCloseTo(0.4, 12)
  })
})

describe('a warning', () => {
  const again = (rate: number) => (): Figure => figure([rate, rate, rate], [50, 50, 50])
  const neverAgain = (): Figure => {
    throw new Error('measured again for nothing')
  }

  it('comes over 25 %, when a second measurement says so too, with what that one says', () => {
    expect(warningsOf([figure([740], [50])], [EARLIER], again(690))).toEqual(['warning: parlay service (requests/s) fell by 31 %'])
  })

  it('does not come at 24 % or at 25 %, nor for what grew: then nothing is measured again', () => {
    for (const rate of [760, 750, 1500]) expect(warningsOf([figure([rate], [50])], [EARLIER], neverAgain)).toEqual([])
  })

  it('does not come when only the first measurement fell', () => {
    expect(warningsOf([figure([400], [50])], [EARLIER], again(760))).toEqual([])
  })

  it('measures what fell once more, and nothing else', () => {
    const measured: string[] = []
    const other = figure([1000], [50], { key: 'outcome', name: 'outcome service' })
    warningsOf([other, figure([500], [50])], [other, EARLIER], (fallen) => {
      measured.push(fallen.key)
      return fallen
    })
    expect(measured).toEqual(['parlay'])
  })

  it('comes neither for a program of others nor for a figure that is new', () => {
    expect(warningsOf([figure([1], [50], { comparedBy: 'nothing' })], [EARLIER], neverAgain)).toEqual([])
    expect(warningsOf([figure([1], [50], { key: 'new' })], [EARLIER], neverAgain)).toEqual([])
  })
})
