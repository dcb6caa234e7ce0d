/** A leg: whether a market comes true. Of the markets of a set at most one does. */
export interface BetLeg {
  readonly set: number
  readonly market: number
  readonly yes: boolean
}

/** What a book pays (above zero) or is paid (below) when all legs come true, microUSDC. */
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
  for (const part of connectedParts(bets)) {
    const search = new Search(part, work)
    const bound = search.run()
    low += search.best
    high += Math.max(bound, search.best)
  }
  return { low, high }
}

const UNDECIDED = -1
/** The outcome of a set in which none of its markets comes true; the others are its markets, from 1. */
const NO_MARKET = 0

/** One connected part: its sets and their outcomes numbered from 0, its legs in columns. */
class Search {
  /** The most that an outcome found so far pays. */
  best = -Infinity
  private readonly work: Work
  private readonly weights: Float64Array
  /** Legs of bet b are legFrom[b] … legFrom[b + 1] − 1. */
  private readonly legFrom: Int32Array
  private readonly legSet: Int32Array
  private readonly legOutcome: Int32Array
  private readonly legYes: Uint8Array
  /** Outcomes of set s are cells from[s] … from[s + 1] − 1. */
  private readonly from: Int32Array
  /** By set: the outcome that is supposed, or UNDECIDED. */
  private readonly chosen: Int32Array
  /** Within one bound: what each outcome adds to what its set pays, and the most of it. */
  private readonly pays: Float64Array
  private readonly most: Float64Array
  private readonly money: Float64Array

  constructor(bets: readonly Bet[], work: Work) {
    this.work = work
    const legs = bets.flatMap((bet) => bet.legs)
    const setNumber = new Map<number, number>()
    const outcomes: Map<number, number>[] = []
    for (const { set, market } of legs) {
      if (!setNumber.has(set)) setNumber.set(set, outcomes.push(new Map()) - 1)
      const own = outcomes[setNumber.get(set)!]!
      if (!own.has(market)) own.set(market, own.size + 1)
    }
    this.weights = Float64Array.from(bets, (bet) => bet.weight)
    this.legFrom = new Int32Array(bets.length + 1)
    bets.forEach((bet, b) => { this.legFrom[b + 1] = this.legFrom[b]! + bet.legs.length })
    this.legSet = Int32Array.from(legs, ({ set }) => setNumber.get(set)!)
    this.legOutcome = Int32Array.from(legs, ({ set, market }) => outcomes[setNumber.get(set)!]!.get(market)!)
    this.legYes = Uint8Array.from(legs, ({ yes }) => Number(yes))
    this.from = new Int32Array(outcomes.length + 1)
    outcomes.forEach((own, s) => { this.from[s + 1] = this.from[s]! + own.size + 1 })
    this.chosen = new Int32Array(outcomes.length).fill(UNDECIDED)
    this.pays = new Float64Array(this.from[outcomes.length]!)
    this.most = new Float64Array(outcomes.length)
    this.money = new Float64Array(outcomes.length)
  }

  /** Returns an upper bound of the payout, `best` where the search ended by itself. */
  run(): number {
    const dearest = Int32Array.from(this.weights.keys()).sort((a, b) => this.weights[b]! - this.weights[a]! || a - b)
    return this.explore(dearest, 0)
  }

  /** Explores what can still happen to bets that neither won nor lost by what is supposed; `paid` is what won by it. */
  private explore(bets: Int32Array, paid: number): number {
    if (bets.length === 0) {
      this.best = Math.max(this.best, paid)
      return paid
    }
    this.work.left -= bets.length
    const bound = paid + this.optimisticPayout(bets)
    // The first way down is always taken to its end, so that there is an outcome at all.
    if (bound <= this.best || (this.work.left <= 0 && this.best > -Infinity)) return bound
    const set = this.weightiest(bets)
    let most = -Infinity
    for (const outcome of this.outcomesOf(set, bets)) {
      this.chosen[set] = outcome
      const { left, won } = this.decide(bets, set)
      most = Math.max(most, this.explore(left, paid + won))
    }
    this.chosen[set] = UNDECIDED
    return Math.min(bound, most)
  }

