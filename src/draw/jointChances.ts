import { Side } from '../market/sides.ts'
import { exp } from '../math/exp.ts'
import { exactSum } from '../math/sum.ts'
import type { DrawnTie } from './drawnOutcomes.ts'
import { TiedSets } from './tiedSets.ts'
import { layPlaces, orderDearestFirst } from './uniformPlaces.ts'

const INDEPENDENT = -1
/** The factor is integrated from −REACH to REACH; 10⁻¹² of it lies outside. */
const REACH = 7
const STEP_MAX = 0.2
/** Most of a correlation below 1, so that steps do not shrink without end: two even markets then come together 2·10⁻⁴ too rarely at most (Sheppard). */
const CORRELATION_MAX = 1 - 1e-6

/** Legs of a question: those that are open, then those that have come true. */
interface Legs {
  readonly markets: Int32Array
  readonly sides: Uint8Array
  readonly openCount: number
  readonly count: number
}

/**
 * How likely outcomes that are drawn together come true together (`drawnOutcomes.ts`), when the markets are worth what they are at some
 * instant: as the draw would have it if these were the last prices. Outcomes are drawn together when they are of one partition, or of one
 * group with a correlation. Given the factor of a group its events are independent, so that one integral over the factor is enough
 * (trapezoidal rule, whose error falls faster than any power of the step; O. Vasicek, Risk, December 2002, for the conditional chances).
 * The last integral is kept, as several makers quote one request.
 */
export class JointChances {
  private declare readonly root: number
  private declare readonly rest: number
  /** By market: the number of its group, INDEPENDENT for a market that is not drawn, and the number of what decides it, an event or the market itself. */
  private declare readonly group: Int32Array
  private declare readonly source: Int32Array
  /** By source: its markets, and whether exactly one of them comes true. */
  private declare readonly partitions: readonly Int32Array[]
  private declare readonly isPartition: Uint8Array
  private declare readonly factors: Float64Array
  private declare readonly weights: Float64Array
  /** By market: its place on the uniform that decides it, for the question that is being answered. */
  private declare readonly from: Float64Array
  private declare readonly to: Float64Array
  private declare readonly order: Int32Array
  private readonly all = new TiedSets()
  private readonly won = new TiedSets()
  private declare readonly terms: Float64Array

  /** @param correlation of the groups, 0…1 on the normal scale. Without one only a partition ties outcomes. */
  constructor(ties: readonly DrawnTie[], marketCount: number, correlation: number) {
    const own = correlation < 1 ? Math.min(correlation, CORRELATION_MAX) : 1
    this.root = Math.sqrt(own)
    this.rest = Math.sqrt(1 - own)
    this.group = new Int32Array(marketCount).fill(INDEPENDENT)
    this.source = new Int32Array(marketCount)
    this.from = new Float64Array(marketCount)
    this.to = new Float64Array(marketCount)
    const groups = new Map<string, number>()
    this.partitions = ties.map(({ markets }) => Int32Array.from(markets, ({ number }) => number))
    this.isPartition = Uint8Array.from(ties, ({ kind }) => (kind === 'partition' ? 1 : 0))
    for (const [source, { kind, group, markets }] of ties.entries()) {
      if (kind === 'lost') continue
      if (!groups.has(group)) groups.set(group, groups.size)
      for (const { number } of markets) {
        this.group[number] = own === 0 ? source : groups.get(group)!
        this.source[number] = source
      }
    }
    this.order = new Int32Array(this.partitions.reduce((most, { length }) => Math.max(most, length), 0))
    const step = this.root === 0 ? STEP_MAX : Math.min(STEP_MAX, this.rest / this.root / 2)
    const nodes = step === 0 ? 0 : Math.ceil((2 * REACH) / step)
    this.factors = Float64Array.from({ length: nodes + 1 }, (_, i) => (nodes === 0 ? 0 : (i / nodes) * 2 * REACH - REACH))
    const densities = this.factors.map((factor) => exp(-0.5 * factor * factor))
    const sum = exactSum(densities)
    this.weights = densities.map((density) => density / sum)
    this.terms = new Float64Array(nodes + 1)
  }

  /** The chances of a world, null where no outcome is drawn together with another. */
  static of(ties: readonly DrawnTie[], marketCount: number, correlation: number): JointChances | null {
    const isTied = ties.some(({ kind, markets }) => kind === 'partition' && markets.length > 1) || (correlation > 0 && ties.filter(({ kind }) => kind !== 'lost').length > 1)
    return isTied ? new JointChances(ties, marketCount, correlation) : null
  }

