import { describe, expect, it } from 'vitest'
import { rootKey } from '../../src/kernel/random.ts'
import { redrawnDifferences } from '../../src/redraw/redrawnDifferences.ts'
import type { DrawnMarket } from '../../src/redraw/outcomeBits.ts'
import type { RunMarket } from '../../src/redraw/readMarkets.ts'
import { worldDifference } from '../../src/redraw/worldDifference.ts'
import { bookOf, coin, isNear } from './byHand.ts'

const KEY = rootKey('test')
const MANY = 40_000
const bet = (risk: number, ...legs: number[]): Parameters<typeof bookOf>[1][0] => ({ stake: 100e6, risk, legs: legs.map((market) => [market, 1] as const) })

describe('the difference of two runs over other outcomes', () => {
  it('has the same outcomes in both, so that what both have differs by its price alone', () => {
    // On YES (0.3) the maker loses 200 in A and 180 in B, otherwise it keeps 100 in both: 20 or 0, of mean 6 and deviation 20 · √(0.3 · 0.7) = 9.165.
    const [difference] = redrawnDifferences(bookOf([coin('A', 0.3)], [bet(200e6, 0)]), bookOf([coin('B', 0.6), coin('A', 0.3)], [bet(180e6, 1)]), ['maker 0'], KEY, MANY)
    expect(difference!.range).toEqual([0, 20e6])
    expect(isNear(difference!.better.value * MANY, 0.3, MANY)).toBe(true)
    expect(difference!.worse).toEqual({ value: 0, error: 0 })
    expect(difference!.mean.value).toBeCloseTo(20e6 * difference!.better.value, 0)
    expect(Math.abs(difference!.mean.error / (9_165_151 / 200) - 1)).toBeLessThan(0.02)
  })

  it('of what one run alone has is that of the bet, by maker, and 0 of a maker without one', () => {
    const a = bookOf([coin('A', 0.5)], [bet(100e6, 0)])
    const b = bookOf([coin('A', 0.5), coin('B', 0.5)], [bet(100e6, 0), { ...bet(300e6, 0, 1), maker: 1 }])
    const [both, alone, nobody] = redrawnDifferences(a, b, ['maker 0', 'maker 1', 'maker 2'], KEY, MANY)
    expect([both!.range, both!.better.value, nobody!.range, nobody!.mean.value]).toEqual([[0, 0], 0, [0, 0], 0])
    // Both coins are YES in a quarter of the nights.
    expect(alone!.range).toEqual([-300e6, 100e6])
    expect(isNear(alone!.worse.value * MANY, 0.25, MANY)).toBe(true)
    expect(alone!.better.value + alone!.worse.value).toBeCloseTo(1, 12)
    // The other way around each night has the opposite sign.
    const [, back] = redrawnDifferences(b, a, ['maker 0', 'maker 1'], KEY, MANY)
    expect([back!.mean.value, back!.better.value]).toEqual([0 - alone!.mean.value, alone!.worse.value])
  })

  it('counts what stands as recorded', () => {
    const a = bookOf([coin('A', 0.5)], [bet(100e6, 0)])
    const counts = { redrawn: 1, void: 1, boughtBack: 2, withoutClose: 4, sold: 8, open: 16 }
    const [difference] = redrawnDifferences(a, { ...a, owners: [{ ...a.owners[0]!, counts, fixedMicros: a.owners[0]!.fixedMicros + 7 }] }, ['maker 0'], KEY, 100)
    expect(difference).toMatchObject({ range: [7, 7], better: { value: 1 }, asRecorded: { a: 0, b: 15 } })
  })
})

describe('the worlds of two runs', () => {
  const world = (markets: Readonly<Record<string, DrawnMarket | null>>, correlation = 0): Parameters<typeof worldDifference>[0] =>
    ({ correlation, markets: new Map(Object.entries(markets).map(([ticker, drawn]): [string, RunMarket] => [ticker, { drawn, resultUs: 0, recorded: drawn === null ? 'void' : 'no', closing: 0.5 }])) })
  const A = coin('A', 0.43)

  it.each<[string, Parameters<typeof worldDifference>[0], Parameters<typeof worldDifference>[0], string | null]>([
    ['are one where shared markets are drawn alike', world({ A, B: coin('B', 0.1) }), world({ A, C: coin('C', 0.2) }), null],
    ['are two with another correlation', world({ A }, 0.3), world({ A }), 'outcomes have a correlation of 0.3 in A and of 0 in B'],
    ['are two without a market in common', world({ A }), world({ B: A }), 'the runs have no market in common'],
    ['are two with other chances', world({ B: coin('B', 0.1), A }), world({ B: coin('B', 0.1), A: coin('A', 0.51) }), '1 of the 2 markets that both have are drawn otherwise in B: A, YES with 0.4300 in A, 0.5100 in B'],
    ['are two where one is void', world({ A }), world({ A: null }), '1 of the 1 markets that both have are drawn otherwise in B: A, YES with 0.4300 in A, void in B'],
    ['are two where it is of a partition', world({ A }), world({ A: { ...A, source: 'E' } }), '1 of the 1 markets that both have are drawn otherwise in B: A, with other markets'],
    ['are one in other groups without a correlation', world({ A }), world({ A: { ...A, group: 'other' } }), null],
    ['are two in other groups with one', world({ A }, 0.3), world({ A: { ...A, group: 'other' } }, 0.3), '1 of the 1 markets that both have are drawn otherwise in B: A, with other markets'],
  ])('%s', (_, a, b, why) => { expect(worldDifference(a, b)).toBe(why) })
})
