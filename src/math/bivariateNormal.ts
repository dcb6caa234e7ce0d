/* oxlint-disable no-loss-of-precision -- nodes and weights keep their published digits */
import { exp } from './exp.ts'
import { normalCdf } from './normal.ts'

const INVERSE_2PI = 0.15915494309189533577

/** Positive nodes and weights of Gauss and Legendre's rule with 20 points on [−1, 1]. */
const NODES = [
  0.9931285991850949, 0.9639719272779138, 0.9122344282513259, 0.8391169718222188, 0.7463319064601508,
  0.6360536807265150, 0.5108670019508271, 0.3737060887154196, 0.2277858511416451, 0.0765265211334973,
]
const WEIGHTS = [
  0.0176140071391521, 0.0406014298003869, 0.0626720483341091, 0.0832767415767048, 0.1019301198172404,
  0.1181945319615184, 0.1316886384491766, 0.1420961093183821, 0.1491729864726037, 0.1527533871307259,
]

/** Above this |ρ| the integrand is steep at its end, and the interval is cut into pieces that halve towards that end. */
const STEEP = 0.75
const STEEP_PIECES = 24

/**
 * P(X < h, Y < k) of standard normal X and Y with correlation `rho` in −1…1, within 10⁻¹⁴: Φ(h)Φ(k) plus the integral of the density
 * over the correlation (Z. Drezner and G. O. Wesolowsky, J. Statist. Comput. Simul. 35, 1990). The variable is the arcsine of the
 * correlation as in A. Genz, Statistics and Computing 14 (2004), written as 2·arctan(t): a rational substitution that needs no sine.
 */
export function bivariateNormalCdf(h: number, k: number, rho: number): number {
  if (h === -Infinity || k === -Infinity) return 0
  if (h === Infinity) return normalCdf(k)
  if (k === Infinity) return normalCdf(h)
  if (rho >= 1) return Math.min(normalCdf(h), normalCdf(k))
  if (rho <= -1) return Math.max(0, normalCdf(h) - normalCdf(-k))
  const end = rho / (1 + Math.sqrt((1 - rho) * (1 + rho)))
  let sum = 0
  if (Math.abs(rho) <= STEEP) sum = piece(h, k, 0, end)
  else {
    // The steep end is at t = ±1, and the pieces halve their distance to it.
    const steep = rho > 0 ? 1 : -1
    let from = 0
    for (let i = 1; i < STEEP_PIECES; i++) {
      const to = steep * (1 - 2 ** -1 * (1 - Math.abs(from)))
      if (Math.abs(to) >= Math.abs(end)) break
      sum += piece(h, k, from, to)
      from = to
    }
    sum += piece(h, k, from, end)
  }
  const both = normalCdf(h) * normalCdf(k) + sum
  return Math.min(Math.max(both, 0), normalCdf(h), normalCdf(k))
}

/** The integral between two values of t = tan(½ arcsin r). */
function piece(h: number, k: number, from: number, to: number): number {
  const half = (to - from) / 2
  const middle = (to + from) / 2
  let sum = 0
  for (let i = 0; i < NODES.length; i++) {
    sum += WEIGHTS[i]! * (density(h, k, middle - half * NODES[i]!) + density(h, k, middle + half * NODES[i]!))
  }
  return half * sum
}

/** d/dt of the probability: the density at r = 2t/(1 + t²), times √(1 − r²), times the derivative 2/(1 + t²) of the arcsine. */
function density(h: number, k: number, t: number): number {
  const whole = 1 + t * t
  const r = (2 * t) / whole
  const cosine = ((1 - t) * (1 + t)) / whole
  // h² − 2rhk + k², for either sign of r, written without a difference of nearly equal numbers.
  const apart = r > 0 ? (h - k) * (h - k) + 2 * h * k * (((1 - t) * (1 - t)) / whole) : (h + k) * (h + k) - 2 * h * k * (((1 + t) * (1 + t)) / whole)
  return INVERSE_2PI * exp(-apart / (2 * cosine * cosine)) * (2 / whole)
}
