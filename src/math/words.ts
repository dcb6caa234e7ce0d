/** One double seen as two 32-bit words, whatever the byte order of the machine. */
const double = new Float64Array(1)
const words = new Int32Array(double.buffer)

double[0] = 1
const HIGH = words[1] === 0x3ff00000 ? 1 : 0
const LOW = 1 - HIGH

/** Sign, exponent and upper 20 bits of the fraction. */
export function highWord(x: number): number {
  double[0] = x
  return words[HIGH]!
}

/** The number x with its high word replaced. */
export function withHighWord(x: number, high: number): number {
  double[0] = x
  words[HIGH] = high
  return double[0]!
}

/** 2ⁿ for −1022 ≤ n ≤ 1023, exactly. */
export function powerOfTwo(n: number): number {
  words[HIGH] = (n + 1023) << 20
  words[LOW] = 0
  return double[0]!
}
