import { entityOfName } from '../kernel/names.ts'
import { Draws, Purpose, type RandomKey } from '../kernel/random.ts'
import { normalQuantile } from '../math/normal.ts'

/** A market whose outcome is drawn: YES where the uniform number of `source` lies in [`from`, `to`). The uniforms of a group share a factor. */
export interface DrawnMarket {
  readonly source: string
  readonly group: string
  readonly from: number
  readonly to: number
}

/** Outcomes in a word. */
export const WORD_BITS = 32

/** What the draws of an outcome are for. Their indices are 2 · outcome + part. */
const Part = { source: 0, group: 1 } as const
const PARTS = 2

/** The markets that one uniform decides, with their bounds on its scale. */
interface Source {
  readonly entity: number
  readonly group: number
  readonly markets: Int32Array
  readonly low: Float64Array
  readonly high: Float64Array
}

/**
 * Drawn outcomes of markets, a bit each, some outcomes at a time. An outcome is a function of the key, its number and the names alone:
 * it does not depend on how many are drawn, nor on the other markets. With a correlation ρ the uniforms of a group share a normal factor,
 * as in `drawOutcomes` (one-factor Gaussian copula), and are compared on the normal scale.
 */
export class OutcomeBits {
  /** Bit b of `bits[market * words + w]` is 1 where the market is YES in outcome `first + 32 w + b`. */
  readonly bits: Int32Array
  readonly words: number
  private readonly sources: readonly Source[]
  private readonly groups: readonly number[]
  private readonly root: number
  private readonly rest: number
  private readonly draws: Draws
  private readonly factors: Float64Array

  /** @param outcomesMax the most outcomes that are drawn at a time. */
  constructor(markets: readonly DrawnMarket[], correlation: number, key: RandomKey, outcomesMax: number) {
    this.words = Math.ceil(outcomesMax / WORD_BITS)
    this.bits = new Int32Array(markets.length * this.words)
    this.root = Math.sqrt(correlation)
    this.rest = Math.sqrt(1 - correlation)
    this.draws = new Draws(key, Purpose.redraws)
    const groups = new Map<string, number>()
    for (const { group } of markets) if (!groups.has(group)) groups.set(group, groups.size)
    this.groups = [...groups.keys()].map(entityOfName)
    this.factors = new Float64Array(this.groups.length * outcomesMax)
    const bound = (place: number): number => (correlation === 0 ? place : place <= 0 ? -Infinity : place >= 1 ? Infinity : normalQuantile(place))
    this.sources = [...Map.groupBy(markets.keys(), (i) => markets[i]!.source)].map(([source, own]) => ({
      entity: entityOfName(source), group: groups.get(markets[own[0]!]!.group)!, markets: Int32Array.from(own),
      low: Float64Array.from(own, (i) => bound(markets[i]!.from)), high: Float64Array.from(own, (i) => bound(markets[i]!.to)),
    }))
  }

  /** Draws the outcomes `first` … `first + count − 1`. Bits beyond them are 0. */
  draw(first: number, count: number): void {
    const { bits, words } = this
    bits.fill(0)
    if (this.root > 0) this.drawFactors(first, count)
    for (const source of this.sources) {
      const { markets, low, high } = source
      for (let k = 0; k < count; k++) {
        const place = this.placeOf(source, first + k, k, count)
        for (let m = 0; m < markets.length; m++) {
          if (place >= low[m]! && place < high[m]!) bits[markets[m]! * words + (k >>> 5)]! |= 1 << (k & 31)
        }
      }
    }
  }

  /** The uniform of a source. With a correlation, the normal number that stands for it. */
  private placeOf({ entity, group }: Source, outcome: number, k: number, count: number): number {
    const { draws, root, rest } = this
    if (root === 0) return draws.uniform(entity, outcome * PARTS + Part.source)
    const factor = root * this.factors[group * count + k]!
    return rest === 0 ? factor : factor + rest * draws.normal(entity, outcome * PARTS + Part.source)
  }

  private drawFactors(first: number, count: number): void {
    for (let g = 0; g < this.groups.length; g++) {
      for (let k = 0; k < count; k++) this.factors[g * count + k] = this.draws.normal(this.groups[g]!, (first + k) * PARTS + Part.group)
    }
  }
}
