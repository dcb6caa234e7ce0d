import { NO_PRICE, PRICE_ONE_E6 } from '../../market/ticks.ts'
import type { FileTally } from '../importTally.ts'
import { type Cells, isNothing } from '../rows/cells.ts'
import { type AskedColumns, CodedColumn, filled } from './fields.ts'
import { Clock } from './instants.ts'
import type { DepthSection } from './mapping.ts'
import type { NumberForm } from './numberText.ts'
import { hintOf, isLarge, LARGE, largeText, type NumberTrouble, PriceColumn, sizeE6, sizeOfText } from './prices.ts'
import { BELOW_CENT, belowCentText, MarketReader, NO_MARKET, noteClock, ROUNDED, roundedText, type SectionRows, type SectionTools } from './sectionRows.ts'
import type { DepthBooks, LevelChange, MarketBook, Source } from './depthBooks.ts'
import type { Session } from './sessions.ts'

/** Rows that have levels of a book: whole books, changes, or both. */
export class DepthRows implements SectionRows {
  private declare readonly section: DepthSection
  private declare readonly books: DepthBooks
  private declare readonly market: MarketReader
  private declare readonly clock: Clock
  private declare readonly levels: LevelReader
  private declare readonly snapshot: CodedColumn<boolean> | null
  private declare readonly group: readonly number[]
  private declare readonly sequence: number
  private declare readonly stream: readonly number[]
  private declare readonly session: readonly number[]
  private declare tally: FileTally
  private touched: MarketBook | undefined = undefined
  private readonly found: LevelChange[] = []

  constructor(section: DepthSection, tools: SectionTools, books: DepthBooks) {
    const { place } = tools.columns
    const { snapshot, group, sequence, stream, session } = section.depth
    this.section = section
    this.books = books
    this.market = new MarketReader(section.market, tools, section)
    this.clock = new Clock(section.clock, tools.columns)
    this.levels = new LevelReader(section, tools.columns)
    this.snapshot = typeof snapshot === 'string' ? null : new CodedColumn(place(snapshot.column), (text) => snapshot.words.has(text.toLowerCase()))
    this.group = group.map(place)
    this.sequence = sequence === null ? -1 : place(sequence)
    this.stream = stream.map(place)
    this.session = session === null ? [] : tools.columns.any(() => session.map(place))
  }

  begin(tally: FileTally): void {
    this.tally = tally
  }

  show(): void {
    this.touched?.show()
  }

  /** A row that the section leaves out may have a number of a stream. */
  passOver(cells: readonly Cells[], row: number): void {
    const { depth } = this.section
    if (this.stream.length === 0 || (depth.snapshot === 'always' && !depth.areFilesSessions)) return
    const sequence = cells[this.sequence]!.scaled(row, 0)
    const atUs = this.clock.read(cells, row)
    if (!(sequence >= 0) || typeof atUs !== 'number') return
    const { session, stream } = this.sourceOf(cells, row, atUs)!
    if (session !== undefined) session.lastUs = Math.max(session.lastUs, atUs)
    if (depth.snapshot !== 'always') stream!.other(sequence, atUs)
  }

  /** Undefined where a market has one source. */
  private sourceOf(cells: readonly Cells[], row: number, atUs: number): Source | undefined {
    const session = this.sessionOf(cells, row, atUs)
    if (session === undefined && this.stream.length === 0) return undefined
    return this.books.source(session, this.stream.length === 0 ? undefined : this.stream.map((place) => cells[place]!.text(row)).join(' '))
  }

  private sessionOf(cells: readonly Cells[], row: number, atUs: number): Session | undefined {
    if (this.section.depth.areFilesSessions) return this.books.sessions.ofFile(this.tally.file, atUs)
    return this.session.length === 0 ? undefined : this.books.sessions.named(cells[filled(cells, row, this.session)]!.text(row))
  }

