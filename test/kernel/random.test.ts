import { describe, expect, it } from 'vitest'
import seedrandom from 'seedrandom'
import { Draws, Purpose, rootKey, strategyRandom } from '../../src/kernel/random.ts'
import { threefry } from '../../src/kernel/threefry.ts'
import { Bug } from '../../src/unit/assert.ts'

const KEY = rootKey('league 7')

const zeros = (n: number): number[] => Array.from({ length: n }, () => 0)

/** Pearson's statistic of counts against equal expectations. */
function chiSquare(counts: number[]): number {
  const expected = counts.reduce((a, b) => a + b) / counts.length
  return counts.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0)
}

/** 99.9 % points of χ² with 15, 63 and 255 degrees of freedom (tables). */
const CHI_15 = 37.70
const CHI_63 = 103.44
const CHI_255 = 330.52

describe('threefry', () => {
  // Random123, tests/kat_vectors: "threefry2x32 20".
  it.each([
    [0x00000000, 0x00000000, 0x00000000, 0x00000000, 0x6b200159, 0x99ba4efe],
    [0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0x1cb996fc, 0xbb002be7],
    [0x13198a2e, 0x03707344, 0x243f6a88, 0x85a308d3, 0xc4923a9c, 0x483df7a0],
  ])('answers key %i %i, counter %i %i as published', (key0, key1, counter0, counter1, word0, word1) => {
    const out = new Int32Array(2)
    expect(threefry(key0, key1, counter0, counter1, out)).toBe(word0 | 0)
    expect([...out]).toEqual([word0 | 0, word1 | 0])
  })
})

describe('rootKey', () => {
  it('takes the first two words of seedrandom for the seed', () => {
    const generator = seedrandom('2025-06-19')
    expect(rootKey('2025-06-19')).toEqual({ word0: generator.int32(), word1: generator.int32() })
    expect(rootKey('2025-06-19')).not.toEqual(rootKey('2025-06-20'))
  })
})

