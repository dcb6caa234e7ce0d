import { Decimal } from 'decimal.js'
import { PROBABILITY_ONE_E9, type QuotedPrice } from '../../unit/quotedPrice.ts'
import { ODDS_E4_MAX, ODDS_E4_MIN, ODDS_ONE } from '../../unit/odds.ts'
import { MINUTE_US, HOUR_US, DAY_US, MS_US, SECOND_US } from '../../unit/time.ts'

/** A cell of a row that is there. A text may carry its unit. */
export type Cell = string | number | bigint

/** What was read, or what is wrong with it. `isRounded`: the cell had more digits than a price has. */
export type Read<T> = { readonly value: T; readonly isRounded?: true } | { readonly fault: string }

/** Ways of writing a thing: the ending of the field's name, and what reads its cell. */
export type Ways<T> = Readonly<Record<string, (cell: Cell) => Read<T>>>

const NUMBER = /^[+-]?(\d+(?:\.\d*)?|\.\d+)(e[+-]?\d{1,3})?$/i
const WITH_UNIT = /^(.*?\d\.?)\s*([^\d\s.]+)$/

const shown = (cell: Cell): string => (typeof cell === 'string' ? JSON.stringify(cell.length > 60 ? `${cell.slice(0, 57)}…` : cell) : String(cell))

/** A number times `scale`, exactly; a fraction of a step is refused. */
function steps(cell: Cell, scale: number, of: string): Read<number> {
  const text = String(cell).trim()
  if (!NUMBER.test(text)) return { fault: `expected ${of}, got ${shown(cell)}` }
  const scaled = new Decimal(text).times(scale)
  if (!scaled.isInteger()) return { fault: `${shown(cell)} is finer than what ${of} is counted in` }
  const value = scaled.toNumber()
  return Number.isSafeInteger(value) ? { value: value + 0 } : { fault: `${shown(cell)} is too large` }
}

function within({ min, max, of }: { readonly min: number; readonly max: number; readonly of: string }, read: Read<number>): Read<number> {
  return 'fault' in read || (read.value >= min && read.value <= max) ? read : { fault: `is no ${of}` }
}

const withUnit = (units: Readonly<Record<string, number>>, of: string) => (cell: Cell): Read<number> => {
  const [, number = '', unit = ''] = WITH_UNIT.exec(String(cell).trim()) ?? []
  const size = Object.hasOwn(units, unit) ? units[unit]! : undefined
  return size === undefined ? { fault: `expected ${of}, got ${shown(cell)}` } : steps(number, size, of)
}

const notNegative = (reader: (cell: Cell) => Read<number>, of: string) => (cell: Cell): Read<number> => within({ min: 0, max: Number.MAX_SAFE_INTEGER, of }, reader(cell))

const SPAN = 'a duration such as 8s or 250ms'
const SPAN_UNITS = { us: 1, µs: 1, ms: MS_US, s: SECOND_US, m: MINUTE_US, min: MINUTE_US, h: HOUR_US, d: DAY_US }

/** Spans, µs. */
export const SPANS: Ways<number> = {
  '': notNegative(withUnit(SPAN_UNITS, SPAN), SPAN),
  _us: notNegative((cell) => steps(cell, 1, 'whole microseconds'), SPAN),
  _ms: notNegative((cell) => steps(cell, MS_US, 'milliseconds'), SPAN),
  _s: notNegative((cell) => steps(cell, SECOND_US, 'seconds'), SPAN),
}

const INSTANT = /^(\d{4})-(\d{2})-(\d{2})[T ](\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,9}))?\s*(Z|[+-]\d{2}:?\d{2})$/
/** 2000-01-01 and 2100-01-01: a number outside of them is in another unit. */
const [FIRST_US, LAST_US] = [946_684_800_000_000, 4_102_444_800_000_000]

function instantOf(cell: Cell): Read<number> {
  const fault = { fault: `expected an instant with its zone, such as 2025-06-19T22:41:07.250Z, got ${shown(cell)}` }
  const match = typeof cell === 'string' ? INSTANT.exec(cell.trim()) : null
  if (match === null) return fault
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map(Number) as [number, number, number, number, number, number]
  const ms = Date.UTC(year, month - 1, day, hour, minute, second)
  const back = new Date(ms)
  if (back.getUTCMonth() !== month - 1 || back.getUTCDate() !== day || hour > 23 || minute > 59 || second > 59) return { fault: `there is no such instant: ${shown(cell)}` }
  const zone = match[8]!
  const offset = zone === 'Z' ? 0 : Number(`${zone[0]}1`) * (Number(zone.slice(1, 3)) * 60 + Number(zone.slice(-2)))
  // A finer part than a microsecond is cut off, as by a clock that counts in microseconds.
  return { value: ms * MS_US + Number((match[7] ?? '').padEnd(6, '0').slice(0, 6)) - offset * MINUTE_US }
}

