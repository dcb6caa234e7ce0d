import { assert } from '../unit/assert.ts'

/** A market's outcome, and the last price before it, 0…1. */
export interface Outcome {
  readonly lastPrice: number
  readonly isYes: boolean
}

/** Last prices within the same twentieth count as alike. When the outcomes of such markets change places, prices stay as calibrated as before. */
export const BIN = 0.05

// 0.15 / 0.05 is a little less than 3: prices of whole cents at an edge belong to the upper bin.
const binOf = ({ lastPrice }: Outcome): number => Math.floor(lastPrice / BIN + 1e-6)

/** Numbers of the markets whose last prices are alike, one list for each bin. */
function bins(outcomes: readonly Outcome[]): number[][] {
  const byBin = Array.from({ length: Math.ceil(1 / BIN) + 1 }, (): number[] => [])
  outcomes.forEach((outcome, market) => { byBin[binOf(outcome)]!.push(market) })
  return byBin
}

/** Recorded outcomes with changed places: each market of a bin gets the outcome of the next one, and the last gets that of the first. */
export function changedPlaces(outcomes: readonly Outcome[]): Outcome[] {
  const changed = [...outcomes]
  for (const alike of bins(outcomes)) {
    alike.forEach((market, i) => { changed[market] = { ...outcomes[market]!, isYes: outcomes[alike[(i + 1) % alike.length]!]!.isYes } })
  }
  return changed
}

/** How many markets have an outcome other than in `before`. Each bin must still have as many YES, at the same prices. */
export function outcomesMoved(before: readonly Outcome[], after: readonly Outcome[]): number {
  assert(before.length === after.length && before.every(({ lastPrice }, i) => lastPrice === after[i]!.lastPrice), 'outcomes change places, prices stay')
  const wins = (outcomes: readonly Outcome[], alike: readonly number[]): number => alike.filter((market) => outcomes[market]!.isYes).length
  for (const alike of bins(before)) assert(wins(before, alike) === wins(after, alike), 'as many win at each price as before')
  return before.filter(({ isYes }, i) => isYes !== after[i]!.isYes).length
}
