import { assert, Bug } from './assert.ts'

declare const microsBrand: unique symbol

/** Money: integer microUSDC, 1,000,000 to the dollar (PQ-022), always a safe integer. */
export type Micros = number & { readonly [microsBrand]: 'Micros' }

export const USDC = 1_000_000
export const BPS = 10_000

/** Brands a number as money after checking that it is a safe integer. */
export function micros(value: number): Micros {
  if (!Number.isSafeInteger(value)) throw new Bug(`not an amount of microUSDC: ${value}`)
  return value as Micros
}

/** Exact sum. Stops the run when the sum leaves the safe integers. */
export function add(a: Micros, b: Micros): Micros {
  const sum = a + b
  assert(Number.isSafeInteger(sum), 'money overflow')
  return sum as Micros
}

/** Exact difference. Stops the run when the difference leaves the safe integers. */
export function sub(a: Micros, b: Micros): Micros {
  const difference = a - b
  assert(Number.isSafeInteger(difference), 'money overflow')
  return difference as Micros
}

/**
 * floor(a·b/d), exactly, for integers 0 ≤ a, 0 ≤ b, 0 < d with b·d < 2⁵³ and a result < 2⁵³.
 * The quotient is split so that no intermediate product leaves the safe integers.
 */
export function mulDivFloor(a: number, b: number, d: number): number {
  assert(a >= 0 && b >= 0 && d > 0 && b * d <= Number.MAX_SAFE_INTEGER, 'mulDivFloor out of bounds')
  const whole = Math.floor(a / d)
  const result = whole * b + Math.floor(((a - whole * d) * b) / d)
  assert(result <= Number.MAX_SAFE_INTEGER, 'mulDivFloor overflow')
  return result
}

/** ceil(a·b/d), exactly, under the bounds of {@link mulDivFloor}. */
export function mulDivCeil(a: number, b: number, d: number): number {
  assert(a >= 0 && b >= 0 && d > 0 && b * d <= Number.MAX_SAFE_INTEGER, 'mulDivCeil out of bounds')
  const whole = Math.floor(a / d)
  const rest = (a - whole * d) * b
  const result = whole * b + Math.floor(rest / d) + (rest % d === 0 ? 0 : 1)
  assert(result <= Number.MAX_SAFE_INTEGER, 'mulDivCeil overflow')
  return result
}

/** floor(amount·bps/10000): every fee of the services (PQ-421, readings A21, B01). */
export const feeFloor = (amount: Micros, bps: number): Micros => mulDivFloor(amount, bps, BPS) as Micros
