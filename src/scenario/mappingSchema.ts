import { z } from 'zod'
import { ANY_UNIT, CELL_TYPES, KNOWN_VENUES, MAPPING_KINDS, PRICE_UNITS, REPEATED_RULES, TIME_UNITS } from '../feed/mapping/mapping.ts'
import { ROW_FORMATS } from '../feed/rows/rowBatch.ts'
import { SHAPE_NAMES } from '../feed/rows/shapes/shapeNames.ts'
import { constantFault } from '../feed/mapping/instants.ts'
import { patternFault } from '../feed/mapping/timePattern.ts'
import { isZone } from '../feed/mapping/zone.ts'
import { LEVELS_MAX } from '../market/depth.ts'
import { DAY_US } from '../unit/time.ts'
import { flag, list, text } from './fields.ts'
import { oneOf, quantity, strict } from './settings.ts'
import { shown } from './units.ts'

const written = (expected: string) => ({ error: (issue: { readonly input?: unknown }) => `expected ${expected}, got ${shown(issue.input)}` })

const word = z.union([z.string(), z.number(), z.boolean()], written('a word')).transform(String)
const words = z.union([word, z.array(word).min(1)], written('a word, or a list of them')).transform((given) => [given].flat())
const column = text.min(1, { error: 'expected the name of a column' })
const mark = text.min(1, { error: 'expected a text that columns have in them' }).optional()
const CUT_KEYS = ['before', 'before_last', 'after', 'after_last'] as const
const cut = strict({ column, before: mark, before_last: mark, after: mark, after_last: mark }).superRefine((given, context) => {
  if (CUT_KEYS.filter((key) => given[key] !== undefined).length > 1) context.addIssue({ code: 'custom', message: `expected one of ${CUT_KEYS.join(', ')}` })
})
const FIELD_KINDS = 'the name of a column, a template as "{event}:{outcome}", or {constant: TEXT}'
const oneField = z.union([column, strict({ constant: word }), cut], written(FIELD_KINDS))
/** Of a list, the first that has something. */
const field = z.union([column, strict({ constant: word }), cut, z.array(oneField).min(1)], written(FIELD_KINDS))
/** A field of what the name of the file may say, too. */
const fileName = strict({ from: z.literal('file_name'), before: mark, before_last: mark, after: mark, after_last: mark }).superRefine((given, context) => {
  if (CUT_KEYS.filter((key) => given[key] !== undefined).length > 1) context.addIssue({ code: 'custom', message: `expected one of ${CUT_KEYS.join(', ')}` })
})
const NAMED_KINDS = `${FIELD_KINDS}, or {from: file_name}`
const namedField = z.union([column, strict({ constant: word }), cut, fileName, z.array(z.union([column, strict({ constant: word }), cut, fileName], written(NAMED_KINDS))).min(1)], written(NAMED_KINDS))
const columns = z.union([column, z.array(column).min(1)], written('the name of a column, or a list of them'))
const priceOf = strict({
  column, prices: oneOf(PRICE_UNITS).optional().describe('unit of the prices in this column; default that of the part'),
  zero: oneOf(['none']).optional().describe('none: a price of 0 means that there is no price'),
  type: oneOf(CELL_TYPES).optional().describe('only texts, or only numbers, of JSON and Parquet'),
})
const PRICE_KINDS = 'the name of a column, {column, prices, type, zero}, or a list of them'
const price = z.union([column, priceOf, z.array(z.union([column, priceOf], written(PRICE_KINDS))).min(1)], written(PRICE_KINDS))

