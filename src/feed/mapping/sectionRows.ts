import type { FileTally } from '../importTally.ts'
import type { Cells } from '../rows/cells.ts'
import type { RowBatch } from '../rows/rowBatch.ts'
import type { TickSink } from '../tickSink.ts'
import { type AskedColumns, CodedColumn, TextReader } from './fields.ts'
import type { Clock } from './instants.ts'
import type { LastTicks } from './lastTicks.ts'
import type { MarketHints, ServiceVenue, TextField } from './mapping.ts'
import type { MarketList } from './marketList.ts'
import type { TradeShelf } from './tradeShelf.ts'

/** What the rows of a section become. */
export interface SectionRows {
  /** Takes one row: accepts it or sets it aside in its file's tally, or holds it until the end. `isEmpty`: it stands for a list without items. */
  row(cells: readonly Cells[], row: number, number: number, isEmpty?: boolean): void
  /** Who takes those rows at once that are plain. */
  plain?(): PlainRows | null
  /** Told of a row of the file that the section leaves out. */
  passOver?(cells: readonly Cells[], row: number): void
  /** Begins a file, whose rows follow. */
  begin(tally: FileTally): void
  /** Shows what is held back until time moves on. */
  show(): void
}

/** Takes rows that are plain at once. */
export interface PlainRows {
  /** Takes the rows of a batch, which have been counted as read. `other` takes one that is not plain, in its turn. */
  take(batch: RowBatch, tally: FileTally, other: (row: number) => void): void
}

/** What sections share. */
export interface SectionTools {
  readonly columns: AskedColumns
  readonly list: MarketList
  readonly venues: ReadonlyMap<string, ServiceVenue>
  readonly sink: TickSink
  /** Where trades wait for the books of the same import, if there are any. */
  readonly shelf?: TradeShelf | undefined
  /** What the last ticks of markets are kept in, where somebody else looks at them. */
  readonly last?: LastTicks | undefined
}

/** Reads which market a row is about, and what the row says of it beside its prices. */
export class MarketReader {
  private declare readonly text: TextReader
  private declare readonly list: MarketList
  private declare readonly coded: CodedColumn<number> | null
  private declare readonly hints: HintReader | null

  constructor(field: TextField, { columns, list, venues }: SectionTools, hints?: MarketHints) {
    this.list = list
    this.text = new TextReader(field, columns)
    const place = this.text.single
    this.coded = place < 0 ? null : new CodedColumn(place, (ticker) => (ticker === '' ? -1 : list.placeOf(ticker)))
    this.hints = hints === undefined || (hints.event === null && hints.venue === null) ? null : new HintReader(hints, columns, list, venues)
  }

  /** The market's place, −1 for none. */
  place(cells: readonly Cells[], row: number): number {
    if (this.coded !== null) return cells[this.coded.place]!.isEmpty(row) ? -1 : this.coded.read(cells, row)
    const ticker = this.text.read(cells, row)
    return ticker === '' ? -1 : this.list.placeOf(ticker)
  }

  /** Whether a row says nothing of its market but its name, which stands in one column. */
  get isPlain(): boolean {
    return this.coded !== null && this.hints === null
  }

  /** Places of the markets of rows `from`…`to`−1, into the beginning of `into`, −1 for one that did not come before. Precondition: `isPlain`. */
  knownPlaces(cells: readonly Cells[], from: number, to: number, into: Int32Array): void {
    CodedColumn.knownRows(this.coded!, cells, from, to, into)
  }

  ticker(cells: readonly Cells[], row: number): string {
    return this.text.read(cells, row)
  }

  /** Has the list know what a row says of its market. Sets the row aside and returns false where that contradicts what a row before it says. */
  tellsOf(place: number, cells: readonly Cells[], row: number, tally: FileTally, number: number): boolean {
    const trouble = this.hints?.tell(place, cells, row)
    if (trouble === undefined) return true
    tally.quarantine(trouble.kind, number, trouble.about)
    return false
  }
}

class HintReader {
  private declare readonly list: MarketList
  private declare readonly event: TextReader | null
  private declare readonly venue: TextReader | null
  private declare readonly venues: ReadonlyMap<string, ServiceVenue>
  /** What the last row of each market said. */
  private readonly last: string[] = []

  constructor({ event, venue }: MarketHints, columns: AskedColumns, list: MarketList, venues: ReadonlyMap<string, ServiceVenue>) {
    this.list = list
    this.event = event === null ? null : new TextReader(event, columns)
    this.venue = venue === null ? null : new TextReader(venue, columns)
    this.venues = venues
  }

  tell(place: number, cells: readonly Cells[], row: number): { readonly kind: string; readonly about: string } | undefined {
    const event = this.event?.read(cells, row) ?? ''
    const word = this.venue?.read(cells, row) ?? ''
    const said = `${word} ${event}`
    if (this.last[place] === said) return undefined
    const venue = word === '' ? undefined : this.venues.get(word) ?? this.venues.get(word.toLowerCase())
    if (word !== '' && venue === undefined) return { kind: 'unknown venue', about: `'${word}' is not among the venues of the mapping` }
    const contradiction = this.list.hint(place, { event: event === '' ? undefined : event, venue })
    if (contradiction !== undefined) return { kind: CONTRADICTION, about: `${this.list.tickerOf(place)}: ${contradiction}` }
    this.last[place] = said
    return undefined
  }
}

export const NO_MARKET = 'no market'

/** Notes what the clocks of an accepted row do not agree in. */
export function noteClock({ aheadUs, isWithoutTime }: Clock, tally: FileTally, number: number): void {
  if (aheadUs > 0) tally.note('exchange clock ahead', number, 'the event is stamped after its receipt')
  if (isWithoutTime) tally.note('no exchange time', number, 'the row is seen at its receipt')
}

/** A row says something of its market that another one before it denies. */
export const CONTRADICTION = 'contradiction'
export const ROUNDED = 'rounded price'
export const roundedText = (text: string): string => `${text} is rounded to the nearest millionth`
export const BELOW_CENT = 'less than a cent'
export const belowCentText = (text: string): string => `${text} is taken for a part of a cent, not for dollars`
