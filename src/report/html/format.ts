import type { Interval } from '../../stats/interval.ts'
import * as text from '../../unit/numberText.ts'
import { DAY_US, HOUR_US, isoOfTimeUs, MINUTE_US, MS_US, SECOND_US } from '../../unit/time.ts'
import { type Content, html, type Markup } from './markup.ts'

export { plural } from '../../unit/numberText.ts'

/** What stands where a figure is undefined. */
export const UNKNOWN = '–'

/** A number's text as pages set it: a true minus, and a dash for what is unknown. */
export const typeset = (number: string): string => (number === text.UNKNOWN ? UNKNOWN : number.replace(/^-/, '\u2212'))

/** Words of the terminal as pages set the numbers in them. */
export const withMinus = (words: string): string => words.replaceAll(/(?<=[ (])-(?=[\d.])/g, '\u2212')

export const fixed = (value: number | null, decimals: number): string => typeset(text.grouped(value, decimals))

/** Three digits that count, and never less than the whole part. */
export const brief = (value: number | null): string => typeset(text.brief(value, 3))

export const whole = (count: number | null): string => fixed(count, 0)

/** A cell whose text does not say where it stands in a sorted column. @param place a whole number, 0 or more */
const placed = (place: number, text: string): Markup => html`<data value="${place}">${text}</data>`

/** A p-value to three decimals. */
export const pValue = (p: number | null): Content => (p === null ? UNKNOWN : p < 0.001 ? placed(0, 'below .001') : fixed(p, 3))

/** microUSDC as USDC with cents. */
export const usd = (micros: number | null): string => typeset(text.usd(micros))

/** microUSDC to the micro-unit. */
export const exactUsd = (micros: number): string => typeset(text.exactUsd(micros, 6))

/** A share of one in percent, whose sign stands in the head or behind. */
export const percent = (share: number | null, decimals = 1): string => fixed(share === null ? null : 100 * share, decimals)

export const ms = (us: number | null): string => brief(us === null ? null : us / MS_US)

/** A duration in its largest unit: `5 s`, `2 h`. */
export function span(us: number): string {
  for (const [unit, name] of [[DAY_US, 'd'], [HOUR_US, 'h'], [MINUTE_US, 'min'], [SECOND_US, 's'], [MS_US, 'ms']] as const) {
    if (us >= unit) return `${fixed(us / unit, us % unit === 0 ? 0 : 1)} ${name}`
  }
  return `${us} µs`
}

/** The same for a column of durations. */
export const spanCell = (us: number): Content => placed(us, span(us))

/** An instant to the second, UTC. */
export const instant = (us: number): string => `${isoOfTimeUs(us).slice(0, 10)} ${isoOfTimeUs(us).slice(11, 19)} UTC`

/** Words of a name: `timed_out` as `timed out`. */
export const words = (name: string): string => name.replaceAll('_', ' ')

/** An estimate with its interval beneath, in multiples of `scale`, and of how many clusters it is. Where there is no interval it stands alone, and its title says why. */
export function estimate(interval: Interval, scale = 1, show: (value: number | null) => string = brief, withCount = true): Content {
  const { estimate: value, low, high, count } = interval
  if (value === null) return html`<span class="none" title="${interval.label}">${UNKNOWN}</span>`
  if (low === null || high === null) return html`<span title="${interval.label}">${show(value * scale)}</span>`
  return html`${show(value * scale)} <small title="${interval.label}">${show(low * scale)} to ${show(high * scale)}${withCount && html` <i>n ${whole(count)}</i>`}</small>`
}

/** The same as plain text. */
export function estimateText({ estimate: value, low, high }: Pick<Interval, 'estimate' | 'low' | 'high'>, scale = 1, show: (value: number | null) => string = brief): string {
  if (value === null) return UNKNOWN
  return low === null || high === null ? `${show(value * scale)}, no interval` : `${show(value * scale)} (${show(low * scale)} to ${show(high * scale)})`
}
