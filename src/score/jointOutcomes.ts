import { assert } from '../unit/assert.ts'

/** A leg: whether a market comes true. At most one market of a set comes true. */
export interface BetLeg {
  readonly set: number
  readonly market: number
  readonly yes: boolean
  /** How many markets the set has, where exactly one of them comes true. Absent where none of them may. */
  readonly oneOf?: number
}

/** What a book pays (above zero) or gets (below zero) when all legs come true, in whole microUSDC. At most 31 legs. */
export interface Bet {
  readonly weight: number
  readonly legs: readonly BetLeg[]
}

/** The most that a book can have to pay. One outcome pays `low`, and none pays more than `high`. The two are equal where that is proven. */
export interface PayoutBounds {
  readonly low: number
  readonly high: number
}

/** How many bets may be looked at before a search gives up. It is a count and not a time, so that results are the same on every machine. */
export interface Work {
  left: number
}

/**
 * The largest Σ weight of winning bets over all outcomes of their markets, by branch and bound over the sets, one connected part
 * of the bets after the other. Where the work runs out, unexplored branches count with their bounds.
 */
export function worstPayout(bets: readonly Bet[], work: Work): PayoutBounds {
  let [low, high] = [0, 0]
  // A bet without weight would make the search try outcomes of sets that no money depends on.
  for (const part of connectedParts(bets.filter(({ weight }) => weight !== 0))) {
    const search = new Search(part, work)
    const bound = search.run()
    low += search.best
    high += Math.max(bound, search.best)
  }
  return { low, high }
}

/**
 * The outcome of a set in which none of its markets comes true, or none that a bet is on; the others are its markets, from 1. It does not
 * exist where exactly one market of the set comes true and bets are on all of them.
 */
const NO_MARKET = 0
/** Legs that a bet's mask has bits for. */
const LEGS_MAX = 31

/**
 * One connected part. Its sets and their outcomes are numbered from 0, and the outcomes of all sets are cells, one after the other. A
 * level is what is left when the outcomes of that many sets are assumed: a frame of bets that are neither won nor lost yet, each with a
 * mask of its open legs. Levels lie on a stack as deep as there are sets. Frames are used again, so that a branch allocates nothing.
 */
class Search {
  /** The most that any outcome found so far pays. */
  best = -Infinity
  private readonly work: Work
  private readonly weights: Float64Array
  /** The legs of bet b begin at legFrom[b]. A leg is twice its cell, plus 1 where it bets on the cell and not against it. */
  private readonly legFrom: Int32Array
  private readonly legs: Int32Array
  /** Outcomes of set s are cells from[s] … from[s + 1] − 1. */
  private readonly from: Int32Array
  private readonly setOf: Int32Array
  /** By set: its first outcome that can be. */
  private readonly first: Int32Array
  /** By cell, for a set whose outcome is assumed: the outcomes in the order in which they are tried. */
  private readonly order: Int32Array
  /** By level: the number and mask of each bet, how many bets there are, and what was won before. */
  private readonly frames: Int32Array[]
  private readonly count: Int32Array
  private readonly paid: Float64Array
  /** By level: a bound of its payout, the highest payout of the outcomes tried so far, and the cells of `order` that are not tried yet. */
  private readonly bound: Float64Array
  private readonly tried: Float64Array
  private readonly next: Int32Array
  private readonly last: Int32Array
  /** Scratch space of one bound or choice: what each outcome adds to its set's payout, the most of these, and the money that depends on the set. */
  private readonly pays: Float64Array
  private readonly most: Float64Array
  private readonly money: Float64Array

