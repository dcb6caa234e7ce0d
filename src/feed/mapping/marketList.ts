import type { MarketOutcome } from '../../market/market.ts'
import { PRICE_ONE_E6 } from '../../market/ticks.ts'
import { instantText } from '../../unit/time.ts'
import type { FileTally } from '../importTally.ts'
import type { KnownMarkets } from '../importer.ts'
import { byText, type MarketDraft } from '../marketDraft.ts'
import type { TickSink } from '../tickSink.ts'
import type { MarketText, MarketTime, ServiceVenue } from './mapping.ts'
import { TRUE_WORDS } from './words.ts'

/** What files of markets and results say of a market. What none says is absent. */
export interface MarketFacts {
  readonly texts: Partial<Record<MarketText, string>>
  readonly times: Partial<Record<MarketTime, number>>
  venue?: ServiceVenue | undefined
  isExclusive?: boolean | undefined
  outcome?: MarketOutcome | undefined
  settlementE6?: number | undefined
}

/** What a ticker says by itself. */
export type TickerFacts = Pick<MarketFacts, 'texts' | 'isExclusive'>

/** Rows that say something of a market and count once it is known whether there is one. */
interface HeldRows {
  readonly tally: FileTally
  readonly isResult: boolean
  readonly first: number
  rows: number
}

/** Taken where no file of markets says it. */
export interface MarketHint {
  readonly event?: string | undefined
  readonly venue?: ServiceVenue | undefined
}

interface Entry {
  readonly ticker: string
  /** What the store has of it. */
  readonly known: MarketDraft | undefined
  facts: MarketFacts | undefined
  isListed: boolean
  /** What rows with prices say of it. */
  hints: MarketHint
  held: readonly HeldRows[]
}

/** Most markets of an import are prices alone. */
const NO_HINT: MarketHint = {}
const NONE_HELD: readonly HeldRows[] = []

export const says = ({ event, venue }: MarketHint): boolean => event !== undefined || venue !== undefined

export const WITHOUT_PRICES = 'market without prices'
export const WITHOUT_MARKET = 'result without market'

const FREQUENCIES = ['hourly', 'daily', 'weekly', 'monthly', 'other'] as const

/** The markets of an import, by place. Ticks number those that have any, from 0, in order of the first tick. */
export class MarketList {
  /** Number of each market among those that have ticks, −1 for one that has none. */
  private numbers = new Int32Array(1 << 8).fill(-1)
  private readonly withTicks: number[] = []
  private readonly places = new Map<string, number>()
  private readonly entries: Entry[] = []
  /** When the market was seen first, µs; Infinity before that. */
  private firstUs = new Float64Array(1 << 8).fill(Infinity)
  private declare readonly known: KnownMarkets | undefined
  private readonly bookFrom: number[] = []

  private declare readonly factsOfTicker: (ticker: string) => TickerFacts

  /** @param known what the store has that is added to. @param factsOfTicker holds where nobody says more. */
  constructor(known?: KnownMarkets, factsOfTicker: (ticker: string) => TickerFacts = () => ({ texts: {} })) {
    this.known = known
    this.factsOfTicker = factsOfTicker
  }

  placeOf(ticker: string): number {
    const known = this.places.get(ticker)
    if (known !== undefined) return known
    const place = this.entries.length
    this.entries.push({ ticker, known: this.known?.marketOf(ticker), facts: undefined, isListed: false, hints: NO_HINT, held: NONE_HELD })
    this.places.set(ticker, place)
    if (place >= this.firstUs.length) {
      const longer = new Float64Array(this.firstUs.length * 2).fill(Infinity)
      longer.set(this.firstUs)
      this.firstUs = longer
      const numbers = new Int32Array(longer.length).fill(-1)
      numbers.set(this.numbers)
      this.numbers = numbers
    }
    return place
  }

  /** Has other files call a market by another name. Returns what that contradicts, or undefined. */
  call(name: string, ticker: string): string | undefined {
    const place = this.placeOf(ticker)
    const before = this.places.get(name)
    if (before !== undefined && before !== place) return `${name} is ${this.tickerOf(before)} too`
    this.places.set(name, place)
    return undefined
  }

