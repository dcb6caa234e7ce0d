import type { Interval } from '../../stats/interval.ts'
import { apart } from '../../unit/thousands.ts'
import { DAY_US, HOUR_US, isoOfTimeUs, MINUTE_US, MS_US, SECOND_US } from '../../unit/time.ts'
import { type Content, html } from './markup.ts'

/** What stands where a figure is undefined. */
export const UNKNOWN = '–'

const MINUS = '\u2212'

/** A number with thousands apart and a true minus, by rules of our own: those of `Intl` change with its data. */
export function fixed(value: number | null, digits: number): string {
  if (value === null || !Number.isFinite(value)) return UNKNOWN
  const text = Math.abs(value).toFixed(digits)
  const [whole, rest] = text.split('.')
  const sign = value < 0 && Number(text) !== 0 ? MINUS : ''
  return `${sign}${apart(whole!)}${rest === undefined ? '' : `.${rest}`}`
}

/** Three digits that count, and never less than the whole part. */
export function brief(value: number | null): string {
  if (value === null || !Number.isFinite(value)) return UNKNOWN
  const size = Math.abs(value)
  return fixed(value, size >= 100 ? 0 : size >= 10 ? 1 : size >= 1 || size === 0 ? 2 : 3)
}

export const whole = (count: number | null): string => fixed(count, 0)

/** microUSDC as USDC with cents. */
export const usd = (micros: number | null): string => fixed(micros === null ? null : micros / 1e6, 2)

/** microUSDC to the micro-unit. */
export const exactUsd = (micros: number): string => fixed(micros / 1e6, 6)

export const percent = (share: number | null, digits = 1): string => (share === null ? UNKNOWN : fixed(100 * share, digits))

export const ms = (us: number | null): string => brief(us === null ? null : us / MS_US)

/** A duration in its largest unit: `5 s`, `2 h`. */
export function span(us: number): string {
  for (const [unit, name] of [[DAY_US, 'd'], [HOUR_US, 'h'], [MINUTE_US, 'min'], [SECOND_US, 's'], [MS_US, 'ms']] as const) {
    if (us >= unit) return `${fixed(us / unit, us % unit === 0 ? 0 : 1)} ${name}`
  }
  return `${us} µs`
}

/** An instant to the second, UTC. */
export const instant = (us: number): string => `${isoOfTimeUs(us).slice(0, 10)} ${isoOfTimeUs(us).slice(11, 19)} UTC`

export const plural = (count: number, one: string, many = `${one}s`): string => `${whole(count)} ${count === 1 ? one : many}`

/** Words of a name: `timed_out` as `timed out`. */
export const words = (name: string): string => name.replaceAll('_', ' ')

/** An estimate with its interval beneath, in multiples of `scale`, and of how many clusters it is; where there is no interval, that. */
export function estimate(interval: Interval, scale = 1, show: (value: number | null) => string = brief, withCount = true): Content {
  const { estimate: value, low, high, count } = interval
  if (value === null) return html`<span class="none" title="${interval.label}">${UNKNOWN}</span>`
  const bounds = low === null || high === null ? 'no interval' : `${show(low * scale)} to ${show(high * scale)}`
  return html`${show(value * scale)} <small title="${interval.label}">${bounds}${withCount && html` <i>n ${whole(count)}</i>`}</small>`
}

/** The same as plain text. */
export function estimateText({ estimate: value, low, high }: Interval, scale = 1, show: (value: number | null) => string = brief): string {
  if (value === null) return UNKNOWN
  return low === null || high === null ? `${show(value * scale)}, no interval` : `${show(value * scale)} (${show(low * scale)} to ${show(high * scale)})`
}