  constructor(bets: readonly Bet[], work: Work) {
    this.work = work
    const setNumber = new Map<number, number>()
    const outcomes: Map<number, number>[] = []
    const sizes: number[] = []
    for (const { legs } of bets) {
      assert(legs.length <= LEGS_MAX, `a bet has ${legs.length} legs`)
      for (const { set, market, oneOf = Infinity } of legs) {
        if (!setNumber.has(set)) setNumber.set(set, outcomes.push(new Map()) - 1)
        sizes[setNumber.get(set)!] = oneOf
        const own = outcomes[setNumber.get(set)!]!
        if (!own.has(market)) own.set(market, own.size + 1)
      }
    }
    this.weights = Float64Array.from(bets, (bet) => bet.weight)
    this.from = new Int32Array(outcomes.length + 1)
    outcomes.forEach((own, s) => { this.from[s + 1] = this.from[s]! + own.size + 1 })
    this.first = Int32Array.from(outcomes, (own, s) => this.from[s]! + (own.size === sizes[s] ? 1 : 0))
    const cellCount = this.from[outcomes.length]!
    this.setOf = new Int32Array(cellCount)
    outcomes.forEach((_, s) => { this.setOf.fill(s, this.from[s], this.from[s + 1]) })
    this.legFrom = new Int32Array(bets.length)
    const legs: number[] = []
    for (let b = 0; b < bets.length; b++) {
      this.legFrom[b] = legs.length
      for (const { set, market, yes } of bets[b]!.legs) {
        const s = setNumber.get(set)!
        const own = outcomes[s]!
        // A bet against the only market of a set is a bet on the set's other outcome.
        const isAlone = own.size === 1
        legs.push((this.from[s]! + (isAlone && !yes ? NO_MARKET : own.get(market)!)) * 2 + Number(yes || isAlone))
      }
    }
    this.legs = Int32Array.from(legs)
    this.order = new Int32Array(cellCount)
    const dearest = [...bets.keys()].sort((a, b) => bets[b]!.weight - bets[a]!.weight || a - b)
    this.frames = [Int32Array.from(dearest.flatMap((b) => [b, 2 ** bets[b]!.legs.length - 1]))]
    const levels = outcomes.length + 1
    this.count = new Int32Array(levels)
    this.count[0] = bets.length
    this.paid = new Float64Array(levels)
    this.bound = new Float64Array(levels)
    this.tried = new Float64Array(levels)
    this.next = new Int32Array(levels)
    this.last = new Int32Array(levels)
    this.pays = new Float64Array(cellCount)
    this.most = new Float64Array(outcomes.length)
    this.money = new Float64Array(outcomes.length)
  }

  /** Returns an upper bound of the payout. It is `best` where the search was not cut off. */
  run(): number {
    const { bound, tried, next, last, order } = this
    let level = 0
    this.enter(level)
    for (;;) {
      if (next[level]! < last[level]!) {
        this.suppose(order[next[level]!++]!, level++)
        this.enter(level)
      } else {
        const pays = Math.min(bound[level]!, tried[level]!)
        if (level === 0) return pays
        level--
        tried[level] = Math.max(tried[level]!, pays)
      }
    }
  }

  /** Bounds a level, and chooses the set and the order of its outcomes to try: none where no outcome can improve on the best. */
  private enter(level: number): void {
    const { bound, tried, next, last, from, work } = this
    const count = this.count[level]!
    const paid = this.paid[level]!
    next[level] = last[level] = 0
    if (count === 0) {
      this.best = Math.max(this.best, paid)
      bound[level] = tried[level] = paid
      return
    }
    work.left -= count
    bound[level] = tried[level] = paid + this.optimisticPayout(level)
    // The first path is always followed to its end, so that there is at least one outcome.
    if (bound[level]! <= this.best || (work.left <= 0 && this.best > -Infinity)) return
    const set = this.weightiest(level)
    this.orderOutcomes(set)
    tried[level] = -Infinity
    next[level] = this.first[set]!
    last[level] = from[set + 1]!
  }

  /** Makes the next level from the bets that are left when the outcome of a cell is assumed. */
  private suppose(chosen: number, level: number): void {
    const { legFrom, legs, setOf, weights, frames } = this
    const frame = frames[level]!
    const end = this.count[level]! * 2
    if ((frames[level + 1]?.length ?? 0) < end) frames[level + 1] = new Int32Array(end)
    const left = frames[level + 1]!
    const set = setOf[chosen]!
    let to = 0
    let paid = this.paid[level]!
    for (let at = 0; at < end; at += 2) {
      const bet = frame[at]!
      let mask = frame[at + 1]!
      let isLost = false
      for (let open = mask; open !== 0; open &= open - 1) {
        const code = legs[legFrom[bet]! + lowest(open)]!
        if (setOf[code >> 1] !== set) continue
        mask &= ~(open & -open)
        if ((code >> 1 === chosen) !== ((code & 1) === 1)) isLost = true
      }
      if (isLost) continue
      if (mask === 0) paid += weights[bet]!
      else {
        left[to++] = bet
        left[to++] = mask
      }
    }
    this.count[level + 1] = to / 2
    this.paid[level + 1] = paid
  }

