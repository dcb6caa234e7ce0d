import { describe, expect, it } from 'vitest'
import { fairProbabilities, fairProbability, oddsE4FloorOfProbability } from '../../src/index.ts'

describe('fair probabilities', () => {
  it('are the prices less the same amount, less the same share, or raised to the same power', () => {
    // 0.6 and 0.8 sum to 1.4: 0.2 less each, or each over 1.4. Their squares are 0.36 and 0.64.
    const [additive, proportional, power] = (['additive', 'proportional', 'power'] as const).map((method) => fairProbabilities([0.6, 0.8], method))
    expect(additive).toEqual([expect.closeTo(0.4, 15), expect.closeTo(0.6, 15)])
    expect(proportional).toEqual([expect.closeTo(3 / 7, 15), expect.closeTo(4 / 7, 15)])
    expect(power).toEqual([expect.closeTo(0.36, 14), expect.closeTo(0.64, 14)])
  })

  it('sum to 1, also where prices sum to less: the root of ¼ and ¼ is ½ each', () => {
    expect(fairProbabilities([0.25, 0.25], 'power')).toEqual([expect.closeTo(0.5, 14), expect.closeTo(0.5, 14)])
    expect(fairProbabilities([0.25, 0.25], 'additive')).toEqual([0.5, 0.5])
    for (const method of ['additive', 'proportional', 'power'] as const) {
      expect(fairProbabilities([0.55, 0.35, 0.2], method).reduce((all, one) => all + one)).toBeCloseTo(1, 14)
    }
  })

  it('are proportional unless told otherwise', () => {
    expect(fairProbabilities([0.5, 0.75, 0.75])).toEqual([0.25, 0.375, 0.375])
  })
})

describe('the fair probability of a market', () => {
  it('is the middle of bid and ask unless told otherwise', () => {
    expect(fairProbability(0.25, 0.75)).toBe(0.5)
    expect(fairProbability(0.2, 0.3)).toBe(0.25)
  })

  it('has the ask of YES and 1 less the bid for NO', () => {
    // YES costs 0.6 and NO costs 0.8.
    expect(fairProbability(0.2, 0.6, 'proportional')).toBeCloseTo(3 / 7, 15)
    expect(fairProbability(0.2, 0.6, 'power')).toBeCloseTo(0.36, 14)
  })
})

it('fair odds are the inverse, rounded down to four decimals and kept within those of the service', () => {
  expect([0.4, 0.3, 2, 1e-9].map(oddsE4FloorOfProbability)).toEqual([25_000, 33_333, 10_001, 10_000_000])
})

const other = (value: unknown): never => value as never

it.each([
  [() => fairProbability(NaN, 0.5), 'bid is a price within 0 … 1, not NaN'],
  [() => fairProbability(0.4, 50), 'ask is a price within 0 … 1, not 50'],
  [() => fairProbability(0.4, 0.5, other('mean')), "method is additive, proportional or power, not 'mean'"],
  [() => fairProbability(0.4, 0.5, other('constructor')), "method is additive, proportional or power, not 'constructor'"],
  [() => fairProbability(0.4, 0.5, other(1)), 'method is additive, proportional or power, not 1'],
  [() => fairProbability(0, 0.5, 'power'), 'prices[1] is 1, which no power moves'],
  [() => fairProbability(1, 0, 'proportional'), 'prices are all 0'],
  [() => fairProbabilities([0.5]), 'prices has a price of each outcome, of which there are two at least, not 1'],
  [() => fairProbabilities([0.5, -0.1]), 'prices[1] is a price within 0 … 1, not -0.1'],
  [() => fairProbabilities([0.875, 0.875, 0.125], 'additive'), 'prices[2] is 0.125, and additive would take 0.2916666666666667 of it: proportional or power keeps it above 0'],
  [() => fairProbabilities([0.5, 1], 'power'), 'prices[1] is 1, which no power moves'],
  [() => oddsE4FloorOfProbability(0), 'probability is a finite number above 0, not 0'],
  [() => oddsE4FloorOfProbability(NaN), 'probability is a finite number above 0, not NaN'],
])('a strategy\'s mistake names the argument: %s', (refused, message) => {
  expect(refused).toThrow(expect.objectContaining({ name: 'Error', message }))
})