const timeForm = {
  unit: oneOf([...TIME_UNITS, ANY_UNIT]).optional().describe('of numbers: seconds, milliseconds, microseconds or nanoseconds since 1970, or any: the one in which a number lies between 2000 and 2100'),
  zone: text.refine(isZone, written('UTC, an offset as +02:00, or a zone as America/New_York')).optional().describe('of times that name none: UTC, an offset as +02:00, or a zone as America/New_York'),
  pattern: text.superRefine((pattern, context) => {
    const fault = patternFault(pattern)
    if (fault !== undefined) context.addIssue({ code: 'custom', message: `${fault}: expected a pattern as dd.MM.yyyy HH:mm:ss.SSS or MM/dd/yy hh:mm a, got ${shown(pattern)}` })
  }).optional().describe('how times are written that are not ISO 8601, as dd.MM.yyyy HH:mm:ss.SSS'),
  repeated: oneOf(REPEATED_RULES).optional().describe('which instant a time means that the clocks of the zone show twice, when they are set back: the first, the second, or as the order of the rows tells; without it such rows are set aside'),
}
const timeOf = strict({ column, with: column.optional().describe('the column of the time of day, where `column` has the date: they are read as one text with a space between'), ...timeForm })
const TIME_KINDS = 'the name of a column, or {column, with, unit, zone, pattern, repeated}'
const time = z.union([column, timeOf, z.array(z.union([column, timeOf], written(TIME_KINDS))).min(1)], written(TIME_KINDS))

/** Of what is said of a market, also a time that all rows have. */
const constantTime = strict({ constant: word, ...timeForm }).superRefine(({ constant, unit = null, zone = null, pattern = null, repeated = null }, context) => {
  const fault = constantFault({ constant, unit, zone, pattern, repeated })
  if (fault !== undefined) context.addIssue({ code: 'custom', path: ['constant'], message: `${fault}: expected a time as 2025-06-19T19:00:00Z, or unit, zone or pattern beside it, got ${shown(constant)}` })
})
const FACT_TIME_KINDS = `${TIME_KINDS}, or {constant: TIME}`
const factTime = z.union([column, timeOf, constantTime, z.array(z.union([column, timeOf, constantTime], written(FACT_TIME_KINDS))).min(1)], written(FACT_TIME_KINDS))

const wordsFor = <const Name extends string>(names: readonly Name[]) =>
  strict(Object.fromEntries(names.map((name) => [name, words.optional()])) as Record<Name, z.ZodOptional<typeof words>>)
const worded = <const Name extends string>(names: readonly Name[]) =>
  z.union([column, strict({ column, words: wordsFor(names).optional() })], written('the name of a column, or {column, words}'))

const base = {
  match: words.optional().describe('patterns of file names, as "*trades*"; without them a part reads each file that has its columns'),
  format: oneOf(ROW_FORMATS).optional().describe('of the files of this part; default the format that the import names'),
  delimiter: text.length(1, { error: 'expected one character' }).optional().describe('between the fields of CSV; found out where it is left out'),
  columns: list(column, 1, 'names').optional().describe('names of the columns of CSV without a header'),
  rows: columns.transform((given) => [given].flat()).optional().describe('JSON: where in an object its rows lie: paths as events.markets, or teams.* for each member of an object'),
  shape: oneOf(SHAPE_NAMES).optional().describe('JSON: rows that code of parlor makes of objects which no column describes; its columns are in docs/import.md'),
  needs: columns.transform((given) => [given].flat()).optional().describe('columns that tell a file of this part; its other columns may be missing then'),
  where: z.record(z.string(), words, written('a map of columns and their texts')).optional().describe('only rows that have one of these texts in each of these columns'),
  having: columns.transform((given) => [given].flat()).optional().describe('only rows that have something in each of these columns'),
  market: namedField.describe('ticker of the market'),
  prices: oneOf(PRICE_UNITS).optional().describe('unit of all prices; default dollars'),
  rounding: oneOf(['nearest', 'refuse']).optional().describe('of prices that are no whole millionths of a dollar: to the nearest, half to even, or set aside; default nearest'),
  decimal: oneOf(['.', ',']).optional().describe('what stands between the digits of a decimal; default a point'),
  thousands: oneOf(['.', ',', ' ', "'"]).optional().describe('what stands between groups of three digits; without it a number that has one is set aside'),
}

/** What rows with prices say of their market. */
const hints = {
  event: namedField.optional().describe('event of the market, where no file of markets says it'),
  venue: field.optional().describe('where the market is traded, where no file of markets says it'),
}
const clock = {
  ...hints,
  time: time.optional().describe('when it happened'),
  received: time.optional().describe('when it was received'),
  seen: oneOf(['received', 'time', 'later']).optional().describe('which of the two times the price is seen at; default received, where it is given'),
}

