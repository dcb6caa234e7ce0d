import type { Market } from './market.ts'

/** A market's place in a listing as numbers, known from its opening on: equal numbers say equal texts. */
export interface MarketFacts {
  /** By market number; −1 where the source says nothing. */
  readonly category: Int32Array
  readonly event: Int32Array
  readonly game: Int32Array
}

/** Numbers the categories (whatever their case), events and games of markets given in the order of their numbers. */
export function internFacts(markets: readonly Market[]): MarketFacts {
  return {
    category: interned(markets, ({ category }) => category.toLowerCase()),
    event: interned(markets, ({ event }) => event),
    game: interned(markets, ({ game }) => game),
  }
}

/** Of markets of which nothing is known. */
export function noFacts(marketCount: number): MarketFacts {
  const nothing = new Int32Array(marketCount).fill(-1)
  return { category: nothing, event: nothing, game: nothing }
}

/** Numbers of the texts in the order of first sight; −1 of an empty one. */
function interned(markets: readonly Market[], textOf: (market: Market) => string): Int32Array {
  const numbers = new Map<string, number>()
  return Int32Array.from(markets, (market) => {
    const text = textOf(market)
    if (text === '') return -1
    const known = numbers.get(text)
    if (known !== undefined) return known
    numbers.set(text, numbers.size)
    return numbers.size - 1
  })
}
