/** What drawn strategies are written with (test/vopr/strategyGrammar.ts). */

const cell = new Float64Array(1)
const halves = new Int32Array(cell.buffer)

/** A whole number below 2³² that stands for `seen` and a value: another value, even in its last bit, gives another number. */
export function mixed(seen: number, value: number | boolean): number {
  const number = Number(value)
  // One pattern of bits for all NaN, and one for both zeros.
  cell[0] = Number.isNaN(number) ? 0.5 : number + 0
  let mix = Math.imul(seen ^ halves[0]!, 0x9e3779b1) ^ halves[1]!
  mix = Math.imul(mix ^ (mix >>> 15), 0x85ebca6b)
  return (mix ^ (mix >>> 13)) >>> 0
}

/** The value within bounds, the lower one where it is unknown. */
export const within = (value: number, low: number, high: number): number => (value > low ? Math.min(value, high) : low)

/** The same as a whole number; the bounds are whole. */
export const whole = (value: number, low: number, high: number): number => Math.floor(within(value, low, high))