describe('Draws', () => {
  it('gives a draw the same value whatever else is drawn, and in whatever order', () => {
    const forwards = new Draws(KEY, Purpose.legs)
    const backwards = new Draws(KEY, Purpose.legs)
    const values = new Map<string, number>()
    for (let entity = 0; entity < 50; entity++) {
      for (let index = 0; index < 20; index++) values.set(`${entity} ${index}`, forwards.uint32(entity, index))
    }
    for (let entity = 2 ** 33; entity > 2 ** 33 - 9; entity--) backwards.normal(entity, 3)
    for (let entity = 49; entity >= 0; entity--) {
      for (let index = 19; index >= 0; index--) {
        expect(backwards.uint32(entity, index)).toBe(values.get(`${entity} ${index}`))
      }
    }
    expect(new Set(values.values()).size).toBe(1000)
  })

  it('tells keys, purposes, entities and indices apart, up to the last safe integer', () => {
    const far = [0, 1, 2 ** 31, 2 ** 32 - 1, 2 ** 32, 2 ** 32 + 1, 2 ** 40, Number.MAX_SAFE_INTEGER]
    const seen = new Set<number>()
    for (const key of [KEY, rootKey('league 8')]) {
      for (const purpose of [Purpose.legs, Purpose.stake]) {
        const draws = new Draws(key, purpose)
        for (const entity of far) for (const index of far) seen.add(draws.uniform(entity, index))
      }
    }
    expect(seen.size).toBe(2 * 2 * 8 * 8)
  })

  it('refuses what is not a safe integer from 0', () => {
    const draws = new Draws(KEY, Purpose.side)
    for (const bad of [-1, -(2 ** 40), 0.5, 2 ** 32 + 0.5, 2 ** 53, NaN, Infinity]) {
      expect(() => draws.uint32(bad, 0)).toThrow(Bug)
      expect(() => draws.uint32(0, bad)).toThrow(Bug)
    }
  })

  it('has purposes of different numbers', () => {
    const numbers = Object.values(Purpose)
    expect(new Set(numbers).size).toBe(numbers.length)
    // In the order in which they came to be: a number that was used once keeps its meaning.
    expect(Object.keys(Purpose)).toEqual([
      'arrivals', 'legs', 'legCount', 'side', 'stake', 'floor', 'tolerance', 'decisionDelay', 'signalNoise', 'makerLatency', 'makerResponse', 'confirmDelay',
      'feedLatency', 'faults', 'cashOut', 'settlement', 'endpoints', 'chainFaults', 'externalCalls', 'redraws',
    ])
    expect(numbers).toEqual(numbers.map((_, i) => i + 1))
  })

  it('is uniform over entities, over indices and over the values of `below`', () => {
    const draws = new Draws(KEY, Purpose.arrivals)
    const byEntity = zeros(256)
    const byIndex = zeros(256)
    const cells = zeros(64)
    const sixteenths = zeros(16)
    for (let i = 0; i < 50_000; i++) {
      byEntity[draws.uint32(i, 0) >>> 24]!++
      byIndex[draws.uint32(7, i) & 255]!++
      cells[draws.below(i, 1, 64)]!++
      sixteenths[Math.floor(draws.uniform(i, 2) * 2 ** 16) & 15]!++
    }
    expect(chiSquare(byEntity)).toBeLessThan(CHI_255)
    expect(chiSquare(byIndex)).toBeLessThan(CHI_255)
    expect(chiSquare(cells)).toBeLessThan(CHI_63)
    expect(chiSquare(sixteenths)).toBeLessThan(CHI_15)
  })

  it('puts the upper 27 bits of the first word over the upper 26 of the second', () => {
    const draws = new Draws(KEY, Purpose.stake)
    const out = new Int32Array(2)
    threefry(KEY.word0, KEY.word1, Purpose.stake, 0x243f6a88, out)
    const [key0, key1] = out
    for (let i = 0; i < 2000; i++) {
      const entity = Math.imul(i, 0x9e3779b1) >>> 0
      threefry(key0!, key1!, entity, i, out)
      const bits = (BigInt(out[0]! >>> 5) << 26n) | BigInt(out[1]! >>> 6)
      expect(draws.uniform(entity, i)).toBe(Number(bits) / 2 ** 53)
      expect(draws.uint32(entity, i)).toBe(out[0]! >>> 0)
    }
  })

  it('shows no dependence between neighbouring draws', () => {
    const draws = new Draws(KEY, Purpose.floor)
    const pairs = zeros(64)
    for (let i = 0; i < 50_000; i++) pairs[draws.below(i, 0, 8) * 8 + draws.below(i + 1, 0, 8)]!++
    expect(chiSquare(pairs)).toBeLessThan(CHI_63)
  })

  it('keeps `uniform` in [0, 1) on the grid of 2⁻⁵³ and `below` under n', () => {
    const draws = new Draws(KEY, Purpose.tolerance)
    for (let i = 0; i < 2000; i++) {
      const u = draws.uniform(i, 0)
      expect(u >= 0 && u < 1 && Number.isInteger(u * 2 ** 53)).toBe(true)
      expect(draws.below(i, 0, 1)).toBe(0)
      expect(draws.below(i, 0, 3)).toBe(Math.floor(u * 3))
    }
  })

  it('has the moments of the exponential and the normal distribution', () => {
    const draws = new Draws(KEY, Purpose.decisionDelay)
    const n = 50_000
    let exponential = 0
    let normal = 0
    let squares = 0
    let beyond = 0
    let least = Infinity
    for (let i = 0; i < n; i++) {
      const wait = draws.exponential(i, 0, 250)
      least = Math.min(least, wait)
      exponential += wait
      const x = draws.normal(i, 1)
      normal += x
      squares += x * x
      if (Math.abs(x) > 1.959963984540054) beyond++
    }
    expect(least).toBeGreaterThanOrEqual(0)
    // Four standard errors: 250/√n, 1/√n, √(2/n), √(0.05·0.95/n).
    expect(Math.abs(exponential / n - 250)).toBeLessThan(4.5)
    expect(Math.abs(normal / n)).toBeLessThan(0.018)
    expect(Math.abs(squares / n - 1)).toBeLessThan(0.026)
    expect(Math.abs(beyond / n - 0.05)).toBeLessThan(0.0039)
  })
})

describe('strategyRandom', () => {
  const some = (generator: () => number): number[] => Array.from({ length: 5 }, generator)

  it('repeats itself for a seed and a name, and differs for another', () => {
    expect(some(strategyRandom('s', 'shade 1'))).toEqual(some(strategyRandom('s', 'shade 1')))
    expect(some(strategyRandom('s', 'shade 1'))).not.toEqual(some(strategyRandom('s', 'shade 2')))
    expect(some(strategyRandom('s', 'a b'))).not.toEqual(some(strategyRandom('s a', 'b')))
  })

  it('goes on from a snapshot', () => {
    const generator = strategyRandom('s', 'shade 1')
    some(generator)
    const image = structuredClone(generator.snapshot())
    const rest = some(generator)
    generator.restore(image)
    expect(some(generator)).toEqual(rest)
    const other = strategyRandom('t', 'other')
    other.restore(image)
    expect(some(other)).toEqual(rest)
  })
})
