import { describe, expect, it } from 'vitest'
import { chanceOf } from '../../src/redraw/chance.ts'
import type { DrawnMarket } from '../../src/redraw/outcomeBits.ts'
import { coin } from './byHand.ts'

const place = (from: number, to: number): DrawnMarket => ({ source: 'G', group: 'all', from, to })
const yes = (drawn: DrawnMarket) => ({ drawn, isYes: true })
const no = (drawn: DrawnMarket) => ({ drawn, isYes: false })

describe('the chance that legs come right together', () => {
  it('is a product where their markets are by themselves, and the width of the places that they share where one uniform decides them', () => {
    expect(chanceOf([yes(coin('A', 0.3)), no(coin('B', 0.2))], 0)).toBeCloseTo(0.24, 12)
    expect(chanceOf([no(place(0.5, 0.8)), no(place(0, 0.5)), yes(coin('A', 0.5))], 0)).toBeCloseTo(0.1, 12)
    expect(chanceOf([yes(place(0.5, 0.8)), yes(place(0, 0.5))], 0)).toBe(0)
    expect(chanceOf([yes(place(0.5, 0.8)), no(place(0, 0.5))], 0)).toBeCloseTo(0.3, 12)
    expect(chanceOf([], 0)).toBe(1)
  })

  it("is Sheppard's of two even markets with a correlation, in one group and not in two", () => {
    const both = (correlation: number, other = 'all'): number => chanceOf([yes(coin('A', 0.5)), yes(coin('B', 0.5, other))], correlation)
    for (const rho of [0.2, 0.83, 0.99]) expect(both(rho)).toBeCloseTo(0.25 + Math.asin(rho) / (2 * Math.PI), 8)
    expect(both(0.83, 'other')).toBeCloseTo(0.25, 12)
    expect(chanceOf([yes(coin('A', 0.5)), no(coin('B', 0.5))], 0.83)).toBeCloseTo(0.25 - Math.asin(0.83) / (2 * Math.PI), 8)
    expect(chanceOf([yes(place(0.2, 0.7))], 0.5)).toBeCloseTo(0.5, 9)
  })

  it('is of one number of a group at correlation 1', () => {
    expect(chanceOf([yes(coin('A', 0.5)), yes(coin('B', 0.2))], 1)).toBeCloseTo(0.2, 12)
    expect(chanceOf([yes(coin('A', 0.5)), no(coin('B', 0.5))], 1)).toBe(0)
  })
})
