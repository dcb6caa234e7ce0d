import { highWord, withHighWord } from './words.ts'

const LN2_HIGH = 6.93147180369123816490e-1
const LN2_LOW = 1.90821492927058770002e-10
const L1 = 6.666666666666735130e-1
const L2 = 3.999999999940941908e-1
const L3 = 2.857142874366239149e-1
const L4 = 2.222219843214978396e-1
const L5 = 1.818357216161805012e-1
const L6 = 1.531383769920937332e-1
const L7 = 1.479819860511658591e-1

/**
 * Natural logarithm, within 1 ulp. The bits are the same on every IEEE machine, because only + − × ÷ are used (design.md,
 * decision 13). Method and constants of fdlibm's e_log.c (Sun Microsystems, 1993): x = 2ᵏ(1 + f) with √2/2 < 1 + f < √2,
 * then a polynomial in s = f/(2 + f). −Infinity at 0, NaN below.
 */
export function log(x: number): number {
  if (x !== x || x < 0) return NaN
  if (x === 0) return -Infinity
  if (x === Infinity) return Infinity
  let k = 0
  if (x < 2 ** -1022) {
    k = -54
    x *= 2 ** 54
  }
  const high = highWord(x)
  const fraction = high & 0xfffff
  const carry = (fraction + 0x95f64) & 0x100000
  k += (high >> 20) - 1023 + (carry >> 20)
  const f = withHighWord(x, fraction | (carry ^ 0x3ff00000)) - 1
  if ((0xfffff & (2 + fraction)) < 3) return logNearOne(f, k)
  const s = f / (2 + f)
  const z = s * s
  const w = z * z
  const t1 = w * (L2 + w * (L4 + w * L6))
  const t2 = z * (L1 + w * (L3 + w * (L5 + w * L7)))
  const r = t2 + t1
  if (((fraction - 0x6147a) | (0x6b851 - fraction)) > 0) {
    const half = 0.5 * f * f
    return k === 0 ? f - (half - s * (half + r)) : k * LN2_HIGH - (half - (s * (half + r) + k * LN2_LOW) - f)
  }
  return k === 0 ? f - s * (f - r) : k * LN2_HIGH - (s * (f - r) - k * LN2_LOW - f)
}

/** k·ln2 + log(1 + f) for |f| < 2⁻²⁰, where the division is not needed. */
function logNearOne(f: number, k: number): number {
  if (f === 0) return k === 0 ? 0 : k * LN2_HIGH + k * LN2_LOW
  const r = f * f * (0.5 - 0.3333333333333333 * f)
  return k === 0 ? f - r : k * LN2_HIGH - (r - k * LN2_LOW - f)
}
