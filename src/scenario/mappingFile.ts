import type { z } from 'zod'
import {
  type ClockField, type ColumnField, type Cut, type DepthFields, KNOWN_VENUES, type Mapping, type MappingSection, MARKET_TEXTS, MARKET_TIMES, type MarketFields, type MarketHints, type MarketText, type PriceField, type PriceRule, type ServiceVenue,
  type FactTimeField, type TextField, type TimeField, type TimeForm,
} from '../feed/mapping/mapping.ts'
import { OUTCOME_WORDS, RESULT_WORDS, SIDE_WORDS, wordsWith } from '../feed/mapping/words.ts'
import { failOfIssue, inOrder, parsedYaml, readText } from './load.ts'
import { type MappingFile, mappingSchema } from './mappingSchema.ts'
import { type Mistake, ScenarioMistakes } from './mistakes.ts'

/** Reads a mapping file. Throws InputError for one that cannot be read, and ScenarioMistakes for all that is wrong in it, each with its place. */
export function loadMapping(path: string): Mapping {
  return mappingOfText(path, readText(path, 'expected the path of a mapping, as mapping.yaml'))
}

/** The same of a text that is called `path`. */
export function mappingOfText(path: string, text: string): Mapping {
  const { value, source } = parsedYaml(path, text)
  const parsed = mappingSchema.safeParse(value, { reportInput: true })
  if (parsed.success) return mappingOf(parsed.data)
  const mistakes: Mistake[] = []
  for (const issue of parsed.error.issues.flatMap(withinUnion)) failOfIssue(issue, source.failInto(mistakes))
  throw new ScenarioMistakes(inOrder(mistakes))
}

/** Of a map that may stand for a name, what is wrong in the map. */
function withinUnion(issue: z.core.$ZodIssue): z.core.$ZodIssue[] {
  if (issue.code !== 'invalid_union') return [issue]
  const inner = issue.errors.find((all) => all.length > 0 && all.every(({ code, path }) => path.length > 0 || code === 'unrecognized_keys'))
  return inner === undefined ? [issue] : inner.flatMap((one) => withinUnion({ ...one, path: [...issue.path, ...one.path] }))
}

type Section = MappingFile['files'][number]
type Given<Kind extends Section['kind']> = Extract<Section, { readonly kind: Kind }>

function mappingOf({ name = 'mapping', about = 'files of any layout, by a mapping', venue = 'kalshi', venues = {}, tickers = {}, depth, files }: MappingFile): Mapping {
  return {
    name, about, venue, venues: new Map<string, ServiceVenue>(Object.entries({ ...KNOWN_VENUES, ...venues })),
    tickers: { texts: textsOf(tickers), exclusive: fieldOrNone(tickers.exclusive) }, ...(depth === undefined ? {} : { depth }), sections: files.map(sectionOf),
  }
}

function sectionOf(given: Section): MappingSection {
  const { match, format, delimiter, columns, rows, needs, shape, where = {}, having = [], market, prices = 'dollars', rounding, decimal, thousands = null } = given
  const rule: PriceRule = { unit: prices, isRounded: rounding !== 'refuse', isDecimalComma: decimal === ',', thousands }
  const base = {
    match: match ?? null, format, needs: needs ?? null, having, layout: { delimiter, names: columns, rows, shape }, market: textField(market), prices: rule,
    where: Object.entries(where).map(([column, texts]) => ({ column, texts: new Set(texts) })),
  }
  switch (given.kind) {
    case 'quotes': return { ...base, ...hintsOf(given), kind: 'quotes', clock: clockOf(given, 0), top: topOf(given) }
    case 'candles': return { ...base, ...hintsOf(given), kind: 'candles', clock: clockOf(given, given.period ?? 0), top: topOf(given) }
    case 'trades': {
      const { price, no_price: noPrice, outcome, may_be_newest_first: mayBeNewestFirst = false } = given
      const clock = clockOf(given, 0)
      const layout = mayBeNewestFirst ? { ...base.layout, newestFirst: (clock.time ?? clock.received)![0]!.column } : base.layout
      return { ...base, ...hintsOf(given), kind: 'trades', layout, clock, trade: { price: priceField(price), noPrice: priceField(noPrice), outcome: outcome === undefined ? null : worded(outcome, OUTCOME_WORDS) } }
    }
    case 'depth': return { ...base, ...hintsOf(given), kind: 'depth', clock: clockOf(given, 0), depth: depthOf(given) }
    case 'markets': return { ...base, kind: 'markets', facts: factsOf(given) }
    case 'results': return { ...base, kind: 'results', facts: factsOf(given) }
  }
}

type FieldFile = Given<'markets'>['market']
type TimeFile = NonNullable<Given<'quotes'>['time']>
type FactTimeFile = NonNullable<Given<'markets'>['open']>
type PriceFile = Given<'quotes'>['bid']

const TEMPLATE_PART = /\{([^{}]+)\}|([^{}]+|[{}])/g

/** A column, or a template: `{event}:{outcome}`. */
function textField(given: FieldFile): TextField {
  if (Array.isArray(given)) return [{ firstOf: given.map(textField) }]
  if (typeof given !== 'string') return 'constant' in given ? [given] : 'from' in given ? [{ isFileName: true, cut: cutOf(given) }] : [{ column: given.column, cut: cutOf(given) }]
  if (!/\{[^{}]+\}/.test(given)) return [{ column: given }]
  return [...given.matchAll(TEMPLATE_PART)].map(([, column, constant]) => (column === undefined ? { constant: constant! } : { column }))
}

const CUTS = [['before', 'before', 'first'], ['before_last', 'before', 'last'], ['after', 'after', 'first'], ['after_last', 'after', 'last']] as const