  /** Number of points at which the factor is taken, which is what a value costs. */
  get nodeCount(): number {
    return this.factors.length
  }

  /**
   * Chance that all open legs come true, given that the others have, over the product of the open legs' own chances. 1 where no two legs are
   * drawn together, and where a leg cannot come true by itself.
   * @param yes by market: what YES of it is worth, for open legs and for the other markets of their partitions. A partition lays its markets
   *   side by side, the dearest first, each as wide as its share of their sum; without a value a market has no place.
   * @param closes the same for legs that have come true.
   */
  uplift(yes: Float64Array, closes: Float64Array | null, legs: Legs): number {
    let uplift = 1
    for (let i = 0; i < legs.openCount; i++) {
      const group = this.group[legs.markets[i]!]!
      if (group === INDEPENDENT || !this.isFirstOfSeveral(i, group, legs)) continue
      uplift *= this.upliftOf(group, yes, closes, legs)
    }
    return uplift
  }

  /** Whether leg `i` is the first of its group, and not the only one. */
  private isFirstOfSeveral(i: number, group: number, { markets, count }: Legs): boolean {
    for (let j = 0; j < i; j++) if (this.group[markets[j]!] === group) return false
    for (let j = i + 1; j < count; j++) if (this.group[markets[j]!] === group) return true
    return false
  }

  private upliftOf(group: number, yes: Float64Array, closes: Float64Array | null, legs: Legs): number {
    const { markets, sides, openCount, count } = legs
    for (let i = 0; i < count; i++) if (this.group[markets[i]!] === group) this.lay(this.source[markets[i]!]!, yes, closes, legs)
    let own = 1
    for (let i = 0; i < openCount; i++) {
      const market = markets[i]!
      if (this.group[market] !== group) continue
      // Alone among the legs, a market of a partition keeps its own value, whatever the others of its event sum to.
      const value = this.isOnlyOfSource(i, legs) ? this.to[market]! - this.from[market]! : yes[market]!
      own *= sides[i] === Side.yes ? value : 1 - value
    }
    if (!(own > 0)) return 1
    const given = openCount === count ? 1 : this.chanceOf(this.won, group, legs, openCount)
    return given > 0 ? this.chanceOf(this.all, group, legs, 0) / given / own : 1
  }

  private isOnlyOfSource(i: number, { markets, count }: Legs): boolean {
    const source = this.source[markets[i]!]!
    for (let j = 0; j < count; j++) if (j !== i && this.group[markets[j]!] !== INDEPENDENT && this.source[markets[j]!] === source) return false
    return true
  }

  /** Gives the markets of a source their places. */
  private lay(source: number, yes: Float64Array, closes: Float64Array | null, legs: Legs): void {
    const { order, from, to } = this
    const partition = this.partitions[source]!
    let sum = 0
    for (let n = 0; n < partition.length; n++) {
      const market = partition[n]!
      const value = hasComeTrue(market, legs) ? closes![market]! : yes[market]!
      // Until it has its place, `to` holds the value.
      to[market] = value > 0 ? Math.min(1, value) : 0
      sum += to[market]!
    }
    orderDearestFirst(partition, to, order)
    layPlaces(order, partition.length, to, this.isPartition[source] === 1 && sum > 0 ? sum : 1, from, to)
  }

  /** Chance that the legs of a group come true, the first `openCount` of them left out or not. */
  private chanceOf(sets: TiedSets, group: number, { markets, sides, count }: Legs, first: number): number {
    sets.begin()
    for (let i = first; i < count; i++) {
      const market = markets[i]!
      if (this.group[market] === group) sets.add(this.source[market]!, market, sides[i] === Side.yes, this.from[market]!, this.to[market]!)
    }
    if (!sets.areAsBefore()) sets.chance = this.integrated(sets)
    return sets.chance
  }

  private integrated(sets: TiedSets): number {
    if (sets.isEmpty) return 0
    if (sets.count === 1) return sets.firstWidth()
    // At a correlation of 1 all uniforms are one.
    if (this.rest === 0) return sets.commonWidth()
    const { factors, weights, terms, root, rest } = this
    sets.scale()
    for (let n = 0; n < factors.length; n++) terms[n] = weights[n]! * sets.chanceAt(root * factors[n]!, rest)
    return Math.min(1, exactSum(terms))
  }
}

function hasComeTrue(market: number, { markets, openCount, count }: Legs): boolean {
  for (let i = openCount; i < count; i++) if (markets[i] === market) return true
  return false
}
