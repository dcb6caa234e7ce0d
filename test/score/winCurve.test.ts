import { describe, expect, it } from 'vitest'
import { WinCurves } from '../../src/score/winCurve.ts'

/** From where the bin of a margin goes, cents. */
function binFrom(marginCents: number): number | null {
  const curves = new WinCurves(1)
  curves.add(0, marginCents, 0, false)
  return curves.of(0).pooled[0]!.fromCents
}

describe('a margin over the reference', () => {
  it.each([
    ['of a whole cent that doubles put below it', 100 * (0.57 - 0.5), 7],
    ['less than 1e-9 cents below a whole one', 2 - 0.9e-9, 2],
    ['more than that below a whole one', 2 - 1.1e-9, 1],
    ['of a whole cent', 2, 2],
    ['of −5 cents', -5, -5],
    ['below the first bin of a cent', -5.1, null],
    ['in the last bin of a cent', 9.9, 9],
    ['from 10 cents on', 10, 10],
  ])('%s is in the bin of its cent', (_, marginCents, fromCents) => {
    expect(binFrom(marginCents)).toBe(fromCents)
  })
})
