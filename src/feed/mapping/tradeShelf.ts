import { NO_PRICE } from '../../market/ticks.ts'
import type { FileTally } from '../importTally.ts'
import { TickBuffer } from '../tickBuffer.ts'
import type { TickSink } from '../tickSink.ts'
import type { MarketList } from './marketList.ts'

export const WITHOUT_BOOK = 'trade without its book'
export const withoutBookText = (ticker: string): string => `the store has quotes of ${ticker}: its trades and quotes go into one import`

/** Trades of a file that count once it is known whether the import has a book of their market. */
interface HeldTrades {
  readonly market: number
  readonly tally: FileTally
  readonly first: number
  rows: number
}

/** When the books of a market came, µs, and its last one. */
interface Books {
  firstUs: number
  lastUs: number
  bidE6: number
  askE6: number
  bidSize: number
  askSize: number
}

/**
 * Trades of markets that may have books. A tick without a book would empty the book that stands. Therefore a trade before the market's first book is
 * a tick of its own, and from then on it is the last price of the book's next tick. After the last book it is a tick with the book that stands,
 * unless the store that is added to has books too: where these come first, a trade is the last price of a book alone.
 */
export class TradeShelf {
  private declare readonly trades: TickBuffer
  /** Trades by market, time and arrival, once all are there. */
  private order = new Uint32Array(0)
  /** Of each market, where its trades begin in `order`, and where the next book looks first. */
  private starts = new Uint32Array(1)
  private next = new Uint32Array(0)
  private markets = 0
  private readonly books = new Map<number, Books>()
  private readonly held = new Map<FileTally, Map<number, HeldTrades>>()

  constructor() {
    this.trades = new TickBuffer()
  }

  /** Where trades go. */
  get sink(): TickSink {
    return this.trades
  }

  /** Counts a trade, which the store has a book before, when all books are there: it is set aside if the import has none of its market. */
  hold(market: number, tally: FileTally, row: number): void {
    let markets = this.held.get(tally)
    if (markets === undefined) this.held.set(tally, markets = new Map<number, HeldTrades>())
    const held = markets.get(market)
    if (held === undefined) markets.set(market, { market, tally, first: row, rows: 1 })
    else held.rows += 1
  }

  /** Call this once all trades are there. */
  close(markets: number): void {
    const { atUs, market, count } = this.trades
    this.order = Uint32Array.from({ length: count }, (_, i) => i).sort((a, b) => market[a]! - market[b]! || atUs[a]! - atUs[b]! || a - b)
    this.markets = markets
    this.starts = new Uint32Array(markets + 1)
    for (let i = 0; i < count; i += 1) this.starts[market[i]! + 1]! += 1
    for (let i = 0; i < markets; i += 1) this.starts[i + 1]! += this.starts[i]!
    this.next = this.starts.slice(0, markets)
  }

  /** A sink for books, which adds the last price to ticks that have none. */
  under(sink: TickSink): TickSink {
    return {
      depthLevels: sink.depthLevels,
      addDepth: (atUs, market, levels) => { sink.addDepth!(atUs, market, levels) },
      add: (atUs, market, bidE6, askE6, bidSize, askSize, lastE6) => {
        this.noteBook(atUs, market, bidE6, askE6, bidSize, askSize)
        sink.add(atUs, market, bidE6, askE6, bidSize, askSize, lastE6 === NO_PRICE ? this.lastE6(market, atUs) : lastE6)
      },
      get count() {
        return sink.count
      },
    }
  }

  /** Gives the trades that no book came before or after, and counts those that were held. */
  showRest(sink: TickSink, list: MarketList): void {
    for (const { market, tally, first, rows } of [...this.held.values()].flatMap((markets) => [...markets.values()])) {
      if (this.books.has(market)) tally.accept(rows)
      else tally.quarantine(WITHOUT_BOOK, first, withoutBookText(list.tickerOf(market)), rows)
    }
    const { atUs, market, lastE6 } = this.trades
    for (const trade of this.order) {
      const [at, place] = [atUs[trade]!, market[trade]!]
      const books = this.books.get(place)
      const ofStoreUs = list.bookFromUs(place)
      // Of the store's books nobody knows here which one stands then.
      if (books !== undefined && at > books.lastUs && ofStoreUs === Infinity) sink.add(at, place, books.bidE6, books.askE6, books.bidSize, books.askSize, lastE6[trade]!)
      else if (at < Math.min(books?.firstUs ?? Infinity, ofStoreUs)) sink.add(at, place, NO_PRICE, NO_PRICE, NO_PRICE, NO_PRICE, lastE6[trade]!)
    }
  }

  private noteBook(atUs: number, market: number, bidE6: number, askE6: number, bidSize: number, askSize: number): void {
    const books = this.books.get(market)
    if (books === undefined) {
      this.books.set(market, { firstUs: atUs, lastUs: atUs, bidE6, askE6, bidSize, askSize })
      return
    }
    if (atUs < books.firstUs) books.firstUs = atUs
    if (atUs < books.lastUs) return
    books.lastUs = atUs
    books.bidE6 = bidE6
    books.askE6 = askE6
    books.bidSize = bidSize
    books.askSize = askSize
  }

  /** The latest trade up to an instant. Books mostly come in order of time, so that the next one stands near the last. */
  private lastE6(market: number, us: number): number {
    if (market >= this.markets) return NO_PRICE
    const { atUs, lastE6 } = this.trades
    const start = this.starts[market]!
    const end = this.starts[market + 1]!
    let at = this.next[market]!
    while (at < end && atUs[this.order[at]!]! <= us) at += 1
    while (at > start && atUs[this.order[at - 1]!]! > us) at -= 1
    this.next[market] = at
    return at === start ? NO_PRICE : lastE6[this.order[at - 1]!]!
  }
}