  /** Returns what contradicts an earlier hint, or undefined. */
  hint(place: number, { event, venue }: MarketHint): string | undefined {
    const { hints } = this.entries[place]!
    if (event !== undefined && hints.event !== undefined && event !== hints.event) return `event ${event}, before ${hints.event}`
    if (venue !== undefined && hints.venue !== undefined && venue !== hints.venue) return 'another venue'
    this.entries[place]!.hints = { event: event ?? hints.event, venue: venue ?? hints.venue }
    return undefined
  }

  /** What rows with prices have said of markets, by place. */
  saidHints(): Map<number, MarketHint> {
    return new Map(this.entries.flatMap(({ hints }, place) => (says(hints) ? [[place, hints]] : [])))
  }

  /** What rows with prices have said of a market. */
  hintOf(place: number): MarketHint {
    return this.entries[place]!.hints
  }

  get count(): number {
    return this.entries.length
  }

  /** Whether a market has ticks, of this import or in the store that is added to. */
  hasTicks(ticker: string): boolean {
    const place = this.places.get(ticker)
    return (place !== undefined && this.numbers[place]! >= 0) || this.known?.hasTicks(ticker) === true
  }

  tickerOf(place: number): string {
    return this.entries[place]!.ticker
  }

  /** From when on the store has a book of the market, µs; Infinity where it has none. */
  bookFromUs(place: number): number {
    if (this.known === undefined) return Infinity
    return this.bookFrom[place] ??= this.known.bookFromUs(this.tickerOf(place))
  }

  seen(place: number, atUs: number): void {
    if (atUs < this.firstUs[place]!) this.firstUs[place] = atUs
  }

  /**
   * Adds what a row says of a market. Of two texts or times that contradict each other the first stands, which is noted, unless the later one holds.
   * Returns why a row says nothing, or undefined: another result or another venue than the row before, or the store, has.
   */
  tell(ticker: string, facts: MarketFacts, isResult: boolean, tally: FileTally, row: number): string | undefined {
    const entry = this.entries[this.placeOf(ticker)]!
    const { facts: before, known } = entry
    const found: Contradiction[] = []
    if (this.known?.isLaterHeld !== true) {
      if (before !== undefined) found.push(...contradictionsOf(before, facts))
      if (known !== undefined) found.push(...contradictionsOf(factsOf(known), facts).map((one) => ({ ...one, about: `${one.about} in the store` })))
    }
    const whole = found.find(({ leaveOut }) => leaveOut === null)
    if (whole !== undefined) return whole.about
    const told = { ...facts, texts: { ...facts.texts }, times: { ...facts.times } }
    for (const { leaveOut } of found) leaveOut!(told)
    // What contradicts both is told of once.
    if (found.length > 0) tally.note('contradiction', row, `${ticker}: ${[...new Map(found.map(({ name, about }) => [name, about])).values()].join('; ')}`)
    entry.facts = before === undefined ? told : {
      ...before, ...stated(told), texts: { ...before.texts, ...told.texts }, times: { ...before.times, ...told.times },
    }
    if (!isResult) entry.isListed = true
    const held = entry.held.find((one) => one.tally === tally)
    if (held === undefined) entry.held = [...entry.held, { tally, isResult, first: row, rows: 1 }]
    else held.rows += 1
    return undefined
  }

  /** The number of a market that has a tick. */
  numberOf(place: number): number {
    let number = this.numbers[place]!
    if (number < 0) {
      number = this.withTicks.length
      this.numbers[place] = number
      this.withTicks.push(place)
    }
    return number
  }

  /** What is known of a market, with what its ticker says where neither a row nor the store does. */
  private withTicker({ ticker, facts, known }: Entry): MarketFacts {
    const { texts, isExclusive } = this.factsOfTicker(ticker)
    const before = known === undefined ? undefined : factsOf(known)
    const unsaid = Object.fromEntries(Object.entries(texts).filter(([name]) => before?.texts[name as MarketText] === undefined))
    return {
      ...facts, texts: { ...unsaid, ...facts?.texts }, times: facts?.times ?? {},
      isExclusive: facts?.isExclusive ?? (before?.isExclusive === undefined ? isExclusive : undefined),
    }
  }