  /** The set that most money depends on. Leaves what each outcome seems to pay in `pays`. */
  private weightiest(level: number): number {
    const { legFrom, legs, setOf, weights, money, pays } = this
    const frame = this.frames[level]!
    const end = this.count[level]! * 2
    money.fill(0)
    pays.fill(0)
    for (let at = 0; at < end; at += 2) {
      const bet = frame[at]!
      const weight = weights[bet]!
      const size = weight < 0 ? 0 - weight : weight
      for (let open = frame[at + 1]!; open !== 0; open &= open - 1) {
        const code = legs[legFrom[bet]! + lowest(open)]!
        const cell = code >> 1
        money[setOf[cell]!]! += size
        pays[cell]! += (code & 1) === 1 ? weight : 0 - weight
      }
    }
    let set = 0
    for (let s = 1; s < money.length; s++) if (money[s]! > money[set]!) set = s
    return set
  }

  /** Notes the outcomes of a set in `order`. The one that seems to pay most comes first. */
  private orderOutcomes(set: number): void {
    const { first, from, order, pays } = this
    for (let cell = first[set]!; cell < from[set + 1]!; cell++) {
      let to = cell
      for (; to > first[set]! && pays[order[to - 1]!]! < pays[cell]!; to--) order[to] = order[to - 1]!
      order[to] = cell
    }
  }

  /**
   * A bound of what a level's bets can pay. Each bet is counted at one of its open legs, and every set pays what its most expensive
   * outcome does, as if sets did not depend on each other. Bets that pay the book are left out.
   */
  private optimisticPayout(level: number): number {
    const { legFrom, legs, setOf, pays, most, weights } = this
    const frame = this.frames[level]!
    const end = this.count[level]! * 2
    pays.fill(0)
    most.fill(0)
    let sum = 0
    for (let at = 0; at < end; at += 2) {
      const bet = frame[at]!
      const weight = weights[bet]!
      // The most expensive bets come first.
      if (weight <= 0) break
      let least = Infinity
      let cheapest = 0
      for (let open = frame[at + 1]!; open !== 0; open &= open - 1) {
        const code = legs[legFrom[bet]! + lowest(open)]!
        const cell = code >> 1
        const set = setOf[cell]!
        const now = (code & 1) === 1 ? pays[cell]! + weight : weight + this.mostWithout(set, cell, weight)
        const more = now > most[set]! ? now - most[set]! : 0
        if (more >= least) continue
        least = more
        cheapest = code
      }
      const cell = cheapest >> 1
      const set = setOf[cell]!
      if ((cheapest & 1) === 1) {
        pays[cell]! += weight
        if (pays[cell]! > most[set]!) most[set] = pays[cell]!
      } else {
        most[set] = this.mostWithout(set, cell, weight)
        pays[cell]! -= weight
      }
      sum += least
    }
    return sum
  }

  /** The most that any outcome of a set would add if one cell added `weight` less. */
  private mostWithout(set: number, cell: number, weight: number): number {
    const { pays, first, from } = this
    let most = -Infinity
    for (let c = first[set]!; c < from[set + 1]!; c++) most = Math.max(most, c === cell ? pays[c]! - weight : pays[c]!)
    return most
  }
}

/** Place of the lowest bit of a mask that has one. */
const lowest = (mask: number): number => 31 - Math.clz32(mask & -mask)

/** Groups of bets that share sets, directly or through other bets, in the order of their first bets. */
function connectedParts(bets: readonly Bet[]): Bet[][] {
  const root = new Map<number, number>()
  const find = (set: number): number => {
    let at = set
    for (let up = root.get(at)!; up !== at; up = root.get(at)!) {
      root.set(at, root.get(up)!)
      at = up
    }
    return at
  }
  for (const { legs } of bets) {
    for (const { set } of legs) {
      if (!root.has(set)) root.set(set, set)
      root.set(find(set), find(legs[0]!.set))
    }
  }
  const parts = new Map<number, Bet[]>()
  for (const bet of bets) {
    const key = find(bet.legs[0]!.set)
    const part = parts.get(key)
    if (part === undefined) parts.set(key, [bet])
    else part.push(bet)
  }
  return [...parts.values()]
}