  /** What is left of bets now that an outcome of a set is supposed, and what has won by it. */
  private decide(bets: Int32Array, set: number): { readonly left: Int32Array; readonly won: number } {
    const { legFrom, legSet, legOutcome, legYes, chosen } = this
    const left = new Int32Array(bets.length)
    let count = 0
    let won = 0
    for (let i = 0; i < bets.length; i++) {
      const bet = bets[i]!
      let isOpen = false
      let isLost = false
      for (let leg = legFrom[bet]!; leg < legFrom[bet + 1]!; leg++) {
        if (legSet[leg] === set) isLost ||= (legOutcome[leg] === chosen[set]) !== (legYes[leg] === 1)
        else if (chosen[legSet[leg]!] === UNDECIDED) isOpen = true
      }
      if (isLost) continue
      if (isOpen) left[count++] = bet
      else won += this.weights[bet]!
    }
    return { left: left.subarray(0, count), won }
  }

  /** The undecided set that most money hangs on. */
  private weightiest(bets: Int32Array): number {
    const { legFrom, legSet, chosen, money } = this
    money.fill(0)
    for (let i = 0; i < bets.length; i++) {
      const bet = bets[i]!
      for (let leg = legFrom[bet]!; leg < legFrom[bet + 1]!; leg++) {
        if (chosen[legSet[leg]!] === UNDECIDED) money[legSet[leg]!]! += Math.abs(this.weights[bet]!)
      }
    }
    let set = 0
    for (let s = 1; s < money.length; s++) if (money[s]! > money[set]!) set = s
    return set
  }

  /** Outcomes of a set, the one that pays most at first sight before the others. */
  private outcomesOf(set: number, bets: Int32Array): number[] {
    const { legFrom, legSet, legOutcome, legYes, from } = this
    const pays = new Float64Array(from[set + 1]! - from[set]!)
    for (let i = 0; i < bets.length; i++) {
      const bet = bets[i]!
      for (let leg = legFrom[bet]!; leg < legFrom[bet + 1]!; leg++) {
        if (legSet[leg] === set) pays[legOutcome[leg]!]! += legYes[leg] === 1 ? this.weights[bet]! : 0 - this.weights[bet]!
      }
    }
    return Array.from(pays.keys()).sort((a, b) => pays[b]! - pays[a]! || a - b)
  }

  /**
   * A bound of what bets can pay: each is counted at one of its open legs, and every set pays what its most expensive outcome
   * does, as if the sets did not hang together. Bets that pay the book are left out.
   */
  private optimisticPayout(bets: Int32Array): number {
    const { legFrom, legSet, legOutcome, legYes, from, chosen, pays, most, weights } = this
    pays.fill(0)
    most.fill(0)
    let sum = 0
    for (let i = 0; i < bets.length; i++) {
      const bet = bets[i]!
      const weight = weights[bet]!
      if (weight <= 0) continue
      // Two assignments and no pair: this loop runs for each bet of each branch.
      let least = Infinity
      let at = -1
      for (let leg = legFrom[bet]!; leg < legFrom[bet + 1]!; leg++) {
        const set = legSet[leg]!
        if (chosen[set] !== UNDECIDED) continue
        const cell = from[set]! + legOutcome[leg]!
        const more = legYes[leg] === 1 ? Math.max(0, pays[cell]! + weight - most[set]!) : weight + this.mostWithout(set, cell, weight) - most[set]!
        if (more >= least) continue
        least = more
        at = leg
      }
      const set = legSet[at]!
      const cell = from[set]! + legOutcome[at]!
      if (legYes[at] === 1) {
        pays[cell]! += weight
        most[set] = Math.max(most[set]!, pays[cell]!)
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