  /** A sink for places, which gives the number of each market to `sink`. */
  numbering(sink: TickSink): TickSink {
    return {
      depthLevels: sink.depthLevels,
      addDepth: (atUs, place, levels) => { sink.addDepth!(atUs, this.numbers[place]!, levels) },
      add: (atUs, place, bidE6, askE6, bidSize, askSize, lastE6) => {
        sink.add(atUs, this.numberOf(place), bidE6, askE6, bidSize, askSize, lastE6)
      },
      get count() {
        return sink.count
      },
    }
  }

  /**
   * The markets: those with ticks by their numbers, then the others. A row of a market without opening and without prices, and a result of a market
   * that neither another file nor the store names, is quarantined. What is not stated is left to the store, or to `completed`.
   */
  drafts(venue: ServiceVenue): MarketDraft[] {
    const drafts: MarketDraft[] = []
    const others = this.entries.map((_, place) => place).filter((place) => this.numbers[place]! < 0)
    for (const place of [...this.withTicks, ...others]) {
      const entry = this.entries[place]!
      const { known } = entry
      const firstUs = this.firstUs[place]!
      const openUs = entry.facts?.times.open ?? (firstUs === Infinity ? known?.openUs : firstUs)
      const isKept = openUs !== undefined && (entry.isListed || firstUs !== Infinity || known !== undefined)
      for (const { tally, isResult, first, rows } of entry.held) {
        if (isKept) tally.accept(rows)
        else if (isResult) tally.quarantine(WITHOUT_MARKET, first, `nothing else names ${entry.ticker}`, rows)
        else tally.quarantine(WITHOUT_PRICES, first, `${entry.ticker} has neither an opening nor prices`, rows)
      }
      if (isKept) drafts.push(draftOf({ ...entry, facts: this.withTicker(entry) }, Math.min(openUs, known?.openUs ?? Infinity), venue))
    }
    return drafts
  }
}

function stated(facts: MarketFacts): Partial<MarketFacts> {
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined))
}

/** A fact that is another than before, with both. */
interface Contradiction {
  readonly name: string
  readonly about: string
  /** Takes the fact from what a row says; null where the row is set aside. */
  readonly leaveOut: ((facts: MarketFacts) => void) | null
}

function contradictionsOf(before: MarketFacts, now: MarketFacts): Contradiction[] {
  const found: Contradiction[] = []
  const differs = (a: unknown, b: unknown): boolean => a !== undefined && b !== undefined && a !== b
  const unless = (is: boolean, name: string, values: () => string, leaveOut: Contradiction['leaveOut']): void => {
    if (is) found.push({ name, about: `${name} ${values()}`, leaveOut })
  }
  const resultOf = ({ outcome, settlementE6 }: MarketFacts): string => (outcome === 'scalar' ? `scalar at ${(settlementE6 ?? 0) / PRICE_ONE_E6}` : String(outcome))
  unless(differs(before.outcome, now.outcome) || (now.outcome === 'scalar' && differs(before.settlementE6, now.settlementE6)), 'result', () => `${resultOf(now)}, before ${resultOf(before)}`, null)
  // Of two venues, a name is of two markets.
  unless(differs(before.venue, now.venue), 'venue', () => `${now.venue}, before ${before.venue}`, null)
  for (const [key, text] of Object.entries(now.texts)) {
    const name = key as MarketText
    unless(differs(plain(name, before.texts[name]), plain(name, text)), name, () => `${text}, before ${before.texts[name]}`, ({ texts }) => { delete texts[name] })
  }
  for (const [key, us] of Object.entries(now.times)) {
    const name = key as MarketTime
    unless(differs(before.times[name], us), name, () => `${instantText(us)}, before ${instantText(before.times[name]!)}`, ({ times }) => { delete times[name] })
  }
  unless(differs(before.isExclusive, now.isExclusive), 'exclusive', () => `${now.isExclusive}, before ${before.isExclusive}`, (facts) => { facts.isExclusive = undefined })
  return found
}

/** A text as it is compared: the order of keys, and the case of a frequency, say nothing. */
function plain(name: string, text: string | undefined): string | undefined {
  return name === 'exclusion' ? text === undefined ? undefined : namedKeys(text).join('|') : name === 'frequency' ? text?.toLowerCase() : text
}

