/** Whether a field is an integer in a range: NaN and fractions are out of any. */
export const isIntegerIn = (value: number, least: number, most: number): boolean =>
  Number.isInteger(value) && value >= least && value <= most
