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

/** Sets of markets, numbered from 0 in the order in which bets name them. */
class SetNumbers {
  private readonly numbers = new Map<number, number>()

  get count(): number {
    return this.numbers.size
  }

  /** The number of a set, which is a new one the first time. */
  numberOf(set: number): number {
    let number = this.numbers.get(set)
    if (number === undefined) this.numbers.set(set, number = this.numbers.size)
    return number
  }
}

/** Bets that share sets, directly or through other bets, and the numbers of their sets. */
export interface Part {
  readonly bets: Bet[]
  readonly sets: SetNumbers
}

/** A book in connected parts, in the order of their first bets. */
export function connectedParts(bets: readonly Bet[]): Part[] {
  const sets = new SetNumbers()
  const root: number[] = []
  const find = (set: number): number => {
    let at = set
    while (root[at] !== at) at = root[at] = root[root[at]!]!
    return at
  }
  const firstSets = new Int32Array(bets.length)
  for (let b = 0; b < bets.length; b++) {
    const { legs } = bets[b]!
    for (let i = 0; i < legs.length; i++) {
      const set = sets.numberOf(legs[i]!.set)
      if (set === root.length) root.push(set)
      if (i === 0) firstSets[b] = set
      else root[find(set)] = find(firstSets[b]!)
    }
  }
  const parts = new Map<number, Part>()
  for (let b = 0; b < bets.length; b++) {
    const key = find(firstSets[b]!)
    let part = parts.get(key)
    if (part === undefined) parts.set(key, part = { bets: [], sets: new SetNumbers() })
    part.bets.push(bets[b]!)
    for (const { set } of bets[b]!.legs) part.sets.numberOf(set)
  }
  return [...parts.values()]
}
