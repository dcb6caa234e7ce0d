import { assert } from '../unit/assert.ts'
import type { Market } from './market.ts'

/** Exclusion keys of a catalogue as integers, so that commands and intersection tests never touch the texts. */
export interface MarketKeys {
  /** Text of each key by its number. Keys are numbered in the order in which the catalogue first names them. */
  readonly texts: readonly string[]
  /** Keys of market m are `keys[start[m]] … keys[start[m + 1] − 1]`, ascending. */
  readonly start: Int32Array
  readonly keys: Int32Array
}

/** Numbers the exclusion keys of markets, which are given in the order of their numbers. */
export function internKeys(markets: readonly Market[]): MarketKeys {
  const numberOf = new Map<string, number>()
  const texts: string[] = []
  const start = new Int32Array(markets.length + 1)
  const keys: number[] = []
  for (const market of markets) {
    const own: number[] = []
    for (const text of market.exclusionKeys) {
      let number = numberOf.get(text)
      if (number === undefined) {
        number = texts.push(text) - 1
        numberOf.set(text, number)
      }
      own.push(number)
    }
    keys.push(...own.sort((a, b) => a - b))
    start[market.number + 1] = keys.length
  }
  return { texts, start, keys: Int32Array.from(keys) }
}

/** The keys of one market, ascending: a view, not a copy. */
export function keysOf(keys: MarketKeys, market: number): Int32Array {
  assert(market >= 0 && market + 1 < keys.start.length, `no market ${market}`)
  return keys.keys.subarray(keys.start[market]!, keys.start[market + 1]!)
}

/** Whether two markets have a key in common. Such markets cannot be in one parlay (PQ-065). A market excludes itself. */
export function keysIntersect(keys: MarketKeys, a: number, b: number): boolean {
  const { start, keys: all } = keys
  const endA = start[a + 1]!
  const endB = start[b + 1]!
  let i = start[a]!
  let j = start[b]!
  while (i < endA && j < endB) {
    const difference = all[i]! - all[j]!
    if (difference === 0) return true
    if (difference < 0) i++
    else j++
  }
  return false
}

/**
 * Keys for a source that has none, derived from what is known of a market (PQ-067): markets of one event, of one ladder or
 * of one game exclude each other. A market without any of these excludes itself only.
 */
export function deriveKeys(market: { readonly ticker: string; readonly event: string; readonly ladder: string; readonly game: string }): string[] {
  const keys: string[] = []
  if (market.event !== '') keys.push(`event:${market.event}`)
  if (market.game !== '') keys.push(`game:${market.game}`)
  if (market.ladder !== '') keys.push(`ladder:${market.ladder}`)
  if (keys.length === 0) keys.push(`market:${market.ticker}`)
  return keys
}
