/** A leg: whether a market comes true. At most one market of a set comes true. */
export interface BetLeg {
  readonly set: number
  readonly market: number
  readonly yes: boolean
  /** How many markets the set has, where exactly one of them comes true. Absent where none of them may. */
  readonly oneOf?: number
}

/** What a book pays (above zero) or gets (below zero) when all legs come true, in whole microUSDC. */
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

/** How earlier searches divided bets among their legs, by bet. A search begins with what it finds there, and leaves its own. */
export type Divided = Map<Bet, Float64Array>

/**
 * The largest Σ weight of winning bets over all outcomes of their markets, by branch and bound over the sets, one connected part
 * of the bets after the other. Where the work runs out, unexplored branches count with their bounds. Where no outcome pays more than `atLeast`,
 * both bounds may be `atLeast`, which is found sooner.
 */
export function worstPayout(bets: readonly Bet[], work: Work, atLeast = -Infinity, divided: Divided = new Map()): PayoutBounds {
  let [low, high] = [0, 0]
  // A bet without weight would make the search try outcomes of sets that no money depends on.
  const parts = connectedParts(bets.filter(({ weight }) => weight !== 0))
  for (const [i, part] of parts.entries()) {
    const search = new Search(part, work, i === parts.length - 1 ? atLeast - high : -Infinity, divided)
    const bound = search.run()
    low += search.best
    high += Math.max(bound, search.best)
  }
  return { low: Math.max(low, Math.min(high, atLeast)), high }
}

/**
 * The outcome of a set in which none of its markets comes true, or none that a bet is on; the others are its markets, from 1. It does not
 * exist where exactly one market of the set comes true and bets are on all of them.
 */
const NO_MARKET = 0

/** Rounds in which the first book's shares are found, those in which a later book's are found from them, and those of a branch from its parent's. */
const ROUNDS = { first: 50, later: 30, branch: 2 } as const
/** Shares of a leg that comes true in the dearest outcome fall to 1 / (1 + 1 / √round) of what they were. Rounds that go on from found shares are later ones. */
const ROUNDS_BEFORE = 10
/** So that a leg that lost its share can win it back. */
const SHARE_LEAST = 1e-9

/**
 * One connected part. Its sets and their outcomes are numbered from 0, and the outcomes of all sets are cells, one after the other. A
 * level is what is left when the outcomes of that many sets are assumed: a frame of bets that are neither won nor lost yet. Levels lie on a
 * stack as deep as there are sets. Frames are used again, so that a branch allocates nothing.
 *
 * The bound of a level divides the weight of each bet among its open legs, as if each leg were a bet of its own. Sets do not depend on each
 * other then, and each pays what its dearest outcome does. However weights are divided, no outcome pays more. Shares move from legs that come true in
 * the dearest outcomes to the others, which lowers the bound to nearly what the linear relaxation of the problem has (dual decomposition:
 * Komodakis, Paragios and Tziritas, "MRF Energy Minimization and Beyond via Dual Decomposition", 2011; shares move by multiplicative
 * weights). Parts are whole microUSDC, so that a bound is exact arithmetic. Bets that pay the book are left out of bounds.
 */
class Search {
  /** The most that any outcome found so far pays. */
  best: number
  /** Whether a path was followed to its end, or to where nothing on it could improve on the best. */
  private isFollowed = false
  private readonly work: Work
  private readonly bets: readonly Bet[]
  private readonly divided: Divided
  private readonly weights: Float64Array
  /** The legs of bet b are legFrom[b] … legFrom[b + 1] − 1. A leg is twice its cell, plus 1 where it bets on the cell and not against it. */
  private readonly legFrom: Int32Array
  private readonly legs: Int32Array
  private readonly legSets: Int32Array
  /** Outcomes of set s are cells from[s] … from[s + 1] − 1. */
  private readonly from: Int32Array
  /** By set: its first outcome that can be. */
  private readonly first: Int32Array
  /** By set: whether an outcome of it is assumed. The legs on it of the bets that are left are won then. */
  private readonly isAssumed: Uint8Array
  /** By cell, for a set whose outcome is assumed: the outcomes in the order in which they are tried. */
  private readonly order: Int32Array
  /** By level: its bets, the dearest first, how many there are, what was won before, and the set whose outcomes are tried. */
  private readonly frames: Int32Array[]
  private readonly count: Int32Array
  private readonly paid: Float64Array
  private readonly set: Int32Array
  /** By level: what part of its bet's weight each leg has, before it is made whole and sums up to one. */
  private readonly shares: Float64Array[] = []
  /** By level: a bound of its payout, the highest payout of the outcomes tried so far, and the cells of `order` that are not tried yet. */
  private readonly bound: Float64Array
  private readonly tried: Float64Array
  private readonly next: Int32Array
  private readonly last: Int32Array
  /** Scratch space of one bound or choice: what each outcome adds to its set's payout, what all outcomes of a set add, the dearest outcome, and the money that depends on the set. */
  private readonly pays: Float64Array
  private readonly always: Float64Array
  private readonly dearest: Int32Array
  private readonly money: Float64Array

