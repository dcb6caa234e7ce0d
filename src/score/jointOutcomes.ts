import { assert } from '../unit/assert.ts'

/** A leg: whether a market comes true. Of the markets of a set at most one does. */
export interface BetLeg {
  readonly set: number
  readonly market: number
  readonly yes: boolean
}

/** What a book pays (above zero) or is paid (below) when all legs come true, whole microUSDC; at most 31 legs. */
export interface Bet {
  readonly weight: number
  readonly legs: readonly BetLeg[]
}

/** The most that a book can have to pay: an outcome pays `low`, none pays more than `high`. They are equal where that is proven. */
export interface PayoutBounds {
  readonly low: number
  readonly high: number
}

/** How many bets may be looked at before a search gives up: a count, so that a result is the same on every machine. */
export interface Work {
  left: number
}

/**
 * The largest Σ weight of bets that win, over all outcomes of their markets: branch and bound over the sets, one connected part
 * of the bets after the other. Where the work runs out, unexplored branches count with their bounds.
 */
export function worstPayout(bets: readonly Bet[], work: Work): PayoutBounds {
  let [low, high] = [0, 0]
  // A bet about nothing would leave sets to be supposed that no money hangs on.
  for (const part of connectedParts(bets.filter(({ weight }) => weight !== 0))) {
    const search = new Search(part, work)
    const bound = search.run()
    low += search.best
    high += Math.max(bound, search.best)
  }
  return { low, high }
}

/** The outcome of a set in which none of its markets comes true; the others are its markets, from 1. */
const NO_MARKET = 0
/** Legs that a bet's mask has bits for. */
const LEGS_MAX = 31

/**
 * One connected part: its sets and their outcomes numbered from 0; outcomes of all sets are cells, one after the other. A level is what
 * is left when so many sets are supposed: a frame of bets that neither won nor lost by it, each with a mask of the legs that it still
 * has. Levels lie on a stack of their own, as deep as there are sets, and frames are used again: nothing is allocated for a branch.
 */
class Search {
  /** The most that an outcome found so far pays. */
  best = -Infinity
  private readonly work: Work
  private readonly weights: Float64Array
  /** Legs of bet b begin at legFrom[b]: twice the cell, and 1 more where it bets on it and not against it. */
  private readonly legFrom: Int32Array
  private readonly legs: Int32Array
  /** Outcomes of set s are cells from[s] … from[s + 1] − 1. */
  private readonly from: Int32Array
  private readonly setOf: Int32Array
  /** By cell, of a set that is supposed: its outcomes in the order in which they are tried. */
  private readonly order: Int32Array
  /** By level: bet and mask of each bet, how many they are, and what won before. */
  private readonly frames: Int32Array[]
  private readonly count: Int32Array
  private readonly paid: Float64Array
  /** By level: a bound of what it pays, the most that one of the outcomes tried so far does, and the cells of `order` not tried yet. */
  private readonly bound: Float64Array
  private readonly tried: Float64Array
  private readonly next: Int32Array
  private readonly last: Int32Array
  /** Within one bound or choice: what each outcome adds to what its set pays, the most of it, and the money that hangs on the set. */
  private readonly pays: Float64Array
  private readonly most: Float64Array
  private readonly money: Float64Array

  constructor(bets: readonly Bet[], work: Work) {
    this.work = work
    const setNumber = new Map<number, number>()
    const outcomes: Map<number, number>[] = []
    for (const { legs } of bets) {
      assert(legs.length <= LEGS_MAX, `a bet has ${legs.length} legs`)
      for (const { set, market } of legs) {
        if (!setNumber.has(set)) setNumber.set(set, outcomes.push(new Map()) - 1)
        const own = outcomes[setNumber.get(set)!]!
        if (!own.has(market)) own.set(market, own.size + 1)
      }
    }
    this.weights = Float64Array.from(bets, (bet) => bet.weight)
    this.from = new Int32Array(outcomes.length + 1)
    outcomes.forEach((own, s) => { this.from[s + 1] = this.from[s]! + own.size + 1 })
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
        // Against the only market of a set is for its other outcome.
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

  /** Returns an upper bound of the payout, `best` where the search ended by itself. */
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

  /** Looks at a level: bounds it, and says which outcomes of which set are to be tried; none where that brings nothing. */
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
    // The first way down is always taken to its end, so that there is an outcome at all.
    if (bound[level]! <= this.best || (work.left <= 0 && this.best > -Infinity)) return
    const set = this.weightiest(level)
    this.orderOutcomes(set)
    tried[level] = -Infinity
    next[level] = from[set]!
    last[level] = from[set + 1]!
  }

  /** Makes the level below from what is left of a level's bets when the outcome of a cell is supposed. */
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

  /** The set that most money hangs on; leaves what each outcome pays at first sight in `pays`. */
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

  /** Notes the outcomes of a set, the one that pays most at first sight before the others. */
  private orderOutcomes(set: number): void {
    const { from, order, pays } = this
    for (let cell = from[set]!; cell < from[set + 1]!; cell++) {
      let to = cell
      for (; to > from[set]! && pays[order[to - 1]!]! < pays[cell]!; to--) order[to] = order[to - 1]!
      order[to] = cell
    }
  }

  /**
   * A bound of what a level's bets can pay: each is counted at one of its open legs, and every set pays what its most expensive outcome
   * does, as if the sets did not hang together. Bets that pay the book are left out.
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
      // The dearest come first.
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

  /** The most that an outcome of a set would add if one cell added `weight` less. */
  private mostWithout(set: number, cell: number, weight: number): number {
    const { pays, from } = this
    let most = pays[from[set]! + NO_MARKET]!
    for (let c = from[set]! + 1; c < from[set + 1]!; c++) most = Math.max(most, c === cell ? pays[c]! - weight : pays[c]!)
    return most
  }
}

/** Place of the lowest bit of a mask that has one. */
const lowest = (mask: number): number => 31 - Math.clz32(mask & -mask)

/** Bets that share sets, directly or through others; in the order of their first bets. */
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
