import { exp } from '../math/exp.ts'
import { normalCdf, normalQuantile } from '../math/normal.ts'
import { exactSum } from '../math/sum.ts'
import type { DrawnTie } from './drawnOutcomes.ts'

const YES = 1
const INDEPENDENT = -1
/** The factor is integrated from −REACH to REACH; 10⁻¹² of it lies outside. */
const REACH = 7
const STEP_MAX = 0.2
/** Most of a correlation below 1, so that steps do not shrink without end: two even markets then come together 2·10⁻⁴ too rarely at most (Sheppard). */
const CORRELATION_MAX = 1 - 1e-6

/** [from, to) of the uniform that decides a market or an event. */
type Places = readonly (readonly [from: number, to: number])[]

/**
 * Correlated drawn outcomes (`drawnOutcomes.ts`): how much likelier it is that all legs come true than the product of the chances with
 * which they are drawn. Given the factor of a group, its events are independent, so that one integral over the factor is enough
 * (trapezoidal rule, whose error falls faster than any power of the step; O. Vasicek, Risk, December 2002, for the conditional chances).
 */
export class CorrelatedCloses {
  private declare readonly root: number
  private declare readonly rest: number
  /** By market: number of its group, INDEPENDENT of one that is not drawn; and of what decides it, an event or the market itself. */
  private declare readonly group: Int32Array
  private declare readonly source: Int32Array
  private declare readonly from: Float64Array
  private declare readonly to: Float64Array
  private declare readonly factors: Float64Array
  private declare readonly weights: Float64Array

  constructor(ties: readonly DrawnTie[], marketCount: number, correlation: number) {
    const own = correlation < 1 ? Math.min(correlation, CORRELATION_MAX) : 1
    this.root = Math.sqrt(own)
    this.rest = Math.sqrt(1 - own)
    this.group = new Int32Array(marketCount).fill(INDEPENDENT)
    this.source = new Int32Array(marketCount)
    this.from = new Float64Array(marketCount)
    this.to = new Float64Array(marketCount)
    const groups = new Map<string, number>()
    for (const [source, tie] of ties.entries()) {
      if (tie.kind === 'lost') continue
      if (!groups.has(tie.group)) groups.set(tie.group, groups.size)
      this.lay(tie, groups.get(tie.group)!, source)
    }
    const step = this.root === 0 ? STEP_MAX : Math.min(STEP_MAX, this.rest / this.root / 2)
    const nodes = step === 0 ? 0 : Math.ceil((2 * REACH) / step)
    this.factors = Float64Array.from({ length: nodes + 1 }, (_, i) => (nodes === 0 ? 0 : (i / nodes) * 2 * REACH - REACH))
    const densities = this.factors.map((factor) => exp(-0.5 * factor * factor))
    const sum = exactSum(densities)
    this.weights = densities.map((density) => density / sum)
  }

  /** Number of points at which the factor is taken, which is what a value costs. */
  get nodeCount(): number {
    return this.factors.length
  }

  /** Chance that all legs come true over the product of their chances; 1 where that is 0. */
  uplift(legCount: number, markets: ArrayLike<number>, sides: ArrayLike<number>, from: number): number {
    const groups = new Map<number, Map<number, Places>>()
    let product = 1
    for (let i = from; i < from + legCount; i++) {
      const market = markets[i]!
      if (this.group[market] === INDEPENDENT) continue
      const own = sides[i] === YES ? inside(this.from[market]!, this.to[market]!) : outside(this.from[market]!, this.to[market]!)
      product *= width(own)
      const sources = groups.get(this.group[market]!) ?? new Map<number, Places>()
      groups.set(this.group[market]!, sources)
      const others = sources.get(this.source[market]!)
      sources.set(this.source[market]!, others === undefined ? own : common(own, others))
    }
    if (product === 0) return 1
    let joint = 1
    for (const sources of groups.values()) joint *= this.together([...sources.values()])
    return joint / product
  }

  /** Places of the markets that one uniform decides: the dearest first, side by side. */
  private lay({ markets, prices, chances }: DrawnTie, group: number, source: number): void {
    let at = 0
    for (const i of [...markets.keys()].sort((a, b) => prices[b]! - prices[a]! || a - b)) {
      const { number } = markets[i]!
      this.group[number] = group
      this.source[number] = source
      this.from[number] = at
      at = Math.min(1, at + chances[i]!)
      this.to[number] = at
    }
  }

  /** Chance that the uniforms of one group, which share a factor, all lie in their places. */
  private together(sources: readonly Places[]): number {
    if (sources.length === 1) return width(sources[0]!)
    // At a correlation of 1 all uniforms are one.
    if (this.rest === 0) return width(sources.reduce(common))
    return exactSum(this.factors.map((factor, i) => {
      let chance = this.weights[i]!
      for (const places of sources) chance *= exactSum(places.map(([low, high]) => this.below(high, factor) - this.below(low, factor)))
      return chance
    }))
  }

  /** Chance that a uniform of a group with this factor is below a place. */
  private below(place: number, factor: number): number {
    if (place <= 0 || place >= 1) return place <= 0 ? 0 : 1
    return normalCdf((normalQuantile(place) - this.root * factor) / this.rest)
  }
}

const inside = (from: number, to: number): Places => [[from, to]]
const outside = (from: number, to: number): Places => [[0, from], [to, 1]]
const width = (places: Places): number => exactSum(places.map(([from, to]) => to - from))

/** Where two lists of places overlap. */
const common = (a: Places, b: Places): Places =>
  a.flatMap(([from, to]) => b.flatMap(([low, high]): Places => (Math.max(from, low) < Math.min(to, high) ? [[Math.max(from, low), Math.min(to, high)]] : [])))
