// How numbers are written for people. The rules are our own, because those of `Intl` change with its data. Pages set the same texts with their
// own marks (report/html/format.ts). What a service sends is written by its wire, and what a scenario says by scenario/units.ts.

/** What stands where a figure is undefined. */
export const UNKNOWN = '-'

const isDefined = (value: number | null): value is number => value !== null && Number.isFinite(value)

/** What rounds to zero has no sign. */
const withSign = (isBelow: boolean, size: string): string => (isBelow && /[1-9]/.test(size) ? `-${size}` : size)

const apart = (digits: string): string => digits.replace(/\B(?=(\d{3})+$)/g, ',')

function partsApart(text: string): string {
  const point = text.indexOf('.')
  return point < 0 ? apart(text) : apart(text.slice(0, point)) + text.slice(point)
}

/** A count, with thousands apart. */
export const thousands = (whole: number): string => apart(String(whole))

/** So many decimals; digits are not set apart. */
export const fixed = (value: number | null, decimals: number): string =>
  (isDefined(value) ? withSign(value < 0, Math.abs(value).toFixed(decimals)) : UNKNOWN)

/** So many decimals, with thousands apart. */
export const grouped = (value: number | null, decimals: number): string => partsApart(fixed(value, decimals))

/**
 * Three digits that count, and all that stand before the point.
 * @param decimalsMax decimals of what is below one: two in a narrow column
 */
export function brief(value: number | null, decimalsMax: 2 | 3): string {
  const size = Math.abs(value ?? 0)
  return grouped(value, size >= 99.95 ? 0 : size >= 9.995 ? 1 : size >= 0.9995 || size === 0 ? 2 : decimalsMax)
}

/** Three digits that count, however small, and all that stand before the point. */
export const significant = (value: number | null): string =>
  (isDefined(value) && Math.abs(value) < 999.5 ? withSign(value < 0, Math.abs(value).toPrecision(3)) : grouped(value, 0))

/** A share of one as a percentage: `12.5%`. */
export const percent = (share: number | null, decimals: number): string => (isDefined(share) ? `${grouped(100 * share, decimals)}%` : UNKNOWN)

/** Decimal odds, with all that their grid has. */
export const odds = (value: number): string => fixed(value, 4)

/** microUSDC as USDC with cents, rounded half away from zero. */
export function usd(micros: number | null): string {
  if (!isDefined(micros)) return UNKNOWN
  const cents = String(Math.round(Math.abs(micros) / 10_000)).padStart(3, '0')
  return withSign(micros < 0, `${apart(cents.slice(0, -2))}.${cents.slice(-2)}`)
}

/** microUSDC as USDC to the micro-unit; zeros at the end are left out beyond `decimalsMin` decimals, 2 to 6. */
export function exactUsd(micros: number | null, decimalsMin: number): string {
  if (!isDefined(micros)) return UNKNOWN
  const digits = String(Math.round(Math.abs(micros))).padStart(7, '0')
  const decimals = digits.slice(-6, decimalsMin - 6 || undefined) + digits.slice(decimalsMin - 6 || digits.length).replace(/0+$/, '')
  return withSign(micros < 0, `${apart(digits.slice(0, -6))}.${decimals}`)
}

/** A number's text with its sign, of gains too. */
export const signed = (text: string): string => (text === UNKNOWN || text.startsWith('-') ? text : `+${text}`)

/** How long something took: `12.5 s`. */
export const secondsText = (seconds: number): string => `${fixed(seconds, 1)} s`

export const plural = (count: number, one: string, many = `${one}s`): string => `${thousands(count)} ${count === 1 ? one : many}`