function cutOf(given: Readonly<Partial<Record<(typeof CUTS)[number][0], string | undefined>>>): Cut | undefined {
  const key = CUTS.find(([name]) => given[name] !== undefined)
  return key === undefined ? undefined : { side: key[1], mark: given[key[0]]!, which: key[2] }
}

const timeField = (given: TimeFile): TimeField => [given].flat().map((one) => (typeof one === 'string' ? { column: one, ...formOf({}) } : { column: one.column, ...(one.with !== undefined && { with: one.with }), ...formOf(one) }))

const factTimeField = (given: FactTimeFile): FactTimeField => [given].flat().flatMap((one): FactTimeField => (typeof one === 'object' && 'constant' in one ? [{ constant: one.constant, ...formOf(one) }] : timeField(one)))

const formOf = ({ unit = null, zone = null, pattern = null, repeated = null }: { readonly [Key in keyof TimeForm]?: TimeForm[Key] | undefined }): TimeForm => ({ unit, zone, pattern, repeated })

const priceField = (given: PriceFile): PriceField | null => (given === undefined ? null : [given].flat().map((one) => {
  if (typeof one === 'string') return { column: one, unit: null, type: null, isZeroNone: false }
  const { column, prices = null, type = null, zero } = one
  return { column, unit: prices, type, isZeroNone: zero === 'none' }
}))

const columnField = (given: string | readonly string[] | undefined): ColumnField | null => (given === undefined ? null : [given].flat())

const timeOrNone = (given: TimeFile | undefined): TimeField | null => (given === undefined ? null : timeField(given))

const clockOf = ({ time, received, seen = 'received' }: Pick<Given<'quotes'>, 'time' | 'received' | 'seen'>, shiftUs: number): ClockField =>
  ({ time: timeOrNone(time), received: timeOrNone(received), seenAt: seen, shiftUs })

const hintsOf = ({ event, venue }: Pick<Given<'quotes'>, 'event' | 'venue'>): MarketHints => ({ event: fieldOrNone(event), venue: fieldOrNone(venue) })

const topOf = (given: Given<'quotes'> | Given<'candles'>) => ({
  bid: priceField(given.bid), ask: priceField(given.ask), noBid: priceField(given.no_bid), noAsk: priceField(given.no_ask), bidSize: columnField(given.bid_size),
  askSize: columnField(given.ask_size), noBidSize: columnField(given.no_bid_size), noAskSize: columnField(given.no_ask_size), last: priceField(given.last),
})

type Worded = string | { readonly column: string; readonly words?: Readonly<Partial<Record<string, readonly string[] | undefined>>> | undefined }

function worded(given: Worded, usual: Readonly<Record<string, readonly string[]>>) {
  if (typeof given === 'string') return { column: given, words: wordsWith(usual) }
  const own = Object.fromEntries(Object.entries(given.words ?? {}).flatMap(([meaning, words]) => (words === undefined ? [] : [[meaning, words] as const])))
  return { column: given.column, words: wordsWith(usual, own) }
}

function depthOf(given: Given<'depth'>): DepthFields {
  const { side, price, size, bids, asks, change = 'set', snapshot, group = [], both_sides_are_bids: areBothBids = false, sequence = null, rows_share_numbers: areNumbersShared = false, stream = [], files_are_sessions: areFilesSessions = false } = given
  const areLists = side === undefined
  const whole = snapshot ?? (areLists ? 'always' : 'never')
  return {
    // The schema asks for price and size beside a side.
    levels: areLists ? { bids: priceField(bids), asks: priceField(asks) } : { side: worded(side, SIDE_WORDS), price: priceField(price)!, size: columnField(size)! },
    change, group, areBothBids, sequence, areNumbersShared, stream, session: columnField(given.session), areFilesSessions,
    snapshot: typeof whole === 'string' ? whole : { column: whole.column, words: new Set(whole.words.map((word) => word.toLowerCase())) },
  }
}

const YAML_NAMES: Readonly<Partial<Record<MarketText, 'event_title'>>> = { eventTitle: 'event_title' }

function textsOf(given: Partial<Given<'markets'>>): MarketFields['texts'] {
  return Object.fromEntries(MARKET_TEXTS.flatMap((name) => {
    const field = given[YAML_NAMES[name] ?? name as Exclude<MarketText, 'eventTitle'>]
    return field === undefined ? [] : [[name, textField(field)] as const]
  }))
}

function factsOf(given: Given<'markets'> | Given<'results'>): MarketFields {
  const markets: Partial<Given<'markets'>> = given.kind === 'markets' ? given : {}
  const allTimes = { open: markets.open, close: markets.close, closed: given.closed, settled: given.settled }
  const times = MARKET_TIMES.flatMap((name) => (allTimes[name] === undefined ? [] : [[name, factTimeField(allTimes[name])] as const]))
  return {
    texts: textsOf(markets), times: Object.fromEntries(times), also: fieldOrNone(markets.also), venue: fieldOrNone(markets.venue), exclusive: fieldOrNone(markets.exclusive),
    result: given.result === undefined ? null : resultOf(given.result), value: priceField(given.value),
  }
}

const fieldOrNone = (given: FieldFile | undefined): TextField | null => (given === undefined ? null : textField(given))

function resultOf(given: NonNullable<Given<'results'>['result']>): MarketFields['result'] {
  if (typeof given === 'string' || Array.isArray(given) || !('words' in given)) return { field: textField(given), words: wordsWith(RESULT_WORDS) }
  return { field: [{ column: given.column }], words: worded(given, RESULT_WORDS).words }
}