  /** @param atLeast outcomes that pay no more are not looked for. */
  constructor(bets: readonly Bet[], work: Work, atLeast: number, divided: Divided) {
    this.best = atLeast
    this.work = work
    this.bets = bets
    this.divided = divided
    const setNumber = new Map<number, number>()
    const outcomes: Map<number, number>[] = []
    const sizes: number[] = []
    for (const { legs } of bets) {
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
    this.legFrom = new Int32Array(bets.length + 1)
    const legs: number[] = []
    const legSets: number[] = []
    for (let b = 0; b < bets.length; b++) {
      for (const { set, market, yes } of bets[b]!.legs) {
        const s = setNumber.get(set)!
        const own = outcomes[s]!
        // A bet against the only market of a set is a bet on the set's other outcome.
        const isAlone = own.size === 1
        legs.push((this.from[s]! + (isAlone && !yes ? NO_MARKET : own.get(market)!)) * 2 + Number(yes || isAlone))
        legSets.push(s)
      }
      this.legFrom[b + 1] = legs.length
    }
    this.legs = Int32Array.from(legs)
    this.legSets = Int32Array.from(legSets)
    this.isAssumed = new Uint8Array(outcomes.length)
    this.order = new Int32Array(cellCount)
    this.frames = [Int32Array.from([...bets.keys()].sort((a, b) => bets[b]!.weight - bets[a]!.weight || a - b))]
    const levels = outcomes.length + 1
    this.count = new Int32Array(levels)
    this.count[0] = bets.length
    this.paid = new Float64Array(levels)
    this.set = new Int32Array(levels)
    this.bound = new Float64Array(levels)
    this.tried = new Float64Array(levels)
    this.next = new Int32Array(levels)
    this.last = new Int32Array(levels)
    this.pays = new Float64Array(cellCount)
    this.always = new Float64Array(outcomes.length)
    this.dearest = new Int32Array(outcomes.length)
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
        if (next[level] === last[level]) this.isAssumed[this.set[level]!] = 0
      }
    }
  }

  /** Bounds a level, and chooses the set and the order of its outcomes to try: none where no outcome can improve on the best. */
  private enter(level: number): void {
    const { bound, tried, next, last, from, work } = this
    const paid = this.paid[level]!
    next[level] = last[level] = 0
    if (this.count[level] === 0) {
      this.isFollowed = true
      this.best = Math.max(this.best, paid)
      bound[level] = tried[level] = paid
      return
    }
    bound[level] = tried[level] = this.lowestBound(level)
    if (bound[level]! <= this.best) this.isFollowed = true
    // The first path is always followed until nothing on it can improve on the best.
    if (bound[level]! <= this.best || (work.left <= 0 && this.isFollowed)) return
    const set = this.weightiest(level)
    this.set[level] = set
    this.orderOutcomes(set)
    tried[level] = -Infinity
    next[level] = this.first[set]!
    last[level] = from[set + 1]!
  }

  /** Makes the next level from the bets that are left when the outcome of a cell of the level's set is assumed. */
  private suppose(chosen: number, level: number): void {
    const { legFrom, legs, legSets, isAssumed, weights, frames, set } = this
    const frame = frames[level]!
    const end = this.count[level]!
    if ((frames[level + 1]?.length ?? 0) < end) frames[level + 1] = new Int32Array(end)
    const left = frames[level + 1]!
    isAssumed[set[level]!] = 1
    let to = 0
    let paid = this.paid[level]!
    for (let at = 0; at < end; at++) {
      const bet = frame[at]!
      let isLost = false
      let isOpen = false
      for (let leg = legFrom[bet]!; leg < legFrom[bet + 1]!; leg++) {
        if (legSets[leg] === set[level]) isLost ||= (legs[leg]! >> 1 === chosen) !== ((legs[leg]! & 1) === 1)
        else if (isAssumed[legSets[leg]!] === 0) isOpen = true
      }
      if (isLost) continue
      if (isOpen) left[to++] = bet
      else paid += weights[bet]!
    }
    this.count[level + 1] = to
    this.paid[level + 1] = paid
  }

  /** The set that most money depends on. Leaves what each outcome seems to pay in `pays`. */
  private weightiest(level: number): number {
    const { legFrom, legs, legSets, isAssumed, weights, money, pays } = this
    const frame = this.frames[level]!
    money.fill(0)
    pays.fill(0)
    for (let at = 0; at < this.count[level]!; at++) {
      const bet = frame[at]!
      const weight = weights[bet]!
      const size = weight < 0 ? 0 - weight : weight
      for (let leg = legFrom[bet]!; leg < legFrom[bet + 1]!; leg++) {
        if (isAssumed[legSets[leg]!] === 1) continue
        money[legSets[leg]!]! += size
        pays[legs[leg]! >> 1]! += (legs[leg]! & 1) === 1 ? weight : 0 - weight
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

  /** The lowest bound of a level that some rounds find. Each round also tries the outcome that is the dearest by its shares. */
  private lowestBound(level: number): number {
    const { work, bets, divided, legFrom } = this
    const shares = (this.shares[level] ??= new Float64Array(this.legs.length).fill(1))
    const isFirst = level === 0 && !bets.some((bet) => divided.has(bet))
    if (level > 0) shares.set(this.shares[level - 1]!)
    else bets.forEach((bet, b) => { shares.set(divided.get(bet) ?? [], legFrom[b]) })
    const rounds = level > 0 ? ROUNDS.branch : isFirst ? ROUNDS.first : ROUNDS.later
    let bound = Infinity
    for (let round = 1; ; round++) {
      work.left -= this.count[level]!
      bound = Math.min(bound, this.paid[level]! + this.dividedPayout(level, shares))
      if (bound <= this.best || round === rounds || work.left <= 0) break
      const step = 1 / Math.sqrt(isFirst ? round : ROUNDS_BEFORE + round)
      this.best = Math.max(this.best, this.paid[level]! + this.moveShares(level, shares, 1 / (1 + step)))
    }
    if (level === 0) bets.forEach((bet, b) => { divided.set(bet, shares.slice(legFrom[b], legFrom[b + 1])) })
    return bound
  }

  /** What the bets of a level can pay where each is divided by its shares. Leaves the shares of a bet summing up to one, and the dearest outcomes. */
  private dividedPayout(level: number, shares: Float64Array): number {
    const { legFrom, legs, legSets, isAssumed, weights, pays, always, dearest, first, from } = this
    const frame = this.frames[level]!
    pays.fill(0)
    always.fill(0)
    for (let at = 0; at < this.count[level]!; at++) {
      const bet = frame[at]!
      // The dearest bets come first.
      if (weights[bet]! <= 0) break
      let sum = 0
      let last = -1
      for (let leg = legFrom[bet]!; leg < legFrom[bet + 1]!; leg++) {
        if (isAssumed[legSets[leg]!] === 1) continue
        sum += shares[leg]!
        last = leg
      }
      let left = weights[bet]!
      for (let leg = legFrom[bet]!; leg <= last; leg++) {
        if (isAssumed[legSets[leg]!] === 1) continue
        shares[leg]! /= sum
        const part = leg === last ? left : Math.min(left, Math.floor(weights[bet]! * shares[leg]!))
        left -= part
        const cell = legs[leg]! >> 1
        if ((legs[leg]! & 1) === 1) pays[cell]! += part
        else {
          always[legSets[leg]!]! += part
          pays[cell]! -= part
        }
      }
    }
    let sum = 0
    for (let set = 0; set < dearest.length; set++) {
      let most = first[set]!
      for (let cell = most + 1; cell < from[set + 1]!; cell++) if (pays[cell]! > pays[most]!) most = cell
      dearest[set] = most
      sum += always[set]! + pays[most]!
    }
    return sum
  }

  /** Takes from the shares of the legs that come true in the dearest outcomes. Returns what these outcomes together pay. */
  private moveShares(level: number, shares: Float64Array, kept: number): number {
    const { legFrom, legs, legSets, isAssumed, weights, dearest } = this
    const frame = this.frames[level]!
    let sum = 0
    for (let at = 0; at < this.count[level]!; at++) {
      const bet = frame[at]!
      let isWon = true
      for (let leg = legFrom[bet]!; leg < legFrom[bet + 1]!; leg++) {
        if (isAssumed[legSets[leg]!] === 1) continue
        if ((legs[leg]! >> 1 === dearest[legSets[leg]!]) === ((legs[leg]! & 1) === 1)) shares[leg] = Math.max(SHARE_LEAST, shares[leg]! * kept)
        else isWon = false
      }
      if (isWon) sum += weights[bet]!
    }
    return sum
  }
}

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
