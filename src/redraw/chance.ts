import { exp } from '../math/exp.ts'
import { normalCdf, normalQuantile } from '../math/normal.ts'
import { exactSum } from '../math/sum.ts'
import type { DrawnMarket } from './outcomeBits.ts'

/** A leg on a drawn market. */
export interface ChanceLeg {
  readonly drawn: DrawnMarket
  readonly isYes: boolean
}

/** The factor is integrated from −REACH to REACH by the trapezoidal rule; 10⁻¹² of it lies outside. */
const REACH = 7
const STEP_MAX = 0.2
const CORRELATION_MAX = 1 - 1e-6

/**
 * The chance that all legs come right in a redraw. A uniform does what its legs need where it falls on one of the places that suit them all. Without a
 * correlation the chance is the product of the widths of these places, over the uniforms. With a correlation ρ the uniforms of a group are independent
 * given their factor, and the product is integrated over the factor (O. Vasicek, Risk, December 2002). At ρ = 1 one uniform decides a group.
 */
export function chanceOf(legs: readonly ChanceLeg[], correlation: number): number {
  const groups = Map.groupBy(legs, ({ drawn: { source, group } }) => (correlation === 0 ? source : group))
  return [...groups.values()].map((own) => (
    correlation === 0 || correlation === 1 ? widthOf(placesOf(own)) : given([...Map.groupBy(own, ({ drawn }) => drawn.source).values()].map(placesOf), Math.min(correlation, CORRELATION_MAX))
  )).reduce((product, chance) => product * chance, 1)
}

/** Places on a uniform, apart from each other. */
type Places = readonly (readonly [from: number, to: number])[]

/** The places on the uniform that make all legs come right. */
function placesOf(legs: readonly ChanceLeg[]): Places {
  let places: Places = [[0, 1]]
  for (const { drawn: { from, to }, isYes } of legs) {
    const own: Places = isYes ? [[from, to]] : [[0, from], [to, 1]]
    places = places.flatMap(([low, high]) => own.map(([a, b]) => [Math.max(low, a), Math.min(high, b)] as const)).filter(([low, high]) => low < high)
  }
  return places
}

const widthOf = (places: Places): number => places.reduce((sum, [from, to]) => sum + (to - from), 0)

/** The chance that the uniform of each source falls on one of its places: the mean, over the factor, of the product of their chances given the factor. */
function given(sources: readonly Places[], rho: number): number {
  const [root, rest] = [Math.sqrt(rho), Math.sqrt(1 - rho)]
  const nodes = Math.ceil((2 * REACH) / Math.min(STEP_MAX, rest / root / 2))
  const bound = (place: number): number => (place <= 0 ? -Infinity : place >= 1 ? Infinity : normalQuantile(place))
  const bounds = sources.map((places) => places.map(([from, to]) => [bound(from), bound(to)] as const))
  const terms = new Float64Array(nodes + 1)
  const weights = new Float64Array(nodes + 1)
  for (let i = 0; i <= nodes; i++) {
    const factor = (i / nodes) * 2 * REACH - REACH
    const below = (at: number): number => (at === -Infinity ? 0 : at === Infinity ? 1 : normalCdf((at - root * factor) / rest))
    weights[i] = exp(-0.5 * factor * factor)
    terms[i] = bounds.reduce((product, places) => product * places.reduce((sum, [from, to]) => sum + below(to) - below(from), 0), weights[i]!)
  }
  return exactSum(terms) / exactSum(weights)
}
