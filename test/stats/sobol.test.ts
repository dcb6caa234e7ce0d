import { describe, expect, it } from 'vitest'
import { counterUniform } from '../../src/stats/counterUniform.ts'
import { SOBOL_DIMENSIONS_MAX, sobolPoint } from '../../src/stats/sobol.ts'

describe('a Sobol sequence', () => {
  it('begins in two dimensions as Joe and Kuo\'s program does', () => {
    // The points printed in the documentation of SciPy's engine and of Joe and Kuo's page.
    expect(Array.from({ length: 8 }, (_, i) => [...sobolPoint(i, 2)])).toEqual([
      [0, 0], [0.5, 0.5], [0.75, 0.25], [0.25, 0.75], [0.375, 0.375], [0.875, 0.875], [0.625, 0.125], [0.125, 0.625],
    ])
  })

  it('has the third and the fourth point in ten dimensions that follow from m₂ by hand', () => {
    // Point 2 is v₁ ⊕ v₂ and point 3 is v₂ = m₂/4, with m₂ = 1, 3, 3, 3, 1, 1, 3, 1, 1, 1.
    expect([...sobolPoint(2, 10)]).toEqual([0.75, 0.25, 0.25, 0.25, 0.75, 0.75, 0.25, 0.75, 0.75, 0.75])
    expect([...sobolPoint(3, 10)]).toEqual([0.25, 0.75, 0.75, 0.75, 0.25, 0.25, 0.75, 0.25, 0.25, 0.25])
  })

  it('goes on beyond the first direction numbers by the recurrence', () => {
    // Dimension 3 has x² + x + 1 and m = 1, 3: m₃ = 2·3 ⊕ 4·1 ⊕ 1 = 3, m₄ = 2·3 ⊕ 4·3 ⊕ 3 = 9. Gray 4 and 8 alone: points 7 and 15.
    expect(sobolPoint(7, 3)[2]).toBe(3 / 8)
    expect(sobolPoint(15, 3)[2]).toBe(9 / 16)
  })

  it.each([undefined, counterUniform('shifted')])('puts one of the first 2⁸ points into every 2⁸-th of every dimension, shifted or not', (shift) => {
    const points = Array.from({ length: 256 }, (_, i) => sobolPoint(i, SOBOL_DIMENSIONS_MAX, shift))
    for (let dimension = 0; dimension < SOBOL_DIMENSIONS_MAX; dimension++) {
      const cells = new Set(points.map((point) => Math.floor(point[dimension]! * 256)))
      expect(cells.size).toBe(256)
    }
  })

  it('puts one of the first 16 points into every square of 4 × 4 of the first two dimensions', () => {
    const squares = new Set(Array.from({ length: 16 }, (_, i) => [...sobolPoint(i, 2)].map((x) => Math.floor(x * 4)).join()))
    expect(squares.size).toBe(16)
  })

  it('is moved by a shift to another place, the same for the same key', () => {
    const at = (key: string) => [...sobolPoint(5, 4, counterUniform(key))]
    expect(at('a')).toEqual(at('a'))
    expect(at('a')).not.toEqual(at('b'))
    expect(sobolPoint(0, 4, counterUniform('a')).every((x) => x > 0 && x < 1)).toBe(true)
  })

  it('has no more dimensions than direction numbers', () => {
    expect(() => sobolPoint(0, SOBOL_DIMENSIONS_MAX + 1)).toThrow('dimensions')
    expect(() => sobolPoint(2 ** 32, 2)).toThrow('no point')
  })
})
