import { expect, it } from 'vitest'
import { isBelow } from './chance.ts'

// Tails of the binomial distribution at 0.9, from a table: P(X ≤ 13 of 20) = 0.0024, P(X ≤ 14 of 20) = 0.0113, P(X ≤ 80 of 100) = 0.0020, P(X ≤ 83 of 100) = 0.0206.
it.each([[13, 20, true], [14, 20, false], [20, 20, false], [80, 100, true], [83, 100, false], [1, 2, false], [0, 3, true], [0, 0, false]])(
  '%i noticed of %i are too few for 90 %%: %s', (noticed, tried, isTooFew) => {
    expect(isBelow(noticed, tried, 0.9)).toBe(isTooFew)
  },
)
