/* oxlint-disable no-loss-of-precision -- the coefficients keep their published digits, to be compared with the papers */
import { exp } from './exp.ts'
import { log } from './log.ts'

const INVERSE_SQRT_2PI = 0.3989422804014326779

/** Density of the standard normal distribution. */
export const normalDensity = (x: number): number => INVERSE_SQRT_2PI * exp(-0.5 * x * x)

/**
 * Distribution function of the standard normal distribution. Its relative error is a few ulp in both tails (down to
 * x ≈ −37.5, where the value leaves the normal doubles), and it rises except for steps of that size. Rational approximations of
 * W. J. Cody, "Rational Chebyshev approximations for the error function", Math. Comp. 23 (1969), with the coefficients of his ANORM.
 */
export function normalCdf(x: number): number {
  if (x !== x) return NaN
  const y = Math.abs(x)
  if (y <= 0.67448975) return 0.5 + centre(x)
  if (y > 38.6) return x < 0 ? 0 : 1
  const tail = y <= 5.656854249492380581 ? middle(y) : far(y)
  // exp(−y²/2) in two factors, so that the rounding of y² does not reach the exponent.
  const sixteenths = Math.trunc(y * 16) / 16
  const rest = (y - sixteenths) * (y + sixteenths)
  const below = exp(-0.5 * sixteenths * sixteenths) * exp(-0.5 * rest) * tail
  return x < 0 ? below : 1 - below
}

function centre(x: number): number {
  const q = x * x
  const above = (((0.065682337918207449113 * q + 2.2352520354606839287) * q + 161.02823106855587881) * q
    + 1067.6894854603709582) * q + 18154.981253343561249
  const below = (((q + 47.20258190468824187) * q + 976.09855173777669322) * q + 10260.932208618978205) * q
    + 45507.789335026729956
  return (x * above) / below
}

function middle(y: number): number {
  const above = (((((((1.0765576773720192317e-8 * y + 0.39894151208813466764) * y + 8.8831497943883759412) * y
    + 93.506656132177855979) * y + 597.27027639480026226) * y + 2494.5375852903726711) * y + 6848.1904505362823326) * y
    + 11602.651437647350124) * y + 9842.7148383839780218
  const below = (((((((y + 22.266688044328115691) * y + 235.38790178262499861) * y + 1519.377599407554805) * y
    + 6485.558298266760755) * y + 18615.571640885098091) * y + 34900.952721145977266) * y + 38912.003286093271411) * y
    + 19685.429676859990727
  return above / below
}

function far(y: number): number {
  const q = 1 / (y * y)
  const above = ((((0.02307344176494017303 * q + 0.21589853405795699) * q + 0.1274011611602473639) * q
    + 0.022235277870649807) * q + 0.001421619193227893466) * q + 2.9112874951168792e-5
  const below = ((((q + 1.28426009614491121) * q + 0.468238212480865118) * q + 0.0659881378689285515) * q
    + 0.00378239633202758244) * q + 7.29751555083966205e-5
  return (INVERSE_SQRT_2PI - (q * above) / below) / y
}

/**
 * The x at which the standard normal distribution function is p, to about 1 part in 10¹⁶ in exact arithmetic: algorithm
 * AS 241 (PPND16) of M. J. Wichura, Applied Statistics 37 (1988). −Infinity at 0, Infinity at 1, NaN outside.
 */
export function normalQuantile(p: number): number {
  if (!(p >= 0 && p <= 1)) return NaN
  const q = p - 0.5
  if (Math.abs(q) <= 0.425) return q * centralRatio(0.180625 - q * q)
  const tail = q < 0 ? p : 1 - p
  if (tail === 0) return q < 0 ? -Infinity : Infinity
  const r = Math.sqrt(-log(tail))
  const x = r <= 5 ? nearTailRatio(r - 1.6) : farTailRatio(r - 5)
  return q < 0 ? -x : x
}

function centralRatio(r: number): number {
  const above = ((((((2.5090809287301226727e3 * r + 3.3430575583588128105e4) * r + 6.7265770927008700853e4) * r
    + 4.5921953931549871457e4) * r + 1.3731693765509461125e4) * r + 1.9715909503065514427e3) * r
    + 1.3314166789178437745e2) * r + 3.3871328727963666080
  const below = ((((((5.2264952788528545610e3 * r + 2.8729085735721942674e4) * r + 3.9307895800092710610e4) * r
    + 2.1213794301586595867e4) * r + 5.3941960214247511077e3) * r + 6.8718700749205790830e2) * r
    + 4.2313330701600911252e1) * r + 1
  return above / below
}

function nearTailRatio(r: number): number {
  const above = ((((((7.74545014278341407640e-4 * r + 2.27238449892691845833e-2) * r + 2.41780725177450611770e-1) * r
    + 1.27045825245236838258) * r + 3.64784832476320460504) * r + 5.76949722146069140550) * r
    + 4.63033784615654529590) * r + 1.42343711074968357734
  const below = ((((((1.05075007164441684324e-9 * r + 5.47593808499534494600e-4) * r + 1.51986665636164571966e-2) * r
    + 1.48103976427480074590e-1) * r + 6.89767334985100004550e-1) * r + 1.67638483018380384940) * r
    + 2.05319162663775882187) * r + 1
  return above / below
}

function farTailRatio(r: number): number {
  const above = ((((((2.01033439929228813265e-7 * r + 2.71155556874348757815e-5) * r + 1.24266094738807843860e-3) * r
    + 2.65321895265761230930e-2) * r + 2.96560571828504891230e-1) * r + 1.78482653991729133580) * r
    + 5.46378491116411436990) * r + 6.65790464350110377720
  const below = ((((((2.04426310338993978564e-15 * r + 1.42151175831644588870e-7) * r + 1.84631831751005468180e-5) * r
    + 7.86869131145613259100e-4) * r + 1.48753612908506148525e-2) * r + 1.36929880922735805310e-1) * r
    + 5.99832206555887937690e-1) * r + 1
  return above / below
}
