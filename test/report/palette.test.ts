import { describe, expect, it } from 'vitest'
import { looksOf, partOf } from '../../src/report/html/palette.ts'

const colours = (names: readonly string[]): Record<string, string> => Object.fromEntries(looksOf(names).map(({ color }, i) => [names[i]!, color]))

describe('looks of names', () => {
  it('are the same in any order, and most often beside others', () => {
    const makers = ['fixed-margin', 'exposure-limited', 'shade']
    const own = colours(makers)
    expect(colours(makers.toReversed())).toEqual(own)
    expect(colours([...makers, 'shade-2'])).toMatchObject(own)
    expect(new Set(Object.values(own)).size).toBe(3)
  })

  it('are told apart by colours, symbols and dashes for 56 names', () => {
    const looks = looksOf(Array.from({ length: 56 }, (_, i) => `maker ${i}`)).map((look) => JSON.stringify(look))
    expect(new Set(looks).size).toBe(56)
    const [, look] = looksOf(['a', 'b'])
    const parts = [0, 1, 2, 3].map((number) => partOf(look!, number))
    expect(new Set(parts.map(({ color }) => color))).toEqual(new Set([look!.color]))
    expect(new Set(parts.map(({ symbol, dash }) => `${symbol} ${dash.join()}`)).size).toBe(4)
    expect(new Set(looksOf(Array.from({ length: 8 }, (_, i) => `maker ${i}`)).map(({ color }) => color)).size).toBe(8)
  })
})
