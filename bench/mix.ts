/** 32-bit mixing of a salt and two integers: draws that are the same in every run. */
export function mix(i: number, k: number, salt = 0): number {
  let x = Math.imul(i + 1, 0x9e3779b1) ^ Math.imul(k + 1, 0x85ebca6b) ^ salt
  x = Math.imul(x ^ (x >>> 16), 0x7feb352d)
  x = Math.imul(x ^ (x >>> 15), 0x846ca68b)
  return (x ^ (x >>> 16)) >>> 0
}

/** The same as a number in [0, 1). */
export const mixedUnit = (i: number, k: number, salt = 0): number => mix(i, k, salt) * 2 ** -32
