import { z } from 'zod'
import { SERVICE_NAMES } from '../../unit/services.ts'
import type { QuotedPrice } from '../../unit/quotedPrice.ts'
import { AMOUNTS, type Cell, INSTANTS, PRICES, SPANS, type Ways } from './quantities.ts'
import { LAST_LOOK_ANSWERS, LOGGED_RESULTS, type LoggedLeg } from './rfqLog.ts'

const cell = z.union([z.string(), z.number(), z.bigint()], { error: 'expected a text or a number' })

/** The fields that one thing may be written under, of which a row has at most one. */
const fields = (name: string, ways: Ways<unknown>) => Object.fromEntries(Object.keys(ways).map((way) => [`${name}${way}`, cell.optional()]))
const priceFields = (prefix: string) => Object.fromEntries(Object.keys(PRICES).map((name) => [`${prefix}${name}`, cell.optional()]))

type Fields = Readonly<Record<string, unknown>>

/** Reads a thing from whichever of its fields is there. */
class RowReader {
  /** Set when a price had more digits than a price has. */
  isRounded = false
  private declare readonly row: Fields
  private declare readonly context: z.core.$RefinementCtx

  constructor(row: Fields, context: z.core.$RefinementCtx) {
    this.row = row
    this.context = context
  }

  optional<T>(name: string, ways: Ways<T>): T | null {
    const given = Object.keys(ways).filter((way) => this.row[name + way] !== undefined)
    if (given.length === 0) return null
    const [first] = given
    const field = name + first!
    if (given.length > 1) return this.fail(field, `is given twice: ${given.map((way) => name + way).join(', ')}`)
    const read = ways[first!]!(this.row[field] as Cell)
    if ('fault' in read) return this.fail(field, read.fault)
    if (read.isRounded === true) this.isRounded = true
    return read.value
  }

  required<T>(name: string, ways: Ways<T>, example: string): T {
    const before = this.context.issues.length
    const value = this.optional(name, ways)
    if (value === null && this.context.issues.length === before) this.fail(name, `is missing: expected one of ${Object.keys(ways).map((way) => name + way).join(', ')}, such as ${example}`)
    return value as T
  }

  at(): number { return this.required('at', INSTANTS, '"at":"2025-06-19T22:41:07.250Z"') }
  price(): QuotedPrice { return this.required('', PRICES, '"odds":3.25') }

  fail(path: string, message: string): null {
    this.context.addIssue({ code: 'custom', path: path === '' ? [] : [path], message })
    return null
  }
}

/** Numbers beyond the safe integers have lost their last digits before anybody sees them. */
const name = z.union([z.string(), z.int(), z.bigint()], { error: 'expected a text, or a whole number of at most 15 digits' }).transform(String).pipe(z.string().trim().min(1, { error: 'is empty' }))
const word = <const W extends readonly [string, ...string[]]>(words: W) => z.enum(words, { error: `expected ${words.join(' or ')}` })

const LEG = /^(\S(?:.*\S)?)\s+(yes|no)$/i

const leg = z.union([z.string(), z.object({ ticker: z.string().min(1), side: z.string() })], { error: 'expected a leg such as "TICKER yes"' })
  .transform((written, context): LoggedLeg => {
    const [, ticker = '', side = ''] = typeof written === 'string' ? LEG.exec(written.trim()) ?? [] : ['', written.ticker, written.side]
    const lower = side.toLowerCase()
    if (ticker !== '' && (lower === 'yes' || lower === 'no')) return { ticker, side: lower }
    context.addIssue({ code: 'custom', message: 'expected a leg such as "TICKER yes"' })
    return z.NEVER
  })

/** A list, or in flat files a text in which legs are parted by semicolons. */
const legs = z.preprocess((written) => (typeof written === 'string' ? written.split(';').map((part) => part.trim()).filter((part) => part !== '') : written),
  z.array(leg, { error: 'expected a list of legs, each such as "TICKER yes"' }).min(1, { error: 'expected at least one leg' }))

const service = word(SERVICE_NAMES)

/** A row of one kind. `read` makes of its fields what the row says. */
function kindOf<const K extends string, S extends z.core.$ZodLooseShape, R>(kind: K, shape: S, read: (row: z.output<z.ZodObject<S>>, reader: RowReader) => R) {
  return z.strictObject({ kind: z.literal(kind), ...shape }).transform((row, context) => {
    const reader = new RowReader(row as Fields, context)
    const said = read(row as never, reader)
    if (context.issues.length > 0) return z.NEVER
    return { kind, ...said, isRounded: reader.isRounded }
  })
}

const terms = { stake: fields('stake', AMOUNTS), lifetime: fields('lifetime', SPANS), decide: fields('decide', SPANS), floor: priceFields('floor_') }
const FLOORS: Ways<QuotedPrice> = Object.fromEntries(Object.entries(PRICES).map(([way, reader]) => [`_${way}`, reader]))
const at = fields('at', INSTANTS)
/** Which quote is meant: by its id, or by its maker, whose last one it then is. */
const ofQuote = { quote: name.optional(), maker: name.optional() }

