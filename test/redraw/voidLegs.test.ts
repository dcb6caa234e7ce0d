import { describe, expect, it } from 'vitest'
import { decidingOf, type RecordedLeg, voidRulesOf } from '../../src/redraw/voidLegs.ts'

const leg = (ticker: string, decidedUs: number, result: RecordedLeg['result']): RecordedLeg => ({ ticker, isYes: true, decidedUs, result })
const [PARLAY, OUTCOME] = [voidRulesOf('parlay'), voidRulesOf('outcome')]
const told = (deciding: ReturnType<typeof decidingOf>) => ({ ...deciding, legs: deciding.legs.map(({ ticker, decidedUs }) => `${ticker} ${decidedUs}`) })

describe('the legs that decide a position', () => {
  it('are all of them without a void leg', () => {
    const legs = [leg('B', 30, 'right'), leg('A', 10, 'right')]
    expect(told(decidingOf(legs, 35, PARLAY))).toEqual({ legs: ['A 10', 'B 30'], rightUs: 30, lagUs: 5, isVoidElseLost: false })
    // It is lost at the first wrong leg, and paid 5 after it.
    expect(told(decidingOf([leg('B', 30, 'right'), leg('A', 10, 'wrong')], 15, OUTCOME))).toEqual({ legs: ['A 10', 'B 30'], rightUs: 30, lagUs: 5, isVoidElseLost: false })
  })

  it('are those before a void leg on the parlay service, and at its instant (PQ-428), whether they lost it or not', () => {
    // It is paid 15 after its decision, as the chain was at fault. What comes meanwhile is late.
    const rest = [leg('V', 20, 'void'), leg('S', 20, 'right'), leg('B', 30, 'wrong')]
    const expected = { legs: ['A 10', 'S 20'], rightUs: 20, isVoidElseLost: true }
    expect(told(decidingOf([leg('A', 10, 'right'), ...rest], 35, PARLAY))).toEqual({ ...expected, lagUs: 15 })
    expect(told(decidingOf([leg('A', 10, 'wrong'), ...rest], 25, PARLAY))).toEqual({ ...expected, lagUs: 15 })
    // Nothing but the void is known when it ends.
    expect(told(decidingOf(rest.toSpliced(1, 1), 20, PARLAY)).legs).toEqual([])
  })

  it('are those up to the settlement on the outcome service, where a loss beats a void until then', () => {
    const legs = [leg('A', 10, 'right'), leg('V', 20, 'void'), leg('B', 30, 'wrong'), leg('C', 36, 'wrong')]
    // The void decides at 20, and the batch is at 35: B loses it, C comes too late.
    expect(told(decidingOf(legs, 35, OUTCOME))).toEqual({ legs: ['A 10', 'B 20'], rightUs: 20, lagUs: 15, isVoidElseLost: true })
    expect(told(decidingOf(legs, 29, OUTCOME)).legs).toEqual(['A 10'])
    expect(told(decidingOf(legs, 30, OUTCOME)).legs).toEqual(['A 10', 'B 20'])
  })
})
