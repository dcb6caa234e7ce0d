import type { RandomKey } from '../kernel/random.ts'
import { addWon, CHUNK_OUTCOMES } from './bets.ts'
import type { RedrawBook } from './book.ts'
import { CapitalPath } from './capitalPath.ts'
import { OutcomeBits } from './outcomeBits.ts'

/** What each redraw of a night comes to. */
export interface DrawnNights {
  /** By owner and redraw: the profit, microUSDC. */
  readonly profits: readonly Float64Array[]
  /** By owner and redraw: fills that its capital could not have carried. Empty for cohorts. */
  readonly uncarried: readonly Int32Array[]
}

/**
 * Draws the outcomes of a night anew, with the fills as they were. A redraw depends on the key and its number alone.
 * @param between is called after each part of the redraws with how many are done, and awaited.
 */
export async function drawNights(book: RedrawBook, outcomes: number, key: RandomKey, between: (done: number) => Promise<void> | void = () => {}): Promise<DrawnNights> {
  const { owners, positions, claims, markets, correlation } = book
  const bets = claims.map(({ position, owner, wonMicros, lostMicros }) => ({ owner, legs: positions[position]!.legs, weightMicros: wonMicros - lostMicros }))
  const sure = owners.map(({ fixedMicros }) => fixedMicros)
  for (const { owner, lostMicros } of claims) sure[owner]! += lostMicros
  const profits = owners.map((_, owner) => new Float64Array(outcomes).fill(sure[owner]!))
  const paths = owners.map(({ kind }, owner) => (kind === 'maker' ? new CapitalPath(book, owner) : null))
  const uncarried = paths.map((path) => new Int32Array(path === null ? 0 : outcomes))
  const bits = new OutcomeBits(markets, correlation, key, CHUNK_OUTCOMES)
  for (let first = 0; first < outcomes; first += CHUNK_OUTCOMES) {
    const count = Math.min(CHUNK_OUTCOMES, outcomes - first)
    bits.draw(first, count)
    for (const bet of bets) addWon(bits, bet, count, profits[bet.owner]!, first)
    for (const [owner, path] of paths.entries()) path?.count(bits, count, uncarried[owner]!, first)
    await between(first + count)
  }
  return { profits, uncarried }
}
