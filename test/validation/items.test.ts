import { describe, expect, it } from 'vitest'
import { passes } from '../../src/validation/figure.ts'
import { VALIDATION_ITEMS } from '../../src/validation/items.ts'
import { VALIDATION_SEED } from '../../src/validation/validate.ts'

/** Figures that the wrong parameter moves by less than a small sample can tell; the others of their items fail. */
const TOO_CLOSE: Readonly<Record<string, readonly string[]>> = { M: ['M.cash-parlay', 'M.cash-outcome', 'M.permuted'] }

describe.each(VALIDATION_ITEMS.map((item) => [item.id, item] as const))('item %s', (id, item) => {
  it('meets its known values through the services', async () => {
    const figures = await item.measure({ seed: VALIDATION_SEED, size: 'small', wrong: false })
    expect(figures.filter((figure) => !passes(figure)).map(({ id: figure }) => figure)).toEqual([])
    for (const { id: figure, samples, committed } of figures) {
      expect(figure.startsWith(`${id}.`)).toBe(true)
      expect(samples).toBeGreaterThan(100)
      expect(committed).toBe(samples)
    }
  })

  it('fails when a parameter is wrong', async () => {
    const figures = await item.measure({ seed: VALIDATION_SEED, size: 'small', wrong: true })
    const misses = figures.filter(({ claim, known, low, high }) => (claim === 'below' ? high >= known : known < low || known > high)).map(({ id: figure }) => figure)
    expect(misses).toEqual(figures.map(({ id: figure }) => figure).filter((figure) => !TOO_CLOSE[id]?.includes(figure)))
  })
})
