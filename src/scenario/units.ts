import { DAY_US, HOUR_US, MINUTE_US, MS_US, SECOND_US } from '../unit/time.ts'

/**
 * Kinds of written quantities and the number that each becomes: `duration` whole µs, `ms` whole ms, `money` whole
 * microUSDC, `share` a fraction, `bps` whole hundredths of a per cent, `odds` decimal odds × 10,000, `count` a whole
 * number, `memory` whole MiB, `number` as it stands, `flag` 0 or 1.
 */
export type QuantityKind = 'duration' | 'ms' | 'money' | 'share' | 'bps' | 'odds' | 'count' | 'memory' | 'number' | 'flag'

/** A quantity that could be read, or what is wrong with it. */
export type Quantity = { readonly value: number } | { readonly fault: string }

/** What a kind looks like when it is written, for messages. */
export const EXAMPLES: Readonly<Record<QuantityKind, string>> = {
  duration: 'a duration such as 120ms, 5s, 10m, 2h or 1d',
  ms: 'a duration such as 120ms, 5s or 10m',
  money: 'an amount such as 5 USDC',
  share: 'a share such as 4%, 2c or 0.04',
  bps: 'a rate such as 1% or 50bps',
  odds: 'decimal odds such as 2.5',
  count: 'a whole number',
  memory: 'an amount of memory such as 512 MiB or 2 GiB',
  number: 'a number',
  flag: 'true or false',
}

/** A written unit: its size in the kind's smallest step is `times` / 10^`shift`. */
interface WrittenUnit {
  readonly times: number
  readonly shift: number
}

const unit = (times: number, shift = 0): WrittenUnit => ({ times, shift })

const DURATIONS: Readonly<Record<string, WrittenUnit>> = {
  us: unit(1), µs: unit(1), ms: unit(MS_US), s: unit(SECOND_US), m: unit(MINUTE_US), min: unit(MINUTE_US), h: unit(HOUR_US), d: unit(DAY_US),
}
const MILLISECONDS: Readonly<Record<string, WrittenUnit>> = {
  us: unit(1, 3), µs: unit(1, 3), ms: unit(1), s: unit(1_000), m: unit(60_000), min: unit(60_000), h: unit(3_600_000), d: unit(86_400_000),
}

/** Units of the kinds that count whole steps. The unit '' stands for a number without one. */
const STEPS: Readonly<Record<Exclude<QuantityKind, 'share' | 'number' | 'flag'>, Readonly<Record<string, WrittenUnit>>>> = {
  duration: DURATIONS,
  ms: MILLISECONDS,
  money: { USDC: unit(1_000_000), usdc: unit(1_000_000) },
  bps: { '%': unit(100), bps: unit(1) },
  odds: { '': unit(10_000) },
  count: { '': unit(1) },
  memory: { MiB: unit(1), GiB: unit(1024) },
}

const STEP_NAMES = {
  duration: 'a microsecond', ms: 'a millisecond', money: 'a micro-unit (0.000001 USDC)', bps: 'a hundredth of a per cent',
  odds: 'four decimals', count: 'a whole number', memory: 'a MiB',
} as const

const FRACTION_SHIFTS: Readonly<Record<string, number>> = { '': 0, '%': 2, c: 2, bps: 4 }

const WRITTEN = /^([+-]?)(\d+(?:\.\d*)?|\.\d+)(?:e([+-]?\d{1,2}))?\s*([^\d\s.]*)$/i

interface Written {
  readonly negative: boolean
  /** The number is `digits` / 10^`scale`. */
  readonly digits: bigint
  readonly scale: number
  readonly unit: string
}

function written(text: string): Written | undefined {
  const match = WRITTEN.exec(text.trim())
  if (match === null) return undefined
  const [, sign, number, exponent, unitText] = match
  const [whole, decimals = ''] = number!.split('.')
  return {
    negative: sign === '-', digits: BigInt(whole! + decimals), scale: decimals.length - Number(exponent ?? 0), unit: unitText!,
  }
}

/**
 * Reads a quantity exactly: nothing is rounded, and nothing infinite or finer than the kind's step gets through. Below 0 only numbers may lie,
 * and shares where `mayBeNegative` says so.
 */
export function readQuantity(kind: QuantityKind, input: unknown, mayBeNegative = false): Quantity {
  const expected = { fault: `expected ${EXAMPLES[kind]}, got ${shown(input)}` }
  if (kind === 'flag') return typeof input === 'boolean' ? { value: input ? 1 : 0 } : expected
  if (typeof input === 'number' ? !Number.isFinite(input) : typeof input !== 'string') return expected
  const parts = written(String(input))
  if (parts === undefined) return expected
  if (kind === 'number') return parts.unit === '' ? { value: Number(input) } : expected
  const isNegative = parts.negative && parts.digits > 0n
  if (isNegative && !(kind === 'share' && mayBeNegative)) return { fault: `must not be negative: ${shown(input)}` }
  if (kind === 'share') {
    const shift = FRACTION_SHIFTS[parts.unit]
    return shift === undefined ? expected : { value: Number(`${isNegative ? '-' : ''}${parts.digits}e${-parts.scale - shift}`) }
  }
  return stepsOf(kind, parts) ?? expected
}