  row(cells: readonly Cells[], row: number, number: number, isEmpty = false): void {
    const { tally, section: { depth } } = this
    this.touched = undefined
    const market = this.market.place(cells, row)
    if (market < 0) return tally.quarantine(NO_MARKET, number, 'the market column is empty')
    if (!this.market.tellsOf(market, cells, row, tally, number)) return
    const atUs = this.clock.read(cells, row)
    if (typeof atUs === 'string') return tally.quarantine(atUs, number, this.clock.text(cells, row))
    const isSnapshot = this.snapshot === null ? depth.snapshot === 'always' : this.snapshot.read(cells, row)
    const trouble = this.levels.read(cells, row, this.found, { isEmpty, isSnapshot })
    if (trouble !== undefined) return tally.quarantine(trouble.kind, number, trouble.about)
    let sequence = -1
    if (this.sequence >= 0) {
      sequence = cells[this.sequence]!.scaled(row, 0)
      if (!(sequence >= 0)) return tally.quarantine('bad sequence number', number, `'${cells[this.sequence]!.text(row)}'`)
    }
    if (this.levels.rounded !== '') tally.note(ROUNDED, number, roundedText(this.levels.rounded))
    if (this.levels.large !== '') tally.note(LARGE, number, largeText(this.levels.large))
    if (this.levels.belowCent !== '') tally.note(BELOW_CENT, number, belowCentText(this.levels.belowCent))
    noteClock(this.clock, tally, number)
    const book = this.books.of(market, depth.snapshot !== 'never' || this.books.hasSnapshots, atUs)
    this.touched = book
    const source = this.sourceOf(cells, row, atUs)
    if (!isSnapshot) {
      if (source?.session !== undefined) source.session.lastUs = Math.max(source.session.lastUs, atUs)
      return book.change(atUs, sequence, this.found, depth, tally, number, source)
    }
    source?.stream?.whole(sequence, atUs)
    source?.stream?.follow(book)
    const key = `${atUs} ${sequence}${this.group.map((place) => ` ${cells[place]!.text(row)}`).join('')}`
    // A row with lists is a whole book by itself, and so is an object whose list of levels is empty.
    book.snapshot(atUs, sequence, this.levels.areLists || isEmpty ? `${key} ${number}` : key, this.found.slice(), tally, number, source)
  }
}

interface LevelTrouble {
  readonly kind: string
  readonly about: string
}

const priceTrouble = (price: number | NumberTrouble, text: string): LevelTrouble =>
  (typeof price === 'string' ? { kind: price, about: `price '${text}'${hintOf(price)}` } : { kind: 'no price', about: `price '${text}'` })

/** Finds the levels that a row has. */
class LevelReader {
  /** The text of a price that was rounded, '' if none was. */
  rounded = ''
  /** The text of a price in cents that is less than one, '' if none was. */
  belowCent = ''
  /** The text of a size that is more than a tick has room for, '' if none was. */
  large = ''
  declare readonly areLists: boolean
  private declare readonly depth: DepthSection['depth']
  private declare readonly form: NumberForm
  /** Of rows of one level each. */
  private readonly one: { readonly side: CodedColumn<string | undefined>; readonly price: PriceColumn; readonly sizes: readonly number[] } | null = null
  private readonly lists: readonly { readonly column: PriceColumn; readonly isBid: boolean }[] = []

  constructor(section: DepthSection, columns: AskedColumns) {
    const { depth: { levels }, prices } = section
    this.depth = section.depth
    this.form = section.prices
    this.areLists = !('side' in levels)
    if ('side' in levels) {
      this.one = {
        side: new CodedColumn(columns.place(levels.side.column), (text) => levels.side.words.get(text.toLowerCase())),
        price: new PriceColumn(levels.price, prices, columns), sizes: columns.places(levels.size),
      }
    } else {
      this.lists = ([[levels.bids, true], [levels.asks, false]] as const).flatMap(([field, isBid]) => (field === null ? [] : [{ column: new PriceColumn(field, prices, columns), isBid }]))
    }
  }

