import { NO_PRICE } from '../../market/ticks.ts'
import type { FileTally } from '../importTally.ts'
import type { Cells } from '../rows/cells.ts'
import { Clock } from './instants.ts'
import type { PriceField, QuotesSection, TradesSection } from './mapping.ts'
import type { TickSink } from '../tickSink.ts'
import { SIZE_MAX } from '../bookSide.ts'
import { askOrEmpty, bidOrEmpty } from '../exactDecimal.ts'
import { CodedColumn, filled } from './fields.ts'
import { LastTicks, tellRepeated } from './lastTicks.ts'
import { PlainQuotes } from './plainQuotes.ts'
import { hintOf, isPlainForm, LARGE, largeText, mirrored, type NumberTrouble, PriceColumn, wholeSize } from './prices.ts'
import { WITHOUT_BOOK, withoutBookText } from './tradeShelf.ts'
import { BELOW_CENT, belowCentText, MarketReader, NO_MARKET, noteClock, ROUNDED, roundedText, type SectionRows, type SectionTools } from './sectionRows.ts'

/** Rows that have the top of a book: quotes, and candles at their end. */
export class TopRows implements SectionRows {
  private declare readonly section: QuotesSection
  private declare readonly tools: SectionTools
  private declare readonly market: MarketReader
  private declare readonly clock: Clock
  /** The side's own price, or that of the other outcome, which is mirrored. */
  private declare readonly bid: Side
  private declare readonly ask: Side
  private declare readonly price: Side
  private declare readonly sizes: readonly number[]
  private declare tally: FileTally
  private declare readonly last: LastTicks
  private readonly values = new Float64Array(6)
  private rounded = ''
  private large = ''
  private belowCent = ''

  constructor(section: QuotesSection, tools: SectionTools) {
    this.section = section
    this.tools = tools
    this.last = tools.last ?? new LastTicks()
    this.market = new MarketReader(section.market, tools, section)
    this.clock = new Clock(section.clock, tools.columns)
    const { bid, ask, noBid, noAsk, bidSize, askSize, noBidSize, noAskSize, last } = section.top
    const priceOf = (field: PriceField | null) => (field === null ? null : new PriceColumn(field, section.prices, tools.columns))
    const prices = { bid: priceOf(bid ?? noAsk), ask: priceOf(ask ?? noBid) }
    this.bid = { price: prices.bid, isMirrored: bid === null, sizes: tools.columns.places(bid === null ? noAskSize : bidSize) }
    this.ask = { price: prices.ask, isMirrored: ask === null, sizes: tools.columns.places(ask === null ? noBidSize : askSize) }
    this.price = { price: priceOf(last), isMirrored: false, sizes: [] }
    this.sizes = [...this.bid.sizes, ...this.ask.sizes]
  }

  /** Whether the section has a column of bids or of asks. */
  private get hasBook(): boolean {
    return this.bid.price !== null || this.ask.price !== null
  }

  begin(tally: FileTally): void {
    this.tally = tally
  }

  show(): void {}

  /** Who takes those rows at once that are plain, null where the section may have none. */
  plain(): PlainQuotes | null {
    const { market, clock, last, bid: { price: bid, isMirrored: isNoBid, sizes: bidSizes }, ask: { price: ask, isMirrored: isNoAsk, sizes: askSizes }, price: { price } } = this
    if (bid === null || ask === null || isNoBid || isNoAsk || bidSizes.length > 1 || askSizes.length > 1) return null
    const columns = { market, clock, bid, ask, price }
    const { sink } = this.tools
    if (!takesRows(sink) || !PlainQuotes.fits(columns) || !isPlainForm(this.section.prices)) return null
    return new PlainQuotes({ ...columns, bidSize: bidSizes[0] ?? -1, askSize: askSizes[0] ?? -1, last, sink })
  }

  row(cells: readonly Cells[], row: number, number: number): void {
    const { tally, values } = this
    const market = this.market.place(cells, row)
    if (market < 0) return tally.quarantine(NO_MARKET, number, 'the market column is empty')
    if (!this.market.tellsOf(market, cells, row, tally, number)) return
    const atUs = this.clock.read(cells, row)
    if (typeof atUs === 'string') return tally.quarantine(atUs, number, this.clock.text(cells, row))
    this.rounded = this.belowCent = this.large = ''
    const bid = this.priceOf(cells, row, this.bid)
    if (typeof bid === 'string') return tally.quarantine(bid, number, this.about(cells, row, this.bid, bid))
    const ask = this.priceOf(cells, row, this.ask)
    if (typeof ask === 'string') return tally.quarantine(ask, number, this.about(cells, row, this.ask, ask))
    const last = this.priceOf(cells, row, this.price)
    if (typeof last === 'string') return tally.quarantine(last, number, this.about(cells, row, this.price, last))
    // Without a book the row says nothing then: it would take the last price away.
    if (!this.hasBook && last === NO_PRICE) return tally.quarantine('no price', number, `${this.tools.columns.names[this.price.price!.place]} is empty`)
    const bidE6 = bidOrEmpty(bid)
    const askE6 = askOrEmpty(ask)
    if (bidE6 !== NO_PRICE && askE6 !== NO_PRICE && bidE6 > askE6) return tally.quarantine('crossed book', number, `bid ${bidE6 / 1e6} over ask ${askE6 / 1e6}`)
    const bidSize = this.size(cells, row, bidE6, this.bid)
    const askSize = this.size(cells, row, askE6, this.ask)
    if (typeof bidSize === 'string' || typeof askSize === 'string') return tally.quarantine('bad size', number, this.sizesText(cells, row))
    values[0] = atUs
    values[1] = bidE6
    values[2] = askE6
    values[3] = bidSize
    values[4] = askSize
    values[5] = last
    const again = this.last.compare(market, values)
    if (again !== 0 && tellRepeated(again, tally, number)) return
    tally.accept()
    if (this.rounded !== '') tally.note(ROUNDED, number, roundedText(this.rounded))
    if (this.belowCent !== '') tally.note(BELOW_CENT, number, belowCentText(this.belowCent))
    if (this.large !== '') tally.note(LARGE, number, largeText(this.large))
    noteClock(this.clock, tally, number)
    if (this.hasBook && (bidE6 === NO_PRICE || askE6 === NO_PRICE)) tally.note('empty side', number, bidE6 === askE6 ? 'neither bid nor ask' : bidE6 === NO_PRICE ? 'no bid' : 'no ask')
    this.tools.list.seen(market, atUs)
    this.tools.sink.add(atUs, market, bidE6, askE6, bidSize, askSize, last)
  }