/** Whole steps of the kind, undefined when the unit is not one of the kind's. Zero needs no unit. */
function stepsOf(kind: keyof typeof STEPS, { digits, scale, unit: name }: Written): Quantity | undefined {
  if (digits === 0n && name === '') return { value: 0 }
  const size = Object.hasOwn(STEPS[kind], name) ? STEPS[kind][name]! : undefined
  if (size === undefined) return undefined
  const tenths = scale + size.shift
  const scaled = digits * BigInt(size.times) * 10n ** BigInt(Math.max(0, -tenths))
  const divisor = 10n ** BigInt(Math.max(0, tenths))
  if (scaled % divisor !== 0n) return { fault: kind === 'count' ? 'must be a whole number' : `is finer than ${STEP_NAMES[kind]}` }
  const value = scaled / divisor
  return value > BigInt(Number.MAX_SAFE_INTEGER) ? { fault: 'is too large' } : { value: Number(value) }
}

/** A value as a message shows it. */
export function shown(input: unknown): string {
  if (input === undefined || input === null) return 'nothing'
  if (typeof input === 'string') return JSON.stringify(input.length > 60 ? `${input.slice(0, 57)}…` : input)
  if (Array.isArray(input)) return 'a list'
  return typeof input === 'object' ? 'a map' : String(input)
}

const NAMED_SPANS = [['d', DAY_US], ['h', HOUR_US], ['m', MINUTE_US], ['s', SECOND_US], ['ms', MS_US], ['us', 1]] as const

/** A span of whole µs as it would be written: the largest unit that divides it. */
export function durationText(us: number): string {
  const [name, size] = NAMED_SPANS.find(([, span]) => us !== 0 && us % span === 0) ?? ['s', SECOND_US]
  return `${us / size}${name}`
}

/** A value of a kind as it would be written. */
export function quantityText(kind: QuantityKind, value: number): string {
  switch (kind) {
    case 'duration': return durationText(value)
    case 'ms': return durationText(value * MS_US)
    case 'money': return `${value / 1_000_000} USDC`
    case 'share': return `${Number((value * 100).toPrecision(12))}%`
    case 'bps': return `${value / 100}%`
    case 'odds': return String(value / 10_000)
    case 'memory': return value % 1024 === 0 ? `${value / 1024} GiB` : `${value} MiB`
    case 'flag': return value === 1 ? 'true' : 'false'
    default: return String(value)
  }
}

/** Reads a quantity and holds it within [min, max], which are values of the kind. */
export function readWithin(kind: QuantityKind, input: unknown, min: number, max: number): Quantity {
  const quantity = readQuantity(kind, input, min < 0)
  if ('fault' in quantity || (quantity.value >= min && quantity.value <= max)) return quantity
  const range = max >= Number.MAX_SAFE_INTEGER ? `at least ${quantityText(kind, min)}` : `${quantityText(kind, min)} to ${quantityText(kind, max)}`
  return { fault: `must be ${range}, got ${shown(input)}` }
}

const INSTANT = /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,6}))?)?\s*(Z|[+-]\d{2}:\d{2}))?$/

/**
 * Reads an instant, µs since the epoch: a date (its midnight, UTC), or a date and a time with its zone. A time without a
 * zone is refused: nothing is guessed.
 */
export function readInstant(input: unknown): Quantity {
  const fault = { fault: `expected an instant such as 2025-06-19 or 2025-06-19T19:23:00Z, got ${shown(input)}` }
  const match = typeof input === 'string' ? INSTANT.exec(input.trim()) : null
  if (match === null) return fault
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map((part) => Number(part ?? 0)) as [number, number, number, number, number, number]
  const ms = Date.UTC(year, month - 1, day, hour, minute, second)
  const back = new Date(ms)
  const asWritten = back.getUTCFullYear() === year && back.getUTCMonth() === month - 1 && back.getUTCDate() === day
    && back.getUTCHours() === hour && back.getUTCMinutes() === minute && back.getUTCSeconds() === second
  if (!asWritten) return { fault: `there is no such instant: ${shown(input)}` }
  const zone = match[8] ?? 'Z'
  const offsetMinutes = zone === 'Z' ? 0 : Number(`${zone[0]}1`) * (Number(zone.slice(1, 3)) * 60 + Number(zone.slice(4)))
  return { value: ms * MS_US + Number((match[7] ?? '').padEnd(6, '0')) - offsetMinutes * MINUTE_US }
}