const top = {
  bid: price.optional(), ask: price.optional(),
  no_bid: price.optional().describe('bid for NO: the ask is 1 less it'), no_ask: price.optional().describe('ask for NO: the bid is 1 less it'),
  bid_size: columns.optional(), ask_size: columns.optional(), no_bid_size: columns.optional(), no_ask_size: columns.optional(),
  last: price.optional().describe('last price'),
}

const quotes = strict({ kind: z.literal('quotes'), ...base, ...clock, ...top })
const candles = strict({
  kind: z.literal('candles'), ...base, ...clock, ...top,
  stamp: oneOf(['end', 'start']).optional().describe('which end of the candle its time is; default end'),
  period: quantity('duration', 1, 366 * DAY_US).optional().describe('of a candle that is stamped with its start'),
})
const trades = strict({
  kind: z.literal('trades'), ...base, ...clock,
  price: price.optional().describe('price of YES, or of the outcome'), no_price: price.optional().describe('price of NO'),
  outcome: worded(['yes', 'no']).optional().describe('of which outcome the price is'),
  may_be_newest_first: flag.optional().describe('files may begin with the newest row, as answers of exchanges do: of such a file rows of one time are taken from the last to the first'),
})
const depth = strict({
  kind: z.literal('depth'), ...base, ...clock,
  side: worded(['bid', 'ask']).optional(), price: price.optional(), size: columns.optional(),
  bids: price.optional().describe('a list of levels, each [price, size] or an object with both'), asks: price.optional().describe('a list of levels; of bids for NO where both sides are bids'),
  change: oneOf(['set', 'add']).optional().describe('the size is the new size of its level, or what is added to it; default set'),
  snapshot: z.union([oneOf(['always', 'never']), strict({ column, words })], written('always, never, or {column, words}')).optional()
    .describe('which rows are of whole books; default always for lists, never for levels'),
  group: words.optional().describe('columns in which the rows of one whole book agree, besides market and time'),
  both_sides_are_bids: flag.optional().describe('the second side are bids for NO'),
  sequence: column.optional().describe('numbers without gaps within a market, or within a stream'),
  rows_share_numbers: flag.optional().describe('rows of changes are levels of one message, and have its number; without it a number that comes again is a duplicate'),
  stream: columns.transform((given) => [given].flat()).optional().describe('columns that name the stream in which the numbers have no gaps, as a subscription with several markets'),
  session: columns.optional().describe('columns that name who recorded the row, as a connection: the whole book of a newer session takes over'),
  files_are_sessions: flag.optional().describe('files that overlap in time were recorded by several sessions'),
})

const facts = {
  result: z.union([field, strict({ column, words: wordsFor(['yes', 'no', 'void', 'scalar', 'open']).optional() }), strict({ constant: word })], written('the name of a column, {column, words}, or {constant: WORD}')).optional(),
  value: price.optional().describe('what YES is worth after a result in between'),
  settled: factTime.optional().describe('when the result was published'),
  closed: factTime.optional().describe('when trading really ended'),
}
const texts = {
  title: field.optional(), event: field.optional(), series: field.optional(), category: field.optional(), subcategory: field.optional(), frequency: field.optional(),
  event_title: field.optional(), game: field.optional().describe('markets of one game are in no parlay together'),
  ladder: field.optional().describe('markets that are rungs of one ladder are in no parlay together'),
  exclusion: field.optional().describe('keys of your own, with | between them or in a list: two markets that share one are in no parlay together'),
  exclusive: field.optional().describe('whether at most one market of the event comes true'),
}
const results = strict({ kind: z.literal('results'), ...base, ...facts })
const markets = strict({
  kind: z.literal('markets'), ...base, ...facts,
  ...texts, also: field.optional().describe('what other files call the market'),
  venue: field.optional(), open: factTime.optional(), close: factTime.optional().describe('when trading ends by schedule'),
})

