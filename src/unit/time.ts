declare const timeBrand: unique symbol

/** An instant: integer microseconds since the Unix epoch. */
export type TimeUs = number & { readonly [timeBrand]: 'TimeUs' }

export const MS_US = 1_000
export const SECOND_US = 1_000_000
export const MINUTE_US = 60 * SECOND_US
export const HOUR_US = 60 * MINUTE_US
export const DAY_US = 24 * HOUR_US

/** An instant later than every instant of a session. It means "no deadline". */
export const NEVER_US = Number.MAX_SAFE_INTEGER as TimeUs

/** Brands an integer as an instant. */
export const timeUs = (us: number): TimeUs => us as TimeUs

/** ISO 8601 with microseconds, UTC (PQ-021). */
export function isoOfTimeUs(us: number): string {
  const ms = Math.floor(us / 1000)
  const rest = us - ms * 1000
  return new Date(ms).toISOString().replace('Z', String(rest).padStart(3, '0') + 'Z')
}