const instantIn = (read: (cell: Cell) => Read<number>, unit: string) => (cell: Cell): Read<number> => {
  const at = read(cell)
  if ('fault' in at || (at.value >= FIRST_US && at.value <= LAST_US)) return at
  return { fault: `${shown(cell)} ${unit} since 1970 is no instant of this century` }
}

/** Instants, µs since the epoch. Finer parts than a microsecond are cut off. */
export const INSTANTS: Ways<number> = {
  '': instantIn(instantOf, 'as an instant'),
  _us: instantIn((cell) => steps(cell, 1, 'whole microseconds'), 'µs'),
  _ms: instantIn((cell) => steps(cell, MS_US, 'milliseconds'), 'ms'),
  _s: instantIn((cell) => steps(cell, SECOND_US, 'seconds'), 's'),
  _ns: instantIn((cell) => {
    const text = String(cell).trim()
    return /^\d+$/.test(text) ? { value: Number(BigInt(text) / 1000n) } : { fault: `expected whole nanoseconds, got ${shown(cell)}` }
  }, 'ns'),
}

const MONEY = 'an amount such as 25 USDC'
const MICROS_MAX = 1e15

const amount = (reader: (cell: Cell) => Read<number>) => (cell: Cell): Read<number> => {
  const read = reader(cell)
  return 'fault' in read || (read.value > 0 && read.value <= MICROS_MAX) ? read : { fault: `expected an amount above 0, got ${shown(cell)}` }
}

/** Money, microUSDC. */
export const AMOUNTS: Ways<number> = {
  '': amount(withUnit({ USDC: 1_000_000, usdc: 1_000_000, USD: 1_000_000, c: 10_000 }, MONEY)),
  _dollars: amount((cell) => steps(cell, 1_000_000, 'dollars')),
  _cents: amount((cell) => steps(cell, 10_000, 'cents')),
  _micros: amount((cell) => steps(cell, 1, 'whole micro-units')),
}

/** A number times `scale`, rounded where it is finer than a step: up or down, whichever is against the bettor. */
function roundedSteps(cell: Cell, scale: number, of: string, direction: 'up' | 'down'): Read<number> {
  const text = String(cell).trim()
  if (!NUMBER.test(text)) return { fault: `expected ${of}, got ${shown(cell)}` }
  const scaled = new Decimal(text).times(scale)
  if (scaled.isInteger()) return { value: scaled.toNumber() + 0 }
  return { value: (direction === 'up' ? scaled.ceil() : scaled.floor()).toNumber() + 0, isRounded: true }
}

const probability = (scale: number, of: string) => (cell: Cell): Read<QuotedPrice> => {
  const read = roundedSteps(cell, scale, of, 'up')
  if ('fault' in read) return read
  const { value: probabilityE9, ...more } = read
  return probabilityE9 > 0 && probabilityE9 < PROBABILITY_ONE_E9 ? { value: { probabilityE9 }, ...more } : { fault: `${of} lies between nothing and all of it, not at ${shown(cell)}` }
}

function decimalOdds(cell: Cell): Read<QuotedPrice> {
  const read = roundedSteps(cell, ODDS_ONE, 'decimal odds', 'down')
  if ('fault' in read) return read
  const { value: oddsE4, ...more } = read
  return oddsE4 >= ODDS_E4_MIN && oddsE4 <= ODDS_E4_MAX ? { value: { oddsE4 }, ...more } : { fault: `odds lie within 1.0001 … 1000, not at ${shown(cell)}` }
}

const payout = (reader: (cell: Cell) => Read<number>) => (cell: Cell): Read<QuotedPrice> => {
  const read = reader(cell)
  return 'fault' in read ? read : { value: { payoutMicros: read.value } }
}

/** Prices of a parlay, by the whole name of the field. */
export const PRICES: Ways<QuotedPrice> = {
  odds: decimalOdds,
  probability: probability(PROBABILITY_ONE_E9, 'a probability'),
  price_dollars: probability(PROBABILITY_ONE_E9, 'a price for a dollar'),
  price_cents: probability(PROBABILITY_ONE_E9 / 100, 'a price in cents for a dollar'),
  payout: payout(AMOUNTS['']!), payout_dollars: payout(AMOUNTS['_dollars']!), payout_cents: payout(AMOUNTS['_cents']!), payout_micros: payout(AMOUNTS['_micros']!),
}