const section = z.discriminatedUnion('kind', [quotes, trades, candles, depth, markets, results], {
  error: (issue) => `expected a map with a kind, which is ${MAPPING_KINDS.join(', ')}, got ${shown((issue.input as { kind?: unknown } | undefined)?.kind ?? issue.input)}`,
}).superRefine((given, context) => {
  const fail = (path: string[], message: string) => context.addIssue({ code: 'custom', path, message })
  if (given.thousands !== undefined && given.thousands === (given.decimal ?? '.')) fail(['thousands'], `stands for decimals too: expected another character than decimal, which is ${given.decimal ?? '.'}`)
  if (given.kind !== 'markets' && given.kind !== 'results') {
    const { time: at, received, seen } = given
    if (at === undefined && received === undefined) fail([], 'has no time: expected time, received, or both')
    if (seen !== undefined && (at === undefined || received === undefined)) fail(['seen'], 'tells which of time and received counts, and needs both')
  }
  if (given.kind === 'quotes' || given.kind === 'candles') {
    if ([given.bid, given.ask, given.no_bid, given.no_ask, given.last].every((name) => name === undefined)) fail([], 'has no price: expected bid, ask, no_bid, no_ask or last')
  }
  if (given.kind === 'candles' && (given.stamp === 'start') !== (given.period !== undefined)) fail([], 'expected a period if and only if stamp is start')
  if (given.kind === 'trades' && (given.price === undefined) === (given.no_price === undefined)) fail([], 'expected either price or no_price')
  if (given.kind === 'trades' && given.no_price !== undefined && given.outcome !== undefined) fail(['outcome'], 'tells what price is of; no_price is of NO')
  if (given.kind === 'trades' && given.may_be_newest_first === true && [given.time ?? given.received].flat().length > 1) {
    fail(['may_be_newest_first'], 'is told by one column with the time: expected one')
  }
  if (given.kind === 'depth') {
    const levels = [given.side, given.price, given.size]
    const lists = [given.bids, given.asks].some((name) => name !== undefined)
    if (lists ? levels.some((name) => name !== undefined) : levels.some((name) => name === undefined)) fail([], 'expected side, price and size, or bids and asks with lists')
  }
  if (given.kind === 'depth' && given.stream !== undefined && given.sequence === undefined) fail(['stream'], 'tells within what the numbers of sequence have no gaps, and needs sequence')
  if (given.kind === 'depth' && given.rows_share_numbers !== undefined && given.sequence === undefined) fail(['rows_share_numbers'], 'tells of the numbers of sequence, and needs sequence')
  if (given.kind === 'depth' && given.session !== undefined && given.files_are_sessions === true) fail(['files_are_sessions'], 'tells sessions by files, and session by columns: expected one of them')
  if (given.kind === 'results' && given.result === undefined && given.value === undefined) fail([], 'expected result or value')
})

export const mappingSchema = strict({
  name: text.regex(/^[A-Za-z0-9][A-Za-z0-9 ._-]{0,63}$/, written('a name of letters, digits, blanks and . _ -')).optional().describe('what the report of the import calls the format'),
  about: text.regex(/^[^\n]{1,200}$/, written('one line')).optional().describe('one line about the files'),
  venue: text.optional().describe('where the markets are traded: kalshi, polymarket, or a name of venues; default kalshi'),
  venues: z.record(z.string(), oneOf(['venue_a', 'venue_b']), written('a map of names to venue_a or venue_b')).optional().describe('other names of venues, each with the venue of the services that it stands for'),
  tickers: strict(texts).optional().describe('what a ticker says of its market, where no file says more: fields of the column ticker'),
  depth: quantity('count', 1, LEVELS_MAX).optional().describe('how many levels of both sides of books the store keeps; default: the best prices alone'),
  files: list(section, 1, 'parts'),
}).superRefine(({ venue, venues, depth: levels, files }, context) => {
  if (levels !== undefined && files.every(({ kind }) => kind !== 'depth')) context.addIssue({ code: 'custom', path: ['depth'], message: 'there are no books to keep levels of: expected a part of kind depth' })
  const known = { ...KNOWN_VENUES, ...venues }
  if (venue !== undefined && !Object.hasOwn(known, venue)) context.addIssue({ code: 'custom', path: ['venue'], message: `expected ${Object.keys(known).join(', ')}, or a name that venues gives, got ${shown(venue)}` })
})

export type MappingFile = z.output<typeof mappingSchema>

/** JSON Schema of mapping files, for editors. */
export const mappingJsonSchema = (): object => z.toJSONSchema(mappingSchema, { io: 'input', unrepresentable: 'any' })
