import type { DepthView, LegsView, LevelView } from '../../src/agent/views.ts'
import type { DepthRows, DepthSource } from '../../src/market/depth.ts'

type Is = (what: string, got: unknown, expected: unknown) => void

/** A book as a store has it: levels of YES in millionths and whole contracts, the best first. */
interface Book {
  readonly atUs: number
  readonly bids: readonly Level[]
  readonly asks: readonly Level[]
}
type Level = readonly [priceE6: number, size: number]

/** Contracts of which a desk is asked what they cost. */
const SIZES = [1, 40, 700]

/** What desks say of the levels of books, looked up in the rows of a store one by one. */
export class RecordedDepth {
  private readonly books: readonly Book[][]

  constructor({ source, levels }: { readonly source: DepthSource; readonly levels: number }, marketCount: number) {
    this.books = Array.from({ length: marketCount }, () => [])
    for (const { rows } of source.pieces) this.add(rows(), levels, source.untilUs)
  }

  private add({ count, atUs, market, cells }: DepthRows, levels: number, untilUs: number): void {
    const side = (row: number, offset: number): Level[] =>
      Array.from({ length: levels }, (_, level): Level => [cells[4 * level + offset]![row]!, cells[4 * level + offset + 1]![row]!]).filter(([priceE6]) => priceE6 >= 0)
    for (let row = 0; row < count && atUs[row]! < untilUs; row++) this.books[market[row]!]!.push({ atUs: atUs[row]!, bids: side(row, 0), asks: side(row, 2) })
  }

  /** @param tickUs stamp of the last tick that the desk has of a market, −1 for none */
  check(legs: LegsView, desk: { readonly nowUs: number; depth(market: number): DepthView | undefined }, feedUs: number, tickUs: (market: number) => number, is: Is): void {
    for (let i = 0; i < legs.count; i++) {
      const market = legs.market(i)
      const book = this.books[market]!.findLast(({ atUs }) => atUs <= desk.nowUs - feedUs)
      const shown = desk.depth(market)
      const isKnown = book !== undefined && book.atUs >= tickUs(market)
      is(`a known book of leg ${i}`, shown !== undefined, isKnown)
      if (isKnown && shown !== undefined) bookIs(shown, market, book, desk.nowUs, is)
    }
  }
}

function bookIs(shown: DepthView, market: number, book: Book, nowUs: number, is: Is): void {
  const text = (levels: readonly Level[]): string => levels.map(([priceE6, size]) => `${size} at ${priceE6}`).join(', ')
  const shownText = (levels: readonly LevelView[]): string => text(levels.map(({ price, size }) => [Math.round(price * 1e6), size]))
  const other = (levels: readonly Level[]): Level[] => levels.map(([priceE6, size]) => [1_000_000 - priceE6, size])
  is('the market of the book', shown.market, market)
  is('the age of the book', shown.ageUs, nowUs - book.atUs)
  for (const [side, bids, asks] of [[1, book.bids, book.asks], [0, other(book.asks), other(book.bids)]] as const) {
    is(`the bids of side ${side}`, shownText(shown.bids(side)), text(bids))
    is(`the asks of side ${side}`, shownText(shown.asks(side)), text(asks))
    for (const size of SIZES) is(`the price of ${size} of side ${side}`, shown.depthOf(side, size), priceOf(asks, size))
  }
}

/** What each of so many contracts costs on average; undefined where there are fewer. */
function priceOf(asks: readonly Level[], size: number): number | undefined {
  let [left, costE6] = [size, 0]
  for (const [priceE6, there] of asks) {
    costE6 += Math.min(left, there) * priceE6
    left -= Math.min(left, there)
  }
  return left > 0 ? undefined : costE6 / size / 1e6
}
