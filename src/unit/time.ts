declare const timeBrand: unique symbol

/** An instant: integer microseconds since the Unix epoch. */
export type TimeUs = number & { readonly [timeBrand]: 'TimeUs' }

/** A millisecond, µs. */
export const MS_US = 1_000
/** A second, µs. */
export const SECOND_US = 1_000_000
/** A minute, µs. */
export const MINUTE_US = 60 * SECOND_US
export const HOUR_US = 60 * MINUTE_US
export const DAY_US = 24 * HOUR_US

/** An instant later than every instant of a session. It means "no deadline". */
export const NEVER_US = Number.MAX_SAFE_INTEGER as TimeUs

/** Brands an integer as an instant. */
export const timeUs = (us: number): TimeUs => us as TimeUs

/** The text of the minute that was asked for last, up to its seconds. */
let minuteAsked = NaN
let minuteText = ''

/** ISO 8601 with microseconds, UTC (PQ-021). */
export function isoOfTimeUs(us: number): string {
  const minute = Math.floor(us / MINUTE_US)
  if (minute !== minuteAsked) {
    minuteText = new Date(minute * (MINUTE_US / MS_US)).toISOString().slice(0, -'00.000Z'.length)
    minuteAsked = minute
  }
  const digits = String(100 * SECOND_US + (us - minute * MINUTE_US))
  return `${minuteText}${digits.slice(1, 3)}.${digits.slice(3)}Z`
}

/** An instant as a user would write it: UTC, without the zeros of a fraction. */
export const instantText = (us: number): string => isoOfTimeUs(us).replace(/\.?0+Z$/, 'Z')
