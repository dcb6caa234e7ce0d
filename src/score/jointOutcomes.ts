import { type Bet, connectedParts, type Part } from './bookParts.ts'

export type { Bet, BetLeg } from './bookParts.ts'

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

/** What is left of a book when the outcomes of some sets are assumed: its bets that are neither won nor lost yet, the dearest first, with their open legs alone. */
class Level {
  count = 0
  /** What was won before. */
  paid = 0
  /** The set whose outcomes are tried. */
  set = 0
  /** A bound of the payout, the highest payout of the outcomes tried so far, and the cells of `order` that are not tried yet. */
  bound = 0
  tried = 0
  next = 0
  last = 0
  declare readonly weights: Float64Array
  /** The legs of bet b are legFrom[b] … legFrom[b + 1] − 1. A leg is twice its cell, plus 1 where it bets on the cell and not against it. */
  declare readonly legFrom: Int32Array
  declare readonly legs: Int32Array
  declare readonly legSets: Int32Array
  /** What part of its bet's weight each leg has, before it is made whole and sums up to one. */
  declare readonly shares: Float64Array

  /** @param bets and `legs`: the most that it can have. */
  constructor(bets: number, legs: number) {
    this.weights = new Float64Array(bets)
    this.legFrom = new Int32Array(bets + 1)
    this.legs = new Int32Array(legs)
    this.legSets = new Int32Array(legs)
    this.shares = new Float64Array(legs)
  }

  hasRoom(bets: number, legs: number): boolean {
    return bets <= this.weights.length && legs <= this.legs.length
  }
}

/** The stack of levels, as deep as there are sets. One search after the other uses it, so that neither a branch nor a book allocates much. */
const LEVELS: Level[] = []

/** The level of a depth, with room for so many bets and legs. */
function levelAt(depth: number, bets: number, legs: number): Level {
  const known = LEVELS[depth]
  return known?.hasRoom(bets, legs) === true ? known : (LEVELS[depth] = new Level(bets, legs))
}

