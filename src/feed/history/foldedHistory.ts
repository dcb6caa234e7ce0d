import type { MarketLasts, TickSource } from '../../market/tickSource.ts'
import { foldLasts } from './foldLasts.ts'
import { joinTicks } from './joinTicks.ts'

/** A history in which the state at an instant stands for what came long before. */
export interface FoldedHistory {
  readonly ticks: TickSource
  /** So many of its first ticks are the state. */
  readonly stateTicks: number
  /** The stamp of its first tick that is no state, µs. All before it has been folded. */
  readonly fromUs: number
}

/**
 * A history whose chunks before an instant are folded into the state that they leave behind, as far as digests tell it: of each market
 * its last tick, its last one with a book and its last one with a price, with the stamps that they have. From the instant on boards and
 * values are as if everything had been read. Null where nothing is folded.
 */
export function foldedHistory(source: TickSource, marketCount: number, us: number): FoldedHistory | null {
  const pieces: MarketLasts[] = []
  let from = 0
  for (let digest = source.chunkCount > 0 ? source.digestAt?.(0) : undefined; digest !== undefined && digest.end < source.chunkCount && source.lastUs(digest.end - 1) < us; digest = source.digestAt!(from)) {
    pieces.push(digest.lasts())
    from = digest.end
  }
  if (from === 0) return null
  const { latest, withBook, withPrice } = foldLasts(pieces, marketCount)
  // Of a market's ticks of one instant the latest comes last.
  const state = joinTicks([withBook, withPrice, latest])
  const shift = from - 1
  const before = source.startOf(from) - state.count
  const ticks: TickSource = {
    chunkCount: source.chunkCount - shift, count: source.count - before,
    firstUs: (chunk) => (chunk === 0 ? state.atUs[0]! : source.firstUs(chunk + shift)),
    lastUs: (chunk) => (chunk === 0 ? state.atUs[state.count - 1]! : source.lastUs(chunk + shift)),
    startOf: (chunk) => (chunk === 0 ? 0 : source.startOf(chunk + shift) - before),
    chunk: (index) => (index === 0 ? state : source.chunk(index + shift)),
    ...(source.has && { has: (chunk: number, market: number) => chunk === 0 || source.has!(chunk + shift, market) }),
  }
  return { ticks, stateTicks: state.count, fromUs: source.firstUs(from) }
}
