import type { SchemaElement } from 'hyparquet'

/** Whether a column's type says that it holds times of day. */
export const isTimeOfDay = ({ converted_type: converted, logical_type: logical }: SchemaElement): boolean =>
  logical?.type === 'TIME' || converted === 'TIME_MILLIS' || converted === 'TIME_MICROS'

/** Nanoseconds of a unit. */
const UNIT_NS = { MILLIS: 1_000_000n, MICROS: 1000n, NANOS: 1n } as const

/** A time of day as `09:30:00.250000000`, null for nothing. */
export function timeOfDayText(stored: unknown, { converted_type: converted, logical_type: logical }: SchemaElement): string | null {
  if (typeof stored !== 'number' && typeof stored !== 'bigint') return null
  const unit = logical?.type === 'TIME' ? logical.unit : converted === 'TIME_MILLIS' ? 'MILLIS' : 'MICROS'
  const ns = BigInt(stored) * UNIT_NS[unit]
  const seconds = Number(ns / 1_000_000_000n)
  const two = (part: number): string => String(part).padStart(2, '0')
  return `${two(Math.floor(seconds / 3600))}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}.${String(ns % 1_000_000_000n).padStart(9, '0')}`
}
