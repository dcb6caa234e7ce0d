import type { MarketOutcome } from '../../market/market.ts'
import { NO_PRICE, PRICE_ONE_E6 } from '../../market/ticks.ts'
import type { FileTally } from '../importTally.ts'
import type { Cells } from '../rows/cells.ts'
import { TextReader } from './fields.ts'
import { InstantReader } from './instants.ts'
import { MARKET_TEXTS, MARKET_TIMES, type MarketFields, type MarketsSection, type MarketText, type MarketTime, type ServiceVenue } from './mapping.ts'
import { isTrue, type MarketFacts } from './marketList.ts'
import { PriceColumn, PriceReader } from './prices.ts'
import { BELOW_CENT, belowCentText, MarketReader, NO_MARKET, ROUNDED, roundedText, type SectionRows, type SectionTools } from './sectionRows.ts'

const CONTRADICTING = 'the result is said to be '

interface TimeColumn {
  readonly name: MarketTime
  readonly reader: InstantReader
}

/** Rows that say what a market is, or what it resolved to. */
export class MarketRows implements SectionRows {
  private declare readonly section: MarketsSection
  private declare readonly tools: SectionTools
  private declare readonly venues: ReadonlyMap<string, ServiceVenue>
  private declare readonly market: MarketReader
  private declare readonly texts: readonly { readonly name: MarketText; readonly reader: TextReader }[]
  private declare readonly times: readonly TimeColumn[]
  private declare readonly also: TextReader | null
  private declare readonly venue: TextReader | null
  private declare readonly exclusive: TextReader | null
  private declare readonly result: { readonly reader: TextReader; readonly words: NonNullable<MarketFields['result']>['words'] } | null
  private declare readonly value: PriceColumn | null
  private declare readonly prices: PriceReader
  private declare tally: FileTally

  constructor(section: MarketsSection, tools: SectionTools, venues: ReadonlyMap<string, ServiceVenue>) {
    const { columns } = tools
    const { texts, times, also, venue, exclusive, result, value } = section.facts
    this.section = section
    this.tools = tools
    this.venues = venues
    this.market = new MarketReader(section.market, tools)
    this.texts = MARKET_TEXTS.flatMap((name) => (texts[name] === undefined ? [] : [{ name, reader: new TextReader(texts[name], columns) }]))
    this.times = MARKET_TIMES.flatMap((name) => (times[name] === undefined ? [] : [{ name, reader: new InstantReader(times[name], columns) }]))
    this.also = also === null ? null : new TextReader(also, columns)
    this.venue = venue === null ? null : new TextReader(venue, columns)
    this.exclusive = exclusive === null ? null : new TextReader(exclusive, columns)
    this.result = result === null ? null : { reader: new TextReader(result.field, columns), words: result.words }
    this.value = value === null ? null : new PriceColumn(value, section.prices, columns)
    this.prices = new PriceReader(section.prices)
  }

  begin(tally: FileTally): void {
    this.tally = tally
  }

  show(): void {}

