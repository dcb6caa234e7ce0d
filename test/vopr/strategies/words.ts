/** What drawn strategies are written with (test/vopr/strategyGrammar.ts). */

/**
 * A whole number below 2³² that stands for `seen` and a value: another value, even in its last bit, gives another number. A value is read by
 * its decimals, of which each number has its own, since rooms have no view of bits. Both zeros are one value.
 */
export function mixed(seen: number, value: number | boolean): number {
  const decimals = String(Number(value))
  let mix = seen
  for (let i = 0; i < decimals.length; i++) mix = Math.imul(mix ^ decimals.charCodeAt(i), 0x9e3779b1)
  mix = Math.imul(mix ^ (mix >>> 15), 0x85ebca6b)
  return (mix ^ (mix >>> 13)) >>> 0
}

/** The value within bounds, the lower one where it is unknown. */
export const within = (value: number, low: number, high: number): number => (value > low ? Math.min(value, high) : low)

/** The same as a whole number; the bounds are whole. */
export const whole = (value: number, low: number, high: number): number => Math.floor(within(value, low, high))
