import { describe, expect, it } from 'vitest'
import { swapOf, swapText } from '../../src/score/swap.ts'
import { refusal } from '../inputRefusal.ts'

const AT_US = Date.parse('2025-06-19T22:35:00Z') * 1000

const textOf = (strategy: string, formerStrategy: string): string =>
  swapText(swapOf({ atUs: AT_US, makers: [{ name: 'near', service: 'parlay', strategy }] }, [{ name: 'near', service: 'parlay', strategy: formerStrategy }])!)

describe('a swap in words', () => {
  it.each([
    ['shade', 'fixed-margin', 'shade in place of fixed-margin'],
    ['./a/new.ts', './a/old.ts', 'new.ts in place of old.ts'],
    ['./a/maker.ts', './b/maker.ts', 'a/maker.ts in place of b/maker.ts'],
    ['x/a/maker.ts', 'y/a/maker.ts', 'x/a/maker.ts in place of y/a/maker.ts'],
    ['C:\\a\\maker.ts', 'C:\\b\\maker.ts', 'a/maker.ts in place of b/maker.ts'],
    ['maker.ts', 'a/maker.ts', 'maker.ts in place of a/maker.ts'],
    ['./a/maker.ts', './a/maker.ts', 'maker.ts with other parameters'],
  ])('names of %s and %s what tells them apart', (strategy, former, what) => {
    expect(textOf(strategy, former)).toBe(`from 2025-06-19T22:35:00Z on, near plays ${what}`)
  })

  it('names services where it is told to', () => {
    const swap = swapOf({ atUs: AT_US, makers: [{ name: 'near', service: 'outcome', strategy: 'shade' }] }, [{ name: 'near', service: 'outcome', strategy: 'copula' }])!
    expect(swapText(swap, true)).toBe('from 2025-06-19T22:35:00Z on, near of the service outcome plays shade in place of copula')
  })

  it('says that a former strategy is not named, where the run has no such seat', () => {
    const swap = swapOf({ atUs: AT_US, makers: [{ name: 'near', service: 'parlay', strategy: 'shade' }] }, [{ name: 'near', service: 'outcome', strategy: 'copula' }])!
    expect(swap.makers[0]!.formerStrategy).toBeNull()
    expect(swapText(swap)).toBe('from 2025-06-19T22:35:00Z on, near plays shade in place of what the manifest does not name')
  })

  it('refuses a seat without a strategy or a service', () => {
    expect(refusal(() => swapOf({ atUs: AT_US, makers: [{ name: 'near', service: 'parlay' }] })).message).toBe('the manifest has a swap of near without its service or its strategy')
    expect(refusal(() => swapOf({ atUs: AT_US, makers: [{ name: 'near', strategy: 'shade' }] })).message).toContain('a swap of near')
  })
})
