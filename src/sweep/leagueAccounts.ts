import { TERMS } from '../score/attribution.ts'
import { ifEnough } from '../score/enough.ts'
import { ratio } from '../stats/clusterInterval.ts'
import { clipped, type Interval } from '../stats/interval.ts'
import { pairedDifference, replicatedInterval, type ReplicatedSums } from '../stats/replicatedSums.ts'
import { SECOND_US } from '../unit/time.ts'
import { heldOver, type RestsOn } from './bookBasis.ts'
import { type PooledFigure, POOLED_FIGURES } from './figures.ts'
import type { LeagueAccount } from './leagueResult.ts'
import { basisOfBooks, STAKE } from './leagueScores.ts'

type Term = (typeof TERMS)[number]

const figureOf = (term: Term): PooledFigure => POOLED_FIGURES.find(({ name }) => name === `attributed to ${term === 'lastLook' ? 'last look' : term}`)!
const TERM_COLUMNS = TERMS.map((term) => figureOf(term).columns[0]!)
const FILLS = TERM_COLUMNS.length
const QUOTED = FILLS + 1
const MARKS = QUOTED + 1

/** Columns of scores that say how an entry came to its profit: the terms, fills and quoted versions, and mark-outs with their payouts by horizon. */
export const accountColumns = (horizonsUs: readonly number[]): string[] =>
  [...TERM_COLUMNS, 'fills', 'quotedVersions', ...horizonsUs.flatMap((us) => [`markOut${us / SECOND_US}s`, `payout${us / SECOND_US}s`])]

/** An entry's sums over the part of the history that ranks. */
export interface AccountSums {
  /** What ranks, which says what intervals of this book need. */
  readonly judged: ReplicatedSums
  /** Sums of `accountColumns`, by their places. */
  readonly told: (places: readonly number[]) => ReplicatedSums
}

/**
 * How an entry came to its profit, and how each term differs from the leader's.
 *
 * @param leader sums of the leader over the same replications. Absent for the leader itself
 */
export function accountOf(own: AccountSums, horizonsUs: readonly number[], leader?: AccountSums): LeagueAccount {
  const { judged, told } = own
  const counts = told([FILLS])
  const fills = counts.cells.reduce((sum, count) => sum + count, 0)
  const ratioOf = (numerator: number, denominator: number, scale: number): Interval => replicatedInterval(told([numerator, denominator]), ratio(0, 1, scale))
  return {
    fills: fills / judged.replications,
    stake: judged.cells.reduce((sum, cell, i) => sum + (i % judged.width === STAKE ? cell : 0), 0) / judged.replications / 1e6,
    hitRatio: clipped(ratioOf(FILLS, QUOTED, 1), 0, 1),
    terms: termsBy((place, restsOn) => heldOver(replicatedInterval(withOnes(told([place])), usdc), basisOfBooks(restsOn, [judged]))),
    toLeader: leader === undefined ? null : termsBy((place, restsOn) =>
      heldOver(pairedDifference(withOnes(told([place])), withOnes(leader.told([place])), usdc), basisOfBooks(restsOn, [judged, leader.judged]))),
    markOuts: horizonsUs.map((horizonUs, h) => ({ horizonUs, cents: ifEnough(ratioOf(MARKS + 2 * h, MARKS + 2 * h + 1, 100), { fills }) })),
  }
}

const usdc = (totals: Float64Array): number => totals[0]! / 1e6

const termsBy = (of: (place: number, restsOn: RestsOn) => Interval): Record<Term, Interval> =>
  Object.fromEntries(TERMS.map((term, place) => [term, of(place, figureOf(term).restsOn ?? 'values')])) as Record<Term, Interval>

/** One column beside ones, so that a cluster in which this maker had nothing counts as 0. */
const withOnes = ({ cells, ...sums }: ReplicatedSums): ReplicatedSums => ({ ...sums, width: 2, cells: Float64Array.from({ length: 2 * cells.length }, (_, i) => (i % 2 === 1 ? 1 : cells[i / 2]!)) })
