import { rootKey } from '../kernel/random.ts'
import { RunTables, servicesOf } from '../score/runTables.ts'
import { InputError } from '../unit/inputError.ts'
import type { PositionCounts, RedrawBook } from './book.ts'
import { type Distribution, distributionOf, type Drawn, shareOf } from './distribution.ts'
import { type DrawnNights, drawNights } from './drawNights.ts'
import { profitFeesOf } from './feeRules.ts'
import { readBook } from './readBook.ts'
import { type DrawnWorld, readMarkets } from './readMarkets.ts'
import { type WorstNight, worstNight } from './worstNight.ts'

/** The night of a maker, or of a cohort's bettors together, over redraws. Money is in microUSDC. */
export interface RedrawnNight extends Distribution {
  readonly name: string
  /** The profit of the recorded night. */
  readonly recordedMicros: number
  /**
   * The expected profit, with each position at V at its close, and a position with a void leg at the chance of its legs before the void. Where the
   * closes of partitions sum to one, the mean of the redraws differs from it by the error of the draw alone.
   */
  readonly luckAdjustedMicros: number
  readonly positions: PositionCounts
}

export interface RedrawnMaker extends RedrawnNight {
  readonly worstJoint: WorstNight
  readonly ruin: Ruin
}

/** Whether a maker's capital carries its fills. */
export interface Ruin {
  /** Fills and purchases of positions that were looked at. */
  readonly fills: number
  /** Share of redraws in which the capital could not have carried some fill. */
  readonly share: Drawn
  /** Fills that the capital could not have carried: their mean over all redraws, and the most of them in one redraw. */
  readonly uncarriedMean: number
  readonly uncarriedMost: number
}

/** Two makers over the same redraws: the profit of the first less that of the second. */
export interface RedrawnPair {
  readonly first: string
  readonly second: string
  readonly mean: Drawn
  readonly range: readonly [low: number, high: number]
  /** Share of redraws in which the first has more. */
  readonly firstBeats: Drawn
}

export interface RedrawnService {
  readonly service: string
  readonly makers: readonly RedrawnMaker[]
  readonly pairs: readonly RedrawnPair[]
  readonly cohorts: readonly RedrawnNight[]
}

/** The outcomes of a run, drawn anew. */
export interface Redraw {
  readonly version: 1
  readonly outcomes: number
  readonly seed: string
  /** How far the outcomes of a group are correlated, on the normal scale. */
  readonly correlation: number
  readonly services: readonly RedrawnService[]
}

export interface RedrawRunOptions {
  readonly outcomes: number
  readonly seed: string
  /** Called after each part of the redraws, and awaited. `done` counts the redraws so far, over all services, and `all` those that there will be. */
  readonly between?: (done: number, all: number) => Promise<void> | void
}

/** Throws InputError for a run without tables, and of a version whose tables do not say how outcomes are drawn. */
export async function redrawRun(dir: string, { outcomes, seed, between }: RedrawRunOptions): Promise<Redraw> {
  const books = readBooks(dir)
  if (books.every(({ owners }) => owners.length === 0)) throw new InputError('no position of the run ended: there is nothing to draw', { position: { file: dir } })
  const services: RedrawnService[] = []
  for (const [i, book] of books.entries()) {
    const nights = await drawNights(book, outcomes, rootKey(seed), (done) => between?.(i * outcomes + done, books.length * outcomes))
    services.push(serviceOf(book, nights))
  }
  return { version: 1, outcomes, seed, correlation: books[0]!.correlation, services }
}

/** The books of a run's services. Throws as `redrawRun` does. @param world how outcomes are drawn, by default as the run's tables say. */
export function readBooks(dir: string, world?: DrawnWorld): RedrawBook[] {
  const names = servicesOf(dir)
  const drawn = world ?? readMarkets(dir)
  return names.map((service) => readBook(service, new RunTables(dir, names.length === 1 ? null : service), profitFeesOf(dir, service), drawn))
}

/** The figures of drawn nights. */
export function serviceOf(book: RedrawBook, { profits, uncarried }: DrawnNights): RedrawnService {
  const nightOf = (owner: number): RedrawnNight => {
    const { name, recordedMicros, luckAdjustedMicros, counts } = book.owners[owner]!
    return { name, recordedMicros, luckAdjustedMicros, positions: counts, ...distributionOf(profits[owner]!, recordedMicros) }
  }
  const ofKind = (kind: 'maker' | 'cohort'): number[] => [...book.owners.keys()].filter((owner) => book.owners[owner]!.kind === kind)
  const makers = ofKind('maker')
  return {
    service: book.service,
    makers: makers.map((owner) => ({
      ...nightOf(owner), worstJoint: worstNight(book, owner), ruin: ruinOf(uncarried[owner]!, book.checks.filter((check) => check.owner === owner).length),
    })),
    pairs: makers.flatMap((first, i) => makers.slice(i + 1).map((second) => pairOf(book, profits, first, second))),
    cohorts: ofKind('cohort').map(nightOf),
  }
}

function pairOf({ owners }: RedrawBook, profits: DrawnNights['profits'], first: number, second: number): RedrawnPair {
  const differences = profits[first]!.map((profit, k) => profit - profits[second]![k]!)
  const { mean, range } = distributionOf(differences, 0)
  return { first: owners[first]!.name, second: owners[second]!.name, mean, range, firstBeats: shareOf(countOf(differences, (difference) => difference > 0), differences.length) }
}

function ruinOf(uncarried: Int32Array, fills: number): Ruin {
  return {
    fills, share: shareOf(countOf(uncarried, (count) => count > 0), uncarried.length), uncarriedMean: uncarried.reduce((sum, count) => sum + count, 0) / uncarried.length,
    uncarriedMost: uncarried.reduce((most, count) => Math.max(most, count), 0),
  }
}

/** How many of the numbers are so. */
function countOf(numbers: Float64Array | Int32Array, isSo: (number: number) => boolean): number {
  let count = 0
  for (const number of numbers) if (isSo(number)) count++
  return count
}