const request = kindOf('request', { id: name, ...at, legs, ...terms.stake, service: service.optional(), bettor: name.optional(), ...terms.lifetime, ...terms.decide, ...terms.floor }, (row, reader) => ({
  id: row.id, atUs: reader.at(), legs: row.legs, betMicros: reader.required('stake', AMOUNTS, '"stake":"25 USDC"'), service: row.service ?? null, bettor: row.bettor ?? null,
  lifetimeUs: reader.optional('lifetime', SPANS), decideUs: reader.optional('decide', SPANS), floor: reader.optional('floor', FLOORS),
}))

const update = kindOf('update', { request: name, ...at, legs: legs.optional(), ...terms.stake, ...terms.lifetime, ...terms.decide, ...terms.floor }, (row, reader) => ({
  request: row.request, atUs: reader.at(), legs: row.legs ?? null, betMicros: reader.optional('stake', AMOUNTS),
  lifetimeUs: reader.optional('lifetime', SPANS), decideUs: reader.optional('decide', SPANS), floor: reader.optional('floor', FLOORS),
}))

const cancel = kindOf('cancel', { request: name, ...at }, (row, reader) => ({ request: row.request, atUs: reader.at() }))

const quote = kindOf('quote', {
  request: name, maker: name, id: name.optional(), ...at, ...priceFields(''), ...fields('valid', SPANS), ...fields('valid_until', INSTANTS), ...fields('withdrawn_at', INSTANTS),
}, (row, reader) => {
  const [atUs, validUs, untilUs] = [reader.at(), reader.optional('valid', SPANS), reader.optional('valid_until', INSTANTS)]
  if (validUs !== null && untilUs !== null) reader.fail('valid_until', 'is given beside valid')
  return {
    request: row.request, maker: row.maker, id: row.id ?? null, atUs, price: reader.price(),
    validUntilUs: validUs === null ? untilUs : atUs + validUs, withdrawnUs: reader.optional('withdrawn_at', INSTANTS),
  }
})

const withdrawal = kindOf('withdrawal', { request: name, ...ofQuote, ...at }, (row, reader) => {
  if ((row.quote ?? row.maker) === undefined) reader.fail('maker', 'is missing: expected quote or maker')
  return { request: row.request, quote: row.quote ?? null, maker: row.maker ?? null, atUs: reader.at() }
})

const acceptanceShape = { request: name, ...ofQuote, ...at, ...priceFields('') }
const acceptanceOf = (row: z.output<z.ZodObject<typeof acceptanceShape>>, reader: RowReader) => {
  if ((row.quote ?? row.maker) === undefined) reader.fail('maker', 'is missing: expected quote or maker')
  return { request: row.request, quote: row.quote ?? null, maker: row.maker ?? null, atUs: reader.at(), price: reader.optional('', PRICES) }
}
const acceptance = kindOf('acceptance', acceptanceShape, acceptanceOf)
const commit = kindOf('commit', acceptanceShape, acceptanceOf)

const lastLook = kindOf('last_look', { request: name, ...ofQuote, answer: word(LAST_LOOK_ANSWERS), ...fields('at', INSTANTS), ...fields('delay', SPANS) }, (row, reader) => {
  const [atUs, delayUs] = [reader.optional('at', INSTANTS), reader.optional('delay', SPANS)]
  if (atUs !== null && delayUs !== null) reader.fail('delay', 'is given beside at')
  return { request: row.request, quote: row.quote ?? null, maker: row.maker ?? null, answer: row.answer, atUs, delayUs }
})

const result = kindOf('result', { request: name, ...fields('at', INSTANTS), result: word(LOGGED_RESULTS) }, (row, reader) =>
  ({ request: row.request, atUs: reader.optional('at', INSTANTS), result: row.result }))

const KINDS = [request, update, cancel, quote, withdrawal, acceptance, commit, lastLook, result] as const
const KIND_NAMES = ['request', 'update', 'cancel', 'quote', 'withdrawal', 'acceptance', 'commit', 'last_look', 'result']

const row = z.discriminatedUnion('kind', KINDS, {
  error: (issue) => (issue.code === 'invalid_union' ? `expected kind ${KIND_NAMES.join(', ')}` : issue.code === 'invalid_type' ? 'expected an object' : undefined),
})

/** A row of a log, checked. */
export type LogRow = z.output<typeof row>
export type RowOf<K extends LogRow['kind']> = Extract<LogRow, { readonly kind: K }>

const isNothing = (value: unknown): boolean => value === null || value === undefined || value === ''

/** The row that an object is, or what is wrong with it. Empty cells and fields that begin with `_` are as good as absent. */
export function readRow(written: unknown): LogRow | { readonly fault: string } {
  const isMap = typeof written === 'object' && written !== null && !Array.isArray(written)
  const given = isMap ? Object.fromEntries(Object.entries(written).filter(([field, value]) => !isNothing(value) && !field.startsWith('_'))) : written
  const parsed = row.safeParse(given)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  if (issue!.code === 'unrecognized_keys') return { fault: `unknown field ${issue!.keys.join(', ')}` }
  const field = issue!.path.map(String).join('.')
  const isMissing = isMap && issue!.code !== 'custom' && field !== 'kind' && issue!.path.length === 1 && !Object.hasOwn(given as object, field)
  return { fault: `${field === '' ? '' : `${field}: `}${isMissing ? 'is missing' : issue!.message}` }
}