  private priceOf(cells: readonly Cells[], row: number, { price: column, isMirrored }: Side) {
    if (column === null) return NO_PRICE
    const price = column.read(cells, row)
    if (column.isRounded) this.rounded = column.text(cells, row)
    if (column.isBelowCent) this.belowCent = column.text(cells, row)
    return !isMirrored || typeof price === 'string' ? price : mirrored(price)
  }

  private size(cells: readonly Cells[], row: number, priceE6: number, { sizes }: Side) {
    if (sizes.length === 0 || priceE6 === NO_PRICE) return NO_PRICE
    const column = cells[filled(cells, row, sizes)]!
    const size = wholeSize(column, row, this.section.prices)
    if (typeof size === 'string' || size <= SIZE_MAX) return size
    this.large = column.text(row)
    return SIZE_MAX
  }

  private about(cells: readonly Cells[], row: number, { price }: Side, trouble: NumberTrouble): string {
    return `${this.tools.columns.names[price!.place]} '${price!.text(cells, row)}'${hintOf(trouble)}`
  }

  private sizesText(cells: readonly Cells[], row: number): string {
    return this.sizes.map((place) => `${this.tools.columns.names[place]} '${cells[place]!.text(row)}'`).join(', ')
  }
}

const takesRows = (sink: TickSink): sink is TickSink & Required<Pick<TickSink, 'addRows'>> => sink.addRows !== undefined

/** A side of the book, or the last price. */
interface Side {
  readonly price: PriceColumn | null
  readonly isMirrored: boolean
  readonly sizes: readonly number[]
}

/** Rows that have the price of a trade, or the only price of a source. */
export class TradeRows implements SectionRows {
  private declare readonly tools: SectionTools
  private declare readonly market: MarketReader
  private declare readonly clock: Clock
  private declare readonly price: PriceColumn
  private declare readonly isNo: boolean
  private declare readonly outcome: CodedColumn<string | undefined> | null
  private declare tally: FileTally

  constructor(section: TradesSection, tools: SectionTools) {
    this.tools = tools
    this.market = new MarketReader(section.market, tools, section)
    this.clock = new Clock(section.clock, tools.columns)
    const { price, noPrice, outcome } = section.trade
    this.isNo = price === null
    this.price = new PriceColumn(price ?? noPrice!, section.prices, tools.columns)
    this.outcome = outcome === null ? null : new CodedColumn(tools.columns.place(outcome.column), (text) => outcome.words.get(text.toLowerCase()))
  }

  begin(tally: FileTally): void {
    this.tally = tally
  }

  show(): void {}

  row(cells: readonly Cells[], row: number, number: number): void {
    const { tally } = this
    const market = this.market.place(cells, row)
    if (market < 0) return tally.quarantine(NO_MARKET, number, 'the market column is empty')
    if (!this.market.tellsOf(market, cells, row, tally, number)) return
    const atUs = this.clock.read(cells, row)
    if (typeof atUs === 'string') return tally.quarantine(atUs, number, this.clock.text(cells, row))
    const price = this.price.read(cells, row)
    const name = this.tools.columns.names[this.price.place]
    if (typeof price === 'string') return tally.quarantine(price, number, `${name} '${this.price.text(cells, row)}'${hintOf(price)}`)
    if (price === NO_PRICE) return tally.quarantine('no price', number, `${name} is empty`)
    const outcome = this.outcome === null ? 'yes' : this.outcome.read(cells, row)
    if (outcome === undefined) return tally.quarantine('unknown outcome', number, `'${this.outcome!.text(cells, row)}' is neither yes nor no`)
    // A tick without a book would empty the book of the store.
    if (atUs >= this.tools.list.bookFromUs(market)) {
      if (this.tools.shelf === undefined) return tally.quarantine(WITHOUT_BOOK, number, withoutBookText(this.tools.list.tickerOf(market)))
      this.tools.shelf.hold(market, tally, number)
    } else tally.accept()
    if (this.price.isRounded) tally.note(ROUNDED, number, roundedText(this.price.text(cells, row)))
    if (this.price.isBelowCent) tally.note(BELOW_CENT, number, belowCentText(this.price.text(cells, row)))
    noteClock(this.clock, tally, number)
    this.tools.list.seen(market, atUs)
    this.tools.sink.add(atUs, market, NO_PRICE, NO_PRICE, NO_PRICE, NO_PRICE, this.isNo !== (outcome === 'no') ? mirrored(price) : price)
  }
}
