import { exp } from './exp.ts'
import { log } from './log.ts'

const E = 2.718281828459045
/** Each of Halley's steps triples the number of right digits. From the first guesses below, five steps reach the last digit. */
const STEPS_MAX = 12

/**
 * Principal branch of Lambert's W: the w ≥ −1 with w·eʷ = x, to a few ulp. Close above −1/e half of the digits are lost, and below
 * −1/e the result is NaN. First guesses and Halley's iteration of Corless, Gonnet, Hare, Jeffrey and Knuth, "On the Lambert W function",
 * Advances in Computational Mathematics 5 (1996). Only + − × ÷ and our own exp and log are used, so that the bits are the same everywhere.
 */
export function lambertW(x: number): number {
  if (x === 0 || x === Infinity) return x
  // At −1/e the value of 1 + e·x in doubles is nothing but its rounding.
  const aboveBranch = 1 + E * x
  if (!(aboveBranch > -1e-15)) return NaN
  if (aboveBranch <= 1e-15) return -1
  let w = guess(x, aboveBranch)
  for (let i = 0; i < STEPS_MAX; i++) {
    // Halley's step, divided by eʷ: otherwise its products would leave the range of doubles before x does.
    const miss = w - x / exp(w)
    const step = miss / (w + 1 - ((w + 2) * miss) / (2 * w + 2))
    w -= step
    if (Math.abs(step) <= 1e-16 * Math.abs(w)) break
  }
  return w
}

function guess(x: number, aboveBranch: number): number {
  if (x < -0.25) {
    const p = Math.sqrt(2 * aboveBranch)
    return -1 + p * (1 - p / 3 + (11 / 72) * p * p)
  }
  if (x < E) return x > 0 ? log(1 + x) * 0.75 : x * (1 - x)
  const l = log(x)
  return l - log(l)
}
