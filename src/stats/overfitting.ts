import { log } from '../math/log.ts'
import { exactSum } from '../math/sum.ts'
import { assert } from '../unit/assert.ts'

/** Blocks of combinatorially symmetric cross-validation in the paper: 12,870 combinations. */
export const BLOCKS_MAX = 16

/** What a variant is judged by in one half: the number of its periods, the sum of their results and the sum of their squares. */
export type Criterion = (results: Sums) => number

/** How often the best variant in one half of a history is below the middle in the other half. */
export interface Overfitting {
  /** Probability of backtest overfitting: the share of combinations whose logit is not above 0. A tie that puts it at 0 counts by half. */
  readonly probability: number
  readonly combinations: number
  readonly blocks: number
  /** Share of combinations in which the chosen variant lost in the other half. */
  readonly lossProbability: number
  /** ln(ω/(1 − ω)) by combination, where ω = rank/(variants + 1) of the chosen variant in the other half. The worst has rank 1. */
  readonly logits: Float64Array
}

/**
 * Probability of backtest overfitting by combinatorially symmetric cross-validation (D. H. Bailey, J. M. Borwein, M. López de
 * Prado, Q. J. Zhu, Journal of Computational Finance 20, 2017; SSRN 2015). The periods, in order, are cut into an even number of
 * blocks. For every way to take half of the blocks, the variant that the criterion puts first in that half is ranked among
 * all variants in the other half, by the same criterion. The criterion has to be the one by which variants are really chosen (in
 * the paper the Sharpe ratio). Ties share their middle rank. The paper integrates the density of the logits up to 0 and knows no
 * ties. Breaking a tie by chance puts the chosen variant above the middle as often as below, so that a tie in the middle counts
 * by half. Undefined with fewer than two variants or four periods.
 *
 * @param results periods × variants, by time
 * @param blocksMax even. Fewer blocks are taken where there are fewer than two periods for each.
 */
export function overfitting(
  results: Float64Array, variants: number, criterion: Criterion = sharpeRatio, blocksMax: number = BLOCKS_MAX,
): Overfitting | undefined {
  const periods = results.length / variants
  assert(Number.isInteger(periods) && blocksMax % 2 === 0, 'results are periods × variants, and the blocks even')
  const blocks = Math.min(blocksMax, 2 * Math.floor(periods / 4))
  if (variants < 2 || blocks < 2) return undefined
  const sums = blockSums(results, variants, periods, blocks)
  const logits: number[] = []
  let [losses, overfitted] = [0, 0]
  for (const chosen of halves(blocks)) {
    const inSample = chosenSums(sums, chosen, variants)
    const outOfSample = chosenSums(sums, chosen.map((take) => !take), variants)
    const best = greatest(inSample.map(criterion))
    const values = outOfSample.map(criterion)
    if (outOfSample[best]!.sum < 0) losses++
    const rank = middleRank(values, best)
    const logit = log(rank / (variants + 1 - rank))
    logits.push(logit)
    const isTied = values.filter((value) => value === values[best]!).length > 1
    if (logit <= 0) overfitted += logit === 0 && isTied ? 0.5 : 1
  }
  const combinations = logits.length
  return {
    probability: overfitted / combinations, combinations, blocks,
    lossProbability: losses / combinations, logits: Float64Array.from(logits),
  }
}

/** Sums over some periods of one variant, by which a criterion judges it. */
export interface Sums {
  readonly periods: number
  readonly sum: number
  readonly squares: number
}

/** Sums by block, then by variant. Blocks have nearly equal lengths: the first ones take the periods that are left over. */
function blockSums(results: Float64Array, variants: number, periods: number, blocks: number): Sums[][] {
  const border = (block: number): number => block * Math.floor(periods / blocks) + Math.min(block, periods % blocks)
  return Array.from({ length: blocks }, (_, block) => Array.from({ length: variants }, (__, variant) => {
    const [from, to] = [border(block), border(block + 1)]
    const values = Array.from({ length: to - from }, (___, i) => results[(from + i) * variants + variant]!)
    return { periods: to - from, sum: exactSum(values), squares: exactSum(values.map((value) => value * value)) }
  }))
}

/** By variant, over the blocks that are taken. */
function chosenSums(sums: readonly (readonly Sums[])[], taken: readonly boolean[], variants: number): Sums[] {
  return Array.from({ length: variants }, (_, variant) => {
    let [periods, sum, squares] = [0, 0, 0]
    for (const [block, take] of taken.entries()) {
      if (!take) continue
      const part = sums[block]![variant]!
      periods += part.periods
      sum += part.sum
      squares += part.squares
    }
    return { periods, sum, squares }
  })
}

/** What a period brings on average. */
export const meanResult: Criterion = ({ periods, sum }) => sum / periods

/** Mean over standard deviation. Where there is no deviation, only the sign of the mean decides. */
export function sharpeRatio({ periods, sum, squares }: Sums): number {
  const mean = sum / periods
  const variance = squares / periods - mean * mean
  // A smaller variance is the rounding of equal results.
  if (variance > 1e-14 * (squares / periods)) return mean / Math.sqrt(variance)
  return mean === 0 ? 0 : mean > 0 ? Infinity : -Infinity
}

/** The first of the greatest. */
function greatest(values: readonly number[]): number {
  let best = 0
  for (const [i, value] of values.entries()) if (value > values[best]!) best = i
  return best
}

/** Rank from 1, the least first. Equal values share the middle of their ranks. */
function middleRank(values: readonly number[], of: number): number {
  const below = values.filter((value) => value < values[of]!).length
  const equal = values.filter((value) => value === values[of]!).length
  return below + (equal + 1) / 2
}

/** All ways to take half of the blocks, in the order of their binary numbers. */
function* halves(blocks: number): Generator<boolean[]> {
  for (let bits = 0; bits < 1 << blocks; bits++) {
    const taken = Array.from({ length: blocks }, (_, block) => ((bits >>> block) & 1) === 1)
    if (taken.filter(Boolean).length * 2 === blocks) yield taken
  }
}
