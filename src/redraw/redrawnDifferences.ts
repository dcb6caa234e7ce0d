import type { RandomKey } from '../kernel/random.ts'
import { wonSumsOf, type WeightedBet } from './bets.ts'
import type { PositionCounts, RedrawBook } from './book.ts'
import { distributionOf, type Drawn, shareOf } from './distribution.ts'

/** A maker's profit in run B less that in run A, over nights whose outcomes are drawn anew and are the same in both. Money is in microUSDC. */
export interface RedrawnDifference {
  readonly mean: Drawn
  /** The middle 95% of the nights. */
  readonly range: readonly [low: number, high: number]
  /** Share of nights in which B has more, and in which it has less. In the others both have as much. */
  readonly better: Drawn
  readonly worse: Drawn
  /** Positions that count in every night as they were recorded: void, bought back, sold, or without a closing price. */
  readonly asRecorded: { readonly a: number; readonly b: number }
}

/**
 * The difference of each of the makers, in their order, with both runs' fills as they were. A maker without a position in a run has a profit of 0 there.
 * Precondition: `worldDifference` of the runs is null.
 */
export function redrawnDifferences(a: RedrawBook, b: RedrawBook, makers: readonly string[], key: RandomKey, outcomes: number): RedrawnDifference[] {
  const parts = makers.map((maker) => [partOf(a, maker, -1, 0), partOf(b, maker, 1, a.markets.length)] as const)
  const sums = wonSumsOf(parts.map(([inA, inB]) => [...inA.bets, ...inB.bets]), [...a.markets, ...b.markets], a.correlation, key, outcomes)
  return parts.map(([inA, inB], maker) => {
    const differences = sums[maker]!.map((won) => won + inA.sureMicros + inB.sureMicros)
    const { mean, range, lossShare } = distributionOf(differences, 0)
    const better = differences.reduce((count, difference) => count + Number(difference > 0), 0)
    return { mean, range, better: shareOf(better, outcomes), worse: lossShare, asRecorded: { a: inA.asRecorded, b: inB.asRecorded } }
  })
}

/** What a maker has in one of the runs. */
interface Part {
  /** What it has in every night. */
  readonly sureMicros: number
  readonly bets: readonly WeightedBet[]
  readonly asRecorded: number
}

/** @param sign of the run in the difference. @param shift of the places of the run's markets. */
function partOf({ owners, claims, positions }: RedrawBook, maker: string, sign: 1 | -1, shift: number): Part {
  const place = owners.findIndex(({ kind, name }) => kind === 'maker' && name === maker)
  if (place < 0) return { sureMicros: 0, bets: [], asRecorded: 0 }
  const own = claims.filter(({ owner }) => owner === place)
  const { fixedMicros, counts } = owners[place]!
  return {
    sureMicros: sign * own.reduce((sum, { lostMicros }) => sum + lostMicros, fixedMicros), asRecorded: standingOf(counts),
    bets: own.map(({ position, wonMicros, lostMicros }) => ({
      legs: positions[position]!.legs.map(({ market, isYes }) => ({ market: market + shift, isYes })), weightMicros: sign * (wonMicros - lostMicros),
    })),
  }
}

const standingOf = ({ void: voided, boughtBack, withoutClose, sold }: PositionCounts): number => voided + boughtBack + withoutClose + sold
