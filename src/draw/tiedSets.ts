import { normalCdf, normalQuantile } from '../math/normal.ts'
import { exactSum } from '../math/sum.ts'

const NONE = -1
/** Most legs of a question. */
const LEGS_MAX = 64

/**
 * The sets in which the uniforms of a group must lie so that all legs come true, one for each uniform: the place of a leg on YES, or all but
 * the places of legs on NO. The next question uses the same columns. The chance of the last question is kept with them.
 */
export class TiedSets {
  /** Number of uniforms. */
  count = 0
  /** One of the sets has nothing in it. */
  isEmpty = false
  /** Chance of the sets of the last question, NaN before there was one. */
  chance = NaN
  private places = 0
  private placesBefore = 0
  private isNew = false
  /** By uniform: its number, and the market that a leg on YES names, or NONE. */
  private readonly uniform = new Int32Array(LEGS_MAX)
  private readonly yes = new Int32Array(LEGS_MAX)
  private readonly chances = new Float64Array(LEGS_MAX)
  /** By place: the uniform that it lies on, its market, and where it is, as a share and on the normal scale. */
  private readonly at = new Int32Array(LEGS_MAX)
  private readonly market = new Int32Array(LEGS_MAX)
  private readonly isYes = new Uint8Array(LEGS_MAX)
  private readonly from = new Float64Array(LEGS_MAX)
  private readonly to = new Float64Array(LEGS_MAX)
  private readonly fromQuantile = new Float64Array(LEGS_MAX)
  private readonly toQuantile = new Float64Array(LEGS_MAX)
  /** 1: the place is the set of its uniform, or is left out of it. 0: another place says so, or the leg on YES says all. */
  private readonly counts = new Uint8Array(LEGS_MAX)

  begin(): void {
    this.placesBefore = this.places
    this.places = this.count = 0
    this.isEmpty = this.isNew = false
  }

  /** Adds a leg. @param uniform number of what decides its market. @param from begin and end of the market's place on it. */
  add(uniform: number, market: number, isYes: boolean, from: number, to: number): void {
    let u = 0
    while (u < this.count && this.uniform[u] !== uniform) u++
    if (u === this.count) {
      this.uniform[this.count++] = uniform
      this.yes[u] = NONE
    }
    const place = this.places++
    const yes = isYes ? 1 : 0
    if (this.at[place] !== u || this.market[place] !== market || this.isYes[place] !== yes || this.from[place] !== from || this.to[place] !== to) this.isNew = true
    this.at[place] = u
    this.market[place] = market
    this.isYes[place] = yes
    this.from[place] = from
    this.to[place] = to
    if (!isYes) return
    if (this.yes[u] !== NONE && this.yes[u] !== market) this.isEmpty = true
    this.yes[u] = market
  }

  /** Whether the sets are those of the question before, whose `chance` stands. Call it when all legs have been added. */
  areAsBefore(): boolean {
    if (!this.isNew && this.places === this.placesBefore && this.chance === this.chance) return true
    for (let place = 0; place < this.places; place++) {
      const yes = this.yes[this.at[place]!]!
      if (this.isYes[place] === 0 && yes === this.market[place]) this.isEmpty = true
      this.counts[place] = (yes === NONE || this.isYes[place] === 1) && !this.isRepeated(place) ? 1 : 0
    }
    return false
  }

  /** Width of the first set. */
  firstWidth(): number {
    const isPlace = this.yes[0] !== NONE
    let width = isPlace ? 0 : 1
    for (let place = 0; place < this.places; place++) {
      if (this.at[place] === 0 && this.counts[place] === 1) width += isPlace ? this.to[place]! - this.from[place]! : this.from[place]! - this.to[place]!
    }
    return Math.max(0, width)
  }

  /** Width of what all sets have in common, if all uniforms are one. */
  commonWidth(): number {
    const bounds = [0, 1, ...this.from.subarray(0, this.places), ...this.to.subarray(0, this.places)].sort((a, b) => a - b)
    return exactSum(bounds.slice(1).map((bound, i) => (this.haveIn((bounds[i]! + bound) / 2) ? bound - bounds[i]! : 0)))
  }

  /** Puts the places on the normal scale. */
  scale(): void {
    for (let place = 0; place < this.places; place++) {
      this.fromQuantile[place] = normalQuantile(this.from[place]!)
      this.toQuantile[place] = normalQuantile(this.to[place]!)
    }
  }

  /** Chance that each uniform lies in its set when its normal variable is `shift` + `rest`·ε, ε standard normal. */
  chanceAt(shift: number, rest: number): number {
    const { chances, count, places, yes, at, counts, fromQuantile, toQuantile } = this
    for (let u = 0; u < count; u++) chances[u] = yes[u] === NONE ? 1 : 0
    for (let place = 0; place < places; place++) {
      if (counts[place] === 0) continue
      const u = at[place]!
      const from = fromQuantile[place]!
      const width = normalCdf((toQuantile[place]! - shift) / rest) - (from === -Infinity ? 0 : normalCdf((from - shift) / rest))
      chances[u]! += yes[u] === NONE ? 0 - width : width
    }
    let chance = 1
    for (let u = 0; u < count; u++) chance *= Math.max(0, chances[u]!)
    return chance
  }

  private isRepeated(place: number): boolean {
    for (let other = 0; other < place; other++) if (this.at[other] === this.at[place] && this.market[other] === this.market[place]) return true
    return false
  }

  /** Whether all sets have a point. */
  private haveIn(point: number): boolean {
    for (let u = 0; u < this.count; u++) {
      let isInside = this.yes[u] === NONE
      for (let place = 0; place < this.places; place++) {
        if (this.at[place] === u && this.counts[place] === 1 && point > this.from[place]! && point < this.to[place]!) isInside = !isInside
      }
      if (!isInside) return false
    }
    return true
  }
}
