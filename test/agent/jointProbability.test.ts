import { describe, expect, it } from 'vitest'
import { bivariateNormal, type Correlation, jointProbability, normalCdf, normalOrthant, normalQuantile } from '../../src/index.ts'

/** Sheppard (1899): the chance of two even events. */
const even = (rho: number): number => 0.25 + Math.asin(rho) / (2 * Math.PI)

describe('two even events', () => {
  it.each([-1, -0.9, -0.5, 0, 0.3, 0.5, 0.8, 1])('come together with ¼ + asin(%d)/2π, by each of the functions', (rho) => {
    for (const chance of [jointProbability([0.5, 0.5], rho), jointProbability([0.5, 0.5], [1, rho, rho, 1]), bivariateNormal(0, 0, rho), normalOrthant([0, 0], rho)]) {
      expect(Math.abs(chance - even(rho))).toBeLessThan(1e-14)
    }
  })
})

describe('a joint probability', () => {
  it('of n even events at ½ is 1/(n + 1), because each of n + 1 exchangeable variables is the largest equally often', () => {
    for (const n of [2, 3, 5, 8]) expect(jointProbability(Array.from({ length: n }, () => 0.5), 0.5)).toBeCloseTo(1 / (n + 1), 9)
  })

  it('is the product without correlation, and the least probability where all events are one', () => {
    expect(jointProbability([0.4, 0.5, 0.6], 0)).toBeCloseTo(0.12, 15)
    expect(jointProbability([0.4, 0.5, 0.6], 1)).toBeCloseTo(0.4, 14)
  })

  it('of an event and the opposite of another has the sign of its correlation turned: both add up to the first alone', () => {
    expect(jointProbability([0.3, 0.6], 0.5) + jointProbability([0.3, 0.4], -0.5)).toBeCloseTo(0.3, 14)
  })

  it('takes events that are sure or impossible, and none at all', () => {
    expect(jointProbability([1, 0.3, 0.6], 0.5)).toBe(jointProbability([0.3, 0.6], 0.5))
    expect(jointProbability([0, 0.3, 0.6], 0.5)).toBe(0)
    expect(jointProbability([], 0.5)).toBe(1)
  })

  it('takes a matrix whose pairs differ: events without a tie are multiplied', () => {
    expect(jointProbability(Float64Array.of(0.5, 0.5, 0.2), [1, 0.5, 0, 0.5, 1, 0, 0, 0, 1])).toBeCloseTo(0.2 / 3, 14)
  })
})

it('an orthant has bounds at infinity: a variable without a bound counts for nothing', () => {
  expect(normalOrthant([0, Infinity, 0], 0.5)).toBe(normalOrthant([0, 0], 0.5))
  expect(normalOrthant([0, -Infinity, 0], 0.5)).toBe(0)
  // ⅛ + 3·asin(½)/4π = ¼.
  expect(normalOrthant([0, 0, 0], 0.5)).toBeCloseTo(0.25, 3)
})

it('quantiles are the bounds of probabilities: 97.5 % lie below 1.959963984540054', () => {
  expect(normalQuantile(0.975)).toBeCloseTo(1.959963984540054, 14)
  expect(normalCdf(1.959963984540054)).toBeCloseTo(0.975, 14)
  expect([normalQuantile(0), normalQuantile(1)]).toEqual([-Infinity, Infinity])
})

const other = (value: unknown): never => value as never

describe('what is wrong is refused as the strategy\'s mistake, and the argument is named', () => {
  const correlations: readonly (readonly [string, Correlation, string])[] = [
    ['a number outside', 1.5, 'correlation is a correlation within −1 … 1, not 1.5'],
    ['NaN', NaN, 'correlation is a correlation within −1 … 1, not NaN'],
    ['too few rows', [1, 0.5, 0.5, 1], 'correlation has a number for each pair of 3, which are 9 in rows, not 4'],
    ['a diagonal that is not 1', [1, 0, 0, 0, 0.9, 0, 0, 0, 1], 'correlation[4] is that of variable 1 and itself, which is 1, not 0.9'],
    ['two numbers for one pair', [1, 0, 0, 0.2, 1, 0, 0, 0, 1], 'correlation[3] and correlation[1] are of the same pair, and differ: 0.2 and 0'],
    ['a number outside in rows', [1, 2, 0, 2, 1, 0, 0, 0, 1], 'correlation[1] is a correlation within −1 … 1, not 2'],
    // Without the first, the others have 1 − 0.36 = 0.64 and −0.6 − 0.36 = −0.96, and 0.64 − 0.96²/0.64 = −0.8.
    ['three events that all exclude each other', -0.6, 'no 3 variables have this correlation: the matrix is not positive semidefinite, its least pivot is -0.800'],
    ['a text', other('0.5'), 'correlation is a list of numbers, not string'],
    ['nothing', other(undefined), 'correlation is a list of numbers, not undefined'],
  ]
  it.each(correlations)('a correlation that is %s', (_, correlation, message) => {
    for (const refused of [() => jointProbability([0.5, 0.5, 0.5], correlation), () => normalOrthant([0, 0, 0], correlation)]) {
      expect(refused).toThrow(expect.objectContaining({ name: 'Error', message }))
    }
  })

  it.each([
    [() => jointProbability([0.5, NaN], 0), 'probabilities[1] is a probability within 0 … 1, not NaN'],
    [() => jointProbability([0.5, 1.01], 0), 'probabilities[1] is a probability within 0 … 1, not 1.01'],
    [() => jointProbability(other([0.5, { }]), 0), 'probabilities[1] is a probability within 0 … 1, not an object: a handler writes numbers, as 15 * SECOND_US, and seconds(15) declares a parameter'],
    [() => jointProbability(other(0.5), 0), 'probabilities is a list of numbers, not number'],
    [() => jointProbability(other(null), 0), 'probabilities is a list of numbers, not null'],
    [() => jointProbability(Array.from({ length: 65 }, () => 0.5), 0), 'probabilities has 64 numbers at most, not 65'],
    [() => normalOrthant([0, NaN], 0), 'bounds[1] is a number, not NaN'],
    [() => normalOrthant(Array.from({ length: 65 }, () => 0.5), 0), 'bounds has 64 numbers at most, not 65'],
    [() => bivariateNormal(NaN, 0, 0), 'h is a number, not NaN'],
    [() => bivariateNormal(0, other('1'), 0), 'k is a number, not 1'],
    [() => bivariateNormal(0, 0, -1.1), 'rho is a correlation within −1 … 1, not -1.1'],
    [() => normalCdf(NaN), 'x is a number, not NaN'],
    [() => normalQuantile(1.5), 'probability is a probability within 0 … 1, not 1.5'],
  ])('%s', (refused, message) => {
    expect(refused).toThrow(expect.objectContaining({ name: 'Error', message }))
  })
})
