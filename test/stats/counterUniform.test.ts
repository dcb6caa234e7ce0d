import { describe, expect, it } from 'vitest'
import { counterUniform } from '../../src/stats/counterUniform.ts'

describe('counterUniform', () => {
  const uniform = counterUniform('profit of maker a')

  it('gives an index the same number whenever it is asked', () => {
    const forth = [0, 1, 2, 2 ** 32, 2 ** 40 + 3].map(uniform)
    expect([2 ** 40 + 3, 2 ** 32, 2, 1, 0].map(uniform).toReversed()).toEqual(forth)
    expect(new Set(forth).size).toBe(5)
    expect(forth.every((u) => u >= 0 && u < 1)).toBe(true)
  })

  it('spreads evenly, for a key and for the next one alike', () => {
    for (const key of ['a', 'b']) {
      const draw = counterUniform(key)
      const counts = new Float64Array(100)
      for (let i = 0; i < 100_000; i++) counts[Math.floor(draw(i) * 100)]!++
      // χ² with 99 degrees of freedom: 0.1 % point 148.2.
      expect(counts.reduce((sum, count) => sum + ((count - 1000) * (count - 1000)) / 1000, 0)).toBeLessThan(148.2)
    }
  })

  it('pairs neighbours evenly', () => {
    const counts = new Float64Array(100)
    for (let i = 0; i < 100_000; i++) counts[Math.floor(uniform(2 * i) * 10) * 10 + Math.floor(uniform(2 * i + 1) * 10)]!++
    expect(counts.reduce((sum, count) => sum + ((count - 1000) * (count - 1000)) / 1000, 0)).toBeLessThan(148.2)
  })
})
