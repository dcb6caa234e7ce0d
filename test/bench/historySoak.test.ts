import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { dayTroubles, peakTroubles, planOf, SOAK_MAP } from '../../bench/historySoak/plan.ts'
import { type MadePart, makePart } from '../../bench/historySoak/makePart.ts'
import { sumStore } from '../../bench/historySoak/sumStore.ts'
import { importData } from '../../src/actions/importData.ts'
import { temporaryFolder } from '../feed/recordedData.ts'
import { written } from '../feed/writtenFiles.ts'

const DAY_US = 86_400_000_000

describe('the plan of a soak', () => {
  it('has all ticks and markets once, and parts that follow each other', () => {
    const plan = planOf(100_003, 1001)
    expect(plan.length).toBe(4)
    expect(plan.reduce((sum, { ticks }) => sum + ticks, 0)).toBe(100_003)
    expect(plan[0]!.listed).toEqual({ from: 0, to: 1001 })
    expect(plan.map(({ resolved: { from, to } }) => to - from)).toEqual([0, 0, 250, 751])
    for (const [i, { fromUs, toUs, stepUs, ticks }] of plan.entries()) {
      expect(fromUs % DAY_US).toBe(0)
      expect(toUs - fromUs).toBe(2 * DAY_US)
      if (i > 0) expect(plan[i - 1]!.toUs).toBe(fromUs)
      // The last row may be moved by 64 steps.
      expect((ticks + 63) * stepUs).toBeLessThan(toUs - fromUs)
    }
  })

  it('has more parts with more ticks, up to forty', () => {
    expect([1e7, 2e7, 20_000_001, 1e9].map((ticks) => planOf(ticks, 200_000).length)).toEqual([4, 4, 5, 40])
  })

  it.each([[1000.5, 100], [1000, 3], [1000, 1001]])('refuses %d ticks of %d markets', (ticks, markets) => {
    expect(() => planOf(ticks, markets)).toThrow('a soak has whole numbers')
  })
})

describe('the verdict of a soak', () => {
  it.each([
    ['peaks that stay', [900e6, 400e6, 500e6], []],
    ['a later append above the first one', [300e6, 400e6, 501e6], ['later appends took 501 MB, and the first one took 400 MB']],
    ['a gigabyte', [1000e6, 1000e6, 1000e6], []],
    ['more than a gigabyte', [1001e6, 900e6, 900e6], ['import 0 took 1001 MB']],
    ['appends of which the first third counts as first', [1, 100, 200, 250, 250, 250, 250].map((mb) => mb * 1e6), []],
  ])('on %s', (_, peaks, troubles) => {
    expect(peakTroubles(peaks)).toEqual(troubles)
  })

  it('names the days that differ', () => {
    const made = [{ day: 1, ticks: 5, sum: 7 }, { day: 2, ticks: 5, sum: 7 }]
    expect(dayTroubles(made, made.toReversed())).toEqual([])
    expect(dayTroubles(made, [{ day: 2, ticks: 5, sum: 8 }, { day: 3, ticks: 1, sum: 0 }])).toEqual([
      'day 1: 5 ticks with the sum 7 were made, and the store has nothing', 'day 2: 5 ticks with the sum 7 were made, and the store has 5 ticks with the sum 8',
      'day 3: nothing were made, and the store has 1 ticks with the sum 0',
    ])
  })
})

describe('a small soak', () => {
  it('finds in the store what was made, and notices a price that is another', async () => {
    const store = join(temporaryFolder(), 'store')
    const map = join(written({ 'map.yaml': SOAK_MAP }), 'map.yaml')
    const made: MadePart[] = []
    for (const plan of planOf(4000, 40)) {
      const source = temporaryFolder()
      made.push(await makePart(plan, source))
      await importData('parquet', [source], { map, into: store, append: plan.part > 0, workers: 1, onNote: () => {} })
    }
    const { days, counts } = sumStore(store)
    expect(dayTroubles(made.flatMap((part) => part.days), days)).toEqual([])
    expect(days.reduce((sum, { ticks }) => sum + ticks, 0)).toBe(4000)
    expect(counts.markets).toBe(40)
    expect(counts.yes + counts.no).toBe(40)
    expect(made.reduce((sum, part) => sum + part.counts.yes, 0)).toBe(counts.yes)
    // As many ticks of as many markets, with other prices.
    const other = await makePart({ ...planOf(4000, 40)[0]!, part: 9 }, temporaryFolder())
    expect(dayTroubles(other.days, days.slice(0, 2)).length).toBe(2)
  })
})
