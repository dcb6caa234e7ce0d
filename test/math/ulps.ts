/** Distance in units of the last place of `b`, for finite normal doubles. */
export function ulps(a: number, b: number): number {
  if (a === b) return 0
  const exponent = Math.floor(Math.log2(Math.abs(b)))
  return Math.abs(a - b) / 2 ** (exponent - 52)
}
