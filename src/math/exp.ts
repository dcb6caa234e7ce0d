import { powerOfTwo } from './words.ts'

const OVERFLOW = 709.782712893384
const UNDERFLOW = -745.1332191019411
const LN2_HIGH = 6.93147180369123816490e-1
const LN2_LOW = 1.90821492927058770002e-10
const INVERSE_LN2 = 1.44269504088896338700
const P1 = 1.66666666666666019037e-1
const P2 = -2.77777777770155933842e-3
const P3 = 6.61375632143793436117e-5
const P4 = -1.65339022054652515390e-6
const P5 = 4.13813679705723846039e-8

/**
 * e to the x, within 1 ulp. The bits are the same on every IEEE machine, because only + − × ÷ are used (design.md, decision 13).
 * Method and constants of fdlibm's e_exp.c (Sun Microsystems, 1993): x = k·ln2 + r with |r| ≤ ln2/2, then a rational
 * function of r. Overflows to Infinity, underflows through the subnormals to 0.
 */
export function exp(x: number): number {
  if (x !== x) return NaN
  if (x > OVERFLOW) return Infinity
  if (x < UNDERFLOW) return 0
  if (Math.abs(x) < 2 ** -28) return 1 + x
  let k = 0
  let high = x
  let low = 0
  if (Math.abs(x) > 0.34657359027997264) {
    if (Math.abs(x) < 1.0397207708399179) k = x < 0 ? -1 : 1
    else k = Math.trunc(INVERSE_LN2 * x + (x < 0 ? -0.5 : 0.5))
    high = x - k * LN2_HIGH
    low = k * LN2_LOW
  }
  const r = high - low
  const t = r * r
  const c = r - t * (P1 + t * (P2 + t * (P3 + t * (P4 + t * P5))))
  if (k === 0) return 1 - ((r * c) / (c - 2) - r)
  const y = 1 - (low - (r * c) / (2 - c) - high)
  if (k === 1024) return y * 2 * powerOfTwo(1023)
  return k >= -1021 ? y * powerOfTwo(k) : y * powerOfTwo(k + 1000) * powerOfTwo(-1000)
}
