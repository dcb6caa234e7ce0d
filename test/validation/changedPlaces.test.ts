import { describe, expect, it } from 'vitest'
import { changedPlaces, type Outcome, outcomesMoved } from '../../src/validation/changedPlaces.ts'

const outcomes = (...rows: readonly (readonly [lastPrice: number, isYes: boolean])[]): Outcome[] => rows.map(([lastPrice, isYes]) => ({ lastPrice, isYes }))

describe('outcomes in changed places', () => {
  it('go round among markets within a twentieth, and stay where a market is alone', () => {
    // 0.15 begins a bin of its own, 0.10 … 0.14 are alike; three of them go round, and 0.52 with 0.54.
    const before = outcomes([0.1, true], [0.15, true], [0.52, true], [0.12, false], [0.9, false], [0.54, false], [0.14, false])
    const after = changedPlaces(before)
    expect(after).toEqual(outcomes([0.1, false], [0.15, true], [0.52, false], [0.12, false], [0.9, false], [0.54, true], [0.14, true]))
    expect(outcomesMoved(before, after)).toBe(4)
  })

  it('are none that moved when nothing changed', () => {
    const before = outcomes([0.1, true], [0.12, false])
    expect(outcomesMoved(before, before)).toBe(0)
  })

  it.each([
    ['another number of wins in a bin', outcomes([0.1, true], [0.12, true], [0.5, false]), 'as many win at each price'],
    ['a win that went to another price', outcomes([0.1, false], [0.12, false], [0.5, true]), 'as many win at each price'],
    ['another price', outcomes([0.1, true], [0.13, false], [0.5, false]), 'prices stay'],
  ])('are refused with %s', (_, after, message) => {
    expect(() => outcomesMoved(outcomes([0.1, true], [0.12, false], [0.5, false]), after)).toThrow(message)
  })
})