/**
 * One connected part. Its sets and their outcomes are numbered from 0, and the outcomes of all sets are cells, one after the other.
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
  /** The dearest first, as in the first level. */
  private readonly bets: readonly Bet[]
  private readonly divided: Divided
  /** Outcomes of set s are cells from[s] … from[s + 1] − 1. */
  private readonly from: Int32Array
  /** By set: its first outcome that can be. */
  private readonly first: Int32Array
  /** By cell, for a set whose outcome is assumed: the outcomes in the order in which they are tried. */
  private readonly order: Int32Array
  /** Scratch space of one bound or choice: what each outcome adds to its set's payout, what all outcomes of a set add, the dearest outcome, and the money that depends on the set. */
  private readonly pays: Float64Array
  private readonly always: Float64Array
  private readonly dearest: Int32Array
  private readonly money: Float64Array

  /** @param atLeast outcomes that pay no more are not looked for. */
  constructor({ bets, sets }: Part, work: Work, atLeast: number, divided: Divided) {
    this.best = atLeast
    this.work = work
    this.divided = divided
    const outcomes = Array.from({ length: sets.count }, () => new Map<number, number>())
    const sizes = new Float64Array(sets.count)
    // Of the legs in the order of the bets: their sets, and which of its set's markets each is about.
    const [setOf, outcomeOf]: [number[], number[]] = [[], []]
    for (const { legs } of bets) {
      for (const { set, market, oneOf = Infinity } of legs) {
        const s = sets.numberOf(set)
        const own = outcomes[s]!
        let outcome = own.get(market)
        if (outcome === undefined) own.set(market, outcome = own.size + 1)
        sizes[s] = oneOf
        setOf.push(s)
        outcomeOf.push(outcome)
      }
    }
    this.from = new Int32Array(sets.count + 1)
    outcomes.forEach((own, s) => { this.from[s + 1] = this.from[s]! + own.size + 1 })
    this.first = Int32Array.from(outcomes, (own, s) => this.from[s]! + (own.size === sizes[s] ? 1 : 0))
    const legFrom = new Int32Array(bets.length + 1)
    for (let b = 0; b < bets.length; b++) legFrom[b + 1] = legFrom[b]! + bets[b]!.legs.length
    const level = levelAt(0, bets.length, setOf.length)
    level.count = level.paid = 0
    const dearestFirst = [...bets.keys()].sort((a, b) => bets[b]!.weight - bets[a]!.weight || a - b)
    this.bets = dearestFirst.map((b) => bets[b]!)
    let to = 0
    for (const b of dearestFirst) {
      const bet = bets[b]!
      level.weights[level.count++] = bet.weight
      for (let leg = legFrom[b]!; leg < legFrom[b + 1]!; leg++) {
        const s = setOf[leg]!
        const { yes } = bet.legs[leg - legFrom[b]!]!
        // A bet against the only market of a set is a bet on the set's other outcome.
        const isAlone = outcomes[s]!.size === 1
        level.legs[to] = (this.from[s]! + (isAlone && !yes ? NO_MARKET : outcomeOf[leg]!)) * 2 + Number(yes || isAlone)
        level.legSets[to++] = s
      }
      level.legFrom[level.count] = to
    }
    const cellCount = this.from[sets.count]!
    this.order = new Int32Array(cellCount)
    this.pays = new Float64Array(cellCount)
    this.always = new Float64Array(sets.count)
    this.dearest = new Int32Array(sets.count)
    this.money = new Float64Array(sets.count)
  }

  /** Returns an upper bound of the payout. It is `best` where the search was not cut off. */
  run(): number {
    const { order } = this
    let depth = 0
    this.begin(LEVELS[0]!)
    for (;;) {
      const level = LEVELS[depth]!
      if (level.next < level.last) {
        const below = levelAt(++depth, level.count, level.legFrom[level.count]!)
        suppose(order[level.next++]!, level, below)
        this.enter(below, ROUNDS.branch)
      } else {
        const pays = Math.min(level.bound, level.tried)
        if (depth === 0) return pays
        const above = LEVELS[--depth]!
        above.tried = Math.max(above.tried, pays)
      }
    }
  }

  /** Enters the first level with the shares that earlier searches left, and leaves its own. */
  private begin(level: Level): void {
    const { bets, divided } = this
    const { shares, legFrom } = level
    const isFirst = !bets.some((bet) => divided.has(bet))
    shares.fill(1, 0, legFrom[level.count])
    if (!isFirst) bets.forEach((bet, b) => { shares.set(divided.get(bet) ?? [], legFrom[b]) })
    this.enter(level, isFirst ? ROUNDS.first : ROUNDS.later, isFirst)
    bets.forEach((bet, b) => { divided.set(bet, shares.slice(legFrom[b], legFrom[b + 1])) })
  }

  /** Bounds a level, and chooses the set and the order of its outcomes to try: none where no outcome can improve on the best. */
  private enter(level: Level, rounds: number, isFirst = false): void {
    level.next = level.last = 0
    if (level.count === 0) {
      this.isFollowed = true
      this.best = Math.max(this.best, level.paid)
      level.bound = level.tried = level.paid
      return
    }
    level.bound = level.tried = this.lowestBound(level, rounds, isFirst)
    if (level.bound <= this.best) this.isFollowed = true
    // The first path is always followed until nothing on it can improve on the best.
    if (level.bound <= this.best || (this.work.left <= 0 && this.isFollowed)) return
    level.set = this.weightiest(level)
    this.orderOutcomes(level.set)
    level.tried = -Infinity
    level.next = this.first[level.set]!
    level.last = this.from[level.set + 1]!
  }

  /** The set that most money depends on. Leaves what each outcome seems to pay in `pays`. */
  private weightiest({ count, weights, legFrom, legs, legSets }: Level): number {
    const { money, pays } = this
    money.fill(0)
    pays.fill(0)
    for (let bet = 0; bet < count; bet++) {
      const weight = weights[bet]!
      const size = weight < 0 ? 0 - weight : weight
      for (let leg = legFrom[bet]!; leg < legFrom[bet + 1]!; leg++) {
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
  private lowestBound(level: Level, rounds: number, isFirst: boolean): number {
    const { work } = this
    let bound = Infinity
    for (let round = 1; ; round++) {
      work.left -= level.count
      bound = Math.min(bound, level.paid + this.dividedPayout(level))
      if (bound <= this.best || round === rounds || work.left <= 0) return bound
      const step = 1 / Math.sqrt(isFirst ? round : ROUNDS_BEFORE + round)
      this.best = Math.max(this.best, level.paid + this.moveShares(level, 1 / (1 + step)))
    }
  }

  /** What the bets of a level can pay where each is divided by its shares. Leaves the shares of a bet summing up to one, and the dearest outcomes. */
  private dividedPayout({ count, weights, legFrom, legs, legSets, shares }: Level): number {
    const { pays, always, dearest, first, from } = this
    pays.fill(0)
    always.fill(0)
    for (let bet = 0; bet < count; bet++) {
      const weight = weights[bet]!
      // The dearest bets come first.
      if (weight <= 0) break
      const end = legFrom[bet + 1]!
      let sum = 0
      for (let leg = legFrom[bet]!; leg < end; leg++) sum += shares[leg]!
      let left = weight
      for (let leg = legFrom[bet]!; leg < end; leg++) {
        const share = shares[leg]! / sum
        shares[leg] = share
        const part = leg === end - 1 ? left : Math.min(left, Math.floor(weight * share))
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
  private moveShares({ count, weights, legFrom, legs, legSets, shares }: Level, kept: number): number {
    const { dearest } = this
    let sum = 0
    for (let bet = 0; bet < count; bet++) {
      let isWon = true
      for (let leg = legFrom[bet]!; leg < legFrom[bet + 1]!; leg++) {
        if ((legs[leg]! >> 1 === dearest[legSets[leg]!]) === ((legs[leg]! & 1) === 1)) shares[leg] = Math.max(SHARE_LEAST, shares[leg]! * kept)
        else isWon = false
      }
      if (isWon) sum += weights[bet]!
    }
    return sum
  }
}

/** Makes the level below from the bets that are left when the outcome of a cell of the level's set is assumed. It begins with the level's shares. */
function suppose(chosen: number, level: Level, below: Level): void {
  const { count, weights, legFrom, legs, legSets, shares, set } = level
  let [bets, to] = [0, 0]
  let paid = level.paid
  for (let bet = 0; bet < count; bet++) {
    const begin = to
    let isLost = false
    for (let leg = legFrom[bet]!; leg < legFrom[bet + 1]!; leg++) {
      if (legSets[leg] === set) {
        isLost = (legs[leg]! >> 1 === chosen) !== ((legs[leg]! & 1) === 1)
        if (isLost) break
      } else {
        below.legs[to] = legs[leg]!
        below.legSets[to] = legSets[leg]!
        below.shares[to++] = shares[leg]!
      }
    }
    if (isLost) to = begin
    else if (to === begin) paid += weights[bet]!
    else {
      below.weights[bets++] = weights[bet]!
      below.legFrom[bets] = to
    }
  }
  below.count = bets
  below.paid = paid
}
