import { type Bet, worstPayout } from '../score/jointOutcomes.ts'
import type { RedrawBook } from './book.ts'
import type { DrawnMarket } from './outcomeBits.ts'

/** Bets looked at for each owner: a tenth or two of a second. */
const WORK = 1_000_000

/** The lowest profit of a night over all joint outcomes that a redraw can draw, microUSDC. */
export interface WorstNight {
  /** No outcome is worse. */
  readonly micros: number
  /** Whether some outcome is as bad. */
  readonly isExact: boolean
}

/**
 * The worst joint outcome of an owner's night. Of the markets that one uniform decides at most one is YES, and exactly one where they fill the whole
 * range. The figure is only a bound where the search looks at outcomes that no redraw has. There are two such cases. Where the owner's bets name all of
 * more than two markets that fill the range, the search also lets none of them be YES. Where outcomes that the bets depend on are tied at
 * correlation 1, the search lets them come out apart.
 */
export function worstNight({ markets, positions, claims, owners, correlation }: RedrawBook, owner: number): WorstNight {
  const sets = new Sets(markets)
  let sureMicros = owners[owner]!.fixedMicros
  const bets: Bet[] = []
  for (const claim of claims) {
    if (claim.owner !== owner) continue
    sureMicros += claim.lostMicros
    const legs = positions[claim.position]!.legs.map(({ market, isYes }) => ({ market, yes: isYes })).filter((leg) => sets.certain(leg.market) !== leg.yes)
    const canWin = legs.every(({ market }) => sets.certain(market) === null)
    if (canWin) bets.push({ weight: claim.lostMicros - claim.wonMicros, legs: legs.map(({ market, yes }) => sets.leg(market, yes)) })
  }
  // A bet without legs is won in any case.
  const won = bets.filter(({ legs }) => legs.length === 0).reduce((sum, { weight }) => sum + weight, 0)
  const open = bets.filter(({ legs }) => legs.length > 0)
  const { low, high } = worstPayout(open, { left: WORK })
  return { micros: sureMicros - won - high, isExact: low === high && !sets.canBeNone(open) && !(correlation === 1 && sets.areTied(open)) }
}

/** Which markets exclude each other. */
class Sets {
  private readonly markets: readonly DrawnMarket[]
  private readonly bySource: ReadonlyMap<string, readonly number[]>
  private readonly numbers: ReadonlyMap<string, number>

  constructor(markets: readonly DrawnMarket[]) {
    this.markets = markets
    this.bySource = Map.groupBy([...markets.keys()].filter((market) => this.certain(market) === null), (market) => markets[market]!.source)
    this.numbers = new Map([...this.bySource.keys()].map((source, i) => [source, i]))
  }

  /** Whether a market is YES in every redraw, or in none; null where that is drawn. */
  certain(market: number): boolean | null {
    const { from, to } = this.markets[market]!
    return from >= to ? false : from <= 0 && to >= 1 ? true : null
  }

  /** Of two markets one of which is YES, the second is the opposite of the first. */
  leg(market: number, yes: boolean): Bet['legs'][number] {
    const { source } = this.markets[market]!
    const own = this.bySource.get(source)!
    const isOpposite = own.length === 2 && this.isWhole(source) && own[1] === market
    return { set: this.numbers.get(source)!, market: isOpposite ? own[0]! : market, yes: isOpposite ? !yes : yes }
  }

  /** Whether a search over these bets looks at outcomes in which none of a whole set is YES. */
  canBeNone(bets: readonly Bet[]): boolean {
    const named = new Set(bets.flatMap(({ legs }) => legs.map(({ market }) => market)))
    return [...this.bySource].some(([source, own]) => own.length > 2 && this.isWhole(source) && own.every((market) => named.has(market)))
  }

  /** Whether two of the uniforms that bets depend on are of one group. */
  areTied(bets: readonly Bet[]): boolean {
    const groupOf = new Map(bets.flatMap(({ legs }) => legs.map(({ market }) => [this.markets[market]!.source, this.markets[market]!.group] as const)))
    return new Set(groupOf.values()).size < groupOf.size
  }

  /** Whether the markets of a set leave no room for another one. */
  private isWhole(source: string): boolean {
    const width = this.bySource.get(source)!.reduce((sum, market) => sum + this.markets[market]!.to - this.markets[market]!.from, 0)
    return width > 1 - 1e-9
  }
}
