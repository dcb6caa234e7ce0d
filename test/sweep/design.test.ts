import { describe, expect, it } from 'vitest'
import { type Axis, readSpan } from '../../src/scenario/sweepSchema.ts'
import { type Design, pointsOf } from '../../src/sweep/design.ts'

const axis = (path: string, text: string): Axis => {
  const span = readSpan(text)
  if ('fault' in span) throw new Error(span.fault)
  return { path, span }
}

const design = (kind: Design['kind'], axes: readonly Axis[], points?: number, seed = '1'): Design =>
  ({ kind, axes, seed, ...(points === undefined ? {} : { points }) })

describe('an axis', () => {
  it.each([
    ['2%..8%:7', ['2%', '3%', '4%', '5%', '6%', '7%', '8%']],
    ['2..8%:3', ['2%', '5%', '8%']],
    ['0..1:11', ['0', '0.1', '0.2', '0.3', '0.4', '0.5', '0.6', '0.7', '0.8', '0.9', '1']],
    ['100 USDC..500 USDC:3', ['100 USDC', '300 USDC', '500 USDC']],
    ['1m..2m:2', ['1 m', '2 m']],
    ['-1..1:2', ['-1', '1']],
    ['a, b,c', ['a', 'b', 'c']],
    ['5%', ['5%']],
  ])('runs through %s', (text, values) => {
    expect(readSpan(text)).toEqual({ values })
  })

  it('may be a whole range', () => {
    expect(readSpan('0.5 .. 2.5 USDC')).toEqual({ low: 0.5, high: 2.5, unit: 'USDC' })
  })

  it.each([
    ['8%..2%', 'from the lower end to the higher'], ['2%..8c:3', 'different units'], ['2%..8%:1', 'expected 2 to 10000 values'], ['2%..', 'expected values as'],
    ['a,,b', 'expected values as'],
  ])('cannot be %s', (text, fault) => {
    expect(readSpan(text)).toEqual({ fault: expect.stringContaining(fault) })
  })
})

describe('a design', () => {
  const [margin, fee] = [axis('margin', '2%,4%'), axis('fee', '1..3:3')]

  it('without axes is one point', () => {
    expect(pointsOf(design('grid', []))).toEqual([[]])
  })

  it('by grid has all combinations, the last axis fastest', () => {
    expect(pointsOf(design('grid', [margin, fee]))).toEqual([['2%', '1'], ['2%', '2'], ['2%', '3'], ['4%', '1'], ['4%', '2'], ['4%', '3']])
  })

  it('by list pairs the values of its axes', () => {
    expect(pointsOf(design('list', [margin, axis('cap', '1 USDC,2 USDC')]))).toEqual([['2%', '1 USDC'], ['4%', '2 USDC']])
    expect(() => pointsOf(design('list', [margin, fee]))).toThrow('margin has 2 and fee has 3')
  })

  it('at random keeps an axis where it was when another comes, and follows its seed', () => {
    const range = axis('margin', '2%..8%')
    const alone = pointsOf(design('random', [range], 20))
    expect(pointsOf(design('random', [range, fee], 20)).map(([value]) => [value])).toEqual(alone)
    expect(pointsOf(design('random', [range], 20, '2'))).not.toEqual(alone)
    for (const [value] of alone) {
      expect(value).toMatch(/^\d\.\d{1,5}%$/)
      expect(Number.parseFloat(value!)).toBeGreaterThanOrEqual(2)
      expect(Number.parseFloat(value!)).toBeLessThan(8)
    }
  })

  it('by Sobol fills every axis evenly: of 8 points each eighth has one', () => {
    const points = pointsOf(design('sobol', [axis('a', '1..8:8'), axis('b', '0..8'), axis('c', '1..8:8')], 8))
    for (const [at, eighth] of [[0, Number], [1, (text: string) => Math.floor(Number(text)) + 1], [2, Number]] as const) {
      expect(points.map((point) => eighth(point[at]!)).toSorted()).toEqual([1, 2, 3, 4, 5, 6, 7, 8])
    }
    expect(pointsOf(design('sobol', [axis('a', '1..8:8')], 8, '2'))).not.toEqual(points.map(([a]) => [a]))
  })

  it('needs values or a number of points, and each setting once', () => {
    expect(() => pointsOf(design('grid', [axis('margin', '2%..8%')]))).toThrow('a grid needs values on the axis margin')
    expect(() => pointsOf(design('sobol', [margin]))).toThrow('a sobol design needs a number of points')
    expect(() => pointsOf(design('grid', [margin, margin]))).toThrow('two axes have the path margin')
    expect(() => pointsOf(design('grid', Array.from({ length: 6 }, (_, i) => axis(`a${i}`, '1..10:10'))))).toThrow('1000000 points')
  })
})