  /** Puts the levels of a row `into`. `isEmpty`: the row stands for a list without levels. */
  read(cells: readonly Cells[], row: number, into: LevelChange[], { isEmpty, isSnapshot }: { readonly isEmpty: boolean; readonly isSnapshot: boolean }): LevelTrouble | undefined {
    into.length = 0
    this.rounded = this.belowCent = this.large = ''
    if (isEmpty || (isSnapshot && this.hasNothing(cells, row))) return undefined
    if (this.one === null) return this.readLists(cells, row, into)
    const { price: column, sizes } = this.one
    const side = this.one.side.read(cells, row)
    if (side === undefined) return { kind: 'unknown side', about: `side '${this.one.side.text(cells, row)}'` }
    const price = column.read(cells, row)
    if (typeof price === 'string' || price < 0) return priceTrouble(price, column.text(cells, row))
    if (column.isRounded) this.rounded = column.text(cells, row)
    if (column.isBelowCent) this.belowCent = column.text(cells, row)
    const sizeCells = cells[filled(cells, row, sizes)]!
    const size = sizeE6(sizeCells, row, this.form)
    if (!this.isSize(size)) return { kind: 'bad size', about: `size '${sizeCells.text(row)}'` }
    if (isLarge(size)) this.large = sizeCells.text(row)
    into.push(this.level(side === 'bid', price, size))
    return undefined
  }

  /** Whether a row of one level has neither side nor price, and no size: as part of a whole book it says that there is nothing. */
  private hasNothing(cells: readonly Cells[], row: number): boolean {
    if (this.one === null || !cells[this.one.side.place]!.isEmpty(row) || this.one.price.read(cells, row) !== NO_PRICE) return false
    const size = cells[filled(cells, row, this.one.sizes)]!
    return size.isEmpty(row) || sizeE6(size, row, this.form) === 0
  }

  private level(isBid: boolean, priceE6: number, size: number): LevelChange {
    return { isBid, priceE6: !isBid && this.depth.areBothBids ? PRICE_ONE_E6 - priceE6 : priceE6, sizeE6: size }
  }

  private isSize(size: number): boolean {
    return size >= 0 || (this.depth.change === 'add' && size === size)
  }

  private readLists(cells: readonly Cells[], row: number, into: LevelChange[]): LevelTrouble | undefined {
    for (const { column, isBid } of this.lists) {
      const { value, reader } = column.list(cells, row)
      const list = listOf(value)
      if (list === undefined) return { kind: 'no list of levels', about: `'${column.text(cells, row).slice(0, 60)}'` }
      for (const item of list) {
        const [priceText, sizeText] = levelTexts(item, this.form)
        const price = reader.ofText(priceText)
        if (typeof price === 'string' || price < 0) return priceTrouble(price, priceText)
        if (reader.isRounded) this.rounded = priceText
        if (reader.isBelowCent) this.belowCent = priceText
        const size = sizeOfText(sizeText, this.form)
        if (!this.isSize(size)) return { kind: 'bad size', about: `size '${sizeText}'` }
        if (isLarge(size)) this.large = sizeText
        into.push(this.level(isBid, price, size))
      }
    }
    return undefined
  }
}

/** A list, or a text that is one in JSON. Nothing is an empty list. */
function listOf(value: unknown): readonly unknown[] | undefined {
  if (Array.isArray(value)) return value
  if (value === null || value === undefined || (typeof value === 'string' && isNothing(value))) return []
  if (typeof value !== 'string') return undefined
  try {
    const parsed: unknown = JSON.parse(value)
    return Array.isArray(parsed) ? parsed : undefined
  } catch {
    return undefined
  }
}

/** Price and size of `[price, size]` or of an object that has them. */
function levelTexts(item: unknown, { isDecimalComma }: NumberForm): readonly [string, string] {
  const { price, size, p, px, s, sz, q, qty, quantity, amount, shares, contracts, 0: first, 1: second } = (item ?? {}) as Readonly<Record<string, unknown>>
  const text = (...values: unknown[]): string => {
    const value = values.find((one) => one !== undefined && one !== null) ?? ''
    return isDecimalComma && typeof value === 'number' ? String(value).replace('.', ',') : String(value)
  }
  return [text(first, price, p, px), text(second, size, s, sz, quantity, q, qty, amount, shares, contracts)]
}

