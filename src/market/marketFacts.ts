import type { Market } from './market.ts'

/** Where markets stand in a listing, as numbers that are known from the opening on. Equal numbers mean equal texts. */
export interface MarketFacts {
  /** By market number; −1 where the source says nothing. */
  readonly category: Int32Array
  readonly event: Int32Array
  readonly game: Int32Array
  /** Category of the market's game, which is that of the game's lowest-numbered market. Without a game, the market's own category. */
  readonly gameCategory: Int32Array
}

type Texts = Pick<Market, 'category' | 'event' | 'game'>

/** Numbers the categories (ignoring case), events and games of markets, which are given in the order of their numbers. */
export function internFacts(markets: readonly Texts[]): MarketFacts {
  const category = interned(markets, (market) => market.category.toLowerCase())
  const game = interned(markets, (market) => market.game)
  return { category, event: interned(markets, ({ event }) => event), game, gameCategory: categoriesOfGames(category, game) }
}

/** The facts of markets about which nothing is known. */
export function noFacts(marketCount: number): MarketFacts {
  const nothing = new Int32Array(marketCount).fill(-1)
  return { category: nothing, event: nothing, game: nothing, gameCategory: nothing }
}

/** By market number: the category of the first market of the same game. */
function categoriesOfGames(category: Int32Array, game: Int32Array): Int32Array {
  const first = new Map<number, number>()
  game.forEach((number, market) => { if (!first.has(number)) first.set(number, category[market]!) })
  return category.map((own, market) => (game[market]! < 0 ? own : first.get(game[market]!)!))
}

/** Numbers the texts in the order in which they first occur. −1 stands for an empty text. */
function interned(markets: readonly Texts[], textOf: (market: Texts) => string): Int32Array {
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
