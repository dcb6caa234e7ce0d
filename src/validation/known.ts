import { exp } from '../math/exp.ts'
import { log } from '../math/log.ts'
import { normalCdf, normalDensity, normalQuantile } from '../math/normal.ts'
import { assert } from '../unit/assert.ts'

/** Simpson's rule over [from, to] in an even number of steps. */
function integral(of: (x: number) => number, from: number, to: number, steps = 2000): number {
  const width = (to - from) / steps
  let sum = of(from) + of(to)
  for (let i = 1; i < steps; i++) sum += (i % 2 === 0 ? 2 : 4) * of(from + i * width)
  return (sum * width) / 3
}

/**
 * The profit, in units of ε, of the winner among n makers. Each quotes its signal, which is uniform within ε of the value, plus
 * `markUp` · ε. The profit is the mean of the lowest of n such errors, plus the mark-up (Kagel and Levin, American Economic Review 76,
 * 1986, on first-price auctions of a common value).
 */
export const winnersProfit = (bidders: number, markUp: number): number => markUp - (bidders - 1) / (bidders + 1)

/** Mark-up in units of ε at which that profit is 2 ∕ (n + 1), the equilibrium's. */
export const EQUILIBRIUM_MARK_UP = 1

/**
 * The same with fixed stakes, per dollar of payout. A stake s buys s ∕ q contracts at a quote q. The lower the winner's quote, the more
 * contracts it sells, so that it earns (1 − E[V ∕ q]) ∕ E[1 ∕ q]. V is uniform over [low, high], and `error` is ε.
 */
export function winnersProfitAtFixedStakes(bidders: number, markUp: number, error: number, [low, high]: readonly [number, number]): number {
  // This is the density of the lowest of n errors u in [−1, 1].
  const density = (u: number): number => (bidders / 2) * ((1 - u) / 2) ** (bidders - 1)
  const over = (of: (value: number, quote: number) => number): number =>
    integral((u) => density(u) * integral((value) => of(value, value + (u + markUp) * error), low, high, 400), -1, 1, 400) / (high - low)
  return (1 - over((value, quote) => value / quote)) / over((_, quote) => 1 / quote) / error
}

/** Mean of the lowest of n independent standard normal errors. */
export const lowestNormal = (n: number): number => -integral((x) => x * n * normalDensity(x) * normalCdf(x) ** (n - 1), -10, 10)

/** The mark-up on a value V, in 0…1, at which the best of n makers with errors of standard deviation `error` earns nothing of fixed stakes: V · E[1 ∕ q] = 1. */
export function zeroProfitMarkUpAtFixedStakes(n: number, error: number, value: number): number {
  const meanInverse = (markUp: number): number =>
    integral((x) => (n * normalDensity(x) * (1 - normalCdf(x)) ** (n - 1)) / (value + markUp + error * x), -8, 8)
  let low = 0
  let high = value
  for (let i = 0; i < 60; i++) {
    const middle = (low + high) / 2
    if (value * meanInverse(middle) > 1) low = middle
    else high = middle
  }
  return (low + high) / 2
}

/**
 * The ask at which a maker earns nothing where the value is 1 with probability p, else 0, a share α of takers knows it, and the others
 * buy half of the time (L. Glosten and P. Milgrom, Journal of Financial Economics 14, 1985).
 */
export const glostenMilgromAsk = (p: number, informed: number): number => (p * (1 + informed)) / (p * (1 + informed) + (1 - p) * (1 - informed))

/** W(x), x > 0: the solution of w · exp(w) = x, by Newton's method, apart from that of the maker which it is compared with. */
export function lambertW(x: number): number {
  assert(x > 0, 'W above 0')
  let w = log(1 + x)
  for (let i = 0; i < 50; i++) w -= (w * exp(w) - x) / (exp(w) * (w + 1))
  return w
}

/** Share of requests that take a quote `margin` above the value, under logistic demand 1 ∕ (1 + exp(α + β · margin)). */
export const logisticDemand = (alpha: number, beta: number, margin: number): number => 1 / (1 + exp(alpha + beta * margin))

/**
 * The margin with the most profit a request under logistic demand, without a price of risk: δ* = [1 + W(exp(−1 − α))] ∕ β (A. Barzykin,
 * P. Bergault and O. Guéant, arXiv 2207.04100).
 */
export const optimalMargin = (alpha: number, beta: number): number => (1 + lambertW(exp(-1 - alpha))) / beta

/** Chance that two legs of 50 % win, joined by a Gaussian copula (W. F. Sheppard, 1899): ¼ + asin(ρ) ∕ 2π. */
export const pairWins = (correlation: number): number => 0.25 + Math.asin(correlation) / (2 * Math.PI)

/** Chance that n legs of 50 % win at a correlation of ½: the common factor is the lowest of n + 1 equal normals. */
export const legsWinAtHalf = (n: number): number => 1 / (n + 1)

/**
 * Chance that legs win together whose normal variables share one factor: ∫ φ(f) Π Φ(±(zᵢ − √ρ f) ∕ √(1 − ρ)) df, where zᵢ = Φ⁻¹(pᵢ) belongs to
 * YES of leg i at the price pᵢ, and a leg on NO has the minus.
 */
export const legsWinTogether = (correlation: number, prices: readonly number[], isYes: readonly boolean[]): number => {
  const places = prices.map(normalQuantile)
  const given = (factor: number): number =>
    places.reduce((chance, place, i) => chance * normalCdf(((isYes[i]! ? 1 : -1) * (place - Math.sqrt(correlation) * factor)) / Math.sqrt(1 - correlation)), normalDensity(factor))
  return integral(given, -8, 8, 400)
}

/** Share of stakes that a parlay of n legs at −110 each, fair at evens, holds back: 1 − (21 ∕ 22)ⁿ. */
export const parlayHold = (n: number): number => 1 - (21 / 22) ** n

/** Mean wait before service at load λ ∕ μ with exponential service (D. G. Kendall's M/M/1), and with constant service (M/D/1; Pollaczek and Khinchine). */
export const waitOfExponentialService = (arrivals: number, service: number): number => arrivals / service / (service - arrivals)
export const waitOfConstantService = (arrivals: number, service: number): number => waitOfExponentialService(arrivals, service) / 2

/** Worth of declining after τ what has moved against oneself: the mean of max(0, N(0, σ²τ)) = σ√τ ∕ √(2π). */
export const lastLookWorth = (deviationPerRootSecond: number, seconds: number): number =>
  (deviationPerRootSecond * Math.sqrt(seconds)) / Math.sqrt(2 * Math.PI)
