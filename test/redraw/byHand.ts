import type { CapitalCheck, Claim, Owner, RedrawBook, TimedLeg } from '../../src/redraw/book.ts'
import type { DrawnMarket } from '../../src/redraw/outcomeBits.ts'

/** A market that is drawn by itself. */
export const coin = (source: string, chance: number, group = 'all'): DrawnMarket => ({ source, group, from: 0, to: chance })

/** A bet that a maker backs: stake and risk, its legs as [market, decided at], and from decision to payment. In the recorded night the bettor lost it, at `recordedUs`. */
export interface Backed {
  readonly stake: number
  readonly risk: number
  readonly legs: readonly (readonly [market: number, decidedUs: number])[]
  readonly lagUs?: number
  readonly recordedUs?: number
  readonly maker?: number
  /** When a void leg ends it: stake and risk are given back unless a leg lost it before. */
  readonly voidUs?: number
}

/** A book of makers that back bets on YES, without fees, of which the recorded night paid each to its maker. */
export function bookOf(markets: readonly DrawnMarket[], backed: readonly Backed[], checks: readonly Omit<CapitalCheck, 'owner'>[] = [], correlation = 0): RedrawBook {
  const counts = { redrawn: 0, void: 0, boughtBack: 0, withoutClose: 0, sold: 0, open: 0 }
  const makers = Math.max(...backed.map(({ maker = 0 }) => maker)) + 1
  const owners = Array.from({ length: makers }, (_, maker): Owner => {
    const own = backed.filter((bet) => (bet.maker ?? 0) === maker)
    return {
      kind: 'maker', name: `maker ${maker}`, fixedMicros: own.reduce((sum, { risk }) => sum - risk, 0), recordedMicros: own.reduce((sum, { stake }) => sum + stake, 0),
      luckAdjustedMicros: 0, counts: { ...counts, redrawn: own.length },
    }
  })
  return {
    service: 'parlay', owners, markets, correlation,
    positions: backed.map(({ legs, lagUs = 0, voidUs }) => ({ lagUs, rightUs: voidUs ?? Math.max(...legs.map(([, decidedUs]) => decidedUs)), legs: legs.map(([market, decidedUs]): TimedLeg => ({ market, isYes: true, decidedUs })) })),
    claims: backed.map(({ stake, risk, maker = 0, recordedUs = Infinity, voidUs }, position): Claim => (
      { position, owner: maker, wonMicros: voidUs === undefined ? 0 : risk, lostMicros: stake + risk, recordedMicros: stake + risk, recordedUs })),
    checks: checks.map((check) => ({ owner: 0, ...check })),
  }
}

/** The mean of an owner's profit over all outcomes, without correlation: the sum over the places of the uniforms, whose chances are multiplied. */
export function exactMean({ markets, positions, claims, owners }: RedrawBook, owner: number): number {
  const chanceOf = (legs: readonly TimedLeg[]): number => [...Map.groupBy(legs, ({ market }) => markets[market]!.source).values()].reduce((product, own) => {
    const cuts = [0, 1, ...own.flatMap(({ market }) => [markets[market]!.from, markets[market]!.to])].sort((a, b) => a - b)
    const isRight = (at: number): boolean => own.every(({ market, isYes }) => (at >= markets[market]!.from && at < markets[market]!.to) === isYes)
    return product * cuts.slice(1).reduce((sum, cut, i) => sum + (cut > cuts[i]! && isRight((cut + cuts[i]!) / 2) ? cut - cuts[i]! : 0), 0)
  }, 1)
  return claims.filter((claim) => claim.owner === owner)
    .reduce((sum, { position, wonMicros, lostMicros }) => sum + lostMicros + chanceOf(positions[position]!.legs) * (wonMicros - lostMicros), owners[owner]!.fixedMicros)
}

/** How many redraws come to each profit. */
export function tally(profits: ArrayLike<number>): Map<number, number> {
  const counts = new Map<number, number>()
  for (const profit of Array.from(profits)) counts.set(profit, (counts.get(profit) ?? 0) + 1)
  return new Map([...counts].sort(([a], [b]) => a - b))
}

/** Whether a count of redraws is within four standard errors of its expectation. */
export const isNear = (count: number, chance: number, of: number): boolean => Math.abs(count - chance * of) <= 4 * Math.sqrt(of * chance * (1 - chance))