  row(cells: readonly Cells[], row: number, number: number): void {
    const { tally } = this
    const ticker = this.market.ticker(cells, row)
    if (ticker === '') return tally.quarantine(NO_MARKET, number, 'the market column is empty')
    const facts: MarketFacts = { texts: {}, times: {} }
    const isResult = this.section.kind === 'results'
    // What a row says beside its market may be left out, but for a result that the row is there for.
    const leftOut: { readonly kind: string; readonly about: string }[] = []
    for (const { name, reader } of this.texts) {
      const text = reader.read(cells, row)
      if (text !== '') facts.texts[name] = text
    }
    for (const { name, reader } of this.times) {
      const us = reader.read(cells, row)
      if (typeof us === 'number') facts.times[name] = us
      else if (us !== 'no time') leftOut.push({ kind: us, about: `${name} '${reader.text(cells, row)}'${reader.hint}` })
    }
    const venue = this.venue?.read(cells, row) ?? ''
    if (venue !== '') facts.venue = this.venues.get(venue)
    if (venue !== '' && facts.venue === undefined) return tally.quarantine('unknown venue', number, `'${venue}' is not among the venues of the mapping`)
    const exclusive = this.exclusive?.read(cells, row) ?? ''
    if (exclusive !== '') facts.isExclusive = isTrue(exclusive)
    const trouble = this.readResult(cells, row, facts, number)
    if (trouble !== undefined) leftOut.push({ kind: trouble.startsWith(CONTRADICTING) ? 'contradiction' : 'unknown result', about: trouble })
    const [first] = leftOut
    if (isResult && first !== undefined) return tally.quarantine(first.kind, number, first.about)
    const { list } = this.tools
    const also = this.also?.read(cells, row) ?? ''
    const contradiction = (also === '' ? undefined : list.call(also, ticker)) ?? list.tell(ticker, facts, isResult, tally, number)
    if (contradiction !== undefined) return tally.quarantine('contradiction', number, `${ticker}: ${contradiction}`)
    for (const { kind, about } of leftOut) tally.note(kind, number, `${about} is left out`)
  }

  /** Puts the result among the facts. Returns why there is none that anybody understands. */
  private readResult(cells: readonly Cells[], row: number, facts: MarketFacts, number: number): string | undefined {
    if (this.value === null && this.result === null) return undefined
    const word = this.resultWord(cells, row)
    let value: number = NO_PRICE
    if (this.value !== null) {
      const read = this.value.read(cells, row)
      if (typeof read === 'string') return `value '${this.value.text(cells, row)}': ${read}`
      value = read
    }
    const said = word === '' ? undefined : this.result!.words.get(word.toLowerCase())
    if (word !== '' && said === undefined) {
      // A result may be what YES is worth.
      const worth = this.prices.ofText(word)
      if (typeof worth === 'string') return `result '${word}'`
      return this.settle(facts, undefined, worth, number, word)
    }
    // In a list of markets a value stands also where there is no result: Kalshi writes 0 then.
    if (said === undefined && value !== NO_PRICE && this.result !== null && this.section.kind === 'markets') {
      this.tally.note('value without a result', number, `the result is empty and the value ${value / PRICE_ONE_E6}: the market is unresolved`)
      return undefined
    }
    if (said === 'open' || (said === undefined && value === NO_PRICE)) return this.section.kind === 'results' && said === undefined ? 'the result is empty' : undefined
    return this.settle(facts, said, value, number, word)
  }

  /** '' for nothing, unless the mapping says what this word for nothing means. */
  private resultWord(cells: readonly Cells[], row: number): string {
    if (this.result === null) return ''
    const { reader, words } = this.result
    const word = reader.read(cells, row)
    const written = word === '' ? reader.written(cells, row) : ''
    return words.has(written.toLowerCase()) ? written : word
  }

  private settle(facts: MarketFacts, said: string | undefined, value: number, number: number, text: string): string | undefined {
    if (this.prices.isRounded || this.value?.isRounded === true) this.tally.note(ROUNDED, number, roundedText(text))
    if (this.value?.isBelowCent === true) this.tally.note(BELOW_CENT, number, belowCentText(`the value ${value / 1e4}`))
    const byValue = value === PRICE_ONE_E6 ? 'yes' : value === 0 ? 'no' : 'scalar'
    const outcome = (said ?? byValue) as MarketOutcome
    if (outcome === 'scalar' && value === NO_PRICE) return 'the result is scalar, and no value is given'
    if ((outcome === 'yes' || outcome === 'no') && value !== NO_PRICE && byValue !== outcome) return `${CONTRADICTING}${outcome}, and the value ${value / PRICE_ONE_E6}`
    // A scalar market may settle at an end of the scale.
    facts.outcome = outcome
    if (outcome === 'scalar') facts.settlementE6 = value
    return undefined
  }
}