/** What the store may be contradicted in. Defaults are no facts, and neither opening nor venue tells whether it is one. */
function factsOf({ ticker, event, title, series, category, game, ladder, exclusionKeys, listing, scheduledCloseUs, actualCloseUs, settledUs, outcome, settlementE6 }: MarketDraft): MarketFacts {
  const named = exclusionKeys.filter((key) => key.startsWith(NAMED)).map((key) => key.slice(NAMED.length)).join('|')
  const { subcategory, frequency, eventTitle, isExclusive } = listing ?? {}
  const texts = { event: event === ticker ? '' : event, title: title === ticker ? '' : title, series, category, game, ladder, exclusion: named, subcategory, frequency, eventTitle }
  const times = { close: scheduledCloseUs, closed: actualCloseUs, settled: settledUs }
  const none = <T>(value: T | null): T | undefined => value ?? undefined
  return {
    texts: Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== undefined && text !== '')),
    times: Object.fromEntries(Object.entries(times).filter(([, us]) => us !== null)),
    isExclusive, outcome: none(outcome), settlementE6: none(settlementE6),
  }
}

function draftOf({ ticker, known, facts, hints, held }: Entry, openUs: number, venue: ServiceVenue): MarketDraft {
  const { times = {} } = facts ?? {}
  const texts = { ...(hints.event === undefined ? {} : { event: hints.event }), ...facts?.texts }
  const outcome = facts?.outcome ?? known?.outcome ?? null
  const closeUs = times.close ?? null
  const note = (kind: string, about: string) => held[0]?.tally.note(kind, held[0].first, `${ticker}: ${about}`)
  let actualCloseUs = times.closed ?? null
  if (actualCloseUs !== null && actualCloseUs < openUs) {
    note('closed before it opened', 'the time at which trading ended is left out')
    actualCloseUs = null
  }
  if (outcome === null && times.settled !== undefined) note('settled without a result', 'the time is left out')
  const frequency = FREQUENCIES.find((name) => name === texts.frequency?.toLowerCase())
  if (texts.frequency !== undefined && frequency === undefined) note('unknown frequency', `'${texts.frequency}' is left out`)
  const listing = statedOrNone({ subcategory: texts.subcategory, frequency, eventTitle: texts.eventTitle, isExclusive: facts?.isExclusive })
  return {
    ticker, venue: facts?.venue ?? hints.venue ?? known?.venue ?? venue, event: texts.event ?? '', series: texts.series ?? '', category: texts.category ?? '', title: texts.title ?? '', game: texts.game ?? '', ladder: texts.ladder ?? '',
    exclusionKeys: exclusionKeys(texts),
    openUs, scheduledCloseUs: closeUs, scheduledCloseKnownUs: closeUs === null ? null : openUs, actualCloseUs,
    outcome, settlementE6: outcome === 'scalar' ? facts?.settlementE6 ?? known?.settlementE6 ?? null : null, settledUs: outcome === null ? null : times.settled ?? null,
    ...(listing === undefined ? {} : { listing }),
  }
}

function statedOrNone<T extends object>(object: T): T | undefined {
  const entries = Object.entries(object).filter(([, value]) => value !== undefined)
  return entries.length === 0 ? undefined : Object.fromEntries(entries) as T
}

/** Markets of one game, ladder or event are never independent. Whoever knows more names keys of his own, with `|` between them. */
function exclusionKeys({ event, game, ladder, exclusion }: Partial<Record<MarketText, string>>): string[] {
  const of = (kind: string, name: string | undefined) => (name === undefined || name === '' ? [] : [`${kind}:${name}`])
  const keys = new Set([...namedKeys(exclusion ?? ''), ...of('game', game), ...of('ladder', ladder), ...of('event', event)])
  return [...keys].sort(byText)
}

const NAMED = 'named:'
/** Keys with `|` between them, or a list of them in JSON. */
const keysOf = (text: string): string[] => (text.startsWith('["') ? (JSON.parse(text) as unknown[]).map(String) : text.split('|'))
const namedKeys = (text: string): string[] => keysOf(text).map((key) => key.trim()).filter((key) => key !== '').map((key) => `${NAMED}${key}`).sort(byText)

export const isTrue = (text: string): boolean => TRUE_WORDS.has(text.toLowerCase())
