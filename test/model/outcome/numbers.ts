/** Whether a field is a safe integer in a range: NaN, fractions and what doubles cannot count are out of any. */
export const isIntegerIn = (value: number, least: number, most: number): boolean =>
  Number.isSafeInteger(value) && value >= least && value <= most

export const isInteger = (value: number): boolean => Number.isSafeInteger(value)

const UNSET = -1

/** Whether it is −1 (not given) or an integer from 1. */
export const isGeneration = (value: number): boolean => value === UNSET || isIntegerIn(value, 1, Number.MAX_SAFE_INTEGER)

/** The instant of a Unix second of signed terms. */
export const usOfSecond = (second: number): number => second * 1_000_000

export const usOfMs = (ms: number): number => ms * 1_000
